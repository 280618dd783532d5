"""A bad line is answered by its error, at its place, and the rest goes on."""

from __future__ import annotations

import json
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scoring_requests import MODULES, answers, changed, compare, dump, request

from vivavoce.rubric.load import published
from vivavoce.scoring.request import answer_lines

POSTCARD = request("audio_postcard", "high")
PRESENTATION = request("short_informative_presentation", "middle")
STORY = request("story_building", "elementary")
POEM = request("poem_recitation", "middle")
TWISTER = request("tongue_twister", "high")
RAPID = request("rapid_fire_qa", "high")
RATE, VOLUME, TASK = "/inputs/speaking_rate", "/inputs/volume_control", "/inputs/task_adherence"
LEVELS = {"smoothness": "good", "filler_control": "good", "recovery": "good"}


def with_raw(base: dict[str, Any], path: str, text: str) -> str:
    """A request's line with a piece of JSON text in the place of one value."""
    mark = "the one place to fill"
    return dump(changed(base, path, mark)).replace(json.dumps(mark), text)


def without(base: dict[str, Any], path: str) -> dict[str, Any]:
    """A request without one key."""
    parent, _, key = path.rpartition("/")
    place: Any = base
    for step in parent.strip("/").split("/") if parent else []:
        place = place[step]
    kept = {name: value for name, value in place.items() if name != key}
    return changed(base, parent, kept) if parent else kept


def error_of(line: str | bytes, number: int = 2) -> dict[str, str]:
    """The error of a line that stands between two good ones, which must be answered as ever."""
    good = dump(POEM).encode()
    bad = line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass")
    found = [json.loads(text) for text in answer_lines(published(), [good, bad, good])]
    assert len(found) == 3
    compare(good.decode(), found[0])
    assert found[2] == found[0]
    assert set(found[1]) == {"error"}, line[:300]
    error: dict[str, str] = found[1]["error"]
    assert set(error) == {"code", "where", "found", "allowed", "remedy"}
    assert all(isinstance(text, str) and text and len(text) < 500 for text in error.values()), error
    return error


SYNTAX = [
    (b"{", "json_invalid", ""),
    (b"not json", "json_invalid", ""),
    (b'{"module": "poem_recitation",}', "json_invalid", ""),
    (b"{'module': 1}", "json_invalid", ""),
    (b'{"module": 1} {"module": 1}', "json_invalid", ""),
    (b'// a comment\t{"module": 1}', "json_invalid", ""),
    (b'{"module": "a\tb"}', "json_invalid", ""),
    (b'{"module": "\xff"}', "json_invalid", ""),
    (b"\xff\xfe{\x00}\x00", "json_invalid", ""),
    (b"\xef\xbb\xbf{}", "json_invalid", ""),
    (b'{"module": "\xed\xa0\x80"}', "json_invalid", ""),
    (b"[" * 50_000, "json_too_deep", ""),
    (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "json_too_deep", ""),
    (b'{"a": 1, "a": 2}', "json_duplicate_key", "/a"),
    (b'{"x": [0, {"y": {"b": 1, "c": 2, "b": 1}}]}', "json_duplicate_key", "/x/1/y/b"),
    (b'{"a/b~c": {"": 1, "": 2}}', "json_duplicate_key", "/a~1b~0c/"),
    (b"NaN", "json_not_finite", ""),
    (b'{"inputs": [1, -Infinity]}', "json_not_finite", "/inputs/1"),
    (b"{}", "key_missing", "/module"),
    (b"[]", "request_shape", ""),
    (b"[{}]", "request_shape", ""),
    (b"null", "request_shape", ""),
    (b"true", "request_shape", ""),
    (b"84", "request_shape", ""),
    (b'"audio_postcard"', "request_shape", ""),
    (b'{"module": "\\ud800", "grade_band": "high", "inputs": {}}', "value_unknown", "/module"),
    (b'{"\\ud800": 1}', "key_unknown", "/\ud800"),
    (b'{"h\xc3\xa9": 1}', "key_unknown", "/h\u00e9"),
    (b" " * 1_000_001 + b"{", "line_too_long", ""),
    (b'{"module": "' + b"x" * 5_000_000 + b'"}', "line_too_long", ""),
]


@pytest.mark.parametrize(("line", "code", "pointer"), SYNTAX, ids=range(len(SYNTAX)))
def test_what_is_no_json_object(line: bytes, code: str, pointer: str) -> None:
    error = error_of(line)
    assert (error["code"], error["where"]) == (code, f"line 2 {pointer}".strip())


