"""What a thing cost: the score that the same trace gives with that one thing right, before rounding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from vivavoce.arithmetic import OPERATIONS
from vivavoce.rubric.model import Rubric
from vivavoce.trace import LEAVES, Exact, Node


def _weighted(values: tuple[Exact, ...]) -> Exact:
    return sum((Fraction(v) * Fraction(w) for v, w in zip(values[::2], values[1::2], strict=True)), Fraction())


# Rounded scores tie where the losses under them do not, so these are taken without their rounding.
UNROUNDED: dict[str, Callable[[tuple[Exact, ...]], Exact]] = {
    "weighted_score": _weighted,
    "after_cut": lambda v: v[0] * (1 - v[1]),
}


def in_tier(rubric: Rubric, quality: Exact) -> Exact:
    """Return the score of a weighted quality, not rounded: score_low + frac * (score_high - score_low) of its tier."""
    tier = next(tier for tier in rubric.tiers if quality >= tier.quality_low.value)
    low, width = tier.quality_low.value, tier.interpolate_to.value - tier.quality_low.value
    fraction = Fraction(quality - low) / Fraction(width)
    return tier.score_low.value + fraction * (tier.score_high.value - tier.score_low.value)


def points(rubric: Rubric, node: Node, changed: Mapping[str, Exact]) -> Exact:
    """Return what the trace gives with other values at the nodes named in `changed`, scores not rounded.

    Another quality may lie in another tier, so the tier is taken anew from the rubric.
    """
    if node.name in changed:
        return changed[node.name]
    if node.op in LEAVES:
        return node.value
    if node.op == "tier_score":
        return in_tier(rubric, points(rubric, node.operands[0].operands[0], changed))
    values = tuple(points(rubric, operand, changed) for operand in node.operands)
    return UNROUNDED.get(node.op, OPERATIONS[node.op].compute)(values)


def gain(rubric: Rubric, trace: Node, changed: Mapping[str, Exact]) -> Exact:
    """Return how many points more the trace gives with these values: what their absence cost."""
    return points(rubric, trace, changed) - points(rubric, trace, {})


def path_to(trace: Node, name: str) -> str:
    """Return the names from the root to the first node of that name, joined by `/`. Raises KeyError without one."""
    if trace.name == name:
        return name
    for operand in trace.operands:
        try:
            return f"{trace.name}/{path_to(operand, name)}"
        except KeyError:
            continue
    raise KeyError(name)
