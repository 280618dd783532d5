"""What a forced alignment is: words and phones with their times and scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vivavoce.notice import Notice

Source = Literal["dictionary", "parts", "letters", "none"]
SILENCE, NOISE, VOICE = "SIL", "+NSN+", "+SPN+"
ALIGNER = "pocketsphinx 5.1 en-us, own search"


@dataclass(frozen=True, slots=True)
class ForcedPhone:
    """A phone of a word: name, times, and its score (see `ForcedWord`)."""

    name: str
    start_ms: int
    end_ms: int
    score: float


@dataclass(frozen=True, slots=True)
class ForcedWord:
    """A word with the times that were found, or None with the reason.

    `score`: log likelihood of its frames over that of the best phone without context, mean over frames: about 0 where
    the word was said, -3 and less where something else was. `pronunciation`: dictionary, parts, letters or none.
    """

    text: str
    start_ms: int | None
    end_ms: int | None
    score: float | None
    pronunciation: Source
    phones: tuple[ForcedPhone, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ForcedAlignment:
    """The words in their order, the mean score over their frames (None: nothing aligned), and what was noticed.

    `between`: what is heard before, between and after the words, in order: SILENCE, NOISE (breaths, clicks), or
    VOICE, which are words that are not in the text, often a filled pause.
    """

    words: tuple[ForcedWord, ...]
    score: float | None
    notices: tuple[Notice, ...] = ()
    between: tuple[ForcedPhone, ...] = ()

    @property
    def aligned(self) -> bool:
        """Whether any word has times."""
        return any(word.start_ms is not None for word in self.words)
