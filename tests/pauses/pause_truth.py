"""Readings with published word times, with silence put in between two words."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vivavoce.audio.levels import LevelMeter
from vivavoce.audio.waveform import AudioSource, Waveform, decode
from vivavoce.timeline import Word

Span = tuple[str, int, int]


def spans(shared_data: Path, name: str) -> list[Span]:
    """Words of a librivox reading with start and end in ms, from the aligner's file of 10 ms frames."""
    lines = (shared_data / "2_audio/pocketsphinx/librivox/test-align.matchseg").read_text(encoding="utf-8").splitlines()
    fields = next(line.split() for line in lines if line.split()[0].endswith(name))
    rest = fields[fields.index("L") + 2 :]
    starts = [10 * int(start) for start in rest[::4]]
    named = zip(rest[3::4], starts, starts[1:], strict=False)
    return [(name.split("(")[0], start, end) for name, start, end in named if not name.startswith("<")]


def samples_of(shared_data: Path, name: str) -> np.ndarray:
    folder = shared_data / "2_audio/pocketsphinx/librivox"
    return np.asarray(decode(folder / f"sense_and_sensibility_01_austen_64kb-{name}.wav").samples)


def waveform_of(samples: np.ndarray) -> Waveform:
    samples = np.asarray(samples, np.float32)
    meter = LevelMeter(16_000)
    meter.add(samples.astype(np.float64))
    return Waveform(
        samples, 16_000, round(samples.size / 16), meter.finish(), AudioSource("wav", "pcm_f32le", 16_000, 1, "")
    )


def room_tone(samples: np.ndarray, words: list[Span], count: int) -> np.ndarray:
    """The quietest tenth of a second outside the words, forwards and backwards in turn."""
    power = np.convolve(samples.astype(np.float64) ** 2, np.ones(1600), "valid")
    for _, start, end in words:
        power[max(0, 16 * start - 1600) : 16 * end] = np.inf
    place = int(np.argmin(power))
    tone = samples[place : place + 1600]
    return np.resize(np.concatenate((tone, tone[::-1])), count)


def with_silence(
    samples: np.ndarray, words: list[Span], index: int, length_ms: int, kind: str
) -> tuple[Waveform, list[Word]]:
    """The reading with a silence after word `index`, at the least energy within 60 ms of the word's end, and its
    words, both neighbours stretched over the silence to its middle."""
    energy = np.convolve(samples.astype(np.float64) ** 2, np.ones(320), "same")
    low, high = 16 * (words[index][2] - 60), 16 * (words[index + 1][1] + 60)
    at = low + int(np.argmin(energy[low:high]))
    tone = np.zeros(16 * length_ms) if kind == "digital" else room_tone(samples, words, 16 * length_ms)
    middle = (words[index][2] + words[index + 1][1] + length_ms) // 2
    moved = [Word(text, start, end) for text, start, end in words[:index]]
    moved.append(Word(words[index][0], words[index][1], middle))
    moved.append(Word(words[index + 1][0], middle, words[index + 1][2] + length_ms))
    moved += [Word(text, start + length_ms, end + length_ms) for text, start, end in words[index + 2 :]]
    return waveform_of(np.concatenate((samples[:at], tone, samples[at:]))), moved
