"""The page of an interview shows exactly the document, needs nothing from outside, and can be read by everybody."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest
from ielts_report_pages import DOCUMENTS, PAGES, TESTS, Element, interview_html, parse, read_step, shown_step
from ielts_report_samples import HOSTILE

from vivavoce.errors import MissingError
from vivavoce.report import page as page_module

SEEN = re.sub(r"[\u202e\x1b]", "", HOSTILE)


@pytest.fixture(params=sorted(DOCUMENTS))
def shown(request: pytest.FixtureRequest) -> tuple[dict[str, Any], Element]:
    return DOCUMENTS[request.param], parse(PAGES[request.param])


def parts_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    return document.get("parts", [document])


def test_the_overall_and_its_arithmetic(shown: tuple[dict[str, Any], Element]) -> None:
    document, page = shown
    section = page.all("section", "overall")[0]
    if document["overall"] is None:
        assert not section.all(klass="big")
        assert not section.all(klass="sum")
        assert f"{document['state']}: {document['reason']['code']}" in section.text
        assert document["reason"]["remedy"] in section.text or document["reason"]["remedy"][1:] in section.text
    else:
        assert section.one(klass="big").one("data").attributes["value"] == str(document["overall"])
        assert section.one(klass="sum").text.startswith(document["trace"]["operands"][0]["expression"])
    bands = [row.one("dd").text for row in section.one("dl", "bands").elements("div")]
    assert bands == ["–" if row["band"] is None else str(row["band"]) for row in document["criteria"]]


def test_the_guides_arithmetic_in_the_guides_words() -> None:
    assert parse(PAGES["guide"]).one(klass="sum").text == "(9 + 9 + 8 + 9) / 4 = 8.75, floored to 8.5"


def test_every_check_stands_on_its_ladder(shown: tuple[dict[str, Any], Element]) -> None:
    document, page = shown
    for part in parts_of(document):
        for criterion in part["criteria"]:
            article = page.by_id(f"p{part['part']}-{criterion['id']}")
            rungs = article.one("ol", "rungs").elements("li")
            for check, rung in zip(criterion["checks"], rungs, strict=True):
                following = check["id"] == criterion["next"]
                mark = {True: "passed", False: "next" if following else "failed", None: "open"}[check["result"]]
                assert rung.classes == {"rung", mark}
                assert check["threshold"] in rung.text
                wanted = check["question"] if check["result"] is None else check["meaning"]
                assert rung.one(klass="meaning").text.rstrip(".") == wanted
                assert bool(rung.all(klass="topass")) == following
                if following:
                    assert check["to_pass"] in rung.one(klass="topass").text
                if check["of"] > 1:
                    assert f"{check['agree']} of {check['of']} judgements agree" in rung.text
            stairs = [stair.classes - {"stair"} for stair in article.all(klass="stair")]
            assert stairs == [rung.classes - {"rung"} for rung in rungs]
            if criterion["band"] is not None:
                assert article.one(klass="bandnumber").one("data").attributes["value"] == str(criterion["band"])


def test_every_step_of_every_trace_is_shown(shown: tuple[dict[str, Any], Element]) -> None:
    document, page = shown
    wanted = [document["trace"]] if document["trace"] else []
    for part in parts_of(document):
        if part["trace"]:
            wanted += [part["trace"]] if part is not document else []
            wanted += [criterion["trace"] for criterion in part["criteria"]]
        if part["acoustic"]:
            wanted += [row["trace"] for row in part["acoustic"]["values"] if row["trace"]]
    found = [read_step(item) for root in page.all("ul", "root") for item in root.elements("li")]
    assert found == [shown_step(trace) for trace in wanted]


def test_what_a_transcript_cannot_show_stands_at_pronunciation(shown: tuple[dict[str, Any], Element]) -> None:
    document, page = shown
    for part in parts_of(document):
        for criterion in part["criteria"]:
            notes = page.by_id(f"p{part['part']}-{criterion['id']}").all(klass="boundary")
            assert [note.text.partition("show. ")[2] for note in notes] == (
                [criterion["note"]] if criterion["note"] else []
            )


def test_checks_passed_above_a_failed_one_are_told() -> None:
    page = parse(PAGES["mixed"])
    (note,) = page.all(klass="review")
    assert "Wide range passed although Flexible vocab" in note.text
    assert note in list(page.by_id("p1-lexical_resource").walk())


def test_split_judgements_stand_out() -> None:
    """By hand from the samples: two checks each of FC, LR and PR were decided two to one."""
    split = [element.text for element in parse(PAGES["sampled"]).all(klass="split")]
    assert split == ["2 of 3 judgements agree"] * 6


def test_questions_answers_and_warnings(shown: tuple[dict[str, Any], Element]) -> None:
    document, page = shown
    for part in parts_of(document):
        key = f"p{part['part']}"
        if not part["answers"]:
            continue
        section = next(e for e in page.all("section") if e.attributes["aria-labelledby"] == f"h-{key}-answers")
        rows = section.one("ol").elements("li")
        for row, item in zip(part["answers"], rows, strict=True):
            answer = " ".join(re.sub(r"[\u202e\x1b]", "", row["answer"]).split())
            assert item.one(klass="answer").text == (answer or "Not answered.")
    for warning in document["warnings"]:
        assert warning["code"] in page.text


def test_acoustic_values_stand_apart() -> None:
    document, page = DOCUMENTS["acoustic"], parse(PAGES["acoustic"])
    section = next(e for e in page.all("section") if e.attributes["aria-labelledby"] == "h-p2-acoustic")
    assert section.one(klass="lead").text == document["acoustic"]["statement"]
    values = [cell.attributes["value"] for cell in section.one("tbody").all("data")]
    assert values == [str(row["value"]) for row in document["acoustic"]["values"]]
    assert all(limit in section.text for limit in document["acoustic"]["limits"])
    assert not section.all(klass="bandnumber")


@pytest.mark.parametrize("name", sorted(TESTS))
def test_a_whole_tests_table(name: str) -> None:
    document, page = DOCUMENTS[name], parse(PAGES[name])
    for row, line in zip(document["criteria"], page.one("table", "byparts").one("tbody").elements("tr"), strict=True):
        cells = [cell.text for cell in line.elements("td")]
        assert cells[:3] == ["–" if cell["band"] is None else str(cell["band"]) for cell in row["parts"]]
        assert cells[3].startswith(row["trace"]["operands"][0]["expression"] if row["trace"] else "–")


def test_a_part_beyond_the_guide_says_so() -> None:
    assert "Beyond the published guide" not in parse(PAGES["guide"]).text
    assert "Beyond the published guide" in parse(PAGES["acoustic"]).one("header").text


def test_nothing_of_a_document_is_markup() -> None:
    page = parse(PAGES["hostile"])
    assert not page.all("script")
    assert not page.all("img")
    for place in (page.one("header"), page.one(klass="asked"), page.one(klass="answer"), page.one("pre", "raw")):
        assert SEEN in place.text
    assert "49" not in page.one("header").text
    assert not re.search(r"[\u202e\x1b]", PAGES["hostile"])


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_nothing_is_loaded(name: str) -> None:
    page = parse(PAGES[name])
    for element in page.walk():
        assert element.tag not in {"script", "link", "iframe", "img", "object", "embed"}
        assert not {key for key in element.attributes if key.startswith("on") or key == "src"}
        assert element.attributes.get("href", "#").startswith("#")
    css = page.one("style").raw
    assert "@import" not in css
    assert "url(" not in css


def test_headings_ids_and_landmarks(shown: tuple[dict[str, Any], Element]) -> None:
    _, page = shown
    levels = [int(e.tag[1]) for e in page.walk() if re.fullmatch(r"h[1-6]", e.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert [len(page.all(tag)) for tag in ("header", "main", "footer")] == [1, 1, 1]
    assert page.one("html").attributes["lang"] == "en"
    ids = [e.attributes["id"] for e in page.walk() if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    wanted = [e.attributes["aria-labelledby"] for e in page.walk() if "aria-labelledby" in e.attributes]
    wanted += [e.attributes["href"][1:] for e in page.all("a")]
    assert set(wanted) <= set(ids)
    assert all("aria-labelledby" in section.attributes for section in page.all("section"))


def test_keyboard_screen_reader_and_tables(shown: tuple[dict[str, Any], Element]) -> None:
    _, page = shown
    assert all(details.elements()[0].tag == "summary" for details in page.all("details"))
    regions = [e for e in page.walk() if "tabindex" in e.attributes]
    assert all(e.attributes["tabindex"] == "0" and e.attributes["aria-label"] for e in regions)
    assert all("scope" in header.attributes for table in page.all("table") for header in table.all("th"))
    hidden = {id(inside) for e in page.walk() if e.attributes.get("aria-hidden") == "true" for inside in e.walk()}
    assert all(id(svg) in hidden for svg in page.all("svg"))
    for rung in page.all("li", "rung"):
        spoken = " ".join(
            child.text for child in rung.one(klass="rungname").elements() if child.attributes.get("aria-hidden") is None
        )
        assert re.match(r"(Passed|Not passed|Not passed, the next to reach|Not judged):", spoken)


def test_without_jinja2_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    page_module.environment.cache_clear()
    try:
        with pytest.raises(MissingError) as caught:
            interview_html(DOCUMENTS["guide"])
    finally:
        page_module.environment.cache_clear()
    assert "vivavoce[report]" in caught.value.remedy


def test_importing_the_report_loads_nothing_heavy() -> None:
    rooms = ("acoustic", "document", "page", "text", "whole_test")
    code = (
        f"import sys, {', '.join('vivavoce.report.interview.' + room for room in rooms)}; "
        "print({'jinja2', 'numpy', 'av', 'faster_whisper', 'lemminflect'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("set()", "")
