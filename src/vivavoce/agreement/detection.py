"""Detection: how well a score tells two kinds apart, and what flagging by it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vivavoce.agreement.correlation import average_ranks
from vivavoce.agreement.numbers import Numbers, as_values


def roc_area(scores: Numbers, positive: Sequence[bool]) -> float | None:
    """Return the area under the ROC curve: how often a positive scores above a negative, a tie counting half.

    AUC = (sum of the positives' average ranks - p (p + 1) / 2) / (p * n), p positives, n negatives

    Parameters: `scores` finite numbers, higher for positive; `positive` what each is.
    Returns 0 to 1, .5 for chance; None where there are no positives or no negatives.
    Raises ValueError for lists of different lengths, nan or infinity. Source: Hanley and McNeil (1982).
    """
    values = as_values(scores)
    if values.size != len(positive):
        raise ValueError(f"{values.size} scores for {len(positive)} labels")
    count = sum(positive)
    if count in (0, values.size):
        return None
    ranks = sum(rank for rank, is_positive in zip(average_ranks(values), positive, strict=True) if is_positive)
    return float((ranks - count * (count + 1) / 2) / (count * (values.size - count)))


@dataclass(frozen=True, slots=True)
class Detection:
    """Counts of a detector's hits, misses and false alarms."""

    found: int
    missed: int
    false_alarms: int
    rightly_left: int

    @property
    def precision(self) -> float | None:
        """found / (found + false_alarms): the share of flags that are right; None where nothing was flagged."""
        return _share(self.found, self.found + self.false_alarms)

    @property
    def recall(self) -> float | None:
        """found / (found + missed): the share of positives that are flagged; None where there are none."""
        return _share(self.found, self.found + self.missed)

    @property
    def false_alarm_rate(self) -> float | None:
        """false_alarms / (false_alarms + rightly_left): the share of negatives flagged; None where there are none."""
        return _share(self.false_alarms, self.false_alarms + self.rightly_left)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def detection(flagged: Sequence[bool], positive: Sequence[bool]) -> Detection:
    """Return the four counts of flags against what is so.

    Parameters: two equally long lists. Raises ValueError for lists of different lengths.
    Source: van Rijsbergen (1979), precision and recall.
    """
    pairs = list(zip(flagged, positive, strict=True))
    return Detection(
        found=sum(flag and real for flag, real in pairs),
        missed=sum(real and not flag for flag, real in pairs),
        false_alarms=sum(flag and not real for flag, real in pairs),
        rightly_left=sum(not flag and not real for flag, real in pairs),
    )
