"""The numbers of a request: ranges, units, and the leaves that they become."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from vivavoce.arithmetic import on_grid
from vivavoce.strict import refuse, shown
from vivavoce.trace import Node, exact, leaf


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a request: its range, its unit, and whether null stands for `could not be measured`."""

    low: int
    high: int
    unit: str
    whole: bool = False
    nullable: bool = False

    def read(self, value: Any, where: str, name: str, source: str) -> Node | None:
        """Return the number as a `given` leaf with up to 6 decimals (A2), or None for an allowed null."""
        kind = "a whole number" if self.whole else "a number"
        allowed = f"{kind} from {self.low} to {self.high}" + (" or null" if self.nullable else "")
        if value is None and self.nullable:
            return None
        if isinstance(value, bool) or not isinstance(value, int if self.whole else int | Decimal):
            raise refuse("value_type", where, shown(value), allowed)
        if not self.low <= value <= self.high:
            raise refuse("value_range", where, shown(value), allowed)
        return leaf("given", name, on_grid(_exact(value)), unit=self.unit, source=source)


def _exact(value: int | Decimal) -> int | Fraction:
    return value if isinstance(value, int) else exact(value)


def flag(value: Any, where: str, name: str, source: str) -> Node:
    """Return true or false as a `given` leaf of 1 or 0."""
    if not isinstance(value, bool):
        raise refuse("value_type", where, shown(value), "true or false")
    return leaf("given", name, int(value), unit="flag", source=source)


SCORE = Number(0, 100, "score", whole=True)
COUNT = Number(0, 1_000_000, "words", whole=True)
SPEAKING_RATE = {
    "words_per_minute": Number(0, 10_000, "wpm"),
    "pace_variation": Number(0, 1_000, "ratio", nullable=True),
    "choppy_breaks_per_minute": Number(0, 10_000, "1/min"),
    "hesitations_per_minute": Number(0, 10_000, "1/min"),
    "speech_seconds": Number(0, 360_000, "s"),
}
VOLUME_CONTROL = {
    "level_db": Number(-400, 400, "dB"),
    "consistency_db": Number(0, 400, "dB", nullable=True),
    "fade_db": Number(-400, 400, "dB", nullable=True),
}
ALIGNMENT = {
    "reference_words": Number(1, 1_000_000, "words", whole=True),
    "trailing_omissions": COUNT,
    "matched": COUNT,
    "insertions": COUNT,
}
KEYWORDS = {"keywords_required": Number(1, 10_000, "words", whole=True), "keywords_present": COUNT}
