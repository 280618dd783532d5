"""The Lab for everyone: axe in light and dark on every module, narrow screens, print; screenshots kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from web_lab_tools import MODULES
from web_tools import axe_both

STATES = {
    "refused": "module=poem_recitation&matched=85&words_per_minute=fast&tempo=1",
    "compared": "module=audio_postcard&pending=fluency&unmeasured=fade_db&kept.module=audio_postcard",
    "no_speech": "module=rapid_fire_qa&speech_seconds=0&smoothness=good&filler_control=good&recovery=good",
}
OPEN_ALL = "document.querySelectorAll('main details').forEach(each => { each.open = true; })"


# Rapid-Fire Q&A and Silly Topics Debate are built alike, and so are the poem and the paragraph.
BUILT_ALIKE = ("silly_topics_debate", "paragraph_reading")


@pytest.mark.parametrize("module", MODULES)
def test_every_module_is_accessible(page: Any, picture: Callable[[Any, str], Path], module: str) -> None:
    page.goto(f"/lab?module={module}")
    picture(page, module)
    if module not in BUILT_ALIKE:
        assert axe_both(page) == []


@pytest.mark.parametrize("name", STATES)
def test_every_kind_of_state_is_accessible(page: Any, picture: Callable[[Any, str], Path], name: str) -> None:
    """With every step open where something is refused; the others have fewer kinds of things to open."""
    page.goto(f"/lab?{STATES[name]}")
    if name == "refused":
        page.evaluate(OPEN_ALL)
    assert axe_both(page) == []
    picture(page, f"{name}_dark")


def test_a_labelled_reading_is_accessible(page: Any, picture: Callable[[Any, str], Path]) -> None:
    page.goto("/lab?module=paragraph_reading")
    page.fill("#reference", "The cat sat on the mat. It was a fine day.")
    page.fill("#reading", "the cat sat on a mat um it was a slow")
    page.click("text=Align and count")
    page.wait_for_selector("#aligned .counts")
    page.click("text=Every word that differs")
    assert axe_both(page) == []
    picture(page, "aligned")


@pytest.mark.parametrize("wide", [320, 390, 820, 1280, 1920])
def test_the_page_never_scrolls_sideways(page: Any, picture: Callable[[Any, str], Path], wide: int) -> None:
    page.set_viewport_size({"width": wide, "height": 900})
    page.goto(f"/lab?{STATES['compared']}")
    picture(page, f"wide_{wide}")
    page.evaluate(OPEN_ALL)
    assert page.evaluate("document.documentElement.scrollWidth") <= wide


def test_on_a_phone_the_overall_stays_in_view(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/lab?module=poem_recitation")
    for place in ("#h-pronunciation", "#h-volume_control"):
        page.locator(place).scroll_into_view_if_needed()
        box = page.locator(".dock").bounding_box()
        assert 0 <= box["y"] <= 800 - box["height"]
        assert page.inner_text(".dock .docknumber") == "90"
    page.click(".dock")
    assert page.evaluate("document.activeElement.id") == "scores"


def test_what_has_focus_is_not_under_the_dock(page: Any) -> None:
    """WCAG 2.2, 2.4.11: no control lies wholly under the bar at the bottom when it gets the focus."""
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/lab?module=audio_postcard")
    dock = page.locator(".dock").bounding_box()["y"]
    page.focus("#n-pronunciation")
    for _ in range(40):
        page.keyboard.press("Tab")
        top, inside = page.evaluate(
            "() => [document.activeElement.getBoundingClientRect().top, !!document.activeElement.closest('.inputs')]"
        )
        assert not inside or top < dock


def test_print_shows_scores_and_values(page: Any, picture: Callable[[Any, str], Path]) -> None:
    page.goto("/lab?module=tongue_twister")
    page.emulate_media(media="print")
    assert page.is_visible("#scores .big")
    assert page.is_visible("#n-words_per_minute")
    assert not page.is_visible(".modules")
    picture(page, "print")
