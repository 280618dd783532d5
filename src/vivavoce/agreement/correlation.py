"""Correlation: whether two raters order and space the same recordings alike, whatever their level."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from vivavoce.agreement.numbers import Numbers, Values, as_pairs, as_values, group_indexes


def pearson(predicted: Numbers, truth: Numbers) -> float | None:
    """Return Pearson's product-moment correlation, -1 to 1.

    r = sum((x - mean x)(y - mean y)) / sqrt(sum((x - mean x)^2) * sum((y - mean y)^2))

    Parameters: two equally long lists of finite numbers in any unit.
    Returns r; None for fewer than two pairs or where a side is constant, since it then has no spread to share.
    Raises ValueError for lists of different lengths, nan or infinity. Source: Pearson (1895).
    """
    x, y = as_pairs(predicted, truth)
    return _weighted(x, y, np.ones_like(x))


def average_ranks(numbers: Numbers) -> Values:
    """Return the rank of each number, 1 for the least; equal numbers share the mean of the ranks they take up.

    rank(x) = (count of numbers < x) + (1 + count of numbers = x) / 2

    Parameters: a list of finite numbers. Returns an array as long, ranks 1 to n. Raises ValueError for nan or infinity.
    Source: Kendall (1945), "The treatment of ties in ranking problems".
    """
    values = as_values(numbers)
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[place], dtype=np.float64)


def spearman(predicted: Numbers, truth: Numbers) -> float | None:
    """Return Spearman's rank correlation, -1 to 1: Pearson's of the average ranks.

    rho = pearson(average_ranks(x), average_ranks(y))

    Parameters, returns and raises: as `pearson`. Source: Spearman (1904); for ties Kendall (1945).
    """
    x, y = as_pairs(predicted, truth)
    return pearson(average_ranks(x), average_ranks(y))


def pearson_within(predicted: Numbers, truth: Numbers, groups: Sequence[Hashable]) -> float | None:
    """Return the correlation within groups (speakers): Pearson's of what is left once each group's means are off.

    r = pearson(x - mean of x in its group, y - mean of y in its group)

    It asks whether a speaker's better recordings get the better scores, and gives nothing for telling speakers apart.

    Parameters: two equally long lists of finite numbers; `groups` the group of each pair.
    Returns r; None where one side is constant within every group (so also where every group has one member).
    Raises ValueError as `pearson`. Source: Bland and Altman (1995), "Calculating correlation coefficients with
    repeated observations: part 1, correlation within subjects", BMJ 310:446.
    """
    x, y = as_pairs(predicted, truth)
    _check(groups, x)
    return _weighted(_centred(x, groups), _centred(y, groups), np.ones_like(x))


def pearson_between(predicted: Numbers, truth: Numbers, groups: Sequence[Hashable]) -> float | None:
    """Return the correlation between groups (speakers): Pearson's of the groups' means, weighted by their sizes.

    r = sum w (X - mean X)(Y - mean Y) / sqrt(sum w (X - mean X)^2 * sum w (Y - mean Y)^2), X, Y group means, w sizes

    Parameters and raises: as `pearson_within`.
    Returns r; None for fewer than two groups, or where the means of a side are all the same.
    Source: Bland and Altman (1995), part 2, correlation between subjects, BMJ 310:633.
    """
    x, y = as_pairs(predicted, truth)
    _check(groups, x)
    members = group_indexes(groups)
    sizes = np.array([places.size for places in members], dtype=np.float64)
    first, second = (np.array([_mean(side[places]) for places in members], dtype=np.float64) for side in (x, y))
    return _weighted(first, second, sizes)


def _check(groups: Sequence[Hashable], values: Values) -> None:
    if len(groups) != values.size:
        raise ValueError(f"{len(groups)} groups for {values.size} pairs")


def _mean(values: Values) -> float:
    """Return the mean; of equal numbers exactly that number, which a sum that rounds does not give."""
    return float(values[0]) if values.min() == values.max() else float(values.mean())


def _centred(values: Values, groups: Sequence[Hashable]) -> Values:
    result = np.empty_like(values)
    for places in group_indexes(groups):
        result[places] = values[places] - _mean(values[places])
    return result


def _spread(values: Values, weights: Values) -> Values | None:
    """Return the numbers about their weighted mean, 1 at the farthest; None where they are all the same."""
    if values.size < 2 or values.min() == values.max():
        return None
    # Scaled, so that squares neither vanish nor overflow; centred twice, for small spreads far from zero.
    values = values / np.abs(values).max()
    for _ in range(2):
        values = values - np.average(values, weights=weights)
        values = values / np.abs(values).max()
    return np.asarray(values, dtype=np.float64)


def _weighted(x: Values, y: Values, weights: Values) -> float | None:
    one, other = _spread(x, weights), _spread(y, weights)
    if one is None or other is None:
        return None
    scale = np.sqrt((weights * one * one).sum() * (weights * other * other).sum())
    return float(np.clip((weights * one * other).sum() / scale, -1.0, 1.0))
