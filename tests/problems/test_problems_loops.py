"""A recogniser's loop is noticed; what is repeated on purpose is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from problem_sounds import Samples

from vivavoce.audio.waveform import decode
from vivavoce.measures.hearing import hearing_notices
from vivavoce.measures.recording import Reading
from vivavoce.pipeline import Heard
from vivavoce.timeline import Transcript, Word
from vivavoce.transcript.loops import find_loop, said_on_purpose

Ear = Callable[[Path], Heard]
Save = Callable[[str, Samples], Path]


def spoken(text: str, step_ms: int, length_ms: int) -> list[Word]:
    return [Word(part, index * step_ms, index * step_ms + length_ms) for index, part in enumerate(text.split())]


def test_words_without_length_are_a_loop() -> None:
    words = spoken("well thank you thank you thank you", 300, 10)
    loop = find_loop(words)
    assert loop is not None
    assert (loop.first, loop.unit, loop.rounds) == (1, 2, 3)
    assert "“thank you” stands 3 times in a row from 0.30 s" in loop.notice().found


def test_words_faster_than_speech_are_a_loop() -> None:
    """Ten words a second, each with its 100 ms."""
    assert find_loop(spoken("I hope so " * 6, 100, 100)) is not None
    # Four a second can be said.
    assert find_loop(spoken("I hope so " * 6, 250, 250)) is None


def test_two_rounds_are_no_loop() -> None:
    assert find_loop(spoken("bye bye", 100, 10)) is None
    assert find_loop([]) is None


def test_a_twister_is_repeated_on_purpose() -> None:
    """Even where the recogniser gave its words no time."""
    reading = Reading("Red lorry, yellow lorry.", repetitions=3)
    words = tuple(spoken("Red lorry yellow lorry red lorry yellow lorry red lorry yellow lorry", 100, 10))
    loop = find_loop(words)
    assert loop is not None
    assert said_on_purpose(loop, reading.text.split() * 3)
    assert not said_on_purpose(loop, reading.text.split())
    transcript = Transcript(words, warnings=(loop.notice(),))
    assert hearing_notices(transcript.warnings, transcript, reading) == ()
    assert [notice.code for notice in hearing_notices((), transcript, Reading(reading.text))] == ["recognizer_loop"]
    assert [notice.code for notice in hearing_notices((), transcript, None)] == ["recognizer_loop"]


def test_a_sentence_really_said_three_times_is_no_loop(shared_data: Path, ear: Ear, save: Save) -> None:
    folder = shared_data / "2_audio" / "pocketsphinx" / "librivox"
    sentence = decode(folder / "sense_and_sensibility_01_austen_64kb-0930.wav").samples
    heard = ear(save("three times", np.tile(sentence, 3)))
    assert len(heard.transcript.words) >= 21  # "he might even have been made amiable himself" is eight words
    assert find_loop(heard.transcript.words) is None
