"""The commands that hear nothing: lab, align, rubric, schema, example; and that the package starts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from flow_tools import run

import vivavoce
from vivavoce.cli.main import main
from vivavoce.rubric.load import published


def test_version() -> None:
    done = subprocess.run([sys.executable, "-m", "vivavoce", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"vivavoce {vivavoce.__version__}"


def test_every_module_has_an_example_that_the_lab_takes(tmp_path: Path) -> None:
    requests = tmp_path / "requests.jsonl"
    requests.write_text(run("example").out, encoding="utf-8")
    answers = [json.loads(line) for line in run("lab", requests).out.splitlines()]
    assert [answer["module"] for answer in answers] == list(published().modules)
    for answer in answers:
        expected = run("example", answer["module"]).json["expected"]
        assert answer["overall"]["score"] == expected["overall"]


def test_align_by_the_line(tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text(
        "\n".join(
            [
                json.dumps({"reference": "the cat sat", "transcript": ""}),
                "{",
                json.dumps({"reference": "red lorry", "transcript": "red lorry red lorry", "module": "tongue_twister"}),
                json.dumps({"reference": "the cat", "transcript": "the cat", "module": "poem"}),
            ]
        ),
        encoding="utf-8",
    )
    done = run("align", "--jsonl", lines)
    first, second, third, fourth = (json.loads(line) for line in done.out.splitlines())
    assert (first["reference_words"], first["matched"], first["trailing_omissions"]) == (3, 0, 3)
    assert second["error"]["where"] == "line 2"
    assert (third["reference_words"], third["matched"], third["trailing_omissions"]) == (6, 4, 2)
    assert fourth["error"]["code"] == "value_unknown"
    assert done.code == 0


def test_a_rubric_path_shows_its_value_and_provenance() -> None:
    done = run("rubric", "speaking_rate.open.pace.high.full_low")
    assert done.out.strip() == "speaking_rate.open.pace.high.full_low = 110  [published]"


def test_an_unknown_rubric_path() -> None:
    done = run("rubric", "speaking_rate.nowhere")
    assert done.code == 2
    assert "rubric_path_unknown" in done.err


@pytest.mark.parametrize("name", ["report", "task", "lab-request"])
def test_schemas_are_schemas(name: str) -> None:
    assert run("schema", name).json["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_an_unknown_schema() -> None:
    done = run("schema", "card")
    assert done.code == 2
    assert "report" in done.err


def test_the_published_edition_is_sound() -> None:
    assert published().digest in run("rubric", "--check").out


def test_another_programs_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    requests = tmp_path / "requests.jsonl"
    requests.write_text(run("example").out.splitlines()[0] + "\n", encoding="utf-8-sig")
    assert json.loads(run("lab", requests).out)["module"] == "audio_postcard"


def test_align_refuses_a_module_that_has_no_text(tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text(json.dumps({"reference": "a", "transcript": "a", "module": "rapid_fire_qa"}), encoding="utf-8")
    assert (
        run("align", "--jsonl", lines).json["error"]["allowed"] == "poem_recitation, paragraph_reading, tongue_twister"
    )


def test_a_folder_that_is_no_edition() -> None:
    done = run("rubric", "--rubric", "/")
    assert (done.code, done.err.split()[1]) == (2, "rubric_file_missing")


def test_a_wrong_call_is_an_error_like_any_other() -> None:
    done = run("--json-errors", "score", "a.wav", "--grade", "seven")
    assert done.code == 2
    assert json.loads(done.err)["error"]["code"] == "usage"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "vivavoce", "example"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith("vivavoce: output_unwritable at standard output")


def test_closed_standard_output_is_no_crash() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'"{sys.executable}" -m vivavoce example >&-'], stderr=subprocess.PIPE, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize("command", ["measure", "score", "transcribe", "align-audio"])
def test_help_says_what_a_recording_may_be(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "audio the recording, in any common audio or video format" in told
    if command in ("measure", "score"):
        assert "(vivavoce rubric lists them)" in told
        assert ("not needed" in told) == (command == "measure")
