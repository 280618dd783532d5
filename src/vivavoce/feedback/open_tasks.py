"""What held back, or carried, the task adherence of an open task: caps and checklist, story, band anchors.

Each function returns the finding's name and the place that it rests on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vivavoce.feedback.losses import gain, path_to
from vivavoce.rubric.model import Module, Rubric
from vivavoce.trace import Node

NO_DETAIL = "no_detail"
# How score_with_caps names the caps that lowered a score, where the name is not the rule's own.
CAP_NOTE = "lowered by "
CAP_FINDINGS = {"no specific detail": NO_DETAIL}
DONE_WELL = {"checklist_with_guardrails": "vivid_detail", "checklist_with_order_rules": "points_covered"}
# By tier of the score: good, adequate, lower; then the best tier.
ANCHORED = {
    "rapid_fire_qa": ("answers_near", "answers_partly", "answers_off", "answers_on_topic"),
    "silly_topics_debate": ("case_near", "case_partly", "case_weak", "case_made"),
}
UNNAMED = ("thin", "thin", "thin", "points_covered")


def _lowered_by(trace: Node) -> str:
    """Return the finding of the cap that lowered the score, the first named among equals, or "" where none did."""
    names = trace.note.removeprefix(CAP_NOTE).split(", ") if trace.note.startswith(CAP_NOTE) else []
    caps = [name for name in names if name != "the ceiling"]
    return CAP_FINDINGS.get(caps[0], caps[0]) if caps else ""


def _fired(trace: Node, judged: Mapping[str, Any]) -> tuple[str, int]:
    """Return the finding and value of the lowest cap that fired, whether or not it lowered the score."""
    broken = [str(rule["id"]) for rule in judged.get("order_rules", ()) if rule["broken"]]
    found: list[tuple[int, str]] = []
    for cap in trace.operands[1:-1]:
        *_, holder, name = cap.source.split(".")
        finding = {"specific_detail": NO_DETAIL}.get(holder, holder)
        if name == "order_cap":
            finding = broken[0] if broken else ""
        if finding:
            found.append((int(cap.value), finding))
    value, finding = min(found, key=lambda item: item[0], default=(0, ""))
    return finding, value


def guarded(
    rubric: Rubric,  # noqa: ARG001
    module: Module,
    trace: Node,
    judged: Mapping[str, Any],
    strong: bool,
) -> tuple[str, str]:
    """A checklist under caps: the cap that the score stands at, else what the checklist misses, else a cap that fired.

    A cap over the judge's score cost nothing; a cap at or under it is what stands in the way, whatever else is amiss.
    """
    root, score_at = trace.name, path_to(trace, "judged_score")
    if strong:
        rule = next(iter(module.rules["task_adherence"].values())).rule
        return DONE_WELL[rule], score_at
    lowered = _lowered_by(trace)
    if lowered:
        return lowered, root
    fired, cap = _fired(trace, judged)
    if fired and cap == trace.value:
        return fired, root
    if any(not item["covered"] for item in judged.get("checklist", ())):
        return "points_missing", "judged/checklist"
    return (fired, root) if fired else ("thin", score_at)


def told_story(
    rubric: Rubric,
    module: Module,  # noqa: ARG001
    trace: Node,
    judged: Mapping[str, Any],  # noqa: ARG001
    strong: bool,
) -> tuple[str, str]:
    """Keywords and story: the half that cost more; a story so weak that it caps the blend has a finding of its own."""
    coverage, story = trace.find("coverage"), trace.find("story")
    if strong:
        best = coverage if coverage.value >= story.value else story
        return {"coverage": "keywords_used", "story": "story_told"}[best.name], path_to(trace, best.name)
    worst = max((coverage, story), key=lambda half: gain(rubric, trace, {half.name: 100}))
    if worst is coverage:
        return "keywords_missing", path_to(trace, "coverage")
    capped = story.value <= trace.find("weak_story_at_most").value
    return "story_thin" if capped else "story_weak", path_to(trace, "story")


def anchored(
    rubric: Rubric,
    module: Module,
    trace: Node,
    judged: Mapping[str, Any],  # noqa: ARG001
    strong: bool,
) -> tuple[str, str]:
    """Band anchors have no parts: the tier of the score says how far the answer went."""
    near, partly, far, well = ANCHORED.get(module.id, UNNAMED)
    place = path_to(trace, "judged_score")
    if strong:
        return well, place
    tier = rubric.tiers.index(rubric.tier_of_score(int(trace.value)))
    return {1: near, 2: partly}.get(tier, far), place
