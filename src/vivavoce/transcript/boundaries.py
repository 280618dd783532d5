"""Phrase boundaries restored at the pauses of a transcript without punctuation (M3).

By its words, where there is a language model to ask: at each pause between two words

    z = BIAS + PER_DOUBLING * log2(pause / 250 ms) + PER_LOG_ODDS * [log odds that a sentence ends there, by its words]

and a phrase ends there where z >= 0. By pauses alone, where there is none: from 0.5 s on, as phrases part for loudness
(M7). docs/pauses.md, "Phrase boundaries", has what was measured: on held-out speakers the first takes a third to a half
as many pauses for the wrong kind as the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import log2
from typing import Literal

from vivavoce.timeline import Word
from vivavoce.transcript.hidden_events import sentence_end_log_odds
from vivavoce.transcript.sphinx import is_installed

Method = Literal["restored_by_words", "restored_by_pauses"]

LEAST_MS = 250
LONG_MS = 500
WORDS_PER_BOUNDARY = 40
"""Fewer boundaries than one in so many words are as good as none (chosen): punctuated ones have one in 5 to 17."""

BIAS, PER_DOUBLING, PER_LOG_ODDS = 0.5, 1.0, 0.7
"""A logistic regression gave 0.49, 1.03 and 0.74 on the tuning half of `bench/boundaries.py`."""
CONTEXT = 6
"""Words on either side that the language model is shown; it uses two, and passes over filled pauses."""


def is_unpunctuated(words: int, boundaries: int) -> bool:
    """Return whether a transcript of so many words has as good as no phrase boundaries of its own (M3)."""
    return words > WORDS_PER_BOUNDARY * boundaries


def restore(words: Sequence[Word], english: bool = True) -> tuple[list[bool], Method]:
    """Return after which words a phrase ends, and by which method it was found.

    One entry a word; the last is True, and none is inside running speech.

    Parameters: `words` in order with the times that pauses are taken from (M2a); `english` whether they may be asked of
    a language model of English. Raises MissingError where pocketsphinx's files are not those known here.
    Source: M3; measured in docs/pauses.md.
    """
    by_words = english and is_installed()
    texts = [word.text for word in words]
    ends = [False] * len(words)
    reached = 0
    for index, (word, following) in enumerate(pairwise(words), start=1):
        reached = max(reached, word.end_ms)
        pause_ms = following.start_ms - reached
        if pause_ms < LEAST_MS:
            continue
        before, after = texts[max(0, index - CONTEXT) : index], texts[index : index + CONTEXT]
        ends[index - 1] = log_odds(before, pause_ms, after) >= 0 if by_words else pause_ms >= LONG_MS
    if ends:
        ends[-1] = True
    return ends, "restored_by_words" if by_words else "restored_by_pauses"


def log_odds(before: Sequence[str], pause_ms: int, after: Sequence[str]) -> float:
    """Return z, the log odds that a phrase ends at a pause between the words before it and the words after it."""
    return BIAS + PER_DOUBLING * log2(pause_ms / LEAST_MS) + PER_LOG_ODDS * sentence_end_log_odds(before, after)
