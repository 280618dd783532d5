"""The Lab against an independent evaluator: random states by link and by the page's own controls, and by hand."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from web_lab_tools import (
    BANDS,
    MARKERS,
    MODULES,
    a_request,
    as_shown,
    dump,
    expect,
    follow,
    get,
    lab_command,
    link_of,
    scores_of,
    shown,
    some_text,
    wait_for,
)
from web_tools import ROOT, Site

EXAMPLES = {
    module: json.loads((ROOT / "src/vivavoce/examples" / f"{module}.json").read_text(encoding="utf-8"))
    for module in MODULES
}


def test_random_states_by_link(page: Any, site: Site) -> None:
    """All modules and grade bands: the page, the evaluator and `vivavoce lab` on the exported request agree."""
    rng = random.Random(7)
    requests = [a_request(rng, module, band) for module in MODULES for band in BANDS]
    exported = []
    page.goto("/lab")
    for request in requests:
        link = link_of(request)
        html = get(site, link)[2].decode()
        assert 'class="leftout"' not in html, link
        assert shown(page, html) == as_shown(expect(dump(request))), link
        status, _, body = get(site, link.replace("/lab?", "/lab/export.json?"))
        assert status == 200, link
        exported.append(json.loads(body))
    answers = lab_command([json.dumps(found["request"]) for found in exported])
    for request, found, answer in zip(requests, exported, answers, strict=True):
        assert answer == found["result"]
        expected = expect(dump(request))
        told = {"overall": expected.overall} | dict(expected.scores)
        assert scores_of(answer) == {name: value if isinstance(value, int) else None for name, value in told.items()}


def controls(page: Any, rng: random.Random, request: dict[str, Any]) -> dict[str, str]:
    """Type a new number into each measurement's box, flip a switch, let a marker wait; change the request alike."""
    fields = {}
    inputs = request["inputs"]
    for marker in ("speaking_rate", "volume_control"):
        for name, before in inputs[marker].items():
            if isinstance(before, bool):
                continue
            text = some_text(rng, name)
            page.fill(f"#n-{name}", text)
            inputs[marker][name], fields[name] = json.loads(text), text
    for name in ("pronunciation", "fluency"):
        score = rng.randint(0, 100)
        page.fill(f"#n-{name}", str(score))
        inputs[name]["score"], fields[name] = score, str(score)
    adherence = inputs["task_adherence"]
    for name in ("guardrails", "broken_order_rules"):
        for box in page.locator(f'input[type=checkbox][name="{name}"]').all() if name in adherence else ():
            on = rng.random() < 0.5
            box.set_checked(on)
            rule = box.get_attribute("value")
            adherence[name] = [known for known in adherence[name] if known != rule] + ([rule] if on else [])
    for holder, name in ((adherence, "specific_detail"), (inputs["speaking_rate"], "pace_rises")):
        if name in holder:
            holder[name] = rng.random() < 0.5
            page.locator(f'input[type=checkbox][name="{name}"]').set_checked(holder[name])
            fields[name] = "yes" if holder[name] else "no"
    if rng.random() < 0.5:
        page.locator('input[name="unmeasured"][value="pace_variation"]').check()
        inputs["speaking_rate"]["pace_variation"] = None
        fields["unmeasured"] = "pace_variation"
    page.locator('input[name="pending"][value="fluency"]').check()
    page.locator('input[name="pending"][value="fluency"]').uncheck()
    return fields


@pytest.mark.parametrize("module", ["audio_postcard", "short_informative_presentation", "tongue_twister"])
def test_random_states_by_the_controls(page: Any, module: str) -> None:
    rng = random.Random(module)
    request = json.loads(json.dumps(EXAMPLES[module]["request"]))
    page.goto(f"/lab?module={module}")
    fields = controls(page, rng, request)
    wait_for(page, fields)
    page.wait_for_function("() => !new URLSearchParams(location.search).has('pending')")
    expected = as_shown(expect(dump(json.loads(json.dumps(request)))))
    page.wait_for_timeout(50)
    assert shown(page) == expected, page.url


