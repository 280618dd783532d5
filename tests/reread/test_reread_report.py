"""What a report says of the words on which recogniser and acoustics disagree. Expected values by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from vivavoce.measures.reread import reread
from vivavoce.report.reading import differences, lines
from vivavoce.timeline import Segment, Word
from vivavoce.transcript.alignment import align
from vivavoce.transcript.words import tokenize, tokenize_words

TEXT = "The cat sat,\non the mat."


@dataclass(frozen=True)
class Found:
    """A word of the text as the listener has it, 0.4 s a word."""

    place: int
    read_correctly: float
    phones: tuple[str, ...] = ("P", "P")

    @property
    def start_ms(self) -> int:
        return 400 * self.place

    @property
    def end_ms(self) -> int:
        return self.start_ms + 400


def report_of(said: str, *chances: float) -> dict[str, Any]:
    words = [Word(word, 400 * place, 400 * place + 400, 0.5) for place, word in enumerate(said.split())]
    alignment = align(tokenize(TEXT), tokenize_words(said.split()))
    listened = [Found(place, chance) for place, chance in enumerate(chances)]
    found = reread(alignment, listened, words, [Segment(0, 9_000)])
    return {"task": {"reference": TEXT}, "alignment": found.as_dict()}


def test_each_word_is_listed_with_both_opinions_times_and_what_counts() -> None:
    report = report_of("the cut sat on the", 0.9, 0.875, 0.9, 0.01, 0.9, 0.99)
    found = differences(report)
    assert list(found) == ["Uncertain"]
    assert [(item.text, item.said, item.place, item.note) for item in found["Uncertain"]] == [
        (
            "cat",
            "cut",
            "word 2",
            "recogniser: misread; acoustics: read correctly with a probability of 0.875, from 0.4 to 0.8 s; "
            "counted as read correctly",
        ),
        (
            "on",
            "on",
            "word 4",
            "recogniser: read correctly; acoustics: read correctly with a probability of 0.01, from 1.2 to 1.6 s; "
            "counted as read correctly",
        ),
        (
            "mat",
            "",
            "word 6",
            "recogniser: not reached; acoustics: read correctly with a probability of 0.99, from 2 to 2.4 s; "
            "counted as read correctly",
        ),
    ]
    assert report["alignment"]["matched"] == 6


def test_the_text_stays_as_it_was_written() -> None:
    laid = lines(report_of("the cut sat on the", 0.9, 0.9, 0.9, 0.9, 0.9, 0.1))
    written = [" ".join(piece.before + piece.text + piece.after for piece in line.pieces) for line in laid]
    assert written == ["The cat sat,", "on the mat."]
    assert [piece.kind for line in laid for piece in line.pieces] == [
        "matched",
        "uncertain",
        "matched",
        "matched",
        "matched",
        "trailing_omission",
    ]
