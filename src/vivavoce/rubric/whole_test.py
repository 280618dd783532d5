"""The edition of a whole test: which parts make it, and the steps that its bands are rounded down to (chosen)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from vivavoce.rubric.graduated import PARTS
from vivavoce.rubric.load import EDITIONS, digest_of, read_file
from vivavoce.rubric.model import Entry
from vivavoce.rubric.reader import Reader
from vivavoce.trace import Node

WHOLE_TEST = "ielts-test-v33"


@dataclass(frozen=True, slots=True)
class WholeTest:
    """How three parts make one result; `rule` says it in words."""

    id: str
    title: str
    version: str
    values_as_of: str
    parts: tuple[str, ...]
    criterion_step: Node
    overall_step: Node
    rule: str
    entries: Mapping[str, Entry]
    digest: str

    def lookup(self, path: str) -> Entry:
        """Return the value at a rubric path with its provenance. Raises KeyError where the edition has none."""
        return self.entries[path]


def load_whole_test(folder: Path) -> WholeTest:
    """Load and check the edition of a whole test. Raises RubricError with the file and the key."""
    data = {"edition": read_file(folder, "edition.toml")}
    entries: dict[str, Entry] = {}
    row = Reader(data["edition"], f"{folder.name}/edition.toml", "edition", "chosen", entries)
    parts = row.list_of("parts", str)
    if parts != tuple(PARTS.values()):
        raise row.error("rubric_value", "parts", ", ".join(parts), ", ".join(PARTS.values()))
    found = WholeTest(
        id=row.text("id", among=(folder.name,)),
        title=row.text("title"),
        version=row.text("version"),
        values_as_of=row.text("values_as_of"),
        parts=parts,
        criterion_step=_step(row, "criterion_step"),
        overall_step=_step(row, "overall_step"),
        rule=row.text("rule"),
        entries=entries,
        digest=digest_of(data),
    )
    row.close()
    return found


def _step(row: Reader, key: str) -> Node:
    step = row.number(key, high=1, unit="band")
    if step.value == 0:
        raise row.error("rubric_range", key, "0", "a step over 0, up to 1")
    return step


@lru_cache(maxsize=1)
def whole_test() -> WholeTest:
    """Return the edition of the whole test that ships with the package."""
    return load_whole_test(EDITIONS / WHOLE_TEST)
