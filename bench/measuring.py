"""The measuring pass without recognition: decode, forced alignment, and all measures of a recording, against real time.

    python bench/measuring.py RECORDING [--minutes 10] [--batch 20]

The recording is heard once by the recogniser, which is not counted. It is repeated up to the length wanted, its words
too, written in each encoding and measured from the file in a process of its own, on one core and one thread, which says
how much memory it had at most (resident). Then one process measures the first file as often as `--batch` says, and
tells its memory after each. Aim: 100 times faster than real time, under 600 MB, and no growth in a batch.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import av
import numpy as np

from vivavoce.audio.waveform import Waveform, decode
from vivavoce.measures import recording
from vivavoce.pipeline import force
from vivavoce.timeline import Transcript, Word
from vivavoce.transcript.recognizer import transcribe
from vivavoce.transcript.weights import find_weights

ENCODINGS = (
    ("wav, 44.1 kHz stereo", "wav", "pcm_s16le", 44_100, "stereo"),
    ("wav, 16 kHz mono", "wav", "pcm_s16le", 16_000, "mono"),
    ("flac, 44.1 kHz stereo", "flac", "flac", 44_100, "stereo"),
    ("mp3, 44.1 kHz stereo", "mp3", "libmp3lame", 44_100, "stereo"),
    ("m4a (aac), 44.1 kHz stereo", "m4a", "aac", 44_100, "stereo"),
    ("ogg (opus), 48 kHz stereo", "ogg", "libopus", 48_000, "stereo"),
    ("webm (opus), 48 kHz mono", "webm", "libopus", 48_000, "mono"),
)


STEPS = ("decode", "forced", "measures")


def repeated(path: Path, seconds: float) -> tuple[np.ndarray, Transcript]:
    """The recording's samples at 16 kHz and the words heard in it, repeated up to that length."""
    samples = decode(path).samples
    heard = transcribe(samples, weights=find_weights())
    period_ms, length_ms = samples.size // 16, round(seconds * 1000)
    words = [
        replace(word, start_ms=word.start_ms + at, end_ms=word.end_ms + at)
        for at in range(0, length_ms, period_ms)
        for word in heard.words
        if word.end_ms + at <= length_ms
    ]
    return np.resize(samples, length_ms * 16), replace(heard, words=tuple(words), warnings=())


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


def measure(path: Path, transcript: Transcript) -> tuple[Waveform, dict[str, float]]:
    """CPU seconds of each step of the pass."""
    marks = [time.process_time()]
    waveform = decode(path)
    marks.append(time.process_time())
    forced = force(waveform, transcript)
    marks.append(time.process_time())
    recording.measure(waveform, transcript, forced=forced)
    marks.append(time.process_time())
    return waveform, {step: end - start for step, (start, end) in zip(STEPS, pairwise(marks), strict=True)}


def most_mb() -> float:
    """The most memory the process has had so far, resident, in MB (Linux counts in KiB, macOS in bytes)."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most * 1024 / 1e6


def now_mb() -> float:
    """The memory the process has now, resident, in MB; the most it had where the system does not say."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return most_mb()
    return int(statm.read_text().split()[1]) * resource.getpagesize() / 1e6


def inside(path: Path, times: int, words: Path) -> None:
    """Measure a file that often and print a JSON line each time."""
    rows = json.loads(words.read_text(encoding="utf-8"))
    transcript = Transcript(tuple(Word(*row) for row in rows), None, "en", "bench")
    for _ in range(times):
        waveform, spent = measure(path, transcript)
        seconds = waveform.duration_ms / 1000
        del waveform
        print(json.dumps({**spent, "seconds": seconds, "most_mb": most_mb(), "now_mb": now_mb()}), flush=True)


def apart(path: Path, words: Path, times: int = 1) -> list[dict[str, float]]:
    """Do `inside` in a new process with one thread."""
    command = [sys.executable, __file__, str(path), "--inside", str(times), "--words", str(words)]
    single = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    lines = subprocess.run(command, check=True, capture_output=True, text=True, env=single).stdout.splitlines()
    return [json.loads(line) for line in lines]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", type=Path)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--batch", type=int, default=20)
    parser.add_argument("--inside", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--words", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if arguments.inside:
        inside(arguments.recording, arguments.inside, arguments.words)
        return
    samples, transcript = repeated(arguments.recording, arguments.minutes * 60)
    print(f"{'encoding':32}" + "".join(f"{step + ' s':>13}" for step in STEPS) + f"{'x real time':>13}{'most MB':>10}")
    with tempfile.TemporaryDirectory() as folder:
        words = Path(folder) / "words.json"
        words.write_text(json.dumps([[word.text, word.start_ms, word.end_ms] for word in transcript.words]))
        for name, suffix, codec, rate, layout in ENCODINGS:
            path = Path(folder) / f"{codec}-{rate}-{layout}.{suffix}"
            write(samples, path, codec, rate, layout)
            (found,) = apart(path, words)
            speed = found["seconds"] / sum(found[step] for step in STEPS)
            row = "".join(f"{found[step]:13.2f}" for step in STEPS)
            print(f"{name:32}{row}{speed:13.0f}{found['most_mb']:10.0f}", flush=True)
        first = next(Path(folder).glob("pcm_s16le-44100*"))
        batch = apart(first, words, arguments.batch)
    print("a batch, MB after each file:", " ".join(f"{found['now_mb']:.0f}" for found in batch))
    print("the most so far:            ", " ".join(f"{found['most_mb']:.0f}" for found in batch))


if __name__ == "__main__":
    main()
