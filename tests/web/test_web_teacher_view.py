"""The teacher's view: what waits, what the judges said, what is hidden until one has judged; errors; every size."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from teacher_samples import HOSTILE, by_person, keep, local, report, sampled, silent
from web_tools import Site, axe_both, running

SIZES = (1280, 820, 390, 320)


@pytest.fixture(scope="module")
def cards(site: Site, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Cards by name, oldest first."""
    folder = tmp_path_factory.mktemp("cards")
    older = report("story_building")
    older["rubric"] = {**older["rubric"], "digest": "0" * 64}
    made = {
        "settled": report("poem_recitation", [by_person("pronunciation", 80), by_person("fluency", 92)]),
        "silent": silent(),
        "older": older,
        "local": report("poem_recitation", [local(), by_person("fluency", 92)]),
        "sampled": report("audio_postcard", [sampled((60, 75, 75)), by_person("fluency", 85)]),
        "steady": report("audio_postcard", [sampled((70, 75, 80))]),
    }
    return {name: keep(site.store, folder, found, made_by=f"{HOSTILE} {name}").id for name, found in made.items()}


def ask(
    site: Site, method: str, path: str, fields: Mapping[str, str] | None = None, body: bytes | None = None, **more: str
) -> tuple[int, Mapping[str, str], str]:
    """Status, headers and body of a raw request."""
    headers = {"Content-Type": "application/x-www-form-urlencoded"} | {k.replace("_", "-"): v for k, v in more.items()}
    sent = urlencode(fields).encode() if fields is not None else body
    with closing(http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=30)) as connection:
        connection.request(method, path, body=sent, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read().decode("utf-8", "replace")


def test_the_queue_lists_what_waits_newest_first(
    page: Any, cards: dict[str, str], picture: Callable[[Any, str], Path]
) -> None:
    page.goto("/teacher")
    links = page.locator(".queue h2 a").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    wanted = [f"/cards/{cards[name]}/teacher" for name in ("steady", "sampled", "local", "older")]
    assert links == wanted
    assert page.locator("nav a[aria-current=page]").inner_text() == "To mark"
    one = page.locator(".queue > li").filter(has_text="local")
    assert one.get_by_role("link", name="Mark Pronunciation & Articulation").count() == 1
    assert one.get_by_role("link", name="Mark Fluency & Fillers").count() == 0
    old = page.locator(".queue > li").filter(has_text="older")
    assert "another edition" in old.inner_text()
    assert old.get_by_role("link", name="Mark").count() == 0
    picture(page, "queue")
    assert axe_both(page) == []


def test_an_empty_queue_says_so(browser: Any, tmp_path: Path) -> None:
    with running(tmp_path / "folder") as empty, browser.new_context(base_url=empty.url) as context:
        page = context.new_page()
        page.goto("/teacher")
        assert "Nothing waits for you." in page.locator("main").inner_text()
        assert axe_both(page) == []


def test_a_machines_score_is_hidden_from_who_judges_blind(
    page: Any, cards: dict[str, str], picture: Callable[[Any, str], Path]
) -> None:
    """71, the local judge's score, and the overall that holds it, are not seen until they are asked for."""
    for path, opening in (
        (f"/cards/{cards['local']}/teacher", "Show what the machine said of Pronunciation"),
        (f"/cards/{cards['local']}/teacher/pronunciation", "Show what the machine said"),
    ):
        page.goto(path)
        main = page.locator("main")
        assert "71" not in main.inner_text()
        assert "hard to make out" not in main.inner_text()
        page.locator("summary", has_text=opening).first.click()
        shown = page.locator(".machine").first
        assert "71, Adequate" in shown.inner_text()
        assert "between 55 and 85, in 8 of 10" in shown.inner_text()
        assert "“harbour” was hard to make out" in shown.inner_text()
        assert "before pulls one’s own judgement" in main.inner_text()
        assert axe_both(page) == []
    picture(page, "machine-local")


def test_every_reply_is_shown_as_received(
    page: Any, cards: dict[str, str], picture: Callable[[Any, str], Path]
) -> None:
    page.goto(f"/cards/{cards['sampled']}/teacher")
    page.locator("#m-pronunciation summary").first.click()
    replies = page.locator("#m-pronunciation .replies > li")
    assert replies.count() == 4
    first = replies.first.inner_text()
    for part in ("Refused", "gpt-audio-1", "30 Nov 2026", "1.25 s", "json_invalid", "ask afresh", "0.002"):
        assert part in first
    assert replies.first.locator("pre").inner_text() == HOSTILE
    assert replies.locator(".yes").count() == 3
    said = page.locator("#m-pronunciation .machine").inner_text()
    # 75 - 60 = 15 points, over the limit of 10 (chosen, judging.asking.spread_limit).
    assert "3 judgements: 60, 75, 75. They lie 15 points apart, over the limit of 10." in said
    assert page.locator("#m-pronunciation .dot").count() == 2
    # 60 and 75 on a scale that ends at 95.
    places = page.locator("#m-pronunciation .dot").evaluate_all("all => all.map(one => one.getAttribute('cx'))")
    assert [float(place.rstrip("%")) for place in places] == pytest.approx([60 / 95 * 100, 75 / 95 * 100], abs=0.001)
    assert page.title() != "owned"
    assert page.locator("main b").count() == 0
    picture(page, "replies")
    assert axe_both(page) == []
    page.goto(f"/cards/{cards['steady']}/teacher")
    page.locator("#m-pronunciation summary").first.click()
    assert "10 points apart, within the limit of 10" in page.locator("#m-pronunciation .machine").inner_text()


def test_a_phrase_can_be_heard_and_stops_at_its_end(page: Any, site: Site, tmp_path: Path) -> None:
    """A pause of 0.7 s parts two phrases; the second begins at 0.9 s in a recording of three seconds."""
    found = report("poem_recitation", said="Dear Grandma I am")
    for word, start in zip(found["transcript"]["words"], (0.0, 0.1, 0.9, 1.0), strict=True):
        word["start_s"], word["end_s"] = start, start + 0.1
    found["pauses"] = [{"start_s": 0.2, "end_s": 0.9, "kind": "phrase"}]
    attempt = keep(site.store, tmp_path, found)
    page.goto(f"/cards/{attempt.id}/teacher/pronunciation")
    buttons = page.locator(".asked .hear")
    assert buttons.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))") == [
        "Hear from 0:00",
        "Hear from 0:00.9",
    ]
    assert page.locator(".asked .text").last.inner_text().split() == ["▸", "Dear", "Grandma", "▸", "I", "am"]
    buttons.last.click()
    sound = page.locator("audio")
    for _ in range(100):
        page.wait_for_timeout(50)
        if sound.evaluate("one => one.paused && one.currentTime > 1"):
            break
    # Browsers tell the time about four times a second.
    assert 1.1 <= sound.evaluate("one => one.paused ? one.currentTime : 0") < 1.6
    site.store.delete(attempt.id)


