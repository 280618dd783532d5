"""The whole way: a task is made, a microphone plays a reading of it, the engine scores it, the card is there."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from record_tools import ask, spoken, wav
from web_tools import Site, axe_both, browsing, running

from vivavoce.errors import VivavoceError
from vivavoce.transcript.weights import find_weights

TEXT = """1.
From fairest creatures we desire increase,
That thereby beauty's rose might never die,
But as the riper should by time decease,"""
# So long the reader takes for it; then the fake microphone is silent.
SECONDS = 13.0
LONGEST_S = 300


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    try:
        find_weights(None)
    except VivavoceError as error:
        pytest.skip(f"no weights of the recogniser here: {error.found}")
    with running(tmp_path_factory.mktemp("folder") / "kept") as found:
        yield found


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    file = wav(tmp_path_factory.mktemp("sound") / "fake.wav", spoken(SECONDS))
    fake = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
    with browsing(*fake, f"--use-file-for-fake-audio-capture={file}%noloop") as found:
        yield found


def test_from_the_microphone_to_the_card(page: Any, site: Site, picture: Callable[[Any, str], Path]) -> None:
    page.goto("/tasks/new?module=poem_recitation")
    page.get_by_label("Name of the task").fill("Three lines")
    page.get_by_label("Grade").select_option("9")
    page.get_by_label("The text").fill(TEXT)
    page.get_by_role("button", name="Keep the task").click()
    page.get_by_role("button", name="Record", exact=True).click()
    page.locator('#recorder[data-state="recording"]').wait_for()
    page.wait_for_timeout(1000 * SECONDS)
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Send", exact=True).click()
    page.wait_for_url("**/attempts/*")
    identifier = page.url.rsplit("/", 1)[1]
    took, stages = _watch(site, identifier)
    attempt = site.store.attempt(identifier)
    assert attempt.state == "done", attempt.error
    assert "Hearing the words" in stages
    print(f"a page while it was scored: median {1000 * statistics.median(took):.0f} ms, most {1000 * max(took):.0f} ms")  # noqa: T201
    assert statistics.median(took) < 0.5
    page.wait_for_url(f"**/cards/{identifier}", timeout=20_000)
    report = site.store.report(identifier)
    assert report is not None
    assert report["overall"]["state"] == "scored"
    assert {marker["state"] for marker in report["markers"].values()} == {"scored"}
    assert report["recording"]["codec"] == "opus"
    assert report["alignment"]["reference_words"] == 22
    assert report["alignment"]["matched"] >= 20, "the reading is a good one"
    assert page.locator(".overall .big data").get_attribute("value") == str(report["overall"]["score"])
    shown = page.locator(".markerscore").evaluate_all("all => all.map(one => Number(one.value))")
    assert shown == [marker["score"] for marker in report["markers"].values()]
    page.locator("body.plays").wait_for()
    word = page.locator("#spoken-text .say[data-start]", has_text="creatures").first
    begins = float(word.get_attribute("data-start"))
    word.click()
    # What the microphone recorded is heard from the word on; Opus in WebM tells no length of its own.
    page.wait_for_function("start => document.getElementById('sound').currentTime >= start", arg=begins)
    assert page.locator("#sound").evaluate("sound => sound.error") is None
    assert axe_both(page) == []
    picture(page, "card")


def _watch(site: Site, identifier: str) -> tuple[list[float], set[str]]:
    """Ask for a page again and again until the scoring is over; how long each took, and the stages that were told."""
    took, stages = [], set()
    end = time.monotonic() + LONGEST_S
    while (attempt := site.store.attempt(identifier)).state in ("waiting", "working"):
        assert time.monotonic() < end, f"not scored in {LONGEST_S} s"
        stages.add(attempt.stage)
        begun = time.monotonic()
        assert ask(site, "GET", "/record", accept="text/html")[0] == 200
        took.append(time.monotonic() - begun)
        time.sleep(0.1)
    return took, stages
