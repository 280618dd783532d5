"""The method that lost: filled pauses as steady voiced stretches of sound (see docs/evidence/disfluency.md).

A stretch is voiced (normalised autocorrelation under 1 kHz), its level-free spectrum in 11 bands and its pitch hardly
move over 80 ms (after Goto, Itou, Hayamizu 1999). It is taken for a filled pause where it touches a silence and lies in
no word, or in a word that is too long for its syllables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import Waveform
from vivavoce.timeline import Segment, Word

VOICED_FROM, STEADY_DB, PITCH_STEP, LOUD_DB = 0.5, 5.0, 0.12, 25.0
TOUCH_MS, SILENCE_MS, SYLLABLE_MS, SPARE_MS = 120, 120, 300, 100
REACH, WINDOW, SIZE = 4, 640, 2048
LAGS = slice(40, 230)
EDGES_HZ = (100, 250, 400, 600, 800, 1050, 1300, 1600, 2000, 2500, 3100, 3800)


def steady_filled_pauses(waveform: Waveform, words: Sequence[Word], least_ms: int) -> list[Segment]:
    """The stretches of `least_ms` and more that would be called filled pauses."""
    speech = detect(waveform)
    segments = speech.segments()
    found = []
    for stretch in _steady(waveform.samples, speech.speech, least_ms):
        place = next(
            (
                i
                for i, s in enumerate(segments)
                if s.start_ms - 60 <= stretch.start_ms and stretch.end_ms <= s.end_ms + 60
            ),
            None,
        )
        if place is None:
            continue
        around = segments[place]
        before = around.start_ms - segments[place - 1].end_ms if place else SILENCE_MS
        after = segments[place + 1].start_ms - around.end_ms if place + 1 < len(segments) else SILENCE_MS
        starts = stretch.start_ms - around.start_ms <= TOUCH_MS and before >= SILENCE_MS
        ends = around.end_ms - stretch.end_ms <= TOUCH_MS and after >= SILENCE_MS
        if (starts or ends) and not _in_word(stretch, words):
            found.append(stretch)
    return found


def steady_stretches(waveform: Waveform, least_ms: int) -> list[Segment]:
    """The steady voiced stretches of `least_ms` and more, wherever they are."""
    return _steady(waveform.samples, detect(waveform).speech, least_ms)


def _in_word(stretch: Segment, words: Sequence[Word]) -> bool:
    shared = [(min(w.end_ms, stretch.end_ms) - max(w.start_ms, stretch.start_ms), w) for w in words]
    most, word = max(shared, key=lambda pair: pair[0], default=(0, None))
    if word is None or most <= 0.3 * stretch.length_ms:
        return False
    syllables = max(1, len(re.findall("[aeiouy]+", word.text.lower())))
    return word.end_ms - word.start_ms < SYLLABLE_MS * syllables + SPARE_MS


def _steady(samples: NDArray[np.float32], speech: NDArray[np.bool_], least_ms: int) -> list[Segment]:
    windows = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[::160].astype(np.float64)
    taper = np.hanning(WINDOW)
    windows = (windows - windows.mean(axis=1, keepdims=True)) * taper
    power = np.abs(np.fft.rfft(windows, SIZE)) ** 2
    energies = np.add.reduceat(power, [round(edge * SIZE / 16000) for edge in EDGES_HZ], axis=1)[:, :-1] + 1e-9
    level = 10 * np.log10(energies.sum(axis=1))
    shape = 10 * np.log10(energies)
    shape -= shape.mean(axis=1, keepdims=True)
    power[:, SIZE // 16 :] = 0
    own = np.fft.irfft(np.abs(np.fft.rfft(taper, SIZE)) ** 2)
    auto = np.fft.irfft(power)
    normal = auto[:, LAGS] / own[LAGS] * own[0] / np.maximum(auto[:, :1], 1e-9)
    lag = normal.argmax(axis=1) + LAGS.start
    frames = len(level)
    steady = np.zeros(frames, np.bool_)
    change = np.sqrt(((shape[2 * REACH :] - shape[: -2 * REACH]) ** 2).mean(axis=1))
    step = np.abs(np.log(lag[2 * REACH :] / lag[: -2 * REACH]))
    steady[REACH:-REACH] = (change < STEADY_DB) & (step < PITCH_STEP)
    active = np.zeros(frames, np.bool_)
    active[: min(frames, speech.size)] = speech[:frames]
    loud = np.sort(level)[-max(1, frames // 10)]
    mask = steady & active & (normal.max(axis=1) >= VOICED_FROM) & (level >= loud - LOUD_DB)
    steps = np.diff(np.concatenate(([0], mask.astype(np.int8), [0])))
    joined: list[Segment] = []
    # A frame's centre lies 20 ms after its start; the comparison reaches 40 ms to both sides.
    for start, end in zip(np.flatnonzero(steps == 1), np.flatnonzero(steps == -1), strict=True):
        grown = Segment((int(start) - REACH) * 10 + 20, (int(end) + REACH) * 10 + 20)
        if joined and grown.start_ms <= joined[-1].end_ms:
            grown = Segment(joined.pop().start_ms, grown.end_ms)
        joined.append(grown)
    return [stretch for stretch in joined if stretch.length_ms >= least_ms]
