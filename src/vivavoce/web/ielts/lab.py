"""What the IELTS lab shows of a state (bands, the overall, what passing takes) and exports; the engine decides."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import QueryParams

from vivavoce.arithmetic import to_json
from vivavoce.errors import RequestError
from vivavoce.judging.interview.contract import EVIDENCE
from vivavoce.report.interview import told
from vivavoce.report.interview.document import part_document
from vivavoce.rubric.graduated import Graduated
from vivavoce.scoring.graduated import CriterionBand, overall_band
from vivavoce.trace import Node
from vivavoce.web.guide.figures import percent
from vivavoce.web.ielts.state import State, best, choices, decided, from_code, from_form
from vivavoce.web.reader import Reader

HIGHEST = 9
LOWEST_STAIR = 42
EXPORTS = ("reply", "document")


def lab_state(edition: Graduated, query: QueryParams) -> State:
    """Return the state of a request: of its form, of its link, or the guide's own reply. Raises RequestError."""
    if "form" in query:
        given = {criterion.id: query.get(f"band.{criterion.id}", "") for criterion in edition.criteria}
        return from_form(edition, query.getlist("check"), {name: band for name, band in given.items() if band})
    code = query.get("state", "")
    return from_code(edition, code) if code else best(edition)


def lab_context(edition: Graduated, query: QueryParams, reader: Reader) -> dict[str, Any]:
    """Return all that the lab's page shows."""
    state = lab_state(edition, query)
    bands = decided(edition, state)
    overall = overall_band([band.band for band in bands])
    code, held_code = state.code(), query.get("held", "")
    held = from_code(edition, held_code, "held") if held_code else None
    return {
        "criteria": [_criterion(row, band, edition) for row, band in zip(state.results, bands, strict=True)],
        "overall": overall,
        "overall_text": reader.number(overall.number),
        "arithmetic": told.arithmetic(_dict(overall)),
        "trace": _dict(overall),
        "code": code,
        "link": _url("/ielts/lab", state=code, held=held_code),
        "hold": _url("/ielts/lab", state=code, held=code),
        "drop": _url("/ielts/lab", state=code),
        "exports": {name: _url(f"/ielts/lab/{name}.json", state=code) for name in EXPORTS},
        "held": held_code,
        "compared": None if held is None else _compared(edition, held, bands, overall, reader),
    }


def _url(path: str, **values: str) -> str:
    return f"{path}?{urlencode({name: value for name, value in values.items() if value})}"


def _dict(node: Node) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(to_json(node))
    return found


def _criterion(results: tuple[bool, ...], band: CriterionBand, edition: Graduated) -> dict[str, Any]:
    criterion = band.criterion
    count = len(criterion.checks)
    return {
        "id": criterion.id,
        "name": criterion.name,
        "evaluates": criterion.evaluates,
        "band": band.band.text,
        "place": percent(band.band.value, HIGHEST),
        "passed": band.passed,
        "count": count,
        "checks": [
            {
                "id": check.id,
                "title": told.title_of(check.id),
                "threshold": check.threshold,
                "question": check.question,
                "meaning": check.passed if result else check.failed,
                "result": result,
                "late": check.id in band.non_monotone,
                "height": percent(LOWEST_STAIR + (100 - LOWEST_STAIR) * Fraction(at, count - 1), 100),
            }
            for at, (check, result) in enumerate(zip(criterion.checks, results, strict=True))
        ],
        "choices": [str(choice) for choice in choices(criterion, results)],
        "why": _why(criterion.id, band),
        "non_monotone": [told.title_of(name) for name in band.non_monotone],
        "next": told.title_of(band.next_check) if band.next_check else "",
        "note": edition.boundary_note if criterion.id == edition.note_criterion else "",
        "trace": _dict(band.band),
    }


def _why(name: str, band: CriterionBand) -> str:
    """Why a choice of bands stands or does not, where the guide makes a case of it (V1, V2)."""
    if band.passed == 0:
        return "No check passed: the band is 4 or below, as the judge gives it (V1)."
    if name != "pronunciation":
        return ""
    if band.passed == 1 and band.checks[band.criterion.one_missed]:
        return "WORD_CLARITY is the one that passed: the band is 5 (V2)."
    if band.passed == 1:
        return "One check passed: band 6 only where WORD_CLARITY was narrowly missed, else 5 (V2)."
    if band.passed == len(band.checks):
        return "All checks passed: band 8, or 9 for exceptional consistency."
    return ""


def _compared(
    edition: Graduated, held: State, now: list[CriterionBand], overall: Node, reader: Reader
) -> list[dict[str, str]]:
    """The held state and this one, line by line; the last line is the overall."""
    before = decided(edition, held)
    pairs = [(b.criterion.name, b.band, n.band) for b, n in zip(before, now, strict=True)]
    pairs.append(("Overall", overall_band([band.band for band in before]), overall))
    lines = []
    for name, then, this in pairs:
        change = this.value - then.value
        said = "the same" if change == 0 else f"{'+' if change > 0 else '−'}{reader.number(abs(float(change)))}"
        lines.append(
            {"name": name, "held": reader.number(then.number), "now": reader.number(this.number), "change": said}
        )
    return lines


def reply_of(edition: Graduated, state: State) -> dict[str, Any]:
    """Return the raw V33 reply that says this state; the strict parser accepts it."""
    bands = decided(edition, state)
    criteria = [
        {
            "name": band.criterion.name,
            "checks": [
                {"criterion": name, "result": result, "evidence": EVIDENCE[result]}
                for name, result in band.checks.items()
            ],
            "yesCount": band.passed,
            "band": int(band.band.value),
        }
        for band in bands
    ]
    overall = overall_band([band.band for band in bands]).number
    return {"testBased": {"test": edition.test, "overall": overall, "criteria": criteria, "keyObservations": []}}


def exported(edition: Graduated, name: str, state: State) -> str:
    """Return the export of that name as JSON text. Raises RequestError `page_unknown`."""
    if name not in EXPORTS:
        raise RequestError(
            "page_unknown",
            where=name[:80],
            found="no export of this name",
            allowed=", ".join(EXPORTS),
            remedy="choose an export in the lab",
        )
    found: Mapping[str, Any] = (
        reply_of(edition, state) if name == "reply" else part_document(edition, decided(edition, state))
    )
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"
