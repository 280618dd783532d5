"""Words that a recogniser wrote where nobody spoke: dropped, and listed so that a person can listen there.

Whisper writes "You" into silence and "Thank you for watching" into music. Two signs are enough each: no trace of
voice near the word, or a run of words of which the recogniser itself believes almost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import TYPE_CHECKING

from vivavoce.notice import Notice
from vivavoce.timeline import Word
from vivavoce.transcript.voice import FRAME_MS, TRACE_FROM

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Word starts of tiny.en are off by 140 ms in the median.
REACH_MS = 300
RUN_GAP_MS = 500
"""Words parted by less are one run."""
LEAST_BELIEF = 0.05
"""A run of less mean confidence is invented (chosen): real runs reach down to 0.12, "you" on a melody has 0.01."""
SHOWN = 5


def drop_invented(
    heard: Sequence[Word], voice: NDArray[np.float32], trace: float = TRACE_FROM
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return the words that were said and those that were invented, each in order.

    Parameters: `heard` with times and confidences; `voice` from `voice_probabilities`; `trace` the probability of voice
    that is to be near a word. Source: issue 3, point 7.
    """
    kept: list[Word] = []
    dropped: list[Word] = []
    for run in runs(heard):
        believed = belief(run)
        doubtful = believed is not None and believed < LEAST_BELIEF
        for word in run:
            (dropped if doubtful or not _near_voice(word, voice, trace) else kept).append(word)
    return tuple(kept), tuple(dropped)


def runs(words: Sequence[Word]) -> list[list[Word]]:
    """Return the words in runs parted by 0.5 s and more."""
    found: list[list[Word]] = []
    for word in words:
        if found and word.start_ms - found[-1][-1].end_ms < RUN_GAP_MS:
            found[-1].append(word)
        else:
            found.append([word])
    return found


def belief(words: Sequence[Word]) -> float | None:
    """Return the geometric mean of the words' confidences, 0-1; None where the transcript has none for some."""
    known = [word.confidence for word in words if word.confidence is not None]
    if not known or len(known) < len(words):
        return None
    return exp(sum(log(max(value, 1e-3)) for value in known) / len(known))


def _near_voice(word: Word, voice: NDArray[np.float32], trace: float) -> bool:
    around = voice[max(0, word.start_ms - REACH_MS) // FRAME_MS : (word.end_ms + REACH_MS) // FRAME_MS + 1]
    return bool(around.size and around.max() >= trace)


def dropped_notice(words: Sequence[Word]) -> Notice | None:
    """Return the notice that lists invented words, None where there are none."""
    if not words:
        return None
    return Notice(
        "words_without_speech",
        f"the recogniser wrote {len(words)} words where nobody speaks; they were dropped: {listed(words)}",
        "listen there; give a transcript if something was said",
    )


def listed(words: Sequence[Word]) -> str:
    """Return the first words with their times, in quotation marks."""
    shown = ", ".join(f"“{word.text}” at {word.start_ms / 1000:.2f} s" for word in words[:SHOWN])
    return shown + (", ..." if len(words) > SHOWN else "")
