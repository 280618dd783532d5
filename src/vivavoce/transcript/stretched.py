"""Words that take far longer than their letters need: pauses may be hidden in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vivavoce.notice import Notice
from vivavoce.timeline import Word

# Expected length of a word, from its letters; digits are read as words of about four letters.
WORD_MS, LETTER_MS, DIGIT_LETTERS = 60, 70, 4
STRETCHED_MS, STRETCHED_TIMES = 1000, 2.5
_SHOWN = 3


def expected_ms(text: str) -> int:
    """Return how long a word takes at an ordinary pace: 60 ms and 70 ms a letter, a digit counting as four letters."""
    letters = sum(DIGIT_LETTERS if char.isdigit() else 1 for char in text if char.isalnum())
    return WORD_MS + LETTER_MS * letters


def is_stretched(word: Word) -> bool:
    """Return whether a word takes over 1 s and over 2.5 times its expected length: a pause may be hidden in it."""
    length = word.end_ms - word.start_ms
    return length > STRETCHED_MS and length > STRETCHED_TIMES * expected_ms(word.text)


def told_stretched(words: Sequence[Word]) -> Iterable[Notice]:
    """Return the notice of the stretched words, none where there are none."""
    found = [word for word in words if is_stretched(word)]
    if not found:
        return
    shown = ", ".join(
        f"“{word.text}” {(word.end_ms - word.start_ms) / 1000:.2f} s long at {word.start_ms / 1000:.2f} s"
        for word in found[:_SHOWN]
    )
    yield Notice(
        "words_stretched",
        f"{len(found)} of {len(words)} words take over {STRETCHED_MS / 1000:g} s and {STRETCHED_TIMES:g} times their "
        f"expected length, so pauses may be hidden in them: {shown}" + (", ..." if len(found) > _SHOWN else ""),
        "word edges are corrected by the recording where it is given; without it pauses are undercounted",
    )
