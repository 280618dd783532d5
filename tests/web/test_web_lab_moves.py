"""The Lab by hand: drags, keys, open traces, back and forward, two states, a pasted reading, and without scripts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from web_lab_tools import as_shown, expect, follow, shown, wait_for
from web_tools import ROOT, Site

POEM = "/lab?module=poem_recitation"
FRAC = "[id='t-speaking_rate.base_score.frac'] > summary"


@pytest.fixture
def bare(browser: Any, site: Site) -> Iterator[Any]:
    """A page without scripts."""
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    yield context.new_page()
    context.close()


def poem(**changes: Any) -> dict[str, int | str]:
    """What the page must show of the poem's example with these measurements of its pace and pauses."""
    text = (ROOT / "src/vivavoce/examples/poem_recitation.json").read_text(encoding="utf-8")
    request = json.loads(text)["request"]
    request["inputs"]["speaking_rate"] |= changes
    return as_shown(expect(json.dumps(request)))


def drag(page: Any, name: str, start: float, end: float, steps: int) -> int:
    """Drag a slider between two shares of its width; returns how many requests that took."""
    slider = page.locator(f"#s-{name}")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    asked: list[str] = []

    def count(request: Any) -> None:
        asked.append(request.url)

    page.on("request", count)
    page.mouse.move(box["x"] + box["width"] * start, middle)
    page.mouse.down()
    for step in range(1, steps + 1):
        page.mouse.move(box["x"] + box["width"] * (start + (end - start) * step / steps), middle)
    page.mouse.up()
    page.wait_for_function(
        """name => new URLSearchParams(location.search).get(name) === document.getElementById('n-' + name).value""",
        arg=name,
    )
    page.remove_listener("request", count)
    return len(asked)


def test_a_fast_drag_asks_seldom_and_its_last_state_wins(page: Any) -> None:
    page.goto(POEM)
    asked = drag(page, "words_per_minute", 0.32, 0.75, 80)
    value = page.input_value("#n-words_per_minute")
    assert float(value) > 190
    assert page.input_value("#s-words_per_minute") == value
    assert asked < 40
    page.wait_for_timeout(300)
    assert shown(page) == poem(words_per_minute=float(value))


def test_the_overall_is_told_once_a_drag_has_ended(page: Any) -> None:
    page.goto(POEM)
    page.evaluate(
        """() => { window.told = []; new MutationObserver(() => window.told.push(said.textContent))
             .observe(document.getElementById('said'), {childList: true, characterData: true, subtree: true}); }"""
    )
    drag(page, "level_db", 0.48, 0.05, 40)
    page.wait_for_function("() => window.told.length > 0")
    page.wait_for_timeout(900)
    assert page.evaluate("window.told") == [
        f"Overall {shown(page)['overall']}, {page.inner_text('#scores .tiername').split()[0]}."
    ]
    assert page.get_attribute("#said", "aria-live") == "polite"


def test_what_is_open_stays_open_while_a_slider_moves(page: Any) -> None:
    page.goto(POEM)
    page.click("#how-speaking_rate > summary")
    page.click("[id='t-speaking_rate.base_score'] > summary")
    page.click(FRAC)
    page.click("#q-pace_variation > summary")
    opened = "() => [...document.querySelectorAll('details[open]')].map(each => each.id).sort()"
    before = page.evaluate(opened)
    assert {"how-speaking_rate", "t-speaking_rate.base_score.frac", "q-pace_variation"} <= set(before)
    drag(page, "words_per_minute", 0.32, 0.5, 20)
    assert page.evaluate(opened) == before
    # A sub-marker that is dropped takes its own steps with it, and nothing else closes.
    page.locator('input[name="unmeasured"][value="pace_variation"]').check()
    page.wait_for_selector("#row-pace_variation .dropped")
    assert page.evaluate(opened) == [name for name in before if name != "q-pace_variation"]


def test_from_a_marker_of_the_overall_to_its_steps(page: Any) -> None:
    page.goto(POEM)
    page.fill("#n-words_per_minute", "150")
    wait_for(page, {"words_per_minute": "150"})
    page.click("#how-overall > summary")
    page.click("#how-overall a[href='#how-volume_control']")
    assert page.is_visible("[id='t-volume_control'] > summary")
    assert page.input_value("#n-words_per_minute") == "150"
    page.go_back()
    assert page.input_value("#n-words_per_minute") == "150"