def test_cards_that_cannot_be_marked_say_why(page: Any, cards: dict[str, str]) -> None:
    page.goto(f"/cards/{cards['silent']}/teacher")
    assert "There is nothing to judge." in page.locator("main").inner_text()
    assert page.get_by_role("link", name="Replace").count() == 0
    assert axe_both(page) == []
    page.goto(f"/cards/{cards['silent']}/teacher/fluency")
    assert "There is nothing to judge." in page.locator("main").inner_text()
    assert page.locator("form").count() == 0
    page.goto(f"/cards/{cards['older']}/teacher")
    assert "rubric_changed" in page.locator("main").inner_text()
    assert page.locator("main").get_by_role("link", name="Mark").count() == 0
    assert axe_both(page) == []


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/cards/0/teacher", 404, "attempt_unknown"),
        ("/cards/{settled}/teacher/charm", 404, "marker_unknown"),
        ("/cards/{older}/teacher/task_adherence", 422, "rubric_changed"),
        ("/cards/../teacher/x", 404, "attempt_unknown"),
    ],
)
def test_addresses_that_lead_nowhere(site: Site, cards: dict[str, str], path: str, status: int, code: str) -> None:
    found, _, body = ask(site, "GET", path.format(**cards), Accept="application/json")
    assert (found, json.loads(body)["error"]["code"]) == (status, code)


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        (b"", "multipart/form-data; boundary=x", "form_refused"),
        (b"{}", "application/json", "form_refused"),
        (b"/score=%ff%fe", "application/x-www-form-urlencoded", "form_refused"),
        (b"&".join(b"a%d=1" % n for n in range(500)), "application/x-www-form-urlencoded", "form_refused"),
        (b"a=" + b"x" * 300_000, "application/x-www-form-urlencoded", "form_refused"),
        (b"way=score&/score_alone=70&/why=x", "application/x-www-form-urlencoded", "judge_unnamed"),
        (b"way=score&/score_alone=7e1&/why=x&/by=A", "application/x-www-form-urlencoded", "value_type"),
        ("way=score&/score_alone=٧٠&/why=x&/by=A".encode(), "application/x-www-form-urlencoded", "form_refused"),
        (b"way=score&/score_alone=-1&/why=x&/by=A", "application/x-www-form-urlencoded", "value_range"),
        (b"way=score&/score_alone=70&/why=%00+&/by=A", "application/x-www-form-urlencoded", "reason_missing"),
        (b"way=score&/score_alone=70&/why=%E2%80%8B&/by=A", "application/x-www-form-urlencoded", "reason_missing"),
        (b"way=score&/score_alone=70&/why=x&/by=%E2%80%AE", "application/x-www-form-urlencoded", "judge_unnamed"),
        (b"way=score&/score_alone=70&/why=x&/by=A", "application/x-www-form-urlencoded", "report_changed"),
        (b"way=score&/score_alone=70&/why=x&/by=A&made_from=0", "application/x-www-form-urlencoded", "report_changed"),
        (b"way=sheet&/by=A", "application/x-www-form-urlencoded", "value_type"),
        (b"", "application/x-www-form-urlencoded", "value_type"),
    ],
)
def test_hostile_forms_are_refused_and_change_nothing(
    site: Site, cards: dict[str, str], body: bytes, kind: str, code: str
) -> None:
    before = site.store.report(cards["settled"])
    path = f"/cards/{cards['settled']}/teacher/fluency"
    status, _, text = ask(site, "POST", path, body=body, Content_Type=kind, Accept="application/json")
    assert json.loads(text)["error"]["code"] == code
    assert status == (409 if code == "report_changed" else 422)
    assert site.store.report(cards["settled"]) == before


