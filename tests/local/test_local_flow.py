"""The local judge through the command line, with a listening made by hand: default, card, page, replay, a person."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from local_samples import LISTENER, Ear, listening, word

import vivavoce
from models_server import completion, send, serving
from vivavoce.arithmetic import parse
from vivavoce.cli.main import main
from vivavoce.errors import MissingError
from vivavoce.judging.local.text import SpokenText
from vivavoce.listening.result import Listening
from vivavoce.report.schemas import schema

PACKAGE = Path(vivavoce.__file__).parent
AUDIO = PACKAGE / "demo" / "sonnet_001.mp3"
TASK = PACKAGE / "demo" / "task.json"
SAID = json.loads(TASK.read_text(encoding="utf-8"))["reference"].removeprefix("1.").split()
# After the number that the text begins with.
CREATURES = 3


def heard(spoken: SpokenText, **more: Any) -> Listening:
    """Every word clear but "creatures", at 1.5 s; pronunciation 7.5 -> 84, fluency 8 -> 86."""
    words = [word(text, at) for at, text in enumerate(spoken.words)]
    words[CREATURES] = word(spoken.words[CREATURES], CREATURES, 2.0, 0.1, K=1.9)
    return listening(7.5, 8.0, words=words, **more)


@pytest.fixture
def ear(monkeypatch: pytest.MonkeyPatch) -> Ear:
    made = Ear(heard)
    monkeypatch.setattr("vivavoce.judging.local.listener.Listener", lambda weights, on_listen: made)
    return made


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [{"text": w, "start": round(0.5 + 0.45 * i, 2), "end": round(0.9 + 0.45 * i, 2)} for i, w in enumerate(SAID)]
    path = tmp_path_factory.mktemp("local") / "words.json"
    path.write_text(json.dumps({"words": rows, "verbatim": True, "language": "en"}), encoding="utf-8")
    return path


def run(*arguments: object) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = main([str(argument) for argument in arguments])
    return code, out.getvalue()


def read(path: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(report, json.loads(schema("report")))
    return report


def scores(report: dict[str, Any]) -> dict[str, int | None]:
    return {name: report["markers"][name]["score"] for name in ("pronunciation", "fluency")}


def score(words: Path, out: Path, *flags: object, task: Path = TASK) -> tuple[dict[str, Any], str]:
    code, text = run("score", AUDIO, "--transcript", words, "--task", task, "--json", out, *flags)
    assert code == 0
    return read(out), text


def test_it_is_the_default_and_ends_in_an_overall(ear: Ear, words: Path, tmp_path: Path) -> None:
    """Verbatim, nothing counted: fluency is Excellent by the tables, 91 at least."""
    page = tmp_path / "card.html"
    report, text = score(words, tmp_path / "a.json", "--html", page)
    assert scores(report) == {"pronunciation": 84, "fluency": 91}
    assert report["state"] == "scored"
    assert parse(report["overall"]["trace"]).value == report["overall"]["score"]
    assert len(ear.asked) == 1
    [asked] = ear.asked
    assert (asked.source, asked.words[:3]) == ("reference", ("1", "From", "fairest"))
    pronunciation = report["markers"]["pronunciation"]["judgement"]
    assert pronunciation["interval"] == {"low": 80, "high": 87, "coverage": 0.8}
    assert [finding["places"][0]["word"] for finding in pronunciation["findings"]] == ["creatures"]
    assert (pronunciation["replies"][0]["cost"], pronunciation["replies"][0]["model"]) == (None, LISTENER)
    flat = " ".join(text.split())
    told = (
        f"judged by the local listener on this computer ({LISTENER})",
        "by ear between 80 and 87, in 8 of 10 recordings like those it learned from",
        "may have been hard to understand (at 1.5 s)",
        "predicted_accuracy = 7.5 experts' points",
    )
    for one in told:
        assert one in flat, one
    shown = page.read_text(encoding="utf-8").replace("&#39;", "'")
    for one in (
        "udged by the local listener on this computer",
        "etween 80 and 87",
        "hard to understand",
        "experts' points",
    ):
        assert one in shown, one


def test_the_same_recording_gives_the_same_report(ear: Ear, words: Path, tmp_path: Path) -> None:
    first, _ = score(words, tmp_path / "a.json")
    assert score(words, tmp_path / "b.json", "--judge", "local")[0] == first
    spec = f"recorded:{tmp_path / 'a.json'}"
    again, _ = score(words, tmp_path / "c.json", "--judge", spec)
    assert (scores(again), again["overall"]["score"]) == (scores(first), first["overall"]["score"])
    assert len(ear.asked) == 2


def test_who_is_named_is_asked_and_nobody_else(ear: Ear, words: Path, tmp_path: Path) -> None:
    report, _ = score(words, tmp_path / "none.json", "--judge", "none")
    assert scores(report) == {"pronunciation": None, "fluency": None}
    given = ("--judgement", "pronunciation=70", "--judgement", "fluency=92")
    report, _ = score(words, tmp_path / "hand.json", *given)
    assert scores(report) == {"pronunciation": 70, "fluency": 92}
    assert ear.asked == []
    report, _ = score(words, tmp_path / "one.json", "--judge", "none", "--judge", "pronunciation=local")
    assert scores(report) == {"pronunciation": 84, "fluency": None}
    assert len(ear.asked) == 1


def test_a_person_overrides_it_and_the_trace_is_read_again(ear: Ear, words: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    before, _ = score(words, path)
    by = ("--by", "Ms Ito", "--reason", "Clear enough.")
    assert run("judge", path, "--marker", "pronunciation", "--score", 90, *by)[0] == 0
    after = read(path)
    marker = after["markers"]["pronunciation"]
    assert (marker["score"], marker["machine"]["score"]) == (90, 84)
    assert marker["machine"]["judgement"] == before["markers"]["pronunciation"]["judgement"]
    assert after["markers"]["fluency"] == before["markers"]["fluency"]
    assert after["overall"]["score"] is not None


def test_what_cannot_be_heard_leaves_the_rest_scored(words: Path, tmp_path: Path, monkeypatch: Any) -> None:
    ear = Ear(partial(heard, doubts=["listening_other_language"]))
    monkeypatch.setattr("vivavoce.judging.local.listener.Listener", lambda weights, on_listen: ear)
    report, text = score(words, tmp_path / "a.json")
    assert scores(report) == {"pronunciation": None, "fluency": None}
    assert report["markers"]["fluency"]["reason"]["code"] == "listening_other_language"
    assert report["markers"]["speaking_rate"]["score"] is not None
    assert "pending: listening_other_language" in text


@pytest.fixture
def open_task(tmp_path: Path) -> Path:
    path = tmp_path / "debate.json"
    made = {"module": "silly_topics_debate", "grade": 7, "prompt": "Should beauty's rose ever die?"}
    path.write_text(json.dumps(made), encoding="utf-8")
    return path


def test_what_is_said_waits_for_somebody_who_understands(
    ear: Ear, words: Path, open_task: Path, tmp_path: Path
) -> None:
    report, _ = score(words, tmp_path / "a.json", task=open_task)
    waiting = report["markers"]["task_adherence"]
    assert (waiting["state"], waiting["reason"]["code"], waiting["judgement"]) == ("pending", "judgement_missing", None)
    assert "--judge task_adherence=openai:MODEL@http://localhost" in waiting["reason"]["remedy"]
    assert (report["state"], scores(report)) == ("pending", {"pronunciation": 84, "fluency": 91})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    with serving() as script:
        yield script


def test_a_text_judge_on_a_server_of_ones_own_completes_it(
    server: Any, ear: Ear, words: Path, open_task: Path, tmp_path: Path
) -> None:
    """The example of docs/judging.md: sounds and flow by the local judge, what is said by a model on localhost."""
    reply = {"anchor": "good", "score": 80, "reason": "A side with a reason."}
    server.steps.append(send(body=completion(json.dumps(reply))))
    flags = ("--judge", f"task_adherence=openai:llama@{server.url}/v1", "--cache", tmp_path / "cache")
    report, _ = score(words, tmp_path / "a.json", *flags, task=open_task)
    assert report["markers"]["task_adherence"]["score"] == 80
    assert (report["state"], scores(report)) == ("scored", {"pronunciation": 84, "fluency": 91})
    [asked] = server.got
    assert all(part["type"] != "input_audio" for part in asked.body["messages"][-1]["content"] if type(part) is dict)


def test_the_ear_backs_up_the_recogniser(ear: Ear, words: Path, tmp_path: Path) -> None:
    """Not verbatim, one word misheard: the ear hears it, so it counts as read, whoever judges; one listening each."""
    data = json.loads(words.read_text(encoding="utf-8"))
    data["words"][12]["text"] = "xylophone"  # where the recording has speech, by the hand-made times
    heard_wrongly = tmp_path / "words.json"
    heard_wrongly.write_text(json.dumps({**data, "verbatim": False}), encoding="utf-8")
    counts = []
    for flags in ((), ("--judge", "none")):
        report, _ = score(heard_wrongly, tmp_path / "a.json", *flags)
        [label] = [row for row in report["alignment"]["labels"] if row["label"] == "uncertain" and row["hypothesis"]]
        assert (label["hypothesis"]["text"], label["opinions"]["counted"]) == ("xylophone", "matched")
        counts.append(report["alignment"]["matched"])
    assert counts[0] == counts[1]
    assert len(ear.asked) == 2


def test_a_reading_says_so_where_nobody_could_listen(words: Path, tmp_path: Path, monkeypatch: Any) -> None:
    missing = MissingError("extra_missing", where="x", found="x is not installed", allowed="x", remedy="install x")
    monkeypatch.setattr("vivavoce.judging.local.listener.Listener", lambda weights, on_listen: Ear(missing))
    data = {**json.loads(words.read_text(encoding="utf-8")), "verbatim": None}
    path = tmp_path / "words.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    report, _ = score(path, tmp_path / "a.json")
    assert "words_alone" in [notice["code"] for notice in report["warnings"]]
    reason = report["markers"]["fluency"]["reason"]
    assert (reason["code"], reason["remedy"]) == ("local_judge_missing", "install x")
    assert report["markers"]["task_adherence"]["score"] is not None


@pytest.mark.parametrize("flags", [(), ("--marker", "fluency"), ("--about", "openai:x")])
def test_judge_says_what_it_needs(flags: tuple[str, ...]) -> None:
    assert run("judge", *flags)[0] == 2


def test_ielts_knows_no_local_judge(tmp_path: Path) -> None:
    path = tmp_path / "interview.json"
    answers = [{"question": "Where do you live?", "answer": "In a small town."}]
    path.write_text(json.dumps({"topic": "home", "answers": answers}), encoding="utf-8")
    assert run("ielts", "score", path, "--judge", "local")[0] == 2
