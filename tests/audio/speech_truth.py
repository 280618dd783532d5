"""Word times that came with the recordings, and waveforms made of changed samples."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from vivavoce.audio.levels import LevelMeter
from vivavoce.audio.waveform import ANALYSIS_RATE, AudioSource, Waveform

READINGS = ("0870", "0880", "0890", "0920", "0930")


def reading(shared_data: Path, name: str) -> Path:
    return shared_data / f"2_audio/pocketsphinx/librivox/sense_and_sensibility_01_austen_64kb-{name}.wav"


def word_times(shared_data: Path, name: str) -> list[tuple[int, int, str]]:
    """Words of a reading as (start ms, end ms, text), from its line of test-align.matchseg.

    After the total scores a line holds, for each word, its first frame of 10 ms, two scores and its text; the last
    number is the frame after the end.
    """
    lines = (shared_data / "2_audio/pocketsphinx/librivox/test-align.matchseg").read_text().splitlines()
    fields = next(line.split() for line in lines if line.split()[0].endswith(name))
    fields = fields[fields.index("L") + 2 :]
    starts = [int(field) for field in fields[::4]]
    return [
        (10 * start, 10 * end, text)
        for start, end, text in zip(starts, starts[1:], fields[3::4], strict=False)
        if text != "<sil>"
    ]


def waveform_of(samples: np.ndarray) -> Waveform:
    """A waveform of these samples at 16 kHz, as if decoded from a file."""
    samples = np.asarray(samples, np.float32)
    meter = LevelMeter(ANALYSIS_RATE)
    meter.add(samples.astype(np.float64))
    source = AudioSource("wav", "pcm_f32le", ANALYSIS_RATE, 1, "")
    return Waveform(samples, ANALYSIS_RATE, round(samples.size / 16), meter.finish(), source)


def room_tone(samples: np.ndarray, words: list[tuple[int, int, str]], length: int) -> np.ndarray:
    """The recording's own quietest tenth of a second outside its words, there and back again up to `length`."""
    outside = np.ones(samples.size // 160, bool)
    for start, end, _ in words:
        outside[start // 10 - 2 : end // 10 + 2] = False
    energy = np.square(samples[: outside.size * 160].reshape(-1, 160), dtype=np.float64).sum(axis=1)
    whole = np.convolve(outside, np.ones(10), "valid") == 10
    quietest = int(np.argmin(np.where(whole, np.convolve(energy, np.ones(10), "valid"), np.inf)))
    tone = samples[quietest * 160 : quietest * 160 + 1600]
    return np.resize(np.concatenate((tone, tone[::-1])), length)
