"""The page shows exactly the report: scores, every step of every trace, reasons; and nothing of it is markup."""

from __future__ import annotations

import copy
import re
import subprocess
import sys
from typing import Any

import pytest
from report_dom import Element, parse
from report_samples import HOSTILE, SAMPLES

from vivavoce.errors import MissingError
from vivavoce.report import page as page_module
from vivavoce.report.page import page_html

REPORTS = {name: sample() for name, sample in SAMPLES.items()}
PAGES = {name: page_html(report) for name, report in REPORTS.items()}


@pytest.fixture(params=sorted(SAMPLES))
def shown(request: pytest.FixtureRequest) -> tuple[dict[str, Any], Element]:
    return REPORTS[request.param], parse(PAGES[request.param])


def read_step(item: Element) -> dict[str, Any]:
    """A step of the page, as the report has it."""
    (body,) = item.elements()
    computed = body.tag == "details"
    head = body.one("summary") if computed else body
    own = [head, *(e for e in body.elements("div") if "about" in e.classes)] if computed else [body]

    def texts(klass: str) -> str:
        return "".join(element.text for part in own for element in part.all(klass=klass))

    return {
        "name": head.one(klass="stepname").text,
        "value": head.one("data", "value").attributes["value"],
        "expression": head.one("code", "expression").text if computed else None,
        "source": texts("source"),
        "note": texts("note"),
        "operands": [read_step(child) for child in body.elements("ul")[0].elements("li")] if computed else [],
    }


def expected_step(node: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": node["name"],
        "value": str(node["value"]),
        "expression": node["expression"] if node["operands"] else None,
        "source": node["source"],
        "note": node["note"],
        "operands": [expected_step(operand) for operand in node["operands"]],
    }


def test_every_marker_shows_its_score_tier_and_weight(shown: tuple[dict[str, Any], Element]) -> None:
    report, page = shown
    for name, marker in report["markers"].items():
        article = page.by_id(f"m-{name}")
        assert article.one("h3").text == marker["title"]
        assert f"Weight {marker['weight']}" in article.text
        scores = article.all("data", "markerscore")
        if marker["score"] is None:
            assert not scores
            assert (
                article.one(klass="state").text == {"pending": "Pending", "not_scored": "Not scored"}[marker["state"]]
            )
        else:
            assert [(s.attributes["value"], s.text) for s in scores] == [(str(marker["score"]),) * 2]
            assert marker["tier"]["label"] in article.one(klass="tiername").text


def test_the_overall_is_the_reports(shown: tuple[dict[str, Any], Element]) -> None:
    report, page = shown
    section = page.one("section", "overall")
    overall = report["overall"]
    if overall["score"] is None:
        assert not section.all(klass="big")
        assert overall["reason"]["remedy"].lower() in section.text.lower()
        return
    assert section.one(klass="big").text == str(overall["score"])
    assert section.one("code", "expression").text == overall["trace"]["expression"]
    cells = [e.attributes["value"] for e in section.one("table").all("data", "value")]
    assert cells == [str(operand["value"]) for operand in overall["trace"]["operands"]]


def test_every_step_of_every_trace_is_there_in_its_place(shown: tuple[dict[str, Any], Element]) -> None:
    report, page = shown
    for name, marker in report["markers"].items():
        trees = page.by_id(f"m-{name}").all("ul", "root")
        if marker["trace"] is None:
            assert trees == []
            continue
        (tree,) = trees
        assert [read_step(item) for item in tree.elements("li")] == [expected_step(marker["trace"])]


def test_sub_qualities_show_the_steps_that_made_them() -> None:
    report, page = REPORTS["full"], parse(PAGES["full"])
    parts = page.by_id("m-speaking_rate").all("details", "part")
    assert [part.one(klass="partname").text for part in parts] == ["Pace", "Consistency", "Choppiness"]
    pace = read_step(parts[0].elements("ul")[0].elements("li")[0])
    assert pace["name"] == "words_per_minute_quality"
    # The guide, closed tasks at Middle: ideal pace 110-190, zero credit beyond 230: (230 - 193.4) / (230 - 190).
    assert pace["value"] == "0.915"
    assert "full credit 110–190 words/min" in parts[0].text
    assert report["measurements"]["words_per_minute"]["value"] == 193.4


def test_a_dropped_sub_marker_is_shown_with_the_reason() -> None:
    article = parse(PAGES["postcard"]).by_id("m-speaking_rate")
    dropped = article.one("p", "dropped").text
    assert "Consistency" in dropped
    assert "pace_variation could not be measured" in dropped


