"""Phrase boundaries restored at the pauses of a transcript without punctuation (M3).

At each pause between two words

    z = BIAS + PER_DOUBLING * log2(pause / 250 ms) + HANGS * [the word before wants another to follow]

and a phrase ends there where z >= 0: from about 0.4 s on, and after "the", "of" or "and" from about 1.4 s on.
PER_DOUBLING is a logistic regression's on half of the punctuated transcripts with their punctuation taken away (it gave
-0.86, 1.13, -0.53); BIAS and HANGS are chosen: that half has only 16 pauses after such words. The rule is rough: on the
other half it takes 39 of 143 pauses for the wrong kind, pause length alone 41 (docs/pauses.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import log2

from vivavoce.timeline import Word

LEAST_MS = 250
WORDS_PER_BOUNDARY = 40
"""Fewer boundaries than one in so many words are as good as none (chosen): punctuated ones have one in 5 to 17."""

BIAS, PER_DOUBLING, HANGS = -0.7, 1.1, -2.0

_HANGING = """
a an the my your our their every and or but because cause if than although since until unless whether as of to
for with at from into onto between i we they he she who i'm we're they're you're it's he's she's i've we've they've
is are was were am be been has have had does did can could will would should may might must very really
um uh er
"""
HANGING = frozenset(_HANGING.split())
"""Words that want another after them: articles, possessives, conjunctions, prepositions, subjects, auxiliaries."""


def is_unpunctuated(words: int, boundaries: int) -> bool:
    """Return whether a transcript of so many words has as good as no phrase boundaries of its own (M3)."""
    return words > WORDS_PER_BOUNDARY * boundaries


def restore(words: Sequence[Word]) -> list[bool]:
    """Return after which words a phrase ends, one entry a word; the last is True, and never inside running speech.

    Parameters: `words` in order with the times that pauses are taken from (M2a).
    Source: M3; measured in docs/pauses.md.
    """
    ends = [False] * len(words)
    reached = 0
    for index, (word, following) in enumerate(pairwise(words)):
        reached = max(reached, word.end_ms)
        pause_ms = following.start_ms - reached
        ends[index] = pause_ms >= LEAST_MS and log_odds(word.text, pause_ms) >= 0
    if ends:
        ends[-1] = True
    return ends


def log_odds(word: str, pause_ms: int) -> float:
    """Return z, the log odds that a phrase ends at the pause after a word."""
    doublings, hangs = features(word, pause_ms)
    return BIAS + PER_DOUBLING * doublings + HANGS * hangs


def features(word: str, pause_ms: int) -> tuple[float, bool]:
    """Return how often the pause doubles 250 ms, and whether the word wants another to follow."""
    plain = text_of(word)
    return log2(pause_ms / LEAST_MS), plain in HANGING


def text_of(word: str) -> str:
    """Return a word as it stands in the list: lower case, a straight apostrophe, nothing around it."""
    return word.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").strip('.,;:?!"()[]- ')
