"""Put a person's judgement into a kept report: checked against the report that its form was made from."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.rescore import Report, enter_score, enter_sheet
from vivavoce.rubric.model import Rubric
from vivavoce.store.model import Attempt, Store
from vivavoce.strict import refuse
from vivavoce.web.reports import report_of

MOST_NAME, MOST_REASON = 80, 1000
# Reading a report and keeping the changed one is one step: of two forms sent at once the second finds it changed.
_KEEPING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Entry:
    """What a person enters: a filled sheet as JSON text, or a score alone; who, why, and on which report."""

    marker: str
    by: str
    why: str
    made_from: str
    sheet: str | None = None
    score: int | None = None


def digest_of(report: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a report, by which a form knows whether it is still the same."""
    text = json.dumps(report, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def report_to_mark(store: Store, attempt: Attempt) -> dict[str, Any]:
    """Return the report of an attempt. Raises RequestError `report_missing` while there is none to mark."""
    report = report_of(store, attempt)
    if report is None:
        raise RequestError(
            "report_missing",
            where=f"attempt {attempt.id[:12]}",
            found=f"a recording that is {attempt.state}",
            allowed="a recording that is scored",
            remedy="wait until the card is there; if the scoring failed, have it scored again",
        )
    return report


def known(report: Mapping[str, Any], rubric: Rubric, marker: str) -> None:
    """Refuse a marker that is none. Raises RequestError `marker_unknown`."""
    if marker not in rubric.markers or marker not in report["markers"]:
        raise refuse("marker_unknown", "the address", marker[:60], ", ".join(rubric.markers), "choose one of the card")


def _visible(text: str) -> bool:
    """Whether a text holds anything that can be seen."""
    return any(letter.isprintable() and not letter.isspace() for letter in text)


def signed(by: str, why: str | None) -> list[RequestError]:
    """Return what is wrong with the name and the reason; `why` None: the sheet has the reason."""
    found = []
    if not _visible(by) or len(by) > MOST_NAME:
        what = f"{len(by)} characters" if _visible(by) else "no name"
        found.append(refuse("judge_unnamed", "/by", what, f"a name of 1 to {MOST_NAME} characters", "say who judges"))
    if why is not None and (not _visible(why) or len(why) > MOST_REASON):
        what = f"{len(why)} characters" if _visible(why) else "no reason"
        allowed = f"a reason of 1 to {MOST_REASON} characters"
        found.append(refuse("reason_missing", "/why", what, allowed, "say in a sentence why"))
    return found


def keep(store: Store, rubric: Rubric, attempt_id: str, entry: Entry) -> Report:
    """Score the card anew with what a person entered, keep it, and return it.

    Raises RequestError `report_changed` where the card is not the one that the form was made from, and what
    `rescore` refuses.
    """
    with _KEEPING:
        report = report_to_mark(store, store.attempt(attempt_id))
        if digest_of(report) != entry.made_from:
            raise RequestError(
                "report_changed",
                where="the card",
                found="another value than when this form was opened: somebody has judged, or it was scored again",
                allowed="the card that the form was made from",
                remedy="nothing is lost: what you typed is below. Look at the card as it is now, and send again if it "
                "still holds",
            )
        made = _entered(report, rubric, entry)
        store.keep_report(attempt_id, made)
        return made


def _entered(report: Mapping[str, Any], rubric: Rubric, entry: Entry) -> Report:
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if entry.sheet is not None:
        return enter_sheet(report, rubric, entry.marker, entry.sheet, by=entry.by, why=entry.why, at=at)
    if entry.score is None:
        raise ValueError("a sheet or a score is entered")
    return enter_score(report, rubric, entry.marker, entry.score, by=entry.by, why=entry.why, at=at)
