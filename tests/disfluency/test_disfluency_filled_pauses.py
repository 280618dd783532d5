"""Filled pauses taken over from a prompted hearing where the sound has a voice: cases by hand, after real hearings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import vivavoce.transcript.recognizer as recognizer
from vivavoce.measures.disfluency.find import find_disfluencies
from vivavoce.measures.filled_pauses import PROMPT, UnwrittenVoice, unwritten_voices, with_filled_pauses
from vivavoce.notice import Notice
from vivavoce.pipeline import hear
from vivavoce.timeline import Segment, Transcript, Word
from vivavoce.transcript.forced import NOISE, VOICE, ForcedAlignment, ForcedPhone, ForcedWord


def heard(*words: tuple[str, int, int] | tuple[str, int, int, float]) -> Transcript:
    return Transcript(tuple(Word(*word) for word in words), False, "en", "test")


def voice(before: int, start_ms: int, end_ms: int) -> UnwrittenVoice:
    return UnwrittenVoice(before, Segment(start_ms, end_ms))


def texts(transcript: Transcript) -> list[str]:
    return [word.text for word in transcript.words]


PLAIN = heard(("but", 7060, 7200), ("cares", 7200, 7640), ("this", 7640, 8820), ("is", 8820, 9080))
VOICES = [voice(2, 8040, 8550)]
PROMPTED = heard(
    ("But", 7060, 7200), ("cares.", 7200, 7640), ("Um,", 8656, 8676, 0.3), ("this", 8700, 8820), ("is", 8820, 9080)
)


def test_a_pause_that_both_hear_is_taken_over_at_the_time_of_the_voice() -> None:
    merged = with_filled_pauses(PLAIN, PROMPTED, VOICES)
    # Without its comma: "cares um, this" would be parted where the first hearing parts nothing.
    assert texts(merged) == ["but", "cares", "um", "this", "is"]
    # "this" was stretched from 7640 on; it now begins where the filled pause ends.
    assert [(word.start_ms, word.end_ms) for word in merged.words[2:4]] == [(8040, 8550), (8550, 8820)]
    assert merged.verbatim is False
    assert [notice.code for notice in merged.warnings] == ["filled_pauses_heard"]


def test_without_a_voice_in_the_sound_nothing_is_taken_over() -> None:
    assert with_filled_pauses(PLAIN, PROMPTED, []) is PLAIN
    assert with_filled_pauses(PLAIN, PROMPTED, [voice(1, 7190, 7400)]) is PLAIN


def test_one_shared_neighbour_is_enough() -> None:
    # "Married a (um) more" was heard again as "married, um, more": the pause took the article's place.
    plain = heard(("married", 0, 400), ("a", 400, 500), ("more", 900, 1200), ("amiable", 1200, 1800))
    prompted = heard(("married,", 0, 400), ("um,", 500, 900, 0.5), ("more", 900, 1200), ("amiable", 1200, 1800))
    assert texts(with_filled_pauses(plain, prompted, [voice(2, 520, 850)])) == ["married", "a", "um", "more", "amiable"]


def test_what_stands_for_two_words_that_were_not_understood_is_not_taken_over() -> None:
    # A learner's "with this bright young" became "as er er runner".
    plain = heard(("other", 0, 300), ("area,", 500, 700), ("this", 700, 900))
    prompted = heard(("there's", 0, 300), ("er,", 310, 450, 0.9), ("air,", 500, 700), ("this", 700, 900))
    assert with_filled_pauses(plain, prompted, [voice(1, 310, 490)]) is plain


def test_a_pause_before_the_first_word_and_after_the_last() -> None:
    prompted = heard(("Um,", 6000, 6400, 0.9), ("but", 7060, 7200), ("cares", 7200, 7640))
    assert texts(with_filled_pauses(PLAIN, prompted, [voice(0, 6100, 6500)]))[:2] == ["um", "but"]
    trailing = heard(*((w.text, w.start_ms, w.end_ms) for w in PLAIN.words), ("uh", 9500, 9600, 0.9))
    merged = with_filled_pauses(PLAIN, trailing, [voice(4, 9400, 9700)])
    assert texts(merged)[-2:] == ["is", "uh"]
    assert (merged.words[-1].start_ms, merged.words[-1].end_ms) == (9400, 9700)


def test_a_word_before_that_was_stretched_over_it_is_cut() -> None:
    plain = heard(("we", 0, 200), ("lower", 200, 1500), ("it", 1500, 1700))
    prompted = heard(("we", 0, 200), ("lower", 200, 700), ("uh", 900, 1300, 0.5), ("it", 1500, 1700))
    merged = with_filled_pauses(plain, prompted, [voice(2, 900, 1300)])
    assert [(word.text, word.start_ms, word.end_ms) for word in merged.words] == [
        ("we", 0, 200),
        ("lower", 200, 900),
        ("uh", 900, 1300),
        ("it", 1500, 1700),
    ]


def test_an_unlikely_one_is_not_taken_over() -> None:
    unlikely = heard(("but", 7060, 7200), ("cares", 7200, 7640), ("um", 8100, 8500, 0.01), ("this", 8600, 8820))
    assert with_filled_pauses(PLAIN, unlikely, VOICES) is PLAIN


def test_of_two_voices_the_longer_is_the_pause() -> None:
    merged = with_filled_pauses(PLAIN, PROMPTED, [voice(2, 7650, 7810), *VOICES])
    assert [(word.text, word.start_ms) for word in merged.words if word.text == "um"] == [("um", 8040)]


def test_times_stay_in_order() -> None:
    prompted = heard(
        ("but", 7060, 7200),
        ("um", 7100, 9900, 0.5),
        ("um", 7100, 9900, 0.5),
        ("cares", 7200, 7640),
        ("this", 9000, 9100),
    )
    words = with_filled_pauses(PLAIN, prompted, [voice(1, 7000, 9900), voice(1, 7000, 7200)]).words
    assert len(words) == 6
    assert all(word.start_ms <= word.end_ms for word in words)
    assert all(a.end_ms <= b.start_ms for a, b in pairwise(words))


def aligned(*between: ForcedPhone) -> ForcedAlignment:
    times = ((0, 300), (900, 1200), (None, None), (2000, 2300))
    words = (ForcedWord("x", start, end, 0.0, "dictionary") for start, end in times)
    return ForcedAlignment(tuple(words), 0.0, (), between)


def test_a_voice_between_words_is_unwritten_unless_it_is_short_a_noise_or_beside_a_written_pause() -> None:
    long, short = ForcedPhone(VOICE, 400, 550, -1.0), ForcedPhone(VOICE, 700, 840, -1.0)
    noise, last = ForcedPhone(NOISE, 1300, 1700, -1.0), ForcedPhone(VOICE, 2400, 2700, -1.0)
    forced = aligned(long, short, noise, last)
    words = [Word(text, 0, 0) for text in ("a", "b", "c", "d")]
    assert unwritten_voices(words, forced) == (voice(1, 400, 550), voice(4, 2400, 2700))
    written = [Word(text, 0, 0) for text in ("a", "um,", "c", "d")]
    assert unwritten_voices(written, forced) == (voice(4, 2400, 2700),)
    assert unwritten_voices(words, None) == ()
    # Words of another language: what is beside them says nothing.
    poor = replace(forced, notices=(Notice("alignment_poor", "found", "remedy"),))
    assert unwritten_voices(words, poor) == ()


Transcribe = Callable[..., Transcript]


@pytest.fixture
def prompts(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """What the recogniser was asked with, hearing by hearing."""
    asked: list[str | None] = []
    real: Transcribe = recognizer.transcribe

    def noted(samples: np.ndarray, **options: object) -> Transcript:
        asked.append(options.get("prompt"))  # type: ignore[arg-type]
        return real(samples, **options)

    monkeypatch.setattr(recognizer, "transcribe", noted)
    return asked


def test_dropped_filled_pauses_are_found_from_audio_alone(shared_data: Path, prompts: list[str | None]) -> None:
    progress: list[float] = []
    found = hear(shared_data / "2_audio" / "mfa_corpus" / "acoustic_corpus.wav", on_progress=progress.append)
    assert prompts == [None, PROMPT]
    # The file's own transcript has "um", "uh", "um"; where they are was measured in the waveform by hand.
    events = [event for event in find_disfluencies(found.transcript.words) if event.kind == "filled_pause"]
    marks = [(8020, 8570), (14300, 14870), (22900, 23530)]
    assert len(events) == 3
    for event, (start, end) in zip(events, marks, strict=True):
        assert abs(event.start_ms - start) <= 250
        assert abs(event.end_ms - end) <= 250
    assert found.transcript.verbatim is False
    assert progress == sorted(progress)
    assert progress[-1] == 1.0
    assert any(0.5 < share < 1.0 for share in progress)
    assert found.forced is not None
    assert len(found.forced.words) == len(found.transcript.words)


def test_a_fluent_reader_is_heard_once(shared_data: Path, prompts: list[str | None]) -> None:
    progress: list[float] = []
    found = hear(shared_data / "2_audio" / "faster_whisper" / "jfk.flac", on_progress=progress.append)
    assert prompts == [None]
    assert "filled_pauses_heard" not in [notice.code for notice in found.transcript.warnings]
    assert progress[-1] == 1.0
