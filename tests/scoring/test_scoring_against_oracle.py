"""The engine against the oracle: thousands of random requests, in process and through the command."""

from __future__ import annotations

import json
import random
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scoring_oracle import BANDS, MARKERS
from scoring_requests import MODULES, SPOTS, answers, changed, compare, dump, request, some_adherence, some_request

NUMBERS = {
    "words_per_minute": st.decimals(0, 400, places=1),
    "pace_variation": st.one_of(st.none(), st.decimals(0, 1, places=3)),
    "choppy_breaks_per_minute": st.decimals(0, 25, places=2),
    "hesitations_per_minute": st.decimals(0, 15, places=2),
    "speech_seconds": st.decimals(0, 90, places=2),
    "level_db": st.decimals(-20, 100, places=2),
    "consistency_db": st.decimals(0, 20, places=2),
    "fade_db": st.decimals(-9, 9, places=2),
}


@st.composite
def lab_requests(draw: st.DrawFn) -> dict[str, Any]:
    """A request whose every number Hypothesis chooses, and can shrink."""
    module, band = draw(st.sampled_from(MODULES)), draw(st.sampled_from(BANDS))
    rate = {name: draw(NUMBERS[name]) for name in list(SPOTS)[:5]} | {"pace_rises": draw(st.booleans())}
    volume = {name: draw(NUMBERS[name]) for name in list(SPOTS)[5:]}
    inputs = {
        "pronunciation": {"score": draw(st.integers(0, 100))},
        "fluency": {"score": draw(st.integers(0, 100))},
        "speaking_rate": rate,
        "volume_control": volume,
        "task_adherence": some_adherence(draw(st.randoms(use_true_random=False)), module),
    }
    return {"module": module, "grade_band": band, "inputs": inputs}


@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(lab_requests(), min_size=1, max_size=3))
def test_requests_that_hypothesis_chooses(batch: list[dict[str, Any]]) -> None:
    lines = [dump(item) for item in batch]
    for line, found in zip(lines, answers(lines), strict=True):
        compare(line, found)


@pytest.mark.parametrize("seed", range(4))
def test_a_thousand_random_requests(seed: int) -> None:
    """Values at the tables' edges, a hair beside them, and between; every module and grade band comes up."""
    rng = random.Random(seed)
    batch = [some_request(rng) for _ in range(1000)]
    lines = [dump(item) for item in batch]
    for line, found in zip(lines, answers(lines), strict=True):
        compare(line, found)
    assert {(item["module"], item["grade_band"]) for item in batch} == {(m, b) for m in MODULES for b in BANDS}


@pytest.mark.parametrize("seed", range(2))
def test_markers_that_are_absent_or_null_are_pending(seed: int) -> None:
    rng = random.Random(100 + seed)
    lines = [dump(some_request(rng, missing=0.25)) for _ in range(300)]
    found = answers(lines)
    for line, item in zip(lines, found, strict=True):
        compare(line, item)
    states = {marker: {item["markers"][marker]["state"] for item in found} for marker in MARKERS}
    assert all({"scored", "pending"} <= seen for seen in states.values())


def test_one_missing_marker_keeps_the_others_and_stops_the_overall() -> None:
    whole = request("silly_topics_debate", "high")
    for marker in MARKERS:
        for missing in ({k: v for k, v in whole["inputs"].items() if k != marker}, whole["inputs"] | {marker: None}):
            line = dump(whole | {"inputs": missing})
            found = answers([line])[0]
            compare(line, found)
            assert found["overall"]["state"] == found["markers"][marker]["state"] == "pending"
            assert [name for name in MARKERS if found["markers"][name]["score"] is None] == [marker]


@pytest.mark.parametrize("module", MODULES)
def test_no_speech_is_not_scored_anywhere(module: str) -> None:
    """A8, whatever else was given: nothing is pending, nothing has a number."""
    for base in (request(module, "middle"), {"module": module, "grade_band": "middle", "inputs": {}}):
        rate = request(module, "middle", speaking_rate__speech_seconds=0)["inputs"]["speaking_rate"]
        found = answers([changed(base, "/inputs/speaking_rate", rate)])[0]
        for outcome in (*found["markers"].values(), found["overall"]):
            assert (outcome["state"], outcome["score"], outcome["trace"]) == ("not_scored", None, None)
            assert outcome["reason"]["code"] == "no_speech"


def test_the_order_of_requests_and_of_keys_does_not_matter() -> None:
    rng = random.Random(7)
    batch = [some_request(rng) for _ in range(150)]

    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(item) for key, item in reversed(value.items())}
        return value

    forwards = answers(batch)
    assert answers(reversed(batch)) == forwards[::-1]
    assert answers(turned(item) for item in batch) == forwards


def _command() -> list[str]:
    return [str(Path(sysconfig.get_path("scripts")) / "vivavoce"), "lab"]


def test_the_command_gives_the_same_answers(tmp_path: Path) -> None:
    """Standard input and a named file; blank lines are passed over; exit code 0."""
    rng = random.Random(11)
    lines = [dump(some_request(rng)) for _ in range(200)]
    text = "\n\n".join(lines)
    file = tmp_path / "requests.jsonl"
    file.write_text(text, encoding="utf-8")
    piped = subprocess.run(_command(), input=text.encode(), capture_output=True, check=True)
    named = subprocess.run([*_command(), str(file)], capture_output=True, check=True)
    assert piped.stdout == named.stdout
    assert piped.stderr == named.stderr == b""
    found = [json.loads(answer) for answer in piped.stdout.decode("ascii").splitlines()]
    assert found == answers(lines)
    for line, item in zip(lines, found, strict=True):
        compare(line, item)
