"""Addresses of the rubric guide."""

from __future__ import annotations

import json
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from vivavoce.arithmetic import to_json
from vivavoce.errors import RequestError
from vivavoce.report.view import numbers_written
from vivavoce.rubric.load import published
from vivavoce.scoring.request import score_request
from vivavoce.strict import parse_json
from vivavoce.web.guide import contents, figures
from vivavoce.web.guide.book import MODULE_HEADINGS, catalog, chapters, shown_at, uses
from vivavoce.web.guide.catalog import FOUND_AT_MOST, MARKS, Catalog, percent_of, shown
from vivavoce.web.guide.figures import tier_plot, tier_rank
from vivavoce.web.guide.meaning import meaning
from vivavoce.web.pages import reader, render
from vivavoce.worked import example_of

router = APIRouter()
# The worked figure: its volume has the guide's own 0.9625, 0.568 and 93.
WORKED = ("poem_recitation", "volume_control")


def page(request: Request, template: str, name: str, **context: Any) -> HTMLResponse:
    """Return a chapter of the guide."""
    values: dict[str, Any] = {
        "rubric": published(),
        "catalog": catalog(),
        "chapters": chapters(),
        "chapter": chapters()[name],
        "book": "Rubric guide",
        "marks": MARKS,
        "shown": shown,
        "percent_of": percent_of,
        "figures": figures,
        "routes": contents.ROUTES,
        "decisions_at": contents.decision_places(published()),
        "decided_in": contents.decided_in,
    }
    with numbers_written(reader(request).digits):
        return render(request, f"guide/{template}.html.j2", **values, **context)


@router.get("/rubric")
def built(request: Request) -> HTMLResponse:
    """How every score is built, with one score worked out by the engine."""
    rubric, reading = published(), reader(request)
    module, marker = WORKED
    example = example_of(rubric, module)
    outcome = score_request(rubric, parse_json(json.dumps(example["request"]), "")).markers[marker]
    assert outcome.trace is not None
    assert outcome.quality is not None
    assert outcome.score is not None
    return page(
        request,
        "built",
        "built",
        trace=json.loads(to_json(outcome.trace)),
        worked=contents.worked_lines(outcome.trace, reading),
        worked_module=rubric.modules[module],
        worked_marker=rubric.markers[marker],
        plot=tier_plot(rubric, outcome.quality, outcome.score, reading),
    )


@router.get("/rubric/tables")
def tables(request: Request) -> HTMLResponse:
    """The tables that modules share."""
    return page(
        request,
        "tables",
        "tables",
        kinds=contents.kinds(published(), reader(request)),
        ranks=tier_rank(published().tiers),
    )


@router.get("/rubric/modules")
def modules(request: Request) -> HTMLResponse:
    """The eight modules and the weight table."""
    return page(
        request,
        "modules",
        "modules",
        table=contents.weight_table(published(), reader(request)),
        stacks=contents.stacks(published()),
    )


@router.get("/rubric/modules/{module_id}")
def module(request: Request, module_id: str) -> HTMLResponse:
    """One module."""
    rubric = published()
    if module_id not in rubric.modules:
        raise RequestError(
            "module_unknown",
            where=request.url.path[:200],
            found="no module of this name",
            allowed=", ".join(rubric.modules),
            remedy="choose a module in the guide",
        )
    names = list(rubric.modules)
    at = names.index(module_id)
    return page(
        request,
        "module",
        "modules",
        module=rubric.modules[module_id],
        table=contents.weight_table(rubric, reader(request)),
        module_headings=MODULE_HEADINGS,
        plots=contents.module_figures(rubric, rubric.modules[module_id], reader(request)),
        before=rubric.modules[names[at - 1]] if at else None,
        after=rubric.modules[names[at + 1]] if at + 1 < len(names) else None,
    )


@router.get("/rubric/feedback")
def feedback(request: Request) -> HTMLResponse:
    """What the student is told."""
    return page(request, "feedback", "feedback", settings=contents.SETTINGS, kinds=contents.FINDING_KINDS)


@router.get("/rubric/judging")
def judging(request: Request) -> HTMLResponse:
    """What the judge is asked."""
    return page(request, "judging", "judging", titles=contents.JUDGING_TEXTS)


@router.get("/rubric/local-judge")
def local(request: Request) -> HTMLResponse:
    """The judge on this computer."""
    return page(
        request,
        "local",
        "local",
        plots=contents.anchor_plots(published(), reader(request)),
        finding_titles=contents.FINDING_LIMITS,
    )


@router.get("/rubric/history")
def history(request: Request) -> HTMLResponse:
    """What changed, and when."""
    return page(request, "history", "history", dated=contents.dated)


@router.get("/rubric/conflicts")
def conflicts(request: Request) -> HTMLResponse:
    """Where the sources disagree, and what we chose."""
    return page(request, "conflicts", "conflicts")


Words = Annotated[str, Query(max_length=200)]


@router.get("/rubric/rows")
def rows(request: Request, q: Words = "", provenance: Words = "") -> HTMLResponse:
    """Search over all rows."""
    return page(request, "rows", "rows", **found_rows(catalog(), q, provenance))


def found_rows(within: Catalog, q: str, provenance: str, edition: str = "") -> dict[str, Any]:
    """What a page of rows shows: the rows found, at most FOUND_AT_MOST, and how many there are."""
    if provenance and provenance not in MARKS:
        raise RequestError(
            "provenance_unknown",
            where="provenance",
            found=repr(provenance)[:80],
            allowed=", ".join(MARKS),
            remedy="choose one of these, or none for all",
        )
    found = within.search(q, provenance) if q.strip() or provenance else []
    values = {"edition": edition, "q": q, "provenance": provenance}
    asked = urlencode({name: value for name, value in values.items() if value})
    link = within.index + (f"?{asked}" if asked else "")
    return {"q": q, "provenance": provenance, "found": found[:FOUND_AT_MOST], "count": len(found), "link": link}


@router.get("/rubric/row/{path:path}")
def row(request: Request, path: str) -> HTMLResponse:
    """One row, or the rows under a path."""
    known = catalog().require(path.rstrip("."))
    title, url = shown_at(known)
    lines = uses().of(known) if known in catalog() else []
    return page(
        request,
        "row",
        "rows",
        path=known,
        plot=contents.row_plot(published(), known, reader(request)),
        shown_title=title,
        shown_url=url,
        lines=lines,
        **row_context(catalog(), known),
    )


def row_context(within: Catalog, path: str) -> dict[str, Any]:
    """What the page of a row, or of a prefix of rows, shows."""
    parent = path.rpartition(".")[0]
    siblings = within.children(parent)
    at = siblings.index(path)
    return {
        "steps": within.steps(path),
        "row": within.get(path),
        "meaning": meaning,
        "siblings": [(name, within.get(name)) for name in siblings],
        "under": [within[name] for name in within.under(path)] if path not in within else [],
        "place": within.place(path),
        "before": siblings[at - 1] if at else None,
        "after": siblings[at + 1] if at + 1 < len(siblings) else None,
    }
