"""The document: what it says of bands, checks and agreement; true to its schema, which sees contradictions."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from ielts_report_samples import PARTS, guide, lowest, mixed, sampled
from jsonschema import Draft202012Validator

from vivavoce.arithmetic import parse, replay
from vivavoce.notice import Notice
from vivavoce.report.interview.document import part_document
from vivavoce.report.schemas import schema
from vivavoce.rubric.graduated import part

CHECK = Draft202012Validator(json.loads(schema("interview")))


def test_the_guides_example() -> None:
    """The guide's own numbers: 9, 9, 8, 9 and 8.5."""
    document = guide()
    assert [row["band"] for row in document["criteria"]] == [9, 9, 8, 9]
    assert document["overall"] == 8.5
    assert document["trace"]["operands"][0]["expression"] == "(9 + 9 + 8 + 9) / 4"
    assert [row["next"] for row in document["criteria"]] == [None] * 4


def test_the_boundary_note_stands_at_pronunciation_alone() -> None:
    notes = [row["note"] for row in guide()["criteria"]]
    assert notes[:2] == [None, None]
    assert notes[3] is None
    assert notes[2] == (
        "Pronunciation, intonation, and stress patterns cannot be assessed from transcript alone. "
        "This score reflects only word clarity, transcription consistency, and intelligibility."
    )


def test_mixed_checks() -> None:
    """By hand: (7 + 7 + 6 + 6) / 4 = 6.5; LR fails FLEXIBLE_VOCAB and passes WIDE_RANGE after it (V3)."""
    document = mixed()
    fluency, lexical, pronunciation, grammar = document["criteria"]
    assert [row["band"] for row in document["criteria"]] == [7, 7, 6, 6]
    assert document["overall"] == 6.5
    assert (fluency["next"], lexical["next"]) == ("FLUENT_SPEECH", "FLEXIBLE_VOCAB")
    assert lexical["non_monotone"] == ["WIDE_RANGE"]
    assert grammar["non_monotone"] == pronunciation["non_monotone"] == []
    assert [row["passed"] for row in document["criteria"]] == [3, 3, 1, 2]
    passed, failed = fluency["checks"][0], fluency["checks"][4]
    assert passed["meaning"] == passed["to_pass"] == part(1).criteria[0].checks[0].passed
    assert failed["meaning"] == part(1).criteria[0].checks[4].failed


def test_agreement_is_counted_check_by_check() -> None:
    """By hand from the three judgements: two of three pass SPEAKS_AT_LENGTH; two fail FLUENT_SPEECH; and so on."""
    document = sampled()
    rows = [[(check["result"], check["agree"], check["of"]) for check in row["checks"]] for row in document["criteria"]]
    yes, no = True, False
    assert rows[0] == [(yes, 3, 3), (yes, 3, 3), (yes, 2, 3), (no, 2, 3), (no, 3, 3)]
    assert rows[1] == [(yes, 3, 3), (yes, 2, 3), (no, 2, 3), (no, 3, 3), (no, 3, 3)]
    assert rows[2] == [(yes, 3, 3), (yes, 2, 3), (yes, 2, 3)]
    assert [row["band"] for row in document["criteria"]] == [7, 6, 9, 5]
    assert document["overall"] == 6.5  # 27 / 4 = 6.75


def test_zero_checks_keep_the_given_band() -> None:
    document = lowest()
    assert [row["band"] for row in document["criteria"]] == [4, 3, 0, 4]
    assert document["overall"] == 2.5  # 11 / 4 = 2.75


@pytest.mark.parametrize("name", ["pending", "not_scored"])
def test_without_a_score_there_are_no_numbers_and_a_reason(name: str) -> None:
    document = PARTS[name]()
    assert document["state"] == name
    assert document["reason"]["remedy"]
    assert document["overall"] is document["trace"] is None
    assert {row["band"] for row in document["criteria"]} == {None}
    assert {check["result"] for row in document["criteria"] for check in row["checks"]} == {None}
    assert [len(row["checks"]) for row in document["criteria"]] == [5, 5, 3, 5]


def test_state_bands_and_reason_go_together() -> None:
    edition, reason = part(1), Notice("x", "y", "z")
    with pytest.raises(ValueError, match="scored with 0 bands"):
        part_document(edition, ())
    with pytest.raises(ValueError, match="pending with 0 bands and no reason"):
        part_document(edition, (), state="pending")
    with pytest.raises(ValueError, match="scored with 0 bands"):
        part_document(edition, (), reason=reason)


@pytest.mark.parametrize("name", sorted(PARTS))
def test_every_trace_replays(name: str) -> None:
    document = PARTS[name]()
    for row in document["criteria"]:
        if row["trace"]:
            assert replay(parse(row["trace"])) == row["band"]
    if document["trace"]:
        assert float(replay(parse(document["trace"]))) == document["overall"]
        mean = document["trace"]["operands"][0]
        assert [step["value"] for step in mean["operands"]] == [row["band"] for row in document["criteria"]]


@pytest.mark.parametrize("name", sorted(PARTS))
def test_documents_fit_the_schema(name: str) -> None:
    assert [error.message for error in CHECK.iter_errors(PARTS[name]())] == []


def objects(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, dict):
        yield path
        for key, value in data.items():
            if key != "operands":
                yield from objects(value, (*path, key))
    elif isinstance(data, list) and data:
        yield from objects(data[0], (*path, 0))


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def test_unknown_and_missing_keys_are_refused_everywhere() -> None:
    document = mixed() | {"judgement": sampled()["judgement"]}
    paths = list(objects(document))
    assert len(paths) > 10
    for path in paths:
        changed = copy.deepcopy(document)
        at(changed, path)["surprise"] = 1
        assert not CHECK.is_valid(changed), path
        for key in at(document, path):
            changed = copy.deepcopy(document)
            del at(changed, path)[key]
            assert not CHECK.is_valid(changed), (*path, key)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("overall",), 6.25),
        (("overall",), 9.5),
        (("overall",), None),
        (("trace",), None),
        (("state",), "pending"),
        (("reason",), {"code": "x", "found": "y", "remedy": "z"}),
        (("criteria", 0, "band"), 10),
        (("criteria", 0, "band"), 6.5),
        (("criteria", 0, "band"), None),
        (("criteria", 0, "checks", 0, "result"), None),
        (("criteria", 0, "checks", 0, "result"), "pass"),
        (("criteria", 0, "checks", 0, "of"), 0),
        (("criteria", 0, "passed"), 6),
        (("part",), 4),
        (("rubric", "digest"), "abc"),
        (("rubric", "provenance"), "guessed"),
        (("schema",), "vivavoce-interview-2"),
        (("schema",), "vivavoce-interview-test-1"),
    ],
)
def test_a_document_that_contradicts_itself_is_refused(path: tuple[Any, ...], value: Any) -> None:
    document = mixed()
    at(document, path[:-1])[path[-1]] = value
    assert not CHECK.is_valid(document)
