"""Stereo faults: a dead channel, an inverted one; and what is no fault."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from audio_files import FLOAT, noise, sine, wav, write

from vivavoce.audio.loudness import level_db
from vivavoce.audio.waveform import Waveform, decode


def stereo(folder: Path, *channels: np.ndarray) -> Waveform:
    data = wav(np.stack(channels, axis=1), 44_100, kind=FLOAT, bits=32)
    return decode(write(folder, f"{len(channels)}.wav", data))


def codes(waveform: Waveform) -> list[str]:
    return [notice.code for notice in waveform.warnings]


@pytest.fixture
def voice() -> np.ndarray:
    return noise(1, 44_100, colour=1)


def test_two_good_channels_are_averaged(tmp_path: Path, voice: np.ndarray) -> None:
    other = noise(1, 44_100, colour=1, seed=2)
    both = stereo(tmp_path, voice, other)
    assert codes(both) == []
    assert level_db(both.frames) == pytest.approx(level_db(stereo(tmp_path, (voice + other) / 2).frames), abs=1e-4)
    assert both.source.channels == 2


@pytest.mark.parametrize("dead", [0, 1])
@pytest.mark.parametrize("left", [0.0, 0.0009])
def test_a_dead_channel_is_left_out(tmp_path: Path, voice: np.ndarray, dead: int, left: float) -> None:
    # 20 log10 0.0009 = -60.9 dB: under the other by more than 60.
    channels = [voice, left * noise(1, 44_100, colour=1, seed=2) + 0.05]
    waveform = stereo(tmp_path, *(channels if dead else channels[::-1]))
    assert codes(waveform) == ["channel_dead"]
    assert f"channel {dead + 1} of 2" in waveform.warnings[0].found
    assert np.array_equal(waveform.samples, stereo(tmp_path, voice).samples)
    assert level_db(waveform.frames) == pytest.approx(level_db(stereo(tmp_path, voice).frames), abs=1e-6)


def spoken(voice: np.ndarray) -> np.ndarray:
    """Noise that comes and goes as a voice does: 0.3 s of every 0.5 s."""
    return voice * (np.arange(voice.size) % 22_050 < 13_230)


@pytest.mark.parametrize(("left_db", "code"), [(-12, None), (-17, "channel_weak"), (-59, "channel_weak")])
def test_a_channel_with_little_of_the_voice_is_left_out(
    tmp_path: Path, voice: np.ndarray, left_db: float, code: str | None
) -> None:
    voice, left = spoken(voice), 10 ** (left_db / 20)
    waveform = stereo(tmp_path, left * np.roll(voice, 30), voice)
    assert codes(waveform) == ([code] if code else [])
    mixed = (left * np.roll(voice, 30) + voice) / 2
    assert np.allclose(waveform.samples, stereo(tmp_path, voice if code else mixed).samples, atol=1e-6)
    if code:
        assert waveform.warnings[0].found.startswith(
            "channel 1 of 2 has at least 16 dB less of the voice than channel 2"
        )


def test_noise_beside_a_voice_is_left_out_and_a_noisier_microphone_is_not(tmp_path: Path, voice: np.ndarray) -> None:
    """Noise 8 dB under the voice has none of it; a voice 10 dB down in noise of its own is the voice."""
    hiss, voice = noise(1, 44_100, seed=2), spoken(voice)
    assert codes(stereo(tmp_path, voice, 0.3 * hiss)) == ["channel_weak"]
    assert codes(stereo(tmp_path, voice, 0.316 * voice + 0.05 * hiss)) == []


def test_nothing_pushes_out_the_channel_with_the_voice(tmp_path: Path, voice: np.ndarray) -> None:
    """A hum 20 dB over it, a knock 20 dB over it, a hiss 13 dB under one word in ten seconds."""
    voice = 0.1 * spoken(voice)
    hum = sine(1, 44_100, hertz=50, peak=0.07)
    knock = np.where(np.arange(voice.size) < 1_000, 6 * noise(1, 44_100, seed=2), 0)
    assert codes(stereo(tmp_path, hum, voice)) == []
    assert codes(stereo(tmp_path, knock, voice)) == []
    word = np.concatenate((voice[:13_230], np.zeros(430_000)))
    assert codes(stereo(tmp_path, word, 0.02 * noise(word.size / 44_100, 44_100, seed=3))) == []


def test_an_inverted_channel_does_not_cancel_the_voice(tmp_path: Path, voice: np.ndarray) -> None:
    waveform = stereo(tmp_path, voice, -voice + 0.01 * noise(1, 44_100, seed=3))
    assert codes(waveform) == ["channel_inverted"]
    assert np.array_equal(waveform.samples, stereo(tmp_path, voice).samples)


def test_an_echo_is_not_an_inversion(tmp_path: Path) -> None:
    # Two microphones half a wave apart at 500 Hz in a mixture of tones: their correlation is far above -0.8.
    tones = [sine(1, 44_100, hertz=hertz, peak=0.1) for hertz in (200, 350, 500, 800, 1300, 2100)]
    near = np.sum(tones, axis=0)
    assert codes(stereo(tmp_path, near, np.roll(near, 44))) == []


def test_silent_channels_are_no_fault(tmp_path: Path) -> None:
    assert codes(stereo(tmp_path, np.zeros(44_100), np.zeros(44_100))) == []
    assert codes(stereo(tmp_path, np.full(44_100, 0.1), np.full(44_100, -0.3))) == []


def test_of_three_channels_the_live_ones_are_averaged(tmp_path: Path, voice: np.ndarray) -> None:
    other = noise(1, 44_100, colour=1, seed=2)
    waveform = stereo(tmp_path, voice, 0 * voice, other)
    assert codes(waveform) == ["channel_dead"]
    assert np.allclose(waveform.samples, stereo(tmp_path, (voice + other) / 2).samples, atol=1e-6)


def test_a_real_stereo_recording_loses_nothing_to_a_dead_channel(shared_data: Path, tmp_path: Path) -> None:
    mono = decode(shared_data / "2_audio/azure_samples/whatstheweatherlike.wav")
    samples = mono.samples.astype(np.float64)
    data = wav(np.stack((samples, 0 * samples), axis=1))
    # Its own offset was taken off, so what is written again lies between the steps of 16 bits.
    assert np.abs(decode(write(tmp_path, "left.wav", data)).samples - mono.samples).max() <= 1 / 65_536
