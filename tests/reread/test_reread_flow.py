"""A whole report of a reading that was listened to: it fits its schema, and page and card show both opinions."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import as_file, files
from typing import Any

import jsonschema

from vivavoce.audio.waveform import decode
from vivavoce.judging.local.text import SpokenText
from vivavoce.listening.result import HeardPhone, HeardWord, Listening
from vivavoce.measures.reread import sought
from vivavoce.pipeline import Heard, score_recording
from vivavoce.report.page import page_html
from vivavoce.report.schemas import schema
from vivavoce.report.text import card_text
from vivavoce.rubric.load import published
from vivavoce.submission import Task
from vivavoce.timeline import Transcript, Word
from vivavoce.transcript.forced import align_words

TEXT = "From fairest creatures we desire increase,\nThat thereby beauty's rose might never die,"


@cache
def heard(verbatim: bool | None) -> Heard:
    """The demo recording; its recogniser hears "nose" for "rose"."""
    with as_file(files("vivavoce") / "demo" / "sonnet_001.mp3") as path:
        waveform = decode(path)
    placed = align_words(waveform.samples, sought(TEXT)).words
    said = ["nose" if word.text == "rose" else word.text for word in placed]
    words = [Word(text, word.start_ms or 0, word.end_ms or 0) for text, word in zip(said, placed, strict=True)]
    return Heard(waveform, Transcript(tuple(words), verbatim))


def listening(chance: float | None) -> Any:
    def listen(_: Any, spoken: SpokenText) -> Listening:
        found = []
        for word in heard(False).transcript.words:
            sounds = (HeardPhone("AA", word.start_ms, word.end_ms, 2.0),)
            found.append(HeardWord(word.text, word.start_ms, word.end_ms, chance, 9.0, sounds))
        assert spoken.words == sought(TEXT)
        return Listening("local 1 / 0", "reference", {}, tuple(found))

    return listen


def report_of(chance: float | None, verbatim: bool | None = False) -> dict[str, Any]:
    task = Task("poem_recitation", 9, reference=TEXT)
    # As it is written and read again: tuples are arrays there.
    report: dict[str, Any] = json.loads(
        json.dumps(score_recording(published(), task, heard(verbatim), listen=listening(chance)))
    )
    jsonschema.validate(report, json.loads(schema("report")))
    return report


def test_card_and_page_list_the_word_with_both_opinions() -> None:
    report = report_of(0.91)
    assert report["alignment"]["matched"] == 13
    told = "recogniser: misread; acoustics: read correctly with a probability of 0.91"
    assert told in " ".join(card_text(report).split())
    page = page_html(report)
    assert told in page
    assert "the recogniser and the sounds of the word disagree" in page


def test_without_a_word_found_or_of_a_verbatim_transcript_the_words_decide() -> None:
    """A verbatim transcript is what was said: nobody listens, and nothing needs to be said of it."""
    nothing, verbatim = report_of(None), report_of(0.91, verbatim=True)
    assert nothing["alignment"]["matched"] == verbatim["alignment"]["matched"] == 12
    told = [[notice["code"] for notice in report["warnings"]].count("words_alone") for report in (nothing, verbatim)]
    assert told == [1, 0]
