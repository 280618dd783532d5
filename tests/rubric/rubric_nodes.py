"""Every parameter that the rules of a loaded rubric work on."""

from __future__ import annotations

from collections.abc import Iterator

from vivavoce.rubric.model import MarkerRule, Module, Rubric
from vivavoce.trace import Node


def rule_nodes(rule: MarkerRule) -> Iterator[Node]:
    """Yield the parameters of one rule."""
    for component in rule.components:
        yield component.weight
        yield from component.parameters
    if rule.cut is not None:
        yield from (rule.cut.max_cut, rule.cut.rate_at_max)
    if rule.short_under_s is not None:
        yield rule.short_under_s
    yield from (rule.parameters or {}).values()
    yield from (rule.named_caps or {}).values()


def module_nodes(module: Module) -> Iterator[Node]:
    """Yield the parameters of a module: its weights, its rules, its fluency tables."""
    yield from module.weights.values()
    for by_band in module.rules.values():
        for rule in by_band.values():
            yield from rule_nodes(rule)
    for tables in module.fluency.values():
        yield from tables.weights.values()


def all_nodes(rubric: Rubric) -> Iterator[Node]:
    """Yield every parameter of the rubric."""
    for tier in rubric.tiers:
        yield from (tier.quality_low, tier.quality_high, tier.interpolate_to, tier.score_low, tier.score_high)
    yield from (rubric.ceiling, rubric.judged_lowest, rubric.judged_highest, rubric.fluency_window_s)
    for module in rubric.modules.values():
        yield from module_nodes(module)
