"""Parts 2 and 3 beyond the guide, and the whole test: what they share with Part 1, how three parts make one."""

from __future__ import annotations

import copy
import json
import re
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ielts_report_samples import bands, mixed, not_scored, part_of, pending
from jsonschema import Draft202012Validator

from vivavoce.arithmetic import parse, replay
from vivavoce.errors import RequestError, RubricError
from vivavoce.interview import Exchange, Interview
from vivavoce.judging.interview.contract import read_reply
from vivavoce.judging.interview.prompt import render
from vivavoce.report.interview.document import part_document
from vivavoce.report.interview.whole_test import whole_document
from vivavoce.report.schemas import schema
from vivavoce.rubric.graduated import TEXTS, part
from vivavoce.rubric.load import EDITIONS
from vivavoce.rubric.whole_test import load_whole_test, whole_test
from vivavoce.scoring.whole_test import whole_criterion, whole_overall
from vivavoce.strict import parse_json
from vivavoce.trace import leaf

# What a part words itself; all else is the guide's, letter by letter.
OWN = {"opening", "recording", "topic", "answers", "topic_again", "calibration"}
CHECK = Draft202012Validator(json.loads(schema("interview")))
TALK = Interview(
    'A book } {topic} "', (Exchange("Describe a book", "I read it twice."), Exchange("Do you lend it?", "No."))
)


@pytest.mark.parametrize("number", [2, 3])
def test_a_further_part_shares_criteria_and_contract(number: int) -> None:
    first, other = part(1), part(number)
    assert other.part == number
    for mine, theirs in zip(first.criteria, other.criteria, strict=True):
        assert (mine.name, mine.checks) == (theirs.name, theirs.checks)
        assert [band.value for band in mine.bands] == [band.value for band in theirs.bands]
    assert {name for name in TEXTS if first.texts[name] != other.texts[name]} == OWN
    assert first.boundary_note == other.boundary_note
    assert first.overall_text == other.overall_text
    assert first.digest != other.digest


@pytest.mark.parametrize("number", [2, 3])
def test_a_further_part_is_marked_as_ours_throughout(number: int) -> None:
    edition = part(number)
    own = {path: entry.provenance for path, entry in edition.entries.items() if path.startswith("edition.")}
    assert set(own.values()) == {"chosen"}
    assert {f"edition.prompt.{name}" for name in TEXTS} <= set(own)
    document = mixed(number)
    assert document["rubric"]["provenance"] == "chosen"
    assert mixed(1)["rubric"]["provenance"] == "published"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_prompt_speaks_of_its_own_part_only(number: int) -> None:
    prompt = render(part(number), TALK)
    assert set(re.findall(r"Part (\d)", prompt)) == {str(number)}
    label = part(number).texts["topic"].partition("{")[0]
    (line,) = [line for line in prompt.splitlines() if line.startswith(label)][:1]
    assert json.loads(line.removeprefix(label)) == TALK.topic
    parts = [
        prompt.index(part(number).texts[name].partition("{")[0]) for name in ("method", "calibration", "high_bands")
    ]
    assert all(before < after for before, after in pairwise(parts))


@pytest.mark.parametrize("number", [2, 3])
def test_the_prompts_own_example_is_an_accepted_reply(number: int) -> None:
    prompt = render(part(number), TALK)
    example = prompt[prompt.index('{\n  "testBased"') : prompt.index("\n}\n") + 2]
    reply = read_reply(part(number), example)
    assert [band for _, band in reply.criteria] == [9, 9, 8, 9]


def test_how_many_answers_a_part_takes() -> None:
    """Part 2: the long turn and one or two rounding-off questions."""
    assert [part(number).answers_highest for number in (1, 2, 3)] == [12, 3, 12]


# One result for all checks passed, four down to none, for the criteria of five checks; (passed, band) of three checks.
def scored(number: int, *wanted: int) -> dict[str, Any]:
    """A part with these bands: 4 or less is none passed; Pronunciation's by V2 (5 and 6: one passed; 8 and 9: all)."""
    counts = {4: 0, 5: 1, 6: 2, 7: 3, 8: 4, 9: 5}
    rows = [[at < counts[max(band, 4)] for at in range(5)] for band in wanted]
    clear = {4: 0, 5: 1, 6: 1, 7: 2, 8: 3, 9: 3}[max(wanted[2], 4)]
    rows[2] = [at < clear for at in range(3)]
    return part_document(part(number), bands(rows, wanted, number))


