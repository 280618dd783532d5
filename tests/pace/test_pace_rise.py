"""Whether the pace rises, by the median over stretches between words (M6). Expected values by hand or slowly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pace_slow import times_as_fast

from vivavoce.measures.reading import Repetition, _median_ratio, pace_rises, repetitions_from
from vivavoce.timeline import Segment, Word
from vivavoce.transcript.alignment import align
from vivavoce.transcript.words import tokenize, tokenize_words

Spans = list[tuple[int, int]]


def row(lengths: Sequence[int], start: int = 0, gaps: dict[int, int] | None = None) -> Spans:
    spans = []
    for index, length in enumerate(lengths):
        spans.append((start, start + length))
        start += length + (gaps or {}).get(index, 0)
    return spans


def repetition(spans: Spans, heard: Sequence[tuple[int, int] | None] | None = None) -> Repetition:
    words = tuple(Word("w", *span) for span in spans)
    return Repetition(words, tuple(heard or [(index, index) for index in range(len(words))]))


@pytest.mark.parametrize(("first", "rises"), [(420, 1), (419, 0), (440, 1), (400, 0), (380, 0)])
def test_five_percent_is_the_edge(first: int, rises: int) -> None:
    # Words of 400 ms in the last: 420 / 400 is 1.05 for every stretch.
    assert pace_rises([repetition(row([first] * 8)), repetition(row([400] * 8))]).value == rises


def test_one_edge_that_is_off_does_not_decide() -> None:
    # All words last 300 ms. The last word of the last repetition is cut 150 ms short: by the stopwatch 1800 / 1650 is
    # 9 % faster; of its stretches only the 11 that end at that edge are affected.
    even, short = row([300] * 6), row([300] * 5 + [150])
    assert pace_rises([[Word("w", *span) for span in spans] for spans in (even, short)]).value == 1
    flag = pace_rises([repetition(even), repetition(short)])
    assert flag.value == 0
    assert "+0.0 % in the median of words" in flag.note
    # And a rise of 10 % is not lost where it is 250 ms too long: 3000 / 2977 by the stopwatch.
    slow, fast = row([550] * 6), row([500] * 5 + [750])
    assert pace_rises([repetition(slow), repetition(fast)]).value == 1


def test_a_pause_in_the_middle_is_pace_and_a_hesitation_is_not() -> None:
    # 1 s of pause after three of six words of 0.5 s; most of the length of stretches goes over the middle.
    even = repetition(row([500] * 6))
    assert pace_rises([repetition(row([500] * 6, gaps={2: 1000})), even]).value == 1
    assert pace_rises([repetition(row([500] * 6, gaps={2: 1200})), even]).value == 0
    assert pace_rises([even, repetition(row([500] * 6, gaps={2: 5000}))]).value == 0


def test_a_word_that_nobody_wrote_down_parts_a_hesitation() -> None:
    # 1.3 s after three of six words of 0.5 s are a hesitation; with 0.1 s of speech in their middle they are two pauses
    # of 0.6 s, which count as pace: 3000 / (3000 + 1300).
    even, waits = repetition(row([500] * 6)), repetition(row([500] * 6, gaps={2: 1300}))
    middle = (Segment(2100, 2200),)
    assert pace_rises([waits, even]).value == 0
    flag = pace_rises([waits, even], unwritten=middle)
    assert flag.value == 1
    assert "83.7 words/min, last 120.0" in flag.note
    # What is said outside the repetition's words is none of its pauses.
    assert pace_rises([waits, even], unwritten=(Segment(9000, 9100),)).value == 0


def test_only_words_in_both_are_compared() -> None:
    # The last leaves the second of five out (its sound too): by the words in both the stretches over the hole are
    # faster, the others as fast. Four words last 400 ms each in both.
    first = repetition(row([400] * 5))
    hole = repetition(row([400] * 4), [(0, 0), None, (1, 1), (2, 2), (3, 3)])
    spans = row([400] * 5)
    expected = times_as_fast([spans[index] for index in (0, 2, 3, 4)], row([400] * 4))
    assert _median_ratio(first, hole) == expected


def test_reference_words_read_as_one_share_its_place_once() -> None:
    # "every day" heard as "everyday": two reference words, one heard.
    shared = [(0, 0), (0, 0), (1, 1), (2, 2)]
    first, last = repetition(row([420] * 3), shared), repetition(row([400] * 3), shared)
    assert _median_ratio(first, last) == Fraction(21, 20)


def test_two_words_in_both_leave_it_to_the_stopwatch() -> None:
    flag = pace_rises([repetition(row([500, 500])), repetition(row([450, 450]))])
    assert flag.value == 1
    assert "median" not in flag.note


def test_words_without_length_and_backwards_edges_do_not_count() -> None:
    assert _median_ratio(repetition([(5, 5)] * 4), repetition(row([400] * 4))) is None
    assert _median_ratio(repetition(row([400] * 4)), repetition([(0, 1)] * 4)) is not None


def test_a_long_text_is_thinned_out_evenly() -> None:
    # 3,000 words: the pairs of all edges would be 18 million.
    first, last = repetition(row([220] * 3000)), repetition(row([200] * 3000))
    assert _median_ratio(first, last) == Fraction(11, 10)


lengths = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400), st.integers(0, 300)), min_size=3, max_size=7)


@settings(max_examples=40, deadline=None)
@given(lengths)
def test_as_the_slow_median_says(parts: list[tuple[int, int, int]]) -> None:
    first = row([one for one, _, _ in parts], gaps={index: gap for index, (_, _, gap) in enumerate(parts)})
    last = row([other for _, other, _ in parts], start=9000)
    both = [[edge for span in spans for edge in span] for spans in (first, last)]
    if not any(
        b1 - a1 > 0 and b2 - a2 > 0 and b1 - a1 + b2 - a2 >= 300
        for i, (a1, a2) in enumerate(zip(*both, strict=True))
        for b1, b2 in list(zip(*both, strict=True))[i + 1 :]
    ):
        assert _median_ratio(repetition(first), repetition(last)) is None
        return
    assert _median_ratio(repetition(first), repetition(last)) == times_as_fast(first, last)


def test_repetitions_of_an_alignment_know_their_words() -> None:
    # The second repetition has a word put in ("um") and leaves "sea" out: 7 of 8 words.
    once = ["she", "sells", "sea", "shells", "by", "the", "sea", "shore"]
    spoken = [*once, "she", "um", "sells", "shells", "by", "the", "sea", "shore", *once]
    words = [Word(text, 100 * index, 100 * index + 100) for index, text in enumerate(spoken)]
    labels = align(tokenize(" ".join(once)), tokenize_words(spoken), repeat=3).labels
    first, second, third = repetitions_from(labels, words)
    assert first.heard == tuple((index, index) for index in range(8))
    assert [word.text for word in second] == spoken[8:16]
    assert second.heard == ((0, 0), (2, 2), None, (3, 3), (4, 4), (5, 5), (6, 6), (7, 7))
    assert second[1].text == "um"
    assert third.heard == first.heard
    assert third.words == tuple(words[16:])
