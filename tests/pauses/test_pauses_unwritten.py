"""Speech that nobody wrote down parts the silences around it, and is part of the response; times worked by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pause_truth import samples_of, waveform_of

from vivavoce.audio.activity import detect
from vivavoce.measures.edges import correct_edges
from vivavoce.measures.pauses import pauses, response
from vivavoce.measures.rate import pace
from vivavoce.measures.unwritten import voice_in
from vivavoce.measures.word_times import word_times
from vivavoce.timeline import Pause, Segment, Word
from vivavoce.transcript.forced import SILENCE, VOICE, ForcedAlignment, ForcedPhone, ForcedWord

WORDS = [Word("the", 2000, 2300), Word("cart", 2300, 2800), Word("befell", 6000, 6500)]
SPEECH = [Segment(0, 400), Segment(2000, 2800), Segment(4300, 4500), Segment(6000, 6500), Segment(8000, 8300)]
SPOKEN = (Segment(0, 400), Segment(4300, 4500), Segment(8000, 8300))


def aligned(*between: tuple[str, int, int], words: list[Word] | None = None) -> ForcedAlignment:
    made = [
        ForcedWord(word.text, word.start_ms, word.end_ms, 0.0, "dictionary", (ForcedPhone("AH", *span(word), 0.0),))
        for word in words or WORDS
    ]
    return ForcedAlignment(tuple(made), 0.0, (), tuple(ForcedPhone(*one, 0.0) for one in between))


def span(word: Word) -> tuple[int, int]:
    return word.start_ms, word.end_ms


def spans(found: tuple[Pause, ...]) -> list[tuple[int, int, str]]:
    return [(pause.start_ms, pause.end_ms, pause.kind) for pause in found]


@pytest.mark.parametrize("forced", [None, aligned()])
def test_a_voice_without_words_parts_silences(forced: ForcedAlignment | None) -> None:
    """A word left out at 4.3 s, others before the first word and after the last: four silences, not one."""
    made = word_times(WORDS, forced, SPEECH, 9000, lambda _: True)
    assert made.unwritten == SPOKEN
    found = pauses(made.words, [True] * 3, made.unwritten)
    assert spans(found) == [
        (400, 2000, "hesitation"),
        (2800, 4300, "hesitation"),
        (4500, 6000, "hesitation"),
        (6500, 8000, "hesitation"),
    ]


@pytest.mark.parametrize("forced", [None, aligned()])
def test_a_noise_without_words_does_not(forced: ForcedAlignment | None) -> None:
    made = word_times(WORDS, forced, SPEECH, 9000, lambda _: False)
    assert made.unwritten == ()
    assert spans(pauses(made.words, [True] * 3, made.unwritten)) == [(2800, 6000, "hesitation")]


def test_what_the_alignment_hears_as_a_voice_must_sound() -> None:
    """The acoustic model takes 1 s of digital silence for a voice: it stays a silence."""
    made = word_times(WORDS, aligned((SILENCE, 2800, 3000), (VOICE, 3000, 5500)), [SPEECH[1], SPEECH[3]], 9000)
    assert spans(pauses(made.words, [True] * 3, made.unwritten)) == [(2800, 6000, "hesitation")]


def test_an_aligned_word_is_cut_off_where_silence_begins() -> None:
    """Drawn over 1.5 s of silence, however well its score: no word lies in a silence for so long."""
    words = [WORDS[0], Word("cart", 2300, 4300), WORDS[2]]
    made = word_times(words, aligned(words=words), [SPEECH[1], SPEECH[3]], 9000)
    assert [span(word) for word in made.words] == [(2000, 2300), (2300, 2800), (6000, 6500)]
    words = [WORDS[0], WORDS[1], Word("befell", 4500, 6500)]
    made = word_times(words, aligned(words=words), [SPEECH[1], SPEECH[3]], 9000)
    assert [span(word) for word in made.words] == [(2000, 2300), (2300, 2800), (6000, 6500)]


def test_a_voice_that_goes_on_after_the_aligned_word_is_no_silence() -> None:
    """The alignment ends "cart" at 2.4 s, and a voice goes on to 2.8 s: the pause begins there."""
    words = [WORDS[0], Word("cart", 2300, 2400), WORDS[2]]
    speech = [SPEECH[1], SPEECH[3]]
    for is_voice, start in ((True, 2800), (False, 2400)):
        made = word_times(words, aligned(words=words), speech, 9000, lambda _, said=is_voice: said)
        assert spans(pauses(made.words, [True] * 3, made.unwritten)) == [(start, 6000, "hesitation")]


def test_a_short_pause_after_speech_that_nobody_wrote_is_not_held_against_the_speaker() -> None:
    words = [Word("cart", 1000, 1500), Word("it", 2000, 2300)]
    found = pauses(words, [False, False], [Segment(0, 400)])
    assert spans(found) == [(400, 1000, "phrase"), (1500, 2000, "choppy")]


def test_a_breath_beside_a_voice_does_not_join_it_to_the_word() -> None:
    """Two voices 0.2 s apart before the first word are one stretch; one 0.2 s before the word is left alone."""
    words = [Word("cart", 3000, 3500)]
    before = [Segment(0, 300), Segment(500, 900), Segment(3000, 3500)]
    assert correct_edges(words, before, 4000, lambda _: True).unwritten == (Segment(0, 900),)
    assert correct_edges(words, [Segment(2500, 2800), before[2]], 4000, lambda _: True).unwritten == ()


def test_the_response_takes_in_what_was_said_but_not_written() -> None:
    """8.3 s from the first voice to the last, less hesitations of 1.6, 1.5, 1.5 and 1.5 s: 3 words in 2.2 s."""
    whole = response(WORDS, SPOKEN)
    assert (whole.start_ms, whole.end_ms) == (0, 8300)
    values = pace(WORDS, pauses(WORDS, [True] * 3, SPOKEN), [True] * 3, whole)
    assert (values.response_s.number, values.speaking_s.number, values.speech_s.number) == (8.3, 2.2, 2.2)
    assert values.words_per_minute.number == 81.8
    assert response(WORDS) == Segment(2000, 6500)
    assert response([]) == Segment(0, 0)


def test_a_voice_is_told_from_a_noise_and_from_a_voice_far_away(shared_data: Path) -> None:
    """A reader's words, the same 20 dB down, and white noise as loud as the words."""
    pytest.importorskip("faster_whisper")
    words = samples_of(shared_data, "0920")[:32_000]
    noise = np.random.default_rng(1).normal(0, float(np.sqrt(np.mean(words**2))), words.size)
    gap = np.zeros(16_000)
    waveform = waveform_of(np.concatenate((words, gap, words / 10, gap, noise)))
    speech = detect(waveform).segments()
    is_voice = voice_in(waveform.samples, speech)
    said = [(segment.start_ms // 3000, is_voice(segment)) for segment in speech if segment.length_ms >= 200]
    assert {place for place, voice in said if voice} == {0}
    assert {place for place, _ in said} >= {0, 2}
    assert all(voice for place, voice in said if place == 0)
