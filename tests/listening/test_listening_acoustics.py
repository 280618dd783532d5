"""Level, pitch, slowing and the loop of sounds, on signals whose values follow by hand."""

from __future__ import annotations

import numpy as np
import pytest

from vivavoce.listening.acoustics import Acoustics, Segments, levels, pitch, slowed
from vivavoce.listening.fits import edit_distance, phone_loop
from vivavoce.listening.recognition import _without_loop


def tone(hertz: float, seconds: float = 1.0, peak: float = 0.5) -> np.ndarray:
    return (peak * np.sin(2 * np.pi * hertz * np.arange(int(16_000 * seconds)) / 16_000)).astype(np.float32)


@pytest.mark.parametrize("hertz", [100, 160, 250, 400])
def test_the_pitch_of_a_tone(hertz):
    found, periodic = pitch(tone(hertz))
    middle = slice(10, 90)
    # Lags are whole samples: at 400 Hz one sample is 2.5 %.
    assert np.abs(found[middle] / hertz - 1).max() < 0.02
    # All of it is periodic, less 0.05 an octave under 500 Hz.
    assert periodic[middle] == pytest.approx(1 - 0.05 * np.log2(500 / hertz), abs=0.02)


def test_noise_has_no_pitch():
    noise = np.random.default_rng(0).normal(0, 0.1, 16_000).astype(np.float32)
    assert np.mean(pitch(noise)[1] > 0.5) < 0.05


def test_the_level_of_a_tone():
    # A sine of peak 0.5: 20 log10(0.5) - 3.01 dB.
    assert levels(tone(1000))[20:80] == pytest.approx(-9.03, abs=0.05)
    assert levels(np.zeros(1600, np.float32)) == pytest.approx(-100)


def test_slowing_lengthens_and_lowers():
    made = slowed(tone(300, 2.0), 1.15)
    assert len(made) == round(32_000 * 1.15)
    found = pitch(made)[0]
    assert np.median(found) == pytest.approx(300 / 1.15, rel=0.01)
    assert np.abs(made[2000:-4000]).max() == pytest.approx(0.5, rel=0.02)


def heard(fit: np.ndarray) -> Acoustics:
    none = Segments(*(np.zeros(0, np.int64) for _ in range(4)), np.zeros(0, np.float32))
    return Acoustics(none, none, fit.astype(np.float32), np.zeros(len(fit), np.float32), None, 1.0)  # type: ignore[arg-type]


def test_the_loop_finds_the_sounds_that_fit():
    # Three sounds of three states; sound 1 fits the first six frames, sound 2 the next three, two frames a state.
    fit = np.full((9, 9), -20.0)
    for frame, state in enumerate([3, 3, 4, 4, 5, 5, 6, 7, 8]):
        fit[frame, state] = 0.0
    sounds, score = phone_loop(heard(fit), 0, 9)
    assert sounds == [1, 2]
    # The path pays the entry of the second sound alone.
    assert score == pytest.approx(-3.0 / 9)


def test_the_same_sound_twice_is_heard_twice():
    fit = np.full((6, 6), -20.0)
    for frame, state in enumerate([0, 1, 2, 0, 1, 2]):
        fit[frame, state] = 0.0
    assert phone_loop(heard(fit), 0, 6)[0] == [0, 0]


def test_edit_distance():
    # Levenshtein's classic: kitten -> sitting takes three.
    assert edit_distance([ord(c) for c in "kitten"], [ord(c) for c in "sitting"]) == 3
    assert edit_distance([], [1, 2]) == 2
    assert edit_distance([1, 2], []) == 2


def test_a_loop_of_the_recogniser_is_cut_where_it_begins_again():
    assert _without_loop([1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3]) == [1, 2, 3, 4]
    assert _without_loop([1, 2, 1, 2]) == [1, 2, 1, 2]
    assert _without_loop([]) == []
