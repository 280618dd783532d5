"""Coverage by hand; the bootstrap against the exact distribution of its resamples."""

from __future__ import annotations

import numpy as np
import pytest

from vivavoce.agreement.intervals import Interval, bootstrap_interval, coverage, mean_width

VALUES = np.array([0.0, 1.0])


def test_coverage_and_width_by_hand() -> None:
    """Ends count as inside; 3 of 4 hold: 5 in [5, 7], 9 in [4, 9], 6 in [6, 6], not 3 in [4, 5]."""
    low, high, truth = [5, 4, 6, 4], [7, 9, 6, 5], [5, 9, 6, 3]
    assert coverage(low, high, truth) == 0.75
    assert mean_width(low, high) == 2


def test_no_intervals_hold_nothing() -> None:
    assert coverage([], [], []) is None
    assert mean_width([], []) is None


def test_an_interval_upside_down_is_refused() -> None:
    with pytest.raises(ValueError, match="above its high end"):
        coverage([5], [4], [4.5])
    with pytest.raises(ValueError, match="above its high end"):
        mean_width([5], [4])


def mean_of_drawn(drawn) -> float:
    return float(VALUES[drawn].mean())


def test_bootstrap_of_two_clusters_is_the_exact_distribution() -> None:
    """Two clusters of one value each, 0 and 1: means 0, 1/2 and 1 come up with probability 1/4, 1/2 and 1/4. So the
    middle 60 %, from .20 to .80, are [0, 1] and the middle 40 %, from .30 to .70, are 1/2 alone."""
    assert bootstrap_interval(mean_of_drawn, ["a", "b"], resamples=2000, share=0.6) == Interval(0, 1)
    assert bootstrap_interval(mean_of_drawn, ["a", "b"], resamples=2000, share=0.4) == Interval(0.5, 0.5)


def test_more_of_the_same_speaker_makes_nothing_surer() -> None:
    """Every recording fifty times over: drawn by speaker, the interval stays the same."""
    values = np.repeat(np.arange(8.0), 50)
    speakers = [int(value) for value in values]
    few = bootstrap_interval(lambda drawn: float(drawn.mean()), range(8), seed=3)
    many = bootstrap_interval(lambda drawn: float(values[drawn].mean()), speakers, seed=3)
    assert few is not None
    assert many is not None
    assert (many.low, many.high) == pytest.approx((few.low, few.high))
    assert few.high - few.low > 2


def test_the_seed_decides() -> None:
    def interval(seed: int) -> Interval | None:
        return bootstrap_interval(lambda drawn: float(drawn.mean()), range(30), seed=seed, resamples=100)

    assert interval(1) == interval(1)
    assert interval(1) != interval(2)


def test_an_undefined_bootstrap_is_none() -> None:
    """One cluster; or a statistic that half of the resamples (the same cluster twice) leave undefined."""
    assert bootstrap_interval(lambda drawn: 1.0, ["a", "a"]) is None
    assert bootstrap_interval(lambda drawn: None if len(set(drawn)) == 1 else 1.0, ["a", "b"]) is None
