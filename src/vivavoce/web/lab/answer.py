"""What the engine answers to a state: markers that it refuses are told apart, the others are scored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.rubric.model import Rubric
from vivavoce.scoring.model import Scored
from vivavoce.scoring.request import score_request, scored_json
from vivavoce.web.lab.state import State, request_of


@dataclass(frozen=True, slots=True)
class Answer:
    """The request, what came of it, the result as its JSON, and the errors by marker that the engine refused."""

    request: Mapping[str, Any]
    scored: Scored
    result: Mapping[str, Any]
    refused: Mapping[str, RequestError] = field(default_factory=dict)


def answer(rubric: Rubric, state: State) -> Answer:
    """Score a state through the engine.

    A marker whose inputs break the contract is left out, so that the others still show, and its error is returned.
    """
    request = request_of(rubric, state)
    asked, refused = request, {}
    while True:
        try:
            scored = score_request(rubric, asked)
        except RequestError as error:
            marker = error.where.split("/")[2]
            if marker in refused:
                raise
            refused[marker] = error
            asked = {**asked, "inputs": {**asked["inputs"], marker: None}}
        else:
            return Answer(request, scored, json.loads(scored_json(scored)), refused)


def export(rubric: Rubric, state: State, address: str) -> str:
    """Return request and result, with traces, as JSON text; `request` is what `vivavoce lab` takes.

    Raises RequestError for a state that the engine refuses.
    """
    request = request_of(rubric, state)
    # A float prints the digits that it was read from: these numbers have at most fifteen.
    asked = json.dumps(request, default=float)
    result = scored_json(score_request(rubric, request))
    return f'{{"link": {json.dumps(address)}, "request": {asked}, "result": {result}}}'
