"""A saved report scored again after a person has judged: the person's value counts, the machine's stays beside it."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from vivavoce.arithmetic import parse
from vivavoce.errors import RequestError
from vivavoce.evidence import judged_evidence
from vivavoce.feedback.choose import choose
from vivavoce.feedback.model import Finding
from vivavoce.feedback.write import built_in
from vivavoce.judging.judge import Brief, Verdict
from vivavoce.judging.material import Material, material_of_report
from vivavoce.judging.people import PERSON, read_sheet, whole_score
from vivavoce.notice import Notice
from vivavoce.report.card import SCHEMA, outcome_fields
from vivavoce.report.saved import check_saved, unreadable
from vivavoce.rubric.model import MarkerRule, Module, Rubric
from vivavoce.scoring.model import MarkerEvidence, Outcome
from vivavoce.scoring.overall import overall
from vivavoce.scoring.rules import RULES, score_judged
from vivavoce.strict import refuse, shown
from vivavoce.submission import task_from_json
from vivavoce.tasks import check_task
from vivavoce.trace import leaf

Report = dict[str, Any]
# What reading a part raises that has the right shape and holds nonsense (a trace whose operands are no operation's).
ODD = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)


def brief_of(report: Mapping[str, Any], rubric: Rubric, marker: str, where: str = "report") -> Brief:
    """Return what a judge may use of a saved report, without the recording.

    Raises RequestError `report_unreadable`, `rubric_changed`, `marker_unknown`, `marker_is_measured`.
    """
    module, band, material = _opened(report, rubric, where)
    if marker not in rubric.markers:
        raise refuse("marker_unknown", "--marker", f'"{marker}"', ", ".join(rubric.markers))
    return Brief(rubric, module, band, marker, material)


def _opened(report: Mapping[str, Any], rubric: Rubric, where: str) -> tuple[Module, str, Material]:
    if not isinstance(report, Mapping) or report.get("schema") != SCHEMA:
        found = shown(report.get("schema")) if isinstance(report, Mapping) else shown(report)
        raise refuse("report_unreadable", f"{where} /schema", found, SCHEMA, "give a report that this version wrote")
    check_saved(report, where)
    try:
        task = task_from_json({k: v for k, v in report["task"].items() if v is not None}, f"{where} /task")
        if report["rubric"]["digest"] != rubric.digest:
            raise RequestError(
                "rubric_changed",
                where=f"{where} /rubric/digest",
                found=f"edition {report['rubric']['id']}, digest {report['rubric']['digest'][:12]}",
                allowed=f"edition {rubric.id}, digest {rubric.digest[:12]}",
                remedy="name the edition that the report was made with: --rubric DIR, or score the recording again",
            )
        module, band = check_task(task, rubric, f"{where} /task")
        return module, band, material_of_report(report, task)
    except ODD as error:
        raise _damaged(where, error) from error


def _damaged(where: str, error: Exception) -> RequestError:
    return unreadable(where, f"a part that does not fit ({type(error).__name__}: {error})")


def enter_score(
    report: Mapping[str, Any], rubric: Rubric, marker: str, score: int, *, by: str, why: str, at: str
) -> Report:
    """Return the report with a person's score as the official one of a marker, whatever its route.

    It is the person's last word: only the ceiling is applied to it, no cap and no blend.
    Parameters: `score` 0-100; `by` who; `why` the reason, needed where a score is replaced; `at` UTC time.
    """
    brief = brief_of(report, rubric, marker)
    value = whole_score(rubric, score)
    rule = brief.module.rules[marker][brief.grade_band]
    node = leaf("judged", "judged_score", value, unit="score", source=_source(by), note=why)
    outcome = score_judged(marker, MarkerRule("judged", rule.route), MarkerEvidence({"score": node}), rubric)
    verdict = Verdict(
        marker, PERSON, accepted={"score": value}, values={"score": value}, scores=(value,), by=by, why=why, at=at
    )
    return _entered(report, brief, outcome, verdict)


def enter_sheet(
    report: Mapping[str, Any], rubric: Rubric, marker: str, sheet: str, *, by: str, why: str, at: str
) -> Report:
    """Return the report with a person's filled sheet: code applies caps, blends and the ceiling to it."""
    brief = brief_of(report, rubric, marker)
    verdict = read_sheet(brief, sheet, by, why, at)
    judgement = verdict.judgement()
    if judgement is None:
        raise ValueError("a sheet that was read has values")
    words = brief.material.words
    evidence = judged_evidence(rubric, brief.module, brief.grade_band, brief.material.task, words, [judgement])
    found = evidence[marker]
    if found is None:
        raise ValueError("a judgement gives evidence")
    rule = brief.module.rules[marker][brief.grade_band]
    return _entered(report, brief, RULES[rule.rule](marker, rule, found, rubric), verdict)


