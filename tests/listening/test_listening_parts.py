"""Where a recording is cut, by hand-made alignments; the interval table by hand."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from vivavoce.listening.intervals import interval
from vivavoce.listening.parts import LONGEST_MS, MARGIN_MS, MOST_WORDS, stretches
from vivavoce.transcript.forced import ForcedAlignment, ForcedWord


def alignment(times):
    words = tuple(ForcedWord(f"w{i}", *(t or (None, None)), None, "dictionary") for i, t in enumerate(times))
    return ForcedAlignment(words, -1.0)


def row(count, length_ms=300, gap_ms=100, start_ms=500):
    """Words of equal length with equal gaps."""
    step = length_ms + gap_ms
    return [(start_ms + i * step, start_ms + i * step + length_ms) for i in range(count)]


def test_a_short_recording_is_one_stretch():
    assert [(s.first, s.last, s.start_ms, s.end_ms) for s in stretches(None, 5, None, 4000)] == [(0, 5, 0, 4000)]


def test_no_words_no_stretch():
    assert stretches(None, 0, None, 4000) == []
    assert stretches(alignment([]), 0, None, 4000) == []


def test_it_is_cut_in_the_longest_silence():
    # 16 words, more than 14; after the fifth a second of silence: 500 + 5 * 400 = 2,500 -> the sixth starts at 3,400.
    times = row(5) + row(11, start_ms=3400)
    first, second = stretches(alignment(times), 16, None, 10_000)
    assert (first.first, first.last, second.first, second.last) == (0, 5, 5, 16)
    # The fifth ends at 2,400, the sixth starts at 3,400: 400 ms of the silence go to each.
    assert (first.end_ms, second.start_ms) == (2400 + MARGIN_MS, 3400 - MARGIN_MS)


def test_a_phrase_end_is_worth_more_than_a_somewhat_longer_silence():
    ends = [False] * 16
    ends[7] = True
    times = row(5) + row(11, start_ms=2900)
    assert [(s.first, s.last) for s in stretches(alignment(times), 16, ends, 10_000)] == [(0, 8), (8, 16)]


def test_words_without_times_go_with_their_neighbours():
    times = row(16)
    times[3] = None
    found = stretches(alignment(times), 16, None, 10_000)
    assert [index for s in found for index in range(s.first, s.last)] == list(range(16))


@given(
    st.lists(st.tuples(st.integers(50, 900), st.integers(0, 2500)), min_size=1, max_size=60),
    st.data(),
)
@settings(max_examples=150, deadline=None)
def test_every_word_is_in_one_stretch_and_stretches_do_not_overlap(lengths, data):
    times, at = [], 0
    for length, gap in lengths:
        times.append((at + gap, at + gap + length))
        at += gap + length
    ends = data.draw(st.lists(st.booleans(), min_size=len(times), max_size=len(times)))
    found = stretches(alignment(times), len(times), ends, at + 500)
    assert [index for s in found for index in range(s.first, s.last)] == list(range(len(times)))
    assert all(one.end_ms <= other.start_ms for one, other in itertools.pairwise(found))
    for s in found:
        assert 0 <= s.start_ms <= times[s.first][0]
        assert times[s.last - 1][1] <= s.end_ms <= at + 500
        small = s.last - s.first < 6
        assert small or (s.last - s.first <= MOST_WORDS and times[s.last - 1][1] - times[s.first][0] <= LONGEST_MS)


FACTS = {
    "intervals": {
        "parts": [1, 4],
        "scales": {
            "accuracy": [
                {"at": [4.0, 8.0], "low": [-2.0, -1.0], "high": [1.0, 0.5]},
                {"at": [4.0, 8.0], "low": [-1.0, -0.5], "high": [0.5, 0.25]},
            ]
        },
    }
}


def test_the_interval_is_interpolated_between_estimates():
    assert interval(FACTS, "accuracy", 6.0, 1) == (4.5, 6.75)
    assert interval(FACTS, "accuracy", 3.0, 1) == (1.0, 4.0)
    assert interval(FACTS, "accuracy", 9.8, 1) == (9.8 - 1.0, 10.0)


def test_more_stretches_make_it_narrower():
    assert interval(FACTS, "accuracy", 8.0, 3) == (7.0, 8.5)
    assert interval(FACTS, "accuracy", 8.0, 4) == (7.5, 8.25)
    assert interval(FACTS, "accuracy", 8.0, 40) == (7.5, 8.25)


def test_it_ends_with_the_scale():
    assert interval(FACTS, "accuracy", 0.5, 1)[0] == 0.0
