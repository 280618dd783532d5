"""Contracts as JSON: one strict root and nothing else, and whatever is accepted holds by another program, too."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from judging_samples import GOOD, SAID, brief, read, refusal

from vivavoce.errors import RequestError
from vivavoce.judging.contract import MAX_REPLY_BYTES

GOOD_TEXT = json.dumps(GOOD["story_building", "task_adherence"])


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("", "json_invalid"),
        ("The story is good, 62.", "json_invalid"),
        (f"```json\n{GOOD_TEXT}\n```", "json_invalid"),
        (f"Here it is: {GOOD_TEXT}", "json_invalid"),
        (f"{GOOD_TEXT} Hope that helps!", "json_invalid"),
        (f"{GOOD_TEXT}\n{GOOD_TEXT}", "json_invalid"),
        (GOOD_TEXT[:-1], "json_invalid"),
        (GOOD_TEXT.replace('"', "'"), "json_invalid"),
        (GOOD_TEXT.replace("}", ",}"), "json_invalid"),
        ('{"story": 62, // fine\n "reason": "x"}', "json_invalid"),
        ('{"story": 062, "reason": "x"}', "json_invalid"),
        ('{"story": 62, "story": 63, "reason": "x"}', "json_duplicate_key"),
        ('{"story": NaN, "reason": "x"}', "json_not_finite"),
        ('{"story": 62.0, "reason": "x"}', "value_type"),
        ('{"story": 1e1, "reason": "x"}', "value_type"),
        ('{"story": 1e999999, "reason": "x"}', "number_extreme"),
        (f"[{GOOD_TEXT}]", "request_shape"),
        ('"62"', "request_shape"),
        ("[" * 100_000, "json_too_deep"),
        (GOOD_TEXT + " " * MAX_REPLY_BYTES, "reply_too_long"),
        ("\N{ZERO WIDTH SPACE}" + GOOD_TEXT, "json_invalid"),
    ],
)
def test_nothing_but_one_strict_json_root_is_read(raw: str, code: str) -> None:
    error = refusal("story_building", "task_adherence", raw)
    assert error.code == code
    assert error.where.startswith("/")


def test_white_space_around_the_root_is_no_matter() -> None:
    assert read("story_building", "task_adherence", f"\n  {GOOD_TEXT}\t\n")["story"] == 62


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 120) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(sorted(GOOD)), st.data())
def test_whatever_is_accepted_satisfies_the_schema_and_the_quotes(case: tuple[str, str], data: st.DataObject) -> None:
    """Mutated replies: an accepted one is checked again by another program (jsonschema) and by plain search."""
    module, marker = case
    reply: Any = json.loads(json.dumps(GOOD[case]))
    places: list[tuple[Any, Any]] = []

    def collect(value: Any) -> None:
        if isinstance(value, dict | list):
            for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
                places.append((value, key))
                collect(inner)

    collect(reply)
    holder, key = data.draw(st.sampled_from(range(len(places))).map(lambda at: places[at]))
    holder[key] = data.draw(JSON_VALUES)
    asked = brief(module, marker)
    raw = json.dumps(reply)
    try:
        read(module, marker, raw)
    except RequestError:
        return
    assert Draft202012Validator(asked.contract().schema()).is_valid(reply)
    for row in [*reply.get("checklist", {}).values(), *reply.get("guardrails", {}).values()]:
        assert row["words"].strip().casefold() in SAID.casefold() or not row["words"].strip()
