"""Bad input gives a named error or a named state, with a documented exit code and never a traceback (issue point 6).

Codes and states are those that README.md and errors.py promise; nothing here comes from a run.
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from flow_tools import Done, noise, run, silence, tone, words_file, write_wave

from vivavoce.cli.files import write_text

TEXT = "The cat sat on the mat.\nIt was warm."
WORDS = [("The", 0.5, 0.8), ("cat", 0.8, 1.2), ("sat", 1.2, 1.6)]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    return write_wave(tmp_path / "sound.wav", tone(3))


def refused(done: Done, code: str, exit_code: int = 2) -> None:
    assert done.code == exit_code, done.err
    assert done.err.startswith(f"vivavoce: {code} at "), done.err
    for label in ("found", "allowed", "to do"):
        assert f"  {label} " in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def score(audio: Path, text: Path, *more: object, grade: object = 7, module: str = "paragraph_reading") -> Done:
    return run("score", audio, "--module", module, "--grade", grade, "--reference", text, *more)


def test_a_missing_file(tmp_path: Path, text: Path) -> None:
    refused(score(tmp_path / "none.wav", text), "audio_missing")


def test_an_empty_file(tmp_path: Path, text: Path) -> None:
    empty = tmp_path / "empty.wav"
    empty.write_bytes(b"")
    refused(score(empty, text), "audio_empty")


def test_not_audio(tmp_path: Path, text: Path) -> None:
    page = tmp_path / "page.mp3"
    page.write_bytes(b"<html><body>Not found</body></html>" * 50)
    refused(score(page, text), "audio_unreadable")


@pytest.mark.parametrize("samples", [silence(4), noise(6), tone(5)], ids=["silence", "noise", "tone"])
def test_no_speech_is_not_scored(tmp_path: Path, text: Path, samples: list[float]) -> None:
    out = tmp_path / "report.json"
    done = score(write_wave(tmp_path / "clip.wav", samples), text, "--json", out)
    assert done.code == 3
    assert "not_scored: no_speech" in done.out
    report = json.loads(out.read_text(encoding="utf-8"))
    for outcome in (report["overall"], *report["markers"].values()):
        assert (outcome["state"], outcome["score"], outcome["trace"]) == ("not_scored", None, None)
        assert outcome["reason"]["code"] == "no_speech"
        assert outcome["reason"]["remedy"]


def test_no_words_in_the_transcript(tmp_path: Path, text: Path, sound: Path) -> None:
    done = score(sound, text, "--transcript", words_file(tmp_path / "w.json", []))
    assert done.code == 3
    assert "not_scored: no_speech" in done.out


def test_words_but_no_voice(tmp_path: Path, text: Path) -> None:
    """A transcript that says words over digital silence is not believed."""
    still = write_wave(tmp_path / "still.wav", silence(3))
    done = score(still, text, "--transcript", words_file(tmp_path / "w.json", WORDS))
    assert done.code == 3
    assert "not_scored: no_speech" in done.out


def test_no_reference_for_a_closed_task(sound: Path) -> None:
    refused(run("score", sound, "--module", "poem_recitation", "--grade", 7), "reference_missing")


def test_a_reference_for_an_open_task(sound: Path, text: Path) -> None:
    refused(score(sound, text, module="rapid_fire_qa"), "reference_unexpected")


def test_an_empty_reference(tmp_path: Path, sound: Path) -> None:
    blank = tmp_path / "blank.txt"
    blank.write_text(" ...\n", encoding="utf-8")
    refused(
        score(sound, blank, "--transcript", words_file(tmp_path / "w.json", WORDS)),
        "reference_empty",
    )


@pytest.mark.parametrize("grade", [2, 11, 0, -3])
def test_a_grade_that_no_band_has(sound: Path, text: Path, grade: int) -> None:
    done = score(sound, text, grade=grade)
    refused(done, "grade_unknown")
    assert "3, 4, 5, 6, 7, 8, 9, 10" in done.err


def test_an_unknown_module(sound: Path, text: Path) -> None:
    refused(score(sound, text, module="poem"), "module_unknown")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([("a", 1.0, 1.2), ("b", 0.2, 0.4)], "times_backward"),
        ([("a", 1.0, 0.8)], "times_backward"),
        ([("a", -0.5, 0.8)], "times_negative"),
        ([("a", 1.0, 60.0)], "times_beyond_end"),
    ],
)
def test_times_that_cannot_be(tmp_path: Path, sound: Path, text: Path, words: Any, code: str) -> None:
    refused(score(sound, text, "--transcript", words_file(tmp_path / "w.json", words)), code)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_none(tmp_path: Path, sound: Path, text: Path, number: str) -> None:
    path = tmp_path / "w.json"
    path.write_text(f'{{"words": [{{"text": "a", "start": 0, "end": {number}}}]}}', encoding="utf-8")
    done = score(sound, text, "--transcript", path)
    assert done.code == 2
    assert done.err.startswith("vivavoce: ")
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("judgement", "code"),
    [
        ("pronunciation", "judgement_form"),
        ("pronunciation=loud", "value_type"),
        ("pronunciation=101", "value_range"),
        ("pronunciation=-1", "value_range"),
        ("charm=80", "judgement_form"),
        ("speaking_rate=80", "marker_is_measured"),
        ("task_adherence=80", "marker_is_measured"),
    ],
)
def test_judgements_that_do_not_fit(tmp_path: Path, sound: Path, text: Path, judgement: str, code: str) -> None:
    transcript = words_file(tmp_path / "w.json", WORDS)
    refused(score(sound, text, "--transcript", transcript, "--judgement", judgement), code)


def test_two_judgements_of_one_marker(sound: Path, text: Path) -> None:
    refused(score(sound, text, "--judgement", "fluency=70", "--judgement", "fluency=80"), "judgement_repeated")


def test_a_task_file_that_does_not_fit(tmp_path: Path, sound: Path) -> None:
    task = tmp_path / "task.json"
    task.write_text('{"module": "paragraph_reading", "grade": 7, "referense": "x"}', encoding="utf-8")
    done = run("score", sound, "--task", task)
    refused(done, "key_unknown")
    assert "task.json /referense" in done.err


def test_a_story_needs_its_keywords(sound: Path) -> None:
    refused(run("score", sound, "--module", "story_building", "--grade", 5), "keywords_missing")


def test_errors_as_json(tmp_path: Path) -> None:
    done = run("--json-errors", "measure", tmp_path / "none.wav")
    assert done.code == 2
    assert set(json.loads(done.err)["error"]) == {"code", "where", "found", "allowed", "remedy"}


def test_a_text_in_another_encoding(tmp_path: Path, sound: Path) -> None:
    latin = tmp_path / "latin.txt"
    latin.write_bytes("caf\xe9".encode("latin-1"))
    refused(score(sound, latin), "text_encoding")


def test_weights_that_are_not_there(tmp_path: Path, text: Path, sound: Path) -> None:
    done = score(sound, text, "--weights", tmp_path / "nowhere")
    assert done.code in (2, 4)
    assert done.err.startswith("vivavoce: weights_")
    assert "Traceback" not in done.err


def test_an_output_never_replaces_the_recording(sound: Path, text: Path) -> None:
    before = sound.read_bytes()
    refused(score(sound, text, "--json", sound), "file_unwritable")
    assert sound.read_bytes() == before


def test_two_outputs_in_one_file(tmp_path: Path, sound: Path, text: Path) -> None:
    refused(score(sound, text, "--json", tmp_path / "x", "--html", tmp_path / "x"), "file_unwritable")


def test_an_output_where_nothing_can_be(tmp_path: Path, sound: Path, text: Path) -> None:
    refused(score(sound, text, "--json", tmp_path), "file_unwritable")
    refused(score(sound, text, "--json", sound / "x.json"), "file_unwritable")


def test_a_link_is_followed_and_a_device_is_kept(tmp_path: Path, sound: Path, text: Path) -> None:
    transcript = words_file(tmp_path / "w.json", WORDS)
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    score(sound, text, "--transcript", transcript, "--json", link)
    assert link.is_symlink()
    assert json.loads(target.read_text(encoding="utf-8"))["schema"]
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    write_text(fifo, "short")
    assert os.read(reader, 100) == b"short"
    os.close(reader)
    assert stat.S_ISFIFO(fifo.stat().st_mode)
