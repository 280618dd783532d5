"""Which channels of a recording to listen to: the mean of all, unless one is dead or turned over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.notice import Notice

DEAD_DB = 60.0
"""A channel this far under the loudest carries nothing (chosen)."""

INVERTED_CORRELATION = -0.8
"""At or under this correlation two channels are one voice turned over (chosen): of two equally loud ones their mean
would lie 10 dB or more under either; two microphones in one room stay far above it."""


@dataclass(frozen=True, slots=True)
class Mix:
    """The channels whose mean is taken (counted from 0), and what was noticed."""

    channels: tuple[int, ...]
    warnings: tuple[Notice, ...] = ()


class ChannelSurvey:
    """Adds up, block by block, what is needed to compare channels: sums and sums of products."""

    def __init__(self, channels: int) -> None:
        self.samples = 0
        self.sums = np.zeros(channels)
        self.products = np.zeros((channels, channels))

    def add(self, block: NDArray[np.float32]) -> None:
        """Take the next block, shape (channels, samples)."""
        self.samples += block.shape[1]
        if len(block) == 1:
            return
        wide = block.astype(np.float64)
        self.sums += wide.sum(axis=1)
        # Not a matrix product: its threads cost more than they bring here, and could change the last digit.
        for i, row in enumerate(wide):
            for j in range(i, len(wide)):
                self.products[i, j] += (row * wide[j]).sum()
                self.products[j, i] = self.products[i, j]

    def choose(self) -> Mix:
        """Return the channels to take: all, the live ones, or the first of two that cancel each other."""
        every = tuple(range(self.sums.size))
        if self.sums.size == 1 or not self.samples:
            return Mix(every)
        covariance = self.products - np.outer(self.sums, self.sums) / self.samples
        energy = np.where(np.diag(covariance) > 1e-12 * np.diag(self.products), np.diag(covariance), 0.0)
        live = tuple(int(i) for i in np.flatnonzero(energy > energy.max() * 10 ** (-DEAD_DB / 10)))
        if not live:
            return Mix(every)
        warnings = (_dead(every, live),) if live != every else ()
        first = live[0]
        correlations = covariance[first, list(live)] / np.sqrt(energy[first] * energy[list(live)])
        if correlations.min() <= INVERTED_CORRELATION:
            return Mix((first,), (*warnings, _inverted(first, float(correlations.min()))))
        return Mix(live, warnings)


def mean_of(block: NDArray[np.float32], channels: Sequence[int]) -> NDArray[np.float64]:
    """Return the mean of some channels (at least one) of a block of shape (channels, samples)."""
    total: NDArray[np.float64] = block[channels[0]].astype(np.float64)
    for channel in channels[1:]:
        total += block[channel]
    if len(channels) > 1:
        total /= len(channels)
    return total


def _dead(every: tuple[int, ...], live: tuple[int, ...]) -> Notice:
    silent = ", ".join(str(i + 1) for i in every if i not in live)
    return Notice(
        "channel_dead",
        f"channel {silent} of {len(every)} is {DEAD_DB:.0f} dB or more under the loudest; it was left out",
        "before the next recording, check the microphone's cable or the recorder's channel setting",
    )


def _inverted(first: int, correlation: float) -> Notice:
    return Notice(
        "channel_inverted",
        f"a channel is the opposite of channel {first + 1} (correlation {correlation:.2f}); "
        f"channel {first + 1} alone was used",
        "before the next recording, check the wiring of the microphone",
    )
