"""A recorder that turns its own gain up in pauses: heard as noise that grows while nobody speaks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.audio.activity import Activity, close_gaps
from vivavoce.audio.levels import LevelFrames
from vivavoce.audio.waveform import Waveform
from vivavoce.timeline import Segment

UNDER_VOICE_DB = 8.0
"""A pause is where the level lies this far under the voice's: voice activity follows the noise up and would miss it."""

LEAST_PAUSE_FRAMES = 50
_AFTER_SPEECH = 8
_BEFORE_SPEECH = 12
_SMOOTH = 5
_CLOSED = 5
_LOW = 0.2
_SILENT_DB = 60.0


@dataclass(frozen=True, slots=True)
class PauseRise:
    """How much the quietest moments of a pause grow from its first half to its second, in dB."""

    pause: Segment
    rise_db: float


def pause_rises(waveform: Waveform, activity: Activity) -> tuple[PauseRise, ...]:
    """Return how the noise grows in each pause of 0.7 s or more after the first speech.

    rise = (20th percentile of the level in the second half) - (the same in the first), levels smoothed over 50 ms, the
    0.08 s after speech and the 0.12 s before it left out (room echo and breath). Pauses that hold digital silence are
    passed over. Nothing without speech.
    """
    speech = activity.speech
    levels = _smooth_levels(waveform.frames)
    if not speech.any() or not np.isfinite(levels).any():
        return ()
    voice = 10 * np.log10(np.mean(10 ** (levels[speech] / 10)))
    quiet = close_gaps(levels < voice - UNDER_VOICE_DB, _CLOSED)
    rises = []
    for pause in Activity(quiet).segments():
        start, end = pause.start_ms // 10, pause.end_ms // 10
        inside = levels[start + _AFTER_SPEECH : end - (_BEFORE_SPEECH if end < quiet.size else _CLOSED)]
        if start == 0 or inside.size < LEAST_PAUSE_FRAMES or inside.min() < voice - _SILENT_DB:
            continue
        half = inside.size // 2
        rises.append(PauseRise(pause, float(np.quantile(inside[half:], _LOW) - np.quantile(inside[:half], _LOW))))
    return tuple(rises)


def _smooth_levels(frames: LevelFrames) -> NDArray[np.float64]:
    """Return dB of energy a sample, smoothed over 50 ms; digital silence is minus 200."""
    energy = frames.energies() / np.maximum(frames.counts, 1)
    if energy.size < _SMOOTH:
        return np.full(energy.size, -np.inf)
    smooth = np.convolve(energy, np.ones(_SMOOTH) / _SMOOTH, "same")
    levels: NDArray[np.float64] = 10 * np.log10(np.maximum(smooth, 1e-20))
    return levels
