"""The numbers of people in docs/listening.md are those of the shared recordings, counted anew, two statistics each."""

from __future__ import annotations

from pathlib import Path

import pytest
from so762_corpus import SCALES, read_corpus
from so762_tables import POOLS

from vivavoce.agreement.correlation import pearson
from vivavoce.agreement.difference import mean_absolute_error
from vivavoce.agreement.raters import against_others

ROOT = Path(__file__).resolve().parents[2]
FILTERS = {
    "all": lambda found: True,
    "children": lambda found: found.age <= 12,
    "teens": lambda found: 12 < found.age < 19,
    "adults": lambda found: found.age >= 19,
    "female": lambda found: found.gender == "f",
    "male": lambda found: found.gender == "m",
}


def rows() -> list[tuple[str, list[str]]]:
    """The table's rows, each with what it is held against."""
    text = (ROOT / "docs" / "listening.md").read_text(encoding="utf-8").split("## What people reach")[1]
    found, against = [], ""
    for line in text.split("\n## ")[0].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0].startswith("against"):
            against = "mean" if "mean" in cells[0] else "median"
        elif cells[0] in FILTERS:
            found.append((against, cells))
    return found


def test_the_table_is_whole() -> None:
    assert [(against, cells[0]) for against, cells in rows()] == [
        (against, group) for against in POOLS for group in FILTERS
    ]


@pytest.mark.parametrize(("against", "cells"), rows(), ids=lambda value: value if isinstance(value, str) else value[0])
def test_what_people_reach(shared_data: Path, against: str, cells: list[str]) -> None:
    corpus = read_corpus(shared_data / "speechocean762_train")
    chosen = [found for found in corpus.utterances if FILTERS[cells[0]](found)]
    assert cells[1] == f"{len(chosen):,}"
    for scale, cell in zip(SCALES, cells[2:], strict=True):
        ratings = [found.ratings[scale] for found in chosen]
        r, off = (against_others(ratings, count, POOLS[against]).value for count in (pearson, mean_absolute_error))
        assert cell == f"{r:.3f}, {off:.2f}".removeprefix("0")
