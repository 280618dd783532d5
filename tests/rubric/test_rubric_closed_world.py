"""The loader knows every key: for each shape of table and value, drop it, mistype it, or add a key beside it."""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from edition_copy import FILES, EditionCopy, is_entry, places, stem, toml

from vivavoce.rubric.load import load, published

# What an edition may leave out, by shape: a module has the notes that it has; the twister's own tables, repetitions and
# the dormant limit are exceptions to what is shared; the rest is text beside the numbers.
OPTIONAL = {
    "modules.*.notes.pronunciation",
    "modules.*.notes.fluency",
    "modules.*.notes.mastery",
    "modules.*.speaking_rate",
    "modules.*.fluency",
    "modules.*.dormant",
    "modules.*.adherence.repetitions",
    "edition.tiers.rows.*.interpolate_to",
    "volume_control.components.level.question",
    "volume_control.components.consistency.question",
    "volume_control.components.fade.question",
    "conflicts.lead",
    "history.lead",
}
NAN, INFINITY = Decimal("NaN"), Decimal("Infinity")
_parse = tomllib.loads


@lru_cache(maxsize=64)
def _kept(text: str) -> dict[str, Any]:
    return _parse(text, parse_float=Decimal)


def _remembered(text: str, *, parse_float: Any = float) -> dict[str, Any]:
    assert parse_float is Decimal
    return _kept(text)


@pytest.fixture
def edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EditionCopy:
    """A copy of the edition; files that stay as they are get parsed once, for there are hundreds of loads here."""
    monkeypatch.setattr(tomllib, "loads", _remembered)
    return EditionCopy(tmp_path)


def shape(path: str) -> str:
    """Return a path without what repeats: module, kind, grade band, row."""
    path = re.sub(r"^modules\.\w+", "modules.*", path)
    path = re.sub(r"^(fluency|speaking_rate)\.(?:open|closed|twister)\b", r"\1.*", path)
    path = re.sub(r"\.(changes|conflicts|choices|guardrails|order_rules|rows)\.\w+", r".\1.*", path)
    path = re.sub(r"^(feedback_wording\.findings)\.\w+\.\w+", r"\1.*.*", path)
    path = re.sub(r"^(feedback_wording\.findings\.\*\.\*)\.(?:any|open|closed|twister)\b", r"\1.*", path)
    return re.sub(r"\.(?:elementary|middle|high)\b(?=\.|$)", ".*", path)


def _tables(edition: EditionCopy) -> dict[str, tuple[str, str]]:
    """One file and path for each shape of table."""
    found: dict[str, tuple[str, str]] = {}
    for file in FILES:
        for path, _ in places(edition.data(file), stem(file)):
            found.setdefault(shape(path), (file, path))
    return found


def _keys(edition: EditionCopy) -> dict[str, tuple[str, str, Any]]:
    """One file, path and value for each shape of key, tables among them; not `provenance` and `id`."""
    found: dict[str, tuple[str, str, Any]] = {}
    for file in FILES:
        for path, table in places(edition.data(file), stem(file)):
            for key, value in table.items():
                if key not in ("provenance", "id"):
                    found.setdefault(shape(f"{path}.{key}"), (file, f"{path}.{key}", value))
    return found


def test_the_copy_loads_and_is_the_published_edition(edition: EditionCopy) -> None:
    assert load(edition.folder).digest == published().digest


def test_an_unknown_key_is_refused_in_every_table(edition: EditionCopy) -> None:
    tables = _tables(edition)
    assert {file for file, _ in tables.values()} >= {file for file in FILES if "/" not in file}
    wrong = []
    for file, path in tables.values():
        error = edition.refused(file, edition.with_value(file, f"{path}.surprise", 1))
        if (error.code, error.where) != ("rubric_key_unknown", edition.where(file, f"{path}.surprise")):
            wrong.append((path, error.code, error.where))
    assert wrong == []


@pytest.mark.parametrize("file", FILES)
def test_an_unknown_key_is_refused_in_every_file(edition: EditionCopy, file: str) -> None:
    error = edition.refused(file, edition.data(file) | {"surprise": 1})
    assert (error.code, error.where) == ("rubric_key_unknown", edition.where(file, f"{stem(file)}.surprise"))


def test_an_unknown_key_is_refused_beside_a_value(edition: EditionCopy) -> None:
    file, path = "edition.toml", "edition.scale.ceiling"
    error = edition.refused(file, edition.with_value(file, path, {"value": 95, "why": "because"}))
    assert (error.code, error.where) == ("rubric_key_unknown", edition.where(file, f"{path}.why"))


def test_a_missing_key_is_refused_by_its_path(edition: EditionCopy) -> None:
    wrong = []
    for at, (file, path, _) in _keys(edition).items():
        if at in OPTIONAL or path.endswith(".ambiguous"):  # ambiguous: see test_rubric_refusals
            continue
        error = edition.refused(file, edition.without(file, path))
        if (error.code, error.where) != ("rubric_key_missing", edition.where(file, path)):
            wrong.append((path, error.code, error.where))
    assert wrong == []


def test_the_optional_keys_are_those_listed(edition: EditionCopy) -> None:
    keys = _keys(edition)
    assert set(keys) >= OPTIONAL
    for at in OPTIONAL:
        file, path, _ = keys[at]
        with edition.spoiled(file, toml(edition.without(file, path))):
            assert load(edition.folder).digest != published().digest


@pytest.mark.parametrize("file", FILES)
def test_each_file_says_where_its_values_come_from(edition: EditionCopy, file: str) -> None:
    data = edition.data(file)
    del data["provenance"]
    error = edition.refused(file, data)
    assert (error.code, error.where) == ("rubric_key_missing", edition.where(file, f"{stem(file)}.provenance"))


def test_a_wrong_type_is_refused_by_its_path(edition: EditionCopy) -> None:
    wrong = []
    for file, path, held in _keys(edition).values():
        if not is_entry(held):
            continue
        value = held["value"] if isinstance(held, dict) else held
        if isinstance(value, str):
            others: list[Any] = [7]
        elif isinstance(value, list):
            others = ["text", [], [True]]
        else:
            others = ["0.5", True, NAN, INFINITY]
        for other in others:
            error = edition.refused(file, edition.with_value(file, path, other))
            if (error.code, error.where) != ("rubric_type", edition.where(file, path)):
                wrong.append((path, other, error.code, error.where))
    assert wrong == []


def test_a_text_in_place_of_a_table_is_refused(edition: EditionCopy) -> None:
    wrong = []
    for file, path, held in _keys(edition).values():
        if not is_entry(held):
            error = edition.refused(file, edition.with_value(file, path, "text"))
            if (error.code, error.where) != ("rubric_key_missing", edition.where(file, path)):
                wrong.append((path, error.code, error.where))
    assert wrong == []


def test_a_value_in_braces_may_be_of_any_type_but_its_own(edition: EditionCopy) -> None:
    for other in ({"value": "95"}, {"provenance": "chosen"}, {"value": {"value": 95}}):
        error = edition.refused("edition.toml", edition.with_value("edition.toml", "edition.scale.ceiling", other))
        assert error.where == edition.where("edition.toml", "edition.scale.ceiling")
        assert error.code == "rubric_type"
