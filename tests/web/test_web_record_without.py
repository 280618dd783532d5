"""The recorder where something is missing: a microphone, leave to use it, scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from record_tools import held_site, spoken, wav
from web_tools import Site, axe_both, browsing


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with held_site(tmp_path / "kept") as (found, _):
        yield found


def test_a_microphone_that_is_not_allowed(site: Site) -> None:
    with browsing("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream=deny") as other:
        page = other.new_context(base_url=site.url).new_page()
        page.goto("/record/sonnet")
        page.get_by_role("button", name="Test the microphone").click()
        page.locator('[data-problem="denied"]').wait_for()
        assert axe_both(page) == []
        assert page.get_by_role("button", name="Record", exact=True).is_visible(), "it can be tried again"


def test_no_microphone(site: Site) -> None:
    with browsing("--use-fake-ui-for-media-stream") as other:
        page = other.new_context(base_url=site.url).new_page()
        page.goto("/record/sonnet")
        page.get_by_role("button", name="Record", exact=True).click()
        page.locator('[data-problem="none"]').wait_for()
        assert page.locator("#recorder").get_attribute("data-state") == "ready"
        assert page.get_by_role("button", name="Send the file").is_visible()


def test_without_scripts(site: Site, tmp_path: Path) -> None:
    """A file is sent and its progress watched by the page loading itself anew."""
    with browsing("--blink-settings=scriptEnabled=false") as other:
        _without_scripts(other.new_context(base_url=site.url).new_page(), site, tmp_path)


def _without_scripts(page: Any, site: Site, tmp_path: Path) -> None:
    page.goto("/record")
    page.get_by_role("link", name="A poem: Who has seen the wind?").click()
    assert page.locator("#recorder").is_hidden()
    assert page.locator("noscript section").is_visible()
    page.get_by_label("Recording", exact=True).set_input_files(wav(tmp_path / "a.wav", spoken(1.0, 4.0)))
    page.get_by_role("button", name="Send the file").click()
    [attempt] = site.store.attempts()
    assert page.url.endswith(f"/attempts/{attempt.id}")
    with page.expect_navigation(timeout=10_000):
        pass
    assert page.get_by_text("Your card is being made").is_visible()
