"""How a page is made: one environment of templates, one frame, one reader; and the same error on every surface."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

import jinja2
from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

import vivavoce
from vivavoce.errors import InputError, MissingError, VivavoceError
from vivavoce.report import view
from vivavoce.report.page import environment as card_environment
from vivavoce.rubric.load import published
from vivavoce.web.reader import Reader, reader_of

# Title and address of what the frame leads to, in order.
PLACES = (
    ("Record", "/record"),
    ("Cards", "/cards"),
    ("To mark", "/teacher"),
    ("Score Lab", "/lab"),
    ("Rubric", "/rubric"),
    ("IELTS", "/ielts"),
)
NOT_FOUND = frozenset(
    {"attempt_unknown", "task_unknown", "page_unknown", "module_unknown", "marker_unknown", "rubric_path_unknown"}
)


@lru_cache(maxsize=1)
def environment() -> jinja2.Environment:
    """The card's own environment with the pages' templates before the card's."""
    card = card_environment()
    made = card.overlay(
        loader=jinja2.ChoiceLoader(
            [jinja2.PackageLoader("vivavoce.web", "templates"), *([card.loader] if card.loader else [])]
        )
    )
    made.globals = {
        **card.globals,
        "view": view,
        "engine": vivavoce.__version__,
        "places": PLACES,
        "static": static_url,
        "row_url": row_url,
    }
    return made


@lru_cache(maxsize=1)
def _bundle_digest() -> str:
    stamp = files("vivavoce.web").joinpath("static/bundle.json")
    return str(json.loads(stamp.read_text(encoding="utf-8"))["digest"])[:12]


def static_url(name: str) -> str:
    """The address of a built file; it changes with what was built, so that browsers may keep it for ever."""
    return f"/static/{name}?v={_bundle_digest()}"


@lru_cache(maxsize=4096)
def row_url(source: str) -> str:
    """The page of the rubric row, or of the rows under the path, that a trace's source names; "" for other sources."""
    entries = published().entries
    known = source in entries or any(path.startswith(source + ".") for path in entries)
    return f"/rubric/row/{quote(source)}" if source and known else ""


def reader(request: Request) -> Reader:
    """The reader of this request."""
    return reader_of(request.headers.get("accept-language", ""))


def render(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """Return a page; templates find `request`, `reader` and `here` (the path) beside their own context."""
    text = (
        environment()
        .get_template(template)
        .render(request=request, reader=reader(request), here=request.url.path, **context)
    )
    return HTMLResponse(text, status_code=status)


def wants_json(request: Request) -> bool:
    """Whether a program asks: it accepts JSON and not HTML."""
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/html" not in accepted


def status_of(error: VivavoceError) -> int:
    """The HTTP status of an error: 404 not there, 422 does not fit, 503 must be installed first."""
    if error.code in NOT_FOUND:
        return 404
    if isinstance(error, MissingError):
        return 503
    return 422 if isinstance(error, InputError) else 502


def show_error(request: Request, error: VivavoceError, status: int | None = None) -> Response:
    """Return an error with its five fields, as JSON for programs and as a page for people."""
    status = status_of(error) if status is None else status
    if wants_json(request):
        return JSONResponse({"error": error.as_dict()}, status_code=status)
    return render(request, "error.html.j2", status, error=error.as_dict(), missing=status == 404)
