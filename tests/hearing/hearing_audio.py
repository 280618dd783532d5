"""Recordings made for the hearing tests."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def put_silence(samples: NDArray[np.float32], at_ms: int, silence: NDArray[np.float32], path: Path) -> None:
    """Write mono 16 kHz samples with a silence put in at a place, as 16-bit WAV."""
    joined = np.concatenate([samples[: at_ms * 16], silence, samples[at_ms * 16 :]])
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes((joined * 32767).astype("<i2").tobytes())
