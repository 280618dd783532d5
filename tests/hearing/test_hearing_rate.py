"""Times, words per minute and pace variation. Expected values are worked out by hand beside each."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.measures.pauses import pauses, response
from vivavoce.measures.rate import _variation, pace, pace_variation
from vivavoce.timeline import Segment, Word


def row(*lengths: int, gaps: dict[int, int] | None = None, start: int = 0) -> list[Word]:
    """Words of these lengths end to end, with a gap in milliseconds after some of them."""
    words = []
    for index, length in enumerate(lengths):
        words.append(Word(f"w{index}", start, start + length))
        start += length + (gaps or {}).get(index, 0)
    return words


def numbers(words: list[Word], boundaries: list[bool] | None = None, counted: list[bool] | None = None) -> dict:
    found = pauses(words, boundaries or [False] * len(words))
    values = pace(words, found, counted or [True] * len(words))
    return {name: getattr(values, name).number for name in values.__dataclass_fields__}


def test_the_three_times_and_what_is_over_which() -> None:
    # 10 words of 0.75 s are 7.5 s; with a choppy break of 0.5 s and a hesitation of 2 s the response is 10 s.
    words = row(*[750] * 10, gaps={2: 500, 6: 2000}, start=4321)
    assert numbers(words) == {
        "response_s": 10,
        "speaking_s": 8,
        "speech_s": 7.5,
        "word_count": 10,
        "words_per_minute": 75,
        "pace_variation": 0,
        "choppy_breaks_per_minute": 6,
        "hesitations_per_minute": 6,
    }


def test_a_phrase_pause_is_in_speaking_time_but_not_in_speech_time() -> None:
    words = row(500, 500, gaps={0: 1000})
    values = numbers(words, [True, True])
    assert (values["speaking_s"], values["speech_s"]) == (2, 1)
    assert values["choppy_breaks_per_minute"] == 0


def test_a_filled_pause_takes_time_but_is_no_word() -> None:
    words = row(500, 500, 500, 500)
    assert numbers(words, counted=[True, False, True, True])["words_per_minute"] == 90
    assert numbers(words)["words_per_minute"] == 120


def test_grids_round_half_up() -> None:
    # 107 words in 80 s are 80.25 a minute, to 0.1 up: 80.3 (half to even would be 80.2). 7 in 2.6 s: 161.538.
    assert numbers(row(*[1000] * 53, *[500] * 54))["words_per_minute"] == 80.3
    assert numbers(row(*[300] * 6, 800))["words_per_minute"] == 161.5
    # 1,005 ms are 1.005 s, to 0.01 up.
    assert numbers(row(1005))["response_s"] == 1.01


def test_no_words() -> None:
    values = numbers([])
    assert values["word_count"] == 0
    assert all(value is None for name, value in values.items() if name != "word_count")


def test_a_response_without_length_has_no_pace() -> None:
    values = numbers([Word("a", 500, 500)])
    assert values["response_s"] == 0
    assert values["words_per_minute"] is None
    assert values["choppy_breaks_per_minute"] is None


def test_entries_must_match_the_words() -> None:
    with pytest.raises(ValueError, match="2 words but 1"):
        pace(row(100, 100), (), [True])


# 6 words of 0.25 s, then 3 of 0.5 s: 3 s, n = 3, windows of 1 s each 0.1 s. A window at t holds 4 words a second of its
# part before 1.5 s and 2 a second after: 4 (six times), 3.8 3.6 3.4 3.2 3.0 2.8 2.6 2.4 2.2, 2 (six times). Mean 3;
# squares 12 + 2 (0.64 + 0.36 + 0.16 + 0.04) = 14.4; sqrt(14.4 / 21) / 3 = 0.27603.
FAST_THEN_SLOW = (*[250] * 6, *[500] * 3)


def variation(words: list[Word], counted: list[bool] | None = None) -> float | int | None:
    found = pauses(words, [False] * len(words))
    return pace_variation(words, found, counted or [True] * len(words)).number


def test_variation_by_hand() -> None:
    assert variation(row(*FAST_THEN_SLOW)) == 0.276
    assert variation(row(*reversed(FAST_THEN_SLOW))) == 0.276


def test_variation_takes_pauses_out() -> None:
    assert variation(row(*FAST_THEN_SLOW, gaps={1: 250, 5: 9000, 7: 1200}, start=77)) == 0.276


def test_gaps_too_short_for_a_pause_are_speech_time() -> None:
    # Each word and the 249 ms after it fill 500 ms, so the rate is even; were the gaps taken out, 2.508 s were left.
    assert variation(row(*[251] * 8, 500, gaps=dict.fromkeys(range(8), 249))) < 0.1


def test_the_number_of_windows_grows_with_the_words() -> None:
    # 60 words of 50 ms then 15 of 200 ms: 6 s, n = 75 // 15 = 5, windows of 1.2 s each 0.12 s: 41 of them.
    # Before 3 s 20 words a second, after it 5: 24 words (k = 0..15, t <= 1.8), 6 (k = 25..40), between 6 + 15 (3 - t):
    # t = 1.92 .. 2.88: 22.2 20.4 18.6 16.8 15 13.2 11.4 9.6 7.8. Mean 15; squares 32 * 81 + 2 (51.84 + 29.16 + 12.96 +
    # 3.24) = 2786.4; sqrt(2786.4 / 41) / 15 = 0.54959.
    assert variation(row(*[50] * 60, *[200] * 15)) == 0.55


def test_a_filler_is_time_without_a_word() -> None:
    even = row(*[300] * 12)
    counted = [index not in (5, 6) for index in range(12)]
    assert variation(even) == 0
    assert variation(even, counted) > 0.1


def test_words_without_length_count_once_a_window() -> None:
    # Thirteen at each quarter second from 0 to 3 s. A window of 1 s that takes its start and not its end holds 4 at
    # each of 20 steps; the last takes its end too and holds 5. Mean 85 / 21, variance 345 / 21 - (85 / 21)^2 =
    # 20 / 441: sqrt(20) / 85 = 0.0526.
    words = [Word("w", 250 * index, 250 * index) for index in range(13)]
    assert pace_variation(words, (), [True] * 13).number == 0.053


@pytest.mark.parametrize("wait_ms", [0, 500])
def test_variation_is_taken_over_all_that_was_said(wait_ms: int) -> None:
    """1.5 s that nobody wrote down, a pause or none, then nine words of 0.5 s: 6 s of speech, 2 s a window.

    Windows start each 0.2 s, 21 of them, and hold 2 (t + 0.5) words up to t = 1.4 s, then 4: 1, 1.4, 1.8, 2.2, 2.6, 3,
    3.4, 3.8 and thirteen times 4. Mean 71.2 / 21; squares 260.8 / 21 - 3.39048^2 = 0.92372; its root over 3.39048 is
    0.28347. Over the words alone it would be 0.
    """
    words = row(*[500] * 9, start=1500 + wait_ms)
    unwritten = [Segment(0, 1500)]
    whole, found = response(words, unwritten), pauses(words, [False] * 9, unwritten)
    assert [pause.length_ms for pause in found] == [wait_ms] * (wait_ms > 0)
    assert pace_variation(words, found, [True] * 9, whole).number == 0.283
    assert pace(words, found, [True] * 9, whole).pace_variation.number == 0.283
    assert pace(words, found, [True] * 9).pace_variation.number == 0


def test_not_measured_under_nine_words_or_three_seconds() -> None:
    assert variation(row(*[400] * 8)) is None
    assert variation(row(*[400] * 9)) == 0
    assert variation(row(*[333] * 8, 335)) is None  # 2.999 s
    assert variation(row(*[333] * 8, 336)) is not None  # 3 s
    # The nine must be counted words, the three seconds speech: neither fillers nor pauses help.
    assert variation(row(*[400] * 9), [False] + [True] * 8) is None
    assert variation(row(*[300] * 9, gaps={4: 5000})) is None


word_lengths = st.lists(st.integers(1, 700), min_size=9, max_size=60).filter(lambda lengths: sum(lengths) >= 3000)


@given(word_lengths, st.integers(0, 10**6))
def test_time_shift_changes_no_number(lengths: list[int], shift: int) -> None:
    gaps = {1: 400, 4: 1300}
    assert numbers(row(*lengths, gaps=gaps, start=shift)) == numbers(row(*lengths, gaps=gaps))


@given(word_lengths, st.integers(2, 9))
def test_variation_does_not_know_how_fast_the_reading_is(lengths: list[int], factor: int) -> None:
    assert variation(row(*[length * factor for length in lengths])) == variation(row(*lengths))


@given(word_lengths, st.integers(0, 200))
def test_variation_against_a_plain_second_implementation(lengths: list[int], gap: int) -> None:
    words = row(*lengths, gaps=dict.fromkeys(range(0, len(lengths), 4), gap))
    assert variation(words) == pytest.approx(plain_variation(words), abs=0.000_501)


def plain_variation(words: list[Word]) -> float:
    """M5 read literally, in floating point, each window against each word; no pauses."""
    total = words[-1].end_ms - words[0].start_ms
    count = max(3, len(words) // 15)
    window = total / count
    rates = []
    for step in range((count - 1) * 10 + 1):
        low = step * window / 10
        inside = [min(w.end_ms, low + window) - max(w.start_ms, low) for w in words]
        rates.append(
            sum(max(0, part) / (w.end_ms - w.start_ms) for part, w in zip(inside, words, strict=True)) / window
        )
    mean = sum(rates) / len(rates)
    return (sum((rate - mean) ** 2 for rate in rates) / len(rates)) ** 0.5 / mean


@given(st.lists(st.fractions(min_value=0, max_value=40, max_denominator=900), min_size=2, max_size=40))
def test_the_whole_number_root_rounds_half_up(counts: list[Fraction]) -> None:
    if not sum(counts):
        return
    mean = sum(counts) / len(counts)
    squared = sum((count - mean) ** 2 for count in counts) / len(counts) / mean**2
    with localcontext() as context:
        context.prec = 60
        root = (Decimal(squared.numerator) / Decimal(squared.denominator)).sqrt()
        expected = int((root * 1000 + Decimal("0.5")).to_integral_value(rounding="ROUND_FLOOR"))
    assert _variation(counts) == Fraction(expected, 1000)


def test_the_root_at_a_tie() -> None:
    # Two windows of 1 + r and 1 - r words: variation exactly r = 0.0625, to 0.001 up: 0.063.
    assert _variation([Fraction(17, 16), Fraction(15, 16)]) == Fraction(63, 1000)


def test_measures_of_words_need_no_numpy() -> None:
    code = (
        "import sys; import vivavoce.measures.rate, vivavoce.measures.reading, vivavoce.measures.edges; "
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
