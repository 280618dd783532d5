"""The IELTS lab in a browser: flips against an independent evaluation, keyboard, no scripts, accessibility."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from web_tools import Site, axe_both

sys.path.append(str(Path(__file__).resolve().parents[1] / "ielts"))
from ielts_recheck import CHECKS, bands_allowed, overall_of, recheck

IDS = ("fluency_and_coherence", "lexical_resource", "pronunciation", "grammatical_range_and_accuracy")
NAMES = dict(zip(IDS, CHECKS, strict=True))


def _results(page: Any) -> tuple[tuple[bool, ...], ...]:
    """What the switches show."""
    rows = []
    for criterion, name in NAMES.items():
        boxes = [page.locator(f'[id="k-{criterion}-{check}"]') for check in CHECKS[name]]
        rows.append(tuple(box.is_checked() for box in boxes))
    return tuple(rows)


def _bands(page: Any) -> tuple[int, ...]:
    return tuple(int(page.locator(f"#c-{criterion} .iband data").inner_text()) for criterion in IDS)


def _overall(page: Any) -> float:
    return float(page.locator("#ilab-result .big data").inner_text())


def _settled(page: Any, act: Callable[[], Any]) -> None:
    """Do something and wait until the engine's answer stands on the page."""
    page.evaluate(
        "window.swapped = new Promise(done => addEventListener('htmx:after:settle', () => done(), {once: true})); 0"
    )
    act()
    page.evaluate("window.swapped")


def test_random_flips_against_an_independent_evaluation(page: Any) -> None:
    page.goto("/ielts/lab")
    chance = random.Random(33)
    flips = [(criterion, check) for criterion, name in NAMES.items() for check in CHECKS[name]]
    # A walk that also empties pronunciation and fills it again, so that both of its choices come up.
    walk = [chance.choice(flips) for _ in range(8)]
    walk += [("pronunciation", check) for check in ("INTELLIGIBILITY", "WORD_CLARITY", "FULL_CLARITY")] * 2
    for criterion, check in walk:
        _settled(page, page.locator(f'[id="k-{criterion}-{check}"]').click)
        choices = page.locator('input[type="radio"]:not(:checked)')
        if choices.count() and chance.random() < 0.6:
            _settled(page, choices.nth(chance.randrange(choices.count())).check)
        results, bands = _results(page), _bands(page)
        for name, row, band in zip(CHECKS, results, bands, strict=True):
            assert band in bands_allowed(name, row), (name, row, band)
        assert _overall(page) == overall_of(bands)
        for criterion_id, row, (name, _) in zip(IDS, results, CHECKS.items(), strict=True):
            offered = {
                int(value)
                for value in page.locator(f'[name="band.{criterion_id}"]').evaluate_all("a => a.map(e => e.value)")
            }
            allowed = bands_allowed(name, row)
            assert offered == (allowed if len(allowed) > 1 else set()), name


def test_a_choice_of_band_counts_and_its_trace_says_so(page: Any) -> None:
    page.goto("/ielts/lab")
    _settled(page, page.locator("#b-pronunciation-9").check)
    assert _bands(page) == (9, 9, 9, 9)
    assert _overall(page) == 9
    page.locator("#t-pronunciation > summary").click()
    assert "the mapping leaves 8 or 9; 9 was given" in page.locator("#t-pronunciation").inner_text()
    # Opened steps stay open when a check is flipped, and the focus stays where it was.
    box = page.locator('[id="k-lexical_resource-WIDE_RANGE"]')
    _settled(page, box.click)
    assert page.locator("#t-pronunciation").get_attribute("open") is not None
    assert box.evaluate("e => e === document.activeElement")
    assert _overall(page) == 8.5  # (9 + 8 + 9 + 9) / 4 = 8.75


def test_by_keyboard_alone(page: Any) -> None:
    page.goto("/ielts/lab")
    box = page.locator('[id="k-fluency_and_coherence-FULL_FLUENCY"]')
    box.focus()
    _settled(page, lambda: page.keyboard.press("Space"))
    assert _bands(page) == (8, 9, 8, 9)
    assert box.evaluate("e => e === document.activeElement")
    _settled(page, lambda: page.keyboard.press("Space"))
    assert _bands(page) == (9, 9, 8, 9)
    assert page.locator("#ilab-status").inner_text().startswith("Overall band 8.5")
    assert page.locator("#ilab-status").get_attribute("role") == "status"
    # The address holds the state: loading it anew changes nothing.
    _settled(page, lambda: page.keyboard.press("Space"))
    page.reload()
    assert _bands(page) == (8, 9, 8, 9)