@pytest.mark.parametrize(
    ("base", "path", "text", "code"),
    [
        # the top level
        (POEM, "/module", '"haiku"', "value_unknown"),
        (POEM, "/module", '"Poem_Recitation"', "value_unknown"),
        (POEM, "/module", "4", "value_unknown"),
        (POEM, "/module", "null", "value_unknown"),
        (POEM, "/module", '["poem_recitation"]', "value_unknown"),
        (POEM, "/grade_band", '"university"', "value_unknown"),
        (POEM, "/grade_band", "7", "value_unknown"),
        (POEM, "/grade_band", "{}", "value_unknown"),
        (POEM, "/inputs", "null", "request_shape"),
        (POEM, "/inputs", "[]", "request_shape"),
        (POEM, "/note", "1", "key_unknown"),
        (POEM, "/inputs/tone", "{}", "key_unknown"),
        # a marker
        (POEM, "/inputs/pronunciation", "84", "request_shape"),
        (POEM, "/inputs/fluency", "[]", "request_shape"),
        (POEM, RATE, '"fast"', "request_shape"),
        (POEM, TASK, "false", "request_shape"),
        (POEM, "/inputs/pronunciation/why", '""', "key_unknown"),
        (POEM, "/inputs/fluency/band", "1", "key_unknown"),
        (POEM, f"{RATE}/pause", "1", "key_unknown"),
        (POEM, f"{VOLUME}/gain_db", "1", "key_unknown"),
        (POEM, f"{TASK}/score", "80", "key_unknown"),
        (RAPID, f"{TASK}/guardrails", "[]", "key_unknown"),
        # a judged score is a whole number from 0 to 100, refused and never repaired
        (RAPID, "/inputs/pronunciation/score", "84.5", "value_type"),
        (RAPID, "/inputs/pronunciation/score", "84.0", "value_type"),
        (RAPID, "/inputs/pronunciation/score", "8.4e1", "value_type"),
        (RAPID, "/inputs/pronunciation/score", '"84"', "value_type"),
        (RAPID, "/inputs/pronunciation/score", "true", "value_type"),
        (RAPID, "/inputs/pronunciation/score", "null", "value_type"),
        (RAPID, "/inputs/pronunciation/score", "-1", "value_range"),
        (RAPID, "/inputs/fluency/score", "101", "value_range"),
        (RAPID, f"{TASK}/score", "[84]", "value_type"),
        (RAPID, f"{TASK}/score", "1" + "0" * 900, "value_range"),
        (RAPID, f"{TASK}/score", "1" + "0" * 5000, "number_extreme"),
        (RAPID, f"{TASK}/score", "NaN", "json_not_finite"),
        # measurements
        (POEM, f"{RATE}/words_per_minute", "-0.1", "value_range"),
        (POEM, f"{RATE}/words_per_minute", "1e999", "value_range"),
        (POEM, f"{RATE}/words_per_minute", "1e99999999", "number_extreme"),
        (POEM, f"{RATE}/words_per_minute", "1e-99999999", "number_extreme"),
        (POEM, f"{RATE}/words_per_minute", "1e99999999999999999999", "number_extreme"),
        (POEM, f"{RATE}/words_per_minute", "0." + "1" * 5000, "number_extreme"),
        (POEM, f"{RATE}/words_per_minute", "Infinity", "json_not_finite"),
        (POEM, f"{RATE}/words_per_minute", "false", "value_type"),
        (POEM, f"{RATE}/words_per_minute", "null", "value_type"),
        (POEM, f"{RATE}/words_per_minute", '"120"', "value_type"),
        (POEM, f"{RATE}/pace_variation", "-0.1", "value_range"),
        (POEM, f"{RATE}/pace_variation", '"none"', "value_type"),
        (POEM, f"{RATE}/choppy_breaks_per_minute", "[]", "value_type"),
        (POEM, f"{RATE}/hesitations_per_minute", "-1", "value_range"),
        (POEM, f"{RATE}/speech_seconds", "-1", "value_range"),
        (POEM, f"{RATE}/pace_rises", "1", "value_type"),
        (TWISTER, f"{RATE}/pace_rises", "null", "value_type"),
        (TWISTER, f"{RATE}/pace_rises", '"yes"', "value_type"),
        (POEM, f"{VOLUME}/level_db", "1e9", "value_range"),
        (POEM, f"{VOLUME}/level_db", "null", "value_type"),
        (POEM, f"{VOLUME}/consistency_db", "-0.01", "value_range"),
        (POEM, f"{VOLUME}/fade_db", "true", "value_type"),
        # counts of an alignment
        (POEM, f"{TASK}/reference_words", "0", "value_range"),
        (POEM, f"{TASK}/reference_words", "60.0", "value_type"),
        (POEM, f"{TASK}/matched", "-1", "value_range"),
        (POEM, f"{TASK}/insertions", "2.5", "value_type"),
        # lists and flags of the open tasks
        (POSTCARD, f"{TASK}/specific_detail", "1", "value_type"),
        (POSTCARD, f"{TASK}/specific_detail", "null", "value_type"),
        (POSTCARD, f"{TASK}/guardrails", '"substance"', "request_shape"),
        (POSTCARD, f"{TASK}/guardrails", "null", "request_shape"),
        (POSTCARD, f"{TASK}/guardrails", '["substance", "substance"]', "value_repeated"),
        (PRESENTATION, f"{TASK}/broken_order_rules", "{}", "request_shape"),
        (PRESENTATION, f"{TASK}/broken_order_rules", '["end_with_last", "end_with_last"]', "value_repeated"),
        (STORY, f"{TASK}/story", "100.0", "value_type"),
        (STORY, f"{TASK}/story", "101", "value_range"),
        (STORY, f"{TASK}/keywords_required", "0", "value_range"),
        (STORY, f"{TASK}/keywords_present", "-1", "value_range"),
    ],
)
def test_a_wrong_value_is_refused_at_its_place(base: dict[str, Any], path: str, text: str, code: str) -> None:
    error = error_of(with_raw(base, path, text))
    assert (error["code"], error["where"]) == (code, f"line 2 {path}")


