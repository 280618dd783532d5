"""The inputs of one marker, JSON -> evidence: the closed shape that lab requests and judgements share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vivavoce.rubric.model import Module, Rubric
from vivavoce.scoring.fields import ALIGNMENT, KEYWORDS, SCORE, SPEAKING_RATE, VOLUME_CONTROL, Number, flag
from vivavoce.scoring.fluency import check_levels
from vivavoce.scoring.model import MarkerEvidence
from vivavoce.strict import as_object, choice, choices, refuse
from vivavoce.trace import Node, leaf

HAND = "given by hand"


def _numbers(fields: Mapping[str, Number], data: Mapping[str, Any], where: str) -> dict[str, Node | None]:
    return {name: field.read(data[name], f"{where}/{name}", name, HAND) for name, field in fields.items()}


def _speaking_rate(data: Any, where: str, module: Module) -> MarkerEvidence:
    twister = any(part.needs == "pace_rises" for part in module.rules["speaking_rate"]["middle"].components)
    extra = ("pace_rises",)
    data = as_object(data, where, (*SPEAKING_RATE, *(extra if twister else ())), () if twister else extra)
    values = _numbers(SPEAKING_RATE, data, where)
    if data.get("pace_rises") is not None or twister:
        values["pace_rises"] = flag(data["pace_rises"], f"{where}/pace_rises", "pace_rises", HAND)
    return MarkerEvidence(values)


def _volume_control(data: Any, where: str, module: Module) -> MarkerEvidence:  # noqa: ARG001
    return MarkerEvidence(_numbers(VOLUME_CONTROL, as_object(data, where, VOLUME_CONTROL), where))


def _judged(data: Any, where: str, module: Module) -> MarkerEvidence:  # noqa: ARG001
    data = as_object(data, where, ("score",))
    return MarkerEvidence({"score": SCORE.read(data["score"], f"{where}/score", "judged_score", HAND)})


def _alignment(data: Any, where: str) -> MarkerEvidence:
    data = as_object(data, where, ALIGNMENT)
    values = _numbers(ALIGNMENT, data, where)
    total = data["reference_words"]
    accounted = data["matched"] + data["trailing_omissions"]
    if accounted > total:
        found = f"matched {data['matched']} + trailing_omissions {data['trailing_omissions']} = {accounted}"
        raise refuse("counts_contradict", where, found, f"at most reference_words, {total}")
    return MarkerEvidence(values)


def _story(data: Any, where: str) -> MarkerEvidence:
    data = as_object(data, where, (*KEYWORDS, "story"))
    values = _numbers(KEYWORDS, data, where)
    values["story"] = SCORE.read(data["story"], f"{where}/story", "story", HAND)
    if data["keywords_present"] > data["keywords_required"]:
        found = f"{data['keywords_present']} present of {data['keywords_required']} required"
        raise refuse("counts_contradict", where, found, "at most as many present as required")
    return MarkerEvidence(values)


def _adherence(data: Any, where: str, module: Module) -> MarkerEvidence:
    rule = module.rules["task_adherence"]["middle"]
    if rule.rule == "alignment":
        return _alignment(data, where)
    if rule.rule == "keywords_and_story":
        return _story(data, where)
    if rule.rule == "checklist_with_guardrails":
        data = as_object(data, where, ("score", "specific_detail", "guardrails"))
        detail = flag(data["specific_detail"], f"{where}/specific_detail", "specific_detail", HAND)
        fired = choices(data["guardrails"], f"{where}/guardrails", rule.named_caps or ())
        score_node = SCORE.read(data["score"], f"{where}/score", "judged_score", HAND)
        return MarkerEvidence({"score": score_node, "specific_detail": detail}, fired)
    if rule.rule == "checklist_with_order_rules":
        data = as_object(data, where, ("score", "broken_order_rules"))
        fired = choices(data["broken_order_rules"], f"{where}/broken_order_rules", rule.named_caps or ())
        return MarkerEvidence({"score": SCORE.read(data["score"], f"{where}/score", "judged_score", HAND)}, fired)
    return _judged(data, where, module)


READERS = {
    "pronunciation": _judged,
    "fluency": _judged,
    "speaking_rate": _speaking_rate,
    "volume_control": _volume_control,
    "task_adherence": _adherence,
}


def _checked_fluency(rubric: Rubric, module: Module, grade_band: str, data: Any, where: str) -> Any:
    """Check a fluency judgement that comes with its levels, and return it without them."""
    if not isinstance(data, dict) or "levels" not in data:
        return data
    weights = module.fluency[grade_band].weights
    levels = as_object(data["levels"], f"{where}/levels", weights)
    tiers = [tier.id for tier in rubric.tiers]
    for name in weights:
        choice(levels[name], f"{where}/levels/{name}", tiers)
    rest = {key: value for key, value in data.items() if key != "levels"}
    _judged(rest, where, module)
    check_levels(rubric, module, grade_band, rest["score"], levels, f"{where}/score")
    return rest


def read_inputs(rubric: Rubric, module: Module, grade_band: str, marker: str, data: Any, where: str) -> MarkerEvidence:
    """Return the evidence for one marker from its JSON inputs. Raises RequestError with the pointer after `where`."""
    if marker == "fluency":
        data = _checked_fluency(rubric, module, grade_band, data, where)
    return READERS[marker](data, where, module)


def read_judgement(
    rubric: Rubric, module: Module, grade_band: str, marker: str, data: Any, where: str, source: str
) -> MarkerEvidence:
    """Return the evidence of a judgement: the same shape, as `judged` leaves with their source (who judged).

    Of a story only the story's score is judged; the keywords are counted by code.
    """
    rule = module.rules[marker][grade_band]
    if rule.route == "code":
        judged = [name for name, rules in module.rules.items() if rules[grade_band].route != "code"]
        raise refuse("marker_is_measured", where, f"a judgement of {marker}", ", ".join(judged))
    if rule.route == "blend":
        data = as_object(data, where, ("story",))
        evidence = MarkerEvidence({"story": SCORE.read(data["story"], f"{where}/story", "story", HAND)})
    else:
        evidence = read_inputs(rubric, module, grade_band, marker, data, where)
    values: dict[str, Node | None] = {
        name: node and leaf("judged", node.name, node.value, unit=node.unit, source=source)
        for name, node in evidence.values.items()
    }
    return MarkerEvidence(values, evidence.fired)
