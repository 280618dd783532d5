"""A server on a real port over a folder of its own, and Debian's Chromium driven by Playwright."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from vivavoce.store.folder import FolderStore
from vivavoce.store.worker import Worker
from vivavoce.web.app import create_app
from vivavoce.web.serving import open_store

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
# WCAG 2.2 A and AA, as axe names them.
AXE_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
COLOUR_RULES = ("color-contrast", "link-in-text-block")


@dataclass
class Site:
    """A running server: its address, its store and its worker."""

    url: str
    store: FolderStore
    worker: Worker


@contextmanager
def running(folder: Path, opened: tuple[FolderStore, Worker] | None = None) -> Iterator[Site]:
    """Serve a folder (or what a test has opened) on a free loopback port until the block ends; then let go of it."""
    store, worker = open_store(folder) if opened is None else opened
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(create_app(store, worker), log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    until = time.monotonic() + 60
    while not server.started:
        assert thread.is_alive(), "the server has stopped"
        assert time.monotonic() < until, "the server did not start in 60 s"
        time.sleep(0.02)
    try:
        yield Site(f"http://127.0.0.1:{listening.getsockname()[1]}", store, worker)
    finally:
        server.should_exit = True
        thread.join(60)
        store.close()


def chromium() -> str | None:
    """Where the browser is, or None."""
    names = [os.environ.get("VIVAVOCE_CHROMIUM", ""), "chromium-headless-shell", "chromium", "google-chrome"]
    return next((found for name in names if name and (found := shutil.which(name))), None)


@contextmanager
def browsing(*arguments: str) -> Iterator[Any]:
    """Chromium with extra arguments; skipped with the reason where there is none, save in CI."""
    from playwright.sync_api import sync_playwright

    found = chromium()
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI has no Chromium: scripts/chromium installs it")
        pytest.skip("no Chromium here (scripts/chromium says how to get one)")
    with sync_playwright() as driver:
        # Without its sandbox it runs as root, on pages of this machine only.
        browser = driver.chromium.launch(executable_path=found, args=["--no-sandbox", *arguments])
        yield browser
        browser.close()


def axe(page: Any, rules: Sequence[str] = ()) -> list[str]:
    """What axe finds wrong on the page, one line a violation with its first place: WCAG 2.2 AA and good practice.

    `rules`: only these, by name.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    only = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": list(AXE_TAGS)}
    found = page.evaluate("only => axe.run(document, {runOnly: only, resultTypes: ['violations']})", only)
    return [f"{v['id']}: {v['help']} at {v['nodes'][0]['target']}" for v in found["violations"]]


def axe_both(page: Any) -> list[str]:
    """What axe finds in light, and of what has to do with colour also in dark: nothing else depends on the scheme."""
    found = []
    for scheme, rules in (("light", ()), ("dark", COLOUR_RULES)):
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}: {line}" for line in axe(page, rules)]
    return found
