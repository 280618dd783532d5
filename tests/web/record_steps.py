"""What a person does at the recorder, in the browser, and what is then to be seen."""

from __future__ import annotations

import time
from typing import Any

from web_tools import Site


def said(page: Any) -> str:
    return str(page.locator("[data-say]").inner_text())


def state(page: Any, wanted: str) -> None:
    page.locator(f'#recorder[data-state="{wanted}"]').wait_for(timeout=15_000)


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def record(page: Any, seconds: float = 1.1) -> None:
    """Record for a while and stop."""
    press(page, "Record")
    state(page, "recording")
    page.wait_for_timeout(1000 * seconds)
    press(page, "Stop")
    state(page, "recorded")


def arrived(site: Site, count: int = 1) -> list[Any]:
    """The attempts, once there are so many; and no more a moment later."""
    end = time.monotonic() + 15
    while len(site.store.attempts()) < count:
        assert time.monotonic() < end, "it has not arrived"
        time.sleep(0.05)
    time.sleep(0.3)
    assert len(site.store.attempts()) == count
    return list(site.store.attempts())


def narrow(page: Any) -> None:
    """Nothing of the page lies sideways at 320 px."""
    size = page.viewport_size
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.set_viewport_size(size)
