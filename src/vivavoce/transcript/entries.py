"""Entries of a transcript that hold several words: pace and pauses need one word an entry."""

from __future__ import annotations

from dataclasses import replace

from vivavoce.notice import Notice
from vivavoce.timeline import Transcript, Word


def split_entries(transcript: Transcript) -> Transcript:
    """Return the transcript with one word an entry, and a notice where entries held several.

    The words of an entry share its time by their letters: word i ends at start + length * letters up to i / letters.
    Pauses between them cannot be known, so none is made.
    """
    words: list[Word] = []
    several = 0
    for word in transcript.words:
        parts = _words(word.text)
        several += len(parts) > 1
        words.extend(_shared(word, parts) if len(parts) > 1 else (word,))
    if not several:
        return transcript
    notice = Notice(
        "entries_of_several_words",
        f"{several} entries hold several words, which share the entry's time by their letters",
        "give a transcript with a time for every word: pauses inside such an entry are not seen",
    )
    return replace(transcript, words=tuple(words), warnings=(*transcript.warnings, notice))


def _words(text: str) -> list[str]:
    """The words of an entry; a sign that stands alone stays with the word before it."""
    words: list[str] = []
    for part in text.split():
        if words and not any(char.isalnum() for char in part):
            words[-1] += f" {part}"
        else:
            words.append(part)
    return words


def _shared(word: Word, parts: list[str]) -> list[Word]:
    length, letters = word.end_ms - word.start_ms, sum(map(len, parts))
    shared, start, done = [], word.start_ms, 0
    for part in parts:
        done += len(part)
        end = word.start_ms + length * done // letters
        shared.append(Word(part, start, end, word.confidence))
        start = end
    return shared
