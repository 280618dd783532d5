"""The digest is over the values, not over their order in a file, comments or white space; another value changes it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from edition_copy import FILES, EditionCopy, stem, toml

from vivavoce.rubric.load import EDITIONS, STUDENT, digest_of, load, published

DIGEST = published().digest


@pytest.fixture
def edition(tmp_path: Path) -> EditionCopy:
    return EditionCopy(tmp_path)


def _backwards(value: Any) -> Any:
    """The same values with the keys of every table in the opposite order; lists stay as they are."""
    if isinstance(value, dict):
        return {key: _backwards(item) for key, item in reversed(value.items())}
    return [_backwards(item) for item in value] if isinstance(value, list) else value


def test_it_is_a_sha_256_in_hex() -> None:
    assert re.fullmatch("[0-9a-f]{64}", DIGEST)


def test_the_folder_has_no_part_in_it(edition: EditionCopy) -> None:
    moved = edition.folder.rename(edition.folder.with_name("elsewhere"))
    assert load(moved).digest == DIGEST


def test_order_comments_and_white_space_do_not_change_it(edition: EditionCopy) -> None:
    for file in FILES:
        lines = [line.replace(" = ", "   =\t", 1) for line in toml(_backwards(edition.data(file))).splitlines()]
        text = "# another hand\r\n\r\n" + "  # here\r\n\r\n".join(lines) + "\r\n"
        (edition.folder / file).write_bytes(text.encode("utf-8"))
        assert text != (EDITIONS / STUDENT / file).read_text(encoding="utf-8")
    again = load(edition.folder)
    assert again.digest == DIGEST
    assert again.entries == published().entries


def _changes(value: Any) -> Iterator[Any]:
    """Other values: each number, text and list changed, one at a time; each key renamed, each list turned round."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield {f"{name}_" if name == key else name: kept for name, kept in value.items()}
            yield from ({**value, key: other} for other in _changes(item))
    elif isinstance(value, list):
        yield value[:-1]
        if value[::-1] != value:
            yield value[::-1]
        for index, item in enumerate(value):
            yield from ([*value[:index], other, *value[index + 1 :]] for other in _changes(item))
    elif isinstance(value, str):
        yield f"{value} "
    else:
        yield value + Decimal("0.01")


@pytest.mark.parametrize("file", FILES)
def test_any_changed_value_changes_it(file: str) -> None:
    data = tomllib.loads((EDITIONS / STUDENT / file).read_text(encoding="utf-8"), parse_float=Decimal)
    digest, others = digest_of({stem(file): data}), list(_changes(data))
    assert len(others) > 5
    digests = {digest_of({stem(file): other}) for other in others}
    assert digest not in digests
    assert len(digests) == len(others)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("edition.values_as_of", "2026-08-13"),
        ("fluency.counting.window_s", 31),
        ("modules.poem_recitation.fade.text", "Phrase by phrase"),
        ("edition.scale.ceiling", {"value": 95, "provenance": "inferred"}),
        ("edition.scale.ceiling", {"value": 95, "note": "as before"}),
        ("volume_control.fade.high.full", Decimal("1.4")),
    ],
)
def test_a_loaded_edition_with_another_value_has_another_digest(edition: EditionCopy, path: str, value: Any) -> None:
    file = next(file for file in FILES if path.startswith(f"{stem(file)}."))
    with edition.spoiled(file, toml(edition.with_value(file, path, value))):
        assert load(edition.folder).digest != DIGEST
