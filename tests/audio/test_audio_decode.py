"""Decoding by content: every encoding, any name, the length of what is there."""

from __future__ import annotations

import hashlib
import wave
from pathlib import Path

import av
import numpy as np
import pytest
from audio_files import FLOAT, MU_LAW, PCM, SINE_DB, compressed, sine, wav, write

from vivavoce.audio.activity import detect
from vivavoce.audio.loudness import level_db
from vivavoce.audio.waveform import Waveform, decode

# The AIFF's own header counts 396,679 samples at 44,100 Hz; the six others are the same clip.
SONNET_MS = 396_679 / 44.1


@pytest.fixture(scope="module")
def seven(shared_data: Path) -> dict[str, Waveform]:
    folder = shared_data / "2_audio" / "librivox_sonnets"
    return {kind: decode(folder / f"p001.{kind}") for kind in ("aac", "aiff", "flac", "mp3", "mp4", "ogg", "webm")}


def test_seven_encodings_have_one_length(seven: dict[str, Waveform]) -> None:
    lengths = {kind: waveform.duration_ms for kind, waveform in seven.items()}
    assert all(abs(length - SONNET_MS) <= 50 for length in lengths.values()), lengths


def test_seven_encodings_have_one_level(seven: dict[str, Waveform]) -> None:
    levels = {kind: level_db(waveform.frames, detect(waveform).speech) for kind, waveform in seven.items()}
    plain = levels["aiff"]
    assert plain is not None
    assert all(value is not None and abs(value - plain) <= 0.5 for value in levels.values()), levels


def test_source_says_container_and_codec(seven: dict[str, Waveform]) -> None:
    found = {kind: (waveform.source.container, waveform.source.codec) for kind, waveform in seven.items()}
    assert found == {
        "aac": ("aac", "aac"),
        "aiff": ("aiff", "pcm_s16be"),
        "flac": ("flac", "flac"),
        "mp3": ("mp3", "mp3float"),
        "mp4": ("mp4", "aac"),
        "ogg": ("ogg", "vorbis"),
        "webm": ("webm", "vorbis"),
    }
    assert {(waveform.source.sample_rate, waveform.source.channels) for waveform in seven.values()} == {(44_100, 2)}


def test_samples_are_those_the_standard_library_reads(shared_data: Path) -> None:
    path = shared_data / "2_audio/pocketsphinx/librivox/sense_and_sensibility_01_austen_64kb-0870.wav"
    with wave.open(str(path)) as file:
        expected = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
    waveform = decode(path)
    assert waveform.rate == 16_000
    assert waveform.samples.dtype == np.float32
    # This recording lies off zero, as real ones do, and that is taken off.
    assert expected.mean() > 0.006
    assert np.abs(waveform.samples - (expected - expected.mean())).max() < 1e-7
    assert waveform.source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", ["p001.wav", "p001.txt", "p001", "p001.mp3.png", "http:p001.m3u8"])
def test_the_name_decides_nothing(shared_data: Path, tmp_path: Path, name: str) -> None:
    original = shared_data / "2_audio/librivox_sonnets/p001.mp3"
    renamed = decode(write(tmp_path, name, original.read_bytes()))
    assert renamed.source.codec == "mp3float"
    assert np.array_equal(renamed.samples, decode(original).samples)


@pytest.mark.parametrize(
    ("kind", "bits", "tolerance_db"),
    [
        (PCM, 16, 0.01),
        (PCM, 24, 0.01),
        (PCM, 32, 0.01),
        (PCM, 64, 0.01),
        (PCM, 8, 0.1),
        (FLOAT, 32, 0.01),
        (FLOAT, 64, 0.01),
        (MU_LAW, 8, 0.1),
    ],
)
@pytest.mark.parametrize("rate", [8_000, 22_050, 48_000])
def test_wav_codings_and_rates(tmp_path: Path, kind: int, bits: int, tolerance_db: float, rate: int) -> None:
    # A sine at half of full scale lies 20 log10 2 = 6.02 dB under one at full scale.
    waveform = decode(write(tmp_path, "tone.wav", wav(sine(1.5, rate, peak=0.5), rate, kind=kind, bits=bits)))
    assert waveform.duration_ms == 1500
    assert waveform.samples.size == 24_000
    assert level_db(waveform.frames) == pytest.approx(SINE_DB - 6.0206, abs=tolerance_db)
    middle = waveform.samples[4000:20_000]
    assert np.sqrt(np.mean(middle.astype(np.float64) ** 2)) == pytest.approx(0.5 / np.sqrt(2), rel=0.02)
    assert waveform.warnings == ()