def test_a_card_that_is_scored_again_cannot_be_marked_meanwhile(site: Site, tmp_path: Path) -> None:
    attempt = keep(site.store, tmp_path, report("story_building"))
    site.store.again(attempt.id)
    for method in ("GET", "POST"):
        path = f"/cards/{attempt.id}/teacher/task_adherence"
        status, _, text = ask(site, method, path, {} if method == "POST" else None, Accept="application/json")
        assert (status, json.loads(text)["error"]["code"]) == (422, "report_missing")
    site.store.delete(attempt.id)


def test_damaged_reports_are_told_not_thrown(site: Site, tmp_path: Path) -> None:
    """A report that was edited, or that another version wrote, is listed with the reason, and opens as an error."""
    broken = report("story_building")
    attempt = keep(site.store, tmp_path, broken, made_by="Broken")
    del broken["markers"]["fluency"]["needs_person"]
    site.store.keep_report(attempt.id, broken)
    status, _, text = ask(site, "GET", "/teacher")
    assert status == 200
    assert "This report cannot be read." in text
    status, _, text = ask(site, "GET", f"/cards/{attempt.id}/teacher", Accept="application/json")
    assert (status, json.loads(text)["error"]["code"]) == (422, "report_unreadable")
    for odd in ({}, {**broken, "schema": "vivavoce-report-1"}, {**broken, "markers": None}, {**broken, "rubric": []}):
        site.store.keep_report(attempt.id, odd)
        status, _, text = ask(site, "GET", "/teacher")
        assert status == 200
        assert "This report cannot be read." in text
        for path in ("teacher/fluency", "card.pdf"):
            status, _, text = ask(site, "GET", f"/cards/{attempt.id}/{path}", Accept="application/json")
            assert (status, json.loads(text)["error"]["code"]) == (422, "report_unreadable"), (path, str(odd)[:40])
    (site.store.folder / "attempts" / attempt.id / "report.json").write_bytes(b"{")
    assert ask(site, "GET", "/teacher")[0] == 200
    site.store.delete(attempt.id)


def test_of_two_forms_sent_at_once_one_is_kept(site: Site, tmp_path: Path) -> None:
    attempt = keep(site.store, tmp_path, report("story_building"))
    path = f"/cards/{attempt.id}/teacher/task_adherence"
    made_from = ask(site, "GET", path)[2].split('name="made_from" value="')[1].split('"')[0]

    def send(by: str) -> int:
        return ask(site, "POST", path, {"/story": "70", "/reason": "So.", "/by": by, "made_from": made_from})[0]

    with ThreadPoolExecutor(4) as people:
        statuses = sorted(people.map(send, ("Ada", "Ben", "Cai", "Dev")))
    assert statuses == [303, 409, 409, 409]
    kept = site.store.report(attempt.id)
    assert kept is not None
    assert kept["markers"]["task_adherence"]["history"] == []
    site.store.delete(attempt.id)


