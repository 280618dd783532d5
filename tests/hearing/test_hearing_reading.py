"""Repetitions of a twister and whether the pace rises (M6). Expected values by hand."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from vivavoce.measures.reading import pace_rises, repetitions_from
from vivavoce.timeline import Word


@dataclass
class Entry:
    """The least that an alignment's label must say."""

    repetition: int | None
    first_heard: int | None
    last_heard: int | None


def said(*lengths: int, start: int = 0, gap_after: int = -1, gap: int = 0) -> list[Word]:
    """Words of these lengths, end to end but for one gap."""
    words = []
    for index, length in enumerate(lengths):
        words.append(Word(f"w{index}", start, start + length))
        start += length + (gap if index == gap_after else 0)
    return words


@pytest.mark.parametrize(
    ("last", "rises"),
    [
        (4000, 1),  # as the first is 4.2 s: 4.2 / 4 = 1.05, exactly 5 %
        (4001, 0),
        (3000, 1),
        (4200, 0),
        (5000, 0),
    ],
)
def test_five_percent_is_the_edge(last: int, rises: int) -> None:
    first = said(*[420] * 10)
    final = said(*[400] * 9, last - 3600)
    assert pace_rises([first, final]).value == rises


def test_only_the_first_and_the_last_are_compared() -> None:
    slow, middle, fast = said(*[500] * 6), said(*[900] * 6), said(*[400] * 6)
    assert pace_rises([slow, middle, fast]).value == 1
    assert pace_rises([fast, slow, middle]).value == 0
    # 6 words in 3 s are 120 a minute, in 2.4 s 150: 25 % more.
    assert "120.0" in pace_rises([slow, middle, fast]).note
    assert "150.0" in pace_rises([slow, middle, fast]).note
    assert "+25.0 %" in pace_rises([slow, middle, fast]).note


def test_a_hesitation_is_no_speaking_time() -> None:
    # M4: the cut charges a freeze of 1.2 s already; at 1.199 s it is part of the pace: 6 words in 3.599 s against 3 s.
    even = said(*[500] * 6)
    assert pace_rises([said(*[500] * 6, gap_after=2, gap=1200), even]).value == 0
    assert pace_rises([said(*[500] * 6, gap_after=2, gap=1199), even]).value == 1


def test_filled_pauses_are_no_words() -> None:
    # Six words and two "um" in 3 s, then six words in 2.7 s: 11 % faster; were the "um" words it would be slower.
    first = said(*[375] * 8)
    first[3] = Word("um", first[3].start_ms, first[3].end_ms)
    first[5] = Word("um", first[5].start_ms, first[5].end_ms)
    second = said(*[450] * 6)
    assert pace_rises([first, second], lambda word: word.text != "um").value == 1
    assert pace_rises([first, second]).value == 0


@pytest.mark.parametrize(("repetitions", "reason"), [([], "no complete"), ([said(500)], "one complete")])
def test_fewer_than_two_do_not_rise_and_say_so(repetitions: list[list[Word]], reason: str) -> None:
    flag = pace_rises(repetitions)
    assert flag.value == 0
    assert reason in flag.note


def test_repetitions_without_words_or_length_do_not_rise() -> None:
    assert pace_rises([[Word("a", 5, 5)], said(500)]).value == 0
    assert pace_rises([said(500), said(500)], lambda _: False).value == 0


def heard(repetition: int, *places: int | None) -> list[Entry]:
    return [Entry(repetition, place, place) for place in places]


def texts(entries: list[Entry], count: int) -> list[str]:
    words = [Word(chr(97 + index), index, index + 1) for index in range(count)]
    return ["".join(word.text for word in words) for words in repetitions_from(entries, words)]


def test_repetitions_run_from_first_to_last_heard_word_with_all_between() -> None:
    # The reader puts a word in (index 2); it belongs to the first repetition's time.
    entries = [*heard(0, 0, 1), Entry(None, 2, 2), *heard(0, 3), *heard(1, 4, 5, 6)]
    assert texts(entries, 7) == ["abcd", "efg"]


def test_a_number_phrase_is_several_heard_words() -> None:
    assert texts([Entry(0, 0, 0), Entry(0, 1, 3)], 4) == ["abcd"]


def test_incomplete_repetitions_are_left_out() -> None:
    whole = heard(0, 0, 1, 2, 3, 4)
    assert texts([*whole, *heard(1, 5, 6, None, 7, 8)], 9) == ["abcde", "fghi"]  # 4 of 5: 80 %
    assert texts([*whole, *heard(1, 5, None, None, 6, 7)], 8) == ["abcde"]  # 60 %
    assert texts([*whole, *heard(1, 5, 6, 7, 8, None)], 9) == ["abcde"]  # breaks off
    assert texts([*whole, *heard(1, None, 5, 6, 7, 8)], 9) == ["abcde"]  # begins in the middle
    assert texts([*whole, *heard(1, *[None] * 5)], 5) == ["abcde"]
    assert texts([], 0) == []


def test_with_the_alignment_of_a_real_twister() -> None:
    from vivavoce.transcript.alignment import align
    from vivavoce.transcript.words import tokenize, tokenize_words

    once = ["she", "sells", "sea", "shells", "by", "the", "sea", "shore"]
    # The third breaks off; the second is said in 3.2 s after 4 s: 25 % faster.
    words = [*said(*[500] * 8), *said(*[400] * 8, start=4000), *said(*[300] * 3, start=7200)]
    spoken = [*once, *once, *once[:3]]
    words = [Word(text, word.start_ms, word.end_ms) for text, word in zip(spoken, words, strict=True)]
    labels = align(tokenize(" ".join(once)), tokenize_words(spoken), repeat=3).labels
    repetitions = repetitions_from(labels, words)
    assert [len(repetition) for repetition in repetitions] == [8, 8]
    assert pace_rises(repetitions).value == 1
