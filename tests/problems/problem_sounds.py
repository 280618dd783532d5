"""Sounds that are no English speech, made by code: the same samples every time, 16 kHz, full scale 1."""

from __future__ import annotations

import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import Waveform

Samples = NDArray[np.float32]
RATE = 16_000


def _time(seconds: float) -> NDArray[np.float64]:
    return np.arange(int(seconds * RATE)) / RATE


def _noise(seconds: float, seed: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(size=int(seconds * RATE))


def _coloured(seconds: float, seed: int, slope: float) -> NDArray[np.float64]:
    """Noise whose power falls with frequency to the power of `slope`."""
    spectrum = np.fft.rfft(_noise(seconds, seed))
    hertz = np.fft.rfftfreq(int(seconds * RATE), 1 / RATE)
    made: NDArray[np.float64] = np.fft.irfft(spectrum / np.maximum(hertz, 20) ** (slope / 2))
    return made


def _placed(seconds: float, starts: list[float], make: Callable[[int], NDArray[np.float64]]) -> NDArray[np.float64]:
    made = np.zeros(int(seconds * RATE))
    for index, start in enumerate(starts):
        piece = make(index)
        first = min(int(start * RATE), len(made))
        made[first : first + len(piece)] += piece[: len(made) - first]
    return made


def _clap(seed: int) -> NDArray[np.float64]:
    """A burst of noise around 1-2 kHz that dies away in 60 ms."""
    burst = _coloured(0.12, seed, 0.5)
    burst = np.convolve(burst, np.sin(2 * np.pi * 1400 * _time(0.004)), "same")
    return np.asarray(burst / np.abs(burst).max() * np.exp(-_time(0.12) / 0.015))


def _note(hertz: float, seconds: float, overtones: int = 6, decay: float = 0.5) -> NDArray[np.float64]:
    time = _time(seconds)
    tones = sum(np.sin(2 * np.pi * hertz * k * time) / k**1.5 for k in range(1, overtones + 1))
    return np.asarray(tones * np.exp(-time / decay) * np.minimum(1, time / 0.01))


_SCALE = [261.6, 293.7, 329.6, 349.2, 392.0, 440.0, 493.9, 523.3]


def _melody(seconds: float) -> NDArray[np.float64]:
    starts = np.arange(0, seconds, 0.3).tolist()
    order = np.random.default_rng(5).integers(0, len(_SCALE), len(starts))
    return _placed(seconds, starts, lambda i: _note(_SCALE[order[i]], 0.8))


def _chords(seconds: float) -> NDArray[np.float64]:
    roots = [0, 3, 4, 0]
    return _placed(
        seconds,
        np.arange(0, seconds, 1.0).tolist(),
        lambda i: sum(
            (_note(_SCALE[(roots[i % 4] + step) % 8], 1.2, decay=0.9) for step in (0, 2, 4)), np.zeros(int(1.2 * RATE))
        ),
    )


def _drums(seconds: float) -> NDArray[np.float64]:
    kick = _placed(
        seconds,
        np.arange(0, seconds, 0.5).tolist(),
        lambda i: np.sin(2 * np.pi * 60 * _time(0.2)) * np.exp(-_time(0.2) / 0.05),
    )
    hat = _placed(
        seconds,
        np.arange(0.25, seconds, 0.5).tolist(),
        lambda i: 0.4 * np.diff(_noise(0.08, i), prepend=0) * np.exp(-_time(0.08) / 0.02),
    )
    return kick + hat


def _applause(seconds: float) -> NDArray[np.float64]:
    starts = np.random.default_rng(3).uniform(0, seconds - 0.2, int(40 * seconds)).tolist()
    return _placed(seconds, starts, lambda i: 0.3 * _clap(i))


def _theremin(seconds: float) -> NDArray[np.float64]:
    """A voiceless organ: a buzz whose pitch and loudness move as in speech, without any vowel."""
    time = _time(seconds)
    pitch = 180 + 40 * np.sin(2 * np.pi * 0.7 * time)
    phase = 2 * np.pi * np.cumsum(pitch) / RATE
    loud = 0.5 - 0.5 * np.cos(2 * np.pi * 4 * time)
    return np.asarray(loud * sum(np.sin(k * phase) / k for k in range(1, 12)))


def _level(samples: NDArray[np.float64], peak: float) -> Samples:
    highest = np.abs(samples).max()
    return np.asarray(samples * (peak / highest) if highest else samples, np.float32)


def made_sounds(seconds: float = 8) -> dict[str, Samples]:
    """Return sounds by name: `kind: which`; nothing in them is speech."""
    time = _time(seconds)
    steady_claps = np.arange(0.3, seconds - 0.2, 0.5).tolist()
    made: dict[str, tuple[NDArray[np.float64], float]] = {
        "silence: digital": (np.zeros_like(time), 0),
        "silence: a constant": (np.full_like(time, 0.1), 0.1),
        "silence: one step of 16 bits": (np.sign(_noise(seconds, 1)), 1 / 32768),
        "noise: white": (_noise(seconds, 2), 0.3),
        "noise: pink": (_coloured(seconds, 3, 1), 0.3),
        "noise: brown": (_coloured(seconds, 4, 2), 0.3),
        "noise: wind": (
            _coloured(seconds, 5, 2) * (1 + 0.9 * np.sin(2 * np.pi * 0.4 * time)),
            0.5,
        ),
        "noise: hum": (np.sin(2 * np.pi * 50 * time) + 0.5 * np.sin(2 * np.pi * 150 * time), 0.2),
        "noise: keyboard": (_placed(seconds, np.cumsum(np.random.default_rng(6).uniform(0.08, 0.3, 30)).tolist(),
                                    lambda i: _clap(100 + i)[:400]), 0.2),
        "claps: one person": (_placed(seconds, steady_claps, _clap), 0.8),
        "claps: applause": (_applause(seconds), 0.8),
        "claps: three, then silence": (_placed(seconds, [1.0, 1.6, 2.2], _clap), 0.8),
        "tones: 440 Hz": (np.sin(2 * np.pi * 440 * time), 0.3),
        "tones: beeps": (np.sin(2 * np.pi * 1000 * time) * (np.mod(time, 1) < 0.5), 0.3),
        "tones: sweep": (np.sin(2 * np.pi * (100 * time + 150 * time**2)), 0.3),
        "tones: siren": (np.sin(2 * np.pi * 700 * time + 200 * np.sin(2 * np.pi * 0.5 * time)), 0.3),
        "tones: a buzz like syllables": (_theremin(seconds), 0.3),
        "tones: dialling": (
            _placed(seconds, np.arange(0.2, seconds - 0.3, 0.35).tolist(),
                    lambda i: np.sin(2 * np.pi * [697, 770, 852, 941][i % 4] * _time(0.2))
                    + np.sin(2 * np.pi * [1209, 1336, 1477][i % 3] * _time(0.2))),
            0.3,
        ),
        "music: melody": (_melody(seconds), 0.5),
        "music: chords": (_chords(seconds), 0.5),
        "music: drums": (_drums(seconds), 0.7),
        "music: band": (_melody(seconds) + _chords(seconds) + 2 * _drums(seconds), 0.7),
    }  # fmt: skip
    return {name: _level(samples, peak) for name, (samples, peak) in made.items()}


def silences_of(waveform: Waveform, seconds: float) -> Samples:
    """Return what a real recording has where nobody speaks, put together: its room, 50 ms clear of any sound."""
    speech = detect(waveform).speech
    near = np.convolve(speech, np.ones(11), "same") > 0
    quiet = np.repeat(~near, RATE // 100)[: waveform.samples.size]
    room = waveform.samples[: quiet.size][quiet]
    return np.asarray(np.resize(room, int(seconds * RATE)), np.float32)


def write_wave(path: Path, samples: Samples) -> Path:
    """Write mono samples of -1 to 1 as a 16-bit wav at 16 kHz."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(np.rint(samples.clip(-1, 1) * 32767).astype("<i2").tobytes())
    return path
