"""Addresses of the recorder: choose a task, record or upload, watch the progress."""

from __future__ import annotations

import re
import secrets
import unicodedata
from dataclasses import asdict

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.requests import ClientDisconnect

from vivavoce.audio.reader import FORMATS
from vivavoce.audio.waveform import MAX_DURATION_S
from vivavoce.errors import RequestError
from vivavoce.store.model import Attempt, Store
from vivavoce.store.worker import Worker
from vivavoce.web.microphone import SETTINGS, microphone_notes
from vivavoce.web.pages import reader, render, wants_json
from vivavoce.web.record import upload
from vivavoce.web.record.level import LONGEST_S, RATES, WORDS, level_of, scale
from vivavoce.web.record.shown import NAMELESS, all_shown, shown, store_of, title_of
from vivavoce.web.record.task_routes import router as tasks
from vivavoce.web.reports import to_score_again

router = APIRouter()
router.include_router(tasks)

_KEY = re.compile(r"[0-9A-Za-z-]{16,64}")
# What is said of attempts without a card.
STATES = {"waiting": "waits", "working": "is being scored", "failed": "could not be scored"}
LONGEST_MAKER = 80
# A recording ends so long before the longest that is scored: clocks and recorders are not exact.
SPARE_S = 10
MOST_SOUND = 2 * RATES[1] * LONGEST_S


def worker_of(request: Request) -> Worker:
    """The worker of this server."""
    found: Worker = request.app.state.worker
    return found


@router.get("/record")
def choose(request: Request) -> Response:
    """The tasks that can be recorded."""
    store = store_of(request)
    tasks = all_shown(store)
    titles = {task.id: task.title for task in tasks}
    unfinished = [
        (attempt, titles.get(attempt.task_id, NAMELESS), STATES[attempt.state])
        for attempt in store.attempts()
        if attempt.state in STATES
    ]
    return render(
        request,
        "record/choose.html.j2",
        own=[task for task in tasks if not task.built_in],
        ready=[task for task in tasks if task.built_in],
        attempts=unfinished,
    )


@router.get("/record/{task_id}")
def recorder(request: Request, task_id: str) -> Response:
    """The recorder for one task."""
    return render(
        request,
        "record/recorder.html.j2",
        task=shown(store_of(request).task(task_id)),
        key=secrets.token_hex(16),
        formats=FORMATS,
        most_gib=upload.MAX_BYTES >> 30,
        scale=scale(),
        settings={name: title.capitalize() for name, (title, _) in SETTINGS.items()},
        longest_s=MAX_DURATION_S - SPARE_S,
    )


@router.post("/recorder/level")
async def level(request: Request, rate: int) -> Response:
    """How loud a second or two of sound is: 16-bit mono samples in, what the meter shows out."""
    sound = b""
    async for block in request.stream():
        if len(sound) <= MOST_SOUND:
            sound += block
    found = await run_in_threadpool(level_of, sound, rate)
    title, advice = WORDS[found.state]
    shown_db = found.voice_db if found.voice_db is not None else found.level_db
    return JSONResponse(
        {
            **asdict(found),
            "title": title,
            "advice": advice,
            "shown": "" if shown_db is None else f"{reader(request).number(round(shown_db))} dB",
        }
    )


@router.post("/attempts")
async def send(request: Request) -> Response:
    """Take a recording; it is streamed, so this route is not a plain function as the others are."""
    store, worker = store_of(request), worker_of(request)
    try:
        came = await upload.receive(request, store)
    except ClientDisconnect:
        return Response(status_code=400)
    attempt = await run_in_threadpool(_keep, store, came)
    worker.take(attempt.id)
    address = f"/attempts/{attempt.id}"
    if wants_json(request):
        return JSONResponse({"attempt": {"id": attempt.id, "address": address}}, status_code=201)
    return RedirectResponse(address, status_code=303)


def _keep(store: Store, came: upload.Upload) -> Attempt:
    """Keep what came as an attempt; what is refused leaves no file."""
    try:
        key = came.fields.get("key", "")
        if not _KEY.fullmatch(key):
            raise RequestError(
                "key_unfit",
                where="POST /attempts key",
                found=f"{len(key)} characters",
                allowed="16 to 64 letters, digits and dashes: the sender's own name for this sending",
                remedy="load the page again and send it once more",
            )
        settings = upload.settings_of(came.fields.get("settings", ""))
        upload.check_recording(came.path)
        return store.add(
            # The same page may send two recordings one after another; only the same one twice is one sending.
            f"{key}:{came.sha256}",
            came.fields.get("task", ""),
            came.path,
            file_name=upload.safe_name(came.file_name),
            made_by=_maker(came.fields.get("made_by", "")),
            settings=settings,
        )
    finally:
        came.path.unlink(missing_ok=True)


def _maker(name: str) -> str:
    kept = "".join(c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c)[0] != "C")
    return " ".join(kept.split())[:LONGEST_MAKER]


@router.get("/attempts/{attempt_id}")
def progress(request: Request, attempt_id: str) -> Response:
    """How far the scoring of an attempt is; its card when it is done."""
    store = store_of(request)
    attempt = store.attempt(attempt_id)
    if attempt.state == "done":
        card = f"/cards/{attempt_id}"
        if wants_json(request):
            return JSONResponse({"attempt": _told(attempt, 0), "card": card})
        if request.headers.get("hx-request") == "true":
            return Response(headers={"HX-Redirect": card})
        return RedirectResponse(card, status_code=303)
    ahead = worker_of(request).ahead(attempt_id)
    if wants_json(request):
        return JSONResponse({"attempt": _told(attempt, ahead)})
    return render(
        request,
        "record/attempt.html.j2",
        attempt=attempt,
        title=title_of(store, attempt),
        saying=_saying(attempt, ahead),
        percent=round(100 * attempt.progress),
        notes=microphone_notes(attempt),
    )


def _saying(attempt: Attempt, ahead: int) -> str:
    if attempt.state == "working":
        return f"{attempt.stage} …"
    if ahead == 0:
        return "It is your turn next …"
    return "One recording is before yours." if ahead == 1 else f"{ahead} recordings are before yours."


def _told(attempt: Attempt, ahead: int) -> dict[str, object]:
    return {
        "id": attempt.id,
        "state": attempt.state,
        "stage": attempt.stage,
        "progress": attempt.progress,
        "ahead": ahead,
        "error": attempt.error,
    }


@router.post("/attempts/{attempt_id}/again")
def again(request: Request, attempt_id: str) -> Response:
    """Score anew an attempt that failed, or whose card cannot be read or marked."""
    store = store_of(request)
    if to_score_again(store, store.attempt(attempt_id)):
        store.again(attempt_id)
        worker_of(request).take(attempt_id)
    return RedirectResponse(f"/attempts/{attempt_id}", status_code=303)
