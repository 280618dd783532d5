"""Which keywords were said: matched by inflection, never by prefix (M9)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from vivavoce.errors import need
from vivavoce.transcript.words import tokenize, tokenize_words


@lru_cache(maxsize=16_384)
def _forms(key: str) -> frozenset[str]:
    """The word itself and its dictionary form: library for libraries, run for ran; a possessive counts as its owner."""
    try:
        from simplemma import lemmatize
    except ModuleNotFoundError as error:
        raise need("text", "simplemma") from error
    owner = key.removesuffix("'s").removesuffix("'")
    return frozenset({owner, lemmatize(owner, lang="en").casefold()})


def present(keywords: Sequence[str], words: Sequence[str]) -> list[bool]:
    """Say for each keyword whether it was said.

    A word matches where it or its dictionary form is the keyword or the keyword's dictionary form; a keyword of several
    words matches in order and adjacent.

    Parameters: `keywords` as the task has them; `words` the recognised words. Returns: one flag a keyword. Source: M9.
    """
    spoken = [_forms(token.key) for token in tokenize_words(words)]
    found = []
    for keyword in keywords:
        parts = [_forms(token.key) for token in tokenize(keyword)]
        starts = range(len(spoken) - len(parts) + 1) if parts else range(0)
        found.append(any(all(part & spoken[at + i] for i, part in enumerate(parts)) for at in starts))
    return found
