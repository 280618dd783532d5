"""Heaps of samples at the largest values, counted from their ends alone, against a count of every sample."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.audio.peaks import HEAP_RATIO, LEAST_PEAK, OVER, ZONE, Heaps, PeakMeter

STEPS, MOST = 8192, 65_536


def every_sample(samples: np.ndarray) -> Heaps:
    """The definition in the module's words, sample by sample."""
    steps = [max(-MOST, min(MOST, int(value * STEPS))) for value in samples.tolist()]
    sizes = [abs(step) for step in steps]
    full, over = (sum(size >= int(value * STEPS) for size in sizes) for value in (0.99, OVER))
    flat = at_top = 0
    tops = []
    for side in (Counter(step for step in steps if step >= 0), Counter(-step for step in steps if step <= 0)):
        top = max(side, default=0)
        tops.append(top)
        heaps = []
        for end in (top, STEPS):
            width = max(2, round(ZONE * end))
            inside = sum(count for step, count in side.items() if step > end - width)
            under = sum(count for step, count in side.items() if end - 2 * width < step <= end - width)
            if LEAST_PEAK * STEPS <= end < MOST and inside > HEAP_RATIO * under:
                heaps.append(inside)
            else:
                heaps.append(0)
        flat += max(heaps)
        at_top += heaps[0]
    return Heaps(*(count / len(steps) for count in (full, over, flat, at_top)), max(tops) / STEPS, len(steps))


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


@pytest.mark.parametrize("peak", [1.5, 3.9, 20.0])
def test_waves_over_full_scale_are_whole_unless_their_tops_are_flat(peak: float) -> None:
    """Noise in floating point: nothing was lost. The same cut off at 2.5 deviations: 1.24 % of it lies at the top."""
    noise = np.random.default_rng(3).normal(size=200_000)
    found = []
    for samples in (noise * peak / np.abs(noise).max(), np.clip(noise, -2.5, 2.5) * peak / 2.5):
        meter = PeakMeter(1)
        meter.add(np.asarray(samples[None], np.float32))
        found.append(meter.finish()[0])
    assert found[0].top_share <= 2e-5
    assert found[0].over_share > 0.1 * found[0].full_scale_share
    # Over 8 times full scale nothing is counted any more, and nothing said.
    assert found[1].top_share == pytest.approx(0 if peak > 8 else 0.0124, abs=1.5e-3)


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
