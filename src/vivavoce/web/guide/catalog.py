"""An edition as a catalogue of rows: each value by its path, with its mark, its place in the data, its neighbours."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from urllib.parse import quote

from babel.numbers import format_decimal, format_percent

from vivavoce.errors import RequestError
from vivavoce.rubric.model import Entry
from vivavoce.web.guide.meaning import unit_words
from vivavoce.web.reader import Reader

# Letter and meaning of each mark.
MARKS = {
    "published": ("p", "stands in the published guide"),
    "inferred": ("i", "follows from the guide, which does not print it"),
    "chosen": ("c", "chosen here, where the guide is silent"),
}
FOUND_AT_MOST = 100
SHORT = 160


@dataclass(frozen=True, slots=True)
class Row:
    """One value of an edition as pages show it; `unit` in words, "" for texts and pure numbers."""

    path: str
    value: Any
    provenance: str
    note: str
    unit: str
    url: str

    @property
    def letter(self) -> str:
        """The letter of its mark."""
        return MARKS[self.provenance][0]

    @property
    def kind(self) -> str:
        """`number`, `text`, `numbers` or `texts`."""
        value = self.value
        if isinstance(value, list):
            return "texts" if isinstance(value[0], str) else "numbers"
        return "text" if isinstance(value, str) else "number"

    @property
    def key(self) -> str:
        """The last step of the path."""
        return self.path.rpartition(".")[2]

    @property
    def parent(self) -> str:
        """The path of the table that it stands in."""
        return self.path.rpartition(".")[0]

    def short(self, reader: Reader) -> str:
        """The value in one line, cut where it is long."""
        text = shown(self.value, reader)
        return text if len(text) <= SHORT else text[: SHORT - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row stands in the data: the TOML file, the table in it (array tables with the row's id) and the key."""

    file: str
    table: str
    key: str


def digits(value: int | Decimal, reader: Reader) -> str:
    """A number in the digits that the edition holds (0.90 stays 0.90), with the reader's decimal sign."""
    exact = Decimal(value)
    places = max(0, -int(exact.as_tuple().exponent))
    return str(format_decimal(exact, format="0." + "0" * places if places else "0", locale=reader.locale))


def percent_of(value: int | Decimal, reader: Reader) -> str:
    """A share in percent, as the reader writes it."""
    return str(format_percent(Decimal(value), format="#,##0.##%", locale=reader.locale))


def shown(value: Any, reader: Reader) -> str:
    """A value in one line: numbers in the edition's digits, lists with their parts side by side."""
    if isinstance(value, list):
        return " · ".join(shown(item, reader) for item in value)
    return value if isinstance(value, str) else digits(value, reader)


@dataclass(frozen=True)
class Catalog:
    """The rows of one edition; `base` is the address that their paths follow, `index` that of the search."""

    id: str
    title: str
    base: str
    index: str
    files: Mapping[str, str]
    entries: Mapping[str, Entry]
    units: Mapping[str, str]
    command: str = ""
    _children: dict[str, list[str]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        known: set[str] = set()
        for entry in self.entries:
            path = entry
            while path and path not in known:
                known.add(path)
                parent = path.rpartition(".")[0]
                self._children.setdefault(parent, []).append(path)
                path = parent

    def __getitem__(self, path: str) -> Row:
        entry = self.entries[path]
        unit = unit_words(path, self.units.get(path, ""))
        return Row(path, entry.value, entry.provenance, entry.note, unit, self.url(path))

    def get(self, path: str) -> Row | None:
        """The row at a path, or None where there is none (a path that only holds rows)."""
        return self[path] if path in self.entries else None

    def __contains__(self, path: str) -> bool:
        return path in self.entries

    def url(self, path: str) -> str:
        """The address of a row, or of the rows under a path."""
        return f"{self.base}/{quote(path)}"

    def cited(self, source: str) -> str:
        """The address of what a trace's source names, or "" where it is none of this edition's."""
        return self.url(source) if source in self.entries or source in self._children else ""

    def children(self, path: str) -> list[str]:
        """What stands directly under a path, in the edition's order."""
        return self._children.get(path, [])

    def under(self, path: str) -> Iterator[str]:
        """All values at or under a path, in the edition's order."""
        if path in self.entries:
            yield path
        for child in self.children(path):
            yield from self.under(child)

    def require(self, path: str) -> str:
        """Return the path if the edition has it. Raises RequestError `rubric_path_unknown`."""
        if path and (path in self.entries or path in self._children):
            return path
        raise RequestError(
            "rubric_path_unknown",
            where=path[:SHORT] or "the path",
            found="no value under this path",
            allowed="a path that begins with " + ", ".join(self.children("")),
            remedy=f"look for the row under {self.index}, or follow a number's link",
        )

    def place(self, path: str) -> Place:
        """Where a row stands in the TOML files."""
        steps = path.split(".")
        length = 2 if steps[0] == "modules" and len(steps) > 1 else 1
        *table, key = steps[length:] or [""]
        if path not in self.entries:
            table, key = [*table, key] if key else table, ""
        return Place(self.files.get(".".join(steps[:length]), ""), ".".join(table), key)

    def steps(self, path: str) -> list[tuple[str, str]]:
        """The path as steps, each with the path up to it."""
        steps = path.split(".")
        return [(step, ".".join(steps[: at + 1])) for at, step in enumerate(steps)]

    def search(self, words: str, provenance: str = "") -> list[Row]:
        """Rows in which every word stands, in the path, the value or the note; without words all of that provenance."""
        wanted = words.casefold().split()
        return [
            self[path]
            for path, entry in self.entries.items()
            if (not provenance or entry.provenance == provenance) and _holds(path, entry, wanted)
        ]


def _holds(path: str, entry: Entry, wanted: list[str]) -> bool:
    text = " ".join((path, path.replace("_", " "), _plain(entry.value), entry.note)).casefold()
    return all(word in text for word in wanted)


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
