"""What the teacher's pages show, worked out of a report: the templates only lay out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.judging.judge import Brief
from vivavoce.judging.people import sheet
from vivavoce.report import judged as told
from vivavoce.report import view
from vivavoce.report.moments import heard_words
from vivavoce.report.page import standing, tier_places
from vivavoce.report.picture import clock
from vivavoce.report.reading import spoken
from vivavoce.rubric.model import Rubric
from vivavoce.store.model import Attempt
from vivavoce.web.teacher import form, judged
from vivavoce.web.teacher.allows import allows
from vivavoce.web.teacher.waiting import Waits, can_enter, waits
from vivavoce.web.teacher.wording import Words, score_hint

Report = Mapping[str, Any]


def card(attempt: Attempt, report: Report, rubric: Rubric, kept: str) -> dict[str, Any]:
    """Return what the teacher's view of one card shows; `kept` names the marker that was entered just now."""
    waiting = waits(report)
    older = report["rubric"]["digest"] != rubric.digest
    entered = report["markers"].get(kept)
    return {
        **_frame(attempt, report),
        "waiting": waiting,
        "older": older,
        "enters": can_enter(report) and not older,
        "overall": standing(report, report["overall"]),
        "overall_reason": view.overall_reason(report),
        "provisional": told.provisional(report),
        "markers": [
            _marker(report, name, marker, rubric, waiting, enters=can_enter(report) and not older)
            for name, marker in report["markers"].items()
        ],
        "kept": entered if entered is not None and entered["judgement"] is not None else None,
    }


def _frame(attempt: Attempt, report: Report) -> dict[str, Any]:
    return {
        "attempt": attempt,
        "report": report,
        "tiers": tier_places(report),
        "said": said(report),
        "response_s": (report["measurements"].get("response_s") or {"value": None})["value"],
    }


def said(report: Report) -> list[dict[str, Any]]:
    """Return what was heard in stretches between pauses of any kind, each with when it was said."""
    ends = [pause["start_s"] for pause in report["pauses"]]
    stretches = groupby(heard_words(report), lambda word: sum(end < word["start_s"] for end in ends))
    found = [list(words) for _, words in stretches]
    return [
        _moment(words[0]["start_s"], words[-1]["end_s"], " ".join(word["text"] for word in words)) for words in found
    ]


def _moment(start_s: float, end_s: float, text: str) -> dict[str, Any]:
    return {"start_s": start_s, "end_s": end_s, "at": clock(start_s), "text": text}


def _marker(
    report: Report, name: str, marker: Report, rubric: Rubric, waiting: Sequence[Waits], *, enters: bool
) -> dict[str, Any]:
    return {
        **standing(report, marker),
        "id": name,
        "title": marker["title"],
        "judges": marker["judges"],
        "weight": view.number(marker["weight"]),
        "by": view.judged_by(marker),
        "by_person": marker["judgement"] is not None and marker["judgement"]["judge"] == judged.PERSON,
        "why": (marker["judgement"] or {}).get("reason", ""),
        "waits": next((found for found in waiting if found.marker == name), None),
        "enters": enters,
        "machine": machine(report, marker, rubric),
        "history": judged.history(marker),
    }


def machine(report: Report, marker: Report, rubric: Rubric) -> dict[str, Any] | None:
    """Return what the machine said of a marker, for an opening of its own."""
    value = judged.machine_of(marker)
    if value is None or (value["judgement"] is None and value["score"] is None):
        return None
    judgement = value["judgement"]
    return {
        **standing(report, value),
        "by": view.judged_by({**marker, **value}),
        "needs_person": marker["needs_person"],
        "spread": None if judgement is None else judged.spread(judgement, report, rubric),
        "interval": None if judgement is None else judged.interval(judgement, report),
        "findings": [] if judgement is None else judged.findings(value, marker),
        "places": [
            _moment(place["start_s"], place["end_s"], place["word"])
            for finding in (judgement or {"findings": []})["findings"]
            for place in finding["places"]
        ],
        "replies": []
        if judgement is None
        else [{**reply, "when": judged.moment(reply["at"])} for reply in judgement["replies"]],
        "samples": 0 if judgement is None else judgement["samples"],
    }


def marking(
    attempt: Attempt, report: Report, brief: Brief, typed: Mapping[str, str], faults: Sequence[RequestError], way: str
) -> dict[str, Any]:
    """Return what the form of one marker shows: the sheet where a person can judge by parts, and the score alone."""
    marker, measured = report["markers"][brief.marker], _is_measured(brief)
    asked: dict[str, Any] | None = None
    places = {"/by": "Your name", "/why": "Your reason", form.SCORE_ALONE: "Score"}
    if not measured:
        asked = {
            **sheet(brief),
            "fields": form.fields(brief, typed, faults if way == "sheet" else ()),
            "meanings": Words(brief).anchors(),
        }
        places |= form.places(asked["fields"])
    return {
        **_frame(attempt, report),
        "marker": {"id": brief.marker, "title": marker["title"], "judges": marker["judges"]},
        "waits": next((found for found in waits(report) if found.marker == brief.marker), None),
        "enters": can_enter(report),
        "measured": measured,
        "asked": asked,
        "lives": brief.marker == "fluency",
        "so_far": allows(brief, typed),
        "chosen_way": "score" if measured else way,
        "typed": dict.fromkeys(places, "") | dict(typed),
        "faults": faults,
        "faults_at": {name: [fault for fault in faults if fault.where == name] for name in places},
        "places_of": places,
        "id_of": form.id_of,
        "score_alone": form.SCORE_ALONE,
        "score_hint": score_hint(brief.rubric),
        "heard": sorted(set(spoken(report)), key=str.casefold),
        "machine": machine(report, marker, brief.rubric),
        "stands": _stands(report, marker),
        "history": judged.history(marker),
    }


def _is_measured(brief: Brief) -> bool:
    return brief.module.rules[brief.marker][brief.grade_band].route == "code"


def _stands(report: Report, marker: Report) -> dict[str, Any] | None:
    """The value that counts now, where a person gave it."""
    judgement = marker["judgement"]
    if judgement is None or judgement["judge"] != judged.PERSON:
        return None
    return {**standing(report, marker), "by": view.judged_by(marker), "why": judgement["reason"], "at": judgement["at"]}
