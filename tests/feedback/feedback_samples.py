"""Scored submissions for feedback tests: one request in mid-range, with changes; and a model that answers by script."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from vivavoce.errors import ModelError
from vivavoce.feedback.choose import choose
from vivavoce.feedback.model import Finding
from vivavoce.models.chat import ChatReply, ChatRequest
from vivavoce.rubric.load import published
from vivavoce.scoring.model import Scored
from vivavoce.scoring.request import score_request
from vivavoce.trace import Node

BANDS = ("elementary", "middle", "high")
MARKERS = ("pronunciation", "fluency", "speaking_rate", "volume_control", "task_adherence")
SENTENCES = Path(__file__).with_name("sentences.jsonl")

# Full credit everywhere, in every module and grade band.
PERFECT: dict[str, dict[str, Any]] = {
    "speaking_rate": {
        "words_per_minute": Decimal(150),
        "pace_variation": Decimal("0.16"),
        "choppy_breaks_per_minute": Decimal(1),
        "hesitations_per_minute": Decimal(0),
        "speech_seconds": Decimal(40),
        "pace_rises": True,
    },
    "volume_control": {"level_db": Decimal(60), "consistency_db": Decimal(3), "fade_db": Decimal(0)},
}
CLOSED = ("poem_recitation", "paragraph_reading", "tongue_twister")


def request(module: str, band: str = "middle", **changes: Any) -> dict[str, Any]:
    """A whole request at full credit; `changes` replace fields by `marker__field`, or a whole marker by its name."""
    adherence: dict[str, Any] = {"score": 93}
    if module in CLOSED:
        adherence = {"reference_words": 100, "trailing_omissions": 0, "matched": 100, "insertions": 0}
    elif module == "audio_postcard":
        adherence |= {"specific_detail": True, "guardrails": []}
    elif module == "short_informative_presentation":
        adherence |= {"broken_order_rules": []}
    elif module == "story_building":
        adherence = {"keywords_required": 10, "keywords_present": 10, "story": 95}
    inputs: dict[str, Any] = {
        "pronunciation": {"score": 93},
        "fluency": {"score": 93},
        **{marker: dict(values) for marker, values in PERFECT.items()},
        "task_adherence": adherence,
    }
    for name, value in changes.items():
        marker, _, field = name.partition("__")
        if field:
            inputs[marker][field] = Decimal(value) if isinstance(value, str) else value
        else:
            inputs[marker] = value
    return {"module": module, "grade_band": band, "inputs": inputs}


def scored(module: str, band: str = "middle", **changes: Any) -> Scored:
    """The engine's result for such a request."""
    return score_request(published(), request(module, band, **changes))


def finding(marker: str, module: str, band: str = "middle", judged: Any = None, **changes: Any) -> Finding:
    """What is chosen for one marker of such a request."""
    outcome = scored(module, band, **changes).markers[marker]
    return choose(published(), module, band, marker, outcome, judged)


def pairs(**by_marker: tuple[str, str]) -> str:
    """A reply of the model with these two sentences a marker."""
    return json.dumps({name: {"finding": first, "next_step": second} for name, (first, second) in by_marker.items()})


def node_at(trace: Node, path: str) -> Node:
    """The node at a finding's source; KeyError where the trace has none."""
    first, *names = path.split("/")
    node = trace
    if node.name != first:
        raise KeyError(path)
    for name in names:
        found = next((operand for operand in node.operands if operand.name == name), None)
        if found is None:
            raise KeyError(path)
        node = found
    return node


class ScriptedModel:
    """Answers with the next text of its script, or raises the next error; keeps what it was asked."""

    spec = "openai:scripted"
    hears = False

    def __init__(self, *script: str | ModelError | Callable[[ChatRequest], str]) -> None:
        self._script = list(script)
        self.asked: list[ChatRequest] = []

    def ask(self, request: ChatRequest) -> ChatReply:
        """Give the next answer of the script; an empty script fails the test."""
        self.asked.append(request)
        answer = self._script.pop(0)
        if isinstance(answer, ModelError):
            raise answer
        text = answer if isinstance(answer, str) else answer(request)
        return ChatReply(text, "scripted-model", 10, 20, "stop", "2026-01-01T00:00:00Z", 0.5, Decimal("0.0001"))
