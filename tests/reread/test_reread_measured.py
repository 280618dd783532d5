"""A recording measured with what was listened for: what was counted changes, words and times do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files

import pytest

from vivavoce.audio.waveform import Waveform, decode
from vivavoce.evidence import measured_evidence
from vivavoce.measures.recording import Measured, Reading, measure
from vivavoce.measures.reread import sought
from vivavoce.rubric.load import published
from vivavoce.timeline import Transcript, Word
from vivavoce.transcript.forced import ForcedWord, align_words

# What is read in the demo recording, by its source.
TEXT = """From fairest creatures we desire increase,
That thereby beauty's rose might never die,"""
TIMES = ("words_per_minute", "word_count", "speech_s", "pause_count", "pace_variation", "choppy_breaks_per_minute")


@dataclass(frozen=True)
class Found:
    """A word of the text where forced alignment finds it, with a made-up probability."""

    start_ms: int | None
    end_ms: int | None
    read_correctly: float | None
    phones: Sequence[object]


@cache
def recording() -> tuple[Waveform, tuple[ForcedWord, ...]]:
    with as_file(files("vivavoce") / "demo" / "sonnet_001.mp3") as path:
        waveform = decode(path)
    return waveform, align_words(waveform.samples, sought(TEXT)).words


def measured(misheard: dict[str, str], chance: float | None, reading: Reading) -> Measured:
    """The first two lines, words heard as others (several share the time of one), every word of the text found."""
    waveform, placed = recording()
    words = []
    for word in placed:
        heard = misheard.get(word.text, word.text).split()
        start, length = word.start_ms or 0, ((word.end_ms or 0) - (word.start_ms or 0)) // max(1, len(heard))
        words += [Word(text, start + at * length, start + (at + 1) * length) for at, text in enumerate(heard)]
    found = [Found(word.start_ms, word.end_ms, chance, word.phones) for word in placed] * reading.repetitions
    return measure(waveform, Transcript(tuple(words)), reading, listened=None if chance is None else found)


def counts(found: Measured) -> tuple[int, ...]:
    assert found.alignment is not None
    return tuple(found.alignment.counts().values())


MISHEARD = {"fairest": "very best", "desire": "", "rose": "nose"}


@pytest.mark.parametrize("chance", [0.9, 0.0])
def test_counts_follow_the_acoustics_and_times_do_not(chance: float) -> None:
    """By hand: 13 words; one heard as two, one as another, one not at all; all were read, or none by the acoustics."""
    alone, backed = (measured(MISHEARD, one, Reading(TEXT)) for one in (None, chance))
    assert counts(alone) == (13, 10, 2, 1, 0, 1)
    assert counts(backed) == ((13, 13, 0, 0, 0, 0) if chance else counts(alone))
    assert backed.words == alone.words
    assert [(pause.start_ms, pause.end_ms) for pause in backed.pauses] == [(p.start_ms, p.end_ms) for p in alone.pauses]
    assert backed.measurements["words_per_minute"] == alone.measurements["words_per_minute"]
    assert backed.measurements["word_count"].value == 13


def test_the_score_says_how_many_words_rest_on_the_sounds() -> None:
    """By hand: "fairest", "desire" and "rose"."""
    module = published().modules["poem_recitation"]
    for chance, note in ((0.9, "3 of them by their sounds, against the recogniser"), (0.0, "")):
        evidence = measured_evidence(measured(MISHEARD, chance, Reading(TEXT)), module, "middle")["task_adherence"]
        assert evidence is not None
        matched = evidence.values["matched"]
        assert matched is not None
        assert (matched.value, matched.note) == (13 if chance else 10, note)


def test_a_misheard_word_of_the_text_is_no_false_start() -> None:
    """ "beau, beauty's": a wrong word begun like the right one that follows is a false start, a rescued one is not."""
    heard = {"rose": "might"}
    alone, backed = (measured(heard, one, Reading(TEXT)) for one in (None, 0.9))
    assert [event.kind for event in alone.disfluencies] == ["repetition"]
    assert [event.kind for event in backed.disfluencies] == []


def test_a_filled_pause_in_place_of_a_word_that_was_read_is_a_word() -> None:
    """What the recogniser heard as "um" was "we": it counts for pace (M1) where the acoustics found the word read."""
    heard = {"we": "um"}
    alone, backed = (measured(heard, one, Reading(TEXT)) for one in (None, 0.9))
    assert alone.measurements["word_count"].value == 12
    assert backed.measurements["word_count"].value == 13
    assert counts(backed) == (13, 13, 0, 0, 0, 0)
