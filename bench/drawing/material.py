"""What the pictures are drawn from: the bundled reading, its words placed by forced alignment, all of it measured."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from vivavoce.audio.activity import Activity, detect
from vivavoce.audio.waveform import Waveform, decode
from vivavoce.measures.pauses import response
from vivavoce.measures.recording import Measured, Reading, measure
from vivavoce.timeline import Segment, Transcript, Word
from vivavoce.transcript.forced import ForcedAlignment, align_words
from vivavoce.transcript.words import is_filled_pause, tokenize_words

DEMO = Path(str(files("vivavoce") / "demo"))
READER = "Sonnet 1 as read by a LibriVox volunteer (the bundled recording)"


@dataclass(frozen=True, slots=True)
class Sonnet:
    """The recording, where its voice is, the alignment of its text, and what was measured."""

    waveform: Waveform
    activity: Activity
    forced: ForcedAlignment
    measured: Measured

    @property
    def words(self) -> tuple[Word, ...]:
        """The words with the times that everything is measured by."""
        return self.measured.words

    @property
    def response(self) -> Segment:
        """First word's start to last word's end."""
        return response(self.words)

    @property
    def counted(self) -> list[bool]:
        """Whether each word is one for pace; the sum is checked against the measurement."""
        found = [any(not is_filled_pause(t.key) for t in tokenize_words([word.text])) for word in self.words]
        assert sum(found) == self.value("word_count")
        return found

    def value(self, name: str) -> float:
        """Return a measurement that must be there."""
        found = self.measured.measurements[name].number
        assert found is not None, name
        return found

    def between(self, start_s: float, end_s: float) -> list[Word]:
        """Return the words that lie in a stretch of the recording."""
        return [word for word in self.words if start_s * 1000 <= word.start_ms and word.end_ms <= end_s * 1000]


@cache
def sonnet() -> Sonnet:
    """Return the bundled reading, measured by the words of its text."""
    text: str = json.loads((DEMO / "task.json").read_text(encoding="utf-8"))["reference"]
    waveform = decode(DEMO / "sonnet_001.mp3")
    forced = align_words(waveform.samples, text.split())
    words = tuple(
        Word(word.text, word.start_ms, word.end_ms)
        for word in forced.words
        if word.start_ms is not None and word.end_ms is not None
    )
    assert len(words) == len(forced.words)
    measured = measure(waveform, Transcript(words), Reading(text), "phrase", forced)
    return Sonnet(waveform, detect(waveform), forced, measured)
