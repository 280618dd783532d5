"""Checks of an edition that reach over several values: weights, tiers, count levels, the twister's shift."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from vivavoce.errors import RubricError
from vivavoce.rubric.model import Level, Rubric, Tier
from vivavoce.rubric.reader import Reader
from vivavoce.trace import Node, plain


def weights_sum_to_one(reader: Reader, weights: Mapping[str, Node]) -> None:
    """Refuse weights whose exact sum is not 1."""
    total = sum(weight.value for weight in weights.values())
    if total != 1:
        shown = " + ".join(plain(weight.value) for weight in weights.values())
        raise reader.error("rubric_weights", "", f"{shown} = {plain(total)}", "weights that sum to exactly 1")


def tiers_are_whole(reader: Reader, tiers: tuple[Tier, ...], lowest: Node, ceiling: Node) -> None:
    """Refuse tiers (best first) that leave a gap, overlap, or do not run from 0 to 1 and from lowest to ceiling."""
    for upper, lower in itertools.pairwise(tiers):
        low, high = upper.quality_low.value, lower.quality_high.value
        if low != high:
            kind = "a gap" if high < low else "an overlap"
            raise reader.error(
                "rubric_tiers",
                f"rows.{lower.id}.quality_high",
                f"{kind}: {lower.label} ends at {plain(high)}, {upper.label} begins at {plain(low)}",
                "tiers that meet",
            )
        if lower.score_high.value + 1 != upper.score_low.value:
            raise reader.error(
                "rubric_tiers",
                f"rows.{lower.id}.score_high",
                f"{lower.label} ends at {plain(lower.score_high.value)}, {upper.label} begins at "
                f"{plain(upper.score_low.value)}",
                "scores that follow on each other",
            )
    top, bottom = tiers[0], tiers[-1]
    if bottom.quality_low.value != 0 or top.quality_high.value != 1:
        found = f"{plain(bottom.quality_low.value)} to {plain(top.quality_high.value)}"
        raise reader.error("rubric_tiers", "rows", found, "tiers from quality 0 to quality 1")
    if bottom.score_low.value != lowest.value or top.score_high.value != ceiling.value:
        found = f"{plain(bottom.score_low.value)} to {plain(top.score_high.value)}"
        allowed = f"tiers from score {plain(lowest.value)} to score {plain(ceiling.value)}"
        raise reader.error("rubric_tiers", "rows", found, allowed)
    for tier in tiers:
        ordered = tier.quality_low.value < tier.quality_high.value <= tier.interpolate_to.value
        if not ordered or not tier.score_low.value < tier.score_high.value:
            raise reader.error("rubric_tiers", f"rows.{tier.id}", "edges out of order", "low edges under high edges")


def levels_are_whole(reader: Reader, levels: tuple[Level, ...], ambiguous: tuple[int, ...]) -> None:
    """Refuse count levels (best first) that leave a gap, or that share a count which is not named as ambiguous."""
    if levels[0].lowest != 0 or levels[-1].highest is not None:
        raise reader.error("rubric_levels", levels[0].tier, "counts not covered", "levels from 0 to an open end")
    shared: list[int] = []
    for better, worse in itertools.pairwise(levels):
        if better.highest is None or better.highest < better.lowest or worse.lowest > better.highest + 1:
            raise reader.error("rubric_levels", worse.tier, f"begins at {worse.lowest}", "levels without a gap")
        shared.extend(range(worse.lowest, better.highest + 1))
    if tuple(shared) != ambiguous:
        found = f"counts in two levels {shared}, named as ambiguous {list(ambiguous)}"
        raise reader.error("rubric_levels", "ambiguous", found, "each count that two levels claim, named")


def modules_are_whole(edition: str, rubric: Rubric) -> None:
    """Refuse chapters that do not count from 1, changes to modules that have no file, routes that no rule takes."""
    remedy = "restore the edition's files from the package"
    chapters = [module.chapter for module in rubric.modules.values()]
    if not chapters or chapters != list(range(1, len(chapters) + 1)):
        raise RubricError(
            "rubric_modules",
            where=f"{edition}/modules",
            found=f"chapters {chapters}",
            allowed="one module a chapter, from chapter 1 on",
            remedy=remedy,
        )
    for change in rubric.changes:
        for module in change["modules"]:
            if module not in rubric.modules:
                raise RubricError(
                    "rubric_modules",
                    where=f"{edition}/history.toml: history.changes.{change['id']}.modules",
                    found=f"the module '{module}', which has no file",
                    allowed=", ".join(rubric.modules),
                    remedy=remedy,
                )
    for marker in rubric.markers.values():
        routes = {rule.route for module in rubric.modules.values() for rule in module.rules[marker.id].values()}
        if marker.route != "module" and routes != {marker.route}:
            raise RubricError(
                "rubric_value",
                where=f"{edition}/edition.toml: edition.markers.{marker.id}.route",
                found=repr(marker.route),
                allowed=", ".join(sorted(routes)),
                remedy="name the route that the modules' rules take",
            )
