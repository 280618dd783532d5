"""What the acoustic model hears of some known words: their sounds in time, and how well any sound fits each frame.

The recording is heard twice: as it is, and slowed by WARP with its pitch and formants lowered. PocketSphinx's model was
trained on grown-ups; children's vocal tracts are shorter, and lowered they fit it better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.transcript.forced.likelihood import frames_of, mixed
from vivavoce.transcript.forced.model import STATES, Floats, load_model
from vivavoce.transcript.forced.result import ForcedAlignment
from vivavoce.transcript.forced.sound import FRAME_MS, listen
from vivavoce.transcript.forced.work import align

WARP = 1.15
RATE = 16_000
_LEAST = 1e-10
# Pitch is looked for between these, in windows of 40 ms.
PITCH_LOW_HZ, PITCH_HIGH_HZ = 70.0, 500.0
_PITCH_WINDOW = 640


@dataclass(frozen=True, slots=True)
class Segments:
    """The sounds of the words in order: phone index in the model, word index, first frame and one past the last, score.

    `score`: log likelihood in context over that of the best sound without context, mean over frames.
    """

    phone: NDArray[np.int64]
    word: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    score: Floats

    def __len__(self) -> int:
        return len(self.phone)


@dataclass(frozen=True, slots=True)
class Acoustics:
    """One hearing. `fit` (frames, phones x 3): log likelihood of each sound's states over the best of the frame.

    `best` the best itself; `gaps` what was heard between the words, as segments with word -1; `warp` as heard.
    """

    segments: Segments
    gaps: Segments
    fit: Floats
    best: Floats
    alignment: ForcedAlignment
    warp: float


def hear(samples: Floats, words: Sequence[str], warp: float = 1.0) -> Acoustics:
    """Align the words and score every frame in every sound.

    Parameters: `samples` mono at 16 kHz, at least one; `warp` how many times as long the recording is made (its
    formants are lowered by as much). Frames are of the warped recording, 10 ms each.
    Returns an Acoustics; its segments are empty where nothing could be aligned.
    """
    model = load_model()
    heard = samples if warp == 1.0 else slowed(samples, warp)
    frames = frames_of(listen(heard), 0, -(-len(heard) // 160))
    made = [mixed(model, frames, p, np.arange(STATES * p, STATES * (p + 1))) for p in range(len(model.phones))]
    fit = np.ascontiguousarray(np.concatenate(made).T)
    best = fit.max(axis=1)
    alignment = align(heard, words, None)
    rows = [(p.name, w, p.start_ms, p.end_ms, p.score) for w, word in enumerate(alignment.words) for p in word.phones]
    gaps = [(p.name, -1, p.start_ms, p.end_ms, p.score) for p in alignment.between]
    names = model.phones
    return Acoustics(_segments(rows, names), _segments(gaps, names), fit - best[:, None], best, alignment, warp)


def _segments(rows: Sequence[tuple[str, int, int, int, float]], names: dict[str, int]) -> Segments:
    return Segments(
        np.array([names[row[0]] for row in rows], np.int64),
        np.array([row[1] for row in rows], np.int64),
        np.array([row[2] // FRAME_MS for row in rows], np.int64),
        np.array([-(-row[3] // FRAME_MS) for row in rows], np.int64),
        np.array([row[4] for row in rows], np.float32),
    )


def slowed(samples: Floats, factor: float) -> Floats:
    """Return the recording made longer by a factor, pitch and formants lowered by as much (band-limited).

    Parameters: `samples` mono; `factor` from 1. Returns round(len * factor) samples.
    """
    # To a length without large prime factors, so that the transform is quick; the padding is cut off again.
    size = -(-len(samples) // 2000) * 2000
    spectrum = np.fft.rfft(np.pad(samples, (0, size - len(samples))).astype(np.float64))
    longer = round(size * factor)
    made = np.fft.irfft(np.pad(spectrum, (0, longer // 2 + 1 - len(spectrum))), longer) * (longer / size)
    return np.asarray(made[: round(len(samples) * factor)], np.float32)


def levels(samples: Floats) -> Floats:
    """Return the level of each frame in dB of full scale: 10 log10(mean square over 25 ms)."""
    frames = -(-len(samples) // 160)
    padded = np.pad(samples, (120, 400)).astype(np.float64) ** 2
    total = np.concatenate(([0.0], np.cumsum(padded)))
    first = np.arange(frames) * 160
    return np.asarray(10 * np.log10((total[first + 400] - total[first]) / 400 + _LEAST), np.float32)


def pitch(samples: Floats) -> tuple[Floats, Floats]:
    """Return the pitch of each frame in Hz, and how periodic the frame is, 0 to 1.

    The lag with the highest autocorrelation, normalised by that of the window (Boersma 1993), in windows of 40 ms;
    less 0.05 an octave of lag, so that of equal peaks the shorter counts: an octave too low is the common fault.
    """
    frames = -(-len(samples) // 160)
    padded = np.pad(samples, (_PITCH_WINDOW // 2, _PITCH_WINDOW)).astype(np.float64)
    windows = np.lib.stride_tricks.sliding_window_view(padded, _PITCH_WINDOW)[::160][:frames]
    taper = np.hanning(_PITCH_WINDOW)
    low, high = int(RATE / PITCH_HIGH_HZ), int(RATE / PITCH_LOW_HZ)
    own = np.fft.irfft(np.abs(np.fft.rfft(taper, 2048)) ** 2)[: high + 1]
    hertz, periodic = np.zeros(frames, np.float32), np.zeros(frames, np.float32)
    for start in range(0, frames, 512):
        piece = windows[start : start + 512]
        centred = (piece - piece.mean(axis=1, keepdims=True)) * taper
        found = np.fft.irfft(np.abs(np.fft.rfft(centred, 2048)) ** 2)[:, : high + 1]
        normal = found / np.maximum(found[:, :1], _LEAST) / (own / own[0])
        normal[:, low:] -= 0.05 * np.log2(np.arange(low, high + 1) / low)
        lag = normal[:, low:].argmax(axis=1) + low
        hertz[start : start + 512] = RATE / lag
        periodic[start : start + 512] = np.clip(normal[np.arange(len(lag)), lag], 0, 1)
    return hertz, periodic
