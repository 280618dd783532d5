"""The rubric guide and the IELTS pages in a browser: accessible, narrow, by keyboard, printed, searched in typing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from web_tools import Site, axe_both

# One page of each kind.
KINDS = (
    "/rubric",
    "/rubric/tables",
    "/rubric/modules",
    "/rubric/modules/audio_postcard",
    "/rubric/modules/story_building",
    "/rubric/feedback",
    "/rubric/local-judge",
    "/rubric/history",
    "/rubric/conflicts",
    "/rubric/rows",
    "/rubric/rows?q=nothing-has-this-word",
    "/rubric/row/speaking_rate.steadiness.quality_at_zero",
    "/rubric/row/fluency.open.fillers.high.good",
    "/rubric/row/fluency.open",
    "/ielts",
    "/ielts/contract",
    "/ielts/parts",
    "/ielts/test",
    "/ielts/row/ielts-part1-v33/criteria.criteria.pronunciation.one_passed_choice",
)
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("path", KINDS)
def test_pages_are_accessible_in_light_and_dark(page: Any, path: str) -> None:
    page.goto(path)
    assert axe_both(page) == []


def test_no_page_scrolls_sideways(browser: Any, site: Site, picture: Callable[[Any, str], Path]) -> None:
    """From 320 px on; what is wide scrolls inside a region that the keyboard reaches."""
    context = browser.new_context(base_url=site.url, viewport={"width": 320, "height": 700}, locale="en-GB")
    page = context.new_page()
    for path in KINDS:
        page.goto(path)
        for width in (320, 820, 1800):
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate(OVERFLOW) == 0, (path, width)
        page.set_viewport_size({"width": 320, "height": 700})
        for region in page.locator(".scroll, pre").all():
            if region.evaluate("e => e.scrollWidth > e.clientWidth"):
                assert region.get_attribute("tabindex") == "0", path
                assert region.get_attribute("aria-label"), path
    page.goto("/rubric/modules")
    picture(page, "weights-320")
    context.close()


def test_pictures_of_the_kinds(page: Any, picture: Callable[[Any, str], Path]) -> None:
    for path in ("/rubric/modules", "/rubric/modules/poem_recitation"):
        page.goto(path)
        assert page.locator("h1").count() == 1
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            picture(page, path.strip("/").replace("/", "-") + "-" + scheme)


def test_heads_of_the_weight_table_stay_in_sight(page: Any) -> None:
    page.set_viewport_size({"width": 500, "height": 500})
    page.goto("/rubric/modules")
    region = page.get_by_role("region", name="Marker weights for each module")
    region.evaluate("e => { e.scrollTop = 300; e.scrollLeft = 250; }")
    box = region.bounding_box()
    head = page.locator(".weighttable thead th").nth(1).bounding_box()
    assert box["y"] - 1 <= head["y"] <= box["y"] + 2
    row = page.locator(".weighttable tbody th").nth(5).bounding_box()
    assert box["x"] - 1 <= row["x"] <= box["x"] + 2


def test_a_number_leads_to_its_row_and_back_by_keyboard(page: Any) -> None:
    page.goto("/rubric/tables")
    number = page.locator('a.num[href$="speaking_rate.open.pace.middle.full_low"]').first
    assert number.inner_text().startswith("110")
    number.focus()
    assert number.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.wait_for_url("**/rubric/row/speaking_rate.open.pace.middle.full_low")
    assert page.locator(".rowvalue").inner_text().split() == ["110", "words", "per", "minute", "of", "speaking", "time"]
    page.get_by_role("link", name="Shared tables › Open tasks: spontaneous speech").press("Enter")
    page.wait_for_url("**/rubric/tables#open")


def test_the_search_answers_as_one_types(page: Any) -> None:
    page.goto("/rubric/rows")
    page.get_by_role("searchbox").press_sequentially("quality_at_zero")
    page.get_by_text("1 row found.").wait_for()
    assert page.get_by_role("searchbox").evaluate("e => e === document.activeElement")
    assert page.get_by_role("searchbox").input_value() == "quality_at_zero"
    assert page.get_by_role("link", name="speaking_rate.steadiness.quality_at_zero").count() == 1
    page.get_by_role("combobox", name="Mark").select_option("published")
    page.get_by_text("0 rows found.").wait_for()
    assert page.url.endswith("/rubric/rows?q=quality_at_zero&provenance=published")


def test_a_slow_answer_gives_way_to_what_was_typed_since(page: Any) -> None:
    page.goto("/rubric/rows")
    held: list[Any] = []
    page.route("**/rubric/rows?q=quality&*", lambda route: held.append(route), times=1)
    with page.expect_request("**/rubric/rows?q=quality&*"):
        page.get_by_role("searchbox").fill("quality")
    page.get_by_role("searchbox").fill("quality_at_zero")
    page.get_by_text("1 row found.").wait_for()
    page.wait_for_timeout(200)
    assert page.url.endswith("/rubric/rows?q=quality_at_zero")
    page.route("**/rubric/rows?*", lambda route: route.fulfill(status=500, body="Broken"))
    page.get_by_role("searchbox").fill("fade")
    page.get_by_role("alert").filter(has_text="Not up to date").wait_for()
    assert page.get_by_text("1 row found.").is_visible()


def test_the_search_works_without_scripts(browser: Any, site: Site) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/rubric")
    page.get_by_role("searchbox").fill("1.01")
    page.get_by_role("button", name="Find").click()
    assert page.get_by_role("link", name="edition.tiers.rows.excellent.interpolate_to").count() == 1
    context.close()


def test_numbers_are_written_as_the_reader_writes_them(browser: Any, site: Site) -> None:
    context = browser.new_context(base_url=site.url, locale="de-DE")
    page = context.new_page()
    page.goto("/rubric/modules/paragraph_reading")
    assert page.locator('a.num[href$="paragraph_reading.weights.pronunciation"]').first.inner_text().startswith("0,25")
    assert page.locator("tfoot td.n").inner_text() == "1,00"
    page.goto("/rubric")
    assert "consistency_quality = 0,90625" in page.locator("main").text_content()
    page.goto("/ielts/lab")
    assert "= 8,75, floored to 8,5" in page.inner_text("#ilab-result .sum")
    assert "mean_band = 8,75" in page.locator("#ilab-trace").text_content()
    page.goto("/rubric/history")
    assert page.locator("time[lang=de-DE]").first.inner_text() == "26. Juli 2026"
    context.close()


def test_marks_are_words_for_screen_readers_and_letters_for_all(page: Any) -> None:
    page.goto("/rubric")
    name = "2 chosen"
    page.goto("/rubric/modules/audio_postcard")
    link = page.locator('a.num[href$="speaking_rate.steadiness.zero_at_factor"]')
    assert page.get_by_role("link", name=name, exact=True).count() == 1
    assert link.locator(".mark").inner_text() == "c"


def test_it_prints_without_its_frame(page: Any, picture: Callable[[Any, str], Path], tmp_path: Path) -> None:
    page.goto("/rubric/modules/tongue_twister")
    page.emulate_media(media="print")
    for hidden in (".side", "header.frame", ".turn", ".buttons"):
        assert not page.locator(hidden).first.is_visible(), hidden
    assert page.locator("table.data").first.is_visible()
    printed = tmp_path / "page.pdf"
    page.pdf(path=printed, format="A4")
    # Counted in the file: "/Type /Page" of each sheet, and none of them empty.
    assert 2 <= printed.read_bytes().count(b"/Type /Page\n") + printed.read_bytes().count(b"/Type /Page ") <= 5
