"""What a model is asked for feedback: the guide's rules word for word, the findings, the tone; no measured number.

Nothing of the student's own goes in either: no transcript, no words, no judge's reason. What is told a model can be
read with `render` before anything is sent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vivavoce.feedback.checker import RULES
from vivavoce.feedback.model import Finding
from vivavoce.models.chat import ChatRequest
from vivavoce.rubric.model import FindingWording, Module, Rubric

FIRST, SECOND = "finding", "next_step"
MAX_OUTPUT_TOKENS = 1200
TIMEOUT_S = 120.0

_ROLE = (
    "You write feedback for a school student after a speaking task. All scores are final; you only explain. For each "
    "marker below you are given the one thing to tell: tell that and nothing else. Write to the student as 'you', in "
    "plain English."
)
_KINDS = {
    "held_back": "this held the attempt back",
    "done_well": "this was done well",
}
_REPLY = (
    "Reply with one JSON object and nothing else. Its keys are the marker ids below, each once; the value of each is "
    f'an object with the keys "{FIRST}" (the first sentence) and "{SECOND}" (the second sentence).'
)
_AGAIN = "An earlier reply to this could not be used. What to mend:"


def setting_of(module: Module) -> str:
    """Return which wording a module takes: `open`, `closed`, or `twister` for a text that is said several times."""
    if module.kind == "open":
        return "open"
    return "twister" if module.repetitions > 1 else "closed"


def wording_of(rubric: Rubric, finding: Finding) -> FindingWording:
    """Return the rubric's wording of a finding that is not of kind `none`."""
    return rubric.wording.findings[finding.marker][finding.name]


def schema(markers: Sequence[str]) -> dict[str, Any]:
    """Return the JSON schema of a reply: for each marker its two sentences, no other key."""
    sentences = {
        "type": "object",
        "additionalProperties": False,
        "required": [FIRST, SECOND],
        "properties": {FIRST: {"type": "string"}, SECOND: {"type": "string"}},
    }
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(markers),
        "properties": dict.fromkeys(markers, sentences),
    }


def _system(rubric: Rubric) -> str:
    rules = "\n".join(f"- {rule}" for rule in rubric.lookup("feedback.rules").value)
    held_to = "\n".join(f"- {rule[0].upper()}{rule[1:]}." for rule in RULES.values())
    return f"{_ROLE}\n\nThe rules of the scoring guide:\n{rules}\n\nEach reply is checked. So:\n{held_to}\n\n{_REPLY}"


def _marker(rubric: Rubric, finding: Finding) -> str:
    title = rubric.markers[finding.marker].title
    about = wording_of(rubric, finding).about
    return f'- "{finding.marker}" ({title}); {_KINDS[finding.kind]}: {about}'


def render(
    rubric: Rubric,
    module_id: str,
    grade_band: str,
    findings: Mapping[str, Finding],
    refused: Mapping[str, Sequence[str]] | None = None,
) -> ChatRequest:
    """Return the one request of a submission.

    Parameters: `findings` by marker id (those of kind `none` are left out); `refused` the rules (keys of
    `checker.RULES`, or the code of an unreadable reply) that an earlier reply broke, by marker id.
    Returns: a text-only request whose schema is closed over these markers.
    """
    module = rubric.modules[module_id]
    told = [finding for finding in findings.values() if finding.kind != "none"]
    lines = [
        f"The task: {module.title}. {module.description}",
        f"The tone: {rubric.wording.tones[grade_band]}",
        "The markers:",
        *[_marker(rubric, finding) for finding in told],
    ]
    if refused:
        lines.append(_AGAIN)
        for marker, rules in refused.items():
            mend = "; ".join(RULES.get(rule, f"the reply was not the JSON object asked for ({rule})") for rule in rules)
            lines.append(f'- "{marker}": {mend}')
    return ChatRequest(
        system=_system(rubric),
        user="\n".join(lines),
        schema=schema([finding.marker for finding in told]),
        schema_name="feedback",
        max_output_tokens=MAX_OUTPUT_TOKENS,
        timeout_s=TIMEOUT_S,
    )
