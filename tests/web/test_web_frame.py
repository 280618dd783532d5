"""The frame of all pages: whom the server answers, errors on every surface, accessibility."""

from __future__ import annotations

import http.client
import json
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


@pytest.mark.parametrize("host", ["example.org", "vivavoce.example:8000", "10.0.0.1", ""])
def test_another_host_is_refused(site: Site, host: str) -> None:
    """A page elsewhere may point its own name at this machine (DNS rebinding)."""
    status, body = ask(site, "GET", "/", Host=host, Accept="application/json")
    assert status == 403
    assert json.loads(body)["error"]["code"] == "host_refused"


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://example.org"}, {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"}]
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


def test_the_frame_is_accessible(page: Any) -> None:
    page.goto("/nothing")
    assert axe_both(page) == []