def test_a_whole_test_by_hand() -> None:
    """FC (7 + 6 + 6) / 3 = 6.33 -> 6; LR 7, 7, 8 -> 7; PR 8, 6, 9 -> 7.67 -> 7; GRA 6, 6, 6; (6+7+7+6)/4 = 6.5."""
    parts = [scored(1, 7, 7, 8, 6), scored(2, 6, 7, 6, 6), scored(3, 6, 8, 9, 6)]
    document = whole_document(parts)
    assert [row["band"] for row in document["criteria"]] == [6, 7, 7, 6]
    assert document["overall"] == 6.5
    assert [[cell["band"] for cell in row["parts"]] for row in document["criteria"]][2] == [8, 6, 9]
    assert document["criteria"][0]["trace"]["operands"][0]["expression"] == "(7 + 6 + 6) / 3"
    assert document["trace"]["operands"][0]["expression"] == "(6 + 7 + 7 + 6) / 4"
    assert [operand["source"] for operand in document["criteria"][0]["trace"]["operands"][0]["operands"]] == [
        "ielts-part1-v33",
        "ielts-part2-v33",
        "ielts-part3-v33",
    ]
    assert [error.message for error in CHECK.iter_errors(document)] == []
    assert whole_document(parts[::-1]) == document


BAND = st.integers(0, 9)


