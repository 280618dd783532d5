"""The ROC area against the count of pairs, in exact fractions; precision and recall by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.agreement.detection import detection, roc_area


def area_of_pairs(scores: list[int], positive: list[bool]) -> Fraction | None:
    """The share of pairs of a positive and a negative in which the positive scores higher, a tie counting half."""
    ups = [score for score, real in zip(scores, positive, strict=True) if real]
    downs = [score for score, real in zip(scores, positive, strict=True) if not real]
    if not ups or not downs:
        return None
    return Fraction(sum(2 * (up > down) + (up == down) for up in ups for down in downs), 2 * len(ups) * len(downs))


def test_area_by_hand() -> None:
    """Negatives .1 and .4, positives .35 and .8: three of four pairs in order."""
    assert roc_area([0.1, 0.4, 0.35, 0.8], [False, False, True, True]) == 0.75


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), max_size=30))
def test_area_is_the_share_of_pairs(pairs) -> None:
    scores, positive = [score for score, _ in pairs], [real for _, real in pairs]
    expected, found = area_of_pairs(scores, positive), roc_area(scores, positive)
    assert found is None if expected is None else found == pytest.approx(float(expected), abs=1e-12)


def test_detection_by_hand() -> None:
    found = detection([True, True, True, False, False, False], [True, False, False, True, False, False])
    assert (found.found, found.missed, found.false_alarms, found.rightly_left) == (1, 1, 2, 2)
    assert found.precision == pytest.approx(1 / 3)
    assert found.recall == pytest.approx(1 / 2)
    assert found.false_alarm_rate == pytest.approx(1 / 2)


def test_shares_of_nothing_are_none() -> None:
    found = detection([], [])
    assert (found.precision, found.recall, found.false_alarm_rate) == (None, None, None)


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="2 scores for 1 labels"):
        roc_area([1, 2], [True])
    with pytest.raises(ValueError, match="zip"):
        detection([True], [])
