"""Whom the server answers: this machine's own browser, on pages of its own.

A page elsewhere must not reach recordings through the reader's browser: a foreign `Host` (DNS rebinding) and writing
requests from another origin are refused, and pages load nothing from elsewhere.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from fastapi import Request
from fastapi.responses import Response
from starlette.requests import ClientDisconnect

from vivavoce.errors import RequestError
from vivavoce.web.pages import show_error

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; style-src 'self' 'unsafe-inline'; "
        "worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "microphone=(self), camera=(), geolocation=()",
}
Next = Callable[[Request], Awaitable[Response]]


def refusal(request: Request) -> RequestError | None:
    """Return why a request is not answered, or None."""
    host = _split(f"//{request.headers.get('host', '')}").hostname
    if host not in LOOPBACK:
        return RequestError(
            "host_refused",
            where="the address",
            found=f"a request for {host!r}",
            allowed="localhost, 127.0.0.1 or [::1]: this server is for its own machine",
            remedy="open the address that vivavoce serve prints",
        )
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    foreign = site not in (None, "same-origin", "none") or (
        origin is not None and _split(origin).netloc != request.headers.get("host")
    )
    if request.method not in SAFE and foreign:
        return RequestError(
            "origin_refused",
            where=f"{request.method} {request.url.path}",
            found="a request from another site's page",
            allowed="requests from this server's own pages",
            remedy="use the page of this server itself",
        )
    return None


def _split(address: str) -> SplitResult:
    """The parts of an address; none of one that is malformed."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


async def _answer(request: Request, following: Next) -> Response:
    """What a page answers; a fault of the program as a page too, and in the log without what it was about."""
    try:
        return await following(request)
    except ClientDisconnect:
        return Response(status_code=400)
    except Exception as error:  # noqa: BLE001  a traceback would hold names and words
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
        logging.getLogger("vivavoce").error("A fault of the program: %s", place)
        fault = RequestError(
            "page_failed",
            where=f"{request.method} {request.url.path}",
            found=f"a fault of the program ({place})",
            allowed="a page without one",
            remedy="go back and try again; if it fails again, report the fault. Your recordings are kept",
        )
        return show_error(request, fault, 500)


async def guard(request: Request, following: Next) -> Response:
    """Answer what comes from this machine's own pages, with headers that keep others out."""
    refused = refusal(request)
    response = await _answer(request, following) if refused is None else show_error(request, refused, 403)
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if request.url.path.startswith("/static/") and response.status_code < 400:
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    else:
        # Recordings and cards are of people, often children: no copy stays in a cache.
        response.headers.setdefault("Cache-Control", "no-store")
    return response
