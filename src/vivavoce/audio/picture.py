"""The waveform as columns for a report: its outline and its level over time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vivavoce.audio.loudness import decibels
from vivavoce.audio.waveform import Waveform


def _edges(count: int, columns: int) -> NDArray[np.int64]:
    """Return the starts of `columns` equal stretches of `count` things, and the end."""
    return np.arange(columns + 1, dtype=np.int64) * count // columns


def envelope(waveform: Waveform, columns: int = 800) -> list[tuple[float, float]]:
    """Return the least and the greatest sample of each column, normalised to the peak (-1 to 1).

    Column c covers the samples from floor(c n / columns) on; with fewer samples than columns, columns repeat
    them. A recording that is silent throughout is all (0.0, 0.0). Raises ValueError for no columns.
    """
    if columns < 1:
        raise ValueError(f"{columns} columns: at least 1 is needed")
    samples = waveform.samples
    if not samples.size:
        return [(0.0, 0.0)] * columns
    starts = np.minimum(_edges(samples.size, columns)[:-1], samples.size - 1)
    low, high = np.minimum.reduceat(samples, starts), np.maximum.reduceat(samples, starts)
    peak = float(max(high.max(), -low.min())) or 1.0
    return [(float(a) / peak, float(b) / peak) for a, b in zip(low, high, strict=True)]


def level_curve(waveform: Waveform, columns: int = 800) -> list[float | None]:
    """Return the level of each column in dB (M7), None where it is digital silence.

    Column c covers the 10 ms frames from floor(c n / columns) on, at least one. Raises ValueError for no columns.
    """
    if columns < 1:
        raise ValueError(f"{columns} columns: at least 1 is needed")
    energies, counts = waveform.frames.energies(), waveform.frames.counts
    if not counts.size:
        return [None] * columns
    starts = np.minimum(_edges(counts.size, columns)[:-1], counts.size - 1)
    energy, samples = np.add.reduceat(energies, starts), np.add.reduceat(counts, starts)
    return [decibels(float(e), int(n)) for e, n in zip(energy, samples, strict=True)]
