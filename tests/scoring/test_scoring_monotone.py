"""Where the rubric is monotone, so are the scores: worse never raises, better never lowers."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scoring_oracle import BANDS, CLOSED
from scoring_requests import MODULES, request, scores, some_request

# Markers' fields that can only harm, and that can only help.
WORSE = {
    "speaking_rate": ("choppy_breaks_per_minute", "hesitations_per_minute"),
    "volume_control": ("consistency_db", "fade_db"),
}
STEPS = [Decimal(text) for text in ("0.000001", "0.01", "0.5", "2", "7.77")]


def _pair(seed: int, marker: str, field: str, step: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A random request, and the same with one field raised by `step`: marker score and overall of each."""
    base = some_request(random.Random(seed))
    if base["inputs"]["speaking_rate"]["speech_seconds"] == 0:
        base["inputs"]["speaking_rate"]["speech_seconds"] = 12
    before = scores(base)
    base["inputs"][marker][field] += step
    return before, scores(base)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(
    st.integers(0, 10**6),
    st.sampled_from([(marker, field) for marker, fields in WORSE.items() for field in fields]),
    st.sampled_from(STEPS),
)
def test_more_of_what_harms_never_raises_a_score(seed: int, field: tuple[str, str], step: Decimal) -> None:
    before, after = _pair(seed, *field, step)
    assert after[field[0]] <= before[field[0]]
    assert after["overall"] <= before["overall"]


@pytest.mark.parametrize(
    ("marker", "field", "values"),
    [
        ("speaking_rate", "choppy_breaks_per_minute", range(20)),
        ("speaking_rate", "hesitations_per_minute", range(16)),
        ("volume_control", "consistency_db", range(20)),
        ("volume_control", "fade_db", range(-2, 7)),
    ],
)
@pytest.mark.parametrize("band", BANDS)
def test_each_of_them_does_lower_it_at_last(marker: str, field: str, values: range, band: str) -> None:
    """Otherwise the property above would hold of a constant."""
    for module in MODULES:
        row = [scores(request(module, band, **{f"{marker}__{field}": value}))[marker] for value in values]
        assert row == sorted(row, reverse=True)
        assert row[0] > row[-1]


def _reading(rng: random.Random) -> dict[str, Any]:
    reference = rng.randint(2, 200)
    trailing = rng.randint(0, reference - 1)
    matched = rng.randint(0, reference - trailing - 1)
    return {
        "reference_words": reference,
        "trailing_omissions": trailing,
        "matched": matched,
        "insertions": rng.randint(0, 20),
    }


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.integers(0, 10**6))
def test_readings(seed: int) -> None:
    """One more word matched never lowers; one more trailing omission or insertion never raises."""
    rng = random.Random(seed)
    base = some_request(rng)
    base["module"] = rng.choice(CLOSED)
    base["inputs"]["speaking_rate"] |= {"pace_rises": True, "speech_seconds": 12}
    counts = _reading(rng)

    def scored(**more: int) -> Any:
        changed = {name: value + more.get(name, 0) for name, value in counts.items()}
        base["inputs"]["task_adherence"] = changed
        return scores(base)

    before, better = scored(), scored(matched=1)
    assert better["task_adherence"] >= before["task_adherence"]
    assert better["overall"] >= before["overall"]
    for worse in (scored(trailing_omissions=1), scored(insertions=1)):
        assert worse["task_adherence"] <= before["task_adherence"]
        assert worse["overall"] <= before["overall"]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, 10**6))
def test_judgements_and_rises(seed: int) -> None:
    """A higher judgement never lowers the overall; another guardrail never raises it; a rise in pace never harms."""
    rng = random.Random(seed)
    base = some_request(rng)
    base["module"] = rng.choice(("audio_postcard", "tongue_twister"))
    base["inputs"]["speaking_rate"] |= {"pace_rises": False, "speech_seconds": rng.choice((5, 12))}
    base["inputs"]["pronunciation"]["score"] = rng.randint(0, 99)
    base["inputs"]["task_adherence"] = (
        _reading(rng)
        if base["module"] == "tongue_twister"
        else {"score": rng.randint(0, 100), "specific_detail": True, "guardrails": ["over_vagueness"]}
    )
    before = scores(base)
    base["inputs"]["pronunciation"]["score"] += 1
    better = scores(base)
    assert better["overall"] >= before["overall"]
    if base["module"] == "audio_postcard":
        base["inputs"]["task_adherence"]["guardrails"].append(rng.choice(("substance", "groundedness", "reversal")))
        assert scores(base)["task_adherence"] <= better["task_adherence"]
    else:
        base["inputs"]["speaking_rate"]["pace_rises"] = True
        assert scores(base)["speaking_rate"] >= better["speaking_rate"]
