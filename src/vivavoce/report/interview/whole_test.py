"""The document of a whole test, made from the documents of its parts; saved ones are checked before they count."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vivavoce import __version__
from vivavoce.arithmetic import parse
from vivavoce.errors import RequestError
from vivavoce.notice import Notice
from vivavoce.report.interview.document import SCHEMA as PART_SCHEMA
from vivavoce.report.interview.document import criterion_row, rubric_fields, trace_dict
from vivavoce.report.saved import first_fault
from vivavoce.rubric.graduated import PARTS, Criterion, Graduated, part
from vivavoce.rubric.whole_test import WholeTest, whole_test
from vivavoce.scoring.graduated import CriterionBand, allowed_bands, band_of, overall_band
from vivavoce.scoring.whole_test import whole_criterion, whole_overall
from vivavoce.strict import refuse, shown
from vivavoce.trace import Node

SCHEMA = "vivavoce-interview-test-1"
REMEDY = "score this part again with this version"

Part = Mapping[str, Any]


def whole_document(parts: Sequence[Part], where: Sequence[str] = ()) -> dict[str, Any]:
    """Return the document of a whole test (schema: `vivavoce schema interview`).

    A criterion's band = floor(mean of its three parts' bands); overall = floor(2 * mean(bands)) / 2. A part that is
    missing or waits makes the test pending; one that cannot be scored makes it not_scored (as A12 for markers).
    Parameters: `parts` documents as `part_document` makes them, each part once, in any order; `where` their files.
    Raises RequestError: `part_twice`, or `part_unreadable` where a document does not follow from its own traces.
    """
    edition = whole_test()
    places = list(where) or [f"/{at}" for at in range(len(parts))]
    known: dict[int, Part] = {}
    nodes: dict[int, list[Node]] = {}
    for given, place in zip(parts, places, strict=True):
        document = _document(given, place)
        number = document["part"]
        if number in known:
            raise refuse("part_twice", place, f"part {number} again", "each part once", "give each part once")
        known[number], nodes[number] = document, _bands(document, place)
    state, reason = _state(known)
    criteria = part(1).criteria
    bands = [_whole(edition, criteria, nodes, at) for at in range(len(criteria))] if state == "scored" else []
    overall = whole_overall(edition, bands) if bands else None
    return {
        "schema": SCHEMA,
        "vivavoce": __version__,
        "rubric": _rubric(edition),
        "rule": edition.rule,
        "state": state,
        "reason": None if reason is None else reason.as_dict(),
        "criteria": [
            _criterion(criterion, at, known, bands[at] if bands else None) for at, criterion in enumerate(criteria)
        ],
        "overall": None if overall is None else overall.number,
        "trace": None if overall is None else trace_dict(overall),
        "parts": [dict(known[number]) for number in sorted(known)],
        "warnings": [notice.as_dict() for notice in _warnings(known)],
    }


def _whole(edition: WholeTest, criteria: Sequence[Criterion], nodes: Mapping[int, Sequence[Node]], at: int) -> Node:
    return whole_criterion(edition, criteria[at].id, {number: bands[at] for number, bands in nodes.items()})


def _rubric(edition: WholeTest) -> dict[str, str]:
    return {
        "id": edition.id,
        "title": edition.title,
        "version": edition.version,
        "values_as_of": edition.values_as_of,
        "provenance": edition.lookup("edition.rule").provenance,
        "digest": edition.digest,
    }


def _criterion(criterion: Criterion, at: int, known: Mapping[int, Part], band: Node | None) -> dict[str, Any]:
    given = {number: document["criteria"][at]["band"] for number, document in known.items()}
    edition = part(1)
    return {
        "id": criterion.id,
        "name": criterion.name,
        "band": None if band is None else band.number,
        "parts": [{"part": number, "band": given.get(number)} for number in PARTS],
        "note": edition.boundary_note if criterion.id == edition.note_criterion else None,
        "trace": None if band is None else trace_dict(band),
    }


def _state(known: Mapping[int, Part]) -> tuple[str, Notice | None]:
    """Say whether the test can be scored, and what is missing."""
    waiting = [number for number in PARTS if number not in known or known[number]["state"] == "pending"]
    unscored = [number for number, document in sorted(known.items()) if document["state"] == "not_scored"]
    if not waiting and not unscored:
        return "scored", None
    told = [f"part {number} cannot be scored ({known[number]['reason']['found']})" for number in unscored]
    told += [
        f"part {number} waits ({known[number]['reason']['found']})" if number in known else f"part {number} is missing"
        for number in waiting
    ]
    return "not_scored" if unscored else "pending", Notice(
        "parts_missing", "; ".join(told), "a whole test needs its three parts; nothing is averaged around a missing one"
    )


def _warnings(known: Mapping[int, Part]) -> Iterator[Notice]:
    """Say where the parts were not judged alike."""
    judges = {number: (document["judgement"] or {}).get("judge") for number, document in sorted(known.items())}
    named = {number: judge for number, judge in judges.items() if judge}
    if len(set(named.values())) > 1:
        listed = ", ".join(f"part {number} by {judge}" for number, judge in named.items())
        yield Notice("judges_differ", f"the parts were judged by different judges: {listed}", "judge all parts alike")


def _unreadable(place: str, found: str, allowed: str) -> RequestError:
    return refuse("part_unreadable", place, found, allowed, REMEDY)


def _document(given: Any, place: str) -> Part:
    """Return a part's document as plain JSON values, or refuse what is none."""
    if not isinstance(given, Mapping) or given.get("schema") != PART_SCHEMA:
        raise _unreadable(place, shown(given), f"a document of the schema {PART_SCHEMA}")
    fault = first_fault(given, "interview")
    if fault is not None:
        raise _unreadable(f"{place} {fault[0]}", fault[1], fault[2])
    document: Part = json.loads(json.dumps(given, default=float))
    return document


