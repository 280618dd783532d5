"""What docs/ielts.md says of parts, rules and values is so."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from pathlib import Path

from ielts_report_samples import guide

from vivavoce.report.interview import told
from vivavoce.report.interview.acoustic import KINDS
from vivavoce.rubric.graduated import TEXTS, part

DOCS = (Path(__file__).resolve().parents[2] / "docs" / "ielts.md").read_text(encoding="utf-8")


def test_the_table_of_acoustic_values() -> None:
    section = DOCS.partition("## Heard in the recordings")[2]
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == list(KINDS)


def test_the_texts_that_parts_word_themselves() -> None:
    (listed,) = re.findall(r"word six texts of the prompt themselves: (.*)\.", DOCS)
    for number in (2, 3):
        own = {name for name in TEXTS if part(1).texts[name] != part(number).texts[name]}
        assert set(re.findall(r"`(\w+)`", listed)) == own


def test_how_many_answers() -> None:
    (row,) = re.findall(r"^\| answers \| 1 to (\d+) \| 1 to (\d+)\D.*\| 1 to (\d+) \|", DOCS, re.MULTILINE)
    assert [int(most) for most in row] == [part(number).answers_highest for number in (1, 2, 3)]


def test_the_arithmetic_line() -> None:
    assert f"`{told.arithmetic(guide()['trace'])}`" in DOCS


def test_what_the_floored_mean_costs() -> None:
    """Every remainder of four sums of three bands, with every remainder of the four floored bands' own sum."""
    losses, single = [], []
    for rest in product(range(3), repeat=4):
        for sums in range(4):
            whole = [0, 0, 0, sums]
            mean = Fraction(sum(3 * floor + more for floor, more in zip(whole, rest, strict=True)), 12)
            losses.append(mean - Fraction(sum(whole) * 2 // 4, 2))
            single.append(mean - Fraction(int(mean * 2), 2))
    assert max(losses) == Fraction(11, 12)
    assert sum(losses) / len(losses) == Fraction(11, 24)
    assert sum(single) / len(single) == Fraction(5, 24)
    assert "11/12 of a band" in DOCS
    assert "11/24" in DOCS
    assert "cost 5/24" in DOCS
