"""The local judge: listens on this computer, and code makes the marker of what it estimates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.judging import checks
from vivavoce.judging.contract import Contract
from vivavoce.judging.judge import Brief, Interval, Reply, Verdict, refused
from vivavoce.judging.local import SCALE
from vivavoce.judging.local import reply as replies
from vivavoce.judging.local.findings import find, unclear_words
from vivavoce.judging.local.fluency import Counts, fluency, levels_within_counts
from vivavoce.judging.local.mapping import estimate, to_score
from vivavoce.judging.local.reply import Received
from vivavoce.listening import COVERAGE
from vivavoce.notice import Notice
from vivavoce.trace import Exact, Node, leaf

SPEC = "local"
UNREADABLE = "judge_unreadable"
NO_TEXT = Notice(
    "judgement_missing",
    "task_adherence needs somebody who understands what is said, which the local judge does not",
    "let a person judge, or a language model",
)
NO_RECORDING = Notice(
    "no_audio", "there is no recording to listen to", "score the recording again, or let a person judge"
)


@dataclass(frozen=True, slots=True)
class Made:
    """What code makes of a reply: the values of the contract, the score's steps, the ear's interval, what is told."""

    accepted: dict[str, Any]
    steps: Node
    interval: tuple[int, int]
    findings: tuple[dict[str, Any], ...]


class LocalJudge:
    """Judges pronunciation and fluency without the network; what is said it does not judge."""

    spec = SPEC

    def judge(self, brief: Brief) -> Verdict:
        """Return the verdict on one marker, or the named state that there is instead."""
        if brief.marker not in SCALE:
            return refused(brief.marker, self.spec, "pending", NO_TEXT)
        ears, spoken = brief.material.ears, brief.material.spoken
        if ears is None or spoken is None:
            return refused(brief.marker, self.spec, "pending", NO_RECORDING)
        heard = ears.hear(spoken)
        if isinstance(heard, Notice):
            return refused(brief.marker, self.spec, "pending", heard)
        words = brief.marker == "pronunciation"
        raw = replies.write(heard, spoken.said, COVERAGE, words=words)
        return verdict_of(brief, self.spec, Reply(raw, accepted=False, model=heard.listener))


def verdict_of(brief: Brief, spec: str, reply: Reply) -> Verdict:
    """Return the verdict that a listener's reply gives, live or recorded: mapped, held to the contract, or refused."""
    try:
        received = replies.read(reply.raw)
        barred = _barred(brief, received)
        if barred is not None:
            return refused(brief.marker, spec, "pending", barred, replies=(replace(reply, accepted=False),))
        made = make(brief, received)
    except RequestError as error:
        error.where = error.where or "/"
        kept = replace(reply, accepted=False, error=error.as_dict())
        found = f"1 reply, which does not fit: {error.code} at {error.where}, found {error.found}"
        reason = Notice(UNREADABLE, found, "score the recording again, or let a person judge")
        return refused(brief.marker, spec, "pending", reason, replies=(kept,))
    low, high = made.interval
    return Verdict(
        brief.marker,
        spec,
        accepted=made.accepted,
        values=contract_for(brief).scoring_values(made.accepted),
        replies=(replace(reply, accepted=True, error=None),),
        scores=(made.accepted["score"],),
        needs_person=_needs_person(brief, received, made),
        steps=made.steps,
        interval=Interval(low, high, received.coverage),
        findings=made.findings,
        remarks=_remarks(brief, received),
    )


def contract_for(brief: Brief) -> Contract:
    """Return the contract of the marker; where counts are a floor, levels may lie under those of the counts."""
    contract = brief.contract()
    if brief.marker == "fluency" and not brief.material.verbatim:
        return replace(contract, checks=(levels_within_counts, checks.score_fits_levels))
    return contract


