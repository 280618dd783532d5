"""Where phrase boundaries come from in a whole measurement, and that the report is told (M3)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pause_truth import samples_of, spans, with_silence

from vivavoce.measures.recording import Measured, Reading, measure
from vivavoce.timeline import Transcript

TEXT = "Had he married a more amiable woman, he might have been made still more respectable than he was."  # as printed


def measured(shared_data: Path, after: int, marked: int | None = None, reading: Reading | None = None) -> Measured:
    """The reading of TEXT with 0.6 s of silence after a word; its words bare, but for a comma after word `marked`."""
    waveform, words = with_silence(samples_of(shared_data, "0920"), spans(shared_data, "0920"), after, 600, "digital")
    if marked is not None:
        words[marked] = replace(words[marked], text=words[marked].text + ",")
    return measure(waveform, Transcript(tuple(words)), reading)


@pytest.mark.parametrize(
    ("after", "marked", "text", "source", "kind"),
    [
        (7, None, None, "restored_by_words", "phrase"),  # "woman | he"
        (3, None, None, "restored_by_words", "choppy"),  # "a | more"
        (7, 7, None, "punctuation", "phrase"),
        (3, 3, None, "punctuation", "phrase"),  # what is written decides, not the rule
        (7, 3, None, "punctuation", "choppy"),
        (7, None, TEXT.replace(",", ""), "reference", "choppy"),
        (6, 3, TEXT, "reference", "choppy"),  # "amiable | woman,"
        (7, 3, TEXT, "reference", "phrase"),
        (7, 3, TEXT.replace("woman, ", "woman\n"), "reference", "phrase"),  # a line end
    ],
)
def test_where_boundaries_come_from(
    shared_data: Path, after: int, marked: int | None, text: str | None, source: str, kind: str
) -> None:
    result = measured(shared_data, after, marked, Reading(text) if text else None)
    assert result.boundaries == source
    assert [pause.kind for pause in result.pauses if pause.length_ms >= 500] == [kind]
    told = [notice.code for notice in result.notices if notice.code == "phrase_boundaries_restored"]
    assert len(told) == source.startswith("restored")


def test_without_words_there_are_no_boundaries(shared_data: Path) -> None:
    waveform, _ = with_silence(samples_of(shared_data, "0920"), spans(shared_data, "0920"), 7, 600, "digital")
    assert measure(waveform, Transcript(())).boundaries == "none"
