"""The list of cards, attempts side by side, the recording in parts, exports, deleting, hostile addresses."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from card_attempts import put, sample
from web_tools import Site, axe_both, running

from vivavoce.report.page import page_html
from vivavoce.web.cards.compare import MOST_IN_CHART


def ask(site: Site, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers (lower case) and body of a raw request; header names with underscores for dashes."""
    with closing(http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=30)) as connection:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


@pytest.fixture(scope="module")
def ids(site: Site) -> dict[str, str]:
    """Three attempts at one task, the last changed by hand, and others."""
    first, second, third = sample("full"), sample("full"), sample("full")
    first["overall"]["score"], first["overall"]["tier"] = 71, {"id": "adequate", "label": "Adequate"}
    second["overall"]["score"], second["overall"]["tier"] = 80, {"id": "good", "label": "Good"}
    second["measurements"]["words_per_minute"]["value"] = 101.7
    second["markers"]["fluency"]["score"] = 60
    third["overall"]["score"], third["overall"]["tier"] = 78, {"id": "good", "label": "Good"}
    third["measurements"]["words_per_minute"]["value"] = 98.1
    third["markers"]["fluency"]["score"] = 60
    made = {}
    for name, report in {"first": first, "second": second, "third": third}.items():
        made[name] = put(site.store, report, by=name.title()).id
    made["pending"] = put(site.store, sample("pending"), task="wind").id
    made["silent"] = put(site.store, sample("no_speech"), task="snails").id
    made["working"] = put(site.store, None, task="wind").id
    site.store.tell(made["working"], stage="Listening", progress=0.5)
    made["failed"] = put(site.store, None, task="cats").id
    fault = {"code": "audio_unreadable", "where": "r", "found": "a text file", "allowed": "a", "remedy": "b"}
    site.store.fail(made["failed"], fault)
    return made


def test_an_empty_list_leads_to_the_recorder(tmp_path: Path) -> None:
    with running(tmp_path) as empty:
        status, _, body = ask(empty, "/cards")
        assert status == 200
        assert b"No cards yet" in body
        assert b'href="/record"' in body
        assert ask(empty, "/cards?task=x&page=-1")[0] == 200


def test_the_list_has_every_attempt_newest_first_with_its_state(page: Any, ids: dict[str, str]) -> None:
    page.goto("/cards")
    lines = page.locator(".cardline")
    order = [one.get_attribute("id") for one in lines.all()]
    assert order == [f"a-{ids[name]}" for name in reversed(ids)]
    states = {
        "third": "78",
        "pending": "Pending",
        "silent": "Not scored",
        "working": "Listening",
        "failed": "Could not be scored",
    }
    for name, word in states.items():
        assert word in page.locator(f"#a-{ids[name]} .linescore").text_content()
    assert "A text file." in page.locator(f"#a-{ids['failed']}").text_content()
    assert page.locator(f"#a-{ids['working']} progress").get_attribute("value") == "0.5"
    assert axe_both(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_list_follows_an_attempt_that_is_being_scored(page: Any, site: Site, ids: dict[str, str]) -> None:
    page.goto("/cards")
    site.store.tell(ids["working"], stage="Measuring", progress=0.8)
    page.locator(f"#a-{ids['working']}", has_text="Measuring").wait_for()
    assert page.locator("#main").count() == 1
    assert page.locator("#cardlist").count() == 1


def test_the_list_shows_one_task_by_keyboard(page: Any, ids: dict[str, str]) -> None:
    page.goto("/cards")
    page.get_by_label("Task").select_option(label="A paragraph: The lighthouse (3)")
    page.get_by_role("button", name="Show").press("Enter")
    page.wait_for_url("**task=lighthouse*")
    assert page.locator(".cardline").count() == 3
    page.get_by_role("link", name="Side by side").press("Enter")
    page.wait_for_url("**/cards/compare?task=lighthouse")


def test_hundreds_of_attempts_come_in_pages(tmp_path: Path) -> None:
    with running(tmp_path) as many:
        for count in range(65):
            put(many.store, None, by=f"n{count}")
        newest, oldest = ask(many, "/cards")[2], ask(many, "/cards?page=3")[2]
        assert newest.count(b'class="cardline') == 30
        assert b">n64<" in newest
        assert oldest.count(b'class="cardline') == 5
        assert b">n0<" in oldest
        assert b"Page 3 of 3" in oldest
        for odd in ("0", "-1", "99", "x", "9" * 400, "%00", "3.5"):
            assert ask(many, f"/cards?page={odd}")[0] == 200


def cells(page: Any, row: str) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(f"tr.r-{row} td").all_text_contents()]


