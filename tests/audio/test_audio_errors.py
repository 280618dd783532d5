"""Files that hold no recording: each its own code, all five fields, never a traceback."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from audio_files import MU_LAW, compressed, noise, wav, write

from vivavoce.audio import waveform as module
from vivavoce.audio.waveform import decode
from vivavoce.errors import AudioError


def refused(path: Path) -> AudioError:
    with pytest.raises(AudioError) as caught:
        decode(path)
    fields = caught.value.as_dict()
    assert set(fields) == {"code", "where", "found", "allowed", "remedy"}
    assert all(fields.values()), fields
    assert fields["where"] == str(path)
    return caught.value


def test_nothing_there(tmp_path: Path) -> None:
    assert refused(tmp_path / "missing.wav").code == "audio_missing"
    assert refused(tmp_path / ("x" * 5000)).code == "audio_missing"
    assert refused(tmp_path / "nul\0.wav").code == "audio_missing"


def test_a_directory(tmp_path: Path) -> None:
    assert refused(tmp_path).code == "audio_not_file"


def test_no_bytes(tmp_path: Path, shared_data: Path) -> None:
    assert refused(write(tmp_path, "empty.wav", b"")).code == "audio_empty"
    assert refused(shared_data / "2_audio/librivox_sonnets/p001.empty").code == "audio_empty"


PICTURE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
PLAYLIST = b"#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nother.wav\n#EXT-X-ENDLIST\n"
SCRIPT = b"ffconcat version 1.0\nfile other.wav\n"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"To be, or not to be, that is the question.\n" * 50, "text"),
        (PICTURE + bytes(500), "a picture"),
        (PLAYLIST, "text"),
        (SCRIPT, "text"),
        (bytes(10_000), "bytes"),
        (b"RIFF", "text"),
        (b"RIFF\x24\x00\x00\x00WAVE", "bytes"),
        (b"fLaC\x00\x00\x00\x22", "bytes"),
        (b"OggS\x00", "bytes"),
    ],
)
def test_not_a_recording(tmp_path: Path, data: bytes, found: str) -> None:
    write(tmp_path, "other.wav", wav(noise(1)))
    error = refused(write(tmp_path, "answer.wav", data))
    assert error.code == "audio_unreadable"
    assert error.found.startswith(found)


@pytest.mark.parametrize("seed", range(8))
def test_random_bytes(tmp_path: Path, seed: int) -> None:
    data = random.Random(seed).randbytes(1000 * 4**seed % 300_000 + 50)
    assert refused(write(tmp_path, "noise.mp3", data)).code == "audio_unreadable"


def test_no_sound_in_the_file(tmp_path: Path) -> None:
    silent_film = compressed(np.empty(0), "mp4", "aac", 44_100, picture=True)
    assert refused(write(tmp_path, "film.mp4", silent_film)).code == "audio_no_stream"


def test_zero_samples(tmp_path: Path) -> None:
    assert refused(write(tmp_path, "zero.wav", wav(np.empty(0)))).code == "audio_no_samples"


def test_a_header_with_an_impossible_rate(tmp_path: Path) -> None:
    error = refused(write(tmp_path, "odd.wav", wav(noise(0.1), rate=7)))
    assert error.code == "audio_unreadable"
    assert "7 Hz" in error.found


def test_too_long_is_refused_before_it_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    minutes = np.tile(noise(10, 8_000), 40)  # 400 s: whole, its samples at 16 kHz would be 25.6 MB
    path = write(tmp_path, "long.wav", wav(minutes, 8_000, kind=MU_LAW, bits=8))
    monkeypatch.setattr(module, "MAX_DURATION_S", 5)
    tracemalloc.start()
    error = refused(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert error.code == "audio_too_long"
    assert "5 s" in error.allowed
    assert peak < 8e6


def test_the_longest_allowed_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_DURATION_S", 2)
    assert decode(write(tmp_path, "just.wav", wav(noise(2)))).duration_ms == 2000
    one_more = np.append(noise(2), 0.1)
    assert refused(write(tmp_path, "over.wav", wav(one_more))).code == "audio_too_long"
