"""Damage costs what is damaged, and is said: lost packets, cut files, headers that lie, samples that are no numbers."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from audio_files import FLOAT, compressed, noise, sine, wav, write

from vivavoce.audio.waveform import Waveform, decode
from vivavoce.errors import AudioError


def codes(waveform: Waveform) -> list[str]:
    return [notice.code for notice in waveform.warnings]


def test_a_packet_that_does_not_decode_costs_that_packet(shared_data: Path) -> None:
    waveform = decode(shared_data / "2_audio/librivox_sonnets/p001.flac")
    assert codes(waveform) == ["packet_lost"]
    # 86 whole blocks of 4608 samples: the 87th, of the last 391, is the one that does not decode.
    assert waveform.duration_ms == round(86 * 4608 / 44.1)
    assert "1 of 87" in waveform.warnings[0].found
    assert "8.99 s" in waveform.warnings[0].found


def test_a_damaged_packet_is_left_out_and_not_played_as_noise(tmp_path: Path) -> None:
    # Random whole numbers do not compress, so one wrong bit lies in a sample and only the packet's checksum tells.
    samples = np.round(noise(4) * 32768) / 32768
    data = bytearray(compressed(samples, "flac", "flac", 16_000))
    data[len(data) // 2] ^= 0x10
    waveform = decode(write(tmp_path, "scratched.flac", bytes(data)))
    assert codes(waveform) == ["packet_lost"]
    lost = samples.size - waveform.samples.size
    assert 0 < lost <= 4608
    before = int(np.argmax(np.abs(waveform.samples - samples[: waveform.samples.size]) > 1e-4))
    assert np.allclose(waveform.samples[before:], samples[before + lost :], atol=1e-4)


def test_an_ogg_page_that_is_damaged_is_counted(shared_data: Path, tmp_path: Path) -> None:
    data = bytearray((shared_data / "2_audio/librivox_sonnets/p001.ogg").read_bytes())
    data[len(data) // 2] ^= 0x10
    waveform = decode(write(tmp_path, "scratched.ogg", bytes(data)))
    assert codes(waveform) == ["packet_lost"]
    assert 7000 < waveform.duration_ms < 8900


@pytest.mark.parametrize("kind", ["aac", "aiff", "flac", "mp3", "ogg", "webm"])
@pytest.mark.parametrize("share", [0.6, 0.61234])
def test_a_cut_file_is_said_to_be_cut(shared_data: Path, tmp_path: Path, kind: str, share: float) -> None:
    data = (shared_data / f"2_audio/librivox_sonnets/p001.{kind}").read_bytes()
    waveform = decode(write(tmp_path, "cut", data[: int(len(data) * share)]))
    assert "truncated" in codes(waveform)
    assert 4500 < waveform.duration_ms < 6500


def test_an_ogg_file_cut_between_two_pages(shared_data: Path, tmp_path: Path) -> None:
    data = (shared_data / "2_audio/librivox_sonnets/p001.ogg").read_bytes()
    waveform = decode(write(tmp_path, "cut.ogg", data[: data.rfind(b"OggS")]))
    assert codes(waveform) == ["truncated"]
    assert "not marked as the last" in waveform.warnings[0].found


def test_a_cut_wav_and_a_cut_mp4(tmp_path: Path) -> None:
    plain = wav(noise(5))
    cut = decode(write(tmp_path, "cut.wav", plain[: int(len(plain) * 0.6)]))
    assert codes(cut) == ["truncated"]
    assert "promises 5.00 s, 3.00 s are there" in cut.warnings[0].found
    front = compressed(noise(5, 44_100), "mp4", "aac", 44_100, index_first=tmp_path)
    cut = decode(write(tmp_path, "cut.mp4", front[: int(len(front) * 0.6)]))
    assert "truncated" in codes(cut)
    assert 2000 < cut.duration_ms < 4000


def test_an_mp4_cut_before_its_index_says_so(shared_data: Path, tmp_path: Path) -> None:
    data = (shared_data / "2_audio/librivox_sonnets/p001.mp4").read_bytes()
    with pytest.raises(AudioError) as caught:
        decode(write(tmp_path, "cut.m4a", data[: int(len(data) * 0.6)]))
    assert caught.value.code == "audio_unreadable"
    assert "index" in caught.value.found


def test_whole_recordings_are_not_called_cut(shared_data: Path) -> None:
    folder = shared_data / "2_audio"
    kinds = {".wav", ".flac", ".mp3", ".mp4", ".aac", ".ogg", ".opus", ".webm", ".aiff"}
    paths = sorted(path for path in folder.rglob("*") if path.suffix in kinds)
    assert len(paths) > 50
    noticed = {path.name: codes(decode(path)) for path in paths}
    assert {name: found for name, found in noticed.items() if found} == {"p001.flac": ["packet_lost"]}


@pytest.mark.parametrize(
    "name", ["p001.aac", "p001.aiff", "p001.flac", "p001.mp3", "p001.mp4", "p001.ogg", "p001.webm"]
)
def test_no_damage_ends_in_anything_but_an_audio_error(shared_data: Path, tmp_path: Path, name: str) -> None:
    data = (shared_data / "2_audio/librivox_sonnets" / name).read_bytes()[:120_000]
    chance = random.Random(name)
    for number in range(12):
        scratched = bytearray(data)
        for _ in range((1, 10, 200)[number % 3]):
            scratched[chance.randrange(len(scratched) if number % 2 else 400)] = chance.randrange(256)
        with suppress(AudioError):
            waveform = decode(write(tmp_path, "scratched", bytes(scratched)))
            assert np.isfinite(waveform.samples).all()


def test_a_wav_of_an_unknown_coding(tmp_path: Path) -> None:
    with pytest.raises(AudioError) as caught:
        decode(write(tmp_path, "odd.wav", wav(noise(1), kind=0x4242)))
    assert caught.value.code == "audio_unreadable"


@pytest.mark.parametrize("claimed", [0, 0xFFFFFFFF, 0x7FFFFFFF, 0x7FFFF000, 0xFFFFFFFF - 36])
def test_a_wav_whose_length_was_never_filled_in(tmp_path: Path, claimed: int) -> None:
    waveform = decode(write(tmp_path, "live.wav", wav(noise(2), claimed=claimed)))
    assert waveform.duration_ms == 2000
    assert waveform.warnings == ()


def test_a_wav_header_that_claims_too_little(tmp_path: Path) -> None:
    waveform = decode(write(tmp_path, "lying.wav", wav(noise(2), claimed=1000)))
    assert waveform.duration_ms == 2000
    assert codes(waveform) == ["header_mended"]


@pytest.mark.parametrize(
    "after", [b"LIST\x1a\x00\x00\x00INFOISFT\x0e\x00\x00\x00Lavf62.12.102\x00", b"ID3\x03" + bytes(500)]
)
def test_what_follows_the_sound_is_not_sound(tmp_path: Path, after: bytes) -> None:
    waveform = decode(write(tmp_path, "tagged.wav", wav(noise(2), after=after)))
    assert waveform.duration_ms == 2000
    assert waveform.warnings == ()


def test_samples_that_are_no_numbers_count_as_silence(tmp_path: Path) -> None:
    samples = sine(1, peak=0.5)
    samples[[100, 200, 300]] = np.nan, np.inf, -np.inf
    waveform = decode(write(tmp_path, "nan.wav", wav(samples, kind=FLOAT, bits=32)))
    assert codes(waveform) == ["samples_not_finite"]
    assert waveform.warnings[0].found.startswith("3 samples")
    assert waveform.samples[[100, 200, 300]].tolist() == [0, 0, 0]
    assert np.isfinite(waveform.frames.squares).all()
