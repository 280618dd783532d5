"""The card on a terminal: what it says, in any width, in ASCII, without colours, and harmless whatever was said."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import pytest
from ielts_report_pages import DOCUMENTS

from vivavoce.report.interview.text import interview_text

CRITERIA = ("Fluency and Coherence", "Lexical Resource", "Pronunciation (Transcript-Based)", "Grammatical Range and")


def flat(document: dict[str, Any], **options: Any) -> str:
    return " ".join(interview_text(document, **options).split())


def test_the_guides_example() -> None:
    text = flat(DOCUMENTS["guide"])
    assert "overall = (9 + 9 + 8 + 9) / 4 = 8.75, floored to 8.5" in text
    assert "Pronunciation (Transcript-Based): band 8" in text
    assert "3 of 3 checks passed; the mapping leaves 8 or 9; 8 was given" in text
    assert "Pronunciation, intonation, and stress patterns cannot be assessed from transcript alone." in text
    assert "✗" not in text


def test_ladders_say_what_passed_what_failed_and_what_comes_next() -> None:
    text = interview_text(DOCUMENTS["mixed"], width=160)
    assert re.search(r"✓ Band 7\+ +Speaks at length", text)
    assert re.search(r"↑ Band 8\+ +Fluent speech +not passed, the next to reach", text)
    assert re.search(r"✗ Band 9 +Full fluency", text)
    assert "to pass: The response maintains clear organization and flexible cohesion" in text
    assert "Wide range passed although Flexible vocab, below, did not" in text
    assert "(not answered)" in text


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
@pytest.mark.parametrize("width", [20, 60, 100, 200])
def test_no_line_is_wider_than_asked(name: str, width: int) -> None:
    for line in interview_text(DOCUMENTS[name], width=width).splitlines():
        shown = sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)
        assert shown <= max(width, 60), line


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_in_ascii_every_character_is(name: str) -> None:
    assert interview_text(DOCUMENTS[name], ascii=True).isascii()


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_colours_change_no_letter_and_nothing_foreign_is_a_command(name: str) -> None:
    plain = interview_text(DOCUMENTS[name])
    coloured = interview_text(DOCUMENTS[name], colour=True)
    assert not [char for char in plain if unicodedata.category(char) in ("Cc", "Cf") and char != "\n"]
    assert "\033[" in coloured
    assert re.sub(r"\033\[[0-9;]*m", "", coloured) == plain


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_bands_or_the_reason_are_told(name: str) -> None:
    document, text = DOCUMENTS[name], flat(DOCUMENTS[name])
    assert all(criterion in text for criterion in CRITERIA)
    if document["trace"]:
        assert f"overall = {document['trace']['operands'][0]['expression']}" in text
    else:
        assert f"{document['state']}: {document['reason']['code']} why: {document['reason']['found']}" in text
        assert f"what to do: {document['reason']['remedy']}" in text


def test_a_whole_test_shows_each_part_once() -> None:
    text = flat(DOCUMENTS["whole"], width=200)
    assert "parts 1, 2, 3: (7 + 7 + 7) / 3 = 7, floored to 7" in text
    assert "part 1: 7, part 2: –, part 3: 7" in flat(DOCUMENTS["two parts"])
    for number in (1, 2, 3):
        assert text.count(f"rubric ielts-part{number}-v33") == 1
    assert "Heard in the recordings, in no band" in text
    assert "126 words/min" in text
    assert "the parts were judged by different judges" in text


def test_what_is_beyond_the_guide_says_so() -> None:
    assert "Beyond the published guide" in flat(DOCUMENTS["acoustic"])
    assert "Beyond the published guide" not in flat(DOCUMENTS["guide"])
