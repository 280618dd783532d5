"""Heaps of samples at the largest values, counted from their ends alone, against a count of every sample."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.audio.peaks import HEAP_RATIO, LEAST_PEAK, ZONE, Heaps, PeakMeter

STEPS, MOST = 8192, 10_240


def every_sample(samples: np.ndarray) -> Heaps:
    """The definition in the module's words, sample by sample."""
    steps = [max(-MOST, min(MOST, int(value * STEPS))) for value in samples.tolist()]
    flat = full = 0
    tops = []
    for side in (Counter(step for step in steps if step >= 0), Counter(-step for step in steps if step <= 0)):
        top = max(side, default=0)
        tops.append(top)
        full += sum(count for step, count in side.items() if step >= int(0.99 * STEPS))
        heaps = [0]
        for end in (top, STEPS):
            width = max(2, round(ZONE * end))
            inside = sum(count for step, count in side.items() if step > end - width)
            under = sum(count for step, count in side.items() if end - 2 * width < step <= end - width)
            if end >= LEAST_PEAK * STEPS and inside > HEAP_RATIO * under:
                heaps.append(inside)
        flat += max(heaps)
    return Heaps(full / len(steps), flat / len(steps), max(tops) / STEPS)


@given(
    st.integers(0, 2**32 - 1),
    st.floats(0.001, 2.0),
    st.floats(0.3, 3.0),
    st.sampled_from([0.0, 0.04, -0.2]),
    st.lists(st.sampled_from([0.0, 0.01, 1.0]), min_size=1, max_size=4),
)
def test_the_ends_alone_tell_the_same_as_all_samples(
    seed: int, loudness: float, cut: float, offset: float, gains: list[float]
) -> None:
    """Noise in blocks of other loudness, cut off at `cut` times its deviation: what grows later counts too."""
    noise = np.random.default_rng(seed).normal(size=(len(gains), 400))
    blocks = np.clip(noise, -cut, cut) * np.array(gains)[:, None] * loudness + offset
    blocks = np.asarray(blocks, np.float32)
    meter = PeakMeter(2)
    for block in blocks:
        meter.add(np.stack((block, -block)))
    assert meter.finish() == (every_sample(blocks.ravel()), every_sample(-blocks.ravel()))


def test_a_cut_sine_has_a_heap_and_a_whole_one_has_none() -> None:
    """A sine cut off at 0.8 of its height spends 1 - 2 asin(0.8) / pi = 0.41 of its time there."""
    sine = np.sin(np.arange(100_000) * 0.037)
    found = []
    for samples in (sine, np.clip(sine, -0.8, 0.8)):
        meter = PeakMeter(1)
        meter.add(np.asarray(0.5 * samples[None], np.float32))
        found.append(meter.finish()[0])
    assert found[0].flat_share == 0
    assert found[1].flat_share == pytest.approx(0.41, abs=0.01)
    assert [heaps.peak for heaps in found] == pytest.approx([0.5, 0.4], abs=1e-3)
