"""Extreme responses. Expected values by hand."""

from __future__ import annotations

import pytest

from vivavoce.measures.pauses import pauses
from vivavoce.measures.rate import pace
from vivavoce.timeline import Word


def numbers(spans: list[tuple[int, int]], counted: list[bool] | None = None) -> dict[str, float | int | None]:
    words = [Word("w", *span) for span in spans]
    values = pace(words, pauses(words, [False] * len(words)), counted or [True] * len(words))
    return {name: getattr(values, name).number for name in values.__dataclass_fields__}


def test_one_word() -> None:
    # One word of 0.4 s: 150 a minute; nothing varies and nothing pauses.
    values = numbers([(900, 1300)])
    assert (values["response_s"], values["speaking_s"], values["speech_s"]) == (0.4, 0.4, 0.4)
    assert (values["words_per_minute"], values["pace_variation"]) == (150, None)
    assert (values["choppy_breaks_per_minute"], values["hesitations_per_minute"]) == (0, 0)


def test_one_long_hesitation_changes_neither_pace_nor_variation() -> None:
    # Twelve words of 0.3 s are 3.6 s: 200 a minute, with a minute of silence in the middle too.
    even = [(300 * index, 300 * index + 300) for index in range(12)]
    late = [(start + 60_000 * (start >= 1800), end + 60_000 * (start >= 1800)) for start, end in even]
    before, after = numbers(even), numbers(late)
    assert (before["words_per_minute"], before["pace_variation"]) == (200, 0)
    assert (after["words_per_minute"], after["pace_variation"]) == (200, 0)
    # One in 63.6 s.
    assert (after["response_s"], after["hesitations_per_minute"]) == (63.6, 0.94)


def test_only_hesitations_between_words_without_length() -> None:
    # 2 s of response, all of it a hesitation: no speaking time, so no pace, and 30 a minute.
    values = numbers([(0, 0), (2000, 2000)])
    assert (values["response_s"], values["speaking_s"], values["words_per_minute"]) == (2, 0, None)
    assert values["hesitations_per_minute"] == 30


def test_a_word_inside_a_longer_one_makes_no_pause_and_adds_no_time() -> None:
    # The second ends at 0.5 s, the first sounds until 2 s: from there to 2.2 s are 200 ms, no pause.
    values = numbers([(0, 2000), (100, 500), (2200, 3000)])
    assert (values["response_s"], values["speech_s"], values["words_per_minute"]) == (3, 3, 60)


def test_fillers_at_the_edges_are_response_and_speech_but_no_words() -> None:
    # "um" 0.5 s, nine words of 0.4 s, "uh" 0.5 s: 9 words in 4.6 s are 117.39 a minute.
    spans = [(0, 500), *[(500 + 400 * index, 900 + 400 * index) for index in range(9)], (4100, 4600)]
    values = numbers(spans, [False, *[True] * 9, False])
    assert (values["response_s"], values["word_count"], values["words_per_minute"]) == (4.6, 9, 117.4)
    assert values["pace_variation"] is not None
    assert values["pace_variation"] > 0


@pytest.mark.parametrize(("ninth", "expected"), [(2000, 0.0), (None, None)])
def test_nine_words_of_which_one_is_a_filler_are_eight(ninth: int | None, expected: float | None) -> None:
    spans = [(400 * index, 400 * index + 400) for index in range(9)]
    assert numbers(spans, [True] * 8 + [ninth is not None])["pace_variation"] == expected


def test_words_that_end_and_begin_on_a_window_edge() -> None:
    # 3 s, n = 3: windows of 1 s. Four words in the first second, three in the second, two in the third; the steps of
    # 0.1 s pass 4 + (3 - 4) k / 10, then 3 + (2 - 3) k / 10: 4, 3.9, ... 2: mean 3, variance (1/100)(441 - 1)/12 =
    # 0.36667, the root 0.60553, over 3: 0.20184. Needs words that are even inside a second: each fills its share.
    spans = [(0, 250), (250, 500), (500, 750), (750, 1000)]
    thirds = [(1000, 1333), (1333, 1667), (1667, 2000)]
    halves = [(2000, 2500), (2500, 3000)]
    assert numbers([*spans, *thirds, *halves])["pace_variation"] == 0.202
