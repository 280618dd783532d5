"""The worked examples that ship: their hand arithmetic is right, and the engine comes to the same."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from scoring_oracle import BANDS, MARKERS, WEIGHTS, expect, half_up
from scoring_requests import MODULES, answer

from scoring_evaluator import evaluate
from vivavoce.cli.main import main
from vivavoce.rubric.load import published
from vivavoce.worked import FOLDER, example_of, examples

LINE = re.compile(r"([a-z_]+) = ([-0-9.+*/() ,min]+) = ([0-9.]+)")


def _steps(example: dict[str, Any]) -> list[tuple[str, str, str]]:
    """The lines `name = expression = value` of a derivation; the others are remarks."""
    found = [LINE.fullmatch(line) for line in example["derivation"]]
    assert all(match or " = " not in line for match, line in zip(found, example["derivation"], strict=True))
    return [(match[1], match[2], match[3]) for match in found if match]


@pytest.fixture(params=MODULES)
def example(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Each module's example in turn."""
    return example_of(published(), request.param)


def test_it_says_what_it_is(example: dict[str, Any]) -> None:
    assert list(example) == ["module", "title", "origin", "request", "derivation", "expected"]
    assert example["request"]["module"] == example["module"]
    assert "by hand" in example["origin"]
    assert example["title"]


def test_its_hand_arithmetic_is_right(example: dict[str, Any]) -> None:
    """Every line's expression, rounded half up to the decimals shown, is the value shown."""
    steps = _steps(example)
    assert len(steps) >= 12
    for name, expression, value in steps:
        decimals = len(value.partition(".")[2])
        exact = evaluate(expression)
        whole = name in (*MARKERS, "overall", "base_score", "coverage")
        digits = 0 if whole else 3 if value == "0.568" else 6
        assert decimals <= digits
        assert half_up(exact, digits) == Fraction(value), (name, expression, value)


def test_its_lines_hang_together(example: dict[str, Any]) -> None:
    """A marker's line is its expected score, and the overall's holds the weights and the five scores, in order."""
    steps = _steps(example)
    by_hand = {name: int(value) for name, _, value in steps if name in MARKERS}
    assert by_hand == example["expected"]["markers"]
    name, expression, value = steps[-1]
    weights = WEIGHTS[example["module"]]
    terms = [f"0.{weight:02d} * {by_hand[marker]}" for marker, weight in zip(MARKERS, weights, strict=True)]
    assert (name, expression, int(value)) == ("overall", " + ".join(terms), example["expected"]["overall"])
    # What a later line uses without having been given it was the value of an earlier one.
    known = set(re.findall(r"[0-9.]+", json.dumps(example["request"])))
    for _, expression, value in steps:
        used = set(re.findall(r"\d+\.\d{3,}", expression))
        assert used <= known, (expression, used - known)
        known.add(value)


def test_the_engine_comes_to_the_same(example: dict[str, Any]) -> None:
    found = answer(json.dumps(example["request"]))
    assert {name: found["markers"][name]["score"] for name in MARKERS} == example["expected"]["markers"]
    assert found["overall"]["score"] == example["expected"]["overall"]
    shown = {Fraction(value) for name, _, value in _steps(example) if name == "quality"}
    assert {Fraction(str(m["quality"])) for m in found["markers"].values() if m["quality"] is not None} == shown


def test_the_oracle_comes_to_the_same(example: dict[str, Any]) -> None:
    expected = expect(json.dumps(example["request"]))
    assert expected.scores == example["expected"]["markers"]
    assert expected.overall == example["expected"]["overall"]


def test_it_is_not_in_the_guide(example: dict[str, Any], guides: Path) -> None:
    """Its measurements are ours: none of those with a decimal point stands in the guide's text."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(guides.glob("000_*.txt")))
    assert "Score Lab" in text
    rate = example["request"]["inputs"]["speaking_rate"]
    assert not any(f"{rate[name]}" in text for name in ("words_per_minute", "pace_variation"))


def test_they_cover_bands_and_cases() -> None:
    """One file a module; every grade band; a cap, a broken order rule, short speech, a rise, a cut, and 0.9625."""
    every = list(examples(published()))
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == sorted(MODULES)
    assert {item["request"]["grade_band"] for item in every} == set(BANDS)
    inputs = {item["module"]: item["request"]["inputs"] for item in every}
    rates = [given["speaking_rate"] for given in inputs.values()]
    assert inputs["audio_postcard"]["task_adherence"]["guardrails"]
    assert inputs["short_informative_presentation"]["task_adherence"]["broken_order_rules"]
    assert inputs["tongue_twister"]["speaking_rate"]["pace_rises"] is True
    assert sum(rate["speech_seconds"] < 10 for rate in rates) == 1
    assert sum(rate["hesitations_per_minute"] > 0 for rate in rates) == 8
    steps = [(name, value) for item in every for name, _, value in _steps(item)]
    place = steps.index(("quality", "0.9625"))
    assert steps[place + 1 : place + 3] == [("frac", "0.568"), ("volume_control", "93")]


def test_the_command_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    """One as it is in the package; all requests as lines, which the lab takes."""
    for module in MODULES:
        assert main(["example", module]) == 0
        assert json.loads(capsys.readouterr().out) == example_of(published(), module)
    assert main(["example"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line) for line in lines] == [item["request"] for item in examples(published())]
    overalls = [answer(line)["overall"]["score"] for line in lines]
    assert overalls == [item["expected"]["overall"] for item in examples(published())]


def test_an_unknown_module_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["example", "haiku"]) == 2
    assert "value_unknown" in capsys.readouterr().err
