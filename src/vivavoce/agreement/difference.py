"""Difference: how far a rater's scores are from the truth, in the units of the scale."""

from __future__ import annotations

import numpy as np

from vivavoce.agreement.numbers import Numbers, Values, as_pairs, as_values


def mean_absolute_error(predicted: Numbers, truth: Numbers) -> float | None:
    """Return the mean distance between predicted and true scores, in the units of the scale, 0 or more.

    MAE = mean(|x - y|)

    Parameters: two equally long lists of finite numbers. Returns MAE; None for no pairs.
    Raises ValueError for lists of different lengths, nan or infinity. Source: Willmott and Matsuura (2005).
    """
    x, y = as_pairs(predicted, truth)
    return float(np.abs(x - y).mean()) if x.size else None


def signed_error(predicted: Numbers, truth: Numbers) -> float | None:
    """Return the mean of predicted minus true: above 0 the rater is lenient, below 0 severe.

    mean(x - y)

    Parameters and raises: as `mean_absolute_error`. Returns the mean difference; None for no pairs.
    Source: Bland and Altman (1986), the bias between two methods of measurement.
    """
    x, y = as_pairs(predicted, truth)
    return float((x - y).mean()) if x.size else None


def rounded(numbers: Numbers) -> Values:
    """Return the numbers as whole ones, half up, as everywhere in Vivavoce."""
    values = as_values(numbers)
    whole = np.floor(values)
    return np.asarray(whole + (values - whole >= 0.5), dtype=np.float64)


def quadratic_weighted_kappa(predicted: Numbers, truth: Numbers) -> float | None:
    """Return Cohen's kappa with quadratic weights over whole scores; both sides are rounded first (`rounded`).

    kappa = 1 - sum_ij (i - j)^2 O_ij / sum_ij (i - j)^2 E_ij, O the table of pairs, E that of its margins alone
          = 1 - mean((x - y)^2) / (var x + var y + (mean x - mean y)^2), variances over n

    Unlike a correlation it falls where the levels differ. 1 is agreement in full, 0 what the margins alone would give.

    Parameters and raises: as `mean_absolute_error`.
    Returns kappa, 1 at most; None for fewer than two pairs or where both sides give every recording the same score,
    since chance then agrees as well. Source: Cohen (1968); the second form: Fleiss and Cohen (1973).
    """
    pairs = as_pairs(predicted, truth)
    x, y = (rounded(side) for side in pairs)
    if x.size < 2:
        return None
    by_chance = x.var() + y.var() + (x.mean() - y.mean()) ** 2
    if min(x.min(), y.min()) == max(x.max(), y.max()):
        return None
    return float(1.0 - ((x - y) ** 2).mean() / by_chance)
