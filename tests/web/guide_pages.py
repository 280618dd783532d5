"""Read pages of the guide as a reader does: visible text, links with their marks, ids; and ask the application itself.

Pages are asked for in this process, by the application's own interface (ASGI), so that thousands take seconds.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from fastapi import FastAPI

VOID = {"meta", "link", "input", "br", "hr", "img", "rect", "line", "circle", "polyline", "polygon", "path"}


@dataclass
class Link:
    """A link: where it leads, its classes, its visible text without its mark, the mark, what a screen reader adds."""

    href: str
    classes: tuple[str, ...] = ()
    text: str = ""
    letter: str = ""
    hidden: str = ""


@dataclass
class Page:
    """A page as it is read."""

    text: str
    links: list[Link]
    ids: list[str]
    status: int = 200

    def rows(self, base: str = "/rubric/row/") -> Iterator[tuple[str, Link]]:
        """Every link to a row, with the row's path."""
        for link in self.links:
            if link.href.startswith(base):
                yield unquote(urlsplit(link.href).path.removeprefix(base)), link


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.links: list[Link] = []
        self.ids: list[str] = []
        self._open: list[tuple[str, str]] = []
        self._link: Link | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a" and "href" in given:
            self._link = Link(given["href"], tuple(given.get("class", "").split()))
            self.links.append(self._link)
        if tag in VOID:
            return
        classes = given.get("class", "").split()
        kind = "mark" if "mark" in classes else "vh" if "vh" in classes else ""
        if tag in ("script", "style", "title"):
            kind = "unseen"
        inherited = self._open[-1][1] if self._open else ""
        self._open.append((tag, inherited or kind))
        if tag in ("p", "li", "td", "th", "h1", "h2", "h3", "h4", "dt", "dd", "div", "tr", "pre", "text", "caption"):
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        while self._open and self._open.pop()[0] != tag:
            pass
        if tag == "a":
            self._link = None
        if tag in ("p", "li", "td", "th", "h1", "h2", "h3", "h4", "dt", "dd", "div", "tr", "pre", "text", "caption"):
            self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        kind = self._open[-1][1] if self._open else ""
        if not kind:
            self.parts.append(data)
        if self._link is not None:
            if kind == "mark":
                self._link.letter += data.strip()
            elif kind == "vh":
                self._link.hidden += data
            elif not kind:
                self._link.text += data


def flat(text: str) -> str:
    """Text with runs of white space as one space, and none before punctuation (a mark stood there)."""
    return re.sub(r" (?=[.,;:)?!])", "", re.sub(r"\s+", " ", text)).strip()


def read(html: str, status: int = 200) -> Page:
    """Read a page's HTML."""
    reader = _Reader()
    reader.feed(html)
    return Page(flat("".join(reader.parts)), reader.links, reader.ids, status)


class Asker:
    """Asks the application, without a socket."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    def raw(self, target: str, accept: str = "text/html") -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of a GET."""
        return asyncio.run(self._all([target], accept))[0]

    def page(self, target: str) -> Page:
        """The page at an address."""
        status, _, body = self.raw(target)
        return read(body.decode(), status)

    def pages(self, targets: Iterable[str]) -> dict[str, Page]:
        """The pages at many addresses."""
        wanted = list(targets)
        answers = asyncio.run(self._all(wanted, "text/html"))
        return {target: read(body.decode(), status) for target, (status, _, body) in zip(wanted, answers, strict=True)}

    async def _all(self, targets: list[str], accept: str) -> list[tuple[int, dict[str, str], bytes]]:
        return [await self._ask(target, accept) for target in targets]

    async def _ask(self, target: str, accept: str) -> tuple[int, dict[str, str], bytes]:
        path, _, query = target.partition("?")
        answer: dict[str, Any] = {"body": b""}

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                answer["status"], answer["headers"] = message["status"], message["headers"]
            else:
                answer["body"] += message.get("body", b"")

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode("latin-1", "replace"),
            "query_string": query.encode("latin-1", "replace"),
            "headers": [(b"host", b"localhost"), (b"accept", accept.encode()), (b"accept-language", b"en-GB")],
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 80),
            "root_path": "",
            "app": self.app,
        }
        await self.app(scope, receive, send)
        headers = {name.decode(): value.decode() for name, value in answer["headers"]}
        return answer["status"], headers, answer["body"]


def crawl(asker: Asker, start: str, within: tuple[str, ...]) -> tuple[dict[str, Page], dict[str, str]]:
    """Follow every link from `start` that stays under `within`.

    Returns: the pages by address without fragment, and where each link that leads elsewhere, or to a fragment, was met.
    """
    found: dict[str, Page] = {}
    met: dict[str, str] = {start: ""}
    waiting = [start]
    while waiting:
        pages = asker.pages(waiting)
        found |= pages
        waiting = []
        for address, page in pages.items():
            for link in page.links:
                target = urljoin(address, link.href)
                met.setdefault(target, address)
                bare = target.partition("#")[0]
                if bare not in found and bare not in waiting and urlsplit(bare).path.startswith(within):
                    waiting.append(bare)
    return found, met
