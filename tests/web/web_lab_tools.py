"""Lab requests as links and as controls, what the page shows, and what the independent evaluator expects."""

from __future__ import annotations

import http.client
import json
import random
import subprocess
import sys
from contextlib import closing
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode, urlsplit

from web_tools import ROOT, Site

# The evaluator that was written from the guide alone, and the requests that it is asked about.
sys.path.append(str(ROOT / "tests" / "scoring"))

from scoring_oracle import BANDS, MARKERS, PENDING, Expected, expect
from scoring_requests import MODULES, dump, some_number, some_request

__all__ = ["BANDS", "MARKERS", "MODULES", "dump", "expect"]

LISTS = ("guardrails", "broken_order_rules")
NULLABLE = ("pace_variation", "consistency_db", "fade_db")


def get(site: Site, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of a GET."""
    with closing(http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=60)) as connection:
        connection.request("GET", path, headers={"Accept": "text/html", **headers})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def a_request(rng: random.Random, module: str, band: str, missing: float = 0.1) -> dict[str, Any]:
    """A random request of a module and a grade band; now and then a marker waits or a measurement is missing."""
    while True:
        found = some_request(rng, missing)
        if found["module"] == module:
            break
    found["grade_band"] = band
    inputs = found["inputs"]
    if inputs.get("speaking_rate") and module != "tongue_twister":
        inputs["speaking_rate"].pop("pace_rises", None)
    if inputs.get("volume_control"):
        for name in NULLABLE[1:]:
            if rng.random() < 0.15:
                inputs["volume_control"][name] = None
    return found


def names_of(request: dict[str, Any]) -> list[tuple[str, str]]:
    """The fields of a request's link, as docs/lab.md gives the format."""
    found = [("module", request["module"]), ("grade_band", request["grade_band"])]
    for marker in MARKERS:
        given = request["inputs"].get(marker)
        if given is None:
            found.append(("pending", marker))
            continue
        for key, value in given.items():
            name = marker if key == "score" else key
            if key in LISTS:
                found += [(name, item) for item in value or ["none"]]
            elif value is None:
                found.append(("unmeasured", name))
            elif isinstance(value, bool):
                found.append((name, "yes" if value else "no"))
            else:
                found.append((name, format(value, "f") if isinstance(value, Decimal) else str(value)))
    return found


def link_of(request: dict[str, Any]) -> str:
    """The link of a request."""
    return "/lab?" + urlencode(names_of(request))


def shown(page: Any, html: str | None = None) -> dict[str, int | str]:
    """The six scores that the page shows, or a page that was fetched: numbers, or the word in a number's place."""
    found: dict[str, int | str] = page.evaluate(
        """html => {
          const document = html === null ? window.document : new DOMParser().parseFromString(html, 'text/html');
          const number = (place) => place && place.matches('data') ? Number(place.textContent) : place?.textContent;
          const found = {overall: number(document.querySelector('#scores .big'))};
          for (const line of document.querySelectorAll('#scores .scoreline'))
            found[line.querySelector('a').getAttribute('href').slice(3)] = number(line.querySelector('data, .state'));
          return found;
        }""",
        html,
    )
    return found


def as_shown(expected: Expected) -> dict[str, int | str]:
    """What the page must show where the evaluator expects this."""

    def word(value: int | str) -> int | str:
        return value if isinstance(value, int) else "Pending" if value == PENDING else "Not scored"

    return {"overall": word(expected.overall)} | {name: word(expected.scores[name]) for name in MARKERS}


def follow(page: Any, selector: str) -> None:
    """Click a link and wait for its page."""
    with page.expect_navigation():
        page.click(selector)


def wait_for(page: Any, fields: dict[str, str]) -> None:
    """Wait until the page shows the state with these fields."""
    page.wait_for_function(
        """fields => {
          const link = new URLSearchParams(document.getElementById('lab').dataset.link.split('?')[1]);
          return Object.entries(fields).every(([name, value]) => link.get(name) === value);
        }""",
        arg=fields,
        timeout=20_000,
    )


def lab_command(lines: list[str]) -> list[dict[str, Any]]:
    """What `vivavoce lab` answers to these lines."""
    done = subprocess.run(
        [sys.executable, "-m", "vivavoce", "lab"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def scores_of(result: dict[str, Any]) -> dict[str, Any]:
    """The six scores of a result as JSON has it."""
    return {"overall": result["overall"]["score"]} | {name: result["markers"][name]["score"] for name in MARKERS}


def some_text(rng: random.Random, name: str) -> str:
    """A number to type into a box, at most six decimals."""
    return format(round(Decimal(some_number(rng, name)), 6).normalize(), "f")
