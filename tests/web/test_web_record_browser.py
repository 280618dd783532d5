"""The recorder in a real browser whose microphone plays a real reading: every state, and what a lost line costs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from record_steps import arrived, narrow, press, record, said, state
from record_tools import SONNET, Scoring, send, spoken, wav
from web_tools import Site, axe, axe_both, browsing

from vivavoce.audio.waveform import decode

FAKE = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")


@pytest.fixture
def site(held: tuple[Site, Scoring]) -> Site:
    """The site with nothing recorded in it."""
    for attempt in held[0].store.attempts():
        held[0].store.delete(attempt.id)
    return held[0]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Its microphone begins anew with every recording: the reading from its fourth second on."""
    file = wav(tmp_path_factory.mktemp("sound") / "fake.wav", spoken(20.0, 4.0))
    with browsing(*FAKE, f"--use-file-for-fake-audio-capture={file}") as found:
        yield found


def test_every_state_is_accessible(page: Any, site: Site, picture: Callable[[Any, str], Path]) -> None:
    page.goto("/record/sonnet")
    for name, step in (
        ("ready", lambda: None),
        ("testing", lambda: press(page, "Test the microphone")),
        ("recording", lambda: press(page, "Record")),
        ("recorded", lambda: (page.wait_for_timeout(1500), press(page, "Stop"))),
    ):
        step()
        state(page, name)
        if name == "testing":
            page.locator('#recorder[data-level="good"]').wait_for(timeout=15_000)
            assert re.fullmatch(r"\d\d dB", page.locator('[data-level="shown"]').inner_text())
        # What stands while it is ready, the next test holds; recording shows what testing does.
        if name in ("testing", "recorded"):
            assert axe_both(page) == [], name
        picture(page, name)
        narrow(page)
    page.context.set_offline(True)
    press(page, "Send")
    state(page, "waiting")
    picture(page, "waiting")
    narrow(page)
    other = page.context.new_page()
    page.context.set_offline(False)
    page.wait_for_url("**/attempts/*")
    assert axe_both(page) == []
    picture(page, "progress")
    narrow(page)
    other.close()


def test_pages_are_accessible(page: Any, site: Site) -> None:
    for path in ("/record", "/record/snails", "/record/lantern", "/tasks/new"):
        page.goto(path)
        assert axe_both(page) == [], path
        narrow(page)
    # These differ from the others by a list alone.
    for path in ("/record/postcard", "/record/questions"):
        page.goto(path)
        assert axe(page) == [], path
        narrow(page)


def test_the_text_keeps_its_lines_and_the_twister_is_said_three_times(page: Any, site: Site) -> None:
    page.goto("/record/wind")
    lines = page.locator(".totext .line").all_inner_texts()
    assert lines[:2] == ["Who has seen the wind?", "Neither I nor you:"]
    assert len(lines) == 8
    assert page.locator(".totext p").count() == 2, "two stanzas"
    page.goto("/record/snails")
    assert page.locator(".totext").inner_text().count("Seven slow snails sip sweet spring soup.") == 3
    page.goto("/record/lantern")
    assert page.locator(".chips li").all_inner_texts() == ["lantern", "bridge", "promise", "library", "snow storm"]


def test_what_was_recorded_is_what_was_played(page: Any, site: Site) -> None:
    page.goto("/record/sonnet")
    record(page, 3.0)
    rows = page.locator("[data-setting]").all_inner_texts()
    assert len(rows) == 3
    assert all(row.endswith("off, as it should be") for row in rows)
    assert page.locator("[data-clock]").inner_text() in ("0:02", "0:03")
    assert page.locator("audio.listen").get_attribute("src").startswith("blob:")
    page.get_by_label("Your name").fill("Ada")
    press(page, "Send")
    page.wait_for_url("**/attempts/*")
    [attempt] = arrived(site)
    assert page.url.endswith(attempt.id)
    assert (attempt.task_id, attempt.made_by, attempt.file_name) == ("sonnet", "Ada", "recording.webm")
    told = {name: attempt.settings[name] for name in ("autoGainControl", "noiseSuppression", "echoCancellation")}
    assert set(told.values()) == {False}
    assert attempt.settings["sampleRate"] > 8000
    heard = decode(site.store.recording(attempt.id))
    assert heard.source.codec == "opus"
    assert 2.5 < heard.duration_ms / 1000 < 6
    # The reading's own loudness, not silence and not the browser's gain.
    assert 0.02 < float(abs(heard.samples).max()) < 0.9


def test_a_browser_that_does_not_obey_is_noted(page: Any, site: Site) -> None:
    page.add_init_script(
        "MediaStreamTrack.prototype.getSettings = () => ({autoGainControl: true, echoCancellation: false})"
    )
    page.goto("/record/sonnet")
    record(page)
    rows = " | ".join(page.locator("[data-setting]").all_inner_texts())
    assert re.search(r"Automatic gain on, though", rows)
    assert re.search(r"Noise suppression the browser does not say", rows)
    press(page, "Send")
    page.wait_for_url("**/attempts/*")
    assert "kept automatic gain on" in page.locator("main").inner_text()
    [attempt] = arrived(site)
    assert (attempt.settings["autoGainControl"], attempt.settings["noiseSuppression"]) == (True, None)


