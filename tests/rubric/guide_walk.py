"""Walk the text of the guide line by line; each line is taken by one rule, and what it states is kept as claims.

Nothing here reads the edition's TOML: values come from the guide's text alone. Only the addresses are the edition's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

Value = str | Decimal

SCORE_LAB = (
    "Pick a module and a grade band, then move the inputs. The five marker scores and the overall recompute as you "
    "go, and every derived number shows the arithmetic that produced it. Each module loads with the worked example "
    "from its chapter of the scoring guide, so you can check the engine against a published result."
)
# Lines of the page that carry no value of the rubric, and how often each stands there.
FURNITURE = {
    "Speech evaluation": 1,
    "How student work gets scored.": 1,
    "Score Lab": 1,
    "8 modules": 2,
    SCORE_LAB: 1,
    "Step 1": 1,
    "Pick a module": 1,
    # Headings of sections.
    "How every score is built": 1,
    "The five markers": 1,
    "Grade bands": 1,
    "The 95-point ceiling": 1,
    "Turning a quality into a score": 1,
    "Combining the five": 1,
    "Shared tables": 1,
    "Open tasks: spontaneous speech": 1,
    "Closed tasks: reading a given text": 1,
    "Volume Control": 1,
    "Task Adherence on closed tasks": 1,
    "Every module": 1,
    "Handed to the model, verbatim": 8,
    "Where the weight goes": 1,
    "Marker weights for each module. Every row sums to 1.00.": 1,
    "What the student is told": 1,
    "What changed, and when": 1,
    "Where the sources disagree": 1,
    # Titles of tables that both kinds have.
    "Ideal pace, words per minute of speaking time": 2,
    "Choppy mid-phrase breaks per minute": 2,
    "Fluency sub-marker weights: smoothness / filler control / recovery": 2,
    # Heads of tables.
    "Marker\tWhat it judges\tRoute": 1,
    "Band\tGrades": 1,
    "Weighted quality\tScore band\tLabel": 1,
    "Band\tIdeal range\tRamping down outside\tZero credit beyond": 2,
    "Band\tFull credit at/below\tZero credit at/above": 2,
    "Band\tPenalty maxes out at\tMax cut to the score": 2,
    "Band\tSmoothness\tFiller control\tRecovery": 3,
    "Band\tExcellent\tGood\tAdequate\tBelow Avg\tPoor": 4,
    "Sub-marker\tQuestion\tWeight": 1,
    "Band\tSteady up to\tZero credit at\tFade: free up to\tFade: zero credit at": 1,
    "Module\tPronunciation\tFluency\tSpeaking Rate\tVolume\tMastery": 1,
}
BANDS = {"Elementary": "elementary", "Middle": "middle", "High": "high"}
NUM = r"(\d+(?:\.\d+)?)"


class GuideError(Exception):
    """The text does not have the layout that the parser knows."""


@dataclass(frozen=True)
class Claim:
    """What a line of the guide states: the value at an address of the edition, and the rule that read it."""

    path: str
    value: Value
    line: int
    rule: str


class Walk:
    """A cursor over the lines that are not blank. A line is left behind only by a rule that takes it."""

    def __init__(self, text: str) -> None:
        self._lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        self._at = 0
        self.claims: list[Claim] = []
        self.taken: dict[int, str] = {}
        self.furniture: list[str] = []

    def peek(self) -> str:
        """Return the next line without taking it; empty at the end."""
        return self._lines[self._at][1] if self._at < len(self._lines) else ""

    def take(self, rule: str) -> str:
        """Take the next line for a rule."""
        if self._at == len(self._lines):
            raise GuideError(f"the guide ends where {rule} begins")
        number, line = self._lines[self._at]
        if number in self.taken:
            raise GuideError(f"line {number} is taken twice: {self.taken[number]}, {rule}")
        self.taken[number] = rule
        self._at += 1
        return line

    def expect(self, *lines: str) -> None:
        """Take lines of page furniture, each exactly as it must stand."""
        for line in lines:
            if line not in FURNITURE:
                raise GuideError(f"no furniture: {line!r}")
            found = self.take("furniture")
            if found != line:
                raise GuideError(f"expected {line!r}, found {found!r}")
            self.furniture.append(line)

    def match(self, rule: str, pattern: str) -> tuple[str, ...]:
        """Take the next line, which must match whole; return the groups."""
        return whole(pattern, self.take(rule))

    def cells(self, rule: str, count: int) -> list[str]:
        """Take a table row of that many cells."""
        found = self.take(rule).split("\t")
        if len(found) != count or not all(found):
            raise GuideError(f"{rule}: {count} cells expected, found {found}")
        return found

    def say(self, path: str, value: Value) -> None:
        """Keep what the line just taken states."""
        number = self._lines[self._at - 1][0]
        self.claims.append(Claim(path, value, number, self.taken[number]))

    def number(self, path: str, digits: str) -> None:
        """Keep a number, exactly as its digits say."""
        self.say(path, Decimal(digits))

    def prose(self, path: str) -> str:
        """Take a line of prose and keep all of it."""
        line = self.take("prose")
        self.say(path, line)
        return line

    def items(self, path: str, values: tuple[Value, ...]) -> None:
        """Keep a list, item by item."""
        for index, value in enumerate(values):
            self.say(f"{path}[{index}]", value)

    def close(self) -> None:
        """Refuse what is left over."""
        if self.peek():
            raise GuideError(f"nothing takes {self.peek()!r}")


def whole(pattern: str, text: str) -> tuple[str, ...]:
    """Return the groups of a pattern that must match the whole text."""
    found = re.fullmatch(pattern, text)
    if found is None:
        raise GuideError(f"{pattern!r} does not match {text!r}")
    return found.groups()


def inside(pattern: str, text: str) -> tuple[str, ...]:
    """Return the groups of a pattern that must occur exactly once in the text."""
    found = list(re.finditer(pattern, text))
    if len(found) != 1:
        raise GuideError(f"{pattern!r} occurs {len(found)} times in {text!r}")
    return found[0].groups()


def named(table: dict[str, str], words: str) -> str:
    """Return the identifier of the guide's words."""
    if words not in table:
        raise GuideError(f"{words!r} is none of {sorted(table)}")
    return table[words]


def slug(words: str) -> str:
    """Return words as an identifier: "Over-vagueness" is over_vagueness."""
    return re.sub(r"[^a-z]+", "_", words.lower())


def percent(digits: str) -> Decimal:
    """Return a percentage as a share, exactly."""
    return Decimal(digits).scaleb(-2)
