"""Packets to blocks of samples: whatever the container, by content, with damage counted and never fatal."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import TracebackType
from typing import Any, BinaryIO

import av
import numpy as np
from av.audio.fifo import AudioFifo
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.audio.stream import AudioStream
from numpy.typing import NDArray

from vivavoce.audio.header import inspect
from vivavoce.errors import AudioError

FORMATS = "WAV, FLAC, MP3, Ogg (Vorbis, Opus), M4A/MP4, AAC, AIFF or WebM"
# A closed list: text that names other files (playlists, concat scripts) is never followed.
_DEMUXERS = "wav,w64,flac,mp3,ogg,mov,matroska,aac,aiff,caf,au,amr,asf,avi,mpegts"
_ANY_STEP = Fraction(1, 1000)
_BLOCK = 1 << 16
_RATES = (1_000, 768_000)
_MOST_CHANNELS = 64


class _Nameless:
    """A file without its name, so that neither its extension nor a URL-like name can decide how it is read."""

    def __init__(self, file: BinaryIO) -> None:
        self.read = file.read
        self.seek = file.seek
        self.tell = file.tell


class Reader:
    """One pass over a recording. After `blocks` is used up, `lost` and `stopped` tell the damage.

    Attributes: `container`, `codec` names as FFmpeg says them; `rate` in Hz; `channels`; `promised_s` what the
    container promises or None; `lost` the seconds at which a packet did not decode; `stopped` why reading ended
    before the end, or "".
    """

    def __init__(self, file: BinaryIO, where: str) -> None:
        self.where = where
        self.outline = inspect(file)
        self.lost: list[float] = []
        self.packets = self.bytes = 0
        self.stopped = ""
        self._last_lost = False
        self._samples = 0
        self._open(file)

    def _open(self, file: BinaryIO) -> None:
        options = {"format_whitelist": _DEMUXERS}
        if self.outline.ignore_length:
            options["ignore_length"] = "1"
        try:
            opened = av.open(_Nameless(file), "r", container_options=options, metadata_errors="ignore")
        except (av.FFmpegError, ValueError) as error:
            raise self._unreadable(_what(file)) from error
        self._container = opened
        try:
            self._stream = self._choose_stream()
            self._keep_facts()
        except AudioError:
            opened.close()
            raise

    def _unreadable(self, found: str) -> AudioError:
        return AudioError(
            "audio_unreadable",
            where=self.where,
            found=found,
            allowed=f"a whole recording in {FORMATS}",
            remedy="play the file to check it, and record or export it again",
        )

    def _choose_stream(self) -> AudioStream:
        stream = self._container.streams.best("audio")
        if isinstance(stream, AudioStream):
            return stream
        if self._container.streams.audio:
            raise self._unreadable("sound in a coding that is not known")
        raise AudioError(
            "audio_no_stream",
            where=self.where,
            found=f"a {self._container.format.name} file without sound",
            allowed="a file with at least one audio stream",
            remedy="check that the microphone was on, and record again",
        )

    def _keep_facts(self) -> None:
        stream, container = self._stream, self._container
        self.container = container.format.name
        if getattr(stream, "codec_context", None) is None:
            raise self._unreadable("sound in a coding that is not known")
        self.codec = stream.codec_context.name
        self.rate = int(stream.rate or 0)
        self.channels = int(stream.channels)
        if not (_RATES[0] <= self.rate <= _RATES[1] and 1 <= self.channels <= _MOST_CHANNELS):
            raise self._unreadable(f"{self.channels} channels at {self.rate} Hz")
        stream.codec_context.thread_count = 1
        # FLAC carries a checksum in every packet; unchecked, a damaged one would come out as noise.
        if self.codec == "flac":
            stream.codec_context.options = {"err_detect": "crccheck+explode"}
        self._expected_pts: int | None = None
        self.promised_s: float | None = None
        if self.outline.exact and stream.duration is not None and stream.time_base is not None:
            self.promised_s = float(stream.duration * stream.time_base)
        elif self.outline.exact and container.duration is not None and len(container.streams) == 1:
            self.promised_s = container.duration / av.time_base

    def __enter__(self) -> Reader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._container.close()

    @property
    def decoded_s(self) -> float:
        """Seconds decoded so far."""
        return self._samples / self.rate

    @property
    def cut(self) -> str:
        """Why the recording is known to be cut, apart from a promise of more, or ""."""
        if self.stopped or self.outline.cut:
            return self.stopped or self.outline.cut
        without_promise = self.promised_s is None and self.outline.promised_ratio == 1
        return "its last packet is not whole" if self._last_lost and without_promise else ""

    def blocks(self) -> Iterator[NDArray[np.float32]]:
        """Yield blocks of shape (channels, samples), full scale 1, at least 65,536 samples each but the last."""
        # Gathered outside Python: recordings come in some 40 frames a second.
        waiting = AudioFifo()
        for frame in self._uniform_frames():
            # Converted frames count their time in other steps; times are not used here.
            frame.pts, frame.time_base = None, _ANY_STEP
            waiting.write(frame)
            self._samples += frame.samples
            if waiting.samples >= _BLOCK:
                yield from _taken(waiting)
        yield from _taken(waiting)

    def _uniform_frames(self) -> Iterator[AudioFrame]:
        """Yield frames in the format of the first; later ones that differ (chained streams) are converted to it."""
        wanted: tuple[str, str, int] | None = None
        incoming: tuple[str, str, int] | None = None
        convert: AudioResampler | None = None
        for frame in self._frames():
            if wanted is None:
                self.rate, self.channels = frame.sample_rate or self.rate, len(frame.layout.channels)
                # NumPy cannot take FFmpeg's 64-bit whole numbers.
                form = "dbl" if frame.format.name.startswith("s64") else frame.format.name
                wanted = form, frame.layout.name, self.rate
            kind = frame.format.name, frame.layout.name, frame.sample_rate
            if kind != incoming:
                yield from self._converted(convert, None)
                incoming = kind
                convert = None if kind == wanted else AudioResampler(*wanted)
            frame.pts = None
            yield from self._converted(convert, frame)
        yield from self._converted(convert, None)

    def _converted(self, convert: AudioResampler | None, frame: AudioFrame | None) -> list[AudioFrame]:
        """Return the frame (None: what is left) as `convert` makes it; what makes no sense there is damage."""
        if convert is None:
            return [frame] if frame is not None else []
        try:
            return convert.resample(frame)
        except (av.FFmpegError, ValueError):
            self.lost.append(self.decoded_s)
            return []

    def _frames(self) -> Iterator[AudioFrame]:
        """Yield decoded frames; a packet that does not decode is counted with its place, and passed over."""
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets, None)
            except av.FFmpegError as error:
                self.stopped = f"reading stopped: {error.strerror}"
                packet = None
            if packet is None:
                return
            self.packets += packet.size > 0
            self.bytes += packet.size
            try:
                frames = packet.decode()
            except (av.FFmpegError, ValueError):
                self.lost.append(self.decoded_s)
                self._last_lost = True
                continue
            for frame in frames:
                self._note_hole(frame)
            self._last_lost = self._last_lost and packet.size == 0
            yield from (frame for frame in frames if frame.samples)

    def _note_hole(self, frame: AudioFrame) -> None:
        """Count sound that was dropped without a word: the frame after the hole is marked as later.

        FLAC decoders drop packets and Ogg readers whole pages whose checksum is wrong (in whole Ogg files times jitter
        by less than a packet). Elsewhere a hole in the times may be a pause button.
        """
        if self.codec != "flac" and self.container != "ogg":
            return
        least = 0 if self.codec == "flac" else self.rate // 10
        expected, start = self._expected_pts, frame.pts if frame.pts is not None else self._expected_pts
        if expected is not None and start is not None and start - expected > least and not self._last_lost:
            self.lost.append(self.decoded_s)
        self._last_lost = False
        self._expected_pts = None if start is None else start + frame.samples


def _taken(waiting: AudioFifo) -> Iterator[NDArray[np.float32]]:
    """Yield what was gathered as one block, and nothing where nothing was."""
    frame = waiting.read() if waiting.samples else None
    if frame is not None:
        yield _scaled(_by_channel(frame))


def _by_channel(frame: AudioFrame) -> NDArray[Any]:
    """Return the frame's samples in shape (channels, samples), in their own type."""
    samples = frame.to_ndarray()
    return samples if frame.format.is_planar else samples.reshape(-1, len(frame.layout.channels)).T


def _scaled(samples: NDArray[Any]) -> NDArray[np.float32]:
    """Return samples as float32 with full scale 1, each channel in one piece."""
    if samples.dtype == np.uint8:
        return ((samples.astype(np.float32, order="C") - 128) / 128).astype(np.float32)
    if samples.dtype == np.float32 and samples.flags.c_contiguous:
        return samples
    full_scale = 1.0 if samples.dtype.kind == "f" else -float(np.iinfo(samples.dtype).min)
    scaled: NDArray[np.float32] = samples.astype(np.float32, order="C")
    scaled *= np.float32(1 / full_scale)
    return scaled


def _what(file: BinaryIO) -> str:
    """Say in words what an unreadable file looks like from its first bytes."""
    file.seek(0)
    head = file.read(512)
    if head[4:8] == b"ftyp":
        return "an MP4 file without its index: the recording was cut off before it was finished"
    if head.startswith((b"\x89PNG", b"\xff\xd8\xff", b"GIF8")):
        return "a picture"
    if head.startswith(b"%PDF"):
        return "a PDF document"
    if head and all(byte in b"\t\n\r\f" or 32 <= byte < 127 or byte > 127 for byte in head):
        return "text"
    return "bytes that are no known kind of recording"
