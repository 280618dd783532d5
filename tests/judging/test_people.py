"""People judge: a score or a filled sheet becomes the official value, the machine's stays beside it, and history grows.

The reports are made by the command line from the bundled recording and its given words, so no recogniser is needed.
"""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import vivavoce
from vivavoce.arithmetic import parse
from vivavoce.cli.main import main
from vivavoce.trace import plain

PACKAGE = Path(vivavoce.__file__).parent
AUDIO = PACKAGE / "demo" / "sonnet_001.mp3"
SCHEMA = json.loads((PACKAGE / "schemas" / "report.schema.json").read_text(encoding="utf-8"))
MARKERS = ("pronunciation", "fluency", "speaking_rate", "volume_control", "task_adherence")
POSTCARD = {
    "module": "audio_postcard",
    "grade": 7,
    "prompt": "Write a postcard home.",
    "checklist": [{"text": "where you are"}, {"text": "what you see", "end_with": True}],
}
REPLIES = {
    "pronunciation": ['{"unclear_words": [], "score": 88, "reason": "Clear."}'],
    "fluency": [
        "I think it is fluent.",
        '{"counts": {"false_starts": 0, "disruptive_fillers": 0}, "levels": {"smoothness": "excellent", '
        '"filler_control": "excellent", "recovery": "excellent"}, "score": 93, "reason": "Smooth."}',
    ],
}


