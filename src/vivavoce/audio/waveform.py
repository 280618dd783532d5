"""A recording as samples and levels: `decode(path)` reads it by content, never by name.

Length is the decoded samples, never the header. Damage costs what is damaged and a warning; a file that holds
no sound is an `AudioError` with its own code:

    audio_missing      nothing at that path            audio_no_stream    a file without sound
    audio_not_file     a directory or device           audio_no_samples   nothing decodes
    audio_forbidden    may not be read                 audio_too_long     longer than MAX_DURATION_S
    audio_empty        no bytes                        audio_unreadable   no recording, or beyond repair
"""

from __future__ import annotations

import hashlib
import stat
from dataclasses import dataclass
from fractions import Fraction
from io import BufferedReader
from pathlib import Path

import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from numpy.typing import NDArray

from vivavoce.audio.channels import ChannelSurvey, mean_of
from vivavoce.audio.levels import LevelFrames, LevelMeter
from vivavoce.audio.peaks import Heaps, PeakMeter
from vivavoce.audio.reader import FORMATS, Reader
from vivavoce.errors import AudioError
from vivavoce.notice import Notice

ANALYSIS_RATE = 16_000
"""Samples a second for analysis and recognition."""

MAX_DURATION_S = 3600
"""The longest recording taken, in seconds (chosen): an hour needs about 250 MB; decoding stops once it is past."""

TRUNCATED_FROM_S = 0.25
"""A recording this much shorter than promised is called truncated (chosen): the shortest gap that counts as a
pause (M2). Whole files fall short by up to 0.01 s for a lost packet; coders' delays come to 0.13 s at most."""

OFFSET_FROM = 0.001
"""A mean from which on it is a fault of the recorder (-60 dBFS, chosen) that would pass for sound in quiet places."""

_SHORT_NAMES = {"mov,mp4,m4a,3gp,3g2,mj2": "mp4", "matroska,webm": "webm"}


@dataclass(frozen=True, slots=True)
class AudioSource:
    """Where a waveform comes from: container and codec as FFmpeg names them, rate in Hz, SHA-256 of the file.

    `bits_per_s`: of its sound, without container, pictures or film; 0 where nothing is known of it.
    """

    container: str
    codec: str
    sample_rate: int
    channels: int
    sha256: str
    bits_per_s: int = 0


@dataclass(frozen=True, slots=True)
class Waveform:
    """A decoded recording.

    `samples`: mono float32 at `rate` (16 kHz), full scale 1, read-only. `duration_ms`: decoded samples over the
    original rate. `frames`: sums of 10 ms frames at the original rate, for levels. `warnings`: damage noticed.
    `heaps`: per channel listened to, how its original samples heap up at the largest values.
    """

    samples: NDArray[np.float32]
    rate: int
    duration_ms: int
    frames: LevelFrames
    source: AudioSource
    warnings: tuple[Notice, ...] = ()
    heaps: tuple[Heaps, ...] = ()


def decode(path: Path) -> Waveform:
    """Return the recording at `path` as mono at 16 kHz with its levels.

    Channels are averaged, save dead, far weaker and inverted ones (see `channels`). Decoding is the same every time.
    Raises AudioError (codes above). Warnings: `packet_lost`, `truncated`, `channel_dead`, `channel_weak`,
    `channel_inverted`, `samples_not_finite`, `header_mended`.
    """
    where = str(path)
    with _open(path, where) as file:
        take = _read(file, where, None)
        mix, heaps = take.survey.choose(), take.peaks.finish()
        if len(mix.channels) != take.channels:
            take = _read(file, where, mix.channels)
        file.seek(0)
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    bits_per_s = 8 * take.bytes * take.rate // take.total
    source = AudioSource(take.container, take.codec, take.rate, take.channels, sha256, bits_per_s)
    duration_ms = (take.total * 2000 + take.rate) // (2 * take.rate)
    warnings = (*take.warnings, *mix.warnings)
    heard = tuple(heaps[channel] for channel in mix.channels)
    return Waveform(take.samples(), ANALYSIS_RATE, duration_ms, take.meter.finish(), source, warnings, heard)


def _open(path: Path, where: str) -> BufferedReader:
    """Return the file opened, having checked that it is a file and not empty."""

    def refuse(code: str, found: str, remedy: str) -> AudioError:
        return AudioError(code, where=where, found=found, allowed=f"a recording in {FORMATS}", remedy=remedy)

    try:
        facts = path.stat()
    except (OSError, ValueError) as error:
        if isinstance(error, PermissionError):
            raise refuse("audio_forbidden", "no permission to read it", "change the file's permissions") from error
        raise refuse("audio_missing", "nothing there", "check the path") from error
    if not stat.S_ISREG(facts.st_mode):
        kind = "a directory" if stat.S_ISDIR(facts.st_mode) else "no ordinary file"
        raise refuse("audio_not_file", kind, "name the recording itself")
    if facts.st_size == 0:
        raise refuse("audio_empty", "a file of 0 bytes", "record or upload it again")
    try:
        return path.open("rb")
    except OSError as error:
        raise refuse("audio_forbidden", error.strerror or "it cannot be opened", "check its permissions") from error


