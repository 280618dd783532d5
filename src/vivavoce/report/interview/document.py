"""The document of one part of an interview: all that its text and its page show.

Scored or not, it names every criterion and every check, so that a candidate sees what would have been asked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from vivavoce import __version__
from vivavoce.arithmetic import to_json
from vivavoce.interview import Interview
from vivavoce.notice import Notice
from vivavoce.rubric.graduated import Check, Criterion, Graduated
from vivavoce.scoring.graduated import CriterionBand, overall_band
from vivavoce.trace import Node

SCHEMA = "vivavoce-interview-1"

# By criterion, then by check (ids of checks recur): how many judgements agree with what was decided, of how many.
Agreement = Mapping[str, Mapping[str, tuple[int, int]]]


def part_document(
    edition: Graduated,
    bands: Sequence[CriterionBand],
    *,
    interview: Interview | None = None,
    judgement: Mapping[str, Any] | None = None,
    warnings: Sequence[Notice] = (),
    acoustic: Mapping[str, Any] | None = None,
    agreement: Agreement | None = None,
    state: str = "scored",
    reason: Notice | None = None,
) -> dict[str, Any]:
    """Return the document of one part (schema: `vivavoce schema interview`).

    overall = floor(2 * mean(bands)) / 2, with its trace.
    Parameters: `bands` one a criterion in the edition's order, or none where there is no score; `judgement` who judged
    and what was received; `acoustic` as `acoustic_evidence` returns it: shown beside the bands, entering none;
    `agreement` as `agreement_of` returns it (None: one judgement); `state` scored, pending or not_scored, and `reason`
    why, where nothing is scored.
    Raises ValueError where bands and state do not go together.
    """
    scored = state == "scored"
    if scored == (reason is not None) or [band.criterion for band in bands] != list(edition.criteria if scored else ()):
        raise ValueError(f"{state} with {len(bands)} bands and {'a' if reason else 'no'} reason")
    found = {band.criterion.id: band for band in bands}
    overall = overall_band([band.band for band in bands]) if scored else None
    return {
        "schema": SCHEMA,
        "vivavoce": __version__,
        "rubric": rubric_fields(edition),
        "part": edition.part,
        "state": state,
        "reason": None if reason is None else reason.as_dict(),
        "topic": None if interview is None else interview.topic,
        "answers": []
        if interview is None
        else [{"question": e.question, "answer": e.answer} for e in interview.exchanges],
        "criteria": [
            criterion_row(edition, criterion, found.get(criterion.id), (agreement or {}).get(criterion.id))
            for criterion in edition.criteria
        ],
        "overall": None if overall is None else overall.number,
        "trace": None if overall is None else trace_dict(overall),
        "judgement": None if judgement is None else dict(judgement),
        "acoustic": None if acoustic is None else dict(acoustic),
        "warnings": [notice.as_dict() for notice in warnings],
    }


def agreement_of(
    bands: Sequence[CriterionBand], samples: Sequence[Sequence[tuple[Sequence[bool], int]]]
) -> dict[str, dict[str, tuple[int, int]]]:
    """Return how many of the accepted judgements agree with each decided check.

    Parameters: `bands` as decided; `samples` each judgement's results and band, a criterion each (`Reply.criteria`).
    """
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for place, band in enumerate(bands):
        results = [list(sample[place][0]) for sample in samples]
        found[band.criterion.id] = {
            name: (sum(result[at] == decided for result in results), len(results))
            for at, (name, decided) in enumerate(band.checks.items())
        }
    return found


def rubric_fields(edition: Graduated) -> dict[str, str]:
    """Return what a document says of its edition; `provenance` is that of the texts which calibrate the judge."""
    return {
        "id": edition.id,
        "title": edition.title,
        "version": edition.version,
        "values_as_of": edition.values_as_of,
        "provenance": edition.lookup("edition.prompt.calibration").provenance,
        "digest": edition.digest,
    }


def trace_dict(node: Node) -> dict[str, Any]:
    """Return a trace as the JSON object that every surface shows."""
    result: dict[str, Any] = json.loads(to_json(node))
    return result


def criterion_row(
    edition: Graduated,
    criterion: Criterion,
    band: CriterionBand | None,
    agreement: Mapping[str, tuple[int, int]] | None,
) -> dict[str, Any]:
    """Return a criterion as documents show it: its band and checks, or what would have been asked (band None)."""
    return {
        "id": criterion.id,
        "name": criterion.name,
        "evaluates": criterion.evaluates,
        "band": None if band is None else band.band.number,
        "passed": None if band is None else band.passed,
        "checks": [
            _check(check, None if band is None else band.checks[check.id], (agreement or {}).get(check.id))
            for check in criterion.checks
        ],
        "next": None if band is None else band.next_check,
        "non_monotone": [] if band is None else list(band.non_monotone),
        "note": edition.boundary_note if criterion.id == edition.note_criterion else None,
        "trace": None if band is None else trace_dict(band.band),
    }


def _check(check: Check, result: bool | None, agreement: tuple[int, int] | None) -> dict[str, Any]:
    """A check as asked and as decided; `to_pass` is what yes means, for the next one to reach."""
    agree, of = agreement or ((0, 0) if result is None else (1, 1))
    return {
        "id": check.id,
        "threshold": check.threshold,
        "question": check.question,
        "result": result,
        "meaning": "" if result is None else check.passed if result else check.failed,
        "to_pass": check.passed,
        "agree": agree,
        "of": of,
    }
