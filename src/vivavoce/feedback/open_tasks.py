"""What held back, or carried, the task adherence of an open task: caps and checklist, story, band anchors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vivavoce.feedback.case import Case
from vivavoce.feedback.losses import gain
from vivavoce.feedback.model import Finding
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


def guarded(case: Case) -> Finding:
    """A checklist under caps: the cap that the score stands at, else what the checklist misses, else a cap that fired.

    A cap over the judge's score cost nothing; a cap at or under it is what stands in the way, whatever else is amiss.
    """
    trace, judged = case.trace, case.judged
    root, score_at = trace.name, case.at("judged_score")
    if case.strong:
        rule = next(iter(case.module.rules["task_adherence"].values())).rule
        return case.found(DONE_WELL[rule], score_at)
    lowered = _lowered_by(trace)
    if lowered:
        return case.found(lowered, root)
    fired, cap = _fired(trace, judged)
    if fired and cap == trace.value:
        return case.found(fired, root)
    if any(not item["covered"] for item in judged.get("checklist", ())):
        return case.found("points_missing", "judged/checklist")
    return case.found(fired, root) if fired else case.found("thin", score_at)


def told_story(case: Case) -> Finding:
    """Keywords and story: the half that cost more; a story so weak that it caps the blend has a finding of its own."""
    coverage, story = case.trace.find("coverage"), case.trace.find("story")
    if case.strong:
        best = coverage if coverage.value >= story.value else story
        return case.found({"coverage": "keywords_used", "story": "story_told"}[best.name], case.at(best.name))
    worst = max((coverage, story), key=lambda half: gain(case.rubric, case.trace, {half.name: 100}))
    if worst is coverage:
        return case.found("keywords_missing", case.at("coverage"))
    capped = story.value <= case.trace.find("weak_story_at_most").value
    return case.found("story_thin" if capped else "story_weak", case.at("story"))


def anchored(case: Case) -> Finding:
    """Band anchors have no parts: the tier of the score says how far the answer went."""
    near, partly, far, well = ANCHORED.get(case.module.id, UNNAMED)
    place = case.at("judged_score")
    if case.strong:
        return case.found(well, place)
    tier = case.rubric.tiers.index(case.rubric.tier_of_score(case.score))
    return case.found({1: near, 2: partly}.get(tier, far), place)
