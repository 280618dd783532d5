"""From the experts' scale to a marker's: linear between anchors that stand where the guide's tiers begin."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from vivavoce.arithmetic import apply
from vivavoce.rubric.local import EXPERTS
from vivavoce.rubric.model import Anchor
from vivavoce.trace import Exact, Node, leaf


def estimate(scale: str, value: Exact, listener: str) -> Node:
    """Return an estimate of the listener as a leaf; `scale` accuracy or fluency, `value` 0 to 10."""
    return leaf("judged", f"predicted_{scale}", value, unit=EXPERTS, source=listener)


def to_score(anchors: Sequence[Anchor], predicted: Node, name: str) -> Node:
    """Return the score of an estimate.

    score = round_half_up(low_score + (x - low) / (high - low) * (high_score - low_score)) between the two anchors
    about x: it never falls where x rises.
    Parameters: `anchors` from 0 up; `predicted` 0 to 10; `name` of the step. Source: local_judge.toml, chosen.
    """
    low, high = next(
        (pair for pair in pairwise(anchors) if predicted.value <= pair[1].experts.value), (anchors[-2], anchors[-1])
    )
    return apply(
        "interpolate",
        name,
        predicted,
        low.experts,
        low.score,
        high.experts,
        high.score,
        unit="score",
        source=anchors[0].score.source.partition(".anchors.")[0] + ".anchors",
        note=f"between the anchors {low.id.replace('_', ' ')} and {high.id.replace('_', ' ')}",
    )
