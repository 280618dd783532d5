"""What `vivavoce measure`, the card, the page and the report say of disruptions, and that counts may be a floor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from vivavoce.cli.recordings import measures_json
from vivavoce.measures.recording import measure
from vivavoce.pipeline import Heard, hear, score_recording
from vivavoce.report.page import page_html
from vivavoce.report.schemas import schema
from vivavoce.report.text import card_text
from vivavoce.rubric.load import published
from vivavoce.submission import Task

# What is said, by the data's own transcript; times as a listener finds them, to 0.1 s.
WORDS = (("montreal", 1.2, 2.0), ("forced", 2.0, 2.7), ("um", 4.0, 4.7), ("aligner", 6.2, 6.7))
FLOOR = "there may be more fillers and restarts than counted"


@pytest.fixture(params=[True, False, None])
def verbatim(request: pytest.FixtureRequest) -> bool | None:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture
def heard(shared_data: Path, tmp_path: Path, verbatim: bool | None) -> Heard:
    file = tmp_path / "words.json"
    words = [{"text": text, "start": start, "end": end} for text, start, end in WORDS]
    file.write_text(json.dumps({"words": words, "verbatim": verbatim}), encoding="utf-8")
    return hear(shared_data / "2_audio" / "mfa_disfluent" / "mfa_um.flac", transcript=file)


def told(warnings: list[dict[str, Any]]) -> bool:
    return "filler_counts_are_a_floor" in [warning["code"] for warning in warnings]


def test_measure_prints_counts_and_events(heard: Heard, verbatim: bool | None) -> None:
    printed = measures_json(heard, measure(heard.waveform, heard.transcript, forced=heard.forced))
    assert printed["filled_pauses"] == printed["disruptive_fillers_per_30_s"] == 1
    assert printed["false_starts_per_30_s"] == 0
    (event,) = printed["disfluencies"]
    assert (event["kind"], event["words"]) == ("filled_pause", ["um"])
    assert 0 < event["start"] < event["end"] < printed["duration_s"]
    # A measurement in seconds stands on a grid of 0.01 (A2).
    assert printed["recovery_s"] == pytest.approx(event["recovery_s"], abs=0.005)
    assert printed["verbatim"] is verbatim
    assert told(printed["warnings"]) is (verbatim is not True)


def test_every_report_says_whether_counts_are_a_floor(heard: Heard, verbatim: bool | None) -> None:
    rubric = published()
    report = score_recording(rubric, Task(next(m for m, r in rubric.modules.items() if r.kind == "open"), 7), heard)
    jsonschema.validate(json.loads(json.dumps(report)), json.loads(schema("report")))
    assert [event["kind"] for event in report["disfluencies"]] == ["filled_pause"]
    assert report["measurements"]["filled_pauses"]["value"] == 1
    noted = report["measurements"]["disruptive_fillers_per_30_s"]["note"].startswith("at least this many")
    card, page = " ".join(card_text(report).split()), " ".join(page_html(report).split())
    for said in (told(report["warnings"]), noted, FLOOR in card, FLOOR in page):
        assert said is (verbatim is not True)
    for shown in (card, page):
        assert "at least this many" in shown or verbatim
