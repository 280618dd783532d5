"""Choose the one thing to tell about a marker, by code, from its trace and judgement alone.

Excellent (the rubric's best tier) is told what was done best; every other score what held it back: the thing without
which the score would be highest, all else as it is. Ties go to the thing that the rubric lists first. Neither the
student's grade nor a model has a say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from vivavoce.feedback.case import Case
from vivavoce.feedback.losses import gain
from vivavoce.feedback.model import Finding
from vivavoce.feedback.open_tasks import anchored, guarded, told_story
from vivavoce.rubric.model import Rubric
from vivavoce.scoring.model import Outcome
from vivavoce.trace import Exact, Node

# Component -> the finding where its measurement lies under its full credit, where over it, and where it is the best.
PARTS: dict[str, dict[str, tuple[str, str, str]]] = {
    "speaking_rate": {
        "words_per_minute": ("too_slow", "too_fast", "good_pace"),
        "consistency": ("too_even", "uneven", "steady_pace"),
        "choppiness": ("choppy", "choppy", "smooth_phrases"),
        "acceleration": ("no_speed_up", "no_speed_up", "speeds_up"),
    },
    "volume_control": {
        "level": ("too_quiet", "too_loud", "good_level"),
        "consistency": ("uneven", "uneven", "steady"),
        "fade": ("fades", "fades", "strong_endings"),
    },
}
FLUENCY = {
    "smoothness": ("false_starts", "smooth"),
    "filler_control": ("fillers", "fillers_controlled"),
    "recovery": ("recovery", "recovered"),
}
COUNTED = {"smoothness": "false_starts", "filler_control": "disruptive_fillers"}
# The lower edge of full credit among the operands of a quality that may be missed on either side.
LOWER_EDGE = {"trapezoid": 2, "steady_band": 1}


def _qualities(trace: Node) -> dict[str, tuple[Node, Node]]:
    """Return component id -> its quality and weight; a quality that a module forces was nobody's doing."""
    operands = trace.find("quality").operands
    pairs = zip(operands[::2], operands[1::2], strict=True)
    return {q.name.removesuffix("_quality"): (q, w) for q, w in pairs if q.op != "parameter"}


def _under(quality: Node) -> bool:
    """Whether the measurement lies under the full credit of its quality, not over it."""
    edge = LOWER_EDGE.get(quality.op)
    return edge is not None and quality.operands[0].value < quality.operands[edge].value


def _by_parts(case: Case) -> Finding:
    """Speaking Rate and Volume Control: the component, or the hesitation cut, that cost most."""
    names, parts = PARTS[case.marker], _qualities(case.trace)
    if case.strong:
        best = max(parts, key=lambda part: (parts[part][0].value, parts[part][1].value))
        return case.found(names[best][2], case.at(f"{best}_quality"))
    causes: dict[str, Exact] = {f"{part}_quality": 1 for part in parts}
    if case.trace.op == "after_cut":
        causes["hesitation_cut"] = 0
    worst = max(causes, key=lambda node: gain(case.rubric, case.trace, {node: causes[node]}))
    if worst == "hesitation_cut":
        return case.found("long_pauses", case.at(worst))
    under, over, _ = names[worst.removesuffix("_quality")]
    return case.found(under if _under(case.trace.find(worst)) else over, case.at(worst))


def _by_words(case: Case) -> Finding:
    """A reading: words left at the end, words skipped or changed, or words added; among equals the more words."""
    value = {name: case.trace.find(name).value for name in ("reference_words", "trailing_omissions", "matched")}
    trailing, added = value["trailing_omissions"], case.trace.find("insertions").value
    reached = value["reference_words"] - trailing
    if case.strong:
        parts = _qualities(case.trace)
        whole = trailing == 0 and parts["completion"][0].value > parts["accuracy"][0].value
        return case.found("to_the_end" if whole else "accurate", case.at("completion" if whole else "accuracy"))
    causes: dict[str, tuple[str, Mapping[str, Exact], Exact]] = {
        "stopped_early": (
            "trailing_omissions",
            {"trailing_omissions": 0, "matched": value["matched"] + trailing},
            trailing,
        ),
        "words_missed": ("matched", {"matched": reached}, reached - value["matched"]),
        "words_added": ("insertions", {"insertions": 0}, added),
    }
    worst = max(causes, key=lambda name: (gain(case.rubric, case.trace, causes[name][1]), causes[name][2]))
    return case.found(worst, case.at(causes[worst][0]))