def test_pages_are_not_kept_and_the_cookie_is_this_sites_own(site: Site, cards: dict[str, str], tmp_path: Path) -> None:
    attempt = keep(site.store, tmp_path, report("story_building"))
    path = f"/cards/{attempt.id}/teacher/task_adherence"
    _, headers, text = ask(site, "GET", path)
    assert headers["cache-control"] == "no-store"
    made_from = text.split('name="made_from" value="')[1].split('"')[0]
    fields = {"/story": "70", "/reason": "So.", "/by": "A;Path=/;\r\nX: y", "made_from": made_from}
    status, headers, _ = ask(site, "POST", path, fields)
    assert status == 303
    cookie = headers["set-cookie"]
    assert cookie.startswith("vivavoce_by=A%3BPath")
    assert "x" not in {name.lower() for name in headers}
    for part in ("HttpOnly", "Path=/cards", "SameSite=strict"):
        assert part in cookie
    site.store.delete(attempt.id)


@pytest.mark.parametrize("width", SIZES)
def test_no_page_scrolls_sideways(page: Any, cards: dict[str, str], width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for path in (
        "/teacher",
        f"/cards/{cards['sampled']}/teacher",
        f"/cards/{cards['sampled']}/teacher/pronunciation",
        f"/cards/{cards['steady']}/teacher/fluency",
        f"/cards/{cards['steady']}/teacher/task_adherence",
    ):
        page.goto(path)
        for summary in page.locator("summary").all():
            summary.click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    if width == 320:
        assert axe_both(page) == []


def test_the_recording_stays_and_covers_no_focus(page: Any, cards: dict[str, str]) -> None:
    """WCAG 2.4.11: on a phone the player stays at the top, and going back by keyboard stops below it."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/cards/{cards['steady']}/teacher/fluency")
    page.locator('[name="/by"]').first.focus()
    for _ in range(7):
        page.keyboard.press("Shift+Tab")
        player, focus = page.evaluate(
            "[document.querySelector('.listen'), document.activeElement].map(one => one.getBoundingClientRect())"
            ".map(box => [box.top, box.bottom])"
        )
        assert player[0] >= 0
        assert focus[0] >= player[1]
    assert page.evaluate("document.activeElement.name") == "/counts/false_starts"


def test_controls_are_large_enough_to_hit(page: Any, cards: dict[str, str]) -> None:
    """24 px at least (WCAG 2.5.8); a radio is hit by its whole label."""
    page.goto(f"/cards/{cards['steady']}/teacher/task_adherence")
    for box in page.locator(".option, button, input[type=text], textarea, .button, summary").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
    ):
        assert min(box) >= 24


def test_the_view_prints_without_its_controls(page: Any, cards: dict[str, str]) -> None:
    page.goto(f"/cards/{cards['settled']}/teacher")
    page.emulate_media(media="print")
    assert not page.locator(".listen").is_visible()
    assert not page.get_by_role("link", name="Replace").first.is_visible()
    assert page.locator("#m-fluency").is_visible()


def test_numbers_are_written_in_the_readers_way(browser: Any, site: Site, cards: dict[str, str]) -> None:
    with browser.new_context(base_url=site.url, locale="de-DE") as context:
        page = context.new_page()
        page.goto(f"/cards/{cards['steady']}/teacher/fluency")
        # Middle, open task: sub-weights .45 .25 .30 (published).
        assert "smoothness 0,45, filler control 0,25, recovery 0,3" in page.locator("#f-levels-hint").inner_text()


def test_the_pdf_is_sent_as_one(site: Site, cards: dict[str, str]) -> None:
    with closing(http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=30)) as connection:
        connection.request("GET", f"/cards/{cards['settled']}/card.pdf")
        answer = connection.getresponse()
        body = answer.read()
    assert answer.status == 200
    assert answer.getheader("content-type") == "application/pdf"
    assert answer.getheader("cache-control") == "no-store"
    assert body.startswith(b"%PDF-1.7")
