"""From measurements to qualities, from qualities to a score in its tier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vivavoce.arithmetic import apply
from vivavoce.rubric.model import Component, MarkerRule, Rubric
from vivavoce.trace import Node

OPERATION_OF_RULE = {
    "range": "trapezoid",
    "at_most": "ramp_down",
    "at_least": "ramp_up",
    "steady_band": "steady_band",
    "steady_ceiling": "steady_ceiling",
    "rises": "choose",
}


@dataclass(frozen=True, slots=True)
class Weighed:
    """A component's quality with the weight it carries."""

    component: Component
    quality: Node
    weight: Node


def component_quality(component: Component, measurement: Node | None) -> Node | None:
    """Return the quality (0-1) of a sub-marker, or None where its input could not be measured."""
    if component.rule == "forced":
        return component.parameters[0]
    if measurement is None:
        return None
    parameters = component.parameters
    if component.rule == "at_most" and len(parameters) == 3:
        counts_from = parameters[2]
        parameters = parameters[:2]
        measurement = apply(
            "maximum",
            f"{component.id}_counted",
            measurement,
            counts_from,
            unit=component.unit,
            source=counts_from.source,
        )
    return apply(
        OPERATION_OF_RULE[component.rule],
        f"{component.id}_quality",
        measurement,
        *parameters,
        source=component.source,
    )


def weigh(rule: MarkerRule, values: Mapping[str, Node | None], *, short: str) -> tuple[list[Weighed], list[str]]:
    """Return the measurable components with their weights, and why the others were dropped.

    Weights that remain are rescaled to sum to 1, exactly: weight / sum of the remaining weights (A6). `short` says
    that there is too little speech for some of them, or is empty.
    """
    kept: list[tuple[Component, Node]] = []
    dropped: list[str] = []
    for component in rule.components:
        if short and component.id in rule.short_drops:
            dropped.append(f"{component.id} dropped: {short}")
            continue
        quality = component_quality(component, values.get(component.needs))
        if quality is None:
            dropped.append(f"{component.id} dropped: {component.needs} could not be measured")
            continue
        kept.append((component, quality))
    if not dropped:
        return [Weighed(component, quality, component.weight) for component, quality in kept], dropped
    if not kept:
        return [], dropped
    remaining = apply("sum", "remaining_weight", *[component.weight for component, _ in kept], note="; ".join(dropped))
    return [
        Weighed(component, quality, apply("ratio", f"{component.id}_weight", component.weight, remaining))
        for component, quality in kept
    ], dropped


def weighted_quality(weighed: list[Weighed], dropped: list[str]) -> Node:
    """Return the weighted quality: sum of quality * weight, half up to 6 decimals."""
    operands = [node for part in weighed for node in (part.quality, part.weight)]
    return apply("weighted_quality", "quality", *operands, note="; ".join(dropped))


def tier_score(rubric: Rubric, quality: Node, name: str, note: str = "") -> Node:
    """Return the score of a weighted quality, interpolated inside its tier.

    frac = (quality - tier_low) / (tier_high - tier_low); score = round(score_low + frac * (score_high - score_low)).
    Source: the rubric's edition.tiers; the Excellent tier interpolates to 1.01.
    """
    tier = next(tier for tier in rubric.tiers if quality.value >= tier.quality_low.value)
    fraction = apply(
        "tier_fraction",
        "frac",
        quality,
        tier.quality_low,
        tier.interpolate_to,
        source="edition.tiers.formulas",
        note=f"tier taken: {tier.label}",
    )
    return apply(
        "tier_score",
        name,
        fraction,
        tier.score_low,
        tier.score_high,
        unit="score",
        source="edition.tiers.formulas",
        note=note,
    )
