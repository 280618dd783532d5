"""The waveform as columns."""

from __future__ import annotations

import numpy as np
import pytest
from audio_files import FULL_SCALE_DB
from speech_truth import waveform_of

from vivavoce.audio.picture import envelope, level_curve


def test_columns_hold_least_and_greatest_over_the_peak() -> None:
    samples = np.array([0.1, -0.2, 0.4, 0.3, -0.5, 0.0, 0.25, 0.25])
    found = envelope(waveform_of(samples), columns=4)
    assert [low for low, _ in found] == pytest.approx([-0.4, 0.6, -1.0, 0.5])
    assert [high for _, high in found] == pytest.approx([0.2, 0.8, 0.0, 0.5])


def test_more_columns_than_samples() -> None:
    assert envelope(waveform_of(np.array([0.5, -1.0])), columns=4) == [(0.5, 0.5), (0.5, 0.5), (-1, -1), (-1, -1)]


def test_silence_is_a_flat_line() -> None:
    assert envelope(waveform_of(np.zeros(100)), columns=3) == [(0, 0)] * 3
    assert level_curve(waveform_of(np.zeros(1600)), columns=3) == [None] * 3
    assert envelope(waveform_of(np.zeros(0)), columns=2) == [(0, 0)] * 2
    assert level_curve(waveform_of(np.zeros(0)), columns=2) == [None] * 2


def test_level_of_each_column() -> None:
    alternating = np.tile([1.0, -1.0], 800)
    samples = np.concatenate((alternating, 0 * alternating, 0.1 * alternating, 0.01 * alternating))
    found = level_curve(waveform_of(samples), columns=4)
    assert found[1] is None
    assert [found[0], found[2], found[3]] == pytest.approx([FULL_SCALE_DB, FULL_SCALE_DB - 20, FULL_SCALE_DB - 40])


@pytest.mark.parametrize("draw", [envelope, level_curve])
def test_no_columns_are_refused(draw: object) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        draw(waveform_of(np.ones(10)), columns=0)  # type: ignore[operator]
