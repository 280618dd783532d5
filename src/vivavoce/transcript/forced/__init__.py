"""Forced alignment: when each of some known words was said (issue 3, point 0).

The words are given, the recording says when: PocketSphinx's acoustic model (US English, in its wheel) scores each 10 ms
frame in each phone, and the likeliest way through the words, with silences and noises allowed between, gives the
times. docs/measurements.md, "Word times", has how far they are off. Nothing here is heavy until a word is aligned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vivavoce.errors import need
from vivavoce.timeline import Word
from vivavoce.transcript.forced.result import (
    ALIGNER,
    NOISE,
    SILENCE,
    VOICE,
    ForcedAlignment,
    ForcedPhone,
    ForcedWord,
)
from vivavoce.transcript.sphinx import is_installed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "ALIGNER",
    "NOISE",
    "SILENCE",
    "VOICE",
    "ForcedAlignment",
    "ForcedPhone",
    "ForcedWord",
    "align_words",
    "is_installed",
]


def align_words(
    samples_16k: NDArray[np.float32],
    words: Sequence[str],
    *,
    hints: Sequence[Word] | None = None,
    judged: bool = True,
) -> ForcedAlignment:
    """Find when each of some known words was said.

    argmax over paths of sum over frames log p(frame | senone) + log transition, words in order, gaps optional.

    Parameters: `samples_16k` mono, -1 to 1, 16 kHz; `words` as written, numbers and punctuation allowed; `hints` the
    same words with a recogniser's times, which may be off by up to 5 s: they narrow the search, and are not needed;
    `judged` False: times and scores alone are wanted, so no `alignment_poor`, for which a second search would be made.
    Returns a ForcedAlignment; nothing that is said or not said raises. Notices: `alignment_failed`, `alignment_poor`,
    `words_not_aligned`, `pronunciation_guessed`.
    Raises MissingError where numpy or pocketsphinx is not installed, ValueError where `hints` are not the words'.
    """
    if hints is not None and len(hints) != len(words):
        raise ValueError(f"{len(hints)} hints for {len(words)} words")
    try:
        from vivavoce.transcript.forced.work import align
    except ModuleNotFoundError as error:
        raise need("recognizer", "numpy") from error
    return align(samples_16k, words, hints, judged=judged)
