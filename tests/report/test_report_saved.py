"""A saved report is held against its schema, read with exact decimals, on a whole report and on broken ones."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from report_samples import full

from vivavoce.errors import RequestError
from vivavoce.report.saved import check_saved
from vivavoce.report.schemas import schema
from vivavoce.strict import parse_json

ODD: tuple[Any, ...] = (None, True, -1, 1.5, "", "x", [], {}, [1], {"a": 1}, 10**12, "GONE")
Path = tuple[str | int, ...]


def places(tree: Any, path: Path = ()) -> Iterator[Path]:
    if path:
        yield path
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from places(value, (*path, key))
    elif isinstance(tree, list):
        for index, value in enumerate(tree[:2]):
            yield from places(value, (*path, index))


def broken(tree: Any, path: Path, value: Any) -> Any:
    made = copy.deepcopy(tree)
    place = made
    for key in path[:-1]:
        place = place[key]
    if value == "GONE":
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return made


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    made = full()
    made["picture"] = None
    for long in (made["alignment"]["labels"], made["transcript"]["words"]):
        del long[2:]
    return made


def test_a_whole_report_is_taken(report: dict[str, Any]) -> None:
    check_saved(report, "report.json")
    check_saved(parse_json(json.dumps(report), "report.json"), "report.json")


def test_what_the_schema_refuses_is_refused_as_it_is_read(report: dict[str, Any]) -> None:
    other = Draft202012Validator(json.loads(schema("report")))
    drawn = random.Random(4)
    found = {True: 0, False: 0}
    # That a tier is one of the report's own no schema can say: see the next test.
    elsewhere = [path for path in places(report) if not {"tier", "tiers"} & set(path)]
    for path in drawn.sample(elsewhere, 120):
        for value in drawn.sample(ODD, 2):
            made = broken(report, path, value)
            sound = other.is_valid(made)
            found[sound] += 1
            read = parse_json(json.dumps(made), "report.json")
            if sound:
                check_saved(read, "report.json")
            else:
                with pytest.raises(RequestError) as caught:
                    check_saved(read, "report.json")
                assert caught.value.code == "report_unreadable", (path, value)
    assert min(found.values()) > 10


@pytest.mark.parametrize("path", [("overall", "tier", "id"), ("markers", "volume_control", "tier", "id")])
def test_a_tier_that_the_report_does_not_have_is_refused(report: dict[str, Any], path: tuple[str, ...]) -> None:
    with pytest.raises(RequestError) as caught:
        check_saved(broken(report, path, "splendid"), "report.json")
    assert caught.value.where == "report.json /" + "/".join(path)
    assert caught.value.found == '"splendid"'
    assert "excellent" in caught.value.allowed


def test_the_error_points_at_the_part(report: dict[str, Any]) -> None:
    path = ("markers", "volume_control", "weight")
    with pytest.raises(RequestError) as caught:
        check_saved(broken(report, path, "heavy"), "report.json")
    assert caught.value.where == "report.json /markers/volume_control/weight"
    assert caught.value.found == '"heavy"'
    with pytest.raises(RequestError) as caught:
        check_saved(broken(report, ("grade_band",), "GONE"), "report.json")
    assert caught.value.where == "report.json /grade_band"


def test_deep_nesting_is_no_traceback(report: dict[str, Any]) -> None:
    step = report["markers"]["volume_control"]["trace"]
    for _ in range(2000):
        step = {**step, "operands": [step]}
    with pytest.raises(RequestError) as caught:
        check_saved(broken(report, ("markers", "volume_control", "trace"), step), "report.json")
    assert "nesting" in caught.value.found
