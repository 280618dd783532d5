"""One protocol for all judges: a brief goes in, a verdict comes out - accepted values with who and how, or a state.

A judge gets what the rubric lets it use (`Brief`) and returns a `Verdict` that keeps every raw reply. Scoring takes
the accepted values only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

from vivavoce.judging.contract import Contract, contract_of
from vivavoce.judging.material import Material
from vivavoce.notice import Notice
from vivavoce.rubric.model import Module, Rubric
from vivavoce.scoring.model import State
from vivavoce.strict import as_object, refuse, shown
from vivavoce.submission import Judgement
from vivavoce.trace import Exact, Node


@dataclass(frozen=True, slots=True)
class Brief:
    """What a judge may use: the rubric's rules for one marker, and one submission."""

    rubric: Rubric
    module: Module
    grade_band: str
    marker: str
    material: Material

    def contract(self) -> Contract:
        """Return what the reply must be."""
        return contract_of(self.rubric, self.module, self.grade_band, self.marker, self.material.task)


@dataclass(frozen=True, slots=True)
class Reply:
    """One raw reply: as received, whether it was accepted, and the rule that it broke otherwise.

    `model` as the server named itself; `at` UTC; tokens and `cost` (a decimal as text) None where they are not known.
    """

    raw: str
    accepted: bool
    error: Mapping[str, str] | None = None
    sample: int = 1
    model: str = ""
    at: str = ""
    seconds: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: str | None = None
    cached: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the reply as reports keep it."""
        return {
            "raw": self.raw,
            "accepted": self.accepted,
            "error": None if self.error is None else dict(self.error),
            "sample": self.sample,
            "model": self.model,
            "at": self.at,
            "seconds": self.seconds,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost": self.cost,
            "cached": self.cached,
        }


def reply_from_dict(row: Any) -> Reply:
    """Return a reply that `as_dict` wrote. Raises RequestError where it is none."""
    found = as_object(row, "reply", [name.name for name in fields(Reply)])
    if not isinstance(found["raw"], str) or not isinstance(found["sample"], int) or found["sample"] < 1:
        raise refuse("request_shape", "reply", shown(found["raw"]), "a raw reply, a text, with its sample from 1")
    return Reply(**{name.name: found[name.name] for name in fields(Reply)})


@dataclass(frozen=True, slots=True)
class Interval:
    """The scores between which the judge's score lies, as often as `coverage` says (0 to 1)."""

    low: int
    high: int
    coverage: Exact

    def as_dict(self) -> dict[str, Any]:
        """Return the interval as reports keep it."""
        return {"low": self.low, "high": self.high, "coverage": float(self.coverage)}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of asking a judge for one marker.

    `accepted` is what the contract let through (None: nothing), `values` what scoring takes of it; `scores` are those
    of all accepted samples in order; `state` and `reason` name what there is instead of a judgement. `needs_person`
    says why a person should settle a marker all the same. `steps` show how the score was made, where code made it of
    what a judge estimated; `interval` how sure it is, `findings` which words and sounds it rests on, `remarks` what
    else is to be told (None, empty: the judge does not say).
    """

    marker: str
    judge: str
    accepted: Mapping[str, Any] | None = None
    values: Mapping[str, Any] | None = None
    replies: tuple[Reply, ...] = ()
    scores: tuple[int, ...] = ()
    samples: int = 1
    prompt_digest: str = ""
    state: State = "scored"
    reason: Notice | None = None
    needs_person: Notice | None = None
    by: str = ""
    why: str = ""
    at: str = ""
    steps: Node | None = None
    interval: Interval | None = None
    findings: tuple[Mapping[str, Any], ...] = ()
    remarks: tuple[str, ...] = ()

    def judgement(self) -> Judgement | None:
        """Return what enters scoring, or None where nothing was accepted."""
        if self.values is None:
            return None
        return Judgement(self.marker, self.values, self.judge, self.by, self.why, self.steps)

    def as_dict(self) -> dict[str, Any]:
        """Return the verdict as reports keep it: who judged, what was received, what was accepted."""
        return {
            "judge": self.judge,
            "by": self.by,
            "reason": self.why,
            "at": self.at,
            "accepted": None if self.accepted is None else dict(self.accepted),
            "scores": list(self.scores),
            "spread": max(self.scores) - min(self.scores) if self.scores else None,
            "samples": self.samples,
            "prompt_digest": self.prompt_digest,
            "interval": None if self.interval is None else self.interval.as_dict(),
            "findings": [dict(finding) for finding in self.findings],
            "remarks": list(self.remarks),
            "replies": [reply.as_dict() for reply in self.replies],
        }


class Judge(Protocol):
    """Anything that can judge a marker: a model, a person, a recording of replies."""

    @property
    def spec(self) -> str:
        """The judge as the user named it."""

    def judge(self, brief: Brief) -> Verdict:
        """Return the verdict on one marker; what goes wrong is a named state in it, never an exception."""


def refused(marker: str, judge: str, state: State, reason: Notice, **known: Any) -> Verdict:
    """Return the verdict of a judge that gave no judgement."""
    return Verdict(marker, judge, state=state, reason=reason, **known)


class AbsentJudge:
    """A judge that cannot be asked at all (no key): every marker that it was named for waits, with the reason."""

    def __init__(self, spec: str, reason: Notice) -> None:
        self.spec = spec
        self._reason = reason

    def judge(self, brief: Brief) -> Verdict:
        """Return a verdict without a judgement."""
        return refused(brief.marker, self.spec, "pending", self._reason)
