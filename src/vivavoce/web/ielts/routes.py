"""Addresses of the IELTS pages."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from vivavoce.arithmetic import to_json
from vivavoce.judging.interview.contract import best_reply
from vivavoce.report.interview import told
from vivavoce.report.view import numbers_written
from vivavoce.rubric.graduated import PART_1, PARTS, part
from vivavoce.rubric.whole_test import whole_test
from vivavoce.scoring.graduated import overall_band
from vivavoce.scoring.whole_test import whole_criterion, whole_overall
from vivavoce.trace import Node, leaf
from vivavoce.web.guide.catalog import MARKS, Catalog, shown
from vivavoce.web.guide.contents import decided_in
from vivavoce.web.guide.routes import Words, found_rows, row_context
from vivavoce.web.ielts import book
from vivavoce.web.ielts.lab import exported, lab_context, lab_state
from vivavoce.web.ielts.state import best, decided
from vivavoce.web.pages import reader, render

router = APIRouter()
# The example of docs/ielts.md and three more criteria: each band a criterion had in Parts 1, 2 and 3.
EXAMPLE = {
    "fluency_and_coherence": (7, 6, 6),
    "lexical_resource": (7, 7, 6),
    "pronunciation": (8, 7, 7),
    "grammatical_range_and_accuracy": (6, 6, 6),
}


def page(request: Request, template: str, name: str, within: Catalog | None = None, **context: Any) -> HTMLResponse:
    """Return a chapter of the IELTS guide; sources in its traces lead to the rows of `within`."""
    found = within or book.catalog()
    values: dict[str, Any] = {
        "edition": part(1),
        "catalog": found,
        "chapters": book.chapters(),
        "chapter": book.chapters()[name],
        "book": "IELTS guide",
        "marks": MARKS,
        "shown": shown,
        "told": told,
        "row_url": found.cited,
        "editions": book.editions(),
        "decisions_at": {decision.id: f"/ielts#{decision.id}" for decision in book.DECISIONS},
        "decided_in": decided_in,
    }
    with numbers_written(reader(request).digits):
        return render(request, f"ielts/{template}.html.j2", **(values | context))


def as_dict(node: Node) -> dict[str, Any]:
    """A trace as templates show it."""
    found: dict[str, Any] = json.loads(to_json(node))
    return found


@router.get("/ielts")
def built(request: Request) -> HTMLResponse:
    """How a band comes about, with the overall of the guide's own reply worked out."""
    edition = part(1)
    overall = overall_band([band.band for band in decided(edition, best(edition))])
    others = [book.catalog(name) for name in book.editions()]
    return page(request, "built", "built", trace=as_dict(overall), decisions=book.DECISIONS, others=others)


@router.get("/ielts/contract")
def contract(request: Request) -> HTMLResponse:
    """What the prompt of Part 1 says."""
    return page(request, "contract", "contract", titles=book.TEXT_TITLES, reply="\n".join(best_reply(part(1))))


@router.get("/ielts/parts")
def parts(request: Request) -> HTMLResponse:
    """What Parts 2 and 3 word themselves."""
    found = {number: (part(number), book.catalog(name)) for number, name in PARTS.items()}
    return page(request, "parts", "parts", parts=found, own=book.OWN_TEXTS, titles=book.TEXT_TITLES)


@router.get("/ielts/test")
def test(request: Request) -> HTMLResponse:
    """The whole test, with an example that the engine works out."""
    edition = whole_test()
    bands = {
        name: whole_criterion(
            edition, name, {number: leaf("given", name, band, unit="band") for number, band in enumerate(given, 1)}
        )
        for name, given in EXAMPLE.items()
    }
    overall = whole_overall(edition, list(bands.values()))
    return page(
        request,
        "test",
        "test",
        book.catalog(edition.id),
        whole=edition,
        example=EXAMPLE,
        bands={name: as_dict(node) for name, node in bands.items()},
        trace=as_dict(overall),
    )


@router.get("/ielts/rows")
def rows(
    request: Request,
    q: Words = "",
    provenance: Words = "",
    edition: Annotated[str, Query(max_length=80)] = PART_1,
) -> HTMLResponse:
    """Search over the rows of an edition."""
    within = book.catalog(edition)
    return page(request, "rows", "rows", within, **found_rows(within, q, provenance, within.id))


@router.get("/ielts/row/{edition}")
def row_top(edition: str) -> RedirectResponse:
    """The rows of an edition."""
    return RedirectResponse(f"/ielts/rows?edition={book.catalog(edition).id}")


@router.get("/ielts/row/{edition}/{path:path}")
def row(request: Request, edition: str, path: str) -> HTMLResponse:
    """One row of an edition, or the rows under a path."""
    within = book.catalog(edition)
    known = within.require(path.rstrip("."))
    title, url = book.shown_at(edition, known)
    return page(
        request,
        "row",
        "rows",
        within,
        path=known,
        shown_title=title,
        shown_url=url,
        lines=book.uses(edition, known) if known in within else [],
        **row_context(within, known),
    )


@router.get("/ielts/lab")
def lab(request: Request) -> HTMLResponse:
    """Flip checks, see bands and the overall."""
    found = reader(request)
    with numbers_written(found.digits):
        context = lab_context(part(1), request.query_params, found)
    return page(request, "lab", "lab", **context)


@router.get("/ielts/lab/{name}.json")
def export(request: Request, name: str) -> Response:
    """The state as the V33 reply that says it, or as the scored document."""
    text = exported(part(1), name, lab_state(part(1), request.query_params))
    return Response(
        text,
        media_type="application/json",
        headers={"Content-Disposition": f'attachment; filename="ielts-{name}.json"'},
    )
