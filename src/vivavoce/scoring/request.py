"""A Score Lab request: a JSON object of measurements and judgements -> evidence -> the result as JSON.

`vivavoce lab` reads one a line; the API and the pages will post the same object.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring_ascii
from typing import Any

from vivavoce.arithmetic import to_json
from vivavoce.errors import RequestError
from vivavoce.rubric.model import Rubric
from vivavoce.scoring.inputs import read_inputs
from vivavoce.scoring.model import MarkerEvidence, Outcome, Scored
from vivavoce.scoring.overall import NO_SPEECH, not_scored, score
from vivavoce.strict import as_object, choice, parse_json, refuse
from vivavoce.trace import json_number

MAX_LINE_BYTES = 1_000_000


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
        evidence[name] = read_inputs(rubric, module, grade_band, name, value, f"{where}/inputs/{name}")
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
