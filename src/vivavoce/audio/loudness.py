"""The loudness scale of M7: 20 * log10 of the RMS in 16-bit sample units, that is dBFS + 90.31.

A square wave at full scale is 90.31 dB, a sine 87.30. The mean of the whole recording is taken off first, so a
DC offset has no loudness. Digital silence has no level: the functions say None (NaN in arrays), never minus infinity.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vivavoce.audio.levels import LevelFrames

FULL_SCALE_DB = 20 * math.log10(32768)


def decibels(energy: float, samples: int) -> float | None:
    """Return 10 log10(energy / samples) + 90.31, or None for silence or no samples."""
    if samples <= 0 or energy <= 0:
        return None
    return 10 * math.log10(energy / samples) + FULL_SCALE_DB


def level_db(levels: LevelFrames, mask: NDArray[np.bool_] | None = None) -> float | None:
    """Return the energy mean over the frames of `mask` (all without one), in dB on the scale of M7.

    L = 10 log10(sum of energies about the mean / samples) + 90.31. None where there is nothing but silence. Source: M7.
    """
    energies, counts = levels.energies(), levels.counts
    if mask is not None:
        energies, counts = energies[mask], counts[mask]
    return decibels(float(energies.sum()), int(counts.sum()))


def frame_levels(levels: LevelFrames) -> NDArray[np.float64]:
    """Return the level of every 10 ms frame in dB (M7), NaN where the frame is digital silence."""
    energies = levels.energies()
    result = np.full(energies.size, np.nan)
    heard = energies > 0
    result[heard] = 10 * np.log10(energies[heard] / levels.counts[heard]) + FULL_SCALE_DB
    return result


def window_levels(
    levels: LevelFrames, mask: NDArray[np.bool_], *, start: int, length: int, share: float
) -> NDArray[np.float64]:
    """Return the levels, in dB, of windows of `length` frames from frame `start` on, energy over the frames of `mask`.

    Only windows in which at least `share` (0-1) of `length` frames are in `mask` and that are not silent are
    returned; frames past the end count as not in the mask. Source: M7.
    """
    count = -(-max(0, mask.size - start) // length)
    padded = np.zeros(count * length)
    shape = (count, length)

    def folded(values: NDArray[np.float64]) -> NDArray[np.float64]:
        row = padded.copy()
        row[: mask.size - start] = np.where(mask[start:], values[start:], 0)
        total: NDArray[np.float64] = row.reshape(shape).sum(axis=1)
        return total

    energies, samples = folded(levels.energies()), folded(levels.counts.astype(np.float64))
    frames = folded(np.ones(mask.size))
    kept = (frames >= share * length) & (energies > 0)
    result: NDArray[np.float64] = 10 * np.log10(energies[kept] / samples[kept]) + FULL_SCALE_DB
    return result
