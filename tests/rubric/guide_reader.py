"""Read the guide's text whole, and compare what it states with an edition's entries.

The parser is written from the layout of the text and never opens the edition's files, so the comparison is one of two
transcriptions. `read_guide` raises GuideError where the text has another layout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import guide_chapters
import guide_tables
from guide_walk import Claim, GuideError, Value, Walk

from vivavoce.rubric.model import Entry

# Words of the edition that the guide has no counterpart for: row ids, and how a component names its rule and its input.
OURS = re.compile(r"(?:.*\.)?id|.*\.components\.\w+\.(?:rule|needs|unit|table)")


@dataclass(frozen=True)
class Guide:
    """What the text states, which rule took which line, and the furniture met."""

    claims: tuple[Claim, ...]
    taken: Mapping[int, str]
    furniture: tuple[str, ...]

    def value(self, path: str) -> Value:
        """Return the value at an address; the guide may state it more than once, never differently."""
        values = {claim.value for claim in self.claims if claim.path == path}
        if len(values) != 1:
            raise GuideError(f"{path}: {sorted(map(str, values))}")
        return next(iter(values))


def guide_text(folder: Path) -> str:
    """Return the text of the student speech guide."""
    (file,) = folder.glob("000_*.txt")
    return file.read_text(encoding="utf-8")


def read_guide(text: str) -> Guide:
    """Walk the guide from its first line to its last."""
    walk = Walk(text)
    guide_tables.front(walk)
    guide_tables.how_a_score_is_built(walk)
    guide_tables.shared_tables(walk, "open")
    guide_tables.shared_tables(walk, "closed")
    guide_tables.volume(walk)
    guide_tables.adherence_on_closed_tasks(walk)
    guide_chapters.chapters(walk)
    guide_chapters.weight_table(walk)
    guide_chapters.feedback(walk)
    guide_chapters.history(walk)
    guide_chapters.conflicts(walk)
    walk.close()
    return Guide(tuple(walk.claims), walk.taken, tuple(walk.furniture))


def flat(entries: Mapping[str, Entry]) -> Iterator[tuple[str, Any, str]]:
    """Yield path, value and provenance of every entry; a list item by item, as `path[0]`."""
    for path, entry in entries.items():
        if isinstance(entry.value, list):
            yield from ((f"{path}[{index}]", item, entry.provenance) for index, item in enumerate(entry.value))
        else:
            yield path, entry.value, entry.provenance


def same(stated: Value, held: object) -> bool:
    """Say whether a value of the guide and one of the edition are the same: texts by character, numbers exactly."""
    if isinstance(stated, Decimal):
        return type(held) in (int, Decimal) and held == stated
    return type(held) is str and held == stated


def differences(guide: Guide, entries: Mapping[str, Entry]) -> list[str]:
    """Return what the guide states and the edition does not hold as published, and the other way round."""
    held = {path: (value, provenance) for path, value, provenance in flat(entries)}
    found = []
    for claim in guide.claims:
        value, provenance = held.get(claim.path, (None, "absent"))
        if not same(claim.value, value):
            found.append(
                f"line {claim.line} ({claim.rule}): {claim.path} is {claim.value!r}, the edition has {value!r}"
            )
        elif provenance != "published":
            found.append(
                f"line {claim.line} ({claim.rule}): {claim.path} is in the guide, the edition calls it {provenance}"
            )
    stated = {claim.path for claim in guide.claims}
    found += [
        f"{path}: the edition calls {value!r} published, the guide does not state it"
        for path, (value, provenance) in held.items()
        if provenance == "published" and path not in stated and not OURS.fullmatch(path)
    ]
    return found