@pytest.mark.parametrize("module", MODULES)
def test_the_worked_example_has_the_scores_derived_by_hand(site: Site, page: Any, module: str) -> None:
    page.goto(f"/lab?module={module}")
    expected = EXAMPLES[module]["expected"]
    assert shown(page) == {"overall": expected["overall"], **{name: expected["markers"][name] for name in MARKERS}}
    assert "as the engine has it" in page.inner_text(".example")


def test_the_guides_published_result(page: Any) -> None:
    """The guide: a weighted quality of 0.9625 gives a frac of 0.568 against 1.01, and 93."""
    page.goto("/lab?module=poem_recitation")
    words = page.inner_text("#m-volume_control .tierwords")
    assert "Weighted quality 0.9625 makes 93: Excellent, at ≈ 0.568182" in words
    assert "interpolated to 1.01" in words


def test_another_grade_band_has_the_same_inputs(page: Any) -> None:
    page.goto("/lab?module=poem_recitation")
    follow(page, ".bands a:has-text('High')")
    request = {**EXAMPLES["poem_recitation"]["request"], "grade_band": "high"}
    assert shown(page) == as_shown(expect(json.dumps(request)))
    assert "held against this grade band" in page.inner_text(".example")
    assert page.input_value("#n-words_per_minute") == "92.5"


def test_a_guardrail_says_whether_it_bites(page: Any) -> None:
    """Audio Postcard (A10): Groundedness caps at 60, Reversal at 50; the lower one bites, and over 45 neither does."""
    page.goto("/lab?module=audio_postcard")
    assert "bites, lowers 86 to 60" in page.inner_text("#c-guardrails-groundedness")
    page.locator('input[name="guardrails"][value="reversal"]').check()
    page.wait_for_selector("#c-guardrails-reversal .bites")
    assert "lowers 86 to 50" in page.inner_text("#c-guardrails-reversal")
    assert "another rule caps lower" in page.inner_text("#c-guardrails-groundedness")
    page.fill("#n-task_adherence", "45")
    page.wait_for_function("() => !document.querySelector('.bites')")
    assert "does not bite, 45 is under it" in page.inner_text("#c-guardrails-reversal")
    assert shown(page)["task_adherence"] == 45
    assert "counts as 50 at most" in page.inner_text("#row-task_adherence")


def test_numbers_are_written_as_the_reader_writes_them(browser: Any, site: Site) -> None:
    """German: a comma on the page; in the boxes and in the link what the engine takes."""
    context = browser.new_context(base_url=site.url, locale="de-DE")
    page = context.new_page()
    page.goto("/lab?module=poem_recitation&kept.module=poem_recitation&kept.level_db=40.5")
    assert "Quality 0,785714 × weight 0,3" in page.inner_text("#row-words_per_minute")
    assert "Full credit up to 2,5 dB" in page.inner_text("#row-fade_db")
    assert "40,5 dB" in page.inner_text("#compare")
    assert "+18,1 higher" in page.inner_text("#compare").replace("\n", " ")
    assert page.get_attribute("#n-words_per_minute", "value") == "92.5"
    assert "words_per_minute=92.5&" in (page.get_attribute("#lab", "data-link") or "")
    context.close()


def test_under_ten_seconds_choppiness_is_dropped(page: Any) -> None:
    """A6, from the example of Rapid-Fire Q&A: 8.6 s of speech."""
    page.goto("/lab?module=rapid_fire_qa")
    assert "Not counted: 8.6 s of speech, under 10 s" in page.inner_text("#row-choppy_breaks_per_minute")
    assert "No cut is taken" in page.inner_text("#row-hesitations_per_minute")
    page.fill("#n-speech_seconds", "10")
    page.wait_for_function("() => !document.querySelector('#row-choppy_breaks_per_minute .dropped')")
    assert "weight 0.4" in page.inner_text("#row-choppy_breaks_per_minute")
