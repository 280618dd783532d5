"""Tasks of one's own: the same checks as for every task, told at the field, with what was typed kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from record_tools import ask, held_site
from web_tools import Site, axe_both

from vivavoce.rubric.load import published
from vivavoce.submission import task_from_json
from vivavoce.tasks import check_task
from vivavoce.web.serving import built_in_tasks

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with held_site(tmp_path_factory.mktemp("folder") / "kept") as (found, _):
        yield found


def make(site: Site, **fields: Any) -> tuple[int, str, dict[str, str]]:
    body = urlencode(fields, doseq=True)
    status, page, headers = ask(site, "POST", "/tasks/new", body, accept="text/html", kind=FORM)
    return status, str(page), headers


def test_what_comes_with_the_program_fits_and_covers_every_module() -> None:
    modules = {check_task(task_from_json(dict(kept.task), "task"), published())[0].id for kept in built_in_tasks()}
    assert modules == set(published().modules)
    assert len({kept.id for kept in built_in_tasks()}) == len(built_in_tasks())


def test_the_list_shows_where_lines_end(site: Site) -> None:
    assert "Who has seen the wind? / Neither I nor you:" in ask(site, "GET", "/record", accept="text/html")[1]


def test_a_poem_keeps_its_lines(site: Site) -> None:
    status, _, headers = make(
        site,
        module="poem_recitation",
        title=" My  poem ",
        grade="5",
        reference="One line\r\nTwo lines  \r\n\r\nThree\r\n",
    )
    assert status == 303
    kept = site.store.task(headers["location"].removeprefix("/record/"))
    assert kept.title == "My poem"
    assert kept.task == {"module": "poem_recitation", "grade": 5, "reference": "One line\nTwo lines\n\nThree"}


def test_a_checklist_keeps_its_marks_over_empty_lines(site: Site) -> None:
    status, _, headers = make(
        site,
        module="audio_postcard",
        title="Card",
        grade="6",
        prompt="Send a card.",
        point=["Where", "", "A sound", "  ", "Home"],
        end_with="5",
        may_stay_vague="3",
    )
    assert status == 303
    assert site.store.task(headers["location"].removeprefix("/record/")).task["checklist"] == [
        {"text": "Where"},
        {"text": "A sound", "may_stay_vague": True},
        {"text": "Home", "end_with": True},
    ]


def test_keywords_and_questions_are_lines(site: Site) -> None:
    _, _, headers = make(
        site, module="story_building", title="S", grade="4", keywords="lantern\r\n\r\n snow  storm \r\n"
    )
    assert site.store.task(headers["location"].removeprefix("/record/")).task["keywords"] == ["lantern", "snow storm"]
    _, _, headers = make(site, module="rapid_fire_qa", title="Q", grade="9", questions="Why?\nHow?")
    assert site.store.task(headers["location"].removeprefix("/record/")).task["questions"] == ["Why?", "How?"]


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"module": "poem_recitation", "title": "", "grade": "5", "reference": "A"}, "title", "name"),
        ({"module": "poem_recitation", "title": "x" * 81, "grade": "5", "reference": "A"}, "title", "name"),
        ({"module": "poem_recitation", "title": "T", "grade": "", "reference": "A"}, "grade", "Choose a grade."),
        ({"module": "poem_recitation", "title": "T", "grade": "12", "reference": "A"}, "grade", "one of the grades"),
        ({"module": "poem_recitation", "title": "T", "grade": "5.5", "reference": "A"}, "grade", "Choose a grade."),
        ({"module": "poem_recitation", "title": "T", "grade": "5", "reference": " \n"}, "reference", "text"),
        (
            {"module": "poem_recitation", "title": "T", "grade": "5", "reference": "x" * 200_001},
            "reference",
            "too long",
        ),
        ({"module": "story_building", "title": "T", "grade": "5", "prompt": "Tell"}, "keywords", "keyword"),
        ({"module": "silly_topics_debate", "title": "T", "grade": "5"}, "prompt", "talked about"),
        (
            {"module": "audio_postcard", "title": "T", "grade": "5", "prompt": "P", "point": ["a"], "end_with": "4"},
            "end_with",
            "Point 4 is empty",
        ),
    ],
)
def test_an_error_stands_at_its_field(site: Site, fields: dict[str, Any], field: str, words: str) -> None:
    before = len(site.store.tasks())
    status, page, _ = make(site, **fields)
    assert status == 422
    told = page.split(f'id="e-{field}">')[1].split("<")[0]
    assert words in told
    control = page.split(f'id="{field}" ')[1].split(">")[0]
    assert 'aria-invalid="true"' in control
    assert f"e-{field}" in control
    assert page.count('class="fielderror"') == 1
    assert len(site.store.tasks()) == before


@pytest.mark.parametrize("module", ["", "no_such_module", "../x", "x" * 5000])
def test_a_module_that_there_is_not(site: Site, module: str) -> None:
    assert make(site, module=module, title="T", grade="5")[0] == 422
    assert ask(site, "GET", "/tasks/new?" + urlencode({"module": module or "y"}), accept="text/html")[0] == 422


@pytest.mark.parametrize("path", ["/record/none", "/tasks/none/delete", "/attempts/none", "/attempts/none/delete"])
def test_what_is_not_there(site: Site, path: str) -> None:
    status, page, _ = ask(site, "GET", path, accept="text/html")
    assert status == 404
    assert "_unknown" in page


def test_typed_text_stays_and_a_task_is_made_used_and_deleted(page: Any, site: Site, picture: Any) -> None:
    page.goto("/record")
    page.get_by_role("link", name="Make a").click()
    page.get_by_role("link", name="Tongue Twister Challenge").click()
    page.get_by_label("The text").fill("Red lorry, <yellow> lorry.")
    page.get_by_role("button", name="Keep the task").click()
    page.get_by_text("Not kept yet").wait_for()
    assert page.get_by_label("The text").input_value() == "Red lorry, <yellow> lorry."
    assert axe_both(page) == []
    picture(page, "form")
    page.get_by_role("link", name="Name of the task").click()
    assert page.evaluate("document.activeElement.id") == "title"
    page.keyboard.type("Lorries")
    page.get_by_label("Grade").select_option("3")
    page.get_by_role("button", name="Keep the task").click()
    page.wait_for_url("**/record/*")
    assert page.locator(".totext").inner_text().count("Red lorry, <yellow> lorry.") == 3
    page.goto("/record")
    page.get_by_role("link", name="Delete the task Lorries").click()
    assert axe_both(page) == []
    page.get_by_role("button", name="Delete the task").click()
    page.wait_for_url("**/record")
    assert not page.get_by_text("Lorries").count()
    page.goto("/tasks/snails/delete")
    assert page.get_by_role("button", name="Delete the task").count() == 0


@pytest.mark.parametrize("module", ["audio_postcard", "story_building", "poem_recitation"])
def test_the_forms_are_accessible(page: Any, site: Site, module: str) -> None:
    page.goto(f"/tasks/new?module={module}")
    assert axe_both(page) == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_task_file_that_was_damaged_stops_no_page(site: Site) -> None:
    folder: Path = site.store.folder / "tasks"
    (folder / f"{'a' * 32}.json").write_text('{"title": "T", "task": {"module": "gone", "grade": 7}}')
    (folder / f"{'b' * 32}.json").write_text("{")
    assert ask(site, "GET", "/record", accept="text/html")[0] == 200
    for name in ("a" * 32, "b" * 32):
        assert ask(site, "GET", f"/record/{name}", accept="text/html")[0] == 404