def test_attempts_side_by_side_tell_the_differences(
    page: Any, ids: dict[str, str], picture: Callable[[Any, str], Path]
) -> None:
    """By hand: 78 - 80 = -2; 80 - 71 = 9; 98.1 - 101.7 = -3.6; 60 - 60 = 0; the first pace is 193.4."""
    page.goto("/cards/compare?task=lighthouse")
    overall = cells(page, "overall")
    assert [text.split()[0] for text in overall] == ["78", "80", "71"]
    assert "▼ 2 less" in overall[0]
    assert "▲ 9 more" in overall[1]
    assert "more" not in overall[2]
    assert "less" not in overall[2]
    assert cells(page, "fluency")[0].endswith("= the same")
    pace = cells(page, "words_per_minute")
    assert pace == ["98.1 words/min ▼ 3.6 words/min less", "101.7 words/min ▼ 91.7 words/min less", "193.4 words/min"]
    heads = page.locator("table.sides").first.locator("thead th").all_text_contents()
    assert [name in head for name, head in zip(("Third", "Second", "First"), heads[1:], strict=True)] == [True] * 3
    chart = page.get_by_role("img", name="Overall, oldest first: 71, 80, 78")
    assert chart.is_visible()
    assert axe_both(page) == []
    picture(page, "compare")
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_which_attempts_stand_side_by_side_can_be_chosen(page: Any, ids: dict[str, str]) -> None:
    page.goto(f"/cards/compare?task=lighthouse&attempt={ids['third']}&attempt={ids['first']}")
    overall = cells(page, "overall")
    assert [text.split()[0] for text in overall] == ["78", "71"]
    assert "▲ 7 more" in overall[0]


def test_one_persons_attempts_stay_apart_from_anothers(page: Any, site: Site) -> None:
    """Two by Ada and one by Ben at one task: from Ada's card there are her two."""
    made = [put(site.store, sample("twister"), task="lantern", by=by) for by in ("Ada", "Ben", "Ada")]
    page.goto(f"/cards/{made[2].id}")
    page.get_by_role("link", name="side by side").click()
    assert page.locator("table.sides").first.locator("thead th").count() == 3
    assert "Ben" not in page.locator("main").text_content()
    page.get_by_role("link", name="Show everyone's").click()
    assert page.locator("table.sides").first.locator("thead th").count() == 4
    page.goto(f"/cards/{made[1].id}")
    assert page.get_by_role("link", name="side by side").count() == 0
    for one in made:
        site.store.delete(one.id)


def test_one_attempt_has_nothing_to_compare(site: Site, ids: dict[str, str]) -> None:
    status, _, body = ask(site, "/cards/compare?task=snails")
    assert status == 200
    assert b"nothing to compare yet" in body
    status, _, body = ask(site, "/cards/compare?task=nothing", Accept="application/json")
    assert (status, json.loads(body)["error"]["code"]) == (404, "task_unknown")


