"""Word edges put where the sound is (M2a): by hand on small lists, and on real readings with silence put in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hearing_audio import put_silence
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import decode
from vivavoce.measures.edges import correct_edges
from vivavoce.measures.pauses import pauses
from vivavoce.timeline import Segment, Word


def words(*spans: tuple[int, int]) -> list[Word]:
    return [Word(f"w{index}", start, end) for index, (start, end) in enumerate(spans)]


def corrected(given_words: Sequence[Word], *speech: tuple[int, int], duration: int = 10_000) -> list[tuple[int, int]]:
    result = correct_edges(given_words, [Segment(*stretch) for stretch in speech], duration).words
    return [(word.start_ms, word.end_ms) for word in result]


@pytest.mark.parametrize(
    "spans",
    [
        [(0, 500), (1500, 2000)],  # right already
        [(0, 1500), (1500, 2000)],  # the word before stretched
        [(0, 500), (500, 2000)],  # the word after stretched
        [(0, 1000), (1000, 2000)],  # both
        [(0, 1640), (1640, 2000)],  # before, and over the beginning of the word after
        [(0, 400), (400, 2000)],  # after, and over the end of the word before
        [(0, 420), (1600, 2000)],  # both too short
        [(0, 500), (900, 1300)],  # the word after wholly in the silence, nearer to its own sound
    ],
)
def test_one_silence_between_two_words(spans: list[tuple[int, int]]) -> None:
    assert corrected(words(*spans), (0, 500), (1500, 2000)) == [(0, 500), (1500, 2000)]


def test_several_words_keep_their_edges_inside_the_sound() -> None:
    before = words((100, 300), (300, 1400), (1400, 1600), (1600, 1900))
    assert corrected(before, (100, 500), (1300, 1900)) == [(100, 300), (300, 500), (1300, 1600), (1600, 1900)]


def test_the_closure_of_a_stop_is_no_silence() -> None:
    before = words((0, 1000), (1000, 2000))
    assert corrected(before, (0, 500), (649, 2000)) == [(0, 1000), (1000, 2000)]
    assert corrected(before, (0, 500), (650, 2000)) == [(0, 500), (650, 2000)]


def test_a_short_sound_that_no_word_claims_is_no_speech() -> None:
    # A click of 100 ms in the middle of a silence of 1.5 s: the silence stays whole.
    assert corrected(words((0, 1000), (1000, 3000)), (0, 1000), (1700, 1800), (2500, 3000)) == [(0, 1000), (2500, 3000)]


def test_longer_unclaimed_speech_is_never_part_of_a_pause() -> None:
    # 0.4 s of speech that no word has (a dropped "um"), 0.3 s after the first word and 0.8 s before the second.
    said = [Segment(0, 1000), Segment(1300, 1700), Segment(2500, 3000)]
    made = correct_edges(words((0, 1000), (2500, 3000)), said, 5000)
    assert [(word.start_ms, word.end_ms) for word in made.words] == [(0, 1000), (2500, 3000)]
    found = pauses(made.words, [True, True], made.unwritten)
    assert [(pause.start_ms, pause.end_ms) for pause in found] == [(1000, 1300), (1700, 2500)]
    # Beside one silence too short for a pause it goes to the word beside it.
    spans = corrected(words((0, 1000), (2500, 3000)), (0, 1000), (1200, 1700), (2500, 3000))
    assert spans == [(0, 1700), (2500, 3000)]
    spans = corrected(words((0, 1000), (2500, 3000)), (0, 1000), (1800, 2300), (2500, 3000))
    assert spans == [(0, 1000), (1800, 3000)]


def test_sounds_before_the_first_and_after_the_last_word_are_left_alone() -> None:
    assert corrected(words((2000, 2500)), (0, 600), (1990, 2510), (4000, 5000)) == [(1990, 2510)]


def test_a_gap_inside_sound_is_no_pause() -> None:
    spans = corrected(words((0, 500), (900, 1500)), (0, 1500))
    assert spans == [(0, 900), (900, 1500)]
    # Under 250 ms it counts for nothing and stays.
    assert corrected(words((0, 500), (749, 1500)), (0, 1500)) == [(0, 500), (749, 1500)]


def test_without_speech_or_words_nothing_changes() -> None:
    assert corrected(words((0, 500))) == [(0, 500)]
    assert corrected([], (0, 500)) == []
    assert corrected(words((0, 500)), (700, 700), (20_000, 21_000)) == [(0, 500)]


def test_what_was_moved_is_counted() -> None:
    speech = [Segment(0, 500), Segment(1500, 2000)]
    moved = correct_edges(words((0, 1500), (1549, 2000)), speech, 2000)
    assert (moved.moved, moved.largest_ms) == (1, 1000)
    still = correct_edges(words((0, 500), (1500, 2000)), speech, 2000)
    assert (still.moved, still.largest_ms) == (0, 0)


def test_texts_and_confidences_stay() -> None:
    before = [Word("Stop,", 0, 1500, 0.5), Word("go!", 1500, 2000)]
    after = correct_edges(before, [Segment(0, 500), Segment(1500, 2000)], 2000).words
    assert [(word.text, word.confidence) for word in after] == [("Stop,", 0.5), ("go!", None)]


stretches = st.lists(st.tuples(st.integers(1, 900), st.integers(10, 1500)), min_size=1, max_size=12)
rough_words = st.lists(st.tuples(st.integers(0, 12_000), st.integers(0, 2500)), min_size=1, max_size=25)


def laid_out(parts: list[tuple[int, int]]) -> list[Segment]:
    speech, at = [], 0
    for silence, length in parts:
        speech.append(Segment(at + silence, at + silence + length))
        at += silence + length
    return speech


@given(stretches, rough_words)
def test_edges_stay_in_order_and_every_pause_is_silent(
    parts: list[tuple[int, int]], rough: list[tuple[int, int]]
) -> None:
    speech = laid_out(parts)
    before = words(*((start, start + length) for start, length in sorted(rough)))
    made = correct_edges(before, speech, speech[-1].end_ms)
    after = made.words
    assert [word.text for word in after] == [word.text for word in before]
    assert all(word.start_ms <= word.end_ms for word in after)
    assert all(first.start_ms <= second.start_ms for first, second in pairwise(after))
    for pause in pauses(after, [False] * len(after), made.unwritten):
        inside = [min(s.end_ms, pause.end_ms) - max(s.start_ms, pause.start_ms) for s in speech]
        # Only what is left out as a click or a breath may sound in a pause: each block under 250 ms.
        assert max(inside, default=0) < 250


@given(stretches, rough_words, st.integers(0, 10**6))
def test_a_shift_in_time_shifts_the_edges(
    parts: list[tuple[int, int]], rough: list[tuple[int, int]], shift: int
) -> None:
    speech = laid_out(parts)
    end = speech[-1].end_ms
    before = words(*((start, start + length) for start, length in sorted(rough)))
    after = correct_edges(before, speech, end).words
    later = correct_edges(
        [Word(word.text, word.start_ms + shift, word.end_ms + shift) for word in before],
        [Segment(s.start_ms + shift, s.end_ms + shift) for s in speech],
        end + shift,
    ).words
    assert [(w.start_ms - shift, w.end_ms - shift) for w in later] == [(w.start_ms, w.end_ms) for w in after]


Times = list[tuple[int, int]]


def librivox(folder: Path) -> dict[str, Times]:
    """Word times of five readings, from the phoneme aligner's own file: per word a start frame of 10 ms."""
    readings: dict[str, Times] = {}
    for line in (folder / "test-align.matchseg").read_text(encoding="utf-8").splitlines():
        fields = line.split()
        rest = fields[fields.index("L") + 2 :]
        starts = [int(start) * 10 for start in rest[::4]]
        names = rest[3::4]
        readings[fields[0]] = [
            span for span, name in zip(pairwise(starts), names, strict=True) if not name.startswith("<")
        ]
    return readings


