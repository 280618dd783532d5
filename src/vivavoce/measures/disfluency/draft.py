"""What the rules hand on: a disruption as places in the list of units, before times and recovery are known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vivavoce.measures.disfluency.lexicon import AUX, DET, PREP, SUBJECT, WH
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


CLASSES = (WH, DET, PREP, SUBJECT, AUX)
"""Closed classes: the repair often begins with a word of the class that the replaced words begin with."""

REACH = 8
"""Units before the interruption in which the start of what is replaced is looked for (chosen)."""

SIGHT = 40
"""Units that a rule sees before and after its place, so that long texts without a full stop cost no more."""


def clause_start(units: list[Unit], place: int) -> int:
    """Return where the sentence of the unit begins, or what is in sight of it."""
    least = max(0, place - SIGHT)
    while place > least and not units[place - 1].stop:
        place -= 1
    return place


def clause_end(units: list[Unit], place: int) -> int:
    """Return where the sentence of the unit ends, exclusive, or what is in sight of it."""
    most = min(len(units), place + SIGHT)
    while place < most and not units[place].stop:
        place += 1
    return min(place + 1, len(units))


def replaced_from(units: list[Unit], begin: int, broken: int, after: str) -> int:
    """Return where the words begin that the repair replaces: back to the word, else to the class that it takes up.

    Parameters: `begin` of the sentence; `broken` the place after the last word left behind; `after` the repair's first
    word. Where nothing is taken up one word is replaced.
    """
    back = [place for place in range(broken - 1, max(begin, broken - REACH) - 1, -1) if units[place].sort == "word"]
    start = next((place for place in back if units[place].key == after), None)
    if start is None:
        kinds = [kind for kind in CLASSES if after in kind]
        start = next((place for place in back if any(units[place].key in kind for kind in kinds)), back[0])
    return start