def test_the_recording_is_sent_in_parts(site: Site, ids: dict[str, str]) -> None:
    path = f"/cards/{ids['first']}/recording"
    whole = site.store.recording(ids["first"]).read_bytes()
    status, headers, body = ask(site, path)
    assert (status, body) == (200, whole)
    assert headers["content-type"] == "audio/wav"
    assert headers["content-disposition"] == "inline"
    assert headers["cache-control"] == "no-store"
    assert headers["accept-ranges"] == "bytes"
    status, headers, body = ask(site, path, Range="bytes=1000-1999")
    assert (status, body) == (206, whole[1000:2000])
    assert headers["content-range"] == f"bytes 1000-1999/{len(whole)}"
    assert ask(site, path, Range="bytes=-10")[2] == whole[-10:]
    assert ask(site, path, Range=f"bytes=5-{'9' * 18}")[2] == whole[5:]
    for beyond in (f"bytes={len(whole)}-", "bytes=-0", "bytes=5-2"):
        assert ask(site, path, Range=beyond)[::2] == (416, b"")
    for none in ("bytes=a-b", "bytes=-", "bytes=0-1,3-4", "items=0-1", f"bytes=0-{'9' * 400}", "bytes=٣-٤".encode()):
        assert ask(site, path, Range=none)[::2] == (200, whole), "what is no part is answered by the whole"
    assert ask(site, path, "HEAD")[1]["content-length"] == str(len(whole))
    # Before there is a report, the first bytes say what it is.
    assert ask(site, f"/cards/{ids['working']}/recording")[1]["content-type"] == "audio/wav"


def test_a_recording_is_deleted_while_it_plays(site: Site, capfd: pytest.CaptureFixture[str]) -> None:
    made = put(site.store, None, task="bread")
    # More than the system takes from the server at once.
    site.store.recording(made.id).write_bytes(b"RIFF" + bytes(20_000_000))
    with closing(http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=30)) as connection:
        connection.request("GET", f"/cards/{made.id}/recording")
        answer = connection.getresponse()
        assert answer.read(4) == b"RIFF"
        assert ask(site, f"/cards/{made.id}/delete", "POST")[0] == 303
        assert len(answer.read()) == 20_000_000
    assert ask(site, f"/cards/{made.id}/recording")[0] == 404
    assert "Traceback" not in "".join(capfd.readouterr())


def test_exports_are_the_report_and_the_page_of_the_command_line(site: Site, ids: dict[str, str]) -> None:
    report = site.store.report(ids["first"])
    assert report is not None
    assert json.loads(ask(site, f"/cards/{ids['first']}/report.json")[2]) == report
    assert ask(site, f"/cards/{ids['first']}/card.html", Accept_Language="de")[2].decode() == page_html(report)
    status, _, body = ask(site, f"/cards/{ids['working']}/report.json", Accept="application/json")
    assert (status, json.loads(body)["error"]["code"]) == (422, "report_missing")


def test_deleting_asks_first_and_leaves_nothing(page: Any, site: Site) -> None:
    made = put(site.store, sample("twister"), task="bread", by="Ida")
    folder = site.store.recording(made.id).parent
    page.goto(f"/cards/{made.id}")
    page.get_by_role("link", name="Delete").press("Enter")
    page.get_by_role("heading", name="Delete this attempt?").wait_for()
    assert axe_both(page) == []
    assert folder.is_dir()
    page.get_by_role("button", name="Delete for good").press("Enter")
    page.get_by_text("The attempt was deleted.").wait_for()
    assert not folder.exists()
    assert "Ida" not in page.locator("main").text_content()
    for part in ("", "/recording", "/report.json", "/card.html", "/delete"):
        assert ask(site, f"/cards/{made.id}{part}")[0] == 404
    assert ask(site, f"/cards/{made.id}/delete", "POST")[0] == 404


def test_a_report_that_is_none_is_told_and_no_fault(site: Site) -> None:
    made = put(site.store, {**sample("full"), "schema": "vivavoce-report-1"})
    status, _, body = ask(site, f"/cards/{made.id}", Accept="application/json")
    assert (status, json.loads(body)["error"]["code"]) == (422, "report_unreadable")
    site.store.delete(made.id)


