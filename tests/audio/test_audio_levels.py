"""The loudness scale and its 10 ms sums, against values derived by hand and plain NumPy."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from audio_files import FLOAT, FULL_SCALE_DB, SINE_DB, noise, sine, wav, write
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.audio.levels import LevelFrames, LevelMeter
from vivavoce.audio.loudness import frame_levels, level_db, window_levels
from vivavoce.audio.waveform import decode


def frames_of(samples: np.ndarray, rate: int = 16_000) -> LevelFrames:
    meter = LevelMeter(rate)
    meter.add(samples)
    return meter.finish()


def test_full_scale_is_90_31_and_a_sine_3_01_under_it() -> None:
    assert pytest.approx(90.31, abs=0.005) == FULL_SCALE_DB
    square = np.where(np.arange(16_000) % 16 < 8, 1.0, -1.0)
    assert level_db(frames_of(square)) == pytest.approx(90.309, abs=0.001)
    assert level_db(frames_of(sine(1))) == pytest.approx(SINE_DB, abs=0.001)


def test_calibration_tone(shared_data: Path) -> None:
    waveform = decode(shared_data / "6_levels/pyloudnorm/sine_1000.wav")
    assert level_db(waveform.frames) == pytest.approx(SINE_DB, abs=0.01)


@pytest.mark.parametrize("gain_db", [-40, -10, -3, 0])
def test_decibels_are_decibels(tmp_path: Path, gain_db: int) -> None:
    samples = sine(1, 44_100) * 10 ** (gain_db / 20)
    waveform = decode(write(tmp_path, "tone.wav", wav(samples, 44_100, kind=FLOAT, bits=32)))
    assert level_db(waveform.frames) == pytest.approx(SINE_DB + gain_db, abs=0.002)


@pytest.mark.parametrize("offset", [-0.4, 0.01, 0.4])
def test_an_offset_has_no_loudness(offset: float) -> None:
    samples = noise(1)
    assert level_db(frames_of(samples + offset)) == pytest.approx(level_db(frames_of(samples)), abs=1e-6)


@pytest.mark.parametrize("constant", [0.0, 0.1, -0.7, 1 / 3])
def test_silence_has_no_level(constant: float) -> None:
    levels = frames_of(np.full(16_000, constant))
    assert level_db(levels) is None
    assert np.isnan(frame_levels(levels)).all()


def test_no_samples_have_no_level() -> None:
    levels = LevelMeter(16_000).finish()
    assert level_db(levels) is None
    assert levels.mean == 0


@given(
    rate=st.sampled_from([8_000, 11_025, 22_050, 44_100, 48_000]),
    count=st.integers(1, 5_000),
    cuts=st.lists(st.integers(0, 5_000), max_size=6),
)
def test_frames_do_not_depend_on_the_blocks(rate: int, count: int, cuts: list[int]) -> None:
    samples = np.random.default_rng(count).standard_normal(count)
    meter = LevelMeter(rate)
    for piece in np.split(samples, sorted(cut for cut in cuts if cut < count)):
        meter.add(piece)
    levels = meter.finish()
    edges = [k * rate // 100 for k in range(math.ceil(count * 100 / rate) + 1) if k * rate // 100 < count] + [count]
    pieces = [samples[a:b] for a, b in pairwise(edges)]
    assert levels.counts.tolist() == [piece.size for piece in pieces]
    assert np.allclose(levels.sums, [piece.sum() for piece in pieces])
    assert np.allclose(levels.squares, [np.square(piece).sum() for piece in pieces])


def test_windows_of_half_a_second() -> None:
    # 1 s at 0.1, 0.5 s half of which is in the mask at 0.2, 0.5 s silent: three windows count.
    alternating = np.tile([1.0, -1.0], 8000)
    samples = np.concatenate((0.1 * alternating, 0.2 * alternating[:8000], 0 * alternating[:8000]))
    mask = np.ones(200, bool)
    mask[125:150] = False
    found = window_levels(frames_of(samples), mask, start=0, length=50, share=0.5)
    expected = [FULL_SCALE_DB - 20, FULL_SCALE_DB - 20, FULL_SCALE_DB - 20 + 20 * math.log10(2)]
    assert found == pytest.approx(expected, abs=1e-6)
    mask[124] = False
    assert window_levels(frames_of(samples), mask, start=0, length=50, share=0.5).size == 2


def test_a_window_past_the_end_counts_what_is_there() -> None:
    levels, mask = frames_of(noise(0.74)), np.ones(74, bool)
    assert window_levels(levels, mask, start=0, length=50, share=0.5).size == 1
    assert window_levels(levels, mask, start=0, length=50, share=0.48).size == 2
    assert window_levels(levels, mask, start=80, length=50, share=0.5).size == 0