def _bands(document: Part, place: str) -> list[Node]:
    """Return the bands as traces, computed again from what they are made of; none where the part has no score."""
    edition = part(document["part"])
    if document["rubric"]["digest"] != edition.digest:
        raise _unreadable(f"{place} /rubric/digest", "another edition", f"the edition {edition.id} as it ships")
    for at, (criterion, row) in enumerate(zip(edition.criteria, document["criteria"], strict=True)):
        checks = [check["id"] for check in row["checks"]]
        if row["id"] != criterion.id or checks != [check.id for check in criterion.checks]:
            raise _unreadable(f"{place} /criteria/{at}", shown(row["id"]), f"{criterion.id} with its checks in order")
    if document["rubric"] != rubric_fields(edition):
        raise _unreadable(f"{place} /rubric", "other words", f"what the edition {edition.id} says of itself")
    scored = document["state"] == "scored"
    if not scored:
        _same(edition, document, [None] * len(edition.criteria), place)
        return []
    try:
        bands = [parse(row["trace"]) for row in document["criteria"]]
    except (KeyError, TypeError, ValueError, IndexError, ZeroDivisionError, RecursionError) as error:
        raise _unreadable(f"{place} /criteria", f"a trace that cannot be replayed: {error}", "the traces") from error
    given = [row["band"] for row in document["criteria"]]
    follows = all(
        row["band"] in allowed_bands(criterion, [check["result"] for check in row["checks"]])
        for criterion, row in zip(edition.criteria, document["criteria"], strict=True)
    )
    if not follows or [band.number for band in bands] != given or overall_band(bands).number != document["overall"]:
        found = f"bands {given}, overall {shown(document['overall'])}"
        raise _unreadable(place, found, "what its checks and traces give")
    _same(
        edition, document, [_again(*pair) for pair in zip(edition.criteria, document["criteria"], strict=True)], place
    )
    if trace_dict(overall_band(bands)) != document["trace"]:
        raise _unreadable(f"{place} /trace", "other steps", "the steps from its bands to its overall")
    return bands


def _again(criterion: Criterion, row: Part) -> CriterionBand:
    """Return a saved criterion as its checks, the band given and the words of its judges' steps make it."""
    steps = {step["name"]: step for step in _judged(row["trace"])}
    results = [check["result"] for check in row["checks"]]
    given = steps.get("given_band", {"value": row["band"]})["value"]
    known = [steps.get(check.id, {"source": "", "note": ""}) for check in criterion.checks]
    return band_of(criterion, results, given, known[0]["source"], [step["note"] for step in known])


def _judged(step: Part) -> Iterator[Part]:
    if step["op"] == "judged":
        yield step
    for operand in step["operands"]:
        yield from _judged(operand)


def _same(edition: Graduated, document: Part, bands: Sequence[CriterionBand | None], place: str) -> None:
    """Refuse criteria that say anything else than their checks and steps do: what is shown is what is computed."""
    for at, (criterion, row, band) in enumerate(zip(edition.criteria, document["criteria"], bands, strict=True)):
        agreement = {check["id"]: (check["agree"], check["of"]) for check in row["checks"]}
        made = criterion_row(edition, criterion, band, agreement)
        other = next((key for key, value in made.items() if row[key] != value), None)
        if other is not None:
            raise _unreadable(f"{place} /criteria/{at}/{other}", "another value", "what its checks and steps give")
