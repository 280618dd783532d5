"""Intervals: whether those a judge gives hold the truth, and how sure a statistic of few speakers is."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.agreement.numbers import Numbers, as_pairs, group_indexes

MOST_UNDEFINED = 0.05
"""A bootstrap with a larger share of resamples without a value tells nothing (chosen)."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Both ends, in the units of what it is about."""

    low: float
    high: float


def coverage(low: Numbers, high: Numbers, truth: Numbers) -> float | None:
    """Return the share of truths that their interval holds, 0 to 1, its ends included.

    mean(low <= y <= high)

    Parameters: three equally long lists of finite numbers, `low` never above `high`.
    Returns the share; None for no intervals. Raises ValueError for lists of different lengths, an interval upside
    down, nan or infinity. Source: Vovk, Gammerman and Shafer (2005), marginal coverage.
    """
    lows, highs = _ends(low, high)
    _, values = as_pairs(lows, truth)
    return float(((lows <= values) & (values <= highs)).mean()) if values.size else None


def mean_width(low: Numbers, high: Numbers) -> float | None:
    """Return the mean width of the intervals, in the units of the scale.

    mean(high - low)

    Parameters and raises: as `coverage`. Returns the mean; None for no intervals. Source: as `coverage` (efficiency).
    """
    lows, highs = _ends(low, high)
    return float((highs - lows).mean()) if lows.size else None


def _ends(low: Numbers, high: Numbers) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    lows, highs = as_pairs(low, high)
    if (lows > highs).any():
        raise ValueError("an interval's low end is above its high end")
    return lows, highs


def bootstrap_interval(
    statistic: Callable[[NDArray[np.intp]], float | None],
    clusters: Sequence[Hashable],
    *,
    share: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Interval | None:
    """Return the percentile bootstrap interval of a statistic, whole clusters (speakers) drawn with replacement.

    [quantile (1 - share) / 2, quantile (1 + share) / 2] of statistic(indexes of k clusters drawn), k clusters in all

    Recordings of one speaker resemble each other; drawing recordings one by one would make the interval too narrow.

    Parameters: `statistic` from the indexes of the recordings drawn (repeated as often as drawn) to its value or None;
    `clusters` the cluster of each recording; `share` 0 to 1; `seed`: the same one gives the same interval.
    Returns the interval; None for fewer than two clusters, or where more than MOST_UNDEFINED of the resamples have no
    value (the others are then no fair sample). Source: Efron and Tibshirani (1993), ch. 13; Field and Welsh (2007).
    """
    members = group_indexes(clusters)
    if len(members) < 2:
        return None
    random = np.random.default_rng(seed)
    draws = (random.integers(len(members), size=len(members)) for _ in range(resamples))
    values = [statistic(np.concatenate([members[place] for place in draw])) for draw in draws]
    found = [value for value in values if value is not None]
    if len(found) < (1 - MOST_UNDEFINED) * resamples:
        return None
    low, high = np.quantile(found, [(1 - share) / 2, (1 + share) / 2])
    return Interval(float(low), float(high))
