"""The shipped listener behind the judge, on one learner's sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from vivavoce.judging.local.judge import LocalJudge
from vivavoce.judging.panel import Panel
from vivavoce.pipeline import hear, score_recording
from vivavoce.rubric.load import published
from vivavoce.submission import Task

CLIP = "027990028"
TEXT = "He runs, he blocks, he catches the ball."


@pytest.fixture(scope="module")
def learner(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The sentence with a transcript whose times are even; the aligner puts them right."""
    rows = [{"text": w, "start": 0.3 + 0.35 * i, "end": 0.6 + 0.35 * i} for i, w in enumerate(TEXT.split())]
    path = tmp_path_factory.mktemp("real") / "words.json"
    path.write_text(json.dumps({"words": rows, "verbatim": True, "language": "en"}), encoding="utf-8")
    return hear(shared_data / "speechocean762_train" / "audio" / f"{CLIP}.flac", transcript=path)


def report(learner: Any) -> dict[str, Any]:
    judge = LocalJudge()
    panel = Panel({"pronunciation": judge, "fluency": judge})
    return score_recording(published(), Task("paragraph_reading", 7, reference=TEXT), learner, (), CLIP, panel)


def test_a_learner_gets_a_full_report_twice_the_same(learner: Any) -> None:
    """Five experts gave 8 for accuracy, each of them: Good, 76 to 90; the interval holds the score and meets that."""
    first = report(learner)
    assert first["state"] == "scored"
    marker = first["markers"]["pronunciation"]
    interval = marker["judgement"]["interval"]
    assert interval["low"] <= marker["score"] <= interval["high"]
    assert interval["low"] <= 90
    assert interval["high"] >= 76
    assert marker["judgement"]["replies"][0]["model"].startswith("local ")
    assert report(learner) == first
