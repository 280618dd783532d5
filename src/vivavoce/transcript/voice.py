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
    run = 0
    for probability in voice:
        run = run + 1 if probability >= VOICE_FROM else 0
        if run == VOICE_FRAMES:
            return True
    return False


def stretches(voice: NDArray[np.float32], duration_ms: int) -> Iterator[Segment]:
    """Yield what to hear: from the first to the last trace of voice, with a margin, cut at the deepest silences."""
    import numpy as np

    traces = np.flatnonzero(voice >= TRACE_FROM)
    start = max(0, int(traces[0]) * FRAME_MS - MARGIN_MS)
    end = min(duration_ms, (int(traces[-1]) + 1) * FRAME_MS + MARGIN_MS)
    smooth = np.convolve(voice, np.ones(9) / 9, "same")
    while end - start > STRETCH_MS:
        low, high = (start + STRETCH_MS // 2) // FRAME_MS, (start + STRETCH_MS) // FRAME_MS
        cut = (low + int(np.argmin(smooth[low:high]))) * FRAME_MS
        yield Segment(start, cut)
        start = cut
    yield Segment(start, end)
