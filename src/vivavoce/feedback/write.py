"""Word the findings: one call of a text model for the submission, checked; what fails takes the built-in wording.

Scores are never seen here, let alone changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vivavoce.errors import ModelError, RequestError
from vivavoce.feedback.checker import check
from vivavoce.feedback.model import BUILT_IN, NOBODY, Feedback, Finding, Told
from vivavoce.feedback.prompt import FIRST, SECOND, render, setting_of, wording_of
from vivavoce.models.chat import ChatModel, ChatReply
from vivavoce.notice import Notice
from vivavoce.rubric.model import Rubric
from vivavoce.strict import as_object, parse_json, refuse, shown

ATTEMPTS = 2
# The model answered, but not usably: asking afresh can help. Any other error would only come again.
ASK_AGAIN = frozenset({"model_refused", "model_cut_off", "model_reply_unusable"})


def built_in(rubric: Rubric, module_id: str, grade_band: str, finding: Finding) -> Told:
    """Return the finding in the rubric's own words for the module and grade band; no words for kind `none`."""
    if finding.kind == "none":
        return Told(finding, (), NOBODY)
    setting = setting_of(rubric.modules[module_id])
    return Told(finding, wording_of(rubric, finding).built_in(setting, grade_band), BUILT_IN)


def read_reply(text: str, markers: Mapping[str, Finding]) -> dict[str, tuple[str, str]]:
    """Return the two sentences of each marker from a reply, strictly.

    Raises: RequestError where the reply is not one JSON object with exactly these markers and two texts for each.
    """
    where = "feedback reply"
    data = as_object(parse_json(text, where), where, markers)
    pairs: dict[str, tuple[str, str]] = {}
    for marker in markers:
        pair = as_object(data[marker], f"{where}/{marker}", (FIRST, SECOND))
        for key in (FIRST, SECOND):
            if not isinstance(pair[key], str) or not pair[key].strip():
                raise refuse("value_type", f"{where}/{marker}/{key}", shown(pair[key]), "a sentence")
        pairs[marker] = (pair[FIRST].strip(), pair[SECOND].strip())
    return pairs


def _kept(reply: ChatReply, refused: Mapping[str, list[str]]) -> dict[str, Any]:
    return {
        "model": reply.model,
        "at": reply.at,
        "seconds": reply.seconds,
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "cost": None if reply.cost is None else str(reply.cost),
        "finish": reply.finish,
        "text": reply.text,
        "refused": [f"{marker}: {rule}" for marker, rules in refused.items() for rule in rules],
    }


def _failed(error: ModelError, spec: str) -> dict[str, Any]:
    """Keep what a model said that gave no usable answer, and what was paid for it."""
    return {
        "model": spec,
        "at": None,
        "seconds": None,
        "input_tokens": error.input_tokens,
        "output_tokens": error.output_tokens,
        "cost": None if error.cost is None else str(error.cost),
        "finish": error.code,
        "text": error.raw,
        "refused": [],
    }


@dataclass(slots=True)
class _Asking:
    """One submission's questions to a model: what is still to be worded, and what came of it."""

    rubric: Rubric
    module_id: str
    grade_band: str
    model: ChatModel
    waiting: dict[str, Finding]
    told: dict[str, Told] = field(default_factory=dict)
    refused: dict[str, list[str]] = field(default_factory=dict)
    replies: list[Mapping[str, Any]] = field(default_factory=list)
    failure: str = ""

    def once(self) -> bool:
        """Ask for what is waiting and take what passes; say whether asking again can help."""
        request = render(self.rubric, self.module_id, self.grade_band, self.waiting, refused=self.refused)
        try:
            reply = self.model.ask(request)
        except ModelError as error:
            self.failure = f"{error.code}: {error.found}"
            self.replies.append(_failed(error, self.model.spec))
            return error.code in ASK_AGAIN
        self.failure = ""
        self._take(reply)
        return bool(self.waiting)

    def _take(self, reply: ChatReply) -> None:
        try:
            pairs = read_reply(reply.text, self.waiting)
        except RequestError as error:
            self.refused = {marker: [error.code] for marker in self.waiting}
            self.replies.append(_kept(reply, self.refused))
            return
        broken = {
            marker: [violation.rule for violation in check(pairs[marker], finding, self.module_id)]
            for marker, finding in self.waiting.items()
        }
        self.refused = {marker: rules for marker, rules in broken.items() if rules}
        for marker in [marker for marker in self.waiting if marker not in self.refused]:
            self.told[marker] = Told(self.waiting.pop(marker), pairs[marker], self.model.spec)
        self.replies.append(_kept(reply, self.refused))

    def notices(self) -> list[Notice]:
        """Say which markers fell back to the built-in wording, and why."""
        if not self.waiting:
            return []
        why = self.failure or "; ".join(f"{marker}: {', '.join(rules)}" for marker, rules in self.refused.items())
        found = f"feedback on {', '.join(self.waiting)} is the built-in wording, not that of {self.model.spec} ({why})"
        return [Notice("feedback_built_in", found, "nothing needs doing; no score depends on it")]


def write(
    rubric: Rubric,
    module_id: str,
    grade_band: str,
    findings: Mapping[str, Finding],
    model: ChatModel | None = None,
) -> Feedback:
    """Return two sentences for every marker that has a finding.

    Parameters: `findings` by marker id, as `choose_all` gives them; `model` words them all in one text-only call, or
    None. What it gets wrong it is asked once more, for those markers alone; then, and without a model, the rubric's
    built-in wording stands. Returns: the Feedback with all raw replies; errors of the model become a notice.
    """
    waiting = {marker: finding for marker, finding in findings.items() if finding.kind != "none"}
    told: dict[str, Told] = {}
    replies: list[Mapping[str, Any]] = []
    notices: list[Notice] = []
    if model is not None and waiting:
        asking = _Asking(rubric, module_id, grade_band, model, waiting)
        for _ in range(ATTEMPTS):
            if not asking.once():
                break
        told, replies, notices = asking.told, asking.replies, asking.notices()
    markers = {
        marker: told.get(marker) or built_in(rubric, module_id, grade_band, finding)
        for marker, finding in findings.items()
    }
    return Feedback(markers, tuple(replies), tuple(notices))
