"""A Score Lab request: a JSON object of measurements and judgements -> evidence -> the result as JSON.

`vivavoce lab` reads one a line; the API and the pages will post the same object.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from json.encoder import encode_basestring_ascii
from typing import Any

from vivavoce.arithmetic import to_json
from vivavoce.errors import RequestError
from vivavoce.rubric.model import Module, Rubric
from vivavoce.scoring.fields import (
    ALIGNMENT,
    KEYWORDS,
    SCORE,
    SPEAKING_RATE,
    VOLUME_CONTROL,
    Number,
    flag,
)
from vivavoce.scoring.fluency import check_levels
from vivavoce.scoring.model import MarkerEvidence, Outcome, Scored
from vivavoce.scoring.overall import NO_SPEECH, not_scored, score
from vivavoce.strict import as_object, choice, choices, parse_json, refuse
from vivavoce.trace import Node, json_number

HAND = "given by hand"
MAX_LINE_BYTES = 1_000_000


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


def _fluency(rubric: Rubric, module: Module, grade_band: str, data: Any, where: str) -> Any:
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


def score_request(rubric: Rubric, data: Any, where: str = "") -> Scored:
    """Score one request object.

    Parameters: `data` as parsed by `parse_json`; `where` is put before JSON pointers. Returns: the result.
    Raises: RequestError for anything outside the closed shape.
    """
    data = as_object(data, where, ("module", "grade_band", "inputs"))
    module = rubric.modules[choice(data["module"], f"{where}/module", rubric.modules)]
    grade_band = choice(data["grade_band"], f"{where}/grade_band", rubric.grade_bands)
    inputs = as_object(data["inputs"], f"{where}/inputs", (), rubric.markers)
    evidence: dict[str, MarkerEvidence | None] = {}
    for name, value in inputs.items():
        if value is None:
            continue
        place = f"{where}/inputs/{name}"
        if name == "fluency":
            value = _fluency(rubric, module, grade_band, value, place)
        evidence[name] = READERS[name](value, place, module)
    rate = evidence.get("speaking_rate")
    speech = rate.values["speech_seconds"] if rate else None
    if speech is not None and speech.value == 0:
        return not_scored(rubric, module.id, grade_band, NO_SPEECH)
    return score(rubric, module.id, grade_band, evidence)


def outcome_json(outcome: Outcome) -> str:
    """Return a marker's outcome, or the overall's, as JSON text."""
    value = "null" if outcome.score is None else str(outcome.score)
    trace = "null" if outcome.trace is None else to_json(outcome.trace)
    quality = "null" if outcome.quality is None else json_number(outcome.quality)
    reason = "" if outcome.reason is None else f', "reason": {json.dumps(outcome.reason.as_dict())}'
    return (
        f'{{"score": {value}, "state": "{outcome.state}", "route": "{outcome.route}", "quality": {quality}, '
        f'"trace": {trace}{reason}}}'
    )


def scored_json(result: Scored) -> str:
    """Return a result as one line of JSON; traces are the nodes that made the scores."""
    markers = ", ".join(f'"{name}": {outcome_json(outcome)}' for name, outcome in result.markers.items())
    overall = outcome_json(result.overall)
    return (
        f'{{"module": "{result.module}", "grade_band": "{result.grade_band}", '
        f'"rubric": {{"id": {encode_basestring_ascii(result.rubric_id)}, "digest": "{result.rubric_digest}"}}, '
        f'"markers": {{{markers}}}, "overall": {overall}}}'
    )


def answer_line(rubric: Rubric, line: bytes, number: int) -> str:
    """Return the answer to one line: the result, or `{"error": {...}}` whose `where` is `line N` and the pointer."""
    where = f"line {number} "
    try:
        if len(line) > MAX_LINE_BYTES:
            raise refuse("line_too_long", where.strip(), f"{len(line)} bytes", f"at most {MAX_LINE_BYTES} bytes")
        return scored_json(score_request(rubric, parse_json(line, where.strip()), where))
    except RequestError as error:
        fields = error.as_dict()
        fields["where"] = fields["where"].strip()
        return json.dumps({"error": fields})


def answer_lines(rubric: Rubric, lines: Iterable[bytes]) -> Iterator[str]:
    """Yield one answer for each line that is not blank; a bad line does not stop the rest."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield answer_line(rubric, line, number)