def test_the_link_and_the_reply_hold_what_is_shown(page: Any) -> None:
    page.goto("/ielts/lab")
    for check in ("INTELLIGIBILITY", "FULL_CLARITY"):
        _settled(page, page.locator(f'[id="k-pronunciation-{check}"]').click)
    _settled(page, page.locator('[id="k-grammatical_range_and_accuracy-MIXED_STRUCTURES"]').click)
    results, bands, overall = _results(page), _bands(page), _overall(page)
    assert results[2] == (False, True, False)
    assert bands[2] == 5  # V2: WORD_CLARITY is the one that passed
    with page.expect_download() as download:
        page.get_by_role("link", name="The V33 reply that says this (JSON)").click()
    found = recheck(Path(download.value.path()).read_bytes())
    assert (found.results, found.bands, found.overall) == (results, bands, overall)
    page.get_by_role("link", name="Link to this state").click()
    assert (_results(page), _bands(page), _overall(page)) == (results, bands, overall)
    assert (
        "passed although Mixed structures, below, did not"
        in page.locator("#c-grammatical_range_and_accuracy").inner_text()
    )


def test_a_state_is_held_and_compared(page: Any) -> None:
    page.goto("/ielts/lab")
    page.get_by_role("link", name="Hold this state and compare").click()
    _settled(page, page.locator('[id="k-lexical_resource-ADEQUATE_VOCAB"]').click)
    rows = page.get_by_role("table", name="Held against now").locator("tbody tr").all_inner_texts()
    assert rows[1].split("\t") == ["Lexical Resource", "9", "8", "−1"]
    assert rows[4].split("\t") == ["Overall", "8.5", "8.5", "the same"]


def test_without_an_answer_the_bands_stay_and_are_said_to_be_old(page: Any) -> None:
    """A server that is away, and one that answers with an error page: neither takes the lab away."""
    page.goto("/ielts/lab")
    for answer in (lambda route: route.abort(), lambda route: route.fulfill(status=500, body="Broken")):
        page.route("**/ielts/lab?*", answer, times=1)
        page.locator('[id="k-lexical_resource-WIDE_RANGE"]').click()
        page.get_by_role("alert").filter(has_text="Not up to date").wait_for()
        assert _bands(page) == (9, 9, 8, 9)
        _settled(page, page.locator('[id="k-pronunciation-FULL_CLARITY"]').click)
        assert page.get_by_role("alert").inner_text() == ""
        _settled(page, page.locator('[id="k-pronunciation-FULL_CLARITY"]').click)
        page.goto("/ielts/lab")


def test_it_works_without_scripts(browser: Any, site: Site) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/ielts/lab")
    for check in CHECKS[NAMES["lexical_resource"]]:
        page.locator(f'[id="k-lexical_resource-{check}"]').uncheck()
    page.get_by_role("button", name="Work it out").click()
    assert _bands(page) == (9, 4, 8, 9)
    page.locator("#b-lexical_resource-2").check()
    page.get_by_role("button", name="Work it out").click()
    assert _bands(page) == (9, 2, 8, 9)
    assert _overall(page) == 7  # (9 + 2 + 8 + 9) / 4
    context.close()


@pytest.mark.parametrize(
    "state", ["", "state=00000-00000-000-00000", "state=10100-11000-100-11111-6-6-6-9&held=11111-11111-111-11111"]
)
def test_states_are_accessible(page: Any, state: str, picture: Callable[[Any, str], Path]) -> None:
    page.goto(f"/ielts/lab?{state}")
    page.locator("#t-pronunciation > summary").click()
    page.locator("#ilab-trace > summary").click()
    assert axe_both(page) == []
    picture(page, f"lab-{len(state)}")
    for width in (320, 820, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


def test_targets_are_large_enough(page: Any) -> None:
    page.goto("/ielts/lab?state=00000-11111-100-11111")
    for control in page.locator(".icheck label, .igiven label, .actions a").all():
        box = control.bounding_box()
        assert box["height"] >= 24
        assert box["width"] >= 24


def test_the_document_is_what_the_page_shows(page: Any, site: Site) -> None:
    page.goto("/ielts/lab?state=11100-11000-100-00000-7-6-6-3")
    data = json.loads(
        page.request.get(page.get_by_role("link", name="The scored document").get_attribute("href")).text()
    )
    assert [row["band"] for row in data["criteria"]] == list(_bands(page)) == [7, 6, 6, 3]
    assert data["overall"] == _overall(page) == 5.5
