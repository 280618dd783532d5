"""A recogniser that goes round in circles: the same words again and again, faster than anyone can say them.

Who repeats a sentence takes time for each word; a recogniser in a loop has none to give. A text that is to be
repeated, as a tongue twister is, is no loop: `said_on_purpose` asks the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vivavoce.notice import Notice
from vivavoce.timeline import Word

LOOP_WORDS = 12
LOOP_TIMES = 3
TIMELESS_MS = 40
FASTEST_PER_S = 8.0
"""More words a second than this, over three repetitions and more, were not said (chosen): readers reach 4-5."""


@dataclass(frozen=True, slots=True)
class Loop:
    """Words that stand several times in a row: index of the first, words a round, and all of them in order."""

    first: int
    unit: int
    words: tuple[Word, ...]

    @property
    def rounds(self) -> int:
        """How many whole rounds there are."""
        return len(self.words) // self.unit

    def notice(self) -> Notice:
        """Return the loop as a notice."""
        return Notice(
            "recognizer_loop",
            f"“{' '.join(word.text for word in self.words[: self.unit])}” stands {self.rounds} times in a row from "
            f"{self.words[0].start_ms / 1000:.2f} s, faster than it can be said: the recogniser may be in a loop",
            "listen there; give a transcript if it was not said so",
        )


def find_loop(words: Sequence[Word]) -> Loop | None:
    """Return the first loop: up to 12 words, three times or more in a row, without the time to be said.

    Without time: a third of the words are under 40 ms, or there are more than 8 a second.
    Parameters: `words` in order, with times. Source: issue 3, point 7; docs/evidence/not-scored.md.
    """
    plain = _normal(word.text for word in words)
    for start in range(len(words)):
        for unit in range(1, LOOP_WORDS + 1):
            length = unit
            while plain[start + length : start + length + unit] == plain[start : start + unit]:
                length += unit
            if length >= LOOP_TIMES * unit and not _had_time(words[start : start + length]):
                return Loop(start, unit, tuple(words[start : start + length]))
    return None


def _had_time(words: Sequence[Word]) -> bool:
    timeless = sum(word.end_ms - word.start_ms < TIMELESS_MS for word in words)
    seconds = (words[-1].end_ms - words[0].start_ms) / 1000
    return 3 * timeless < len(words) and len(words) <= FASTEST_PER_S * seconds


def said_on_purpose(loop: Loop, reference: Sequence[str]) -> bool:
    """Return whether the reference has the same words as many times in a row (a tongue twister, a refrain).

    Parameters: `reference` the words of the text that was to be read, as often as it is to be read (L5).
    """
    wanted, text = _normal(word.text for word in loop.words), _normal(reference)
    return any(text[start : start + len(wanted)] == wanted for start in range(len(text) - len(wanted) + 1))


def _normal(texts: Iterable[str]) -> list[str]:
    return [text.strip(".,;:?!-").lower() for text in texts]
