"""`vivavoce align-audio`: its transcript is one that the other commands take, and its errors are named."""

from __future__ import annotations

import json
import wave
from pathlib import Path

import pytest
from forced_truth import LIBRIVOX, sphinx

from vivavoce.cli.main import main
from vivavoce.transcript.importers import load_transcript

pytest.importorskip("pocketsphinx")

NAME = "sense_and_sensibility_01_austen_64kb-0930"


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_text_gets_its_times(shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Truth: the sentence's own alignment file. Punctuation stays with the words, a lone dash with the one before."""
    audio = shared_data / LIBRIVOX / f"{NAME}.wav"
    text = tmp_path / "text.txt"
    text.write_text("He might even have been made\namiable — himself.", encoding="utf-8")
    code, out, err = run(capsys, "align-audio", audio, "--text", text)
    assert (code, err) == (0, "")
    transcript = tmp_path / "transcript.json"
    transcript.write_text(out, encoding="utf-8")
    words = load_transcript(transcript).words
    assert [word.text for word in words] == ["He", "might", "even", "have", "been", "made", "amiable—", "himself."]
    for word, true in zip(words, sphinx(shared_data)[audio], strict=True):
        assert abs(word.start_ms - true.start_ms) <= 40
    assert json.loads(out)["verbatim"] is None


@pytest.mark.parametrize(("text", "code"), [("", "text_empty"), (" — ", "text_empty"), ("日本", "alignment_failed")])
def test_a_text_without_words(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, code: str
) -> None:
    file = tmp_path / "text.txt"
    file.write_text(text, encoding="utf-8")
    done = run(capsys, "--json-errors", "align-audio", shared_data / LIBRIVOX / f"{NAME}.wav", "--text", file)
    assert (done[0], done[1]) == (2, "")
    assert json.loads(done[2])["error"]["code"] == code


def test_silence_is_an_error_with_a_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, audio = tmp_path / "text.txt", tmp_path / "silence.wav"
    text.write_text("hello world", encoding="utf-8")
    with wave.open(str(audio), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(bytes(64_000))
    code, out, err = run(capsys, "--json-errors", "align-audio", audio, "--text", text)
    error = json.loads(err)["error"]
    assert (code, out, error["code"], error["where"]) == (2, "", "alignment_failed", "text.txt")
    assert error["remedy"]


def test_another_text_is_warned_about(shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "text.txt"
    text.write_text("It was the best of times, it was the worst of times.", encoding="utf-8")
    code, _, err = run(capsys, "align-audio", shared_data / LIBRIVOX / f"{NAME}.wav", "--text", text)
    assert code == 0
    assert "alignment_poor" in err
