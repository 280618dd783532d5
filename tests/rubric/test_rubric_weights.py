"""Property: no single number of a weight row can be changed; the row's exact sum decides, not a list of values."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from edition_copy import FILES, EditionCopy, places, stem, table_at, toml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from vivavoce.rubric.load import EDITIONS, STUDENT, load

Place = tuple[str, str, str]


@pytest.fixture(scope="module")
def edition(tmp_path_factory: pytest.TempPathFactory) -> EditionCopy:
    return EditionCopy(tmp_path_factory.mktemp("edition"))


def _weights(folder: Path) -> Iterator[Place]:
    """File, table and key of every number in a table that is named weights, or lies in one."""
    for file in FILES:
        data = tomllib.loads((folder / file).read_text(encoding="utf-8"), parse_float=Decimal)
        for path, table in places(data, stem(file)):
            if "weights" in path.split("."):
                yield from ((file, path, key) for key, value in table.items() if not isinstance(value, dict))


PLACES = list(_weights(EDITIONS / STUDENT))


def test_all_weight_rows_are_tried() -> None:
    """8 modules of 5; 2 kinds of 3 and the twister's 4; 9 fluency rows of 3; volume 3; adherence 2."""
    assert len(PLACES) == 8 * 5 + 2 * 3 + 4 + 9 * 3 + 3 + 2


@given(place=st.sampled_from(PLACES), value=st.decimals(min_value=0, max_value=1, places=6))
@example(place=PLACES[0], value=Decimal("0.000001"))
@settings(max_examples=60, deadline=None)
def test_any_single_changed_weight_is_refused(edition: EditionCopy, place: Place, value: Decimal) -> None:
    file, table, key = place
    data = edition.data(file)
    held = table_at(data, file, table)
    assume(held[key] != value)
    held[key] = value
    error = edition.refused(file, data)
    assert (error.code, error.where) == ("rubric_weights", edition.where(file, table))
    assert str(value.normalize() + 0) in error.found or format(value.normalize(), "f") in error.found


@given(millionths=st.integers(min_value=1, max_value=999_999))
@settings(max_examples=10, deadline=None)
def test_another_row_that_sums_to_one_is_another_edition(edition: EditionCopy, millionths: int) -> None:
    file = "modules/poem_recitation.toml"
    share = Decimal(millionths).scaleb(-6)
    data = edition.data(file)
    data["weights"] = dict.fromkeys(data["weights"], Decimal("0.0")) | {"fluency": share, "pronunciation": 1 - share}
    with edition.spoiled(file, toml(data)):
        weights = load(edition.folder).modules["poem_recitation"].weights
    assert sum(node.value for node in weights.values()) == 1
    assert weights["fluency"].value * 1_000_000 == millionths