@given(st.lists(st.tuples(BAND, BAND, BAND, BAND), min_size=3, max_size=3))
def test_whole_tests_against_whole_numbers(wanted: list[tuple[int, int, int, int]]) -> None:
    """In whole numbers: a criterion is the sum // 3, twice the overall is the sum of the four // 2."""
    edition = whole_test()
    nodes = []
    for at in range(4):
        given_bands = {number: leaf("given", "band", row[at]) for number, row in enumerate(wanted, 1)}
        nodes.append(whole_criterion(edition, f"criterion_{at}", given_bands))
    criteria = [sum(row[at] for row in wanted) // 3 for at in range(4)]
    assert [node.value for node in nodes] == criteria
    overall = whole_overall(edition, nodes)
    assert overall.value * 2 == sum(criteria) // 2
    assert replay(overall) == overall.value


def test_a_criterion_needs_all_its_parts() -> None:
    with pytest.raises(ValueError, match=r"parts \[1, 3\]"):
        whole_criterion(whole_test(), "x", {number: leaf("given", "band", 7) for number in (1, 3)})


def test_the_documents_trace_replays() -> None:
    document = whole_document([scored(1, 9, 4, 8, 5), scored(2, 0, 7, 5, 8), scored(3, 8, 5, 3, 9)])
    assert [row["band"] for row in document["criteria"]] == [17 // 3, 16 // 3, 16 // 3, 22 // 3]
    assert float(replay(parse(document["trace"]))) == document["overall"] == 5.5


def test_every_parameter_of_a_whole_tests_trace_is_in_its_edition() -> None:
    document = whole_document([scored(number, 7, 7, 7, 7) for number in (1, 2, 3)])
    own = [document["trace"], *[row["trace"] for row in document["criteria"]]]
    for step in own:
        for operand in step["operands"]:
            if operand["op"] == "parameter":
                assert whole_test().lookup(operand["source"]).provenance == (
                    "published" if operand["source"] == "edition.overall_step" else "chosen"
                )


def test_a_missing_part_waits() -> None:
    document = whole_document([scored(1, 7, 7, 7, 7), scored(3, 7, 7, 7, 7)])
    assert document["state"] == "pending"
    assert document["overall"] is document["trace"] is None
    assert {row["band"] for row in document["criteria"]} == {None}
    assert [cell["band"] for cell in document["criteria"][0]["parts"]] == [7, None, 7]
    assert document["reason"]["code"] == "parts_missing"
    assert document["reason"]["found"] == "part 2 is missing"
    assert CHECK.is_valid(document)


def test_a_waiting_part_waits_and_an_unscorable_one_is_not_scored() -> None:
    waiting = whole_document([pending(), scored(2, 7, 7, 7, 7), scored(3, 7, 7, 7, 7)])
    assert (waiting["state"], waiting["reason"]["found"]) == ("pending", "part 1 waits (no judge was named)")
    never = whole_document([not_scored(), scored(2, 7, 7, 7, 7)])
    assert never["state"] == "not_scored"
    assert "part 1 cannot be scored" in never["reason"]["found"]
    assert "part 3 is missing" in never["reason"]["found"]
    assert CHECK.is_valid(waiting)
    assert CHECK.is_valid(never)


def test_a_test_of_no_part_waits() -> None:
    assert whole_document([])["state"] == "pending"


def test_parts_of_different_judges_are_told() -> None:
    parts = [part_of(number, judge) for number, judge in ((1, "openai:a"), (2, "openai:a"), (3, "openai:b"))]
    (warning,) = whole_document(parts)["warnings"]
    assert warning["code"] == "judges_differ"
    assert "part 3 by openai:b" in warning["found"]
    assert whole_document(parts[:2])["warnings"] == []


def change(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    inside = changed
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema",), "vivavoce-report-3"),
        (("part",), 4),
        (("part",), True),
        (("part",), 2),
        (("rubric", "digest"), "0" * 64),
        (("rubric",), None),
        (("state",), "done"),
        (("state",), "pending"),
        (("overall",), 9.0),
        (("criteria", 0, "band"), 9),
        (("criteria", 0, "band"), "7"),
        (("criteria", 0, "id"), "fluency"),
        (("criteria", 0, "checks", 0, "result"), False),
        (("criteria", 0, "checks", 0, "result"), 1),
        (("criteria", 0, "checks", 0, "id"), "OTHER"),
        (("criteria", 0, "trace", "value"), 9),
        (("criteria", 0, "trace", "operands"), []),
        (("criteria", 0, "trace", "operands", 0, "op"), "power"),
        (("criteria", 0, "trace"), None),
        (("criteria",), {}),
        (("criteria",), []),
        (("judgement",), 3),
    ],
)
def test_a_part_that_does_not_follow_is_refused(path: tuple[Any, ...], value: Any) -> None:
    with pytest.raises(RequestError) as caught:
        whole_document([change(scored(1, 7, 7, 7, 7), path, value)], ["part1.json"])
    assert caught.value.code == "part_unreadable"
    assert caught.value.where.startswith("part1.json")


@pytest.mark.parametrize("thing", [None, [], "text", 3, {}])
def test_what_is_no_document_is_refused(thing: Any) -> None:
    with pytest.raises(RequestError) as caught:
        whole_document([thing])
    assert (caught.value.code, caught.value.where) == ("part_unreadable", "/0")


@pytest.mark.parametrize("number", [1, 2])
def test_a_saved_part_counts_as_the_one_it_was_saved_from(number: int) -> None:
    made = part_of(number)
    read = parse_json(json.dumps(made), "part.json")
    assert whole_document([read]) == whole_document([made])
    assert json.dumps(whole_document([read]))


def test_a_very_deep_trace_is_refused() -> None:
    step = {"name": "a", "op": "sum", "value": 1, "unit": "", "source": "", "note": "", "expression": "1"}
    deep: dict[str, Any] = {**step, "operands": []}
    for _ in range(5000):
        deep = {**step, "operands": [deep]}
    with pytest.raises(RequestError) as caught:
        whole_document([change(part_of(1), ("criteria", 0, "trace"), deep)])
    assert caught.value.code == "part_unreadable"


def test_a_part_twice_is_refused() -> None:
    with pytest.raises(RequestError) as caught:
        whole_document([scored(1, 7, 7, 7, 7), scored(1, 8, 8, 8, 8)])
    assert caught.value.code == "part_twice"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("criterion_step = { value = 1,", "criterion_step = { value = 0,", "rubric_range"),
        ("value = 0.5", "value = 2", "rubric_range"),
        ('id = "ielts-test-v33"', 'id = "another"', "rubric_value"),
        ('"ielts-part2-v33", ', "", "rubric_value"),
        ('version = "V33"', 'version = "V33"\nweight = 3', "rubric_key_unknown"),
        ("rule = ", "ruling = ", "rubric_key_missing"),
    ],
)
def test_a_changed_edition_of_the_whole_test_is_refused(tmp_path: Path, old: str, new: str, code: str) -> None:
    folder = tmp_path / "ielts-test-v33"
    shutil.copytree(EDITIONS / "ielts-test-v33", folder)
    assert load_whole_test(folder).digest == whole_test().digest
    text = (folder / "edition.toml").read_text(encoding="utf-8")
    assert old in text
    (folder / "edition.toml").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(RubricError) as caught:
        load_whole_test(folder)
    assert caught.value.code == code
