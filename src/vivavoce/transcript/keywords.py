"""Which keywords were said: matched by inflection, never by prefix (M9).

Two words are one where some dictionary word has both as forms: saw and see, leaves and leaf, leaves and leave. One
dictionary alone knows too few ambiguous forms (docs/keywords.md), so the forms of two are joined: lemminflect (NIH
SPECIALIST lexicon, all parts of speech) and simplemma. A word that neither has - a made-up name - inflects regularly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from vivavoce.errors import need
from vivavoce.transcript.words import Token, tokenize, tokenize_words

# What a regular ending leaves behind: (ending, what stood there). "-er" is left out, it mostly makes other words.
_ENDINGS = (
    (re.compile(r"(?<=[a-z]{2})ies$"), "y"),
    (re.compile(r"(?:(?<=[sxz])|(?<=[cs]h))es$"), ""),
    (re.compile(r"(?<=[^su])(?<!ic)s$"), ""),
    (re.compile(r"(?<=[a-z]{2})ied$"), "y"),
    (re.compile(r"(?<=[a-z]{2})(?:ed|ing|est)$"), ""),
    (re.compile(r"(?<=[a-z]{2})(?:ed|ing|est)$"), "e"),
    (re.compile(r"(?<=[a-z]{2})(?:ier|iest)$"), "y"),
)
_DOUBLED = re.compile(r"([bdfgklmnprtvz])\1$")
# No piece of a compound: "not able" is not "notable", "a long road" not "along".
_CLOSED_CLASS = (
    "all and any are but can did does don for from had has have her him his how its may nor not now off one our out "
    "own per she some than that the them then there they this too was were what when where which who why will with "
    "without you your"
)
_FUNCTION_WORDS = frozenset(_CLOSED_CLASS.split())
# Both dictionaries have people as a word of its own only.
_SUPPLETIVE = {"people": "person"}
_SHORTEST_PIECE = 3
_MOST_PIECES = 4


def present(keywords: Sequence[str], words: Sequence[str]) -> list[bool]:
    """Say for each keyword whether it was said.

    A word matches where some dictionary word has both it and the keyword as forms; possessives count as their owners.
    A keyword of several words matches in order and adjacent, each inflected or not; a compound also where it is
    written together or apart ("ice cream", "ice-cream", "icecream").

    Parameters: `keywords` as the task has them; `words` the recognised words. Returns: one flag a keyword.
    Raises: MissingError without the packages of the extra `text`. Source: M9; docs/keywords.md.
    """
    spoken = tokenize_words(words)
    return [_said(tokenize(keyword), spoken) for keyword in keywords]


def _said(keyword: Sequence[Token], spoken: Sequence[Token]) -> bool:
    if not keyword:
        return False
    size = len(keyword)
    for window in _windows(spoken, size):
        if all(_forms(part.key) & _forms(word.key) for part, word in zip(keyword, window, strict=True)):
            return True
    wanted = _joined(keyword)
    if not wanted:
        return False
    others = (window for pieces in range(1, _MOST_PIECES + 1) if pieces != size for window in _windows(spoken, pieces))
    return any(wanted & _joined(window) for window in others)


def _windows(spoken: Sequence[Token], size: int) -> Iterator[Sequence[Token]]:
    return (spoken[at : at + size] for at in range(len(spoken) - size + 1))


def _joined(tokens: Sequence[Token]) -> frozenset[str]:
    """Return the forms of the tokens written together; none where they are no pieces of a compound."""
    if len(tokens) > _MOST_PIECES or any(token.number is not None for token in tokens):
        return frozenset()
    keys = [token.key for token in tokens]
    if len(keys) > 1 and any(len(key) < _SHORTEST_PIECE or key in _FUNCTION_WORDS for key in keys):
        return frozenset()
    before = "".join(keys[:-1])
    return _forms(before + keys[-1]) | {before + form for form in _forms(keys[-1])}


@lru_cache(maxsize=16_384)
def _forms(key: str) -> frozenset[str]:
    """Return the word, as owner where it is a possessive, and every dictionary word that it may be a form of."""
    try:
        from lemminflect import getAllLemmas
        from simplemma import is_known, lemmatize
    except ModuleNotFoundError as error:
        raise need("text", error.name or "simplemma") from error
    owner = key.removesuffix("'s").removesuffix("'")
    listed = {lemma for lemmas in getAllLemmas(owner).values() for lemma in lemmas}
    # simplemma takes some adverbs for forms of their adjectives (coarsely): those are other words.
    other = owner if owner.endswith("ly") else lemmatize(owner, lang="en").casefold()
    is_a_lemma = other == owner and is_known(owner, lang="en")
    return frozenset(
        {owner, other, _SUPPLETIVE.get(owner, owner), *listed, *(() if listed or is_a_lemma else _regular_bases(owner))}
    )


def _regular_bases(word: str) -> Iterator[str]:
    """Yield what a word that no dictionary has may be a regular form of: zorble for zorbles and zorbled."""
    for ending, before in _ENDINGS:
        if ending.search(word):
            base = ending.sub(before, word)
            yield base
            if not before and _DOUBLED.search(base):
                yield base[:-1]
