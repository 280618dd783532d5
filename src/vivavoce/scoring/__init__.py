"""From named evidence to a score and its trace. Imports the rubric, the trace and the arithmetic, and nothing else."""
