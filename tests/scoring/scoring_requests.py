"""Makes Score Lab requests (whole, random, at the edges) and compares answers with the oracle."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from scoring_oracle import BANDS, CAPS, CLOSED, MARKERS, NO_SPEECH, PENDING, WEIGHTS, expect

from vivavoce.rubric.load import published
from vivavoce.scoring.request import answer_lines

MODULES = tuple(WEIGHTS)
ORDER_RULES = ("end_with_last", "introduced_before_referenced")
SPOTS = {
    "words_per_minute": "0 64 65 66 74 75 76 79 80 81 85 90 95 100 105 110 150 180 190 200 219 220 221 229 230 231 400",
    "pace_variation": "0 0.05 0.10 0.12 0.15 0.18 0.22 0.25 0.28 0.30 0.35 0.36 0.44 0.56 0.60 0.70 0.90",
    "choppy_breaks_per_minute": "0 1 2 3 4 5 6 7.5 8 9 10 12 15 20",
    "hesitations_per_minute": "0 0.5 1 2 2.5 3 4 5 6 8 10 12 13",
    "speech_seconds": "0.01 5 9.99 9.999999 10 10.01 31.4 60",
    "level_db": "-12 0 34 35 36 40 44 45 46 60 75 76 80 84 85 90",
    "consistency_db": "0 4 5 6 7 8 8.5 10 12 13 14 15 16 17",
    "fade_db": "-6 -0.5 0 1.5 1.6 2 2.5 2.6 3 3.5 4 5 5.1 9",
}


def dump(value: Any) -> str:
    """JSON text; a Decimal is written in its own plain digits."""
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {dump(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(dump(item) for item in value) + "]"
    return json.dumps(value)


def request(module: str, band: str, **changes: Any) -> dict[str, Any]:
    """A whole request in mid-range; `changes` replace whole markers, or fields of them by `marker__field`."""
    adherence: dict[str, Any] = {"score": 80}
    if module in CLOSED:
        adherence = {"reference_words": 60, "trailing_omissions": 3, "matched": 51, "insertions": 2}
    elif module == "audio_postcard":
        adherence |= {"specific_detail": True, "guardrails": []}
    elif module == "short_informative_presentation":
        adherence |= {"broken_order_rules": []}
    elif module == "story_building":
        adherence = {"keywords_required": 7, "keywords_present": 5, "story": 77}
    inputs: dict[str, Any] = {
        "pronunciation": {"score": 84},
        "fluency": {"score": 71},
        "speaking_rate": {
            "words_per_minute": Decimal("97.3"),
            "pace_variation": Decimal("0.317"),
            "choppy_breaks_per_minute": Decimal("5.27"),
            "hesitations_per_minute": Decimal("1.13"),
            "speech_seconds": Decimal("41.5"),
            "pace_rises": False,
        },
        "volume_control": {
            "level_db": Decimal("43.21"),
            "consistency_db": Decimal("9.87"),
            "fade_db": Decimal("2.93"),
        },
        "task_adherence": adherence,
    }
    for name, value in changes.items():
        marker, _, field = name.partition("__")
        if field:
            inputs[marker][field] = value
        else:
            inputs[marker] = value
    return {"module": module, "grade_band": band, "inputs": inputs}


def some_number(rng: random.Random, field: str) -> Decimal | int:
    """A value of a field: a spot of some table, a hair beside one, or anything between, with up to 8 decimals."""
    spots = [Decimal(text) for text in SPOTS[field].split()]
    value = rng.choice(spots)
    style = rng.random()
    if style < 0.35:
        return value
    if style < 0.5:
        value += rng.choice((1, -1)) * Decimal("0.000001")
    else:
        value = round(Decimal(rng.uniform(float(spots[0]), float(spots[-1]))), rng.choice((0, 1, 2, 3, 6, 8)))
    return value if field in ("level_db", "fade_db") else abs(value)


def some_adherence(rng: random.Random, module: str) -> dict[str, Any]:
    """Task adherence as a module takes it."""
    if module in CLOSED:
        reference = rng.choice((1, 6, 18, 20, 50, 100, 137, 400))
        trailing = rng.choice((0, 0, rng.randint(0, reference), rng.randint(0, reference) // 3))
        matched = rng.choice((reference - trailing, rng.randint(0, reference - trailing)))
        insertions = rng.choice((0, 0, 1, rng.randint(0, reference)))
        return {
            "reference_words": reference,
            "trailing_omissions": trailing,
            "matched": matched,
            "insertions": insertions,
        }
    if module == "story_building":
        required = rng.randint(1, 12)
        return {
            "keywords_required": required,
            "keywords_present": rng.choice((required, rng.randint(0, required))),
            "story": rng.choice((25, 26, rng.randint(0, 100))),
        }
    result: dict[str, Any] = {"score": some_score(rng)}
    if module == "audio_postcard":
        result["specific_detail"] = rng.random() < 0.7
        result["guardrails"] = rng.sample(list(CAPS), rng.choice((0, 0, 1, 2, 4)))
    if module == "short_informative_presentation":
        result["broken_order_rules"] = rng.sample(ORDER_RULES, rng.choice((0, 0, 1, 2)))
    return result


def some_score(rng: random.Random) -> int:
    """A judged score, often one about the ceiling."""
    return rng.choice((rng.randint(0, 100), rng.randint(60, 100), 94, 95, 96, 100, 0))


def some_request(rng: random.Random, missing: float = 0.0) -> dict[str, Any]:
    """A random request; `missing` is the chance of each marker to be absent or null."""
    module, band = rng.choice(MODULES), rng.choice(BANDS)
    rate: dict[str, Any] = {field: some_number(rng, field) for field in list(SPOTS)[:5]}
    if rng.random() < 0.15:
        rate["pace_variation"] = None
    if rng.random() < 0.03:
        rate["speech_seconds"] = 0
    if module == "tongue_twister" or rng.random() < 0.3:
        rate["pace_rises"] = rng.random() < 0.5
    inputs: dict[str, Any] = {
        "pronunciation": {"score": some_score(rng)},
        "fluency": {"score": some_score(rng)},
        "speaking_rate": rate,
        "volume_control": {field: some_number(rng, field) for field in list(SPOTS)[5:]},
        "task_adherence": some_adherence(rng, module),
    }
    for marker in MARKERS:
        if rng.random() < missing:
            if rng.random() < 0.5:
                inputs[marker] = None
            else:
                del inputs[marker]
    return {"module": module, "grade_band": band, "inputs": inputs}


def answers(requests: Iterable[Any]) -> list[dict[str, Any]]:
    """What the engine answers to these requests (dicts or lines), by the function that the command calls."""
    lines = [item if isinstance(item, str) else dump(item) for item in requests]
    return [json.loads(text) for text in answer_lines(published(), [line.encode() for line in lines])]


def answer(item: Any) -> dict[str, Any]:
    """What the engine answers to one request."""
    return answers([item])[0]


def scores(item: Any) -> dict[str, Any]:
    """The engine's marker scores and overall."""
    found = answer(item)
    return {name: found["markers"][name]["score"] for name in MARKERS} | {"overall": found["overall"]["score"]}


