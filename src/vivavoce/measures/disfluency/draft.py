"""What the rules hand on: a disruption as places in the list of units, before times and recovery are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vivavoce.measures.disfluency.units import Unit

Kind = Literal["filled_pause", "filler", "repetition", "cut_off", "false_start"]


@dataclass(frozen=True, slots=True)
class Draft:
    """Places in the units: `start` to `broken` what is left behind (or the filler), to `resumed` the editing words,
    to `end` what was said instead; all ends exclusive."""

    kind: Kind
    start: int
    broken: int
    resumed: int
    end: int


def clause_start(units: list[Unit], place: int) -> int:
    """Return where the sentence of the unit begins."""
    while place > 0 and not units[place - 1].stop:
        place -= 1
    return place


def clause_end(units: list[Unit], place: int) -> int:
    """Return where the sentence of the unit ends, exclusive."""
    while place < len(units) and not units[place].stop:
        place += 1
    return min(place + 1, len(units))
