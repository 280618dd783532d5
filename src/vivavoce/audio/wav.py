"""A recording as the file that judges are sent: 16 kHz, mono, 16 bit."""

from __future__ import annotations

import io
import wave

import numpy as np

from vivavoce.audio.waveform import ANALYSIS_RATE, Waveform


def wav_16k(waveform: Waveform) -> bytes:
    """Return the recording as a WAVE file; samples are rounded to 16 bit, half to even, and held at full scale.

    Providers refuse other containers than WAVE and mp3 in `input_audio`.
    """
    pcm = np.clip(np.rint(waveform.samples.astype(np.float64) * 32768), -32768, 32767).astype("<i2")
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(ANALYSIS_RATE)
        file.writeframes(pcm.tobytes())
    return made.getvalue()
