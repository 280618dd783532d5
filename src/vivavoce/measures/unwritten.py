"""Speech that nobody wrote down: words that a recogniser left out, found so that they part the silences around them.

A word alone between two silences, or the words before a first long silence, are what recognisers leave out most. Voice
activity by energy finds that there is sound; whether it is a voice, and not a breath or a chair, says the Silero model
that faster-whisper carries, and that it is the speaker's and not one in the background, its level.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from vivavoce.timeline import Segment
from vivavoce.transcript.voice import FRAME_MS, voice_probabilities

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

IsVoice = Callable[[Segment], bool]

VOICED_FROM = 0.5
UNDER_WORDS_DB = 12.0
"""Both chosen on the tuning recordings of docs/pauses.md: what is a word there has 0.55 and more, and but for two words
lies at most 11 dB under all speech; what is no voice lies 14 dB under it and more, and has 0.68 at most."""


def nobody(_: Segment) -> bool:
    """Say that no sound is a voice: for where nothing is known of it."""
    return False


def voice_in(samples_16k: NDArray[np.float32], speech: tuple[Segment, ...]) -> IsVoice:
    """Return what says whether a stretch of sound is the speaker's voice; asked first, it hears the whole recording.

    max over the stretch of the probability of voice >= VOICED_FROM, and its level, the root mean square, no more than
    UNDER_WORDS_DB under that of all stretches of speech.

    Parameters: `samples_16k` mono, 16,000 samples a second; `speech` the stretches of voice activity.
    Returns a function; without faster-whisper one that always says no. Source: M2; chosen in docs/pauses.md.
    """
    if find_spec("faster_whisper") is None:
        return nobody

    @lru_cache(maxsize=1)
    def heard() -> tuple[NDArray[np.float32], float]:
        return voice_probabilities(samples_16k), _power(samples_16k, speech)

    def is_voice(stretch: Segment) -> bool:
        voice, power = heard()
        around = voice[stretch.start_ms // FRAME_MS : stretch.end_ms // FRAME_MS + 1]
        loud = _power(samples_16k, (stretch,)) >= power * 10 ** (-UNDER_WORDS_DB / 10)
        return loud and bool(around.size and around.max() >= VOICED_FROM)

    return is_voice


def _power(samples: NDArray[np.float32], stretches: tuple[Segment, ...]) -> float:
    import numpy as np

    pieces = [samples[16 * one.start_ms : 16 * one.end_ms].astype(np.float64) for one in stretches]
    count = sum(piece.size for piece in pieces)
    return sum(float(np.square(piece).sum()) for piece in pieces) / count if count else 0.0
