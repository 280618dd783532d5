"""What every statistic here asks of its numbers: finite, and as many on one side as on the other."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = Sequence[float] | NDArray[np.float64]
Values = NDArray[np.float64]


def as_values(numbers: Numbers) -> Values:
    """Return the numbers as an array of float64. Raises ValueError where one is nan or infinite."""
    values = np.asarray(numbers, dtype=np.float64)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise ValueError("a statistic needs a flat list of finite numbers")
    return values


def as_pairs(first: Numbers, second: Numbers) -> tuple[Values, Values]:
    """Return both sides as arrays. Raises ValueError where they differ in length or hold nan or infinity."""
    one, other = as_values(first), as_values(second)
    if one.size != other.size:
        raise ValueError(f"{one.size} numbers against {other.size}")
    return one, other


def group_indexes(groups: Sequence[Hashable]) -> list[NDArray[np.intp]]:
    """Return the indexes of each group's members, groups in the order of their first member."""
    places: dict[Hashable, list[int]] = {}
    for index, group in enumerate(groups):
        places.setdefault(group, []).append(index)
    return [np.array(members, dtype=np.intp) for members in places.values()]
