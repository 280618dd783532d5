"""The HTTP client under the providers' SDKs: no redirects, no answers without end, and its failures by name."""

from __future__ import annotations

import logging
import ssl
from collections.abc import AsyncIterator, Iterator
from functools import cache

import httpx2

from vivavoce.models.failures import TryError, no_answer, too_late, unreadable

CONNECT_S = 10.0
# A judgement is a few kilobytes; a compressed one may grow a thousandfold when it is opened.
LONGEST_ANSWER = 4_000_000
_LONGEST_PACKED = 64_000


# At DEBUG these write down what is sent (the student's words and voice) and the headers of every answer: they stay
# quiet when a program turns its own log up, and speak when somebody sets the level of these very loggers.
for _name in ("openai", "anthropic", "google_genai", "httpx2", "httpcore2"):
    if logging.getLogger(_name).level == logging.NOTSET:
        logging.getLogger(_name).setLevel(logging.WARNING)


class AnswerTooLongError(Exception):
    """The server sends more than any answer needs."""


class _Capped(httpx2.AsyncByteStream):
    """A body that ends in an error when it is too long."""

    def __init__(self, stream: httpx2.AsyncByteStream, longest: int) -> None:
        self._stream = stream
        self._longest = longest

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._longest
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise AnswerTooLongError(f"an answer of more than {self._longest:,} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _cap(response: httpx2.Response) -> None:
    packed = response.headers.get("content-encoding", "identity").strip().lower() not in {"", "identity"}
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Capped(response.stream, _LONGEST_PACKED if packed else LONGEST_ANSWER)


@cache
def _certificates() -> ssl.SSLContext:
    """Return the trusted certificates, read once: it takes longer than a short question."""
    return httpx2.create_ssl_context()


def http_client(left_s: float, *, loopback: bool) -> httpx2.AsyncClient:
    """Return a client for one try. A redirect is not followed: it would carry the key to wherever it points."""
    return httpx2.AsyncClient(
        verify=_certificates(),
        timeout=httpx2.Timeout(left_s, connect=min(left_s, CONNECT_S)),
        follow_redirects=False,
        trust_env=not loopback,
        headers={"accept-encoding": "identity"},
        event_hooks={"response": [_cap]},
    )


def chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and what it came from."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or link.__context__


def of_transport(where: str, error: BaseException, timeout_s: float) -> TryError | None:
    """Return the failure for an exception of the connection, None for any other."""
    for link in chain(error):
        if isinstance(link, AnswerTooLongError):
            return unreadable(where, str(link))
        if isinstance(link, httpx2.ConnectTimeout | httpx2.PoolTimeout):
            return no_answer(where, "no connection in time")
        if isinstance(link, httpx2.ConnectError | httpx2.ProxyError):
            return no_answer(where, "no connection")
        if isinstance(link, httpx2.TimeoutException):
            return too_late(where, timeout_s)
        if isinstance(link, httpx2.TransportError):
            return no_answer(where, "a connection that broke off")
        if isinstance(link, httpx2.DecodingError):
            return unreadable(where, "a body that cannot be unpacked")
    return None
