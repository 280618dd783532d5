"""Raters: how well one of several people agrees with the others, which is what a machine can be held against."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vivavoce.agreement.numbers import Numbers, as_values

Ratings = Sequence[Sequence[float | None]]
"""By recording, then by rater: a rater has the same place in every row; None or a row's end where one did not rate."""
Statistic = Callable[[Numbers, Numbers], float | None]
Pool = Callable[[Sequence[float]], float]


def mean_of(ratings: Sequence[float]) -> float:
    """Return the mean of a recording's ratings (one or more)."""
    return math.fsum(ratings) / len(ratings)


def rounded_median(ratings: Sequence[float]) -> float:
    """Return the median of a recording's ratings (one or more) as a whole number, half up.

    Source: speechocean762 (Zhang et al. 2021), whose published scores are the median of five experts' as whole numbers.
    """
    median = statistics.median(ratings)
    whole = math.floor(median)
    return float(whole + (median - whole >= 0.5))


@dataclass(frozen=True, slots=True)
class Ceiling:
    """A statistic of one rater against the others: its mean over raters, and by rater with the recordings counted."""

    value: float | None
    by_rater: tuple[float | None, ...]
    counts: tuple[int, ...]


def against_others(
    ratings: Ratings,
    statistic: Statistic,
    pool: Pool = mean_of,
    *,
    predicted: Numbers | None = None,
    keep: Callable[[float], bool] | None = None,
) -> Ceiling:
    """Return how well one rater agrees with the other raters of the same recordings, averaged over raters.

    value = mean over raters r of statistic(r's ratings, pool of the others' ratings), over the recordings that r rated

    A recording counts for r where r and at least one other rated it; with five ratings the others are four, with four
    three. With `predicted` it stands in r's place on the very same recordings and against the very same others: what
    a machine gets where people get `value` without it. `keep` takes part of the scale by the others' ratings alone:
    to choose by all of them, r's too, would make r and the others differ where they are held against each other.

    Parameters: `ratings` by recording, each by rater (see `Ratings`); `statistic` of (given, truth); `pool` of one
    recording's other ratings; `predicted` a score a recording, or None; `keep` whether a pooled value counts.
    Returns `Ceiling`; `value` is the mean over raters that have one, None where none has (fewer than two raters).
    Raises ValueError where `predicted` has another length. Source: leave-one-rater-out agreement, as in Zhang et al.
    (2021) and issue 6's figures ("one average human rater against the mean of the other four").
    """
    machine = None if predicted is None else as_values(predicted)
    if machine is not None and machine.size != len(ratings):
        raise ValueError(f"{machine.size} predictions for {len(ratings)} recordings")
    values: list[float | None] = []
    counts: list[int] = []
    for rater in range(max((len(row) for row in ratings), default=0)):
        given: list[float] = []
        truth: list[float] = []
        for place, row in enumerate(ratings):
            own = row[rater] if rater < len(row) else None
            others = [value for other, value in enumerate(row) if other != rater and value is not None]
            if own is None or not others:
                continue
            pooled = pool(others)
            if keep is None or keep(pooled):
                given.append(own if machine is None else float(machine[place]))
                truth.append(pooled)
        values.append(statistic(given, truth))
        counts.append(len(given))
    found = [value for value in values if value is not None]
    return Ceiling(mean_of(found) if found else None, tuple(values), tuple(counts))
