"""Addresses of the teacher's view."""

from __future__ import annotations

import json
from typing import Annotated, Any
from urllib.parse import quote, unquote

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from vivavoce.errors import RequestError
from vivavoce.report.pdf import card_pdf
from vivavoce.report.view import numbers_written
from vivavoce.rescore import brief_of
from vivavoce.rubric.load import published
from vivavoce.store.model import Attempt, Store
from vivavoce.web.pages import reader, render, show_error, wants_json
from vivavoce.web.reports import reading
from vivavoce.web.teacher import form, show
from vivavoce.web.teacher.allows import allows
from vivavoce.web.teacher.enter import MOST_NAME, Entry, digest_of, keep, known, report_to_mark, signed
from vivavoce.web.teacher.posted import posted
from vivavoce.web.teacher.waiting import queue

router = APIRouter()
# The name of who judges, kept on this machine by its browser.
NAME_COOKIE = "vivavoce_by"
A_YEAR_S = 365 * 24 * 3600


def _opened(request: Request, attempt_id: str) -> tuple[Store, Attempt, dict[str, Any]]:
    store: Store = request.app.state.store
    attempt = store.attempt(attempt_id)
    return store, attempt, report_to_mark(store, attempt)


@router.get("/teacher")
def waiting(request: Request) -> Response:
    """Show the cards with markers that wait for a person."""
    cards = queue(request.app.state.store, published())
    return render(request, "teacher/queue.html.j2", cards=cards)


@router.get("/cards/{attempt_id}/teacher")
def teacher(request: Request, attempt_id: str, kept: str = "") -> Response:
    """Show a card as a teacher needs it: what waits, what the judges said, what was replaced."""
    _, attempt, report = _opened(request, attempt_id)
    with numbers_written(reader(request).digits), reading(report):
        return render(request, "teacher/card.html.j2", **show.card(attempt, report, published(), kept))


@router.get("/cards/{attempt_id}/teacher/{marker}")
def mark(request: Request, attempt_id: str, marker: str) -> Response:
    """Show the form by which a person judges a marker."""
    _, attempt, report = _opened(request, attempt_id)
    typed = {"/by": unquote(request.cookies.get(NAME_COOKIE, ""))[:MOST_NAME]}
    return _form(request, attempt, report, marker, typed, (), "sheet", 200)


@router.post("/cards/{attempt_id}/teacher/{marker}")
def judge(
    request: Request, attempt_id: str, marker: str, typed: Annotated[dict[str, str], Depends(posted)]
) -> Response:
    """Keep what a person judged, or show the form again with what does not fit and all that was typed."""
    store, attempt, report = _opened(request, attempt_id)
    with reading(report):
        known(report, published(), marker)
    way = "score" if typed.get("way") == "score" else "sheet"
    entry, faults = _entry(report, marker, way, typed)
    status = 422
    if not faults:
        try:
            keep(store, published(), attempt.id, entry)
            return _kept(attempt.id, marker, entry.by)
        except RequestError as error:
            faults = (error,)
            status = 409 if error.code == "report_changed" else 422
            report = report_to_mark(store, store.attempt(attempt.id))
    if wants_json(request):
        return show_error(request, faults[0], status)
    return _form(request, attempt, report, marker, typed, faults, way, status)


@router.post("/cards/{attempt_id}/teacher/{marker}/allows")
def allowed(
    request: Request, attempt_id: str, marker: str, typed: Annotated[dict[str, str], Depends(posted)]
) -> Response:
    """Say what the answers given so far lead to; nothing is kept."""
    _, _, report = _opened(request, attempt_id)
    known(report, published(), marker)
    with numbers_written(reader(request).digits):
        lines = allows(brief_of(report, published(), marker), typed)
        return render(request, "teacher/allows.html.j2", lines=lines)


def _entry(
    report: dict[str, Any], marker: str, way: str, typed: dict[str, str]
) -> tuple[Entry, tuple[RequestError, ...]]:
    by, made_from = " ".join(typed.get("/by", "").split()), typed.get("made_from", "")
    brief = brief_of(report, published(), marker)
    if way == "sheet":
        answers = form.read(brief, typed)
        entry = Entry(marker, by, "", made_from, sheet=json.dumps(answers.values, ensure_ascii=False))
        return entry, (*answers.faults, *signed(by, None))
    why = typed.get("/why", "").replace("\r\n", "\n").strip()
    score, faults = form.whole_score(published(), typed)
    return Entry(marker, by, why, made_from, score=score), (*faults, *signed(by, why))


def _kept(attempt_id: str, marker: str, by: str) -> Response:
    response = RedirectResponse(f"/cards/{attempt_id}/teacher?kept={marker}", status_code=303)
    response.set_cookie(
        NAME_COOKIE, quote(by, safe=""), max_age=A_YEAR_S, path="/cards", httponly=True, samesite="strict"
    )
    return response


def _form(
    request: Request,
    attempt: Attempt,
    report: dict[str, Any],
    marker: str,
    typed: dict[str, str],
    faults: tuple[RequestError, ...],
    way: str,
    status: int,
) -> Response:
    with numbers_written(reader(request).digits), reading(report):
        known(report, published(), marker)
        brief = brief_of(report, published(), marker)
        shown = show.marking(attempt, report, brief, typed, faults, way)
        return render(request, "teacher/mark.html.j2", status, **shown, made_from=digest_of(report))


@router.get("/cards/{attempt_id}/card.pdf")
def pdf(request: Request, attempt_id: str) -> Response:
    """Send the card as a PDF file."""
    _, attempt, report = _opened(request, attempt_id)
    headers = {"Content-Disposition": f'inline; filename="card-{attempt.id[:8]}.pdf"'}
    about = [part for part in (attempt.made_by, reader(request).moment(attempt.made_at)) if part]
    with numbers_written(reader(request).digits), reading(report):
        return Response(card_pdf(report, about), media_type="application/pdf", headers=headers)
