"""Real recordings, what is done to them, and files made of the result."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from vivavoce.audio.activity import Activity, detect
from vivavoce.audio.waveform import Waveform, decode
from vivavoce.timeline import Pause, Segment

RATE = 16_000
Samples = NDArray[np.float64]

READERS = (
    "2_audio/librivox_sonnets/p001.aiff",
    "2_audio/mfa_corpus/61-70968-0000.flac",
    "2_audio/librosa_libri/198-209-0000.hq.ogg",
    "2_audio/librosa_libri/3436-172162-0000.hq.ogg",
    "2_audio/librosa_libri/5703-47212-0000.hq.ogg",
    "2_audio/pocketsphinx/librivox/sense_and_sensibility_01_austen_64kb-0870.wav",
    "2_audio/pocketsphinx/librivox/sense_and_sensibility_01_austen_64kb-0920.wav",
    "2_audio/faster_whisper/jfk.flac",
)
OTHERS = (
    "2_audio/azure_samples/pronunciation-assessment.wav",
    "2_audio/ruby_llm/ruby.wav",
    "2_audio/azure_samples/whatstheweatherlike.wav",
    # Learners of 6, 6, 9, 12, 20 and 25 years.
    "speechocean762_train/audio/000010035.flac",
    "speechocean762_train/audio/000010063.flac",
    "speechocean762_train/audio/021790035.flac",
    "speechocean762_train/audio/038370045.flac",
    "speechocean762_train/audio/001350124.flac",
    "speechocean762_train/audio/012600129.flac",
)


@cache
def mono(path: Path) -> Samples:
    """The recording at 16 kHz, in doubles."""
    return decode(path).samples.astype(np.float64)


def by_speaker(shared_data: Path) -> dict[str, list[Path]]:
    """The learners' clips by speaker, in order."""
    folder = shared_data / "speechocean762_train"
    found: dict[str, list[Path]] = {}
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found.setdefault(row["speaker"], []).append(folder / "audio" / f"{row['id']}.flac")
    return found


def resampled(samples: Samples, rate: int, to: int) -> Samples:
    """The samples at another rate, by FFmpeg's resampler."""
    convert = av.AudioResampler("fltp", "mono", to)
    pieces = [piece.to_ndarray()[0] for frame in (_frame(samples, rate), None) for piece in convert.resample(frame)]
    return np.concatenate(pieces).astype(np.float64)


def _frame(samples: Samples, rate: int) -> av.AudioFrame:
    planes = np.atleast_2d(samples.T).astype(np.float32)
    layout = "mono" if len(planes) == 1 else "stereo"
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(planes), format="fltp", layout=layout)
    frame.sample_rate, frame.time_base = rate, Fraction(1, rate)
    return frame


def recorded(
    folder: Path, samples: Samples, codec: str = "pcm_s16le", rate: int = RATE, *, bits_per_s: int | None = None
) -> Waveform:
    """The samples, shape (n,) or (n, 2), written with that codec, and decoded again."""
    path = folder / f"{codec}-{rate}"
    form = {"libmp3lame": "mp3", "libopus": "ogg"}.get(codec, "wav")
    with av.open(str(path), "w", format=form) as container:
        layout = "stereo" if samples.ndim == 2 else "mono"
        stream = container.add_stream(codec, rate=rate, layout=layout)
        if bits_per_s:
            stream.bit_rate = bits_per_s
        convert = av.AudioResampler(stream.format, layout, rate, stream.codec_context.frame_size or None)
        for frame in (_frame(samples, rate), None):
            for piece in convert.resample(frame):
                container.mux(stream.encode(piece))
        container.mux(stream.encode(None))
    return decode(path)


def normalised(samples: Samples, over_db: float = 0.0) -> Samples:
    """The samples with their peak that many dB over full scale."""
    return samples / np.abs(samples).max() * 10 ** (over_db / 20)


def clipped(samples: Samples, over_db: float, then_db: float = 0.0) -> Samples:
    """The samples raised until their peak is that many dB over full scale, cut off there, and lowered again."""
    return np.clip(normalised(samples, over_db), -1, 1) * 10 ** (then_db / 20)


def noise(count: int, seed: int, colour: float = 0.0) -> Samples:
    """Gaussian noise of RMS 1 whose power falls as 1 / f^colour."""
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(count))
    spectrum[1:] /= np.arange(1, spectrum.size) ** (colour / 2)
    spectrum[0] = 0
    made = np.fft.irfft(spectrum, count)
    return np.asarray(made / np.sqrt(np.mean(made**2)))


def voice_rms(samples: Samples, speech: NDArray[np.bool_]) -> float:
    """The RMS over the 10 ms frames of `speech`."""
    frames = samples[: samples.size // 160 * 160].reshape(-1, 160)
    return float(np.sqrt(np.mean(frames[speech[: len(frames)]] ** 2)))


def turned_up(samples: Samples, db_per_s: float, most_db: float) -> Samples:
    """The samples as a recorder with automatic gain makes them.

    It follows the level of 10 ms frames: up at once, down by `db_per_s`; its gain keeps what it follows at -20 dB
    under full scale, and grows to at most `most_db` over what the loudest second frame in ten needs.
    """
    frames = samples[: samples.size // 160 * 160].reshape(-1, 160)
    level = 10 * np.log10(np.mean(frames**2, axis=1) + 1e-12)
    usual = float(np.quantile(level, 0.9))
    followed, now = np.empty(level.size), usual
    for index, value in enumerate(level):
        now = max(value, now - db_per_s / 100, usual - most_db)
        followed[index] = now
    gain_db = np.interp(np.arange(samples.size), np.arange(level.size) * 160 + 80, -20 - followed)
    return np.asarray(samples * 10 ** (gain_db / 20))


def pauses_of(activity: Activity) -> tuple[list[Pause], Segment]:
    """Pauses of 0.25 s or more between stretches of speech, and the response: what word gaps would say."""
    segments = activity.segments()
    gaps = [Pause(a.end_ms, b.start_ms, "phrase") for a, b in pairwise(segments) if b.start_ms - a.end_ms >= 250]
    return gaps, Segment(segments[0].start_ms, segments[-1].end_ms)


def heard(folder: Path, samples: Samples) -> tuple[Waveform, Activity]:
    """The samples as a 16-bit WAV file, decoded, and its speech."""
    waveform = recorded(folder, samples)
    return waveform, detect(waveform)
