"""Where there is a voice: the Silero model that faster-whisper carries, asked every 32 ms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vivavoce.errors import need
from vivavoce.timeline import Segment

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RATE = 16_000
VOICE_FRAME = 512
FRAME_MS = VOICE_FRAME * 1000 // RATE
# A frame is voice from 0.5 on (the model's own default). White noise reaches it for two frames, speech for 8 and more.
VOICE_FROM = 0.5
VOICE_FRAMES = 3
# To drop a word the bar is lower: a word that fades to a whisper after voice stays.
TRACE_FROM = 0.2
# A whisper has no voice but a trace of one: 6 and 18 frames at 0.1 in a row, sounds without speech 4 at the most.
FAINT_FROM = 0.1
FAINT_FRAMES = 5
# Speech swells fast and dies away slowly: 2,180 learners' clips have -0.64 and more, 94 % of them backwards less.
BACKWARDS = -0.7
STEP = RATE // 200
BELOW_PEAK_DB = 40
# Long recordings are heard in stretches cut at silences, so that memory does not grow with them.
STRETCH_MS = 300_000
# Whisper's window: silence around the speech is cut away outside of it, since it writes text into silence.
MARGIN_MS = 500


def voice_probabilities(samples_16k: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the probability of voice in each 32 ms, as the Silero model sees it.

    Parameters: `samples_16k` mono, 16,000 samples a second, full scale 1.
    Raises MissingError `extra_missing` without faster-whisper.
    """
    import numpy as np

    try:
        from faster_whisper.vad import get_vad_model
    except ModuleNotFoundError as error:
        raise need("recognizer", error.name or "faster_whisper") from error
    padded = np.pad(samples_16k, (0, VOICE_FRAME - len(samples_16k) % VOICE_FRAME)).astype(np.float32)
    probabilities: NDArray[np.float32] = get_vad_model()(padded).reshape(-1)
    return probabilities


def has_voice(voice: NDArray[np.float32]) -> bool:
    """Return whether there is voice in some consecutive frames, so that a click or a burst of noise is none."""
    return _longest(voice, VOICE_FROM) >= VOICE_FRAMES


def has_trace(voice: NDArray[np.float32]) -> bool:
    """Return whether there is at least what the model sees of a whisper."""
    return _longest(voice, FAINT_FROM) >= FAINT_FRAMES


def _longest(voice: NDArray[np.float32], least: float) -> int:
    longest = run = 0
    for probability in voice:
        run = run + 1 if probability >= least else 0
        longest = max(longest, run)
    return longest


def rise_skewness(samples_16k: NDArray[np.float32]) -> float:
    """Return how much faster a recording's level rises than it falls: over 0 in speech, under 0 played backwards.

    mean(d^3) / mean(d^2)^1.5, d the change of level (dB, 20 ms Hann, not under 40 dB below the highest) over 20 ms.
    Parameters: `samples_16k` mono, 16 kHz. Returns 0 where the level never changes.
    Measured in docs/evidence/not-scored.md.
    """
    import numpy as np

    whole = samples_16k[: len(samples_16k) // STEP * STEP].astype(np.float64).reshape(-1, STEP)
    if len(whole) <= 8:
        return 0.0
    window = np.hanning(6)[1:-1]
    level = 10 * np.log10(np.convolve((whole**2).mean(1), window / window.sum(), "valid") + 1e-9)
    level = np.maximum(level, level.max() - BELOW_PEAK_DB)
    change = level[4:] - level[:-4]
    spread = float((change**2).mean())
    return float((change**3).mean()) / spread**1.5 if spread > 0 else 0.0


def stretches(voice: NDArray[np.float32], duration_ms: int, trace: float = TRACE_FROM) -> Iterator[Segment]:
    """Yield what to hear: from the first to the last trace of voice, with a margin, cut at the deepest silences."""
    import numpy as np

    traces = np.flatnonzero(voice >= trace)
    start = max(0, int(traces[0]) * FRAME_MS - MARGIN_MS)
    end = min(duration_ms, (int(traces[-1]) + 1) * FRAME_MS + MARGIN_MS)
    smooth = np.convolve(voice, np.ones(9) / 9, "same")
    while end - start > STRETCH_MS:
        low, high = (start + STRETCH_MS // 2) // FRAME_MS, (start + STRETCH_MS) // FRAME_MS
        cut = (low + int(np.argmin(smooth[low:high]))) * FRAME_MS
        yield Segment(start, cut)
        start = cut
    yield Segment(start, end)
