"""Addresses of the cards: the list, a card, attempts side by side, the recording, exports, deleting."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from vivavoce.errors import RequestError
from vivavoce.report.page import page_html
from vivavoce.report.view import numbers_written
from vivavoce.store.model import Attempt, Store
from vivavoce.web.cards import compare as comparing
from vivavoce.web.cards import listing, show
from vivavoce.web.cards.sound import sent
from vivavoce.web.pages import reader, render, wants_json
from vivavoce.web.reports import reading, report_of

router = APIRouter()


def _store(request: Request) -> Store:
    found: Store = request.app.state.store
    return found


@router.get("/cards")
def cards(request: Request, task: str = "", page: str = "", deleted: str = "") -> Response:
    """Show all attempts, newest first, or those at one task."""
    store = _store(request)
    found = listing.listing(store, task, page)
    tasks = listing.tasks_met(store)
    return render(request, "cards/list.html.j2", found=found, tasks=tasks, task=task, deleted=bool(deleted))


@router.get("/cards/compare")
def compare(
    request: Request, task: str = "", by: str = "", attempt: Annotated[list[str] | None, Query()] = None
) -> Response:
    """Show attempts at one task side by side, all or one person's."""
    store = _store(request)
    found, others, older = comparing.done(store, task, by, attempt or [])
    columns = comparing.chosen(found, attempt or [])
    newest = store.attempts(task)[0]
    with numbers_written(reader(request).digits), reading(*(report for _, report in found)):
        return render(
            request,
            "cards/compare.html.j2",
            task=task,
            by=by,
            title=listing.task_title(store, newest),
            retry=listing.can_try_again(store, newest),
            found=found,
            others=others,
            older=older,
            columns=columns,
            shown={one.id for one, _ in columns},
            most=comparing.MOST_COLUMNS,
            scores=comparing.score_rows(columns),
            measured=comparing.measurement_rows(columns),
            told=comparing.told(columns),
            charts=comparing.charts(found),
            notes=comparing.notes(columns) if columns else [],
        )


@router.get("/cards/{attempt_id}")
def card(request: Request, attempt_id: str) -> Response:
    """Show the card of an attempt as the student reads it; where there is none yet, how far it is."""
    store = _store(request)
    attempt = store.attempt(attempt_id)
    shared: dict[str, Any] = {"attempt": attempt, "title": listing.task_title(store, attempt), "states": listing.STATES}
    lost: dict[str, str] = {}
    try:
        report = report_of(store, attempt)
        if report is not None:
            return _card(request, attempt, report, shared)
    except RequestError as error:
        if wants_json(request) or error.code not in ("report_damaged", "report_unreadable"):
            raise
        lost = error.as_dict()
    return render(request, "cards/waiting.html.j2", 422 if lost else 200, lost=lost, **shared)


def _card(request: Request, attempt: Attempt, report: dict[str, Any], shared: dict[str, Any]) -> Response:
    store = _store(request)
    same = [one for one in store.attempts(attempt.task_id) if one.made_by == attempt.made_by]
    shared = shared | {"others": len(same) - 1, "retry": listing.can_try_again(store, attempt)}
    with numbers_written(reader(request).digits), reading(report):
        return render(request, "cards/card.html.j2", **show.card(attempt, report) | shared)


@router.api_route("/cards/{attempt_id}/recording", methods=["GET", "HEAD"])
async def recording(request: Request, attempt_id: str) -> Response:
    """Send the recording as it was received, or the part of it that is asked for (Range).

    Not in a thread: a player that goes away ends a request wherever it waits, and between the opening of the file and
    the response that closes it nothing may wait.
    """
    asked, body = request.headers.get("range", ""), request.method != "HEAD"
    store = _store(request)
    try:
        return sent(store.recording(attempt_id), asked, body=body)
    except FileNotFoundError:
        # Deleted in this moment: the store tells it.
        return sent(store.recording(attempt_id), asked, body=body)


@router.get("/cards/{attempt_id}/report.json")
def report_json(request: Request, attempt_id: str) -> Response:
    """Send the report (schema: `vivavoce schema report`)."""
    report = _made(request, attempt_id)
    text = json.dumps(report, ensure_ascii=False, indent=1) + "\n"
    name = {"Content-Disposition": 'attachment; filename="report.json"'}
    return Response(text, media_type="application/json", headers=name)


@router.get("/cards/{attempt_id}/card.html")
def card_html(request: Request, attempt_id: str) -> Response:
    """Send the card as one file that needs nothing else."""
    report = _made(request, attempt_id)
    with reading(report):
        return HTMLResponse(page_html(report))


@router.get("/cards/{attempt_id}/delete")
def ask_to_delete(request: Request, attempt_id: str) -> Response:
    """Ask whether the attempt is to be deleted."""
    store = _store(request)
    attempt = store.attempt(attempt_id)
    return render(request, "cards/delete.html.j2", attempt=attempt, title=listing.task_title(store, attempt))


@router.post("/cards/{attempt_id}/delete")
def delete(request: Request, attempt_id: str) -> Response:
    """Delete the recording, the report and all that is known of the attempt."""
    _store(request).delete(attempt_id)
    return RedirectResponse("/cards?deleted=1", status_code=303)


def _made(request: Request, attempt_id: str) -> dict[str, Any]:
    store = _store(request)
    attempt = store.attempt(attempt_id)
    report = report_of(store, attempt)
    if report is None:
        raise RequestError(
            "report_missing",
            where=f"attempt {attempt_id}",
            found="no report yet" if attempt.error is None else attempt.error.get("found", ""),
            allowed="an attempt that was scored",
            remedy="wait until it is scored, or score it again",
        )
    return report
