"""What a trace promises: it replays, it round-trips, its sources resolve, its expressions give its values."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scoring_oracle import BANDS
from scoring_requests import MODULES, answer, answers, request, some_request

from scoring_evaluator import evaluate
from vivavoce.arithmetic import OPERATIONS, parse, replay, to_json
from vivavoce.rubric.load import published

KEYS = {"name", "op", "operands", "value", "unit", "source", "note", "expression"}
LEAVES = {"measured", "judged", "given", "parameter"}
LOOK_UPS = {"choose", "cap_when", "per_window"}


def walk(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A node and all below it."""
    yield node
    for operand in node["operands"]:
        yield from walk(operand)


def _traces(found: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    outcomes = [*found["markers"].values(), found["overall"]]
    return [(outcome["score"], outcome["trace"]) for outcome in outcomes if outcome["trace"] is not None]


@pytest.fixture(scope="module")
def traced() -> list[tuple[int, dict[str, Any]]]:
    """Scores with their traces: random requests, and one plain one of every module and grade band."""
    rng = random.Random(20)
    batch = [some_request(rng, missing=0.05) for _ in range(150)]
    batch += [request(module, band) for module in MODULES for band in BANDS]
    return [pair for found in answers(batch) for pair in _traces(found)]


def test_a_trace_replays_to_its_score(traced: list[tuple[int, dict[str, Any]]]) -> None:
    for score, trace in traced:
        node = parse(trace)
        assert replay(node) == node.value == score == trace["value"]


def test_a_trace_goes_through_json_unchanged(traced: list[tuple[int, dict[str, Any]]]) -> None:
    for _, trace in traced:
        assert json.loads(to_json(parse(trace))) == trace


def test_nodes_have_their_eight_keys_and_known_operations(traced: list[tuple[int, dict[str, Any]]]) -> None:
    for _, trace in traced:
        for node in walk(trace):
            assert set(node) == KEYS
            assert all(isinstance(node[key], str) for key in KEYS - {"value", "operands"})
            assert type(node["value"]) in (int, float)
            assert (node["op"] in LEAVES) == (node["operands"] == [])
            assert node["op"] in LEAVES or node["op"] in OPERATIONS
            assert node["name"]


def test_expressions_give_their_values(traced: list[tuple[int, dict[str, Any]]]) -> None:
    """To 1e-6, by an evaluator that shares nothing with the engine; a look-up and a leaf show the number taken."""
    seen = set()
    for _, trace in traced:
        for node in walk(trace):
            value = evaluate(node["expression"])
            assert abs(value - Fraction(str(node["value"]))) <= Fraction(1, 10**6), node["expression"]
            if node["op"] in LEAVES | LOOK_UPS:
                assert float(value) == node["value"]
                assert node["expression"].strip("()-").replace(".", "").replace("/", "").isdigit()
            seen.add(node["op"])
    assert seen >= set(OPERATIONS) - {"per_window", "product", "lookup", "mean", "floor_to", "interpolate", "passed"}, (
        "some operation never came up"
    )


def test_expressions_hold_their_operands_numbers(traced: list[tuple[int, dict[str, Any]]]) -> None:
    """A computed node's formula has every operand's own text in it."""
    for _, trace in traced:
        for node in walk(trace):
            if node["op"] not in LEAVES | LOOK_UPS:
                assert all(operand["expression"] in node["expression"] for operand in _leaves(node)), node


def _leaves(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [operand for operand in node["operands"] if operand["op"] in LEAVES]


def test_parameters_resolve_in_the_edition_to_the_same_value(traced: list[tuple[int, dict[str, Any]]]) -> None:
    entries = published().entries
    parameters = [node for _, trace in traced for node in walk(trace) if node["op"] == "parameter"]
    assert len({node["source"] for node in parameters}) > 150
    for node in parameters:
        entry = entries[node["source"]].value
        assert isinstance(entry, int | Decimal), node
        assert Fraction(entry) == evaluate(node["expression"]), node


def test_sources_of_computed_nodes_are_in_the_edition_too(traced: list[tuple[int, dict[str, Any]]]) -> None:
    """Each is a value's path or the beginning of one; leaves that were given by hand say so."""
    entries = published().entries
    sources = {(node["op"], node["source"]) for _, trace in traced for node in walk(trace)}
    for op, source in sources:
        if op == "given":
            assert source == "given by hand"
        elif source:
            assert any(path == source or path.startswith(f"{source}.") for path in entries), (op, source)


def test_the_overall_holds_the_markers_own_traces() -> None:
    found = answer(request("tongue_twister", "middle"))
    markers = [outcome["trace"] for outcome in found["markers"].values()]
    assert found["overall"]["trace"]["operands"][::2] == markers


def test_a_changed_trace_is_refused(traced: list[tuple[int, dict[str, Any]]]) -> None:
    """A value that its operands do not give is found, wherever it stands in the tree."""
    _, trace = next((s, t) for s, t in traced if t["name"] == "overall")
    text = json.dumps(trace)
    for index, _ in enumerate(walk(trace)):
        twisted = json.loads(text)
        node = list(walk(twisted))[index]
        if node["op"] in LEAVES:
            continue
        node["value"] += 0.001
        with pytest.raises(ValueError, match="its operands give"):
            parse(twisted)


@pytest.mark.parametrize("op", ["eval", "median", ""])
def test_an_unknown_operation_is_refused(op: str) -> None:
    trace = answer(request("poem_recitation", "high"))["overall"]["trace"]
    with pytest.raises(ValueError, match="is no operation"):
        parse(trace | {"op": op})


def test_a_dropped_part_is_named_with_its_reason() -> None:
    short = request("poem_recitation", "high", speaking_rate__speech_seconds=9, speaking_rate__pace_variation=None)
    notes = " ".join(node["note"] for node in walk(answer(short)["markers"]["speaking_rate"]["trace"]))
    assert "choppiness" in notes
    assert "consistency" in notes
    assert "no hesitation cut" in notes


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10_000))
def test_scores_stay_between_0_and_95(seed: int) -> None:
    rng = random.Random(seed)
    for found in answers(some_request(rng) for _ in range(5)):
        for score, trace in _traces(found):
            assert 0 <= score <= 95
            assert type(score) is type(trace["value"]) is int
        for outcome in found["markers"].values():
            assert outcome["quality"] is None or 0 <= outcome["quality"] <= 1
