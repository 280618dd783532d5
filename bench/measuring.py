"""The measuring pass without recognition: decode, activity, level, consistency and fade, against real time.

    python bench/measuring.py RECORDING [--minutes 10]

The recording is decoded once, repeated up to the length wanted, written in each encoding and measured from the file,
on one core (the process is bound to it). Aim: 100 times faster than real time.
"""

from __future__ import annotations

import argparse
import itertools
import os
import tempfile
import time
from pathlib import Path

import av
import numpy as np

from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import Waveform, decode
from vivavoce.measures.volume import consistency, fade, level
from vivavoce.timeline import Pause, Segment

ENCODINGS = (
    ("wav, 44.1 kHz stereo", "wav", "pcm_s16le", 44_100, "stereo"),
    ("wav, 16 kHz mono", "wav", "pcm_s16le", 16_000, "mono"),
    ("flac, 44.1 kHz stereo", "flac", "flac", 44_100, "stereo"),
    ("mp3, 44.1 kHz stereo", "mp3", "libmp3lame", 44_100, "stereo"),
    ("m4a (aac), 44.1 kHz stereo", "m4a", "aac", 44_100, "stereo"),
    ("ogg (opus), 48 kHz stereo", "ogg", "libopus", 48_000, "stereo"),
    ("webm (opus), 48 kHz mono", "webm", "libopus", 48_000, "mono"),
)


def repeated(path: Path, seconds: float) -> np.ndarray:
    """The recording's samples at 16 kHz, repeated up to that length."""
    samples = decode(path).samples
    return np.resize(samples, round(seconds * 16_000))


def write(samples: np.ndarray, path: Path, codec: str, rate: int, layout: str) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=rate, layout=layout)
        resampler = av.AudioResampler(stream.format, layout, rate, stream.codec_context.frame_size or None)
        for start in range(0, samples.size, 16_000):
            frame = av.AudioFrame.from_ndarray(samples[None, start : start + 16_000], format="fltp", layout="mono")
            frame.sample_rate = 16_000
            for piece in resampler.resample(frame):
                container.mux(stream.encode(piece))
        for piece in resampler.resample(None):
            container.mux(stream.encode(piece))
        container.mux(stream.encode(None))


def measure(path: Path) -> tuple[Waveform, dict[str, float]]:
    """CPU seconds of each step of the pass."""
    times = {}
    start = time.process_time()
    waveform = decode(path)
    times["decode"] = time.process_time() - start
    start = time.process_time()
    activity = detect(waveform)
    times["activity"] = time.process_time() - start
    start = time.process_time()
    segments = activity.segments()
    pauses = [Pause(a.end_ms, b.start_ms, "phrase") for a, b in itertools.pairwise(segments)]
    response = Segment(segments[0].start_ms, segments[-1].end_ms)
    level(waveform, activity)
    consistency(waveform, activity)
    fade(waveform, activity, [pause for pause in pauses if pause.length_ms >= 250], response, "phrase")
    fade(waveform, activity, (), response, "whole")
    times["volume"] = time.process_time() - start
    return waveform, times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", type=Path)
    parser.add_argument("--minutes", type=float, default=10.0)
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    samples = repeated(arguments.recording, arguments.minutes * 60)
    print(f"{'encoding':32} {'decode s':>9} {'activity s':>10} {'volume s':>9} {'times real time':>16}")
    with tempfile.TemporaryDirectory() as folder:
        for name, suffix, codec, rate, layout in ENCODINGS:
            path = Path(folder) / f"{codec}-{rate}-{layout}.{suffix}"
            write(samples, path, codec, rate, layout)
            waveform, times = measure(path)
            speed = waveform.duration_ms / 1000 / sum(times.values())
            print(f"{name:32} {times['decode']:9.2f} {times['activity']:10.2f} {times['volume']:9.2f} {speed:16.0f}")


if __name__ == "__main__":
    main()
