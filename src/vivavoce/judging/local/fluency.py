"""Fluency: what was counted decides the levels where it can be counted, the listener's estimate places the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vivavoce.arithmetic import apply
from vivavoce.judging.checks import Facts
from vivavoce.judging.local.mapping import to_score
from vivavoce.rubric.model import LevelTable, Module, Rubric
from vivavoce.scoring.fluency import count_per_window, level_of
from vivavoce.strict import refuse
from vivavoce.trace import Node, leaf

BOUNDS = "choices.choices.levels_bound_fluency"
RECOVERY = "local_judge.fluency.recovery"
COUNTED = "local_judge.fluency.counted"
PARTS = {"smoothness": "false_starts", "filler_control": "disruptive_fillers"}


@dataclass(frozen=True, slots=True)
class Counts:
    """What code counted over the whole recording, its response time (M4), and whether nothing was left out of it.

    `verbatim`: the transcript keeps every filler and restart; else the counts are the least that was said.
    """

    false_starts: int
    disruptive_fillers: int
    response_s: Node
    verbatim: bool

    def as_dict(self) -> dict[str, int]:
        """Return the counts as a judge's contract has them."""
        return {"false_starts": self.false_starts, "disruptive_fillers": self.disruptive_fillers}


@dataclass(frozen=True, slots=True)
class Fluency:
    """The level of each sub-marker, a tier's id, and the score with its steps."""

    levels: Mapping[str, str]
    score: Node


def fluency(rubric: Rubric, module: Module, grade_band: str, predicted: Node, counts: Counts) -> Fluency:
    """Return the levels and the score that counts and estimate give together.

    score = min(highest, max(lowest, heard)): `heard` the mapped estimate, `lowest` and `highest` what the three
    levels allow (A14). It never falls where the estimate rises, and never rises where a count does.
    Parameters: `predicted` fluency on the experts' scale. Source: local_judge.toml, fluency; A11, A13, A14.
    """
    heard = to_score(rubric.local.fluency, predicted, "heard_score")
    by_ear = _heard_level(rubric, heard)
    tables = module.fluency[grade_band]
    levels = {}
    for part, table in (("smoothness", tables.false_starts), ("filler_control", tables.fillers)):
        counted = _counted_level(rubric, part, table, counts)
        levels[part] = counted if counts.verbatim else _worse(part, counted, by_ear)
    levels["recovery"] = _recovery(counts, by_ear)
    bounds = [_bound(rubric, tables.weights, levels, at) for at in ("lowest", "highest")]
    least = apply("maximum", "at_least", heard, bounds[0], unit="score", source=BOUNDS)
    placed = apply("minimum", "judged_score", least, bounds[1], unit="score", source="local_judge.fluency.placing")
    return Fluency({part: rubric.tiers[int(levels[part].value)].id for part in tables.weights}, placed)


def _label(rubric: Rubric, level: int) -> str:
    return rubric.tiers[level].label


def _heard_level(rubric: Rubric, heard: Node) -> Node:
    """The place of the heard score's tier, from 0, the best."""
    edges = [tier.score_low for tier in rubric.tiers[:-1]]
    place = rubric.tiers.index(rubric.tier_of_score(int(heard.value)))
    return apply("passed", "heard_level", heard, *edges, source="edition.tiers", note=_label(rubric, place))


def _counted_level(rubric: Rubric, part: str, table: LevelTable, counts: Counts) -> Node:
    """The place of the level that a count has in the guide's table, from 0, the best."""
    name = PARTS[part]
    note = "" if counts.verbatim else "at least: the transcript may have dropped some"
    count = leaf("measured", name, getattr(counts, name), unit="count", source="A13", note=note)
    rate = count_per_window(rubric, count, counts.response_s)
    edges = [
        leaf("parameter", f"{level.tier}_to", level.highest, source=f"{table.source}.{level.tier}")
        for level in table.levels
        if level.highest is not None
    ]
    tier, ambiguous = level_of(table, int(rate.value))
    place = [one.id for one in rubric.tiers].index(tier)
    told = "; ".join(filter(None, (_label(rubric, place), ambiguous)))
    return apply("passed", f"{part}_counted", rate, *edges, source=table.source, note=told)


def _worse(part: str, counted: Node, by_ear: Node) -> Node:
    return apply(
        "maximum",
        f"{part}_level",
        counted,
        by_ear,
        source=COUNTED,
        note="the lower of the two levels: the count is a floor",
    )


def _recovery(counts: Counts, by_ear: Node) -> Node:
    if not counts.verbatim:
        return apply("minimum", "recovery_level", by_ear, source=RECOVERY)
    known = [leaf("measured", name, value, unit="count", source="A13") for name, value in counts.as_dict().items()]
    slips = apply("sum", "disruptions", *known, unit="count")
    nothing = "" if slips.value else "nothing to recover from"
    # The third operand is taken where there are no disruptions, and is 0 then: the best level.
    return apply("choose", "recovery_level", slips, by_ear, slips, source=RECOVERY, note=nothing)


def _bound(rubric: Rubric, weights: Mapping[str, Node], levels: Mapping[str, Node], at: str) -> Node:
    """The lowest or the highest score that three levels allow (A14)."""
    scores = [tier.score_low if at == "lowest" else tier.score_high for tier in rubric.tiers]
    operands = []
    for part, weight in weights.items():
        operands += [apply("lookup", f"{part}_{at}", levels[part], *scores, unit="score", source=BOUNDS), weight]
    return apply("weighted_score", f"fluency_{at}", *operands, unit="score", source=BOUNDS)


def levels_within_counts(reply: Mapping[str, Any], facts: Facts) -> None:
    """Refuse a level above the one of its count in the guide's table; under it is allowed, since the count is a floor.

    Takes the place of `levels_follow_counts` where the transcript is not verbatim.
    """
    tables = facts.module.fluency[facts.grade_band]
    places = [tier.id for tier in facts.rubric.tiers]
    for part, table in (("smoothness", tables.false_starts), ("filler_control", tables.fillers)):
        count = leaf("judged", PARTS[part], reply["counts"][PARTS[part]], unit="count")
        known = facts.response_s or leaf("measured", "response_s", 0, unit="s")
        best, _ = level_of(table, int(count_per_window(facts.rubric, count, known).value))
        if places.index(reply["levels"][part]) < places.index(best):
            found = f"{reply['levels'][part]} with {count.name} {count.value}"
            raise refuse("level_contradicts_count", f"/levels/{part}", found, f"{best} at best, by {table.source}")
