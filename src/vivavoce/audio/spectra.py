"""Spectra of the voice and of what lies between it: how far the noise is down, and where the sound ends upwards.

Windows of 32 ms (Hann) are taken around the 10 ms frames that activity calls speech or not, at most 1,500 of each,
evenly spread, so that an hour costs no more than a minute.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vivavoce.audio.activity import Activity
from vivavoce.audio.waveform import ANALYSIS_RATE, Waveform

LEAST_FRAMES = 30
"""Fewer frames (0.3 s) of noise, or of voice, say nothing."""

LOWEST_HZ = 100
"""Rumble and hum under this are no noise that hides a voice."""

_WINDOW = 512
_HOP = 160
_MOST = 1500
_APART_FRAMES = 5
_KEPT = 0.9
_SILENT = 1e-6


def signal_to_noise_db(waveform: Waveform, activity: Activity) -> float | None:
    """Return how far the noise lies under the voice, from 100 Hz to 8 kHz, in dB.

    10 log10((S - N) / N): S the mean energy of speech frames, N that of the quietest nine tenths of the frames that are
    50 ms or more from speech (the rest may be breaths, clicks and words nobody noticed). Frames 60 dB or more
    under the loudest are a gate's or a coder's silence and say nothing of the noise. None with less than 0.3 s of
    noise or of voice. Where S is not over N, minus 10.
    """
    voice, noise = voice_and_noise(waveform, activity)
    if voice.size < LEAST_FRAMES or noise.size < LEAST_FRAMES:
        return None
    least = float(noise[: int(_KEPT * noise.size)].mean())
    return max(-10.0, 10 * math.log10(max(float(voice.mean()) - least, 1e-3 * least) / least))


def voice_and_noise(waveform: Waveform, activity: Activity) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the energies, from 100 Hz to 8 kHz, that `signal_to_noise_db` compares.

    First those of speech frames, then those of frames 50 ms or more from speech, rising, without the silent ones.
    """
    voice = _energies(_spectra(waveform, activity.speech))
    between = _energies(_spectra(waveform, _apart(activity.speech)))
    return voice, np.sort(between[between > _SILENT * voice.max(initial=0)])


def cliff_db(waveform: Waveform, activity: Activity) -> float | None:
    """Return the steepest fall of the voice's spectrum between 2 and 4 kHz, in dB.

    For edges f from 2 to 4 kHz in steps of 250 Hz: the level from f - 1000 to f - 200 Hz less the level from f + 600 to
    f + 2600 Hz (7.8 kHz at most), each the 95th percentile over speech frames, so that the hissing sounds count. A
    voice rolls off, a filter cuts off. None with less than 0.3 s of voice.
    """
    spectra = _spectra(waveform, activity.speech)
    if len(spectra) < LEAST_FRAMES:
        return None
    falls = []
    for edge in range(2000, 4001, 250):
        under = _loud(spectra, edge - 1000, edge - 200)
        over = _loud(spectra, edge + 600, min(edge + 2600, 7800))
        falls.append(10 * math.log10(max(under, 1e-30) / max(over, 1e-30)))
    return max(falls)


def _spectra(waveform: Waveform, mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return power spectra of shape (frames, 257) around the frames of `mask`."""
    starts = np.flatnonzero(mask) * _HOP - (_WINDOW - _HOP) // 2
    starts = starts[(starts >= 0) & (starts + _WINDOW <= waveform.samples.size)]
    if starts.size > _MOST:
        starts = starts[np.linspace(0, starts.size - 1, _MOST).astype(np.intp)]
    if not starts.size:
        return np.empty((0, _WINDOW // 2 + 1))
    pieces = np.lib.stride_tricks.sliding_window_view(waveform.samples, _WINDOW)[starts]
    spectrum = np.fft.rfft(pieces * np.hanning(_WINDOW))
    power: NDArray[np.float64] = np.square(spectrum.real) + np.square(spectrum.imag)
    return power


def _bin(hertz: int) -> int:
    return hertz * _WINDOW // ANALYSIS_RATE


def _energies(spectra: NDArray[np.float64]) -> NDArray[np.float64]:
    energies: NDArray[np.float64] = spectra[:, _bin(LOWEST_HZ) + 1 :].sum(axis=1)
    return energies


def _loud(spectra: NDArray[np.float64], low_hz: int, high_hz: int) -> float:
    return float(np.quantile(spectra[:, _bin(low_hz) : _bin(high_hz)].mean(axis=1), 0.95))


def _apart(speech: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the frames that are more than 50 ms from speech."""
    far = ~speech
    for shift in range(1, _APART_FRAMES + 1):
        far[shift:] &= ~speech[:-shift]
        far[:-shift] &= ~speech[shift:]
    return far