class _Take:
    """One pass over a recording: levels at its own rate, samples at 16 kHz, and what was noticed."""

    def __init__(self, reader: Reader) -> None:
        self.container = _SHORT_NAMES.get(reader.container, reader.container)
        self.codec = reader.codec
        self.rate = reader.rate
        self.channels = reader.channels
        self.survey = ChannelSurvey(reader.channels, reader.rate)
        self.peaks = PeakMeter(reader.channels)
        self.meter = LevelMeter(reader.rate)
        self.total = self.bytes = 0
        self.warnings: tuple[Notice, ...] = ()
        self._resampler = AudioResampler("fltp", "mono", ANALYSIS_RATE)
        # A bytearray grows in place, so that an hour needs no second copy.
        self._samples = bytearray()

    def add(self, block: NDArray[np.float32], channels: tuple[int, ...] | None) -> None:
        """Take a block of shape (channels, samples), listening to `channels` (None: all, and compare them)."""
        if channels is None:
            self.survey.add(block)
            self.peaks.add(block)
        mono = mean_of(block, range(len(block)) if channels is None else channels)
        self.total += mono.size
        self.meter.add(mono)
        if self.rate == ANALYSIS_RATE:
            self._samples += mono.astype(np.float32).tobytes()
            return
        frame = AudioFrame.from_ndarray(mono.astype(np.float32).reshape(1, -1), format="fltp", layout="mono")
        frame.sample_rate = self.rate
        frame.time_base = Fraction(1, self.rate)
        self._keep(self._resampler.resample(frame))

    def _keep(self, frames: list[AudioFrame]) -> None:
        for frame in frames:
            self._samples += frame.to_ndarray().tobytes()

    def finish(self) -> None:
        """Flush the resampler and make the length exact: round(total * 16000 / rate) samples."""
        if self.rate != ANALYSIS_RATE:
            self._keep(self._resampler.resample(None))
        wanted = 4 * ((self.total * ANALYSIS_RATE * 2 + self.rate) // (2 * self.rate))
        del self._samples[wanted:]
        self._samples.extend(bytes(wanted - len(self._samples)))

    def samples(self) -> NDArray[np.float32]:
        """Return the samples at 16 kHz, read-only, a constant offset of OFFSET_FROM or more taken off."""
        samples = np.frombuffer(self._samples, np.float32)
        offset = samples.mean(dtype=np.float64)
        if abs(offset) >= OFFSET_FROM:
            samples -= np.float32(offset)
        samples.flags.writeable = False
        return samples


def _read(file: BufferedReader, where: str, channels: tuple[int, ...] | None) -> _Take:
    """Read the whole recording once, listening to `channels` (None: all). Raises AudioError."""
    with Reader(file, where) as reader:
        take: _Take | None = None
        bad_samples = 0
        for block in reader.blocks():
            take = take or _Take(reader)
            if not np.isfinite(block).all():
                bad = ~np.isfinite(block)
                bad_samples += int(bad.any(axis=0).sum())
                block[bad] = 0
            take.add(block, channels)
            if take.total > MAX_DURATION_S * take.rate:
                raise _too_long(where)
        if take is None or take.total == 0:
            raise _no_samples(where, reader)
        take.finish()
        take.bytes = reader.bytes
        take.warnings = _damage(reader, take, bad_samples)
    return take


def _damage(reader: Reader, take: _Take, bad_samples: int) -> tuple[Notice, ...]:
    """Return what went wrong on the way: packets lost, the end missing, samples that are no numbers."""
    found = []
    if reader.lost:
        places = ", ".join(f"{place:.2f}" for place in reader.lost[:5]) + (", ..." if len(reader.lost) > 5 else "")
        found.append(
            Notice(
                "packet_lost",
                f"{len(reader.lost)} of {reader.packets} packets did not decode (at {places} s) and were left out",
                "export or upload the recording again if a word is missing there",
            )
        )
    cut = _cut(reader, take.total / take.rate)
    if cut:
        found.append(Notice("truncated", cut, "upload the whole recording again; what is there was used"))
    if bad_samples:
        found.append(
            Notice(
                "samples_not_finite",
                f"{bad_samples} samples are not numbers (NaN or infinite) and count as 0",
                "check the program that wrote the file",
            )
        )
    if reader.outline.ignore_length:
        found.append(
            Notice(
                "header_mended",
                f"the header claims less sound than the file holds; all {take.total / take.rate:.2f} s were read (the "
                "recorder may have stopped before it finished the file)",
                "",
            )
        )
    return tuple(found)


def _cut(reader: Reader, decoded_s: float) -> str:
    """Say how the recording is known to be shorter than it was, or ""."""
    promised_s = reader.promised_s or decoded_s * reader.outline.promised_ratio
    if promised_s - decoded_s >= TRUNCATED_FROM_S:
        return f"the file promises {promised_s:.2f} s, {decoded_s:.2f} s are there"
    return f"the file ends after {decoded_s:.2f} s: {reader.cut}" if reader.cut else ""


def _too_long(where: str) -> AudioError:
    return AudioError(
        "audio_too_long",
        where=where,
        found=f"more than {MAX_DURATION_S} s of sound",
        allowed=f"at most {MAX_DURATION_S} s ({MAX_DURATION_S // 60} minutes)",
        remedy="cut the recording to the one response that is to be scored",
    )


def _no_samples(where: str, reader: Reader) -> AudioError:
    lost = f": none of its {reader.packets} packets decodes" if reader.lost else ": its sound is 0 samples long"
    return AudioError(
        "audio_no_samples",
        where=where,
        found=f"a {reader.container} file ({reader.codec}) with nothing in it{lost}",
        allowed="a recording that holds sound",
        remedy="play the file to check it, and record or export it again",
    )
