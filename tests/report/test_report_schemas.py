"""The schemas: sound, true of what is built and shipped, closed against anything else, and at one with the parser."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from report_samples import SAMPLES

from vivavoce.errors import RequestError
from vivavoce.report.schemas import names, schema
from vivavoce.rubric.load import published
from vivavoce.strict import parse_json
from vivavoce.submission import task_from_json
from vivavoce.tasks import check_task
from vivavoce.worked import examples

TASKS = sorted((Path(__file__).resolve().parents[2] / "src" / "vivavoce" / "examples" / "tasks").glob("*.json"))


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema(name)))


def accepts(name: str, data: Any) -> bool:
    return bool(validator(name).is_valid(data))


def test_schemas_are_sound_and_described() -> None:
    assert names() == ("interview", "lab-request", "report", "task")
    for name in names():
        data = json.loads(schema(name))
        Draft202012Validator.check_schema(data)
        assert data["title"]
        assert data["description"]


def test_an_unknown_schema_is_an_error_that_lists_them() -> None:
    with pytest.raises(RequestError) as caught:
        schema("nothing")
    assert caught.value.code == "schema_unknown"
    assert caught.value.allowed == "interview, lab-request, report, task"


def test_schemas_do_not_open_paths() -> None:
    with pytest.raises(RequestError):
        schema("../schemas/task")


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_built_reports_fit(name: str) -> None:
    assert [error.message for error in validator("report").iter_errors(SAMPLES[name]())] == []


def objects(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of all objects inside; of a list the first item stands for all."""
    if isinstance(data, dict):
        yield path
        for key, value in data.items():
            yield from objects(value, (*path, key))
    elif isinstance(data, list) and data:
        yield from objects(data[0], (*path, 0))


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


# Objects whose keys are free: measurements by name, words by word.
# `accepted` is closed by the contract of its marker (tests/judging).
FREE = {("measurements",), ("task", "accepted")} | {
    ("markers", marker, "judgement", "accepted") for marker in ("pronunciation", "fluency")
}


def test_unknown_and_missing_keys_are_refused_everywhere_in_a_report() -> None:
    check = validator("report")
    report = SAMPLES["full"]()
    for long in (report["alignment"]["labels"], report["transcript"]["words"], report["picture"]["columns"]):
        del long[2:]
    small = report["markers"]["pronunciation"]["trace"]
    for outcome in (report["overall"], *report["markers"].values()):
        outcome["trace"] = small
    paths = [path for path in objects(report) if "trace" not in path[:-1] or path[-1] == "trace"]
    assert len(paths) > 20
    for path in paths:
        if path in FREE:
            continue
        changed = copy.deepcopy(report)
        at(changed, path)["surprise"] = 1
        assert not check.is_valid(changed), path
        for key in at(report, path):
            if path == ("measurements",):
                continue
            changed = copy.deepcopy(report)
            del at(changed, path)[key]
            assert not check.is_valid(changed), (*path, key)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("overall", "score"), 96),
        (("overall", "score"), None),
        (("markers", "fluency", "state"), "pending"),
        (("markers", "fluency", "reason"), {"code": "waiting", "found": "x", "remedy": "y"}),
        (("pauses", 0, "kind"), "long"),
        (("alignment", "labels", 0, "label"), "wrong"),
        (("alignment", "matched"), -1),
        (("rubric", "digest"), "abc"),
        (("grade",), 2),
    ],
)
def test_a_report_that_contradicts_itself_is_refused(path: tuple[Any, ...], value: Any) -> None:
    report = SAMPLES["full"]()
    at(report, path[:-1])[path[-1]] = value
    assert not accepts("report", report)


@pytest.mark.parametrize("path", TASKS, ids=[path.stem for path in TASKS])
def test_example_tasks_fit_schema_parser_and_module(path: Path) -> None:
    data = parse_json(path.read_bytes(), path.name)
    assert accepts("task", json.loads(path.read_text(encoding="utf-8")))
    task = task_from_json(data, "")
    module, _ = check_task(task, published())
    assert module.id == path.stem


def test_there_is_an_example_task_for_every_module() -> None:
    assert [path.stem for path in TASKS] == sorted(published().modules)
    readme = (TASKS[0].parent / "README.md").read_text(encoding="utf-8")
    assert all(f"`{path.name}`" in readme for path in TASKS)


PARAGRAPH_TASK = {"module": "paragraph_reading", "grade": 7, "reference": "One two three."}


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        ({}, True),
        ({"prompt": None}, True),
        ({"accepted": {"One": ["Wun"]}}, True),
        ({"accepted": {"One": "Wun"}}, False),
        ({"accepted": {" ": ["Wun"]}}, False),
        ({"grade": 2}, False),
        ({"grade": 11}, False),
        ({"grade": "7"}, False),
        ({"grade": True}, False),
        ({"reference": ""}, False),
        ({"reference": None}, False),
        ({"module": "silly_topics_debate"}, False),
        ({"module": "silly_topics_debate", "reference": None}, True),
        ({"module": "karaoke"}, False),
        ({"keywords": ["a", ""]}, False),
        ({"questions": "why?"}, False),
        ({"checklist": [{"text": "a", "end_with": True}, {"text": "b"}]}, True),
        ({"checklist": [{"text": "a", "end_with": True}, {"text": "b", "end_with": True}]}, False),
        ({"checklist": [{"text": "a", "may_stay_vague": True}, {"text": "b", "may_stay_vague": True}]}, False),
        ({"checklist": [{"text": "a", "end_with": 1}]}, False),
        ({"checklist": [{"end_with": True}]}, False),
        ({"surprise": 1}, False),
    ],
)
def test_the_task_schema_and_the_parser_agree(change: dict[str, Any], fits: bool) -> None:
    data = {**PARAGRAPH_TASK, **change}
    assert accepts("task", data) is fits
    try:
        check_task(task_from_json(parse_json(json.dumps(data), ""), ""), published())
    except RequestError:
        parsed = False
    else:
        parsed = True
    assert parsed is fits


def requests() -> list[dict[str, Any]]:
    """The worked examples' requests, as plain JSON."""
    return [json.loads(json.dumps(example["request"], default=float)) for example in examples(published())]


def test_worked_requests_fit_and_closed_shapes_are_closed() -> None:
    check = validator("lab-request")
    assert len(requests()) == 8
    for request in requests():
        assert [error.message for error in check.iter_errors(request)] == []
        for path in objects(request):
            changed = copy.deepcopy(request)
            at(changed, path)["surprise"] = 1
            assert not check.is_valid(changed), (request["module"], path)


def test_absent_and_null_markers_are_allowed_and_half_ones_are_not() -> None:
    for request in requests():
        assert accepts("lab-request", {**request, "inputs": {}})
        assert accepts("lab-request", {**request, "inputs": dict.fromkeys(request["inputs"])})
        for marker, values in request["inputs"].items():
            for key in values:
                changed = copy.deepcopy(request)
                del changed["inputs"][marker][key]
                assert not accepts("lab-request", changed), (request["module"], marker, key)