def changed(base: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of a request with one value set; `path` is a JSON pointer."""
    result = copy.deepcopy(base)
    place: Any = result
    *steps, last = path.strip("/").split("/")
    for step in steps:
        place = place[step]
    place[last] = value
    return result


def compare(line: str, found: dict[str, Any]) -> None:
    """Fail where an answer is not what the oracle expects of its request."""
    assert "error" not in found, (line, found)
    expected = expect(line)
    for marker in MARKERS:
        _compare(line, marker, expected.scores[marker], found["markers"][marker])
        quality = expected.qualities[marker]
        assert found["markers"][marker]["quality"] == (None if quality is None else float(quality)), (line, marker)
    _compare(line, "overall", expected.overall, found["overall"])
    trace = found["markers"]["speaking_rate"]["trace"] or {"operands": []}
    cuts = [node["value"] for node in trace["operands"] if node["name"] == "hesitation_cut"]
    assert cuts == ([] if expected.cut is None else [float(expected.cut)]), line


def _compare(line: str, name: str, expected: int | str, found: dict[str, Any]) -> None:
    if expected in (PENDING, NO_SPEECH):
        assert (found["score"], found["trace"]) == (None, None), (line, name, found)
        assert found["state"] == ("pending" if expected == PENDING else "not_scored"), (line, name, found)
        assert expected == PENDING or found["reason"]["code"] == NO_SPEECH, (line, name, found)
        return
    assert found["state"] == "scored", (line, name, found)
    assert found["score"] == expected == found["trace"]["value"], (line, name, expected, found["score"])
