"""Exit codes, the same for every command (they stand in the README and in --help)."""

from __future__ import annotations

from vivavoce.errors import MissingError, VivavoceError

DONE = 0
REJECTED = 1
WRONG = 2
NOT_SCORED = 3
MISSING = 4
INTERRUPTED = 130


def of(error: VivavoceError) -> int:
    """Return the exit code of an error."""
    return MISSING if isinstance(error, MissingError) else WRONG
