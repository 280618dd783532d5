"""What a review of `vivavoce ielts` found: recordings whose words were not said, replays, odd names, small wording."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from test_ielts_flow import BEST, INTERVIEW, MIDDLE, recorded, reply, run, scored

import vivavoce
from vivavoce.interview import Exchange, Interview
from vivavoce.judging.interview.contract import read_reply
from vivavoce.judging.interview.thin import check_evidence
from vivavoce.judging.judge import Reply
from vivavoce.rubric.graduated import part
from vivavoce.strict import RequestError

SONNET = Path(vivavoce.__file__).parent / "demo" / "sonnet_001.mp3"
SAID = "From fairest creatures we desire increase that thereby beauty's rose might never die"


def with_recording(folder: Path, recording: Path, transcript: dict[str, Any], *answers: str) -> Path:
    """An interview of one recording with its transcript, and typed answers after it."""
    (folder / "words.json").write_text(json.dumps(transcript), encoding="utf-8")
    rows = [{"question": "Say something.", "recording": str(recording), "transcript": "words.json"}]
    rows += [{"question": "And then?", "answer": answer} for answer in answers]
    path = folder / "interview.json"
    path.write_text(json.dumps({"topic": "Poems", "answers": rows}), encoding="utf-8")
    return path


def evenly(text: str, **more: Any) -> dict[str, Any]:
    words = [{"text": word, "start": 3 + 0.5 * at, "end": 3.4 + 0.5 * at} for at, word in enumerate(text.split())]
    return {"words": words, "language": "en", **more}


def test_a_recording_in_another_language_is_not_scored(tmp_path: Path) -> None:
    path = with_recording(tmp_path, SONNET, evenly(SAID, language="es"))
    code, document, _ = scored(path, tmp_path, "--judge", recorded(tmp_path, BEST))
    assert (code, document["state"], document["reason"]["code"]) == (3, "not_scored", "other_language")
    assert document["reason"]["found"].startswith("answer 1: ")


def test_one_doubtful_answer_among_longer_ones_is_a_warning(tmp_path: Path) -> None:
    """13 words are doubted; 14 others stand beside them, so less than half are."""
    more = "I read novels every night because they show me what other lives are like"
    path = with_recording(tmp_path, SONNET, evenly(SAID, language="es"), more)
    code, document, _ = scored(path, tmp_path, "--judge", recorded(tmp_path, MIDDLE))
    assert (code, document["overall"]) == (0, 6.5)
    assert "answer_doubtful" in {notice["code"] for notice in document["warnings"]}


def test_what_a_recogniser_of_english_makes_of_spanish_is_not_scored(tmp_path: Path, shared_data: Path) -> None:
    """The words and the confidence that tiny.en gives for 14 s of Spanish (tests/problems knows the clip as well)."""
    clip = shared_data / "2_audio" / "mfa_corpus" / "13697_11991_000000.opus"
    invented = "Thank you so much for watching and I'll see you in the next video and I'll see you in the next video"
    words = [
        {"text": word, "start": 0.5 * at, "end": 0.5 * at + 0.4, "confidence": 0.573}
        for at, word in enumerate(invented.split())
    ]
    path = with_recording(tmp_path, clip, {"words": words, "language": "en"})
    code, document, _ = scored(path, tmp_path, "--judge", recorded(tmp_path, BEST))
    assert (code, document["state"], document["reason"]["code"]) == (3, "not_scored", "other_language")


def warned(document: dict[str, Any]) -> dict[str, str]:
    return {notice["code"]: notice["found"] for notice in document["warnings"]}


BACKWARDS = [{"text": word, "start": 9 - 0.5 * at, "end": 9.4 - 0.5 * at} for at, word in enumerate(SAID.split())]


@pytest.mark.parametrize(
    "transcript",
    [
        {"words": BACKWARDS, "language": "en"},
        {"text": SAID, "words": [{"word": word["text"], **word} for word in BACKWARDS]},
        {"words": [{**BACKWARDS[0], "start": -1}, *BACKWARDS[1:]]},
    ],
    ids=["our own, backwards", "another's, backwards", "before the beginning"],
)
@pytest.mark.parametrize("recording", [True, False])
def test_broken_times_are_told_of_their_answer_and_stop_nothing(
    tmp_path: Path, recording: bool, transcript: dict[str, Any]
) -> None:
    """The words are all there, so they are judged; a judge needs no times."""
    path = with_recording(tmp_path, SONNET, transcript, "I read novels every night at home")
    if not recording:
        data = json.loads(path.read_text(encoding="utf-8"))
        del data["answers"][0]["recording"]
        path.write_text(json.dumps(data), encoding="utf-8")
    code, document, _ = scored(path, tmp_path, "--judge", recorded(tmp_path, MIDDLE))
    assert (code, document["overall"]) == (0, 6.5)
    assert [answer["answer"] for answer in document["answers"]] == [SAID, "I read novels every night at home"]
    assert warned(document)["answer_times_broken"].startswith("answer 1: ")
    assert "answer_doubtful" not in warned(document)
    assert document["acoustic"] is None


def test_words_after_the_end_of_their_recording_are_no_evidence_alone(tmp_path: Path) -> None:
    """The recording is 53 s long. 13 words are doubted: all there are, then less than half of 27."""
    words = [{"text": word, "start": 500 + at, "end": 500.5 + at} for at, word in enumerate(SAID.split())]
    path = with_recording(tmp_path, SONNET, {"words": words, "language": "en"})
    code, document, _ = scored(path, tmp_path, "--judge", recorded(tmp_path, BEST))
    assert (code, document["state"], document["reason"]["code"]) == (3, "not_scored", "times_beyond_end")
    more = "I read novels every night because they show me what other lives are like"
    path = with_recording(tmp_path, SONNET, {"words": words, "language": "en"}, more)
    code, document, _ = scored(path, tmp_path, "--judge", recorded(tmp_path, MIDDLE))
    assert (code, document["overall"]) == (0, 6.5)
    assert "answer_times_broken" in warned(document)


@pytest.fixture
def interview(tmp_path: Path) -> Path:
    path = tmp_path / "interview.json"
    path.write_text(json.dumps(INTERVIEW), encoding="utf-8")
    return path


def _kept(interview: Path, folder: Path, samples: Any, *raws: str) -> str:
    """A saved document whose judge was asked for so many samples and left these replies ("": it timed out)."""
    _, document, _ = scored(interview, folder, "--judge", recorded(folder, BEST))
    broken = {"code": "model_timeout", "where": "openai:m", "found": "none", "allowed": "a reply", "remedy": "wait"}
    document["judgement"]["samples"] = samples
    document["judgement"]["replies"] = [
        Reply(raw=raw, accepted=bool(raw), sample=at, error=None if raw else broken).as_dict()
        for at, raw in enumerate(raws, 1)
    ]
    path = folder / "saved.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return f"recorded:{path}"


def test_a_pending_document_stays_pending_when_it_is_replayed(interview: Path, tmp_path: Path) -> None:
    """Two of five wanted are no majority, although they are two of three that were asked before the judge failed."""
    for raws in ((BEST, BEST, ""), (BEST, BEST)):
        _, document, _ = scored(interview, tmp_path, "--judge", _kept(interview, tmp_path, 5, *raws))
        assert (document["state"], document["judgement"]["samples"]) == ("pending", 5)
    _, document, _ = scored(interview, tmp_path, "--judge", _kept(interview, tmp_path, 3, BEST, BEST, ""))
    assert (document["state"], document["overall"]) == ("scored", 8.5)


@pytest.mark.parametrize("samples", [1, "5", True, None, 2.5])
def test_a_saved_number_of_samples_that_cannot_be_is_refused(interview: Path, tmp_path: Path, samples: Any) -> None:
    judge = _kept(interview, tmp_path, samples, BEST, BEST)
    code, _, err = run("ielts", "score", interview, "--judge", judge)
    assert code == 2
    assert "at saved.json /judgement/samples" in err


def test_a_saved_document_that_does_not_fit_its_schema_is_refused(interview: Path, tmp_path: Path) -> None:
    judge = _kept(interview, tmp_path, 2, BEST, "")
    path = tmp_path / "saved.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    document["judgement"]["replies"][1]["error"] = "boom"
    path.write_text(json.dumps(document), encoding="utf-8")
    code, _, err = run("ielts", "score", interview, "--judge", judge)
    assert code == 2
    assert "request_shape at saved.json /judgement/replies/1/error" in err


def test_a_file_name_that_is_no_utf_8_is_escaped(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"reply\xff.json")
    try:
        path.write_text(BEST, encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes names in UTF-8 alone")
    code, out, _ = run("ielts", "check", path)
    assert code == 0
    assert json.loads(out.encode("utf-8"))["file"] == str(path)


def test_an_output_of_ascii_gets_escapes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "réponse.json"
    path.write_text(BEST, encoding="utf-8")
    raw = io.BytesIO()
    with contextlib.redirect_stdout(io.TextIOWrapper(raw, encoding="ascii", write_through=True)):
        from vivavoce.cli.main import main

        assert main(["ielts", "check", str(path)]) == 0
        sys.stdout.flush()
        assert json.loads(raw.getvalue())["file"] == str(path)


def test_a_whole_number_with_an_exponent_says_what_is_wrong_with_it() -> None:
    with pytest.raises(RequestError) as refused:
        read_reply(part(1), BEST.replace('"band": 9', '"band": 9e0', 1))
    assert refused.value.found == "9 with a point or an exponent"


def test_judges_by_marker_are_not_offered_for_an_interview(interview: Path) -> None:
    code, _, err = run("ielts", "score", interview, "--judge", "pronunciation=openai:m")
    assert code == 2
    assert "judge_unknown at --judge" in err
    assert "MARKER" not in err


def _saved(interview: Path, folder: Path, *replies: str) -> dict[str, Any]:
    path = folder / "part1.json"
    judge = recorded(folder, *replies)
    assert run("ielts", "score", interview, "--judge", judge, "--json", path)[0] == 0
    made: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return made


def _taken(document: dict[str, Any], folder: Path) -> tuple[int, str]:
    path = folder / "part1.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    code, _, err = run("ielts", "test", path)
    return code, err


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("criteria", 0, "passed"), 1),
        (("criteria", 0, "next"), "FULL_FLUENCY"),
        (("criteria", 0, "non_monotone"), ["FULL_FLUENCY"]),
        (("criteria", 2, "note"), "All sounds were perfect."),
        (("criteria", 1, "name"), "Vocabulary"),
        (("criteria", 1, "checks", 0, "meaning"), "The candidate is a native speaker."),
        (("criteria", 3, "trace", "expression"), "9"),
        (("criteria", 3, "trace", "operands"), []),
        (("trace", "value"), 9),
        (("trace", "expression"), "9"),
        (("rubric", "title"), "The official test"),
    ],
)
def test_what_a_saved_part_shows_is_what_it_computes(
    interview: Path, tmp_path: Path, keys: tuple[Any, ...], value: Any
) -> None:
    """A part with any shown word or step changed by hand is refused; unchanged it is taken."""
    document = _saved(interview, tmp_path, MIDDLE)
    assert _taken(document, tmp_path)[0] == 0
    place: Any = document
    for key in keys[:-1]:
        place = place[key]
    assert place[keys[-1]] != value
    place[keys[-1]] = value
    code, err = _taken(document, tmp_path)
    assert (code, "part_unreadable at part1.json" in err) == (2, True)


def _all_failed(band: int, overall: float) -> str:
    return reply([0, 5, 3, 5], [band, 9, 8, 9], overall)


@pytest.mark.parametrize(
    "replies",
    [
        (BEST,),
        (BEST, MIDDLE, BEST),
        (reply([1, 5, 1, 5], [5, 9, 6, 9], 7.0),),
        # (2 + 9 + 8 + 9) / 4 = 7; (5 + 9 + 8 + 9) / 4 = 7.75 -> 7.5
        (_all_failed(2, 7.0),),
        (_all_failed(2, 7.0), reply([1, 5, 3, 5], [5, 9, 8, 9], 7.5)),
    ],
)
def test_every_kind_of_saved_part_is_taken(interview: Path, tmp_path: Path, replies: tuple[str, ...]) -> None:
    assert _taken(_saved(interview, tmp_path, *replies), tmp_path) == (0, "")


def test_a_saved_part_without_a_score_is_taken(interview: Path, tmp_path: Path) -> None:
    document = _saved(interview, tmp_path, "{}")
    assert document["state"] == "pending"
    assert _taken(document, tmp_path)[0] == 0


def test_thin_evidence_is_told_in_good_words() -> None:
    """One answer is no "1 answers", and what is to be done is something to do."""
    few = check_evidence(Interview("Reading", (Exchange("Do you read?", "Yes."),)))
    assert few.reason is not None
    assert few.reason.found == "1 English word in 1 answer"
    spanish = "Me gusta mucho leer libros de historia y novelas de aventura por la noche"
    mixed = [Exchange("Why?", spanish), Exchange("Why?", "I read because it is a good way to rest and to learn things")]
    told = check_evidence(Interview("Reading", tuple(mixed))).warnings
    assert [(one.code, one.remedy.split()[0]) for one in told] == [("answer_other_language", "record")]