def _pronunciation(case: Case) -> Finding:
    if case.strong:
        return case.found("clear", case.at("judged_score"))
    lower_tiers = [tier.id for tier in case.rubric.tiers[-2:]]
    if case.rubric.tier_of_score(case.score).id in lower_tiers:
        return case.found("hard_to_follow", case.at("judged_score"))
    if case.judged.get("unclear_words"):
        return case.found("words_unclear", "judged/unclear_words")
    return case.found("sounds_soft", case.at("judged_score"))


def _fluency(case: Case) -> Finding:
    """The level that cost most: weight * (ceiling - highest score of its tier).

    The sub-weights differ between grade bands and the finding must not, so a level's weight is its sum over all bands.
    """
    levels, counts = case.judged.get("levels"), case.judged.get("counts") or {}
    if not levels:
        return case.found("flowing" if case.strong else _flow(case), case.at("judged_score"))
    highest = {tier.id: tier.score_high.value for tier in case.rubric.tiers}
    weight = {part: sum(band.weights[part].value for band in case.module.fluency.values()) for part in FLUENCY}
    if case.strong:
        slips = any(counts.get(name) for name in COUNTED.values())
        parts = [part for part in FLUENCY if part != "recovery" or slips]
        best = max(parts, key=lambda part: (highest[levels[part]], weight[part]))
        return case.found(FLUENCY[best][1], f"judged/levels/{best}")
    cost = {part: weight[part] * (case.rubric.ceiling.value - highest[levels[part]]) for part in FLUENCY}
    # A level may be low though nothing was counted: of that only the flow is told, and not before what was counted.
    absent = {part for part in FLUENCY if counts.get(COUNTED.get(part, "")) == 0}
    absent |= {"recovery"} if absent >= set(COUNTED) else set()
    worst = max(FLUENCY, key=lambda part: (part not in absent and cost[part] > 0, cost[part]))
    return case.found(_flow(case) if worst in absent else FLUENCY[worst][0], f"judged/levels/{worst}")


def _flow(case: Case) -> str:
    """What is told where nothing was counted and the flow alone cost marks: little is said of the second best tier."""
    second = case.rubric.tier_of_score(case.score).id == case.rubric.tiers[1].id
    return "flow_uneven" if second else "flow_broken"


def _judged(case: Case) -> Finding:
    return _pronunciation(case) if case.marker == "pronunciation" else _fluency(case)


CHOOSERS: dict[str, Callable[[Case], Finding]] = {
    "tiers": _by_parts,
    "alignment": _by_words,
    "judged": _judged,
    "checklist_with_guardrails": guarded,
    "checklist_with_order_rules": guarded,
    "keywords_and_story": told_story,
    "band_anchors": anchored,
}


def choose(
    rubric: Rubric,
    module_id: str,
    grade_band: str,
    marker: str,
    outcome: Outcome,
    judged: Mapping[str, Any] | None = None,
) -> Finding:
    """Return the one thing to tell about a marker.

    Parameters: `outcome` as scored; `judged` what was accepted of the judgement (levels, checklist, unclear words), or
    None where a person gave the score alone or code made it. `grade_band` names the rule only, which is the same in all
    bands: the same trace and judgement give the same finding at every grade.
    Returns: the Finding; of kind `none`, with the reason, for a marker that is pending or not scored.
    """
    if outcome.trace is None or outcome.score is None:
        reason = outcome.reason.found if outcome.reason else ""
        return Finding(marker, outcome.state, "none", reason=reason)
    module = rubric.modules[module_id]
    rule = module.rules[marker][grade_band].rule
    return CHOOSERS[rule](Case(rubric, module, marker, outcome.trace, outcome.score, judged or {}))


def choose_all(
    rubric: Rubric,
    module_id: str,
    grade_band: str,
    markers: Mapping[str, Outcome],
    judged: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Finding]:
    """Return the finding of every marker, by marker id."""
    known = judged or {}
    return {name: choose(rubric, module_id, grade_band, name, markers[name], known.get(name)) for name in markers}