def test_by_keys_alone(page: Any) -> None:
    """Arrows move a slider, Shift ten steps at once; Enter opens the trace down to a rubric row."""
    page.goto(POEM)
    page.focus("#s-choppy_breaks_per_minute")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    wait_for(page, {"choppy_breaks_per_minute": "6.3"})
    assert shown(page) == poem(choppy_breaks_per_minute=6.3)
    assert page.evaluate("document.activeElement.id") == "s-choppy_breaks_per_minute"
    page.focus("#how-speaking_rate > summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    while "base_score" not in page.evaluate("document.activeElement.textContent"):
        page.keyboard.press("Tab")
    for step in (
        "t-speaking_rate.base_score",
        "t-speaking_rate.base_score.frac",
        "t-speaking_rate.base_score.frac.quality",
    ):
        while page.evaluate("document.activeElement.parentElement.id") != step:
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    row = page.locator("[id='t-speaking_rate.base_score.frac.quality'] > .steps > li > .leaf a.source").first
    assert row.is_visible()
    assert row.get_attribute("href").startswith("/rubric/row/")


def test_back_undoes_a_move_and_forward_does_it_again(page: Any) -> None:
    page.goto(POEM)
    drag(page, "words_per_minute", 0.32, 0.5, 20)
    moved = page.input_value("#n-words_per_minute")
    page.fill("#n-level_db", "40")
    wait_for(page, {"level_db": "40"})
    quiet = shown(page)
    page.go_back()
    wait_for(page, {"level_db": "58.6", "words_per_minute": moved})
    assert (page.input_value("#n-level_db"), page.input_value("#s-level_db")) == ("58.6", "58.6")
    page.go_back()
    wait_for(page, {"words_per_minute": "92.5"})
    assert page.input_value("#s-words_per_minute") == "92.5"
    assert shown(page) == poem()
    page.go_forward()
    page.go_forward()
    wait_for(page, {"level_db": "40"})
    assert (page.input_value("#n-words_per_minute"), shown(page)) == (moved, quiet)


def test_two_states_side_by_side(page: Any) -> None:
    page.goto(POEM)
    follow(page, "text=Compare with this")
    assert "None: both states are the same" in page.inner_text("#compare")
    page.fill("#n-words_per_minute", "70")
    wait_for(page, {"words_per_minute": "70", "kept.words_per_minute": "92.5"})
    now, then = poem(words_per_minute=70), poem()
    assert shown(page) == now
    fall = int(then["speaking_rate"]) - int(now["speaking_rate"])
    assert f"−{fall} lower" in page.inner_text("#scores .scoreline:nth-child(3)").replace("\n", " ")
    rows = page.inner_text("#compare")
    assert "92.5 words/min" in rows
    assert "−22.5 lower" in rows.replace("\n", " ")
    assert page.locator("#row-words_per_minute .was").count() == 1
    page.reload()
    assert shown(page) == now
    follow(page, "text=Swap the two")
    assert shown(page) == then
    assert "+22.5 higher" in page.inner_text("#compare").replace("\n", " ")
    follow(page, "#scores >> text=Stop comparing")
    assert page.locator("#compare").count() == 0
    assert "kept." not in page.url


def test_a_pasted_reading_is_counted_and_labelled(page: Any) -> None:
    """By hand: eleven words; "a" for "the" and "slow" for "fine" are misread, "um" is added, "day" is not reached."""
    page.goto(POEM)
    page.fill("#reference", "The cat sat on the mat. It was a fine day.")
    page.fill("#reading", "the cat sat on a mat um it was a slow")
    page.click("text=Align and count")
    counts = {"reference_words": "11", "trailing_omissions": "1", "matched": "8", "insertions": "1"}
    wait_for(page, counts)
    for name, count in counts.items():
        assert page.input_value(f"#n-{name}") == page.input_value(f"#s-{name}") == count
    assert "said “a”" in page.locator("#aligned .substitution rt").first.inner_text()
    assert "not reached from here" in page.inner_text("#aligned")
    assert "added" in page.inner_text("#aligned .insertion")
    assert "cat" not in page.url
    # Completion 10/11, accuracy 8/12, Elementary: (0.909091-0.45)/0.47 and (0.666667-0.45)/0.48.
    assert "Quality 0.976789" in page.inner_text("#d-completion")
    assert "Quality 0.451389" in page.inner_text("#d-accuracy")
    page.fill("#n-matched", "10")
    wait_for(page, {"matched": "10"})
    assert page.is_visible("#aligned")


def test_an_empty_text_is_refused_in_place(page: Any) -> None:
    page.goto("/lab?module=tongue_twister")
    page.fill("#reference", "...")
    page.click("text=Align and count")
    page.wait_for_selector("#aligned .refusal")
    assert "text" in page.inner_text("#aligned .refusal dl")
    assert page.input_value("#n-reference_words") == "21"


def test_a_contradiction_is_refused_in_place(page: Any) -> None:
    """A14: levels that allow 76 to 90 do not go with 20; and more words matched than the text has."""
    page.goto("/lab?module=rapid_fire_qa")
    page.click("#levels > summary")
    for name in ("smoothness", "filler_control", "recovery"):
        page.select_option(f"#level-{name}", "good")
    page.wait_for_selector("text=These levels allow 76 to 90")
    assert shown(page)["fluency"] == 81
    page.fill("#n-fluency", "20")
    page.wait_for_selector("#m-fluency .refusal")
    refusal = page.inner_text("#m-fluency .refusal")
    assert "score_contradicts_levels" in refusal
    assert "76 to 90 with these levels" in refusal
    assert "Judged" in refusal
    assert "/inputs/" not in refusal
    assert shown(page)["fluency"] == "Refused"
    assert shown(page)["overall"] == "No overall"
    page.fill("#n-fluency", "77")
    page.wait_for_function("() => !document.querySelector('.refusal')")
    assert shown(page)["fluency"] == 77


def test_a_marker_that_waits_leaves_no_overall(page: Any) -> None:
    page.goto(POEM)
    page.locator('input[name="pending"][value="pronunciation"]').check()
    page.wait_for_selector("#m-pronunciation.pending")
    assert (shown(page)["overall"], shown(page)["pronunciation"]) == ("Pending", "Pending")
    assert page.input_value("#n-pronunciation") == "90"
    page.locator('input[name="pending"][value="pronunciation"]').uncheck()
    page.wait_for_selector("#m-pronunciation.scored")
    assert shown(page) == poem()


def test_a_number_box_that_is_being_emptied_asks_nothing(page: Any) -> None:
    page.goto(POEM)
    page.focus("#n-words_per_minute")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.wait_for_timeout(400)
    assert page.locator(".refusal").count() == 0
    page.keyboard.type("150")
    wait_for(page, {"words_per_minute": "150"})
    assert shown(page) == poem(words_per_minute=150)


def test_without_an_answer_the_page_says_that_it_is_not_up_to_date(page: Any) -> None:
    page.goto(POEM)
    page.route("**/lab?*", lambda route: route.abort())
    page.fill("#n-words_per_minute", "150")
    page.wait_for_selector("text=Not up to date")
    page.unroute("**/lab?*")
    page.fill("#n-words_per_minute", "151")
    wait_for(page, {"words_per_minute": "151"})
    page.wait_for_function("() => document.querySelector('.stale').textContent === ''")
    assert shown(page) == poem(words_per_minute=151)


def test_a_late_answer_shows_no_older_state(page: Any) -> None:
    """A move whose answer comes after the reader has gone back: boxes, address and scores stay those gone back to."""
    page.goto(POEM)
    page.fill("#n-words_per_minute", "110")
    wait_for(page, {"words_per_minute": "110"})
    held: list[Any] = []
    page.route("**words_per_minute=70&**", lambda route: held.append(route))
    page.fill("#n-words_per_minute", "70")
    page.wait_for_timeout(200)
    page.evaluate("history.back()")
    wait_for(page, {"words_per_minute": "92.5"})
    held.pop().continue_()
    page.wait_for_timeout(400)
    assert shown(page) == poem()
    assert page.input_value("#n-words_per_minute") == "92.5"
    assert "words_per_minute" not in page.url


def test_a_move_while_a_text_is_counted_is_not_lost(page: Any) -> None:
    """The text is counted anew into the moved state, and no answer shows scores that are not those of the boxes."""
    page.goto(POEM)
    page.fill("#reference", "one two three four")
    page.fill("#reading", "one two three")
    held: list[Any] = []
    page.route("**/lab/align", lambda route: held.append(route), times=1)
    page.click("text=Align and count")
    page.wait_for_timeout(200)
    page.fill("#n-words_per_minute", "150")
    wait_for(page, {"words_per_minute": "150", "matched": "77"})
    held.pop().continue_()
    wait_for(page, {"words_per_minute": "150", "matched": "3", "trailing_omissions": "1"})
    assert page.input_value("#n-words_per_minute") == "150"
    assert page.input_value("#n-matched") == "3"
    assert shown(page)["speaking_rate"] == poem(words_per_minute=150)["speaking_rate"]


def test_an_error_page_does_not_replace_the_lab(page: Any) -> None:
    page.goto(POEM)
    page.route("**/lab?*", lambda route: route.fulfill(status=500, content_type="text/plain", body="Broken"))
    page.fill("#n-words_per_minute", "150")
    page.wait_for_selector("text=Not up to date")
    page.wait_for_timeout(100)
    assert shown(page) == poem()


def test_without_scripts(bare: Any) -> None:
    """The form is sent by its button; sliders, which could do nothing, are not there; traces open."""
    bare.goto(POEM)
    assert not bare.is_visible("#s-words_per_minute")
    bare.fill("#n-words_per_minute", "150")
    bare.locator('input[name="pending"][value="fluency"]').check()
    follow(bare, "text=Recompute")
    assert "words_per_minute=150" in bare.url
    assert bare.inner_text("#scores .big") == "Pending"
    bare.locator('input[name="pending"][value="fluency"]').uncheck()
    follow(bare, "text=Recompute")
    assert bare.inner_text("#scores .big") == str(poem(words_per_minute=150)["overall"])
    bare.click("#how-speaking_rate > summary")
    assert bare.is_visible("[id='t-speaking_rate'] > summary")
    bare.fill("#reference", "one two three")
    bare.fill("#reading", "one two three")
    follow(bare, "text=Align and count")
    assert bare.input_value("#n-matched") == "3"
    assert bare.input_value("#n-words_per_minute") == "150"
