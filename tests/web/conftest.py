"""A server and a browser for each file of tests; screenshots are kept in `artefacts/`, one folder a test file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from guide_pages import Asker
from record_tools import Scoring, held_site
from web_tools import ROOT, Site, browsing, running

from vivavoce.web.app import create_app
from vivavoce.web.serving import open_store


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server over an empty folder, one a test file."""
    with running(tmp_path_factory.mktemp("folder")) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, one a test file."""
    with browsing() as found:
        yield found


@pytest.fixture
def page(browser: Any, site: Site) -> Iterator[Any]:
    """A fresh page at 1280 px whose scripts must not fail; addresses may be relative."""
    context = browser.new_context(base_url=site.url, viewport={"width": 1280, "height": 900}, locale="en-GB")
    found = context.new_page()
    faults: list[str] = []
    found.on("pageerror", lambda error: faults.append(str(error)))
    yield found
    context.close()
    assert faults == [], "scripts failed on the page"


@pytest.fixture
def picture(request: pytest.FixtureRequest) -> Callable[[Any, str], Path]:
    """Keep a screenshot of the whole page as an artefact."""
    folder = ROOT / "artefacts" / request.path.stem
    folder.mkdir(parents=True, exist_ok=True)

    def taken(page: Any, name: str) -> Path:
        path = folder / f"{name}.png"
        page.screenshot(path=path, full_page=True)
        return path

    return taken


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Scoring]]:
    """A server whose scoring the test holds in its hand, one a test file."""
    with held_site(tmp_path_factory.mktemp("folder") / "kept") as found:
        yield found


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    """The pages of an empty folder, asked without a server, one a test file."""
    store, worker = open_store(tmp_path_factory.mktemp("folder"))
    yield Asker(create_app(store, worker))
    store.close()
