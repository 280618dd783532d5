"""The closed shape of a request's inputs, and readers that say where a value does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from vivavoce.arithmetic import on_grid
from vivavoce.errors import RequestError
from vivavoce.trace import Node, exact, leaf

_FIX = "correct the request and send it again"


def refuse(code: str, where: str, found: str, allowed: str, remedy: str = _FIX) -> RequestError:
    """Return the error for a value of a request."""
    return RequestError(code, where=where, found=found, allowed=allowed, remedy=remedy)


def shown(value: Any) -> str:
    """Return a value as an error shows it: short, JSON words."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def as_object(value: Any, where: str, required: Iterable[str], optional: Iterable[str] = ()) -> Mapping[str, Any]:
    """Return a JSON object that has the required keys and no others than these and the optional ones."""
    if not isinstance(value, dict):
        raise refuse("request_shape", where, shown(value), "an object")
    required, optional = tuple(required), tuple(optional)
    for key in value:
        if key not in required and key not in optional:
            raise refuse("key_unknown", f"{where}/{key}", f'the key "{key}"', ", ".join((*required, *optional)))
    for key in required:
        if key not in value:
            raise refuse("key_missing", f"{where}/{key}", "nothing", f'the key "{key}"')
    return value


def choice(value: Any, where: str, among: Iterable[str]) -> str:
    """Return a text that is one of a closed list."""
    allowed = tuple(among)
    if not isinstance(value, str) or value not in allowed:
        raise refuse("value_unknown", where, shown(value), ", ".join(allowed))
    return value


def choices(value: Any, where: str, among: Iterable[str]) -> tuple[str, ...]:
    """Return a list of different texts from a closed list."""
    if not isinstance(value, list):
        raise refuse("request_shape", where, shown(value), "a list")
    found = tuple(choice(item, f"{where}/{index}", among) for index, item in enumerate(value))
    if len(set(found)) != len(found):
        raise refuse("value_repeated", where, ", ".join(found), "each at most once")
    return found


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
