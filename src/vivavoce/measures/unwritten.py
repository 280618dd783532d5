"""Speech that nobody wrote down: words that a recogniser left out, found so that they part the silences around them.

A word alone between two silences, or the words before a first long silence, are what recognisers leave out most. Voice
activity by energy finds that there is sound; whether it is a voice, and not a breath or a chair, says the Silero model
that faster-whisper carries, and that it is the speaker's and not one in the background, its level.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from vivavoce.timeline import Segment
from vivavoce.transcript.voice import FRAME_MS, VOICE_FRAME, voice_probabilities

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

IsVoice = Callable[[Segment], bool]

VOICED_FROM = 0.5
UNDER_WORDS_DB = 12.0
"""Both chosen on the tuning recordings of docs/pauses.md: what is a word there has 0.55 and more, and but for two words
lies at most 11 dB under all speech; what is no voice lies 14 dB under it and more, and has 0.68 at most."""

LEAD_FRAMES = 94
"""The model hears so many frames (3 s) before a stretch, to take in the voice and the room (chosen)."""


def nobody(_: Segment) -> bool:
    """Say that no sound is a voice: for where nothing is known of it."""
    return False


def voice_in(samples_16k: NDArray[np.float32], speech: tuple[Segment, ...]) -> IsVoice:
    """Return what says whether a stretch of sound is the speaker's voice; it hears that and the 3 s before.

    max over the stretch of the probability of voice >= VOICED_FROM, and its level, the root mean square, no more than
    UNDER_WORDS_DB under that of all stretches of speech.

    Parameters: `samples_16k` mono, 16,000 samples a second; `speech` the stretches of voice activity.
    Returns a function; without faster-whisper one that always says no. Source: M2; chosen in docs/pauses.md.
    """
    if find_spec("faster_whisper") is None:
        return nobody

    @lru_cache(maxsize=1)
    def loud_power() -> float:
        return _power(samples_16k, speech) * 10 ** (-UNDER_WORDS_DB / 10)

    @cache
    def is_voice(stretch: Segment) -> bool:
        if _power(samples_16k, (stretch,)) < loud_power():
            return False
        first, last = stretch.start_ms // FRAME_MS, stretch.end_ms // FRAME_MS + 1
        start = max(0, first - LEAD_FRAMES)
        voice = voice_probabilities(samples_16k[start * VOICE_FRAME : last * VOICE_FRAME])[first - start :]
        return bool(voice.size and voice.max() >= VOICED_FROM)

    return is_voice


def _power(samples: NDArray[np.float32], stretches: tuple[Segment, ...]) -> float:
    import numpy as np

    pieces = [samples[16 * one.start_ms : 16 * one.end_ms].astype(np.float64) for one in stretches]
    count = sum(piece.size for piece in pieces)
    return sum(float(np.square(piece).sum()) for piece in pieces) / count if count else 0.0
