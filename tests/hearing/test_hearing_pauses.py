"""Pauses and their kinds. Expected values are M2's and M3's own edges, by hand."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.measures.pauses import pauses, per_minute, total_ms
from vivavoce.timeline import Pause, Word


def spaced(*gaps: int, length: int = 200) -> list[Word]:
    """Words of 200 ms with these gaps between them."""
    starts = accumulate(gaps, lambda start, gap: start + length + gap, initial=1000)
    return [Word(f"w{index}", start, start + length) for index, start in enumerate(starts)]


@pytest.mark.parametrize(
    ("gap", "at_boundary", "kind"),
    [
        (0, False, None),
        (249, False, None),
        (249, True, None),
        (250, False, "choppy"),
        (250, True, "phrase"),
        (1199, False, "choppy"),
        (1199, True, "phrase"),
        (1200, False, "hesitation"),
        (1200, True, "hesitation"),
        (60_000, True, "hesitation"),
    ],
)
def test_the_edges_of_the_kinds(gap: int, at_boundary: bool, kind: str | None) -> None:
    found = pauses(spaced(gap), [at_boundary, True])
    assert found == (() if kind is None else (Pause(1200, 1200 + gap, kind),))


def test_silence_before_and_after_the_words_is_no_pause() -> None:
    assert pauses([Word("only", 5000, 5200)], [True]) == ()
    assert pauses([], []) == ()


def test_a_filled_pause_is_speech() -> None:
    # 0.5 s, "um", 0.5 s: two choppy breaks; without the "um" it would be one hesitation of 1.2 s.
    words = [Word("the", 0, 200), Word("um", 700, 900), Word("cat", 1400, 1700)]
    assert [pause.kind for pause in pauses(words, [False] * 3)] == ["choppy", "choppy"]
    assert [pause.kind for pause in pauses([words[0], words[2]], [False] * 2)] == ["hesitation"]


def test_a_word_inside_another_opens_no_gap() -> None:
    words = [Word("all", 0, 2000), Word("the", 100, 200), Word("way", 2100, 2300)]
    assert pauses(words, [False] * 3) == ()


def test_one_boundary_entry_a_word() -> None:
    with pytest.raises(ValueError, match="2 words but 1"):
        pauses(spaced(300), [True])


def test_totals_by_kind() -> None:
    found = pauses(spaced(300, 400, 1500), [False, True, False, False])
    assert [pause.kind for pause in found] == ["choppy", "phrase", "hesitation"]
    assert total_ms(found) == 2200
    assert total_ms(found, "hesitation") == 1500
    assert total_ms(found, "choppy", "phrase") == 700


def test_rates_are_over_response_time_on_their_grid() -> None:
    found = pauses(spaced(300, 300, 1500), [False] * 4)
    # 2 breaks in 7 s: 17.142857 a minute; 1 hesitation: 8.5714.
    assert per_minute("choppy", found, "choppy", 7000).number == 17.14
    assert per_minute("hesitations", found, "hesitation", 7000).number == 8.57
    # A tie goes up: 1 break in 9,600 s is 0.00625 a minute, 0.01; 1 in 16,000 s 0.00375, 0.
    assert per_minute("choppy", found[:1], "choppy", 4_800_000).number == 0.01
    assert per_minute("choppy", (), "choppy", 7000).number == 0


def test_no_rate_without_length() -> None:
    rate = per_minute("choppy_breaks_per_minute", (), "choppy", 0)
    assert rate.value is None
    assert rate.note


gap_lists = st.lists(st.integers(-150, 4000), min_size=1, max_size=30)


@given(gap_lists, st.integers(0, 10**7), st.data())
def test_a_shift_in_time_moves_pauses_and_changes_nothing_else(
    gaps: list[int], shift: int, data: st.DataObject
) -> None:
    words = spaced(*gaps)
    flags = data.draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    moved = [Word(word.text, word.start_ms + shift, word.end_ms + shift) for word in words]
    expected = tuple(Pause(p.start_ms + shift, p.end_ms + shift, p.kind) for p in pauses(words, flags))
    assert pauses(moved, flags) == expected


@given(gap_lists)
def test_each_long_gap_is_one_pause(gaps: list[int]) -> None:
    words = spaced(*gaps)
    found = pauses(words, [False] * len(words))
    assert len(found) == sum(gap >= 250 for gap in gaps)
    assert all(before.end_ms <= after.start_ms for before, after in pairwise(found))
