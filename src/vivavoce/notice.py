"""What was noticed and does not stop the work: a warning on the card, or the reason why nothing is scored."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """A stable code, what was found (with its place), and what a person can do about it.

    Without a remedy it is no warning: a report tells it as a note on how the measuring was done.
    """

    code: str
    found: str
    remedy: str

    def as_dict(self) -> dict[str, str]:
        """Return the three fields as reports show them."""
        return {"code": self.code, "found": self.found, "remedy": self.remedy}
