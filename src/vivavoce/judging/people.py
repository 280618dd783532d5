"""Judgements by people: the sheet that asks for one, built from the same contract, and what they give read by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vivavoce.judging.judge import Brief, Verdict
from vivavoce.judging.levels_text import fluency_sections
from vivavoce.judging.prompt import rule_texts
from vivavoce.judging.shape import Flag, Many, Pick, Record, Rows, Shape, Text, Whole
from vivavoce.rubric.model import Rubric
from vivavoce.strict import parse_json, refuse
from vivavoce.submission import Judgement

PERSON = "person"


def sheet(brief: Brief) -> dict[str, Any]:
    """Return the sheet of a marker: what is asked, the form to fill, and what helps to fill it.

    `values` is the form, with null where an answer is wanted; `allowed` says what may stand there, by the same keys.
    A filled sheet is read by `read_sheet` under the contract that models are held to.
    """
    contract, rubric = brief.contract(), brief.rubric
    rule = brief.module.rules[brief.marker][brief.grade_band].rule
    part = rubric.judging.parts[
        {"keywords_and_story": "story", "band_anchors": "band_anchors", "judged": brief.marker}.get(rule, "checklist")
    ]
    task = brief.material.task
    return {
        "marker": brief.marker,
        "title": rubric.markers[brief.marker].title,
        "question": part.lead,
        "what_counts": list(part.what_counts),
        "anchors": {tier.id: f"{tier.label}: {part.anchors[tier.id]}" for tier in rubric.tiers},
        "tiers": {tier.id: [tier.score_low.number, tier.score_high.number] for tier in rubric.tiers},
        "note": brief.module.notes.get("mastery" if brief.marker == "task_adherence" else brief.marker, ""),
        "points": {f"point_{n}": item.text for n, item in enumerate(task.checklist, 1)},
        "questions": {f"question_{n}": text for n, text in enumerate(task.questions, 1)},
        "rules": _rules(brief, rule),
        "allowed": _allowed(contract.shape),
        "values": _blank(contract.shape),
    }


def _rules(brief: Brief, rule: str) -> dict[str, Any]:
    """What else the contract holds a filled sheet to, by name: guardrails, order rules, the tables of fluency."""
    rubric, module, task = brief.rubric, brief.module, brief.material.task
    if brief.marker == "fluency":
        return dict(fluency_sections(rubric, module, brief.grade_band, brief.material))
    found: dict[str, Any] = {}
    if rule == "checklist_with_guardrails":
        found = dict(rule_texts(rubric, module, "guardrails"))
        found["specific_detail"] = rubric.lookup(f"modules.{module.id}.adherence.specific_detail.text").value
    elif rule == "checklist_with_order_rules":
        found = dict(rule_texts(rubric, module, "order_rules"))
    if brief.marker == "task_adherence" and rule != "keywords_and_story" and (task.checklist or task.questions):
        found["tier"] = rubric.judging.texts["done"]
    return found


def _allowed(shape: Shape) -> Any:
    match shape:
        case Record():
            return {name: _allowed(inner) for name, inner in shape.fields.items()}
        case Rows():
            return {name: _allowed(shape.row) for name in shape.ids}
        case Many():
            return [_allowed(shape.shape)]
        case Pick():
            return " | ".join(shape.among)
        case Flag():
            return "true | false"
        case Whole():
            return f"{shape.low} to {shape.high}"
        case Text():
            return shape.about or f"a text of {shape.least} to {shape.most} characters"
    raise TypeError(f"no such shape: {shape}")


def _blank(shape: Shape) -> Any:
    match shape:
        case Record():
            return {name: _blank(inner) for name, inner in shape.fields.items()}
        case Rows():
            return {name: _blank(shape.row) for name in shape.ids}
        case Many():
            return []
        case Text():
            return ""
    return None


def read_sheet(brief: Brief, raw: str, by: str, why: str, at: str) -> Verdict:
    """Return the verdict of a filled sheet (the whole sheet, or its `values` alone), as JSON text.

    Raises RequestError with the rule broken and the JSON pointer.
    """
    data = parse_json(raw, "sheet")
    if isinstance(data, Mapping) and "values" in data:
        if data.get("marker") not in (None, brief.marker):
            raise refuse("sheet_of_another_marker", "sheet /marker", str(data["marker"]), brief.marker)
        data = data["values"]
    contract = brief.contract()
    accepted = contract.read_values(data, brief.material.facts(brief.rubric, brief.module, brief.grade_band))
    return Verdict(
        brief.marker,
        PERSON,
        accepted=accepted,
        values=contract.scoring_values(accepted),
        scores=(accepted[contract.score_key],),
        by=by,
        why=why or accepted["reason"],
        at=at,
    )


def by_hand(judgement: Judgement, at: str = "") -> dict[str, Any]:
    """Return a judgement given by hand as reports keep it; see `Verdict.as_dict`."""
    key = "story" if "story" in judgement.values else "score"
    return Verdict(
        judgement.marker,
        judgement.judge,
        accepted=dict(judgement.values),
        values=judgement.values,
        scores=(int(judgement.values[key]),),
        by=judgement.by,
        why=judgement.reason,
        at=at,
    ).as_dict()


def whole_score(rubric: Rubric, score: int) -> int:
    """Return a person's score. Raises RequestError outside 0-100."""
    low, high = int(rubric.judged_lowest.value), int(rubric.judged_highest.value)
    if not low <= score <= high:
        raise refuse("value_range", "--score", str(score), f"a whole number from {low} to {high}")
    return score
