"""Each warning on ten real recordings and more that must raise it, and as many that must not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from loudness_clips import (
    OTHERS,
    RATE,
    READERS,
    Samples,
    by_speaker,
    clipped,
    heard,
    mono,
    noise,
    normalised,
    recorded,
    resampled,
    turned_up,
    voice_rms,
)
from numpy.typing import NDArray

from vivavoce.audio.activity import detect
from vivavoce.audio.conditions import clipped_share, conditions, unusable
from vivavoce.audio.spectra import signal_to_noise_db
from vivavoce.audio.waveform import Waveform, decode

CLIPS = READERS + OTHERS


def codes(waveform: Waveform) -> set[str]:
    return {notice.code for notice in (*waveform.warnings, *conditions(waveform, detect(waveform)))}


@pytest.mark.parametrize("name", CLIPS)
def test_a_good_recording_raises_nothing(shared_data: Path, name: str) -> None:
    assert codes(decode(shared_data / name)) == set()


def raised(shared_data: Path, folder: Path, change: Callable[[Samples], Samples], code: str) -> int:
    """How many of the seventeen recordings, changed so and written as 16-bit WAV, raise the warning."""
    return sum(code in codes(recorded(folder, change(mono(shared_data / name)))) for name in CLIPS)


def test_there_are_more_than_ten_clips() -> None:
    assert len(set(CLIPS)) == 17


# --- clipped: gain into clipping, written at full scale or turned down afterwards ---


@pytest.mark.parametrize("then_db", [0, -20])
def test_cut_tops_are_clipping_at_any_level(shared_data: Path, tmp_path: Path, then_db: float) -> None:
    """Peaks 9 dB over full scale: about 1 to 5 % of the samples are cut off."""
    assert raised(shared_data, tmp_path, lambda samples: clipped(samples, 9, then_db), "clipped") == 17


@pytest.mark.parametrize("over_db", [-1, 0])
def test_a_peak_that_just_reaches_full_scale_is_no_clipping(shared_data: Path, tmp_path: Path, over_db: float) -> None:
    assert raised(shared_data, tmp_path, lambda samples: normalised(samples, over_db), "clipped") == 0


@pytest.mark.parametrize("codec", ["pcm_s24le", "pcm_f32le", "pcm_mulaw", "libmp3lame", "libopus"])
def test_clipping_is_seen_through_codings(shared_data: Path, tmp_path: Path, codec: str) -> None:
    found, false = 0, 0
    for name in CLIPS[::2]:
        found += "clipped" in codes(recorded(tmp_path, clipped(mono(shared_data / name), 9), codec))
        false += "clipped" in codes(recorded(tmp_path, normalised(mono(shared_data / name), -1), codec))
    assert (found, false) == (9, 0)


def test_the_share_is_that_of_the_samples_cut_off(shared_data: Path, tmp_path: Path) -> None:
    for name in READERS:
        raw = normalised(mono(shared_data / name), 9)
        expected = np.mean(np.abs(raw) >= 1)
        near = np.mean((np.abs(raw) >= 0.985) & (np.abs(raw) < 1))
        share = clipped_share(recorded(tmp_path, np.clip(raw, -1, 1)))
        assert expected <= share <= expected + near + 1e-4


def test_clipping_of_one_channel_is_counted_before_channels_are_mixed(shared_data: Path, tmp_path: Path) -> None:
    raw = mono(shared_data / READERS[0])
    both = np.stack((clipped(raw, 9), normalised(raw, -6)), axis=1)
    assert "clipped" in codes(recorded(tmp_path, both))
    assert "clipped" not in codes(recorded(tmp_path, np.stack((normalised(raw), normalised(raw, -6)), axis=1)))


def test_clipping_is_counted_before_resampling(shared_data: Path, tmp_path: Path) -> None:
    """What a resampler makes of flat tops is no longer flat."""
    upward = resampled(mono(shared_data / READERS[0]), RATE, 44_100)
    assert "clipped" in codes(recorded(tmp_path, clipped(upward, 9, -6), rate=44_100))


@pytest.mark.parametrize("over_db", [1, 3, 6, 12, 17])
def test_floating_point_may_go_over_full_scale(shared_data: Path, tmp_path: Path, over_db: float) -> None:
    """Nothing was cut off: level reads by so much higher, and nothing is warned of."""
    for name in CLIPS:
        found = recorded(tmp_path, normalised(mono(shared_data / name), over_db), "pcm_f32le")
        assert (codes(found), unusable(found)) == (set(), None)


@pytest.mark.parametrize("then_db", [-6, 0, 6])
@pytest.mark.parametrize("resample", [False, True])
def test_flat_tops_in_floating_point_are_clipping(
    shared_data: Path, tmp_path: Path, then_db: float, resample: bool
) -> None:
    """At any level, over full scale too; and resampled, where they are no longer flat but reach full scale."""

    def cut(samples: Samples) -> Samples:
        if not resample:
            return clipped(samples, 9, then_db)
        return resampled(resampled(clipped(resampled(samples, RATE, 44_100), 9), 44_100, 48_000), 48_000, RATE)

    for name in CLIPS:
        assert "clipped" in codes(recorded(tmp_path, cut(mono(shared_data / name)), "pcm_f32le"))


@pytest.mark.parametrize("samples", [1, 2, 100, 8_000, 10 * RATE])
@pytest.mark.parametrize("value", [0.3, 1.0])
def test_without_a_voice_nothing_is_clipped(tmp_path: Path, samples: int, value: float) -> None:
    assert codes(recorded(tmp_path, np.full(samples, value))) == set()
    hiss = np.random.default_rng(1).normal(size=samples)
    assert "clipped" not in codes(recorded(tmp_path, np.clip(9 * hiss, -value, value)))


def test_a_click_is_no_clipping(shared_data: Path, tmp_path: Path) -> None:
    """A few samples at full scale are a click, however short the recording; as many in every wave are clipping."""
    for name in CLIPS:
        voice = normalised(mono(shared_data / name), -6)
        loudest = int(np.abs(voice).argmax())
        for length in (160, 1_600, 8_000):
            piece = voice[max(0, loudest - length // 2) :][:length].copy()
            for count in (1, 10):
                piece[piece.size // 2 :][:count] = 1
                found = recorded(tmp_path, piece)
                assert codes(found).isdisjoint({"clipped", "clipped_beyond_use"})
                assert unusable(found) is None


def test_beyond_use_is_a_tenth_of_the_samples(shared_data: Path, tmp_path: Path) -> None:
    for name in CLIPS:
        raw = mono(shared_data / name)
        over_db = next(db for db in range(9, 60) if np.mean(np.abs(normalised(raw, db)) >= 1) >= 0.1)
        lost = unusable(recorded(tmp_path, clipped(raw, over_db)))
        assert lost is not None
        assert lost.code == "clipped_beyond_use"
        assert "clipped" not in codes(recorded(tmp_path, clipped(raw, over_db)))
        assert unusable(recorded(tmp_path, clipped(raw, over_db - 3))) is None


# --- noisy: noise under the speech frames' energy by a known ratio ---


def in_noise(samples: Samples, speech: NDArray[np.bool_], ratio_db: float, colour: float) -> Samples:
    """With noise from 100 Hz on, as the ratio is counted."""
    spectrum = np.fft.rfft(noise(samples.size, 5, colour))
    spectrum[: round(100 * samples.size / RATE)] = 0
    made = np.fft.irfft(spectrum, samples.size)
    return samples + voice_rms(samples, speech) * 10 ** (-ratio_db / 20) * made / np.sqrt(np.mean(made**2))


@pytest.mark.parametrize("colour", [0, 1])
@pytest.mark.parametrize(("ratio_db", "warned"), [(12, 17), (18, 0)])
def test_noise_less_than_15_db_down_is_told(
    shared_data: Path, tmp_path: Path, colour: float, ratio_db: float, warned: int
) -> None:
    found = 0
    for name in CLIPS:
        quiet = np.zeros(RATE // 2)
        samples = np.concatenate((quiet, mono(shared_data / name), quiet))
        _, activity = heard(tmp_path, samples)
        found += "noisy" in codes(
            recorded(tmp_path, normalised(in_noise(samples, activity.speech, ratio_db, colour), -3))
        )
    assert found == warned


def test_noise_makes_pauses_and_pace_unsure_too(shared_data: Path, tmp_path: Path) -> None:
    samples = np.concatenate((np.zeros(RATE // 2), mono(shared_data / READERS[0])))
    waveform, activity = heard(tmp_path, in_noise(samples, heard(tmp_path, samples)[1].speech, 8, 0))
    (notice,) = [notice for notice in conditions(waveform, activity) if notice.code == "noisy"]
    assert notice.found.endswith("so pauses, hesitations and pace are unsure too")


def test_without_a_silence_nothing_is_said_of_noise(shared_data: Path, tmp_path: Path) -> None:
    """A gate that makes pauses digitally silent leaves no noise to be heard."""
    for name in READERS:
        samples = mono(shared_data / name)
        _, activity = heard(tmp_path, samples)
        gated = samples * np.repeat(activity.speech, 160)[: samples.size]
        again, found = heard(tmp_path, gated)
        ratio_db = signal_to_noise_db(again, found)
        assert ratio_db is None or ratio_db >= 15


# --- one channel ---


@pytest.mark.parametrize("dead", [0, 1])
def test_a_dead_channel_is_told(shared_data: Path, tmp_path: Path, dead: int) -> None:
    def one(samples: Samples) -> Samples:
        return np.stack((samples * dead, samples * (1 - dead)), axis=1)

    assert raised(shared_data, tmp_path, one, "channel_dead") == 17


def far_microphone(samples: Samples, under_db: float) -> Samples:
    """The voice as another microphone has it: 2 m further away (6 ms later), in a room, in a hiss of its own."""
    room = noise(3_200, 4) * np.exp(-np.arange(3_200) / 700) * 0.05
    room[0] = 1
    heard_there = np.roll(np.convolve(samples, room)[: samples.size], 100)
    gain = 10 ** (-under_db / 20) * np.sqrt(np.mean(samples**2) / np.mean(heard_there**2))
    return np.asarray(gain * heard_there + 10 ** (-70 / 20) * noise(samples.size, 3))


@pytest.mark.parametrize("under_db", [20, 40])
@pytest.mark.parametrize("first", [True, False])
def test_a_channel_with_crosstalk_alone_is_told_and_left_out(
    shared_data: Path, tmp_path: Path, under_db: float, first: bool
) -> None:
    for name in CLIPS:
        voice = normalised(mono(shared_data / name), -6)
        both = (10 ** (-under_db / 20) * voice, voice)
        found = recorded(tmp_path, np.stack(both if first else both[::-1], axis=1))
        assert codes(found) == {"channel_weak"}
        assert np.array_equal(found.samples, recorded(tmp_path, voice).samples)


@pytest.mark.parametrize("peak_db", [-6, -16])
def test_a_channel_with_noise_alone_is_told_and_left_out(shared_data: Path, tmp_path: Path, peak_db: float) -> None:
    for name in CLIPS:
        voice = normalised(mono(shared_data / name), peak_db)
        for colour in (0, 1):
            hiss = 10 ** (-50 / 20) * noise(voice.size, 1, colour)
            found = recorded(tmp_path, np.stack((voice, hiss), axis=1))
            assert codes(found) == {"channel_weak"}
            assert np.array_equal(found.samples, recorded(tmp_path, voice).samples)


@pytest.mark.parametrize("under_db", [0, 6, 10, 12])
def test_a_weaker_microphone_that_hears_the_voice_is_kept(shared_data: Path, tmp_path: Path, under_db: float) -> None:
    def two(samples: Samples) -> Samples:
        voice = normalised(samples, -6)
        return np.stack((far_microphone(voice, under_db), voice), axis=1)

    assert raised(shared_data, tmp_path, two, "channel_weak") == 0


@pytest.mark.parametrize("name", ["2_audio/azure_samples/test_audio_stereo.wav", "2_audio/faster_whisper/jfk.flac"])
def test_recordings_that_are_stereo_keep_both_channels(shared_data: Path, name: str) -> None:
    waveform = decode(shared_data / name)
    assert (waveform.source.channels, len(waveform.heaps), waveform.warnings) == (2, 2, ())


def test_an_inverted_channel_is_told(shared_data: Path, tmp_path: Path) -> None:
    assert raised(shared_data, tmp_path, lambda samples: np.stack((samples, -samples), 1), "channel_inverted") == 17


def test_two_microphones_are_no_fault(shared_data: Path, tmp_path: Path) -> None:
    """The second one 20 cm further away (0.6 ms later), 12 dB down, with a noise of its own."""

    def two(samples: Samples) -> Samples:
        return np.stack((samples, 0.25 * np.roll(samples, 10) + 1e-4 * noise(samples.size, 3)), axis=1)

    assert raised(shared_data, tmp_path, two, "channel_dead") == 0
    assert raised(shared_data, tmp_path, two, "channel_inverted") == 0


# --- narrow band: the content's bandwidth, not the header's rate ---


@pytest.mark.parametrize("rate", [6_000, 8_000])
def test_a_telephone_in_a_wider_file_is_narrow(shared_data: Path, tmp_path: Path, rate: int) -> None:
    def narrow(samples: Samples) -> Samples:
        return resampled(resampled(samples, RATE, rate), rate, RATE)

    assert raised(shared_data, tmp_path, narrow, "narrow_band") == 17


def test_8_khz_files_are_narrow(shared_data: Path, tmp_path: Path) -> None:
    for name in CLIPS:
        narrow = resampled(mono(shared_data / name), RATE, 8_000)
        assert "narrow_band" in codes(recorded(tmp_path, narrow, "pcm_mulaw", 8_000))


@pytest.mark.parametrize("rate", [11_025, 44_100])
def test_5_khz_and_more_are_wide_enough(shared_data: Path, tmp_path: Path, rate: int) -> None:
    for name in CLIPS:
        samples = resampled(mono(shared_data / name), RATE, rate)
        assert "narrow_band" not in codes(recorded(tmp_path, samples, rate=rate))


# --- automatic gain: a steady room, clips of one speaker with a second between them ---


@pytest.fixture(scope="module")
def rooms(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Samples]:
    folder = tmp_path_factory.mktemp("rooms")
    speakers = by_speaker(shared_data)
    made = []
    for number, speaker in enumerate(sorted(speakers)[::8]):
        parts = [part for path in speakers[speaker][:5] for part in (normalised(mono(path), -6), np.zeros(RATE))]
        joined = np.concatenate(parts)
        _, activity = heard(folder, joined)
        room = voice_rms(joined, activity.speech) * 10 ** (-28 / 20) * noise(joined.size, number, 1)
        made.append(joined + room)
    return made


def with_gain(folder: Path, rooms: list[Samples], db_per_s: float, most_db: float) -> int:
    made = [normalised(turned_up(room, db_per_s, most_db), -3) for room in rooms]
    return sum("automatic_gain" in codes(recorded(folder, samples)) for samples in made)


@pytest.mark.parametrize(("db_per_s", "most_db"), [(6, 20), (10, 12)])
def test_gain_that_grows_in_pauses_is_suspected(
    rooms: list[Samples], tmp_path: Path, db_per_s: float, most_db: float
) -> None:
    assert len(rooms) == 14
    assert with_gain(tmp_path, rooms, db_per_s, most_db) >= 10


def test_the_same_rooms_without_it_are_not(rooms: list[Samples], tmp_path: Path) -> None:
    assert sum("automatic_gain" in codes(recorded(tmp_path, normalised(room, -3))) for room in rooms) == 0


def test_nothing_is_told_of_silence_or_of_no_speech(tmp_path: Path) -> None:
    assert codes(recorded(tmp_path, np.zeros(RATE))) == set()
    assert codes(recorded(tmp_path, 0.1 * noise(3 * RATE, 1))) == set()
    assert codes(recorded(tmp_path, np.zeros(50))) == set()