def run(*arguments: object) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    return code, out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def made(words: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A poem judged by a recorded machine, a poem without judges, a postcard without judges."""
    folder = tmp_path_factory.mktemp("reports")
    replies = folder / "replies.json"
    replies.write_text(json.dumps(REPLIES), encoding="utf-8")
    postcard = folder / "postcard.json"
    postcard.write_text(json.dumps(POSTCARD), encoding="utf-8")
    common = ("score", AUDIO, "--transcript", words, "--brief")
    paths = {name: folder / f"{name}.report.json" for name in ("machine", "waiting", "postcard")}
    poem = ("--task", PACKAGE / "demo" / "task.json")
    assert run(*common, *poem, "--judge", f"recorded:{replies}", "--json", paths["machine"])[0] == 0
    nobody = ("--judge", "none")
    assert run(*common, *nobody, *poem, "--json", paths["waiting"])[0] == 0
    assert run(*common, *nobody, "--task", postcard, "--json", paths["postcard"])[0] == 0
    return paths


@pytest.fixture
def reports(made: dict[str, Path], tmp_path: Path) -> dict[str, Path]:
    copies = {name: tmp_path / path.name for name, path in made.items()}
    for name, path in made.items():
        copies[name].write_bytes(path.read_bytes())
    return copies


def read(path: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator(SCHEMA).validate(report)
    return report


def judge(path: Path, marker: str, *more: object) -> tuple[int, str, str]:
    return run("judge", path, "--marker", marker, *more)


def holds(report: dict[str, Any]) -> None:
    """The overall is the weighted sum of the official scores, by hand: round half up."""
    scores = {name: report["markers"][name]["score"] for name in MARKERS}
    if None in scores.values():
        assert report["overall"]["score"] is None
        assert report["state"] == "pending"
        return
    hundredths = sum(score * round(100 * report["markers"][name]["weight"]) for name, score in scores.items())
    assert report["overall"]["score"] == (hundredths + 50) // 100
    assert plain(parse(report["overall"]["trace"]).value) == str(report["overall"]["score"])


def test_a_machine_that_was_asked_is_on_the_card_with_all_its_replies(reports: dict[str, Path]) -> None:
    report = read(reports["machine"])
    holds(report)
    fluency = report["markers"]["fluency"]
    assert (fluency["score"], fluency["judgement"]["judge"]) == (93, "recorded:replies.json")
    assert [reply["accepted"] for reply in fluency["judgement"]["replies"]] == [False, True]
    assert fluency["judgement"]["replies"][0]["raw"] == "I think it is fluent."
    assert (fluency["machine"], fluency["history"]) == (None, [])


def test_a_person_overrides_and_the_machine_stays_beside(reports: dict[str, Path]) -> None:
    code, out, _ = judge(reports["machine"], "fluency", "--score", 70, "--by", "Ms Ito", "--reason", "Two long stops.")
    assert code == 0
    assert "Ms Ito" in out
    report = read(reports["machine"])
    holds(report)
    fluency = report["markers"]["fluency"]
    assert (fluency["score"], fluency["tier"]["id"]) == (70, "adequate")
    assert (fluency["judgement"]["judge"], fluency["judgement"]["by"]) == ("person", "Ms Ito")
    assert fluency["judgement"]["reason"] == "Two long stops."
    assert fluency["judgement"]["at"].endswith("Z")
    assert fluency["machine"]["score"] == 93
    assert fluency["machine"]["judgement"]["judge"] == "recorded:replies.json"
    [earlier] = fluency["history"]
    assert (earlier["value"]["score"], earlier["replaced_by"]) == (93, "Ms Ito")


def test_every_earlier_value_stays_in_the_history(reports: dict[str, Path]) -> None:
    for score, name in ((70, "Ms Ito"), (75, "Mr Osei"), (80, "Ms Ito")):
        assert judge(reports["machine"], "fluency", "--score", score, "--by", name, "--reason", "Heard again.")[0] == 0
    fluency = read(reports["machine"])["markers"]["fluency"]
    assert [row["value"]["score"] for row in fluency["history"]] == [93, 70, 75]
    assert (fluency["score"], fluency["machine"]["score"]) == (80, 93)


def test_a_measured_marker_can_be_overridden_too(reports: dict[str, Path]) -> None:
    before = read(reports["machine"])["markers"]["volume_control"]["score"]
    judge(reports["machine"], "volume_control", "--score", 60, "--by", "Ms Ito", "--reason", "A fan ran.")
    report = read(reports["machine"])
    holds(report)
    volume = report["markers"]["volume_control"]
    assert (volume["score"], volume["machine"]["score"], volume["machine"]["judgement"]) == (60, before, None)
    # The measured value was praised; under a score that a person put in Adequate, praise would contradict the card.
    assert volume["feedback"]["kind"] == "none"


def test_judgements_fill_what_waits_until_there_is_an_overall(reports: dict[str, Path]) -> None:
    path = reports["waiting"]
    assert read(path)["state"] == "pending"
    assert judge(path, "pronunciation", "--score", 97, "--by", "Ms Ito")[0] == 0
    first = read(path)
    holds(first)
    assert first["markers"]["pronunciation"]["score"] == 95
    assert judge(path, "fluency", "--score", 80, "--by", "Ms Ito")[0] == 0
    done = read(path)
    holds(done)
    assert (done["state"], done["markers"]["fluency"]["history"]) == ("scored", [])


def test_a_filled_sheet_goes_through_the_caps(reports: dict[str, Path], tmp_path: Path) -> None:
    code, out, _ = judge(reports["postcard"], "task_adherence", "--sheet")
    assert code == 0
    sheet = json.loads(out)
    assert sheet["points"] == {"point_1": "where you are", "point_2": "what you see"}
    assert list(sheet["rules"]) == [*sheet["values"]["guardrails"], "specific_detail", "tier"]
    assert sheet["rules"]["groundedness"].startswith("The answer describes something that cannot physically happen")
    assert list(sheet["values"]["guardrails"]) == ["substance", "groundedness", "over_vagueness", "reversal"]
    for row in sheet["values"]["checklist"].values():
        row |= {"covered": True, "words": "From fairest creatures"}
    for row in sheet["values"]["guardrails"].values():
        row["fired"] = False
    sheet["values"]["guardrails"]["groundedness"] = {"fired": True, "words": "thy light's flame"}
    sheet["values"]["specific_detail"] = {"found": False, "words": ""}
    sheet["values"] |= {"score": 93, "reason": "It is a poem."}
    filled = tmp_path / "filled.json"
    filled.write_text(json.dumps(sheet), encoding="utf-8")
    assert judge(reports["postcard"], "task_adherence", "--values", filled, "--by", "Ms Ito")[0] == 0
    marker = read(reports["postcard"])["markers"]["task_adherence"]
    # min(93, groundedness 60, no specific detail 75, ceiling 95)
    assert marker["score"] == 60
    assert marker["judgement"]["accepted"]["score"] == 93
    assert "groundedness" in marker["trace"]["note"]


def test_a_sheet_of_fluency_shows_the_tables_that_its_levels_follow(reports: dict[str, Path]) -> None:
    rules = json.loads(judge(reports["machine"], "fluency", "--sheet")[1])["rules"]
    assert rules["False starts and restarts: the level of smoothness"][0].startswith("Per 30 seconds: excellent 0")
    assert rules["Sub-weights"][0].startswith("- smoothness: ")


def test_a_sheet_is_held_to_the_contract(reports: dict[str, Path], tmp_path: Path) -> None:
    before = reports["waiting"].read_bytes()
    filled = tmp_path / "filled.json"
    filled.write_text('{"unclear_words": [], "score": 101, "reason": "x"}', encoding="utf-8")
    code, _, err = judge(reports["waiting"], "pronunciation", "--values", filled, "--by", "Ms Ito")
    assert code == 2
    assert "value_range at /score" in err
    assert reports["waiting"].read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("pronunciation", "--score", 70, "--by", "Ms Ito"), "reason_missing"),
        (("pronunciation", "--score", 70, "--reason", "x"), "judge_unnamed"),
        (("pronunciation", "--score", 101, "--by", "A", "--reason", "x"), "value_range"),
        (("pronunciation", "--score", -1, "--by", "A", "--reason", "x"), "value_range"),
        (("pronunciation", "--by", "A", "--reason", "x"), "judgement_form"),
        (("volume", "--score", 70, "--by", "A", "--reason", "x"), "marker_unknown"),
        (("volume_control", "--sheet"), "marker_is_measured"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(
    reports: dict[str, Path], arguments: tuple[object, ...], code: str
) -> None:
    before = reports["machine"].read_bytes()
    done, _, err = judge(reports["machine"], *arguments)
    assert done == 2
    assert f"vivavoce: {code} at" in err
    assert reports["machine"].read_bytes() == before


def spoiled(report: dict[str, Any], how: str) -> Any:
    if how == "digest":
        report["rubric"]["digest"] = "0" * 64
    elif how == "schema":
        report["schema"] = "vivavoce-report-1"
    elif how == "list":
        return [report]
    elif how == "task":
        del report["task"]
    elif how == "trace":
        report["markers"]["speaking_rate"]["trace"]["value"] = 94
    elif how == "marker":
        del report["markers"]["speaking_rate"]["state"]
    return report


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("digest", "rubric_changed"),
        ("schema", "report_unreadable"),
        ("list", "report_unreadable"),
        ("task", "report_unreadable"),
        ("trace", "report_unreadable"),
        ("marker", "report_unreadable"),
    ],
)
def test_a_report_that_is_not_whole_is_refused(reports: dict[str, Path], how: str, code: str) -> None:
    path = reports["waiting"]
    path.write_text(json.dumps(spoiled(read(path), how)), encoding="utf-8")
    done, _, err = judge(path, "pronunciation", "--score", 70, "--by", "A")
    assert done == 2
    assert f"vivavoce: {code} at" in err


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("grade_band",), "middle"),
        (("markers", "volume_control", "score"), 94),
        (("markers", "volume_control", "tier", "id"), "poor"),
        (("markers", "volume_control", "trace", "name"), "loudness"),
        (("markers", "volume_control", "trace", "note"), 7),
        (("markers", "volume_control", "trace", "operands"), []),
        (("markers", "fluency", "judgement", "accepted"), {"unclear_words": 1.5}),
        (("markers", "fluency", "history"), None),
        (("measurements", "level_db", "value"), 1e300),
        (("warnings",), [None]),
    ],
)
def test_a_report_that_was_edited_is_refused_and_left_alone(
    reports: dict[str, Path], path: tuple[str, ...], value: Any
) -> None:
    report = read(reports["machine"])
    place = report
    for key in path[:-1]:
        place = place[key]
    assert place[path[-1]] != value
    place[path[-1]] = value
    text = json.dumps(report)
    reports["machine"].write_text(text, encoding="utf-8")
    for flags in (("--score", 70, "--by", "A", "--reason", "Heard."), ("--sheet",)):
        done, _, err = judge(reports["machine"], "fluency", *flags)
        if flags[0] == "--score" or done:
            assert done == 2
            assert "vivavoce: report_unreadable at" in err
    assert reports["machine"].read_text(encoding="utf-8") == text


def test_half_a_character_is_kept_as_it_came(reports: dict[str, Path], words: Path, tmp_path: Path) -> None:
    replies, again, page = tmp_path / "half.json", tmp_path / "again.json", tmp_path / "again.html"
    replies.write_text(json.dumps({"pronunciation": [REPLIES["pronunciation"][0].replace("Clear", "\\ud800")]}))
    task = ("--task", PACKAGE / "demo" / "task.json", "--transcript", words, "--brief")
    assert run("score", AUDIO, *task, "--judge", f"recorded:{replies}", "--json", again, "--html", page)[0] == 0
    assert read(again)["markers"]["pronunciation"]["judgement"]["accepted"]["reason"] == "\ud800."
    code, _, _ = judge(
        again, "pronunciation", "--score", 70, "--by", "A\udcff", "--reason", "Heard \udcfe.", "--html", page
    )
    assert code == 0
    assert "\ud800" not in page.read_text(encoding="utf-8")
    assert read(again)["markers"]["pronunciation"]["judgement"]["by"] == "A\udcff"


def test_a_report_may_be_longer_than_other_texts(reports: dict[str, Path]) -> None:
    report = read(reports["machine"])
    report["markers"]["fluency"]["judgement"]["replies"][0]["raw"] = "so " * 2_000_000
    reports["machine"].write_text(json.dumps(report), encoding="utf-8")
    assert judge(reports["machine"], "fluency", "--score", 70, "--by", "A", "--reason", "Heard.")[0] == 0


def test_an_overridden_report_replays_the_machine(reports: dict[str, Path], words: Path, tmp_path: Path) -> None:
    assert judge(reports["machine"], "fluency", "--score", 70, "--by", "A", "--reason", "Heard.")[0] == 0
    task = ("--task", PACKAGE / "demo" / "task.json", "--transcript", words)
    again = tmp_path / "again.json"
    spec = f"recorded:{reports['machine']}"
    assert run("score", AUDIO, *task, "--judge", spec, "--brief", "--json", again)[0] == 0
    assert read(again)["markers"]["fluency"]["score"] == 93


@pytest.mark.parametrize("markers", [7, [1], {"fluency": {"judgement": {"replies": 3}}}])
def test_an_odd_report_is_no_recording_of_replies(reports: dict[str, Path], words: Path, markers: Any) -> None:
    report = {**read(reports["machine"]), "markers": markers}
    reports["machine"].write_text(json.dumps(report), encoding="utf-8")
    task = ("--task", PACKAGE / "demo" / "task.json", "--transcript", words)
    done, _, err = run("score", AUDIO, *task, "--judge", f"recorded:{reports['machine']}")
    assert done == 2
    assert "vivavoce: request_shape at machine.report.json" in err


def test_a_submission_without_speech_is_judged_by_nobody(tmp_path: Path) -> None:
    import wave

    silence, report = tmp_path / "silence.wav", tmp_path / "silence.json"
    with wave.open(str(silence), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(b"\0\0" * 32_000)
    empty = tmp_path / "empty.json"
    empty.write_text('{"words": []}', encoding="utf-8")
    replies = tmp_path / "replies.json"
    replies.write_text(json.dumps(REPLIES), encoding="utf-8")
    task = ("--module", "rapid_fire_qa", "--grade", 7)
    judged = ("--judge", f"recorded:{replies}")
    assert run("score", silence, "--transcript", empty, *task, *judged, "--json", report)[0] == 3
    assert {read(report)["markers"][name]["judgement"] for name in MARKERS} == {None}
    code, _, err = judge(report, "fluency", "--score", 70, "--by", "A")
    assert code == 2
    assert "submission_not_scored" in err


def test_the_prompt_of_a_report_is_what_was_asked(reports: dict[str, Path]) -> None:
    code, out, _ = run("prompt", reports["machine"], "--marker", "fluency", "--json")
    assert code == 0
    shown = json.loads(out)
    assert "From fairest creatures we desire increase," in shown["user"]
    assert "do not penalize intentional phrasing breaks" in shown["user"]
    assert (shown["marker"], len(shown["prompt_digest"])) == ("fluency", 64)


def test_a_prompt_without_a_submission(tmp_path: Path) -> None:
    code, out, _ = run("prompt", "--module", "rapid_fire_qa", "--grade", "9", "--marker", "task_adherence")
    assert code == 0
    assert "Open task: each answer should be on-topic and responsive to its prompt." in out


@pytest.mark.parametrize(
    ("flags", "code"),
    [
        (("--judge", "gpt"), "judge_unknown"),
        (("--judge", "openai:"), "judge_unknown"),
        (("--judge", "task_adherence=google:x"), "marker_is_measured"),
        (("--judge", "task_adherence=local"), "marker_is_measured"),
        (("--judge", "local:tiny"), "judge_unknown"),
        (("--judge", "none", "--judge", "google:x"), "judge_repeated"),
        (("--judge", "fluency=none", "--judge", "fluency=google:x"), "judge_repeated"),
        (("--judge", "recorded:/nowhere.json"), "file_unreadable"),
        (("--judge", "none", "--samples", "0"), "value_range"),
        (("--judge", "none", "--samples", "16"), "value_range"),
        (("--judge", "none", "--judge-timeout", "inf"), "value_range"),
        (("--judge", "none", "--judge-timeout", "nan"), "value_range"),
        (("--judge", "none", "--judge-timeout", "1e300"), "value_range"),
        (("--judge", "none", "--judge-tokens", "9" * 30), "value_range"),
        (("--judge", "volume_control=openai:x"), "marker_is_measured"),
        (("--judge", "openai:x@ftp://h/v1"), "model_unknown"),
    ],
)
def test_flags_that_name_no_judge(words: Path, flags: tuple[str, ...], code: str) -> None:
    done, _, err = run(
        "score", AUDIO, "--transcript", words, "--task", PACKAGE / "demo" / "task.json", "--brief", *flags
    )
    assert done == 2
    assert f"vivavoce: {code} at" in err
