"""Small recordings made in the test's own folder, with what is known of them by hand."""

from __future__ import annotations

import io
import math
import struct
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

FULL_SCALE_DB = 20 * math.log10(32768)  # 90.31 (M7)
SINE_DB = FULL_SCALE_DB - 20 * math.log10(math.sqrt(2))  # the RMS of a sine is its peak over the root of 2: 87.30

PCM, FLOAT, MU_LAW = 1, 3, 7


def sine(seconds: float, rate: int = 16_000, hertz: float = 1000, peak: float = 1.0) -> NDArray[np.float64]:
    return peak * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)


def noise(
    seconds: float, rate: int = 16_000, rms: float = 0.05, colour: float = 0.0, seed: int = 1
) -> NDArray[np.float64]:
    """Gaussian noise whose power falls as 1 / f^colour (0 white, 1 pink, 2 brown)."""
    random = np.random.default_rng(seed)
    count = round(seconds * rate)
    spectrum = np.fft.rfft(random.standard_normal(count))
    spectrum[1:] /= np.arange(1, spectrum.size) ** (colour / 2)
    spectrum[0] = 0
    samples = np.fft.irfft(spectrum, count)
    return rms * samples / np.sqrt(np.mean(samples**2))


def encoded(samples: NDArray[np.float64], kind: int, bits: int) -> bytes:
    """Interleaved sample bytes of one of the WAV codings; samples (n,) or (n, channels), full scale 1."""
    if kind == FLOAT:
        return samples.astype({32: "<f4", 64: "<f8"}[bits]).tobytes()
    if kind == MU_LAW:
        return _mu_law(samples).tobytes()
    if bits == 64:
        return np.round(samples * 2.0**62 * 1.999).astype("<i8").tobytes()
    whole = np.clip(np.round(samples * 2 ** (bits - 1)), -(2 ** (bits - 1)), 2 ** (bits - 1) - 1).astype("<i4")
    if bits == 8:
        return (whole + 128).astype(np.uint8).tobytes()
    if bits == 24:
        return whole.reshape(-1, 1).view(np.uint8)[:, :3].tobytes()
    return whole.astype({16: "<i2", 32: "<i4"}[bits]).tobytes()


def _mu_law(samples: NDArray[np.float64]) -> NDArray[np.uint8]:
    """ITU-T G.711 mu-law, from its segments: sign, exponent, mantissa, all bits turned over."""
    size = np.minimum(np.abs(np.round(samples * 32768)), 32635).astype(np.int64) + 132
    exponent = np.floor(np.log2(size)).astype(np.int64) - 7
    code = np.where(samples < 0, 128, 0) | exponent << 4 | size >> (exponent + 3) & 15
    return (~code & 255).astype(np.uint8)


def wav(
    samples: NDArray[np.float64],
    rate: int = 16_000,
    *,
    kind: int = PCM,
    bits: int = 16,
    claimed: int | None = None,
    after: bytes = b"",
) -> bytes:
    """A WAV file; `claimed` is what its header says of its data in bytes, `after` follows the data."""
    channels = samples.shape[1] if samples.ndim == 2 else 1
    data = encoded(samples, kind, bits)
    block = channels * bits // 8
    form = struct.pack("<HHIIHH", kind, channels, rate, rate * block, block, bits)
    length = len(data) if claimed is None else claimed
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", length) + data + after
    return b"RIFF" + struct.pack("<I", min(len(body), 2**32 - 1)) + body


class _Unseekable(io.RawIOBase):
    """A pipe: what a browser's recorder writes to, so that no length can be filled in afterwards."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:
        self.data += data
        return len(data)


def compressed(
    samples: NDArray[np.float64],
    form: str,
    codec: str,
    rate: int,
    *,
    piped: bool = False,
    picture: bool = False,
    index_first: Path | None = None,
) -> bytes:
    """A recording in another container.

    `piped`: without a length; `picture`: with a video stream beside it; `index_first`: a folder to write an MP4 in
    whose index comes before its sound.
    """
    target = _Unseekable() if piped else index_first / "index_first" if index_first else io.BytesIO()
    options = {"movflags": "faststart"} if index_first else {}
    with av.open(str(target) if index_first else target, "w", format=form, options=options) as container:
        video = container.add_stream("mpeg4", rate=5) if picture else None
        if video is not None:
            video.width, video.height, video.pix_fmt = 64, 64, "yuv420p"
        stream = container.add_stream(codec, rate=rate, layout="mono") if samples.size else None
        if video is not None:
            for _ in range(5):
                image = av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8), format="rgb24")
                container.mux(video.encode(image))
            container.mux(video.encode(None))
        if stream is not None:
            _encode(samples, container, stream, rate)
    if isinstance(target, Path):
        return target.read_bytes()
    return bytes(target.data) if isinstance(target, _Unseekable) else target.getvalue()


def _encode(
    samples: NDArray[np.float64], container: av.container.OutputContainer, stream: av.AudioStream, rate: int
) -> None:
    resampler = av.AudioResampler(stream.format, "mono", rate, stream.codec_context.frame_size or None)
    frame = av.AudioFrame.from_ndarray(samples[None].astype(np.float32), format="fltp", layout="mono")
    frame.sample_rate = rate
    for piece in (*resampler.resample(frame), *resampler.resample(None)):
        container.mux(stream.encode(piece))
    container.mux(stream.encode(None))


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path