def test_a_report_that_cannot_be_read_spoils_no_other_page(
    page: Any, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is said where it is shown, the recording can be heard and scored again, all other cards are there."""
    monkeypatch.setattr(site.worker, "take", lambda _: None)
    made = put(site.store, sample("full"), task="lantern", by="Odd")
    other = put(site.store, sample("full"), task="lantern", by="Fine")
    file = site.store.folder / "attempts" / made.id / "report.json"
    whole = json.loads(file.read_bytes())
    broken = [b"{", json.dumps({**whole, "schema": "vivavoce-report-1"}).encode()]
    broken += [json.dumps({**whole, part: None}).encode() for part in ("overall", "markers", "tiers", "recording")]
    for text in broken:
        file.write_bytes(text)
        for path in ("/cards?task=lantern", "/cards/compare?task=lantern", "/record"):
            assert ask(site, path)[0] in (200, 422), path
        listed = ask(site, "/cards?task=lantern")[2].decode()
        assert listed.count('class="cardline') == 2
        assert ask(site, f"/cards/{made.id}/recording", Range="bytes=0-3")[::2] == (206, b"RIFF")
        for part in ("", "/report.json", "/card.html"):
            assert ask(site, f"/cards/{made.id}{part}")[0] in (200, 422), (text[:20], part)
    file.write_bytes(b"{")
    assert ask(site, f"/cards/{other.id}")[0] == 200
    assert b"The card cannot be read" in ask(site, "/cards?task=lantern")[2]
    assert b"1 more attempt has no card." in ask(site, "/cards/compare?task=lantern")[2]
    page.goto(f"/cards/{made.id}")
    assert axe_both(page) == []
    again = page.get_by_role("button", name="Score it again")
    again.wait_for()
    file.unlink()
    page.reload()
    page.get_by_text("taken away").wait_for()
    again.click()
    page.wait_for_url(f"**/attempts/{made.id}")
    assert site.store.attempt(made.id).state != "done"
    assert ask(site, f"/attempts/{other.id}/again", "POST")[0] == 303
    assert site.store.attempt(other.id).state == "done", "a card that can be read stays as it is"
    for one in (made, other):
        site.store.delete(one.id)


def test_a_card_of_another_edition_can_be_scored_again(page: Any, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site.worker, "take", lambda _: None)
    report = sample("full")
    report["rubric"]["digest"] = "0" * 64
    made = put(site.store, report, task="lantern")
    page.goto(f"/cards/{made.id}")
    page.get_by_text("Another edition of the rubric").wait_for()
    assert axe_both(page) == []
    page.get_by_role("button", name="Score it again").click()
    page.wait_for_url(f"**/attempts/{made.id}")
    assert site.store.attempt(made.id).state == "waiting"
    site.store.delete(made.id)


def test_many_attempts_are_compared_without_reading_them_all(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    report = sample("full")
    made = [put(site.store, report, task="questions").id for _ in range(MOST_IN_CHART + 3)]
    read = []
    real = site.store.report
    monkeypatch.setattr(site.store, "report", lambda name: read.append(name) or real(name))
    body = ask(site, f"/cards/compare?task=questions&attempt={made[0]}&attempt={made[-1]}")[2].decode()
    assert len(read) == MOST_IN_CHART + 1
    assert body.count('scope="col"><a href') == 2 * 2, "the two that were asked for, in both tables"
    assert "2 older are not shown" in body
    for name in made:
        site.store.delete(name)


@pytest.mark.parametrize("name", ["0" * 32, "..%2f..%2fetc", "%00", "x" * 3000, "%f0%9f%98%80", "<script>"])
def test_strange_addresses_are_not_found(site: Site, name: str) -> None:
    for part in ("", "/recording", "/report.json", "/delete"):
        status, _, body = ask(site, f"/cards/{name}{part}")
        assert status == 404
        assert b"<script>" not in body
        assert b"Traceback" not in body
