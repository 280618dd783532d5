"""The application: guards, error pages, and the rooms of pages put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from vivavoce.errors import RequestError, VivavoceError
from vivavoce.store.model import Store
from vivavoce.store.worker import Worker
from vivavoce.web.cards.routes import router as cards
from vivavoce.web.guard import guard
from vivavoce.web.guide.routes import router as guide
from vivavoce.web.ielts.routes import router as ielts
from vivavoce.web.lab.routes import router as lab
from vivavoce.web.pages import show_error
from vivavoce.web.record.routes import router as record
from vivavoce.web.teacher.routes import router as teacher

ROUTERS = (record, cards, teacher, lab, guide, ielts)


def create_app(store: Store, worker: Worker) -> FastAPI:
    """Return the application over a store of recordings and reports; the worker runs while the application does."""

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        worker.start()
        yield
        worker.stop()

    app = FastAPI(lifespan=running, title="Vivavoce", openapi_url=None, docs_url=None, redoc_url=None)
    app.state.store, app.state.worker = store, worker
    app.middleware("http")(guard)
    app.mount("/static", StaticFiles(directory=str(files("vivavoce.web") / "static")), name="static")
    app.add_exception_handler(VivavoceError, _told)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _unfit)
    for router in ROUTERS:
        app.include_router(router)

    @app.get("/")
    def home() -> RedirectResponse:
        return RedirectResponse("/record")

    return app


async def _told(request: Request, error: Exception) -> Response:
    assert isinstance(error, VivavoceError)
    return show_error(request, error)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        told = RequestError(
            "page_unknown",
            where=request.url.path,
            found="no page",
            allowed="the pages in the menu",
            remedy="choose one",
        )
    else:
        told = RequestError(
            "request_refused",
            where=f"{request.method} {request.url.path}",
            found=str(error.detail),
            allowed="what the pages send",
            remedy="go back and try again",
        )
    return show_error(request, told, error.status_code)


async def _unfit(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = dict(error.errors()[0])
    told = RequestError(
        "request_unfit",
        where=" ".join([request.url.path, *(str(step) for step in first["loc"])]),
        found=repr(first.get("input"))[:200],
        allowed=str(first["msg"]),
        remedy="go back, change the value and send it again",
    )
    return show_error(request, told)