@pytest.mark.parametrize(
    ("base", "path"),
    [
        (POEM, path)
        for path in (
            "/module",
            "/grade_band",
            "/inputs",
            "/inputs/pronunciation/score",
            "/inputs/fluency/score",
            f"{RATE}/words_per_minute",
            f"{RATE}/pace_variation",
            f"{RATE}/choppy_breaks_per_minute",
            f"{RATE}/hesitations_per_minute",
            f"{RATE}/speech_seconds",
            f"{VOLUME}/level_db",
            f"{VOLUME}/consistency_db",
            f"{VOLUME}/fade_db",
            f"{TASK}/reference_words",
            f"{TASK}/trailing_omissions",
            f"{TASK}/matched",
            f"{TASK}/insertions",
        )
    ]
    + [
        (TWISTER, f"{RATE}/pace_rises"),
        (POSTCARD, f"{TASK}/score"),
        (POSTCARD, f"{TASK}/specific_detail"),
        (POSTCARD, f"{TASK}/guardrails"),
        (PRESENTATION, f"{TASK}/broken_order_rules"),
        (STORY, f"{TASK}/keywords_required"),
        (STORY, f"{TASK}/keywords_present"),
        (STORY, f"{TASK}/story"),
        (RAPID, f"{TASK}/score"),
    ],
)
def test_a_missing_key_is_named(base: dict[str, Any], path: str) -> None:
    error = error_of(dump(without(base, path)))
    assert (error["code"], error["where"]) == ("key_missing", f"line 2 {path}")


@pytest.mark.parametrize(
    ("base", "path", "value", "where", "code"),
    [
        (POSTCARD, f"{TASK}/guardrails", ["substance", "made_up"], f"{TASK}/guardrails/1", "value_unknown"),
        (POSTCARD, f"{TASK}/guardrails", [7], f"{TASK}/guardrails/0", "value_unknown"),
        (PRESENTATION, f"{TASK}/broken_order_rules", ["substance"], f"{TASK}/broken_order_rules/0", "value_unknown"),
        (POEM, f"{TASK}/matched", 58, TASK, "counts_contradict"),
        (POEM, f"{TASK}/trailing_omissions", 61, TASK, "counts_contradict"),
        (STORY, f"{TASK}/keywords_present", 8, TASK, "counts_contradict"),
        (POEM, TASK, {"score": 80}, f"{TASK}/score", "key_unknown"),
        (RAPID, TASK, POEM["inputs"]["task_adherence"], f"{TASK}/reference_words", "key_unknown"),
        (RAPID, "/inputs/fluency/levels", {}, "/inputs/fluency/levels/smoothness", "key_missing"),
        (RAPID, "/inputs/fluency/levels", LEVELS | {"pace": "good"}, "/inputs/fluency/levels/pace", "key_unknown"),
        (
            RAPID,
            "/inputs/fluency/levels",
            LEVELS | {"recovery": "Good"},
            "/inputs/fluency/levels/recovery",
            "value_unknown",
        ),
        (RAPID, "/inputs/fluency/levels", "good", "/inputs/fluency/levels", "request_shape"),
    ],
)
def test_what_contradicts_or_is_not_on_the_list(
    base: dict[str, Any], path: str, value: Any, where: str, code: str
) -> None:
    error = error_of(dump(changed(base, path, value)))
    assert (error["code"], error["where"]) == (code, f"line 2 {where}")


