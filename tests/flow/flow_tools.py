"""Small recordings made for the tests, and the command line run in this process."""

from __future__ import annotations

import contextlib
import io
import json
import math
import random
import struct
import wave
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vivavoce.cli.main import main

RATE = 16_000


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(*arguments: object) -> Done:
    """Run the command with standard output and error kept."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    return Done(code, out.getvalue(), err.getvalue())


def write_wave(path: Path, samples: list[float], rate: int = RATE) -> Path:
    """Write mono 16-bit samples of -1 to 1."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(b"".join(struct.pack("<h", round(32767 * max(-1.0, min(1.0, s)))) for s in samples))
    return path


def write_float(path: Path, samples: list[float], rate: int = RATE) -> Path:
    """Write mono samples as 32-bit floating point."""
    data = struct.pack(f"<{len(samples)}f", *samples)
    head = struct.pack(
        "<4sI4s4sIHHIIHH4sI",
        b"RIFF",
        36 + len(data),
        b"WAVE",
        b"fmt ",
        16,
        3,
        1,
        rate,
        4 * rate,
        4,
        32,
        b"data",
        len(data),
    )
    path.write_bytes(head + data)
    return path


def silence(seconds: float) -> list[float]:
    return [0.0] * round(seconds * RATE)


def noise(seconds: float, seed: int = 1) -> list[float]:
    source = random.Random(seed)
    return [0.05 * source.gauss(0, 1) for _ in range(round(seconds * RATE))]


def tone(seconds: float, hertz: float = 440.0) -> list[float]:
    return [0.3 * math.sin(2 * math.pi * hertz * n / RATE) for n in range(round(seconds * RATE))]


def read_wave(path: Path) -> list[float]:
    """Read a mono 16-bit file."""
    with wave.open(str(path), "rb") as file:
        raw = file.readframes(file.getnframes())
    return [value[0] / 32768 for value in struct.iter_unpack("<h", raw)]


def words_file(path: Path, words: list[tuple[str, float, float]], **more: Any) -> Path:
    """Write a transcript file of (text, start, end) in seconds."""
    listed = [{"text": text, "start": start, "end": end} for text, start, end in words]
    path.write_text(json.dumps({"words": listed, **more}), encoding="utf-8")
    return path