def test_mu_law_and_linear_recordings_agree(shared_data: Path) -> None:
    folder = shared_data / "2_audio/azure_samples"
    plain, coded = decode(folder / "whatstheweatherlike.wav"), decode(folder / "whatstheweatherlike-mulaw.wav")
    assert plain.duration_ms == coded.duration_ms == 2030
    assert np.corrcoef(plain.samples, coded.samples)[0, 1] > 0.99


def test_resampling_does_not_shift_time(tmp_path: Path) -> None:
    samples = np.zeros(2 * 44_100)
    samples[44_100] = 0.9
    waveform = decode(write(tmp_path, "click.wav", wav(samples, 44_100)))
    assert abs(int(np.argmax(np.abs(waveform.samples))) - 16_000) <= 1


def test_browser_webm_without_a_length(tmp_path: Path) -> None:
    path = write(tmp_path, "answer.webm", compressed(sine(3, 48_000, peak=0.5), "webm", "libopus", 48_000, piped=True))
    with av.open(str(path)) as container:
        assert container.duration is None
    waveform = decode(path)
    assert abs(waveform.duration_ms - 3000) <= 50
    assert waveform.source.container == "webm"
    assert waveform.warnings == ()


def test_a_video_stream_beside_the_sound_is_ignored(tmp_path: Path) -> None:
    samples = sine(2, 44_100, peak=0.5)
    with_picture = decode(write(tmp_path, "a.mp4", compressed(samples, "mp4", "aac", 44_100, picture=True)))
    without = decode(write(tmp_path, "b.mp4", compressed(samples, "mp4", "aac", 44_100)))
    assert np.array_equal(with_picture.samples, without.samples)


def test_cover_art_and_odd_tags_are_ignored(shared_data: Path, tmp_path: Path) -> None:
    original = shared_data / "2_audio/librivox_sonnets/p001.mp3"
    picture = b"\x00image/png\x00\x03\x00" + b"\x89PNG\r\n\x1a\n" + bytes(2000)
    title = b"\x00\xff\xfe\xe9 not UTF-8"
    frames = b"".join(
        name + len(data).to_bytes(4, "big") + b"\x00\x00" + data
        for name, data in ((b"APIC", picture), (b"TIT2", title))
    )
    size = bytes(len(frames) >> shift & 0x7F for shift in (21, 14, 7, 0))
    tagged = write(tmp_path, "tagged.mp3", b"ID3\x03\x00\x00" + size + frames + original.read_bytes())
    assert np.array_equal(decode(tagged).samples, decode(original).samples)


def test_the_same_file_gives_the_same_numbers(shared_data: Path) -> None:
    path = shared_data / "2_audio/librivox_sonnets/p001.mp4"
    first, second = decode(path), decode(path)
    assert np.array_equal(first.samples, second.samples)
    assert np.array_equal(first.frames.squares, second.frames.squares)
    assert first.source == second.source


def test_samples_cannot_be_changed(tmp_path: Path) -> None:
    waveform = decode(write(tmp_path, "tone.wav", wav(sine(0.1))))
    with pytest.raises(ValueError, match="read-only"):
        waveform.samples[0] = 1


def test_a_stream_that_changes_its_rate_and_channels_goes_on(tmp_path: Path) -> None:
    """Two AAC recordings of different rates joined end to end: each frame says its own rate, the first one's holds."""
    first = compressed(sine(2, 44_100, peak=0.5), "adts", "aac", 44_100)
    second = compressed(sine(2, 22_050, peak=0.5), "adts", "aac", 22_050)
    waveform = decode(write(tmp_path, "joined.aac", first + second))
    assert abs(waveform.duration_ms - 4000) <= 200
    assert level_db(waveform.frames) == pytest.approx(SINE_DB - 6.02, abs=0.5)
