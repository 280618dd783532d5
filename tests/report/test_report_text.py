"""The terminal card: the report's numbers, nothing wider than asked, and ASCII alone where asked."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import pytest
from report_samples import SAMPLES

from vivavoce.report.ink import clean, columns, wrap
from vivavoce.report.text import card_text
from vivavoce.report.view import number, walk

REPORTS = {name: sample() for name, sample in SAMPLES.items()}
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(params=sorted(SAMPLES))
def report(request: pytest.FixtureRequest) -> dict[str, Any]:
    return REPORTS[request.param]


def terminal_columns(line: str) -> int:
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line
    )


def squeezed(text: str) -> str:
    """The text without tree lines and line ends, so that wrapped parts are whole again."""
    return " ".join(re.sub(r"[│├╰─┊]", " ", text).split())


def test_scores_tiers_and_states_are_the_reports(report: dict[str, Any]) -> None:
    lines = card_text(report).splitlines()
    rows = [("Overall", report["overall"]), *((m["title"], m) for m in report["markers"].values())]
    for title, outcome in rows:
        line = next(line for line in lines if line.startswith(f"  {title}  "))
        shown = line.removeprefix(f"  {title}").split()[0]
        assert shown == ("–" if outcome["score"] is None else str(outcome["score"]))
        label = {"pending": "Pending", "not_scored": "Not scored"}.get(outcome["state"]) or outcome["tier"]["label"]
        assert label in line


def test_every_step_is_there_with_expression_source_and_note(report: dict[str, Any]) -> None:
    text = squeezed(card_text(report, width=140))
    for marker in report["markers"].values():
        for step in walk(marker["trace"]) if marker["trace"] else ():
            value = number(step["value"])
            assert f"{step['name']} {'' if value.startswith('≈') else '= '}{value}" in text
            assert step["source"] in text
            assert step["note"] in text
            if step["operands"]:
                assert f"= {step['expression']}" in text


def test_a_capped_marker_reads_as_derived_by_hand() -> None:
    """97 by a judge under the ceiling of 95 (A9)."""
    lines = card_text(REPORTS["full"]).splitlines()
    start = lines.index(next(line for line in lines if line.startswith("  fluency = 95 ")))
    assert [" ".join(line.split()) for line in lines[start : start + 5]] == [
        "fluency = 95 edition.scale.text",
        "│ = min(97, 95)",
        "│ (lowered by the ceiling)",
        "├─ judged_score = 97 judged judgement by Ms Ito",
        "╰─ ceiling = 95 rubric edition.scale.ceiling",
    ]


@pytest.mark.parametrize("width", [60, 72, 84, 100, 160])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_no_line_is_wider_than_asked(report: dict[str, Any], width: int, ascii_only: bool) -> None:
    text = card_text(report, width=width, ascii=ascii_only)
    assert max(map(terminal_columns, text.splitlines())) <= width
    assert text.isascii() or not ascii_only
    assert not any(unicodedata.category(char) == "Cc" for char in text if char != "\n")
    assert all(line == line.rstrip() for line in text.splitlines())


def test_colour_adds_nothing_but_colour(report: dict[str, Any]) -> None:
    coloured = card_text(report, colour=True)
    assert COLOUR.search(coloured)
    bare = [line.rstrip() for line in COLOUR.sub("", coloured).splitlines()]
    assert bare == card_text(report).splitlines()


def test_the_same_report_gives_the_same_text(report: dict[str, Any]) -> None:
    assert card_text(report, ascii=True) == card_text(report, ascii=True)


def test_depth_limits_the_arithmetic_and_says_so() -> None:
    report = REPORTS["full"]
    none, one, everything = (card_text(report, depth=depth) for depth in (0, 1, None))
    assert "Arithmetic" not in none
    assert "base_score = " in one
    assert "words_per_minute_quality" not in one
    assert "words_per_minute_quality" in everything
    # Below base_score: frac, quality with three qualities (5, 3 and 3 operands) and three weights, two tier edges,
    # and two score edges.
    below = 1 + 1 + (3 + 5 + 3 + 3) + 3 + 2 + 2
    assert f"({below} steps below are not shown)" in one


def test_missing_scores_and_warnings_say_why_and_what_to_do(report: dict[str, Any]) -> None:
    text = squeezed(card_text(report))
    for marker in report["markers"].values():
        if marker["reason"]:
            assert marker["reason"]["remedy"] in text
    for warning in report["warnings"]:
        assert warning["found"] in text
        assert f"what to do: {warning['remedy']}" in text


def test_what_asks_for_nothing_is_a_note_and_no_warning(report: dict[str, Any]) -> None:
    noted = {"code": "word_times_aligned", "found": "the times of 3 words were moved", "remedy": ""}
    text = squeezed(card_text({**report, "warnings": [noted]}))
    assert "How it was measured The times of 3 words were moved." in text
    assert "Warnings" not in text


def test_a_judgement_by_hand_is_a_persons() -> None:
    text = squeezed(card_text(REPORTS["full"]))
    assert "judged by a person, Ms Ito: Clear throughout; “Norland” misread." in text
    assert "judged by gpt-audio-1" in squeezed(card_text(REPORTS["twister"]))


def test_words_pauses_and_counts_are_the_reports() -> None:
    """Counted by hand in the sample: one word misread, one left out, two added, eight not reached."""
    text = squeezed(card_text(REPORTS["full"]))
    assert "84 words in the text · 74 read correctly · 1 misread · 1 left out · 8 not reached · 2 added" in text
    assert "Norland → “Northern” (word 20)" in text
    assert "um (heard as word 17) · good (heard as word 45)" in text
    assert "a constant companion and housekeeper in his sister (words 77 to 84)" in text
    assert "21 → “twenty-two” (word 67)" in text
    assert "Hesitation 1 longest 1.64 s" in text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (84, "84"),
        (0.25, "0.25"),
        (-0.4, "-0.4"),
        (0.822222, "0.822222"),
        (1 / 3, "≈ 0.333333"),
        (2 / 3, "≈ 0.666667"),
        (1e-7, "≈ 0"),
        (0.00001, "0.00001"),
        (120.0, "120"),
        (None, "–"),
    ],
)
def test_numbers_keep_their_digits(value: float | None, shown: str) -> None:
    assert number(value) == shown


def test_wrapping_counts_columns() -> None:
    assert wrap("東京 is a city", 6) == ["東京", "is a", "city"]
    assert wrap("abcdefgh", 3) == ["abc", "def", "gh"]
    assert wrap("", 5) == [""]
    assert columns("e\u0301") == 1


def test_foreign_text_cannot_steer_the_terminal() -> None:
    assert clean("a\x1b[31mb\nc\u202ed") == "a[31mb cd"
