"""One rater against the others: by hand, with four and with five ratings."""

from __future__ import annotations

import pytest

from vivavoce.agreement.correlation import pearson
from vivavoce.agreement.difference import mean_absolute_error, signed_error
from vivavoce.agreement.raters import against_others, mean_of, rounded_median


def test_the_truth_of_a_recording() -> None:
    """Published in the corpus's own description: five experts' accuracy 7, 9, 8, 8, 9 became 8."""
    assert rounded_median([7, 9, 8, 8, 9]) == 8
    assert rounded_median([7.6, 9.0, 7.9, 8.0, 9.1]) == 8
    assert rounded_median([7, 8, 8, 9]) == 8
    assert rounded_median([6, 6, 7, 9]) == 7  # 6.5, half up
    assert rounded_median([7, 7, 8, 9]) == 8  # 7.5
    assert rounded_median([7.4, 7.4, 7.6, 7.5, 7.2]) == 7
    assert mean_of([7, 9, 8, 8, 9]) == pytest.approx(8.2)


def test_each_rater_against_the_mean_of_the_others_by_hand() -> None:
    """Rows (2, 4, 6) and (5, 5, 8). Rater 0: |2 - 5|, |5 - 6.5| mean 2.25; 1: |4 - 4|, |5 - 6.5| mean .75;
    2: |6 - 3|, |8 - 5| mean 3. Average 2."""
    found = against_others([[2, 4, 6], [5, 5, 8]], mean_absolute_error)
    assert found.by_rater == pytest.approx((2.25, 0.75, 3))
    assert found.value == pytest.approx(2)
    assert found.counts == (2, 2, 2)


def test_a_missing_rating_counts_for_nobody() -> None:
    """The last rater left out the second recording, once by a short row and once in so many words. Rater 0: 2 - 5 and
    5 - 7, mean -2.5; rater 1: 4 - 4 and 7 - 5, mean 1; rater 2 only 6 - 3."""
    for second in ([5, 7], [5, 7, None]):
        found = against_others([[2, 4, 6], second], signed_error)
        assert found.by_rater == pytest.approx((-2.5, 1, 3))
        assert found.counts == (2, 2, 1)
        assert found.value == pytest.approx(0.5)


def test_against_the_rounded_median_of_the_others() -> None:
    """Rater 0: 2 against the median of 4, 6, 7; others alike: 4 of (2, 6, 7), 6 of (2, 4, 7), 7 of (2, 4, 6)."""
    found = against_others([[2, 4, 6, 7]], signed_error, rounded_median)
    assert found.by_rater == (2 - 6, 4 - 6, 6 - 4, 7 - 4)


def test_a_machine_takes_each_raters_place() -> None:
    """Predicted 5 and 6 against the others' means: 5, 6.5; 4, 6.5; 3, 5."""
    found = against_others([[2, 4, 6], [5, 5, 8]], signed_error, predicted=[5, 6])
    assert found.by_rater == pytest.approx((-0.25, 0.25, 1.5))
    with pytest.raises(ValueError, match="1 predictions for 2 recordings"):
        against_others([[2, 4, 6], [5, 5, 8]], signed_error, predicted=[5])


def test_raters_in_full_agreement_and_raters_alone() -> None:
    assert against_others([[3, 3, 3], [5, 5, 5], [9, 9, 9]], pearson).value == pytest.approx(1)
    alone = against_others([[3], [5], [9]], pearson)
    assert (alone.value, alone.by_rater, alone.counts) == (None, (None,), (0,))
    assert against_others([], pearson).value is None


def test_a_rater_who_gives_one_score_is_left_out_of_the_mean() -> None:
    """Rater 2 is constant, so has no correlation; the others agree with each other's half of the mean in full."""
    found = against_others([[1, 2, 5], [2, 4, 5], [3, 6, 5]], pearson)
    assert found.by_rater == (pytest.approx(1), pytest.approx(1), None)
    assert found.value == pytest.approx(1)


def test_part_of_the_scale_is_chosen_by_the_others() -> None:
    """The others' means are, as above, 5, 6.5; 4, 6.5; 3, 5. From 5 up: rater 0 both, 1 the second, 2 the second."""
    found = against_others([[2, 4, 6], [5, 5, 8]], signed_error, keep=lambda value: value >= 5)
    assert found.by_rater == pytest.approx((-2.25, -1.5, 3))
    assert found.counts == (2, 1, 1)
