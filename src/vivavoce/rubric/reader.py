"""Reads a table of an edition, closed-world: what is not asked for is an error, and every value gets its provenance.

A value is plain (it has the provenance of its table) or an inline table `{ value, provenance, note }`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from vivavoce.errors import RubricError
from vivavoce.rubric.model import Entry
from vivavoce.trace import Node, exact, leaf

PROVENANCES = ("published", "inferred", "chosen")
LARGEST = 1_000_000
DECIMALS = 12


class Reader:
    """One table being read; `entries` collects all values of the edition by path."""

    def __init__(self, data: Mapping[str, Any], file: str, path: str, provenance: str, entries: dict[str, Entry]):
        self.file = file
        self.path = path
        self.entries = entries
        self._data = dict(data)
        self.provenance = self._own_provenance(provenance)

    def _own_provenance(self, inherited: str) -> str:
        own = self._data.pop("provenance", inherited)
        if own not in PROVENANCES:
            raise self.error("rubric_provenance", "provenance", repr(own), f"one of {', '.join(PROVENANCES)}")
        return str(own)

    def error(self, code: str, key: str, found: str, allowed: str, remedy: str = "") -> RubricError:
        """Return an error at a key of this table."""
        where = f"{self.file}: {self.path}.{key}" if key else f"{self.file}: {self.path}"
        return RubricError(
            code,
            where=where,
            found=found,
            allowed=allowed,
            remedy=remedy or "mend the value in the edition's data, or copy the published edition again",
        )

    def has(self, key: str) -> bool:
        """Say whether the key is still there to be read."""
        return key in self._data

    def _take(self, key: str) -> Entry:
        if key not in self._data:
            raise self.error("rubric_key_missing", key, "nothing", f"the key '{key}'")
        raw, provenance, note = self._data.pop(key), self.provenance, ""
        if isinstance(raw, dict):
            inline = Reader(raw, self.file, f"{self.path}.{key}", self.provenance, {})
            note = inline.text("note") if inline.has("note") else ""
            raw, provenance = inline._data.pop("value", None), inline.provenance
            inline.close()
        entry = Entry(raw, provenance, note)
        self.entries[f"{self.path}.{key}"] = entry
        return entry

    def number(
        self, key: str, *, low: int = 0, high: int = LARGEST, unit: str = "", name: str = "", whole: bool = False
    ) -> Node:
        """Return the number at `key` as a parameter leaf, named as its key or `name`, whose source is its path."""
        entry = self._take(key)
        value, kind = entry.value, "whole" if whole else "finite"
        if isinstance(value, bool) or not isinstance(value, int if whole else int | Decimal):
            raise self.error("rubric_type", key, repr(value), f"a {kind} number")
        if not Decimal(value).is_finite():
            raise self.error("rubric_type", key, repr(value), f"a {kind} number")
        # Exact arithmetic on 1e-999999 would take all memory, so the decimals are bounded, too.
        if not low <= value <= high or int(Decimal(value).as_tuple().exponent) < -DECIMALS:
            allowed = f"a {kind} number from {low} to {high}" + ("" if whole else f" with up to {DECIMALS} decimals")
            raise self.error("rubric_range", key, str(value), allowed)
        return leaf("parameter", name or key, exact(value), unit=unit, source=f"{self.path}.{key}", note=entry.note)

    def whole(self, key: str, *, low: int = 1) -> int:
        """Return the whole number at `key`."""
        return int(self.number(key, low=low, whole=True).value)

    def numbers(self, key: str, *, high: int = LARGEST) -> tuple[Node, ...]:
        """Return the whole numbers of the list at `key` as parameter leaves, whose sources are its path and place."""
        values = self.list_of(key, int)
        if not all(0 <= value <= high for value in values):
            raise self.error("rubric_range", key, str(list(values)), f"whole numbers from 0 to {high}")
        path = f"{self.path}.{key}"
        return tuple(leaf("parameter", f"{key}_{at}", value, source=path) for at, value in enumerate(values))

    def text(self, key: str, *, among: tuple[str, ...] = ()) -> str:
        """Return the text at `key`, one of `among` where that is given."""
        value = self._take(key).value
        if not isinstance(value, str) or not value:
            raise self.error("rubric_type", key, repr(value), "a text that is not empty")
        if among and value not in among:
            raise self.error("rubric_value", key, repr(value), f"one of {', '.join(among)}")
        return value

    def list_of(self, key: str, kind: type) -> tuple[Any, ...]:
        """Return the list at `key`, all of one type."""
        value = self._take(key).value
        if not isinstance(value, list) or not value or any(type(item) is not kind for item in value):
            raise self.error("rubric_type", key, repr(value), f"a list of {kind.__name__}")
        return tuple(value)

    def table(self, key: str) -> Reader:
        """Return the table at `key`."""
        raw = self._data.pop(key, None)
        if not isinstance(raw, dict):
            raise self.error("rubric_key_missing", key, "nothing" if raw is None else repr(raw), f"the table [{key}]")
        return Reader(raw, self.file, f"{self.path}.{key}", self.provenance, self.entries)

    def rows(self, key: str) -> Iterator[Reader]:
        """Yield the rows of an array of tables; a row's path ends in its id."""
        raw = self._data.pop(key, None)
        if not isinstance(raw, list) or not raw or not all(isinstance(row, dict) for row in raw):
            raise self.error("rubric_key_missing", key, repr(raw), f"one or more tables [[{key}]]")
        seen: set[str] = set()
        for row in raw:
            name = str(row.get("id", ""))
            if not name or name in seen:
                raise self.error("rubric_row_id", key, repr(name), "an id of its own in each row")
            seen.add(name)
            yield Reader(row, self.file, f"{self.path}.{key}.{name}", self.provenance, self.entries)

    def close(self) -> None:
        """Refuse what was not asked for."""
        if self._data:
            key = sorted(self._data)[0]
            raise self.error(
                "rubric_key_unknown", key, f"the key '{key}'", "only the keys that the rubric has", "delete the key"
            )
