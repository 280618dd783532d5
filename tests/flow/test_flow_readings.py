"""The main job on real recordings: poem, paragraph and twister, heard by the built-in recogniser.

The texts are what the recordings' own sources say was read (TRUTH.tsv); what a reader did is stated there too. Nothing
here is a number that we computed before.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from flow_tools import read_wave, run, silence, words_file, write_float, write_wave

from vivavoce.arithmetic import parse
from vivavoce.report.schemas import schema

AUSTEN = "pocketsphinx/librivox/sense_and_sensibility_01_austen_64kb-{}.wav"
# "0920: reader says an extra a": the index of the data says so, and the text here is the book's.
AMIABLE = "Had he married a more amiable woman, he might have been made still more respectable than he was."
SHORT = "He was not an ill disposed young man."


def report_of(tmp_path: Path, *arguments: object) -> tuple[dict[str, Any], str]:
    out, page = tmp_path / "report.json", tmp_path / "card.html"
    done = run("score", *arguments, "--judge", "none", "--json", out, "--html", page)
    assert done.code == 0, done.err
    report = json.loads(out.read_text(encoding="utf-8"))
    jsonschema.validate(report, json.loads(schema("report")))
    assert page.read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html>")
    for name, marker in report["markers"].items():
        if marker["trace"] is not None:
            assert parse(marker["trace"]).value == marker["score"], name
    return report, done.out


def text_file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(text, encoding="utf-8")
    return path


def words_of_the_aligner(shared_data: Path, clip: str, path: Path) -> Path:
    """Words with times from the data's own forced alignment: "word end" pairs, ends in frames of 10 ms."""
    lines = (shared_data / "2_audio/pocketsphinx/librivox/test-align.matchseg").read_text(encoding="utf-8").splitlines()
    found = next(line for line in lines if line.startswith(AUSTEN.format(clip).split("/")[-1].removesuffix(".wav")))
    words, at = [], 0.0
    for score, word, end in re.findall(r"(-?\d+) ([a-z<][^ ]*) (\d+)", found):
        assert score
        if word != "<sil>":
            words.append((word.partition("(")[0], at, int(end) / 100))
        at = int(end) / 100
    return words_file(path, words)


def test_a_paragraph_with_judgements_by_hand(shared_data: Path, tmp_path: Path) -> None:
    report, card = report_of(
        tmp_path,
        shared_data / "2_audio" / AUSTEN.format("0920"),
        *("--module", "paragraph_reading", "--grade", 7, "--reference", text_file(tmp_path, AMIABLE)),
        *("--transcript", words_of_the_aligner(shared_data, "0920", tmp_path / "words.json")),
        *("--judgement", "pronunciation=84", "--judgement", "fluency=97", "--by", "Ms Lee"),
    )
    counts = report["alignment"]
    assert counts["reference_words"] == 18
    assert (counts["trailing_omissions"], counts["insertions"]) == (0, 1)  # the extra "a"
    markers = report["markers"]
    assert markers["pronunciation"]["score"] == 84
    assert markers["fluency"]["score"] == 95  # A9: 96-100 become 95
    judgement = markers["fluency"]["judgement"]
    assert (judgement["judge"], judgement["by"], judgement["scores"]) == ("person", "Ms Lee", [97])
    # A12 and the guide's paragraph weights: .25 .15 .15 .20 .25, half up.
    weights = {"pronunciation": 25, "fluency": 15, "speaking_rate": 15, "volume_control": 20, "task_adherence": 25}
    total = sum(markers[name]["score"] * weight for name, weight in weights.items())
    assert report["overall"]["score"] == (2 * total + 100) // 200
    assert "Ms Lee" in card


def test_a_poem_waits_for_its_listener(shared_data: Path, tmp_path: Path) -> None:
    lines = (shared_data / "2_audio/librivox_sonnets/sonnet001.txt").read_text(encoding="utf-8").splitlines()
    poem = "\n".join(line.partition("|")[2] for line in lines)
    report, card = report_of(
        tmp_path,
        shared_data / "2_audio/librivox_sonnets/sonnet_p001.mp3",
        *("--module", "poem_recitation", "--grade", 9, "--reference", text_file(tmp_path, poem)),
    )
    states = {name: marker["state"] for name, marker in report["markers"].items()}
    assert states == {
        "pronunciation": "pending",
        "fluency": "pending",
        "speaking_rate": "scored",
        "volume_control": "scored",
        "task_adherence": "scored",
    }
    assert report["overall"]["state"] == "pending"
    assert report["overall"]["score"] is None
    assert report["fade_method"] == "whole"
    assert report["alignment"]["trailing_omissions"] == 0
    assert report["alignment"]["matched"] >= 0.85 * report["alignment"]["reference_words"]
    assert report["recording"]["duration_s"] == pytest.approx(53.27, abs=0.05)
    assert "pending" in card.lower()


