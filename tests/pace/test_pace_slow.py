"""Pace against the slow implementation, on random words: overlapping, without length, with waits, fillers anywhere."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from pace_slow import times, variation

from vivavoce.measures.pauses import pauses
from vivavoce.measures.rate import pace
from vivavoce.timeline import Word

# Start after the one before, and length: neighbours touch, overlap, hold one another, or are a pause or a wait apart.
steps = st.tuples(
    st.sampled_from([0, 0, 90, 200, 249, 250, 333, 450, 700, 1199, 1200, 1450, 2600]),
    st.sampled_from([0, 1, 60, 150, 249, 250, 400, 900, 1900]),
    st.booleans() | st.just(True),
)


def words_of(parts: list[tuple[int, int, bool]]) -> tuple[list[Word], list[bool]]:
    words, at = [], 70
    for step, length, _ in parts:
        at += step
        words.append(Word("w", at, at + length))
    return words, [is_word for _, _, is_word in parts]


@settings(max_examples=60, deadline=None)
@given(st.lists(steps, min_size=1, max_size=34))
@example([(0, 0, True)])
@example([(0, 500, False)] * 3)
@example([(0, 300, True)] + [(300, 300, True)] * 4 + [(2600, 300, True)] + [(300, 300, True)] * 5)
@example([(0, 0, True)] + [(250, 0, True)] * 5 + [(400, 1900, True)] * 9)
def test_as_the_slow_implementation_says(parts: list[tuple[int, int, bool]]) -> None:
    words, counted = words_of(parts)
    values = pace(words, pauses(words, [False] * len(words)), counted)
    measured = {name: getattr(values, name).number for name in values.__dataclass_fields__}
    expected = times(words, counted)
    assert {name: measured[name] for name in expected} == expected
    assert measured["pace_variation"] == variation(words, counted)
