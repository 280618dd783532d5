"""What the student is told after the scores: `choose` the finding, `write` two sentences a marker, `check` them.

Feedback explains a score and never changes it. Start at `write.write`; docs/feedback.md has the table of findings.
"""
