"""What the acoustic model hears: mel cepstra with their differences.

Frame k is a window of 25.6 ms from 10 k ms on. Everything is relative to the recording: its mean cepstrum is taken
off and its bands are floored at its own room, so gain changes nothing (M8) and digital silence is a quiet room.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.transcript.forced.model import Floats

FRAME_MS = 10
_HOP, _WINDOW, _FFT = 160, 410, 512
_BANDS, _LOW_HZ, _HIGH_HZ = 25, 130.0, 6800.0
_CEPSTRA, _LIFTER, _EMPHASIS = 13, 22, 0.97
# Frames worked on at once: 256 by 512 floats stay in the processor's cache.
_CHUNK = 256
# Frames this far under the loudest are digital silence and tell nothing of the room.
_SILENT_DB, _ROOM_PERCENT = 70.0, 2.0


@dataclass(frozen=True, slots=True)
class Sound:
    """Mel cepstra of shape (frames, 13), and which frames are heard at all: the others are digital silence."""

    cepstrum: Floats
    heard: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.heard)


def listen(samples: Floats) -> Sound:
    """Return the mel cepstra of a recording, their mean over the heard frames taken off.

    Parameters: `samples` mono at 16 kHz, at least one; frames: one every 10 ms, the last begun.
    Source: the front end that the acoustic model was trained with (its feat.params), without noise removal.
    """
    bands = _bands(samples)
    total = bands.sum(axis=1)
    heard = total > total.max() * 10 ** (-_SILENT_DB / 10)
    if not heard.any():
        return Sound(np.zeros((len(bands), _CEPSTRA), np.float32), heard)
    room = np.percentile(bands[heard], _ROOM_PERCENT, axis=0)
    least = np.maximum(room, total.max() * 1e-9)
    order = np.arange(_CEPSTRA)
    cosine = np.cos(np.pi * np.outer(np.arange(_BANDS) + 0.5, order) / _BANDS) * np.sqrt(2 / _BANDS)
    cosine[:, 0] /= np.sqrt(2)
    made = np.log(np.maximum(bands, least)) @ (cosine * (1 + _LIFTER / 2 * np.sin(np.pi * order / _LIFTER)))
    return Sound(np.asarray(made - made[heard].mean(axis=0), np.float32), heard)


def _bands(samples: Floats) -> NDArray[np.float64]:
    """Return the energy of each frame in the 25 mel bands."""
    frames = max(1, -(-len(samples) // _HOP))
    taper = 0.54 - 0.46 * np.cos(2 * np.pi * np.arange(_WINDOW) / (_WINDOW - 1))
    weights, result = _mel(), np.empty((frames, _BANDS))
    for start in range(0, frames, _CHUNK):
        stop = min(frames, start + _CHUNK)
        first, last = start * _HOP - 1, (stop - 1) * _HOP + _WINDOW
        piece = samples[max(0, first) : last].astype(np.float64)
        piece = np.pad(piece, (1 if first < 0 else 0, max(0, last - len(samples))), mode="edge")
        clear = piece[1:] - _EMPHASIS * piece[:-1]
        windows = np.lib.stride_tricks.sliding_window_view(clear, _WINDOW)[::_HOP]
        # A constant would leak into the lowest bands, and make digital silence a sound.
        centred = np.asarray((windows - windows.mean(axis=1, keepdims=True)) * taper, np.float32)
        spectrum = np.fft.rfft(centred, _FFT).view(np.float32)
        spectrum *= spectrum
        result[start:stop] = (spectrum[:, 0::2] + spectrum[:, 1::2]) @ weights
    return result


def _mel() -> NDArray[np.float64]:
    """Triangles of equal area on the mel scale, their corners on whole bins."""
    low, high = (2595 * np.log10(1 + hz / 700) for hz in (_LOW_HZ, _HIGH_HZ))
    width = 16_000 / _FFT
    corners = np.floor(700 * (10 ** (np.linspace(low, high, _BANDS + 2) / 2595) - 1) / width + 0.5)
    bins = np.arange(_FFT // 2 + 1)[:, None]
    left, middle, right = corners[:-2], corners[1:-1], corners[2:]
    rising, falling = (bins - left) / (middle - left), (right - bins) / (right - middle)
    triangles: NDArray[np.float64] = np.maximum(0, np.minimum(rising, falling)) / (right - left)
    return triangles


def streams(cepstrum: Floats, start: int, stop: int) -> tuple[Floats, Floats, Floats]:
    """Return the three streams of frames start to stop: cepstra, first and second differences, each (frames, 13).

    d[t] = c[t+2] - c[t-2];  dd[t] = (c[t+3] - c[t-1]) - (c[t+1] - c[t-3]); ends go on as they began and ended.
    """
    places = np.clip(np.arange(start - 3, stop + 3), 0, len(cepstrum) - 1)
    wide, count = cepstrum[places], stop - start

    def at(shift: int) -> Floats:
        return wide[3 + shift : 3 + shift + count]

    return at(0), at(2) - at(-2), (at(3) - at(-1)) - (at(1) - at(-3))
