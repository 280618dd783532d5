"""Punctuation and case from the running text, for services whose timed words are bare (M3 needs the punctuation)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vivavoce.transcript.times import Heard

# How far ahead a word is looked for in the text.
REACH = 12


def dress(words: Sequence[Heard], prose: str) -> list[Heard]:
    """Return the words as the running text writes them; where it writes others (numbers), only its punctuation.

    A word takes the form of the equal word of the text (case and punctuation apart) that comes next, or of a later one
    within reach where the word after is equal too; punctuation after words of the text that were skipped goes to the
    last of the words that have no equal there.
    """
    shown = prose.split()
    plain = [_plain(item) for item in shown]
    keys = [_plain(word.text) for word in words]
    dressed = list(words)
    reached, bare = 0, False
    for index, word in enumerate(words):
        found = _find(plain, reached, keys[index : index + 2])
        if found is None:
            bare = True
            continue
        if bare and found > reached:
            _close(dressed, index - 1, shown[found - 1])
        dressed[index] = replace(word, text=shown[found])
        reached, bare = found + 1, False
    if bare and len(shown) > reached:
        _close(dressed, len(dressed) - 1, shown[-1])
    return dressed


def _find(plain: Sequence[str], reached: int, keys: Sequence[str]) -> int | None:
    """Return where the first key stands in the text: next, or later with the second key after it."""
    if not keys[0]:
        return None
    for at in range(reached, min(reached + REACH, len(plain))):
        if plain[at] == keys[0] and (at == reached or list(plain[at + 1 : at + 2]) == list(keys[1:])):
            return at
    return None


def _close(words: list[Heard], index: int, shown: str) -> None:
    """Put the punctuation that ends a piece of text behind a word."""
    ending = _ending(shown)
    if ending and index >= 0 and not _ending(words[index].text):
        words[index] = replace(words[index], text=words[index].text + ending)


def _ending(text: str) -> str:
    """Return the punctuation at the end of a piece of text."""
    at = len(text)
    while at and not text[at - 1].isalnum():
        at -= 1
    return text[at:]


def _plain(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