def test_a_twister_said_three_times(shared_data: Path, tmp_path: Path) -> None:
    once = read_wave(shared_data / "2_audio" / AUSTEN.format("0880"))
    audio = write_wave(tmp_path / "twister.wav", once + silence(0.3) + once + silence(0.3) + once)
    report, _ = report_of(
        tmp_path, audio, "--module", "tongue_twister", "--grade", 4, "--reference", text_file(tmp_path, SHORT)
    )
    assert report["alignment"]["reference_words"] == 24  # eight words, three times (L5)
    assert report["measurements"]["pace_rises"]["value"] == 0  # the same clip three times is as fast
    rate = report["markers"]["speaking_rate"]
    assert {component["id"] for component in rate["components"]} >= {"acceleration", "words_per_minute"}


def test_the_same_recording_gives_the_same_report(shared_data: Path, tmp_path: Path) -> None:
    text = text_file(tmp_path, SHORT)
    arguments = ("--module", "paragraph_reading", "--grade", 7, "--reference", text)
    audio = shared_data / "2_audio" / AUSTEN.format("0880")
    first, _ = report_of(tmp_path, audio, *arguments)
    second, _ = report_of(tmp_path, audio, *arguments)
    assert first == second


def test_what_transcribe_prints_can_be_given_back(shared_data: Path, tmp_path: Path) -> None:
    audio = shared_data / "2_audio" / AUSTEN.format("0880")
    heard = run("transcribe", audio)
    assert heard.code == 0
    transcript = tmp_path / "words.json"
    transcript.write_text(heard.out, encoding="utf-8")
    again, direct = run("measure", audio, "--transcript", transcript), run("measure", audio)
    assert again.code == direct.code == 0
    for name in ("words_per_minute", "pauses", "level_db", "word_count", "recognizer"):
        assert again.json[name] == direct.json[name], name


def test_measure_prints_all_that_it_promises(shared_data: Path) -> None:
    done = run("measure", shared_data / "2_audio/faster_whisper/jfk.flac")
    promised = {
        "duration_s",
        "response_s",
        "speaking_s",
        "speech_s",
        "word_count",
        "words_per_minute",
        "pace_variation",
    }
    promised |= {"choppy_breaks_per_minute", "hesitations_per_minute", "pauses", "level_db", "consistency_db"}
    promised |= {"fade_db", "fade_method", "pace_rises", "warnings"}
    assert promised <= set(done.json)
    assert done.json["word_count"] == 22  # Kennedy's sentence has 22 words
    assert {tuple(sorted(pause)) for pause in done.json["pauses"]} == {("end", "kind", "start")}
    assert not any(isinstance(value, float) and value != value for value in done.json.values())


def test_gain_moves_level_and_nothing_else(shared_data: Path, tmp_path: Path) -> None:
    """M8: 20 dB quieter as floating point, so that nothing is lost on the way."""
    samples = read_wave(shared_data / "2_audio" / AUSTEN.format("0870"))
    found = [
        run(
            "measure",
            write_float(tmp_path / f"{name}.wav", [gain * sample for sample in samples]),
            *("--transcript", words_of_the_aligner(shared_data, "0870", tmp_path / "words.json")),
        ).json
        for name, gain in (("as it was", 1.0), ("quieter", 0.1))
    ]
    loud, quiet = found
    assert quiet.pop("level_db") == pytest.approx(loud.pop("level_db") - 20, abs=0.011)
    assert quiet == loud


def test_a_recording_clipped_beyond_use_is_not_scored(shared_data: Path, tmp_path: Path) -> None:
    samples = [100 * sample for sample in read_wave(shared_data / "2_audio" / AUSTEN.format("0880"))]
    done = run(
        *("score", write_wave(tmp_path / "clipped.wav", samples), "--module", "paragraph_reading", "--grade", 7),
        *("--reference", text_file(tmp_path, SHORT)),
        *("--transcript", words_of_the_aligner(shared_data, "0880", tmp_path / "words.json")),
    )
    assert done.code == 3
    assert "not_scored: clipped_beyond_use" in done.out


def test_damage_is_named_where_a_transcript_no_longer_fits(shared_data: Path, tmp_path: Path) -> None:
    whole = (shared_data / "2_audio" / AUSTEN.format("0870")).read_bytes()
    cut = tmp_path / "cut.wav"
    cut.write_bytes(whole[: len(whole) // 3])
    done = run("measure", cut, "--transcript", words_of_the_aligner(shared_data, "0870", tmp_path / "words.json"))
    assert done.code == 2
    assert "times_beyond_end" in done.err
    assert "words.json, word " in done.err
    assert "promises" in done.err
    assert "to do    give the whole recording" in done.err
    transcript = words_of_the_aligner(shared_data, "0870", tmp_path / "words.json")
    done = run("measure", shared_data / "2_audio" / AUSTEN.format("0880"), "--transcript", transcript)
    assert "to do    check that transcript and recording belong together" in done.err
