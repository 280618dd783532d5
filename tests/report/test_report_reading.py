"""The labelled text is the reference again: every word, sign and line in its place, additions where they were said."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_dom import parse
from report_samples import PARAGRAPH, POEM, SAMPLES, TWISTER

from vivavoce.report.page import page_html
from vivavoce.report.reading import Line, differences, lines
from vivavoce.transcript.lines import align_request


def report_of(reference: str, said: str, repetitions: int = 1) -> dict[str, Any]:
    alignment = align_request({"reference": reference, "transcript": said}, lambda _: repetitions)
    return {"task": {"reference": reference}, "alignment": alignment}


def written(laid: list[Line]) -> str:
    """The text as laid out, additions left out, a blank line where a stanza opens."""
    found = []
    for number, line in enumerate(laid):
        if line.opens and number:
            found.append("")
        text = ""
        for piece in line.pieces:
            if piece.text:
                text += ("" if piece.tight or not text else " ") + piece.before + piece.text + piece.after
        found.append(text)
    return "\n".join(found)


@pytest.mark.parametrize("text", [PARAGRAPH, POEM, TWISTER], ids=["paragraph", "poem", "twister"])
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10_000), faults=st.integers(0, 12))
def test_the_text_is_laid_out_as_it_was_written(text: str, seed: int, faults: int) -> None:
    """Whatever was left out, misread or added, the laid text is the reference, sign for sign."""
    chance = random.Random(seed)
    said = text.split()
    for _ in range(min(faults, len(said) - 1)):
        at = chance.randrange(len(said))
        said[at : at + 1] = chance.choice([[], ["um", said[at]], ["zebra"], [said[at], said[at]]])
    assert written(lines(report_of(text, " ".join(said)))) == text


@pytest.mark.parametrize(
    "text",
    [
        "“Stop!” he said; (they did not).",
        "It cost $20.50 — or 3,000 pence…",
        "Don’t well-known twenty-one men’s hats?",
        "Line one,\nline two:\n\nStanza two – with a dash",
        "Mr. O'Neill's e-mail at 10:30am, 50% done & dusted",
        "First,\n- second - third\n***\n\n(fourth)",
    ],
)
def test_signs_stay_with_their_words(text: str) -> None:
    assert written(lines(report_of(text, text))) == text
    assert written(lines(report_of(text, ""))) == text


def test_a_twister_is_laid_out_once_a_repetition() -> None:
    laid = lines(report_of(TWISTER, f"{TWISTER} {TWISTER} silly sailors", 3))
    assert written(laid) == "\n\n".join([TWISTER] * 3)
    assert [piece.kind for piece in laid[2].pieces] == ["matched"] * 2 + ["trailing_omission"] * 4


def test_kinds_and_places_are_the_alignments() -> None:
    """By hand: "Their" heard as "there" sounds the same; "um" is the 17th word heard."""
    found = differences(SAMPLES["full"]())
    assert {title: len(items) for title, items in found.items()} == {
        "Misread": 1,
        "Left out": 1,
        "Added": 2,
        "Not reached": 8,
        "Counted as read correctly": 3,
    }
    assert [(i.text, i.said, i.place) for i in found["Misread"]] == [("Norland", "Northern", "word 20")]
    assert [(i.said, i.place) for i in found["Added"]] == [("um", "heard as word 17"), ("good", "heard as word 45")]
    assert [(i.text, i.place) for i in found["Left out"]] == [("respectable", "word 37")]
    assert [i.note for i in found["Counted as read correctly"]][:2] == ["sounds the same", "another spelling"]
    assert "22" in found["Counted as read correctly"][2].note


def test_the_page_marks_every_word_by_a_word() -> None:
    page = parse(page_html(SAMPLES["full"]())).one("div", "text")
    remarks = {
        kind: [ruby.one("rt").text.strip(", ") for ruby in page.all("ruby", kind)]
        for kind in ("substitution", "internal_omission", "insertion")
    }
    assert remarks == {
        "substitution": ["said “Northern”"],
        "internal_omission": ["left out"],
        "insertion": ["added", "added"],
    }
    assert len(page.all("span", "trailing_omission")) == 8
    assert [flag.text for flag in page.all("span", "flag")] == ["not reached from here:"]
    assert "(read as “center”, another spelling)" in page.text


def test_the_page_keeps_the_lines_of_a_poem() -> None:
    page = parse(page_html(SAMPLES["pending"]())).one("div", "verse")
    shown = page.elements("p")
    assert len(shown) == 8
    assert [number for number, line in enumerate(shown) if "opens" in line.classes] == [4]
    assert shown[7].text == "Thyself thy foe, to thy sweet self too cruel."