def _source(by: str) -> str:
    return f"{PERSON}: {by}" if by else PERSON


def _entered(report: Mapping[str, Any], brief: Brief, outcome: Outcome, verdict: Verdict) -> Report:
    made: Report = copy.deepcopy(dict(report))
    marker = made["markers"][brief.marker]
    if report["state"] == "not_scored" and not any(m["trace"] for m in made["markers"].values()):
        found = f"a submission that is not scored: {marker['reason']['code']}"
        raise refuse("submission_not_scored", "report /state", found, "a submission with speech", "record again")
    if marker["score"] is not None and not verdict.why:
        found = f"no reason for replacing {marker['score']}"
        raise refuse("reason_missing", "--reason", found, "one sentence that says why", "say why: --reason TEXT")
    before = {key: marker[key] for key in ("score", "state", "tier", "trace", "reason", "judgement")}
    machine = (marker["judgement"] or {}).get("judge") != PERSON
    if before["score"] is not None or before["judgement"] is not None:
        marker["history"] = [
            *marker["history"],
            {"value": before, "replaced_at": verdict.at, "replaced_by": verdict.by},
        ]
    if machine and before["score"] is not None:
        marker["machine"] = before
    marker |= outcome_fields(outcome, brief.rubric)
    marker["judgement"] = verdict.as_dict()
    marker["needs_person"] = None
    _tell(marker, brief, outcome, verdict)
    try:
        outcomes = {name: _outcome(name, data, brief.rubric) for name, data in made["markers"].items()}
    except ODD as error:
        raise _damaged("report /markers", error) from error
    total = overall(brief.module, outcomes)
    made["overall"] = outcome_fields(total, brief.rubric)
    made["state"] = total.state
    return made


def _tell(marker: dict[str, Any], brief: Brief, outcome: Outcome, verdict: Verdict) -> None:
    """Word the feedback of the judged marker anew, in the built-in wording.

    A score alone does not say what held an attempt back: what the parts of an earlier value told stays then, unless it
    is praise and the score is under the best tier, or blame and the score is in it.
    """
    rule = brief.module.rules[brief.marker][brief.grade_band].rule
    accepted = verdict.accepted or {}
    if rule not in ("judged", "band_anchors") and set(accepted) == {"score"}:
        best = marker["tier"]["id"] == brief.rubric.tiers[0].id
        fitting = "done_well" if best else "held_back"
        if marker["feedback"] is None or marker["feedback"]["kind"] != fitting:
            reason = "a person gave the score as a whole"
            marker["feedback"] = built_in(
                brief.rubric, brief.module.id, brief.grade_band, Finding(brief.marker, "whole", "none", "", reason)
            ).as_dict()
        return
    finding = choose(brief.rubric, brief.module.id, brief.grade_band, brief.marker, outcome, accepted)
    marker["feedback"] = built_in(brief.rubric, brief.module.id, brief.grade_band, finding).as_dict()


def _outcome(name: str, data: Mapping[str, Any], rubric: Rubric) -> Outcome:
    """The outcome that a report shows, from its own trace, which is replayed as it is read and must give the score."""
    reason, trace = data["reason"], None if data["trace"] is None else parse(dict(data["trace"]))
    if trace is not None:
        tier = rubric.tier_of_score(data["score"]).id
        for what, shows, gives in (
            ("score", data["score"], trace.value),
            ("tier", data["tier"]["id"], tier),
            ("trace", trace.name, name),
        ):
            if shows != gives:
                raise ValueError(f"{name}: the report says {what} {shows}, its trace gives {gives}")
    return Outcome(
        data["state"],
        data["route"],
        score=data["score"],
        trace=trace,
        reason=None if reason is None else Notice(reason["code"], reason["found"], reason["remedy"]),
    )
