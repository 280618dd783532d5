"""Sums of 10 ms frames at the recording's own rate, so that levels need no kept samples (M7).

Frame k covers the samples from floor(k * rate / 100) up to floor((k + 1) * rate / 100), that is the time
from 10 k to 10 (k + 1) ms; the last frame may be shorter. At 22 050 Hz frames hold 220 and 221 samples in turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

FRAMES_PER_S = 100
FRAME_MS = 1000 // FRAMES_PER_S

# What is left when the mean is taken off a constant is rounding, at most about 1e-13 of the energy itself.
_DUST = 1e-12


@dataclass(frozen=True)
class LevelFrames:
    """Per 10 ms frame: `counts` of samples, `sums` of them and `squares` summed, full scale being 1."""

    rate: int
    counts: NDArray[np.int64]
    sums: NDArray[np.float64]
    squares: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """The mean of all samples (the DC offset), full scale being 1; 0 where there are none."""
        total = int(self.counts.sum())
        return float(self.sums.sum()) / total if total else 0.0

    def energies(self) -> NDArray[np.float64]:
        """Return each frame's energy about the mean of the whole: sum (x - m)^2 = squares - 2 m sums + n m^2.

        Exactly 0 where nothing but the offset is there, so that a constant is silence at any offset. Read-only.
        """
        return self._energies

    @cached_property
    def _energies(self) -> NDArray[np.float64]:
        mean = self.mean
        energy = self.squares - 2 * mean * self.sums + self.counts * mean * mean
        found = np.where(energy > _DUST * self.squares, energy, 0.0)
        found.flags.writeable = False
        return found


class LevelMeter:
    """Adds up frames from blocks of samples of any length."""

    def __init__(self, rate: int) -> None:
        self.rate = rate
        self._rest = np.empty(0, np.float64)
        self._frames = 0
        self._parts: list[tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]] = []

    def add(self, samples: NDArray[np.float64]) -> None:
        """Take the next samples, full scale being 1."""
        samples = np.concatenate((self._rest, samples)) if self._rest.size else samples
        start = self._frames * self.rate // FRAMES_PER_S
        whole = (start + samples.size + 1) * FRAMES_PER_S // self.rate + 1
        edges = np.arange(self._frames, whole + 1, dtype=np.int64) * self.rate // FRAMES_PER_S - start
        edges = edges[edges <= samples.size]
        if edges.size > 1:
            self._sum(samples[: edges[-1]], edges)
        self._rest = samples[edges[-1] :].copy()
        self._frames += edges.size - 1

    def _sum(self, samples: NDArray[np.float64], edges: NDArray[np.int64]) -> None:
        sums = np.add.reduceat(samples, edges[:-1])
        squares = np.add.reduceat(samples * samples, edges[:-1])
        self._parts.append((np.diff(edges), sums, squares))

    def finish(self) -> LevelFrames:
        """Return all frames; what is left over becomes a last, shorter one."""
        if self._rest.size:
            self._sum(self._rest, np.array([0, self._rest.size]))
            self._rest = np.empty(0, np.float64)
        if not self._parts:
            empty = np.empty(0, np.float64)
            return LevelFrames(self.rate, np.empty(0, np.int64), empty, empty)
        counts, sums, squares = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        return LevelFrames(self.rate, counts, sums, squares)
