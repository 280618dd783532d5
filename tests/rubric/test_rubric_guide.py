"""The edition is the guide: every line of the text is read by a parser of its own and compared with the entries.

The parser (guide_walk, guide_tables, guide_chapters) works from the layout of the text, so this is one transcription
against another. Skipped where the guide is absent; test_rubric_transcription holds the main numbers then.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from guide_reader import Guide, differences, guide_text, read_guide, same
from guide_walk import FURNITURE, GuideError

from vivavoce.rubric.load import published
from vivavoce.rubric.model import Rubric

WEIGHT_PATH = re.compile(r"modules\.\w+\.weights\.\w+")


@pytest.fixture(scope="module")
def text(guides: Path) -> str:
    return guide_text(guides)


@pytest.fixture(scope="module")
def guide(text: str) -> Guide:
    return read_guide(text)


@pytest.fixture(scope="module")
def rubric() -> Rubric:
    return published()


def _seen(text: str, rubric: Rubric) -> bool:
    """Say whether a text that is not the guide's is told from the edition."""
    try:
        return bool(differences(read_guide(text), rubric.entries))
    except (GuideError, KeyError):
        return True


def test_every_line_is_taken_by_one_rule(text: str, guide: Guide) -> None:
    lines = {number for number, line in enumerate(text.split("\n"), 1) if line.strip()}
    assert set(guide.taken) == lines
    assert len(lines) == 395  # counted with grep -c . on the guide


def test_lines_without_a_claim_are_the_listed_furniture(text: str, guide: Guide) -> None:
    silent = set(guide.taken) - {claim.line for claim in guide.claims}
    lines = text.split("\n")
    assert Counter(lines[number - 1] for number in silent) == FURNITURE
    assert Counter(guide.furniture) == FURNITURE


def test_the_edition_holds_what_the_guide_states_and_nothing_else(guide: Guide, rubric: Rubric) -> None:
    assert differences(guide, rubric.entries) == []


def test_chapters_and_weight_table_give_the_same_weights(guide: Guide) -> None:
    chapters = {claim.path: claim.value for claim in guide.claims if claim.rule == "weight"}
    table = {
        claim.path: claim.value for claim in guide.claims if claim.rule == "weight row" and ".weights." in claim.path
    }
    assert len(chapters) == len(table) == 8 * 5
    assert all(WEIGHT_PATH.fullmatch(path) for path in chapters)
    assert chapters == table


def test_the_guide_never_states_two_values_for_one_address(guide: Guide) -> None:
    stated: dict[str, set[object]] = {}
    for claim in guide.claims:
        stated.setdefault(claim.path, set()).add(claim.value)
    assert {path: values for path, values in stated.items() if len(values) > 1} == {}


def test_every_wrong_number_of_a_table_is_seen(text: str, guide: Guide, rubric: Rubric) -> None:
    """Change the last digit of each number that stands outside prose: the comparison must fail each time."""
    unseen, tried, start = [], 0, 0
    for number, line in enumerate(text.split("\n"), 1):
        if guide.taken.get(number, "prose") not in ("prose", "furniture"):
            for found in re.finditer(r"\d+(?:\.\d+)?", line):
                at = start + found.end() - 1
                tried += 1
                if not _seen(f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}", rubric):
                    unseen.append((number, found[0]))
        start += len(line) + 1
    assert tried > 350
    assert unseen == []


def test_every_missing_line_is_seen(text: str, rubric: Rubric) -> None:
    lines = [line for line in text.split("\n") if line.strip()]
    unseen = [
        line for index, line in enumerate(lines) if not _seen("\n".join(lines[:index] + lines[index + 1 :]), rubric)
    ]
    assert unseen == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("colour", "color"),
        ("student’s choice", "student's choice"),
        ("“Audience-facing", "“audience-facing"),
        ("0–2 disruptive", "0-2 disruptive"),
        ("Phrase by phrase\nTask", "Phrase by  phrase\nTask"),
        ("penalised too.", "penalised too. "),
    ],
)
def test_texts_are_compared_character_for_character(text: str, rubric: Rubric, old: str, new: str) -> None:
    assert old in text
    assert _seen(text.replace(old, new, 1), rubric)


def test_every_changed_entry_is_seen(guide: Guide, rubric: Rubric) -> None:
    """Change each published number of the edition: the guide must contradict it each time."""
    unseen, tried = [], 0
    for path, entry in rubric.entries.items():
        if entry.provenance == "published" and type(entry.value) in (int, Decimal):
            tried += 1
            wrong = replace(entry, value=entry.value + Decimal("0.001"))
            if not any(not same(claim.value, wrong.value) for claim in guide.claims if claim.path == path):
                unseen.append(path)
    assert tried > 200
    assert unseen == []


def test_numbers_are_held_exactly() -> None:
    assert same(Decimal("0.10"), Decimal("0.1"))
    assert not same(Decimal("0.1"), 0.1)
    assert not same(Decimal(1), True)
    assert not same(Decimal("0.1"), Decimal("0.1000001"))
    assert not same("1", 1)