STRETCHES = {
    "exact": lambda end, start: (end, start),
    "word before": lambda _, start: (start, start),
    "word after": lambda end, _: (end, end),
    "both": lambda end, start: ((end + start) // 2,) * 2,
}


def own_silence_ms(speech: Sequence[Segment], at_ms: int) -> int:
    """The silence that is there before anything is put in: the closure of a stop ("rather | cold"); 0 within sound."""
    return next((b.start_ms - a.end_ms for a, b in pairwise(speech) if a.end_ms <= at_ms <= b.start_ms), 0)


def test_silence_put_into_real_readings_is_found(shared_data: Path, tmp_path: Path) -> None:
    """M2a: 0.4 to 3 s at each place between two words of five readings, the words stretched over it in four ways."""
    folder = shared_data / "2_audio" / "pocketsphinx" / "librivox"
    lengths = (400, 700, 1000, 1500, 3000)
    tried = found = close = 0
    for name, times in librivox(folder).items():
        recording = decode(folder / f"{name}.wav")
        samples, untouched = recording.samples, detect(recording).segments()
        for index, ((_, end), (start, _)) in enumerate(pairwise(times)):
            at, length = (end + start) // 2, lengths[index % len(lengths)]
            path = tmp_path / "joined.wav"
            put_silence(samples, at, np.zeros(length * 16, np.float32), path)
            joined = decode(path)
            speech = detect(joined).segments()
            later = [(a + length, b + length) for a, b in times[index + 1 :]]
            for stretch in STRETCHES.values():
                spans = [*times[: index + 1], *later]
                left, right = stretch(end, start + length)
                spans[index] = (spans[index][0], left)
                spans[index + 1] = (right, spans[index + 1][1])
                after = correct_edges(words(*spans), speech, joined.duration_ms).words
                gap = after[index + 1].start_ms - after[index].end_ms
                tried += 1
                found += gap >= 250
                own = max(start - end, own_silence_ms(untouched, at))
                close += abs(gap - length - own) <= 60
    assert tried == 4 * 66
    assert found == tried
    assert close >= 0.98 * tried


def test_pauses_that_a_person_marked_are_found(shared_data: Path) -> None:
    """The silent stretches of 0.25 s and more between words that the annotator of 25 s of free speech marked."""
    path = shared_data / "2_audio" / "mfa_corpus" / "acoustic_corpus"
    lines = [line.strip() for line in path.with_suffix(".TextGrid").read_text(encoding="utf-8").splitlines()]
    first = lines.index('"words"') + 4
    rows = [lines[place : place + 3] for place in range(first, first + 3 * int(lines[first - 1]), 3)]
    spans = [(round(float(a) * 1000), round(float(b) * 1000)) for a, b, text in rows if text != '""']
    # Each word said to reach to the next, as recognisers do.
    stretched = words(*((a, c) for (a, _), (c, _) in pairwise(spans)), spans[-1])
    recording = decode(path.with_suffix(".wav"))
    after = correct_edges(stretched, detect(recording).segments(), recording.duration_ms).words
    assert pauses(stretched, [True] * len(stretched)) == ()
    marked = [(end, start, index) for index, ((_, end), (start, _)) in enumerate(pairwise(spans)) if start - end >= 250]
    assert len(marked) == 6
    found = [(after[index].end_ms, after[index + 1].start_ms) for _, _, index in marked]
    assert all(start - end >= 250 for end, start in found)
    # Not close: an "um" that fades into its pause, and an "uh" that was not marked and so lies in one.
    assert sum(abs(end - place) <= 60 for (end, _), (place, _, _) in zip(found, marked, strict=True)) >= 5
    assert sum(abs(start - place) <= 60 for (_, start), (_, place, _) in zip(found, marked, strict=True)) >= 5
