"""What a judge may use of one submission: the task, the words with their times, and what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vivavoce.judging.checks import Facts
from vivavoce.judging.local.listener import Ears
from vivavoce.judging.local.text import SpokenText
from vivavoce.measurement import Measurement
from vivavoce.rubric.model import Module, Rubric
from vivavoce.submission import Task
from vivavoce.timeline import Pause, Word
from vivavoce.trace import exact


@dataclass(frozen=True, slots=True)
class Material:
    """One submission as judges see it.

    `measurements` by name as the report has them; `verbatim` whether the transcript keeps fillers (None: not known);
    `restarts` false starts, repetitions and cut-offs counted; `audio_wav` the recording as a 16 kHz mono WAVE file,
    `audio_sha256` of the recording as it was sent in; `ears` the recording for the local judge to listen to, `spoken`
    the words that it listens for.
    """

    task: Task
    words: tuple[Word, ...] = ()
    pauses: tuple[Pause, ...] = ()
    measurements: Mapping[str, Measurement] = field(default_factory=dict)
    verbatim: bool | None = None
    audio_wav: bytes | None = None
    audio_sha256: str = ""
    restarts: int = 0
    ears: Ears | None = None
    spoken: SpokenText | None = None

    def facts(self, rubric: Rubric, module: Module, grade_band: str) -> Facts:
        """Return what replies are held against."""
        response = self.measurements.get("response_s")
        texts = tuple(word.text for word in self.words)
        return Facts(rubric, module, grade_band, self.task, texts, None if response is None else response.node())


def material_of_report(report: Mapping[str, Any], task: Task) -> Material:
    """Return the material of a saved report, without its recording.

    Parameters: `report` a report document; `task` its task, read by `task_from_json`.
    """
    transcript = report["transcript"] or {"words": [], "verbatim": None}
    words = tuple(
        Word(word["text"], _ms(word["start_s"]), _ms(word["end_s"]), word["confidence"]) for word in transcript["words"]
    )
    pauses = tuple(Pause(_ms(p["start_s"]), _ms(p["end_s"]), p["kind"]) for p in report["pauses"])
    measurements = {
        name: Measurement(
            name, None if m["value"] is None else exact(m["value"]), m["unit"], m["source"], m.get("note", "")
        )
        for name, m in report["measurements"].items()
    }
    recording = report["recording"] or {}
    sha256, restarts = recording.get("sha256", ""), _restarts(report["disfluencies"])
    return Material(task, words, pauses, measurements, transcript["verbatim"], None, sha256, restarts)


def _restarts(events: Sequence[Mapping[str, Any]]) -> int:
    """Count as `count_restarts` does: a cut-off inside another restart is one with it."""
    larger = [event for event in events if event["kind"] in ("false_start", "repetition")]
    apart = [
        event
        for event in events
        if event["kind"] == "cut_off"
        and not any(other["start_s"] <= event["start_s"] < other["end_s"] for other in larger)
    ]
    return len(larger) + len(apart)


def _ms(seconds: Any) -> int:
    return round(float(seconds) * 1000)
