"""The closed shapes that replies are made of: each gives its JSON schema, and reads a value or refuses it.

What a schema cannot say (or a provider does not enforce) is refused by the reading; nothing is ever repaired.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from vivavoce.strict import as_object, choice, refuse, shown

Schema = dict[str, Any]


class Shape(Protocol):
    """A value's shape."""

    def schema(self) -> Schema:
        """Return the JSON schema."""

    def read(self, value: Any, where: str) -> Any:
        """Return the value as accepted. Raises RequestError with the JSON pointer."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`."""

    low: int
    high: int
    about: str = ""

    def schema(self) -> Schema:
        """Return the JSON schema."""
        return _about({"type": "integer", "minimum": self.low, "maximum": self.high}, self.about)

    def read(self, value: Any, where: str) -> int:
        """Return the number; 84.0 and true are no whole numbers."""
        allowed = f"a whole number from {self.low} to {self.high}"
        if isinstance(value, bool) or not isinstance(value, int):
            raise refuse("value_type", where, shown(value), allowed)
        if not self.low <= value <= self.high:
            raise refuse("value_range", where, shown(value), allowed)
        return value


@dataclass(frozen=True, slots=True)
class Pick:
    """One text of a closed list."""

    among: tuple[str, ...]
    about: str = ""

    def schema(self) -> Schema:
        """Return the JSON schema."""
        return _about({"type": "string", "enum": list(self.among)}, self.about)

    def read(self, value: Any, where: str) -> str:
        """Return the text."""
        return choice(value, where, self.among)


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    about: str = ""

    def schema(self) -> Schema:
        """Return the JSON schema."""
        return _about({"type": "boolean"}, self.about)

    def read(self, value: Any, where: str) -> bool:
        """Return the flag."""
        if not isinstance(value, bool):
            raise refuse("value_type", where, shown(value), "true or false")
        return value


@dataclass(frozen=True, slots=True)
class Text:
    """A text of at least `least` and at most `most` characters."""

    most: int
    least: int = 0
    about: str = ""

    def schema(self) -> Schema:
        """Return the JSON schema. Lengths are left to the reading: not every provider takes them."""
        return _about({"type": "string"}, self.about)

    def read(self, value: Any, where: str) -> str:
        """Return the text."""
        allowed = f"a text of {self.least} to {self.most} characters"
        if not isinstance(value, str):
            raise refuse("value_type", where, shown(value), allowed)
        if not self.least <= len(value.strip()) or len(value) > self.most:
            raise refuse("text_length", where, f"{len(value)} characters", allowed)
        return value


@dataclass(frozen=True, slots=True)
class Record:
    """An object with exactly these keys."""

    fields: Mapping[str, Shape]

    def schema(self) -> Schema:
        """Return the JSON schema."""
        return {
            "type": "object",
            "properties": {name: shape.schema() for name, shape in self.fields.items()},
            "required": list(self.fields),
            "additionalProperties": False,
        }

    def read(self, value: Any, where: str) -> dict[str, Any]:
        """Return the object."""
        found = as_object(value, where, self.fields)
        return {name: shape.read(found[name], f"{where}/{name}") for name, shape in self.fields.items()}


@dataclass(frozen=True, slots=True)
class Rows:
    """An object with one record for each id: no id can be missing, twice, or another one."""

    ids: tuple[str, ...]
    row: Record

    def schema(self) -> Schema:
        """Return the JSON schema."""
        return Record(dict.fromkeys(self.ids, self.row)).schema()

    def read(self, value: Any, where: str) -> list[dict[str, Any]]:
        """Return the records in the order of the ids, each with its `id`."""
        found = as_object(value, where, self.ids)
        return [{"id": name, **self.row.read(found[name], f"{where}/{name}")} for name in self.ids]


@dataclass(frozen=True, slots=True)
class Many:
    """A list of at most `most` values of one shape."""

    shape: Shape
    most: int

    def schema(self) -> Schema:
        """Return the JSON schema."""
        return {"type": "array", "items": self.shape.schema(), "minItems": 0, "maxItems": self.most}

    def read(self, value: Any, where: str) -> list[Any]:
        """Return the list."""
        if not isinstance(value, list):
            raise refuse("value_type", where, shown(value), "a list")
        if len(value) > self.most:
            raise refuse("list_length", where, f"{len(value)} entries", f"at most {self.most}")
        return [self.shape.read(item, f"{where}/{index}") for index, item in enumerate(value)]


def _about(schema: Schema, about: str) -> Schema:
    return schema | {"description": about} if about else schema
