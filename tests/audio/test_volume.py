"""Level, consistency and fade (M7, M8): by hand on tones, and on real readers lowered by a known amount."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from audio_files import FULL_SCALE_DB, SINE_DB, noise
from speech_truth import waveform_of

from vivavoce.audio.activity import Activity, detect
from vivavoce.audio.waveform import Waveform, decode
from vivavoce.measures.volume import Fade, consistency, fade, level
from vivavoce.timeline import Pause, Segment

READERS = (
    "2_audio/librivox_sonnets/sonnet_p001.mp3",
    "2_audio/mfa_corpus/61-70968-0000.flac",
    "2_audio/librosa_libri/198-209-0000.hq.ogg",
    "2_audio/librosa_libri/3436-172162-0000.hq.ogg",
    "2_audio/pocketsphinx/librivox/sense_and_sensibility_01_austen_64kb-0870.wav",
    "2_audio/pocketsphinx/librivox/sense_and_sensibility_01_austen_64kb-0920.wav",
)


def steps(*parts: tuple[float, float]) -> Waveform:
    """A square wave of these (seconds, peak) one after the other; a peak p lies 20 log10 p under full scale."""
    return waveform_of(np.concatenate([peak * np.tile([1.0, -1.0], round(seconds * 8000)) for seconds, peak in parts]))


def everywhere(waveform: Waveform) -> Activity:
    return Activity(np.ones(waveform.frames.counts.size, bool))


def pauses_of(activity: Activity) -> tuple[list[Pause], Segment]:
    """Pauses of 0.25 s or more between stretches of speech, and the response: what word gaps would say."""
    segments = activity.segments()
    gaps = [Pause(a.end_ms, b.start_ms, "phrase") for a, b in pairwise(segments) if b.start_ms - a.end_ms >= 250]
    return gaps, Segment(segments[0].start_ms, segments[-1].end_ms)


def by_phrase(waveform: Waveform, activity: Activity) -> Fade:
    return fade(waveform, *pauses_of(activity), "phrase")


def test_level_is_the_energy_mean_over_speech_frames() -> None:
    waveform = steps((1, 0.1), (1, 0.3), (1, 0.9))
    speech = np.zeros(300, bool)
    speech[:200] = True
    # Mean of 0.01 and 0.09 is 0.05.
    expected = FULL_SCALE_DB + 10 * math.log10(0.05)
    measured = level(waveform, Activity(speech))
    assert measured.number == pytest.approx(expected, abs=0.005)
    assert (measured.name, measured.unit, measured.source) == ("level_db", "dB", "M7")


def test_level_of_the_calibration_tone(shared_data: Path) -> None:
    waveform = decode(shared_data / "6_levels/pyloudnorm/sine_1000.wav")
    assert level(waveform, everywhere(waveform)).number == round(SINE_DB, 2) == 87.30


def test_no_speech_has_no_level_consistency_or_fade() -> None:
    waveform = waveform_of(np.zeros(16_000))
    activity = detect(waveform)
    response = Segment(0, 1000)
    found = [level(waveform, activity), consistency(waveform, activity)]
    found += [fade(waveform, (), response, method).measurement for method in ("phrase", "whole")]
    assert [measurement.value for measurement in found] == [None] * 4
    assert all(measurement.note for measurement in found)


def test_consistency_is_the_population_deviation_of_window_levels() -> None:
    # Windows at L, L - 6, L, L - 6: deviation 3 dB (a sample deviation would be 3.46).
    low = 10 ** (-6 / 20)
    waveform = steps((0.5, 0.5), (0.5, 0.5 * low), (0.5, 0.5), (0.5, 0.5 * low))
    assert consistency(waveform, everywhere(waveform)).number == pytest.approx(3.0, abs=0.005)


def test_consistency_counts_windows_from_the_first_speech_on() -> None:
    parts = ((0.5, 0.5), (0.5, 0.25), (0.5, 0.5))
    plain = steps(*parts)
    later = steps((0.37, 0.0), *parts)
    speech = np.arange(187) >= 37
    assert consistency(later, Activity(speech)).value == consistency(plain, everywhere(plain)).value


def test_consistency_takes_only_speech_frames_of_a_window() -> None:
    waveform = steps((0.3, 0.5), (0.2, 0.001), (0.3, 0.5), (0.2, 0.001))
    speech = np.tile(np.arange(50) < 30, 2)
    assert consistency(waveform, Activity(speech)).number == 0
    speech = np.tile(np.arange(50) < 24, 2)
    assert consistency(waveform, Activity(speech)).value is None


def test_one_window_has_no_consistency() -> None:
    waveform = steps((0.6, 0.5))
    measurement = consistency(waveform, everywhere(waveform))
    assert measurement.value is None
    assert measurement.note


def test_fade_by_phrase_by_hand() -> None:
    # 2 s falling by 20 log10 2 = 6.02 dB, a pause of 0.5 s, 2 s falling by 12.04, one of 0.49 s does not part.
    waveform = steps((1, 0.8), (1, 0.4), (0.5, 0.0), (1, 0.8), (1, 0.2))
    speech = np.ones(450, bool)
    speech[200:250] = False
    found = fade(waveform, [Pause(2000, 2500, "phrase")], Segment(0, 4500), "phrase")
    assert [phrase.signed_db for phrase in found.phrases] == pytest.approx([6.0206, 12.0412], abs=1e-3)
    assert found.signed_db == pytest.approx(9.0309, abs=1e-3)
    assert found.measurement.number == 7.03
    assert [(phrase.start_ms, phrase.end_ms) for phrase in found.phrases] == [(0, 2000), (2500, 4500)]
    undivided = fade(waveform, [Pause(2000, 2499, "choppy")], Segment(0, 4500), "phrase")
    assert [(phrase.start_ms, phrase.end_ms) for phrase in undivided.phrases] == [(0, 4500)]
    assert found.measurement.note.startswith("by phrase, 2 phrases; ")
    assert undivided.measurement.note.startswith("by phrase, 1 phrase; ")


def test_a_silence_shorter_than_a_pause_belongs_to_its_phrase() -> None:
    # 0.2 of the second half's 1 s are silent: its energy mean is 0.8 of the first's, 10 log10 (1 / 0.8) = 0.97 dB less.
    waveform = steps((1.4, 0.5), (0.2, 0.0), (0.4, 0.5))
    speech = np.ones(200, bool)
    speech[140:160] = False
    found = fade(waveform, (), Segment(0, 2000), "phrase")
    assert found.signed_db == pytest.approx(0.969, abs=1e-3)


def test_phrases_of_less_than_a_second_do_not_count() -> None:
    waveform = steps((0.5, 0.8), (0.49, 0.4), (0.51, 0.0), (0.5, 0.8), (0.5, 0.4))
    pause = [Pause(990, 1500, "phrase")]
    found = fade(waveform, pause, Segment(0, 2500), "phrase")
    assert [(phrase.start_ms, phrase.end_ms) for phrase in found.phrases] == [(1500, 2500)]
    none = fade(waveform, pause, Segment(0, 2490), "phrase")
    assert none.measurement.value is None
    assert none.signed_db is None
    assert "1 s" in none.measurement.note


def test_a_rising_voice_has_no_fade_and_keeps_its_sign() -> None:
    waveform = steps((1, 0.4), (1, 0.8))
    found = fade(waveform, (), Segment(0, 2000), "phrase")
    assert found.signed_db == pytest.approx(-6.0206, abs=1e-3)
    assert found.measurement.number == 0


def test_the_allowance_is_taken_from_the_mean_and_clipped_once() -> None:
    # Phrases falling by 6.02 and rising by 6.02: mean 0, less 2 is negative, so 0 (not the mean of 4.02 and 0).
    waveform = steps((1, 0.8), (1, 0.4), (0.5, 0.0), (1, 0.4), (1, 0.8))
    found = fade(waveform, [Pause(2000, 2500, "phrase")], Segment(0, 4500), "phrase")
    assert found.signed_db == pytest.approx(0, abs=1e-3)
    assert found.measurement.number == 0


def test_fade_of_the_whole_clip_by_hand() -> None:
    # Quarters of the speech, not of the time: 8 s of speech in 12 s, its first 2 s at 0.8, its last 2 s at 0.2.
    waveform = steps((2, 0.8), (4, 0.0), (4, 0.4), (2, 0.2))
    speech = np.ones(1200, bool)
    speech[200:600] = False
    found = fade(waveform, [Pause(2000, 6000, "hesitation")], Segment(0, 12_000), "whole")
    assert found.signed_db == pytest.approx(12.0412, abs=1e-3)
    assert found.measurement.number == 10.04
    assert [notice.code for notice in found.notices] == ["fade_short_clip"]
    assert found.phrases == ()


def test_a_whole_clip_of_20_s_is_long_enough() -> None:
    waveform = steps((20, 0.5))
    assert fade(waveform, (), Segment(0, 20_000), "whole").notices == ()
    assert fade(waveform, (), Segment(0, 19_999), "whole").notices != ()


@pytest.mark.parametrize("name", READERS)
def test_gain_moves_level_and_nothing_else(shared_data: Path, name: str) -> None:
    samples = decode(shared_data / name).samples
    plain, quiet = waveform_of(samples), waveform_of(samples * np.float32(10 ** (-10 / 20)))
    before, after = detect(plain), detect(quiet)
    moved = level(quiet, after).number - level(plain, before).number  # type: ignore[operator]
    assert moved == pytest.approx(-10, abs=0.011)
    assert consistency(quiet, after).number == pytest.approx(consistency(plain, before).number, abs=0.011)
    for method in ("phrase", "whole"):
        falls = [fade(w, *pauses_of(a), method).signed_db for w, a in ((plain, before), (quiet, after))]
        assert falls[1] == pytest.approx(falls[0], abs=1e-3)


@pytest.mark.parametrize("offset", [-0.1, 0.2])
def test_an_offset_moves_nothing(shared_data: Path, offset: float) -> None:
    samples = decode(shared_data / READERS[0]).samples
    plain, moved = waveform_of(samples), waveform_of(samples + np.float32(offset))
    before, after = detect(plain), detect(moved)
    assert np.mean(before.speech == after.speech) > 0.999
    assert level(moved, after).number == pytest.approx(level(plain, before).number, abs=0.02)
    assert consistency(moved, after).number == pytest.approx(consistency(plain, before).number, abs=0.02)
    assert by_phrase(moved, after).signed_db == pytest.approx(by_phrase(plain, before).signed_db, abs=0.02)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("lower_db", [3, 6])
def test_lowering_every_ending_moves_the_fade_by_as_much(shared_data: Path, name: str, lower_db: int) -> None:
    """M7: lowering every ending part by k dB moves the signed value by k within 0.5, speech found anew."""
    samples = decode(shared_data / name).samples.astype(np.float64)
    plain = waveform_of(samples)
    activity = detect(plain)
    before = by_phrase(plain, activity)
    assert before.phrases
    for phrase in before.phrases:
        middle = (phrase.start_ms + phrase.end_ms) // 2
        samples[16 * middle : 16 * phrase.end_ms] *= 10 ** (-lower_db / 20)
    lowered = waveform_of(samples)
    after = fade(lowered, *pauses_of(activity), "phrase")
    assert after.signed_db - before.signed_db == pytest.approx(lower_db, abs=0.5)  # type: ignore[operator]


def test_the_level_of_real_readers_lies_on_the_scale(shared_data: Path) -> None:
    """The guide's full-credit range is 45 to 75 dB; ordinary recordings are made to lie in it."""
    for name in READERS:
        waveform = decode(shared_data / name)
        assert 45 <= level(waveform, detect(waveform)).number <= 75  # type: ignore[operator]


def test_noise_has_no_volume() -> None:
    waveform = waveform_of(noise(3))
    assert level(waveform, detect(waveform)).value is None
