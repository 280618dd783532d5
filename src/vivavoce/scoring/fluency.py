"""What a fluency judge is held to: counts per thirty seconds, their levels, and the interval that levels allow."""

from __future__ import annotations

from collections.abc import Mapping

from vivavoce.arithmetic import apply
from vivavoce.errors import RequestError
from vivavoce.rubric.model import LevelTable, Module, Rubric
from vivavoce.trace import Node


def count_per_window(rubric: Rubric, count: Node, response_s: Node) -> Node:
    """Return the count as the level tables want it: round(count * 30 / response_s), not scaled up (A13)."""
    return apply(
        "per_window", f"{count.name}_per_30_s", count, response_s, rubric.fluency_window_s, source="fluency.counting"
    )


def level_of(table: LevelTable, count: int) -> tuple[str, str]:
    """Return the tier id of a count, and a note where the guide lets two levels claim it: the better counts (A11)."""
    tier = next(
        level.tier
        for level in table.levels
        if count >= level.lowest and (level.highest is None or count <= level.highest)
    )
    note = (
        f"the guide is ambiguous: two levels claim {count}; the better one counts" if count in table.ambiguous else ""
    )
    return tier, note


def interval(rubric: Rubric, module: Module, grade_band: str, levels: Mapping[str, str]) -> tuple[Node, Node]:
    """Return the lowest and the highest score that three levels allow (A14).

    Each is round(sum of sub-weight * the level's tier's lowest, or highest, score).
    Parameters: `levels` tier id by sub-marker (smoothness, filler_control, recovery).
    """
    tiers = {tier.id: tier for tier in rubric.tiers}
    weights = module.fluency[grade_band].weights
    lows = [node for name, weight in weights.items() for node in (tiers[levels[name]].score_low, weight)]
    highs = [node for name, weight in weights.items() for node in (tiers[levels[name]].score_high, weight)]
    return (
        apply("weighted_score", "fluency_lowest", *lows, unit="score", source="choices.choices.levels_bound_fluency"),
        apply("weighted_score", "fluency_highest", *highs, unit="score", source="choices.choices.levels_bound_fluency"),
    )


def check_levels(
    rubric: Rubric, module: Module, grade_band: str, score: int, levels: Mapping[str, str], where: str
) -> None:
    """Refuse a fluency score outside the interval that its own levels allow (A14)."""
    low, high = interval(rubric, module, grade_band, levels)
    if not low.value <= min(score, int(rubric.ceiling.value)) <= high.value:
        raise RequestError(
            "score_contradicts_levels",
            where=where,
            found=f"{score} with " + ", ".join(f"{name} {level}" for name, level in levels.items()),
            allowed=f"{low.value} to {high.value} with these levels",
            remedy="judge again: the score must fit its own levels",
        )