def test_a_lost_line_keeps_the_recording_and_sends_it_once(page: Any, site: Site) -> None:
    page.goto("/record/sonnet")
    record(page)
    page.context.set_offline(True)
    press(page, "Send")
    state(page, "waiting")
    assert "kept in this browser" in said(page)
    assert site.store.attempts() == []
    page.context.set_offline(False)
    page.wait_for_url("**/attempts/*", timeout=15_000)
    arrived(site)
    page.goto("/record")
    page.wait_for_timeout(500)
    assert page.locator("#queue").is_hidden(), "nothing is left to send"
    arrived(site)


def test_one_can_record_while_the_line_is_lost(page: Any, site: Site) -> None:
    page.goto("/record/sonnet")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    record(page, 1.6)
    press(page, "Send")
    state(page, "waiting")
    page.context.set_offline(False)
    page.wait_for_url("**/attempts/*", timeout=15_000)
    [attempt] = arrived(site)
    assert decode(site.store.recording(attempt.id)).duration_ms > 1000


@pytest.mark.parametrize("fault", ["no store", "no room"])
def test_a_browser_that_keeps_nothing_says_so_and_sends_all_the_same(page: Any, site: Site, fault: str) -> None:
    page.add_init_script(
        "Object.defineProperty(globalThis, 'indexedDB', {value: {open() { throw new Error('none'); }}})"
        if fault == "no store"
        else "const put = IDBObjectStore.prototype.put; IDBObjectStore.prototype.put = function (value) {"
        " if (value.place === 1) throw new DOMException('full', 'QuotaExceededError'); return put.call(this, value); }"
    )
    page.goto("/record/sonnet")
    record(page, 3.4)
    assert page.locator('[data-problem="memory"]').is_visible()
    press(page, "Send")
    page.wait_for_url("**/attempts/*")
    [attempt] = arrived(site)
    heard = decode(site.store.recording(attempt.id))
    assert heard.duration_ms > 2500, "every second is there"
    assert not heard.warnings


def test_an_answer_that_is_lost_makes_no_second_attempt(page: Any, site: Site) -> None:
    """The server takes it, and the line breaks before it can say so."""
    page.goto("/record/sonnet")
    record(page)

    def swallow(route: Any) -> None:
        route.fetch()
        route.abort()

    page.route("**/attempts", swallow, times=1)
    press(page, "Send")
    state(page, "waiting")
    [first] = arrived(site)
    page.wait_for_url(f"**/attempts/{first.id}", timeout=15_000)
    arrived(site)


def test_what_waits_is_sent_at_the_next_visit(page: Any, site: Site) -> None:
    page.goto("/record/sonnet")
    record(page)
    page.context.set_offline(True)
    press(page, "Send")
    state(page, "waiting")
    page.close()
    page.context.set_offline(False)
    following = page.context.new_page()
    following.goto("/record")
    arrived(site)
    following.wait_for_timeout(300)
    assert following.locator("#queue").is_hidden()


def test_a_tab_that_closes_loses_nothing(page: Any, site: Site, tmp_path: Path) -> None:
    """One recording is stopped and not sent, another is cut off in the middle: both are listed at the next visit."""
    page.goto("/record/sonnet")
    record(page)
    page.close()
    second = page.context.new_page()
    second.goto("/record/wind")
    press(second, "Record")
    state(second, "recording")
    second.wait_for_timeout(2600)
    assert second.locator("#queue li").count() == 1
    second.close(run_before_unload=False)
    third = page.context.new_page()
    third.goto("/record")
    items = third.locator("#queue li")
    items.nth(1).wait_for()
    assert items.locator("strong").all_inner_texts() == [
        "A sonnet: From fairest creatures",
        "A poem: Who has seen the wind?",
    ]
    assert all("Recorded and not sent." in text for text in items.all_inner_texts())
    assert site.store.attempts() == [], "only what a person has sent is sent by itself"
    assert axe_both(third) == []
    narrow(third)
    items.nth(1).get_by_role("button", name="Listen").click()
    third.wait_for_function("() => document.querySelector('#queue audio:not([hidden])')?.currentTime > 0")
    with third.expect_download() as saved:
        items.nth(1).get_by_role("button", name="Save to a file").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    assert file.suffix == ".webm"
    assert decode(file).duration_ms > 1000, "what was recorded before the tab was closed"
    items.nth(1).get_by_role("button", name="Discard").click()
    items.nth(1).get_by_role("button", name="Discard for ever?").click()
    items.nth(1).wait_for(state="detached")
    items.nth(0).get_by_role("button", name="Send now").click()
    third.wait_for_url("**/attempts/*")
    [attempt] = arrived(site)
    assert attempt.task_id == "sonnet"