def make(brief: Brief, received: Received) -> Made:
    """Return what a reply is worth. Raises RequestError where it does not fit the contract."""
    extra: dict[str, Any]
    middle, low, high = received.estimates[SCALE[brief.marker]]
    if brief.marker == "pronunciation":
        anchors = brief.rubric.local.pronunciation
        nodes = [to_score(anchors, _leaf(brief, received, x), "judged_score") for x in (middle, low, high)]
        extra = {"unclear_words": unclear_words(brief.rubric.local, received.words)}
        findings = [finding.as_dict() for finding in find(brief.rubric.local, received.words)]
    else:
        counts = counts_of(brief)
        many = [
            fluency(brief.rubric, brief.module, brief.grade_band, _leaf(brief, received, x), counts)
            for x in (middle, low, high)
        ]
        # How far the ear may be off is known of what it heard, before the tables have their say.
        nodes = [many[0].score, *(one.score.find("heard_score") for one in many[1:])]
        extra = {"counts": counts.as_dict(), "levels": dict(many[0].levels)}
        findings = []
    score = int(nodes[0].value)
    if brief.marker == "pronunciation" and brief.rubric.tier_of_score(score).id == brief.rubric.tiers[0].id:
        extra, findings = {"unclear_words": []}, []
    reason = _reason(brief, nodes[0])
    facts = brief.material.facts(brief.rubric, brief.module, brief.grade_band)
    accepted = contract_for(brief).read_values({**extra, "score": score, "reason": reason}, facts)
    return Made(accepted, nodes[0], (int(nodes[1].value), int(nodes[2].value)), tuple(findings))


def _leaf(brief: Brief, received: Received, value: Exact) -> Node:
    return estimate(SCALE[brief.marker], value, received.listener)


def counts_of(brief: Brief) -> Counts:
    """Return what code counted of a submission, as the tables of fluency want it."""
    material = brief.material
    found = material.measurements
    response = found.get("response_s")
    fillers = [found[name].value for name in ("filled_pauses", "fillers") if name in found]
    known = None if response is None else response.node()
    return Counts(
        material.restarts,
        sum(int(value) for value in fillers if value is not None),
        known or leaf("measured", "response_s", 0, unit="s", source="M4"),
        material.verbatim is True,
    )


def _reason(brief: Brief, steps: Node) -> str:
    """What the estimate says in words, and whether what was counted moved the score away from it."""
    heard = {"pronunciation": "how the words sound", "fluency": "how the speech flows"}[brief.marker]
    by_ear = steps.value if brief.marker == "pronunciation" else steps.find("heard_score").value
    moved = (
        ""
        if by_ear == steps.value
        else "; what was counted " + ("lowers" if steps.value < by_ear else "raises") + " it"
    )
    return f"{REASONS[brief.rubric.tier_of_score(int(by_ear)).id]}, going by {heard}{moved}."


REASONS = {
    "poor": "Experts would hardly follow it",
    "below_average": "Experts would often have to work to follow it",
    "adequate": "Experts would follow it with some effort",
    "good": "Experts would call it good",
    "excellent": "Experts would call it excellent",
}


def _barred(brief: Brief, received: Received) -> Notice | None:
    """Why there is no score at all, or None."""
    for doubt in received.doubts:
        if doubt.code in brief.rubric.local.not_scored:
            return doubt
    if SCALE[brief.marker] not in received.estimates:
        return Notice("listening_failed", "the listener gave no estimate", "let a person judge")
    return None


def _needs_person(brief: Brief, received: Received, made: Made) -> Notice | None:
    """Why a person should settle it: a named doubt, an interval that names no tier, or counts against the ear."""
    local, (low, high), score = brief.rubric.local, made.interval, made.accepted["score"]
    doubts = [doubt for doubt in received.doubts if doubt.code in local.needs_person]
    found = [doubt.found for doubt in doubts]
    if high - low > local.widest_interval.value:
        found.append(f"the local judge is not sure: between {low} and {high}, over {local.widest_interval.text} points")
    if not low <= score <= high:
        found.append(f"what was counted puts the score at {score}, and by ear it lies between {low} and {high}")
    if not found:
        return None
    return Notice(
        doubts[0].code if doubts else "interval_wide" if high - low > local.widest_interval.value else "ear_and_counts",
        "; ".join(found),
        f"let a person judge {brief.marker}: vivavoce judge REPORT --marker {brief.marker} --score N --by NAME",
    )


def _remarks(brief: Brief, received: Received) -> tuple[str, ...]:
    return tuple(doubt.found for doubt in received.doubts if doubt.code in brief.rubric.local.told)
