"""How far off an estimate may be, as measured on speakers that the training had not heard.

Split conformal prediction (Vovk et al. 2005; Lei et al. 2018): of the differences between experts and estimates on
held-out speakers, the quantiles that leave out half of 1 - COVERAGE on each side; for low and high estimates, and for
recordings of few and many stretches, each its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

COVERAGE = 0.8


def interval(facts: Mapping[str, Any], scale: str, value: float, parts: int) -> tuple[float, float]:
    """Return the lowest and the highest value that experts may give, within 0 to 10.

    Parameters: `facts` of the trained weights, whose `intervals` hold by scale and number of parts the differences
    (low, high) at some estimates, between which they are interpolated; `value` the estimate; `parts` how many
    stretches it is the mean of.
    """
    tables = facts["intervals"]
    counts = tables["parts"]
    row = tables["scales"][scale][max(0, bisect_right(counts, parts) - 1)]
    at, low, high = row["at"], row["low"], row["high"]
    return max(0.0, value + _between(at, low, value)), min(10.0, value + _between(at, high, value))


def _between(at: list[float], values: list[float], value: float) -> float:
    if value <= at[0]:
        return values[0]
    for left, right, one, other in zip(at, at[1:], values, values[1:], strict=False):
        if value <= right:
            return one + (other - one) * (value - left) / (right - left)
    return values[-1]
