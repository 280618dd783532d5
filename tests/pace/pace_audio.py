"""Real readings with published word times, as copies: stretched, or said three times."""

from __future__ import annotations

import wave
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
from av.filter import Graph
from numpy.typing import NDArray

from vivavoce.audio.waveform import Waveform, decode
from vivavoce.timeline import Word

Samples = NDArray[np.float32]


@dataclass(frozen=True)
class Reading:
    """A sentence of *Sense and Sensibility*: its samples at 16 kHz and its words as a Sphinx aligner published them."""

    name: str
    samples: Samples
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)


def readings(folder: Path) -> list[Reading]:
    """The five sentences of `pocketsphinx/librivox`."""
    found = []
    for line in (folder / "test-align.matchseg").read_text(encoding="utf-8").splitlines():
        fields = line.split()
        rest = fields[fields.index("L") + 2 :]
        spans = pairwise(int(start) * 10 for start in rest[::4])
        named = zip(spans, rest[3::4], strict=True)
        words = tuple(Word(name.split("(")[0], *span) for span, name in named if not name.startswith("<"))
        found.append(Reading(fields[0], decode(folder / f"{fields[0]}.wav").samples, words))
    return found


def stretched(samples: Samples, tempo: float) -> Samples:
    """The sound `tempo` times as fast at the same pitch, by FFmpeg's atempo."""
    graph = Graph()
    source = graph.add_abuffer(sample_rate=16_000, format="flt", layout="mono")
    change, sink = graph.add("atempo", str(tempo)), graph.add("abuffersink")
    source.link_to(change)
    change.link_to(sink)
    graph.configure()
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples)[None], format="flt", layout="mono")
    frame.sample_rate, frame.pts = 16_000, 0
    graph.push(frame)
    graph.push(None)
    parts = []
    while True:
        try:
            parts.append(graph.pull().to_ndarray().reshape(-1))
        except (av.error.BlockingIOError, av.error.EOFError):
            return np.concatenate(parts)


def moved(words: Sequence[Word], factor: float, offset_ms: float = 0) -> list[Word]:
    """The words with their times multiplied, then moved."""
    spans = [(round(word.start_ms * factor + offset_ms), round(word.end_ms * factor + offset_ms)) for word in words]
    return [replace(word, start_ms=start, end_ms=end) for word, (start, end) in zip(words, spans, strict=True)]


def waveform_of(samples: Samples, path: Path) -> Waveform:
    """The samples written as 16-bit WAV, and read again."""
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    return decode(path)


def twister(reading: Reading, tempi: Sequence[float], gap_ms: int) -> tuple[Samples, list[Word]]:
    """The sentence once a tempo, the room's own tone between (its quietest 0.1 s, forwards and backwards in turn)."""
    power = np.convolve(reading.samples.astype(np.float64) ** 2, np.ones(1600), "valid")[::160]
    place = int(np.argmin(power)) * 160
    quiet = reading.samples[place : place + 1600]
    room = np.concatenate([quiet, quiet[::-1]])
    start, end = reading.words[0].start_ms, reading.words[-1].end_ms
    sentence = reading.samples[start * 16 : end * 16]
    parts, words, at = [np.resize(room, 8000)], [], 500.0
    for tempo in tempi:
        copy = stretched(sentence, tempo)
        words += moved(moved(reading.words, 1, -start), copy.size / sentence.size, at)
        parts += [copy, np.resize(room, gap_ms * 16)]
        at += copy.size / 16 + gap_ms
    return np.concatenate([*parts, np.resize(room, 8000)]), words