def test_what_is_just_allowed() -> None:
    """The other side of the refusals: counts that just fit, an exponent, 1,000 digits, null where it may stand."""
    lines = [
        dump(changed(POEM, f"{TASK}/matched", 57)),
        with_raw(POEM, f"{RATE}/words_per_minute", "1.25e2"),
        with_raw(POEM, f"{RATE}/words_per_minute", "125." + "1" * 900),
        with_raw(POEM, f"{RATE}/words_per_minute", "1e-999"),
        with_raw(POEM, f"{RATE}/words_per_minute", "-0.0"),
        with_raw(POEM, f"{RATE}/pace_rises", "null"),
        with_raw(POEM, f"{VOLUME}/consistency_db", "null"),
        with_raw(POEM, f"{VOLUME}/fade_db", "null"),
        "\t" + dump(POEM) + " \r",
    ]
    for line, found in zip(lines, answers(lines), strict=True):
        compare(line, found)


def test_the_place_of_the_line_counts_blank_lines() -> None:
    found = [json.loads(text) for text in answer_lines(published(), [b"\n", b"  \r\n", b"{}\n", b"", b"[]"])]
    assert [item["error"]["where"] for item in found] == ["line 3 /module", "line 5"]


def test_every_module_refuses_an_empty_marker() -> None:
    for module in MODULES:
        for marker in request(module, "high")["inputs"]:
            error = error_of(dump(changed(request(module, "high"), f"/inputs/{marker}", {})))
            assert error["code"] == "key_missing"
            assert error["where"].startswith(f"line 2 /inputs/{marker}/")


def test_a_long_key_or_text_is_cut_short_in_the_error() -> None:
    long = "k" * 400_000
    assert error_of(json.dumps({long: 1}))["code"] == "key_unknown"
    assert error_of(json.dumps({"module": long, "grade_band": 1, "inputs": 1}))["code"] == "value_unknown"
    assert error_of(f'{{"{long}": 1, "{long}": 2}}')["code"] == "json_duplicate_key"


def test_lines_that_once_took_minutes_or_all_memory() -> None:
    """A key repeated at the end of many, and numbers that exact arithmetic would write out digit by digit."""
    keys = ", ".join(f'"k{index}": 1' for index in range(60_000))
    assert error_of(f'{{{keys}, "z": 1, "z": 2}}')["where"] == "line 2 /z"
    for number in ("1e-999999999", "0." + "0" * 900_000 + "1", "9" * 900_000):
        assert error_of(with_raw(POEM, f"{RATE}/words_per_minute", number))["code"] == "number_extreme"


def test_the_command_goes_on_and_ends_well(tmp_path: Path) -> None:
    """All the bad lines in one run, on a terminal that knows ASCII only: exit code 0, nothing on standard error."""
    good = dump(POEM).encode()
    lines = [good, *[line for line, _, _ in SYNTAX], good]
    command = [str(Path(sysconfig.get_path("scripts")) / "vivavoce"), "lab"]
    done = subprocess.run(
        command,
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    found = [json.loads(line) for line in done.stdout.split(b"\n")[:-1]]
    assert found[0] == found[-1] == answers([POEM])[0]
    assert [item["error"]["code"] for item in found[1:-1]] == [code for _, code, _ in SYNTAX]
    assert [item["error"]["where"].split()[1] for item in found[1:-1]] == [str(n + 2) for n in range(len(SYNTAX))]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
PATHS = [
    "/module",
    "/grade_band",
    "/inputs",
    *[f"/inputs/{marker}" for marker in POSTCARD["inputs"]],
    *[f"/inputs/{marker}/{key}" for marker, fields in POSTCARD["inputs"].items() for key in fields],
    "/inputs/fluency/levels",
]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.sampled_from(PATHS), JSON)
def test_any_value_anywhere_gives_one_answer(path: str, value: Any) -> None:
    """Whatever stands in a value's place (NaN too) is scored or refused at that place or under it."""
    line = dump(changed(POSTCARD, path, value))
    (text,) = answer_lines(published(), [line.encode()])
    found = json.loads(text)
    if "error" in found:
        where = found["error"]["where"]
        assert where.startswith(f"line 1 {path}") or (path == "/module" and where.startswith("line 1 /inputs/"))
    else:
        assert found["rubric"]["id"] == "student-speech-v1"


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.binary(max_size=60))
def test_any_bytes_give_at_most_one_answer(line: bytes) -> None:
    found = [json.loads(text) for text in answer_lines(published(), [line])]
    assert [set(item) for item in found] == ([{"error"}] if line.strip() else [])


def test_an_empty_input_is_an_empty_output() -> None:
    command = [str(Path(sysconfig.get_path("scripts")) / "vivavoce"), "lab"]
    done = subprocess.run(command, input=b"", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