def test_a_tab_goes_to_what_another_tab_has_sent(page: Any, site: Site) -> None:
    """Both tabs of a browser try what waits; the one that recorded it must not wait for ever."""
    page.goto("/record/sonnet")
    record(page, 1.1)
    page.route("**/attempts", lambda route: route.abort())
    press(page, "Send")
    state(page, "waiting")
    other = page.context.new_page()
    other.goto("/record")
    page.wait_for_url("**/attempts/*", timeout=15_000)
    [attempt] = arrived(site)
    assert page.url.endswith(attempt.id)
    other.close()


def test_what_the_server_refuses_is_kept_and_said(page: Any, site: Site) -> None:
    kept = site.store.keep_task("Soon gone", {"module": "paragraph_reading", "grade": 7, "reference": "The dog ran."})
    page.goto(f"/record/{kept.id}")
    record(page)
    site.store.delete_task(kept.id)
    press(page, "Send")
    state(page, "refused")
    told = page.locator('[data-problem="refused"]')
    assert told.is_visible()
    assert "no such task" in told.inner_text()
    assert axe_both(page) == []
    page.goto("/record")
    item = page.locator("#queue li")
    item.wait_for()
    assert "The server did not take it: no such task" in item.inner_text()
    assert site.store.attempts() == []


def test_recording_again_throws_the_first_away(page: Any, site: Site) -> None:
    page.goto("/record/sonnet")
    record(page)
    press(page, "Record again")
    state(page, "recording")
    page.wait_for_timeout(700)
    press(page, "Stop")
    state(page, "recorded")
    press(page, "Send")
    page.wait_for_url("**/attempts/*")
    arrived(site)
    page.goto("/record")
    page.wait_for_timeout(400)
    assert page.locator("#queue").is_hidden()


def test_by_keyboard_alone(page: Any, site: Site) -> None:
    page.goto("/record")

    def tab_to(name: str, kind: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("[document.activeElement.textContent.trim(), document.activeElement.tagName]") == [
                name,
                kind,
            ]:
                return
        raise AssertionError(f"{name} is not reached by Tab")

    tab_to("A poem: Who has seen the wind?", "A")
    page.keyboard.press("Enter")
    page.wait_for_url("**/record/wind")
    tab_to("Record", "BUTTON")
    page.keyboard.press("Enter")
    state(page, "recording")
    focused = "document.activeElement.textContent.trim()"
    assert page.evaluate(focused) == "Stop", "the focus goes on to the next thing to do"
    page.wait_for_timeout(1300)
    page.keyboard.press("Space")
    state(page, "recorded")
    assert page.evaluate(focused) == "Send"
    page.keyboard.press("Enter")
    page.wait_for_url("**/attempts/*")
    arrived(site)


def test_a_browser_that_cannot_record(page: Any, site: Site) -> None:
    page.add_init_script("delete globalThis.MediaRecorder")
    page.goto("/record/sonnet")
    page.locator('[data-problem="unsupported"]').wait_for()


def test_a_file_is_dropped_on_the_form(page: Any, site: Site) -> None:
    page.goto("/record/sonnet")
    place = page.locator("form[data-drop]")
    data = page.evaluate_handle(
        "() => { const data = new DataTransfer(); data.items.add(new File(['no sound'], 'letter.txt')); return data; }"
    )
    place.dispatch_event("dragover", {"dataTransfer": data})
    place.dispatch_event("drop", {"dataTransfer": data})
    assert page.evaluate("document.querySelector('#recording').files[0].name") == "letter.txt"
    page.get_by_role("button", name="Send the file").click()
    page.get_by_text("audio_unreadable").wait_for()
    assert axe_both(page) == []


def test_the_progress_page_follows_the_scoring(page: Any, site: Site, held: tuple[Site, Scoring]) -> None:
    attempt = site.store.attempt(send(site, SONNET.read_bytes())[1]["attempt"]["id"])
    page.goto(f"/attempts/{attempt.id}")
    page.get_by_text("Hearing the words").wait_for()
    assert page.locator("progress").get_attribute("value") == "30"
    error = {"code": "too_quiet", "where": "w", "found": "whispering", "allowed": "a voice", "remedy": "speak up"}
    held[1].go.set()
    try:
        page.wait_for_url(f"**/cards/{attempt.id}", timeout=15_000)
    finally:
        held[1].go.clear()
    site.store.fail(attempt.id, error)
    page.goto(f"/attempts/{attempt.id}")
    assert "whispering" in page.locator("main").inner_text()
    assert axe_both(page) == []
    narrow(page)
    page.get_by_role("button", name="Score it again").click()
    page.get_by_text("Your card is being made").wait_for()
    page.get_by_role("link", name="Delete the recording").click()
    assert axe_both(page) == []
    page.get_by_role("button", name="Delete for good").click()
    page.wait_for_url("**/cards?deleted=1")
    assert site.store.attempts() == []
