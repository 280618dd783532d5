"""Which channels of a recording to listen to: the mean of all, unless one is dead, far weaker or turned over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.notice import Notice

DEAD_DB = 60.0
"""A channel this far under the loudest carries nothing (chosen)."""

WEAK_DB, GUARD_DB = 16.0, 6.0
"""A channel whose swing is WEAK_DB under another's, and its energy GUARD_DB, has hardly any of the voice (chosen):
crosstalk lies 20 dB or more down, a second microphone that is meant to hear the voice up to 12."""

QUIET_SHARE, LOUD_SHARE = 0.1, 0.95
"""Swing of a channel: energy of its frames of 10 ms at the second quantile less that at the first. A voice comes and
goes, hiss and hum stay. A channel with more energy but less swing (a hum, a knock) pushes nothing out, nor does one
with more swing but less energy (a hiss beside one word in a minute of silence)."""

_LOWEST_DB, _STEPS_PER_DB, _STEPS = -140, 2, 320

INVERTED_CORRELATION = -0.8
"""At or under this correlation two channels are one voice turned over (chosen): of two equally loud ones their mean
would lie 10 dB or more under either; two microphones in one room stay far above it."""


@dataclass(frozen=True, slots=True)
class Mix:
    """The channels whose mean is taken (counted from 0), and what was noticed."""

    channels: tuple[int, ...]
    warnings: tuple[Notice, ...] = ()


class ChannelSurvey:
    """Adds up, block by block, what is needed to compare channels: sums, sums of products, a histogram of levels."""

    def __init__(self, channels: int, rate: int) -> None:
        self.samples = 0
        self._frame = max(1, rate // 100)
        self._levels = np.zeros((channels, _STEPS), np.int64)
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
        self._add_levels(wide)

    def _add_levels(self, wide: NDArray[np.float64]) -> None:
        """Count the levels of the block's whole frames, each about its own mean."""
        frames = wide[:, : wide.shape[1] // self._frame * self._frame].reshape(len(wide), -1, self._frame)
        energies = np.einsum("cfn,cfn->cf", frames, frames) / self._frame - frames.mean(axis=2) ** 2
        level_db = 10 * np.log10(np.maximum(energies, 10 ** (_LOWEST_DB / 10)))
        steps = np.clip((level_db - _LOWEST_DB) * _STEPS_PER_DB, 0, _STEPS - 1).astype(np.intp)
        for counts, found in zip(self._levels, steps, strict=True):
            counts += np.bincount(found, minlength=_STEPS)

    def _swings(self) -> NDArray[np.float64]:
        """Return each channel's swing as an energy; 0 where its level stays within half a decibel."""
        below = self._levels.cumsum(axis=1)
        count = below[:, -1:]
        steps = [(below < share * count).sum(axis=1) for share in (QUIET_SHARE, LOUD_SHARE)]
        quiet, loud = (10 ** ((step / _STEPS_PER_DB + _LOWEST_DB) / 10) for step in steps)
        return np.asarray(loud - quiet)

    def choose(self) -> Mix:
        """Return the channels to take: all, those with a voice, or the first of two that cancel each other."""
        every = tuple(range(self.sums.size))
        if self.sums.size == 1 or not self.samples:
            return Mix(every)
        covariance = self.products - np.outer(self.sums, self.sums) / self.samples
        energy = np.where(np.diag(covariance) > 1e-12 * np.diag(self.products), np.diag(covariance), 0.0)
        live = tuple(int(i) for i in np.flatnonzero(energy > energy.max() * 10 ** (-DEAD_DB / 10)))
        if not live:
            return Mix(every)
        warnings: tuple[Notice, ...] = (_dead(every, live),) if live != every else ()
        swings = self._swings()
        weak = {
            i
            for i in live
            for j in live
            if swings[i] < _less(swings[j], WEAK_DB) and energy[i] < _less(energy[j], GUARD_DB)
        }
        kept = tuple(i for i in live if i not in weak)
        if weak:
            warnings += (_weak(sorted(weak), kept, len(every)),)
        first = kept[0]
        correlations = covariance[first, list(kept)] / np.sqrt(energy[first] * energy[list(kept)])
        if correlations.min() <= INVERTED_CORRELATION:
            return Mix((first,), (*warnings, _inverted(first, float(correlations.min()))))
        return Mix(kept, warnings)


def _less(energy: float, by_db: float) -> float:
    return float(energy * 10 ** (-by_db / 10))


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


def _weak(weak: Sequence[int], kept: Sequence[int], channels: int) -> Notice:
    named, others = (", ".join(str(i + 1) for i in some) for some in (weak, kept))
    return Notice(
        "channel_weak",
        f"channel {named} of {channels} has at least {WEAK_DB:.0f} dB less of the voice than channel {others}: noise, "
        "or what comes over from there; it was left out",
        "nothing to do if one microphone was meant; if two, bring the weaker one closer or turn its input up",
    )


def _inverted(first: int, correlation: float) -> Notice:
    return Notice(
        "channel_inverted",
        f"a channel is the opposite of channel {first + 1} (correlation {correlation:.2f}); "
        f"channel {first + 1} alone was used",
        "before the next recording, check the wiring of the microphone",
    )
