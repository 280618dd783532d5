"""What is taken for what was said: the text, without what was plainly not read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vivavoce.judging.local.text import SpokenText, spoken_text, whole_text
from vivavoce.measures.reread import sought
from vivavoce.timeline import Transcript, Word
from vivavoce.transcript.alignment import Opinions, align
from vivavoce.transcript.words import tokenize, tokenize_words

TEXT = "The cat sat on the mat. The dog ran home."


def times(said: str) -> tuple[Word, ...]:
    return tuple(Word(text, 500 * at, 500 * at + 400, 0.5) for at, text in enumerate(said.split()))


def read(said: str, text: str = TEXT, repeat: int = 1) -> SpokenText:
    words = times(said)
    alignment = align(tokenize(text), tokenize_words([word.text for word in words]), repeat=repeat)
    return spoken_text(words, alignment, Transcript(words))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        # As written, also where another word was heard for it, and where one or two were not heard.
        ("the cat sat on the mat the dog ran home", "The cat sat on the mat The dog ran home"),
        ("the cat sad on the mat the dog ran home", "The cat sat on the mat The dog ran home"),
        ("the cat on the mat the dog ran home", "The cat sat on the mat The dog ran home"),
        # A skipped line and what was not reached.
        ("the cat sat dog ran home", "The cat sat dog ran home"),
        ("the cat sat on the mat", "The cat sat on the mat"),
        # Words put in between words that were read as written; beside one that was not they may be that word.
        ("the cat sat um on the mat the dog ran home", "The cat sat um on the mat The dog ran home"),
        ("the cat um sad on the mat the dog ran home", "The cat sat on the mat The dog ran home"),
        ("well the cat sat on the mat the dog ran home now", "well The cat sat on the mat The dog ran home now"),
    ],
)
def test_a_reading_is_its_text(said: str, expected: str) -> None:
    found = read(said)
    assert " ".join(found.words) == expected
    assert found.source == "reference"
    assert len(found.words) == len(found.said) == len(found.ends) == len(found.hints)
    assert [hint.text for hint in found.hints] == list(found.words)


def test_words_put_in_beside_an_uncertain_word_are_not_taken_as_said() -> None:
    words = times("the cat sat um on the mat the dog ran home")
    alignment = align(tokenize(TEXT), tokenize_words([word.text for word in words]))
    doubted = tuple(
        replace(label, label="uncertain", opinions=Opinions("substitution", 0.9, 1000, 1400, "matched"))
        if label.reference is not None and label.reference.surface == "sat"
        else label
        for label in alignment.labels
    )
    found = spoken_text(words, replace(alignment, labels=doubted), Transcript(words))
    assert " ".join(found.words) == "The cat sat on the mat The dog ran home"


def test_times_and_words_of_the_transcript_go_with_it() -> None:
    found = read("the cat sad the mat the dog ran home")
    assert found.said[2:5] == ("sad", "", "the")
    assert [(hint.start_ms, hint.end_ms) for hint in found.hints[2:5]] == [(1000, 1400), (1400, 1500), (1500, 1900)]
    assert [word for word, end in zip(found.words, found.ends, strict=True) if end] == ["mat", "home"]


def test_a_twister_is_said_as_often_as_it_was_reached() -> None:
    assert read("red lorry red lorry red", "red lorry", repeat=3).words == ("red", "lorry", "red", "lorry", "red")


@pytest.mark.parametrize(
    ("recognizer", "verbatim", "source"),
    [
        ("tiny", False, "recogniser"),
        ("file", True, "reference"),
        ("file", None, "recogniser"),
        ("tiny", True, "recogniser"),
    ],
)
def test_open_speech_is_its_transcript(recognizer: str, verbatim: bool | None, source: str) -> None:
    words = times("I like um dogs. They bark.")
    found = spoken_text(words, None, Transcript(words, verbatim=verbatim, recognizer=recognizer))
    assert (found.words, found.source, found.said) == (tuple(word.text for word in words), source, found.words)
    assert [at for at, end in enumerate(found.ends) if end] == [3, 5]
    assert found.confidence == (0.5,) * 6


def test_the_whole_text_is_what_the_acoustics_seek() -> None:
    """One entry for each word that `reread` wants; the same words where all of it was heard, so once is enough."""
    text = "On May 21, twenty-one self-made men paid $20.50 & left.\nNobody knew why."
    found = whole_text(text, 2)
    assert found.words == sought(text, 2)
    assert [word for word, end in zip(found.words, found.ends, strict=True) if end] == ["21", "left", "why"] * 2
    assert read("the cat sat on the mat the dog ran home").words == whole_text(TEXT).words


def test_nothing_heard_is_no_text() -> None:
    assert read("").words == ()
