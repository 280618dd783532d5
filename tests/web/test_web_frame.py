"""The frame of all pages: whom the server answers, errors on every surface, accessibility."""

from __future__ import annotations

import http.client
import json
import socket
import time
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import pytest
from web_tools import Site, axe_both


def ask(site: Site, method: str, path: str, **headers: str) -> tuple[int, str]:
    """Status and body of a raw request; header names with underscores for dashes."""
    with closing(http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=30)) as connection:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


@pytest.mark.parametrize("host", ["example.org", "vivavoce.example:8000", "10.0.0.1", "", "[::1"])
def test_another_host_is_refused(site: Site, host: str) -> None:
    """A page elsewhere may point its own name at this machine (DNS rebinding)."""
    status, body = ask(site, "GET", "/", Host=host, Accept="application/json")
    assert status == 403
    assert json.loads(body)["error"]["code"] == "host_refused"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://example.org"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_another_sites_page_cannot_write(site: Site, headers: dict[str, str]) -> None:
    status, body = ask(site, "POST", "/record", Accept="application/json", **headers)
    assert status == 403
    assert json.loads(body)["error"]["code"] == "origin_refused"


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]"])
def test_this_machines_names_are_answered(site: Site, name: str) -> None:
    port = urlsplit(site.url).port
    assert ask(site, "GET", "/nothing", Host=f"{name}:{port}")[0] == 404


def test_a_page_that_is_not_there_says_so_to_people_and_programs(site: Site) -> None:
    status, body = ask(site, "GET", "/nothing", Accept="text/html")
    assert status == 404
    assert "<!DOCTYPE html>" in body
    assert "page_unknown" in body
    status, body = ask(site, "GET", "/nothing", Accept="application/json")
    assert (status, json.loads(body)["error"]["code"]) == (404, "page_unknown")


def test_a_fault_is_a_page_and_a_line_in_the_log_without_its_words(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("Ada's words")

    monkeypatch.setattr(site.store, "tasks", broken)
    status, body = ask(site, "GET", "/record", Accept="application/json")
    assert (status, json.loads(body)["error"]["code"]) == (500, "page_failed")
    assert "Ada" not in body
    assert "KeyError at test_web_frame.py" in caplog.text
    assert "Ada" not in caplog.text


def test_a_sender_who_goes_leaves_no_trace_in_the_log(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    address = urlsplit(site.url)
    for path in ("/recorder/level?rate=48000", "/tasks/new"):
        with closing(socket.create_connection((str(address.hostname), int(address.port or 0)))) as line:
            line.sendall(f"POST {path} HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Length: 99\r\n\r\nab".encode())
            time.sleep(0.1)
    assert ask(site, "GET", "/nothing")[0] == 404
    assert caplog.text == ""


def test_only_what_is_there_is_kept_by_browsers(site: Site) -> None:
    """A file that is missing once would be missing for ever."""
    kept = {}
    for name in ("site.css", "nothing.js"):
        with closing(http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=30)) as connection:
            connection.request("GET", f"/static/{name}")
            kept[name] = connection.getresponse().headers["Cache-Control"]
    assert kept == {"site.css": "public, max-age=31536000, immutable", "nothing.js": "no-store"}


def test_the_frame_is_accessible(page: Any) -> None:
    page.goto("/nothing")
    assert axe_both(page) == []
