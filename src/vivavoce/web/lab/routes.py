"""Addresses of the Score Lab: the page, its exports, and the alignment of a pasted reading."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from vivavoce.errors import RequestError, VivavoceError
from vivavoce.report import view
from vivavoce.rubric.load import published
from vivavoce.rubric.model import Rubric
from vivavoce.scoring.fields import ALIGNMENT
from vivavoce.web.lab.answer import answer, export
from vivavoce.web.lab.compare import comparison
from vivavoce.web.lab.page import Aligned, page_of
from vivavoce.web.lab.picture import picture
from vivavoce.web.lab.state import KEPT, State, link, read, read_kept
from vivavoce.web.pages import reader, render

router = APIRouter()

MAX_FIELDS = 200
PICTURES = {"png": "image/png", "svg": "image/svg+xml"}


def _pairs(query: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query, keep_blank_values=True, max_num_fields=MAX_FIELDS)
    except ValueError as error:
        raise RequestError(
            "query_too_long",
            where="/lab",
            found="more fields than a state has",
            allowed=f"at most {MAX_FIELDS} fields",
            remedy="take the link that the page shows",
        ) from error


def _state(rubric: Rubric, query: str) -> tuple[State, State | None, list[str]]:
    """The present state, the kept one, and what was not understood. A kept state that there is not is left out."""
    pairs = _pairs(query)
    state, unknown = read(rubric, [(name, value) for name, value in pairs if not name.startswith(KEPT)])
    try:
        kept, odd = read_kept(rubric, pairs)
    except RequestError as error:
        return state, None, [*unknown, f"{KEPT}{error.where} {error.found}"]
    return state, kept, [*unknown, *odd]


def _show(
    request: Request,
    state: State,
    kept: State | None,
    unknown: list[str],
    aligned: Aligned | None = None,
    status: int = 200,
) -> Response:
    rubric = published()
    template = "lab/lab.html.j2" if "hx-request" in request.headers else "lab/page.html.j2"
    with view.numbers_written(reader(request).digits):
        shown = page_of(rubric, state, kept)
        compared = comparison(rubric, state, kept, shown) if kept else None
        return render(request, template, status, lab=shown, compared=compared, unknown=unknown, aligned=aligned)


@router.get("/lab")
def lab(request: Request) -> Response:
    """The Lab in the state of the query string; to htmx only the part that changes."""
    return _show(request, *_state(published(), request.url.query))


@router.get("/lab/align")
def align_again() -> Response:
    """A pasted text is in no address: reloading leads back to the Lab."""
    return RedirectResponse("/lab")


@router.post("/lab/align")
def align(
    request: Request,
    state: Annotated[str, Form()] = "",
    reference: Annotated[str, Form()] = "",
    reading: Annotated[str, Form()] = "",
) -> Response:
    """Align a pasted reading with its text and put the counts into the state."""
    from vivavoce.transcript.lines import align_request

    rubric = published()
    now, kept, unknown = _state(rubric, state.partition("?")[2])
    module = rubric.modules[now.module]
    if module.kind != "closed":
        raise RequestError(
            "module_not_read",
            where="module",
            found=module.title,
            allowed=", ".join(found.title for found in rubric.modules.values() if found.kind == "closed"),
            remedy="choose a module that reads a given text",
        )
    try:
        found: dict[str, Any] = align_request(
            {"reference": reference, "transcript": reading, "module": module.id}, lambda _: module.repetitions
        )
    except VivavoceError as error:
        return _show(request, now, kept, unknown, Aligned(reference, reading, error=error.as_dict()), 422)
    counts = {name: str(found[name]) for name in ALIGNMENT}
    counted = replace(now, values={**now.values, **counts})
    return _show(request, counted, kept, unknown, Aligned(reference, reading, found))


@router.get("/lab/export.json")
def export_json(request: Request) -> Response:
    """Request and result with traces; the request is what `vivavoce lab` takes."""
    rubric = published()
    state, _, _ = _state(rubric, request.url.query)
    text = export(rubric, state, link(rubric, state))
    return Response(text, media_type="application/json", headers=_attachment(state, "json"))


@router.get("/lab/export.{kind}")
def export_picture(request: Request, kind: str) -> Response:
    """The scores as a picture, for a slide or a letter."""
    if kind not in PICTURES:
        raise RequestError(
            "export_unknown",
            where="/lab/export." + kind[:20],
            found=kind[:20],
            allowed="json, png, svg",
            remedy="choose one of these",
        )
    rubric = published()
    state, _, _ = _state(rubric, request.url.query)
    with view.numbers_written(reader(request).digits):
        made = picture(rubric, state, answer(rubric, state), kind)
    return Response(made, media_type=PICTURES[kind], headers=_attachment(state, kind))


def _attachment(state: State, kind: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{state.module}-{state.grade_band}.{kind}"'}
