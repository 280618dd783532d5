"""A copy of the published edition that tests may spoil: change one thing, load, look at the refusal."""

from __future__ import annotations

import copy
import json
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from vivavoce.errors import RubricError
from vivavoce.rubric.load import EDITIONS, STUDENT, load

FILES = sorted(str(path.relative_to(EDITIONS / STUDENT)) for path in (EDITIONS / STUDENT).rglob("*.toml"))


def toml(data: dict[str, Any]) -> str:
    """Return the data as TOML: one line a key of the top table, tables inline."""
    return "".join(f"{json.dumps(key)} = {_value(value)}\n" for key, value in data.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, Decimal):
        return {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}.get(str(value)) or _float(value)
    return json.dumps(value, ensure_ascii=False)


def _float(value: Decimal) -> str:
    digits = format(value, "f")
    return digits if "." in digits else f"{digits}.0"


def is_entry(value: Any) -> bool:
    """Say whether the value is one entry of the edition: plain, or `{ value, provenance, note }`."""
    if isinstance(value, dict):
        return "value" in value
    return not (isinstance(value, list) and value and isinstance(value[0], dict))


def places(data: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every table of a file with its path, the rows of an array by their ids."""
    yield path, data
    for key, value in data.items():
        if is_entry(value):
            continue
        if isinstance(value, dict):
            yield from places(value, f"{path}.{key}")
        else:
            for row in value:
                yield from places(row, f"{path}.{key}.{row['id']}")


def table_at(data: dict[str, Any], file: str, path: str) -> dict[str, Any]:
    """Return the table at a path of the edition in a file's data."""
    return next(table for at, table in places(data, stem(file)) if at == path)


class EditionCopy:
    """The published edition in a folder of the test's own."""

    def __init__(self, parent: Path) -> None:
        self.folder = parent / STUDENT
        shutil.copytree(EDITIONS / STUDENT, self.folder)

    def data(self, file: str) -> dict[str, Any]:
        """Return the values of one file, to be changed and written."""
        return copy.deepcopy(tomllib.loads((self.folder / file).read_text(encoding="utf-8"), parse_float=Decimal))

    @contextmanager
    def spoiled(self, file: str, text: str | bytes) -> Iterator[None]:
        """Hold another text in a file for a while."""
        path = self.folder / file
        kept = path.read_bytes()
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        try:
            yield
        finally:
            path.write_bytes(kept)

    def where(self, file: str, path: str) -> str:
        """Return how an error names a path in a file."""
        return f"{self.folder.name}/{file}: {path}"

    def with_value(self, file: str, path: str, value: Any) -> dict[str, Any]:
        """Return a file's data with another value at a path of the edition (`file.table.key`, rows by id)."""
        data = self.data(file)
        table, _, key = path.rpartition(".")
        table_at(data, file, table)[key] = copy.deepcopy(value)
        return data

    def without(self, file: str, path: str) -> dict[str, Any]:
        """Return a file's data without the key at a path of the edition."""
        data = self.data(file)
        table, _, key = path.rpartition(".")
        del table_at(data, file, table)[key]
        return data

    def refused(self, file: str, data: dict[str, Any]) -> RubricError:
        """Return the error that loading gives with these values in a file; fail where it loads."""
        with self.spoiled(file, toml(data)), pytest.raises(RubricError) as caught:
            load(self.folder)
        return caught.value

    def refused_text(self, file: str, text: str | bytes) -> RubricError:
        """Return the error that loading gives with this text in a file; fail where it loads."""
        with self.spoiled(file, text), pytest.raises(RubricError) as caught:
            load(self.folder)
        return caught.value


def stem(file: str) -> str:
    """Return the path of a file's top table: `modules/x.toml` is modules.x."""
    return file.removesuffix(".toml").replace("/", ".")
