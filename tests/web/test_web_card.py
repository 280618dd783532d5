"""The card in a browser: the report's numbers, its traces by keyboard, words that can be heard, every state."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from card_attempts import put, sample, shown, until
from web_tools import Site, axe_both

ALL = ("full", "pending", "twister", "no_speech", "postcard", "bare", "hostile")
FAULT = {
    "code": "audio_unreadable",
    "where": "recording",
    "found": "a text file",
    "allowed": "a recording",
    "remedy": "record it again",
}


@pytest.fixture(scope="module")
def ids(site: Site) -> dict[str, str]:
    """An attempt for every sample report and state."""
    made = {name: put(site.store, sample(name), by="Noor").id for name in ALL}
    made |= {state: put(site.store, None).id for state in ("waiting", "working", "failed")}
    site.store.tell(made["working"], stage="Hearing the words", progress=0.4)
    site.store.fail(made["failed"], FAULT)
    settings = {"autoGainControl": True, "noiseSuppression": None, "echoCancellation": False}
    made["settings"] = put(site.store, sample("full"), settings=settings).id
    return made


@pytest.fixture
def german(browser: Any, site: Site) -> Iterator[Any]:
    """A page for a reader with a decimal comma."""
    context = browser.new_context(base_url=site.url, locale="de")
    yield context.new_page()
    context.close()


def numbers_of(page: Any) -> list[tuple[str, str]]:
    """Value and text of every number that carries its value, the text without its unit."""
    found: list[tuple[str, str]] = page.eval_on_selector_all(
        "main data[value]", "all => all.map(one => [one.value, one.textContent])"
    )
    return found


def leaves(node: Any) -> list[Any]:
    return [node, *(one for operand in node["operands"] for one in leaves(operand))] if node else []


@pytest.mark.parametrize("point", [".", ","])
def test_every_number_is_the_reports_in_the_readers_way(
    page: Any, german: Any, ids: dict[str, str], point: str
) -> None:
    reader = page if point == "." else german
    for name in ("full", "postcard"):
        report = sample(name)
        reader.goto(f"/cards/{ids[name]}")
        numbers = numbers_of(reader)
        assert len(numbers) > 100
        for value, text in numbers:
            assert text.startswith(shown(float(value), point)), (value, text)
        values = [value for value, _ in numbers]
        wanted = [node["value"] for marker in report["markers"].values() for node in leaves(marker["trace"])]
        wanted += [found["value"] for found in report["measurements"].values() if found["value"] is not None]
        wanted += [report["overall"]["score"], *(marker["score"] for marker in report["markers"].values())]
        for value in wanted:
            assert str(value) in values
        told = reader.eval_on_selector_all("main code.expression", "all => all.map(one => one.textContent)")
        assert report["markers"]["speaking_rate"]["trace"]["expression"] in told
        pauses = [shown(pause["start_s"], point) + " s" for pause in report["pauses"]]
        table = reader.locator("table:has(th:text-is('From')) tbody tr td:nth-child(2)")
        assert table.all_text_contents() == pauses


def test_every_score_and_measurement_opens_its_trace_by_keyboard(page: Any, ids: dict[str, str]) -> None:
    report = sample("full")
    page.goto(f"/cards/{ids['full']}")
    for name, marker in report["markers"].items():
        summary = page.locator(f"#m-{name} > details.how > summary").first
        summary.focus()
        page.keyboard.press("Enter")
        root = page.locator(f"#m-{name} ul.root > li > details > summary")
        assert root.is_visible()
        assert marker["trace"]["expression"] in root.text_content()
    for name in report["measurements"]:
        summary = page.locator(f"#x-{name} > summary")
        summary.focus()
        page.keyboard.press("Space")
        body = page.locator(f"#x-{name} .measurebody")
        assert body.is_visible()
        uses = [
            node
            for marker in report["markers"].values()
            for node in leaves(marker["trace"])
            if any(operand["name"] == name for operand in node["operands"])
        ]
        text = body.text_content()
        assert all(node["expression"] in text for node in uses)
    pace = page.locator("#x-words_per_minute a.source").first
    assert pace.get_attribute("href").startswith("/rubric/row/speaking_rate.closed")


def test_counts_lead_to_the_trace_that_they_go_into(page: Any, ids: dict[str, str]) -> None:
    page.goto(f"/cards/{ids['full']}")
    for link, target in (
        ("How these counts become", "#t-task_adherence"),
        (": how it counts", "#b-choppy_breaks_per_minute"),
    ):
        assert not page.locator(target).is_visible()
        page.get_by_role("link", name=link).first.press("Enter")
        until(page, f"document.querySelector('{target}').checkVisibility()")


def test_what_was_done_well_and_what_to_try_come_before_the_scores(page: Any, site: Site) -> None:
    report = sample("full")
    report["markers"]["volume_control"]["feedback"] = told(["You were easy to hear.", "Keep it up."], "done_well")
    report["markers"]["speaking_rate"]["feedback"] = told(["It was uneven.", "Read with a friend."], "held_back")
    report["markers"]["fluency"]["feedback"] = told(["It flowed.", "Do so again."], "done_well")
    report["markers"]["pronunciation"]["feedback"] = told(["Sounds were soft.", "Say the ends."], "held_back")
    assert report["markers"]["speaking_rate"]["score"] < report["markers"]["pronunciation"]["score"]
    page.goto(f"/cards/{put(site.store, report).id}")
    heads = page.locator("main h2").all_text_contents()
    assert heads.index("What to know first") < heads.index("Overall")
    well, following = page.locator(".well").text_content(), page.locator(".next").text_content()
    assert "You were easy to hear." in well
    assert "It flowed." in well
    assert "It was uneven. Read with a friend." in " ".join(following.split())
    assert "Sounds were soft." not in following
    page.get_by_text("After that").click()
    assert page.get_by_text("Sounds were soft. Say the ends.").is_visible()
    assert page.get_by_text("Keep it up.").is_visible()


def told(sentences: list[str], kind: str) -> dict[str, Any]:
    return {
        "finding": "x.y",
        "kind": kind,
        "sentences": sentences,
        "by": "built_in",
        "source": "a/b",
        "reason": "",
    }


LISTEN = """() => {
  const sound = document.getElementById("sound");
  window.heard = {};
  window.marked = [];
  sound.addEventListener("play", () => { window.heard.from = sound.currentTime; }, {once: true});
  sound.addEventListener("pause", () => { window.heard.to = sound.currentTime; }, {once: true});
}"""
MARKED = """() => {
  const seen = (all) => all.forEach(({target}) => {
    if (target.classList.contains("now")) window.marked.push(target.textContent);
  });
  new MutationObserver(seen).observe(
    document.getElementById("spoken-text"), {subtree: true, attributes: true, attributeFilter: ["class"]});
}"""


def heard(page: Any) -> dict[str, float]:
    until(page, "window.heard.to !== undefined")
    found: dict[str, float] = page.evaluate("window.heard")
    return found


def test_a_word_is_played_from_its_start_to_its_end(page: Any, ids: dict[str, str]) -> None:
    words = {one["text"]: one for one in sample("full")["transcript"]["words"]}
    page.goto(f"/cards/{ids['full']}")
    page.wait_for_selector("body.plays")
    page.evaluate(MARKED)
    for word in ("settled", "acquaintance"):
        page.evaluate(LISTEN)
        page.locator(".say", has_text=re.compile(f"^{word}$")).first.click()
        found = heard(page)
        assert found["from"] == pytest.approx(words[word]["start_s"], abs=0.06)
        assert found["to"] == pytest.approx(words[word]["end_s"], abs=0.1)
        assert set(page.evaluate("window.marked")) == {word}
        assert page.locator(".say.now").count() == 0
    # Not reached in the reading: nothing to hear, and no button.
    assert page.locator(".say", has_text=re.compile("^constant$")).count() == 0
    assert "constant" not in words


def test_words_are_heard_by_keyboard_alone(page: Any, ids: dict[str, str]) -> None:
    """One stop for Tab; right, right, left and Enter is the second word."""
    words = sample("full")["transcript"]["words"]
    page.goto(f"/cards/{ids['full']}")
    page.wait_for_selector("body.plays")
    assert page.locator(".say[tabindex='0']").count() == 1
    page.evaluate(LISTEN)
    page.locator(".say[tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.textContent") == words[1]["text"]
    assert heard(page)["from"] == pytest.approx(words[1]["start_s"], abs=0.06)
    page.keyboard.press("End")
    assert page.locator(".say[tabindex='0']").count() == 1


def test_a_word_that_was_left_out_says_that_there_is_nothing_to_hear(page: Any, ids: dict[str, str]) -> None:
    page.goto(f"/cards/{ids['full']}")
    page.wait_for_selector("body.plays")
    page.locator("del.say").click(force=True)
    assert "“respectable” was not heard" in page.locator("#word-status").text_content()
    assert page.evaluate("document.getElementById('sound').paused")
    assert page.locator("del.say").get_attribute("aria-disabled") == "true"


def test_labels_are_in_words_not_in_colour_alone(page: Any, ids: dict[str, str]) -> None:
    page.goto(f"/cards/{ids['full']}")
    text = page.locator("#spoken-text .text").inner_text()
    for label in ("said “Northern”", "left out", "added", "not reached from here:"):
        assert label in text
    page.goto(f"/cards/{ids['postcard']}")
    for kind in ("Phrase pause", "Choppy break", "Hesitation"):
        assert page.locator("table.pauses th", has_text=kind).is_visible()


def test_fillers_have_a_sign_and_a_word(page: Any, site: Site) -> None:
    report = sample("postcard")
    word = report["transcript"]["words"][4]
    event = {"kind": "filled_pause", "words": [word["text"]], "editing": [], "repaired": [], "recovery_s": None}
    report["disfluencies"] = [event | {"start_s": word["start_s"], "end_s": word["end_s"]}]
    page.goto(f"/cards/{put(site.store, report).id}")
    mark = page.locator("#strip .slip")
    assert mark.locator("circle").count() == 1
    assert mark.locator("text").text_content() == word["text"]
    assert "filled pause" in page.locator("#spoken-text ruby.slipped rt").text_content()
    left = float(mark.locator("svg").first.get_attribute("x").rstrip("%"))
    assert left == pytest.approx(word["start_s"] / report["recording"]["duration_s"] * 100, abs=0.01)


def test_the_player_plays_seeks_and_slows_down_by_keyboard(page: Any, ids: dict[str, str]) -> None:
    page.goto(f"/cards/{ids['full']}")
    page.wait_for_selector("body.plays")
    page.locator("#seek").focus()
    page.keyboard.press("PageUp")
    until(page, "document.getElementById('sound').currentTime > 1")
    at = page.evaluate("document.getElementById('sound').currentTime")
    minutes, seconds = divmod(int(at), 60)
    assert page.locator("#clock").text_content() == f"{minutes}:{seconds:02d}"
    assert page.locator("#seek").get_attribute("aria-valuetext") == f"{minutes}:{seconds:02d}"
    page.get_by_label("0.75×").focus()
    page.keyboard.press("Space")
    assert page.evaluate("document.getElementById('sound').playbackRate") == 0.75
    page.get_by_role("button", name="Play").press("Enter")
    page.get_by_role("button", name="Pause").wait_for()
    until(page, f"document.getElementById('sound').currentTime > {at}")
    page.get_by_role("button", name="Pause").press("Space")
    assert page.evaluate("document.getElementById('sound').paused")
    page.get_by_label("Words").check()
    assert page.evaluate("document.getElementById('strip').clientWidth > 3000")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_click_on_the_waveform_seeks(page: Any, ids: dict[str, str]) -> None:
    page.goto(f"/cards/{ids['full']}")
    page.wait_for_selector("body.plays")
    page.locator("#wave").scroll_into_view_if_needed()
    box = page.locator("#wave").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    quarter = sample("full")["recording"]["duration_s"] / 4
    until(page, f"Math.abs(document.getElementById('sound').currentTime - {quarter}) < 0.2")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pending", ["Pending", "let a teacher or another person listen and score it", "teacher's view"]),
        ("no_speech", ["Not scored", "No speech in the recording", "check that the microphone is on"]),
        ("waiting", ["Waiting to be scored", "Watch it being scored"]),
        ("working", ["Being scored", "hearing the words"]),
        ("failed", ["Could not be scored", "A text file.", "Record it again.", "audio_unreadable"]),
        ("settings", ["kept automatic gain on", "did not say whether noise suppression was on"]),
        ("bare", ["Pending"]),
    ],
)
def test_every_state_is_told_in_words(site: Site, ids: dict[str, str], name: str, words: list[str]) -> None:
    with urllib.request.urlopen(f"{site.url}/cards/{ids[name]}") as answer:
        page = answer.read().decode().partition("<main")[2]
    text = html.unescape(re.sub(r"<[^>]*>", "", page))
    for word in words:
        assert word in text
    assert "echo cancellation" not in text


@pytest.mark.parametrize("name", ["full", "pending", "no_speech", "working", "failed"])
def test_cards_are_accessible_and_narrow(
    page: Any, ids: dict[str, str], name: str, picture: Callable[[Any, str], Path]
) -> None:
    page.goto(f"/cards/{ids[name]}")
    if name == "full":
        # One trace of each kind; all of them hold the time of the test up.
        opened = "#m-speaking_rate details, #x-level_db, section > details"
        page.evaluate(f"for (const one of document.querySelectorAll('{opened}')) one.open = true")
    assert axe_both(page) == []
    page.set_viewport_size({"width": 320, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.emulate_media(color_scheme="light")
    picture(page, f"{name}_320")


def test_no_student_is_asked_for_a_transcript(page: Any, site: Site) -> None:
    """The recogniser drops fillers on every card of these pages, and there is no place to give a transcript."""
    report = sample("full")
    advice = 'give a verbatim transcript and say so ("verbatim": true), or let a person listen'
    report["warnings"] = [{"code": "filler_counts_are_a_floor", "found": "the transcript is not", "remedy": advice}]
    page.goto(f"/cards/{put(site.store, report).id}")
    told = page.locator(".notices .warning").text_content()
    assert told.startswith("Good to know: The program often does not hear um and uh")
    assert "verbatim" not in told


def test_without_scripts_all_is_there(browser: Any, site: Site, ids: dict[str, str]) -> None:
    context = browser.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/cards/{ids['full']}")
    assert page.locator("audio[controls]").is_visible()
    assert page.locator(".rows svg.soundrow").first.is_visible()
    assert not page.locator("#player").is_visible()
    assert not page.locator(".hearhint").is_visible()
    report = sample("full")
    assert page.locator(".big").text_content() == str(report["overall"]["score"])
    assert "Dashwood" in page.locator("#spoken-text").text_content()
    page.locator("#m-volume_control > details.how > summary").first.press("Enter")
    assert page.locator("#m-volume_control ul.root").is_visible()
    context.close()


@pytest.mark.skipif(shutil.which("pdfinfo") is None, reason="pdfinfo counts the pages")
@pytest.mark.parametrize("name", ["full", "postcard"])
def test_a_card_prints_on_one_or_two_pages(page: Any, ids: dict[str, str], name: str, tmp_path: Path) -> None:
    page.goto(f"/cards/{ids[name]}")
    page.wait_for_selector("body.plays")
    for paper in ("A4", "Letter"):
        path = tmp_path / f"{paper}.pdf"
        page.pdf(path=path, format=paper, print_background=True)
        told = subprocess.run(["pdfinfo", path], capture_output=True, text=True, check=True).stdout
        assert int(re.search(r"Pages:\s+(\d+)", told)[1]) <= 2, paper  # type: ignore[index]


def test_a_walk_by_keyboard_reaches_everything_in_order(page: Any, ids: dict[str, str]) -> None:
    """Tab from the top: nothing holds the focus, all of it is seen, and the player comes before the words."""
    page.goto(f"/cards/{ids['full']}")
    page.wait_for_selector("body.plays")
    met: list[str] = []
    for _ in range(120):
        page.keyboard.press("Tab")
        here = page.evaluate(
            "() => { const e = document.activeElement; const box = e.getBoundingClientRect();"
            " return e === document.body ? 'end' : box.width > 0 ? e.id || e.textContent.trim().slice(0, 40) : '?'; }"
        )
        if here == "end":
            break
        met.append(here)
    assert "?" not in met
    assert met.index("play") < met.index("seek") < met.index("The")
    assert "Delete" in met
    assert met[-1].startswith("How it was measured")


def test_a_recording_that_the_browser_cannot_play_is_said_and_can_be_saved(page: Any, site: Site) -> None:
    made = put(site.store, sample("full"))
    site.store.recording(made.id).write_bytes(b"FORM no sound at all" * 50)
    page.goto(f"/cards/{made.id}")
    page.locator("#unplayable").wait_for()
    assert "cannot play" in page.locator("#unplayable").text_content()
    page.locator(".say").nth(3).click()
    page.get_by_role("button", name="Play").click()
    assert page.locator("#spoken-text").is_visible()


def test_text_of_others_is_never_markup(page: Any, ids: dict[str, str]) -> None:
    page.goto(f"/cards/{ids['hostile']}")
    assert "<script>alert('x')</script>" in page.locator("main").text_content()
    assert page.evaluate("document.querySelectorAll('main script:not([type])').length") == 0
