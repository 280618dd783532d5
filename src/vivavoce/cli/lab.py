"""`vivavoce lab`: requests in, results with traces out, one a line; a bad line does not stop the rest."""

from __future__ import annotations

import argparse
import sys

from vivavoce.cli import exits, files
from vivavoce.scoring.request import answer_lines


def run(arguments: argparse.Namespace) -> int:
    """Answer every line. A refused line is answered by its error; the exit code stays 0."""
    for answer in answer_lines(files.rubric_of(arguments.rubric), files.lines(arguments.file)):
        sys.stdout.write(answer + "\n")
    sys.stdout.flush()
    return exits.DONE
