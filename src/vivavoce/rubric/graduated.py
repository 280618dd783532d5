"""Editions of graduated checks (IELTS Speaking): criteria of yes-no checks, bands by their count, a floored mean.

The loader is as closed-world as the school rubric's: an unknown key, a missing one, a band out of order is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from vivavoce.errors import RubricError
from vivavoce.rubric.load import EDITIONS, digest_of, read_file
from vivavoce.rubric.model import Entry
from vivavoce.rubric.reader import Reader
from vivavoce.trace import Node

PART_1 = "ielts-part1-v33"
PARTS = {1: PART_1, 2: "ielts-part2-v33", 3: "ielts-part3-v33"}
FILES = ("edition", "criteria")
HIGHEST_BAND = 9
TEXTS = (
    "opening",
    "recording",
    "topic",
    "answers",
    "question",
    "answer",
    "feedback",
    "topic_again",
    "method",
    "calibration",
    "high_bands",
    "criteria",
    "pronunciation_boundary",
    "pronunciation_note",
    "pronunciation_rationale",
    "pronunciation_distinction",
    "distinction",
    "overall",
    "observations",
    "shape",
    "format",
    "closed",
    "closing",
)


@dataclass(frozen=True, slots=True)
class Check:
    """A yes-no check: its id, the band that it opens, the question, and what yes and no mean."""

    id: str
    threshold: str
    question: str
    passed: str
    failed: str


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion: its checks in order and the band of each number of passed ones (0: that band or below).

    `all_choice`: a band that may be given instead of the mapped one where all passed. `one_choice`: likewise where
    exactly one passed and `one_missed` is not the one that did (V2). Both None where the mapping leaves no choice.
    """

    id: str
    name: str
    title: str
    evaluates: str
    heading: str
    mapping_heading: str
    mapping_text: tuple[str, ...]
    checks: tuple[Check, ...]
    bands: tuple[Node, ...]
    all_choice: Node | None
    one_choice: Node | None
    one_missed: str


@dataclass(frozen=True, slots=True)
class Graduated:
    """A loaded edition; `texts` are the prompt's parts, `note_criterion` gets the boundary note after validation."""

    id: str
    title: str
    version: str
    values_as_of: str
    part: int
    test: str
    answers_highest: int
    overall_text: str
    boundary_note: str
    criteria: tuple[Criterion, ...]
    texts: Mapping[str, str]
    entries: Mapping[str, Entry]
    digest: str

    @property
    def note_criterion(self) -> str:
        """The id of the criterion that gets the boundary note."""
        return "pronunciation"

    def lookup(self, path: str) -> Entry:
        """Return the value at a rubric path with its provenance. Raises KeyError where the edition has none."""
        return self.entries[path]


def _check(row: Reader) -> Check:
    names = ("id", "threshold", "question", "passed", "failed")
    found = Check(*[row.text(name) for name in names])
    row.close()
    return found


def _bands(row: Reader, checks: int) -> tuple[Node, ...]:
    bands = row.numbers("bands", high=HIGHEST_BAND)
    values = [band.value for band in bands]
    if len(bands) != checks + 1 or values != sorted(set(values)):
        raise row.error("rubric_bands", "bands", str(values), f"{checks + 1} rising bands, from no check to all")
    return bands


def _criterion(row: Reader) -> Criterion:
    checks = tuple(_check(check) for check in row.rows("checks"))
    one = row.number("one_passed_choice", high=HIGHEST_BAND, whole=True) if row.has("one_passed_choice") else None
    missed = row.text("one_passed_missed", among=tuple(c.id for c in checks)) if one is not None else ""
    found = Criterion(
        id=row.text("id"),
        name=row.text("name"),
        title=row.text("title"),
        evaluates=row.text("evaluates"),
        heading=row.text("heading"),
        mapping_heading=row.text("mapping_heading"),
        mapping_text=row.list_of("mapping_text", str),
        checks=checks,
        bands=_bands(row, len(checks)),
        all_choice=row.number("all_passed_choice", high=HIGHEST_BAND, whole=True)
        if row.has("all_passed_choice")
        else None,
        one_choice=one,
        one_missed=missed,
    )
    row.close()
    return found


def load_graduated(folder: Path) -> Graduated:
    """Load and check an edition of graduated checks.

    A further part's edition has its own `edition.toml` and names in `criteria_of` whose criteria it shares.
    Raises RubricError with the file and the key.
    """
    edition_data = read_file(folder, "edition.toml")
    shared = edition_data.get("criteria_of")
    where = folder if not isinstance(shared, str) else folder.parent / shared
    data: dict[str, Any] = {"edition": edition_data, "criteria": read_file(where, "criteria.toml")}
    known = {f"{name}.toml" for name in (FILES if where == folder else FILES[:1])}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in known:
            raise RubricError(
                "rubric_file_unknown",
                where=f"{folder.name}/{path.name}",
                found="a file that the loader does not know",
                allowed=", ".join(sorted(known)),
                remedy="take the file out of the edition",
            )
    entries: dict[str, Entry] = {}
    readers = {name: Reader(data[name], f"{folder.name}/{name}.toml", name, "published", entries) for name in FILES}
    edition, criteria = readers["edition"], readers["criteria"]
    if edition.has("criteria_of"):
        edition.text("criteria_of")
    found = tuple(_criterion(row) for row in criteria.rows("criteria"))
    criteria.close()
    prompt = edition.table("prompt")
    texts = {name: prompt.text(name) for name in TEXTS}
    prompt.close()
    made = Graduated(
        id=edition.text("id", among=(folder.name,)),
        title=edition.text("title"),
        version=edition.text("version"),
        values_as_of=edition.text("values_as_of"),
        part=edition.whole("part"),
        test=edition.text("test"),
        answers_highest=edition.whole("answers_highest"),
        overall_text=edition.text("overall_text"),
        boundary_note=edition.text("boundary_note"),
        criteria=found,
        texts=texts,
        entries=entries,
        digest=digest_of(data),
    )
    edition.close()
    return made


@lru_cache(maxsize=4)
def part(number: int = 1) -> Graduated:
    """Return the edition of a part of the test that ships with the package. Raises KeyError for no such part."""
    return load_graduated(EDITIONS / PARTS[number])
