"""How often samples lie at the largest values: counted per channel on the recording's own samples, while decoding.

A converter that runs out of range cuts the tops off the waves. Its samples then heap up at one value: full scale where
the cut was made last, less where the gain was turned down afterwards. So each channel keeps a histogram of its
samples, in steps of 1 / 8192 of full scale, and a heap is looked for at the ends of it. Recordings in floating point
may go over full scale and lose nothing: the histogram runs on over it, where a cut leaves it empty.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_STEPS = 8192
_REACH = 65_536
"""Values beyond 8 times full scale (18 dB) count as that, and are no heap."""

OVER = 1.12
"""1 dB over full scale: resampling carries hardly any sample of a wave that was cut off so far."""

ZONE = 0.01
"""The heap is looked for in the last hundredth under the largest value (0.09 dB)."""

HEAP_RATIO = 4.0
"""A heap holds at least this many times the samples of the hundredth under it (chosen): a sine holds 2.4 times."""

NEAR = 0.97
"""The heap and the hundredth under it begin at 0.98 of the largest value."""

LEAST_PEAK = 0.05
"""Under this largest value (26 dB under full scale) there are too few steps to tell a heap."""


@dataclass(frozen=True, slots=True)
class Heaps:
    """Where one channel's samples heap up.

    `full_scale_share`: share (0-1) of its samples at 0.99 of full scale or more; `over_share`: at OVER or more.
    `flat_share`: share in the heaps at the largest and the smallest value or at full scale, 0 where there are none;
    `top_share`: without those at full scale. `peak`: the largest value of either sign. `samples`: how many there are.
    """

    full_scale_share: float
    over_share: float
    flat_share: float
    top_share: float
    peak: float
    samples: int


class PeakMeter:
    """Adds up, block by block, the histograms of all channels."""

    def __init__(self, channels: int) -> None:
        self._counts = np.zeros((channels, 2 * _REACH + 1), np.int64)
        self._largest = np.zeros((channels, 2), np.float32)
        self._total = 0

    def add(self, block: NDArray[np.float32]) -> None:
        """Take the next block, shape (channels, samples), full scale 1."""
        self._total += block.shape[1]
        for counts, largest, samples in zip(self._counts, self._largest, block, strict=True):
            np.maximum(largest, (samples.max(initial=0), -samples.min(initial=0)), out=largest)
            up, down = np.float32(NEAR) * np.clip(largest, LEAST_PEAK, 1)
            ends = samples[(samples >= up) | (samples <= -down)]
            steps = np.clip(ends * np.float32(_STEPS), -_REACH, _REACH).astype(np.intp)
            np.add.at(counts, steps + _REACH, 1)

    def finish(self) -> tuple[Heaps, ...]:
        """Return the heaps of every channel."""
        pairs = zip(self._counts, self._largest, strict=True)
        return tuple(_heaps(counts, float(largest.max()), self._total) for counts, largest in pairs)


def _heaps(counts: NDArray[np.int64], largest: float, total: int) -> Heaps:
    sides = counts[_REACH:], counts[_REACH::-1]
    full, over = (sum(int(side[_at(value) :].sum()) for side in sides) for value in (0.99, OVER))
    tops = [_heap(side, _top(side)) for side in sides]
    flat = sum(max(heap, _heap(side, _STEPS)) for heap, side in zip(tops, sides, strict=True))
    full_share, over_share, flat_share, top_share = (count / max(1, total) for count in (full, over, flat, sum(tops)))
    return Heaps(full_share, over_share, flat_share, top_share, min(_REACH, _at(largest)) / _STEPS, total)


def _at(value: float) -> int:
    return int(value * _STEPS)


def _top(side: NDArray[np.int64]) -> int:
    used = np.flatnonzero(side)
    return int(used[-1]) if used.size else 0


def _heap(side: NDArray[np.int64], top: int) -> int:
    """Return how many samples lie from a hundredth under `top` on, if they are a heap, else 0."""
    if not LEAST_PEAK * _STEPS <= top < _REACH:
        return 0
    width = max(2, round(ZONE * top))
    in_zone = int(side[top - width + 1 :].sum())
    beneath = int(side[top - 2 * width + 1 : top - width + 1].sum())
    return in_zone if in_zone > HEAP_RATIO * beneath else 0