def test_measurements_are_shown_with_value_and_method(shown: tuple[dict[str, Any], Element]) -> None:
    report, page = shown
    rows = (
        page.by_id("h-measurements") and page.one("table", "measurements").one("tbody").elements("tr")
        if report["measurements"]
        else []
    )
    for (name, found), row in zip(report["measurements"].items(), rows, strict=True):
        assert row.one(klass="stepname").text == name
        assert found["source"] in row.one(klass="meta").text
        assert found["note"] in row.text
        if found["value"] is None:
            assert "not measured" in row.text
        else:
            assert row.one("data").attributes["value"] == str(found["value"])


def test_missing_scores_and_warnings_say_why_and_what_to_do(shown: tuple[dict[str, Any], Element]) -> None:
    report, page = shown
    text = page.text.lower()
    for marker in report["markers"].values():
        if marker["reason"] is not None:
            assert marker["reason"]["remedy"].lower() in text
    for warning in report["warnings"]:
        assert warning["found"].lower() in text
        assert warning["remedy"].lower() in text


def test_what_asks_for_nothing_is_a_note_and_no_warning() -> None:
    noted = {"code": "word_times_aligned", "found": "the times of 3 words were moved", "remedy": ""}
    page = parse(page_html({**SAMPLES["full"](), "warnings": [noted]}))
    assert "the times of 3 words were moved" not in " ".join(item.text.lower() for item in page.all("li"))
    assert "How it was measured The times of 3 words were moved." in " ".join(page.text.split())


def test_a_judgement_by_hand_is_shown_as_a_persons() -> None:
    page = parse(PAGES["full"])
    badge = page.by_id("m-pronunciation").one(klass="badge")
    assert badge.text == "Judged by a person, Ms Ito"
    assert "person" in badge.classes
    assert "Clear throughout; “Norland” misread." in page.by_id("m-pronunciation").one("q").text
    assert parse(PAGES["twister"]).by_id("m-fluency").one(klass="badge").text == "Judged by gpt-audio-1"
    assert page.by_id("m-volume_control").one(klass="badge").text == "Measured by code"


def test_text_of_others_is_never_markup() -> None:
    page = parse(PAGES["hostile"])
    assert page.all("script") == []
    assert "<script>" not in PAGES["hostile"]
    # The student's words, the file name, the judge, the judge's reason, the warning, the recogniser.
    assert page.text.count(HOSTILE) >= 6
    attributes = [name for element in page.walk() for name in element.attributes]
    assert [name for name in attributes if name.startswith("on")] == []


def test_control_characters_are_dropped() -> None:
    assert "\x1b" in REPORTS["hostile"]["recording"]["file"]
    assert re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", PAGES["hostile"]) is None


def test_the_page_loads_nothing(shown: tuple[dict[str, Any], Element]) -> None:
    _, page = shown
    for element in page.walk():
        assert element.tag not in {"script", "link", "img", "iframe", "object", "embed", "base", "form", "image", "use"}
        for name in ("href", "src", "srcset", "xlink:href", "action", "poster", "style"):
            value = element.attributes.get(name)
            assert value is None or value.startswith("#"), f"<{element.tag} {name}={value}>"
    css = page.one("style").raw
    assert "@import" not in css
    assert "http" not in css
    urls = [u for e in page.walk() for v in e.attributes.values() for u in re.findall(r"url\((.*?)\)", v)]
    assert all(url.startswith("#") for url in urls + re.findall(r"url\((.*?)\)", css))


@pytest.mark.parametrize(
    ("part", "empty"),
    [
        ("recording", None),
        ("transcript", None),
        ("alignment", None),
        ("picture", None),
        ("measurements", {}),
        ("pauses", []),
        ("warnings", []),
        ("fade_method", ""),
        ("phrase_boundaries", ""),
    ],
)
def test_each_part_may_be_absent(part: str, empty: Any) -> None:
    report = copy.deepcopy(REPORTS["full"])
    report[part] = empty
    page = parse(page_html(report))
    assert page.one(klass="big").text == str(report["overall"]["score"])


def test_the_same_report_gives_the_same_page() -> None:
    assert page_html(SAMPLES["full"]()) == PAGES["full"]


def test_without_jinja2_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    page_module.environment.cache_clear()
    try:
        with pytest.raises(MissingError) as caught:
            page_html(REPORTS["bare"])
    finally:
        page_module.environment.cache_clear()
    assert caught.value.code == "extra_missing"
    assert "vivavoce[report]" in caught.value.remedy


def test_importing_the_card_loads_nothing_heavy() -> None:
    code = (
        "import sys, vivavoce.report.card, vivavoce.report.page, vivavoce.report.schemas, vivavoce.report.text; "
        "print({'jinja2', 'numpy', 'av', 'faster_whisper'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("set()", "")
