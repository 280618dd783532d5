"""Words, pauses and stretches of time, in whole milliseconds (M1: gaps are compared as whole numbers)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from vivavoce.notice import Notice

PauseKind = Literal["phrase", "choppy", "hesitation"]


def to_ms(seconds: float | Decimal) -> int:
    """Return seconds as whole milliseconds, half up."""
    return int((Decimal(str(seconds)) * 1000).to_integral_value(rounding=ROUND_HALF_UP))


@dataclass(frozen=True, slots=True)
class Word:
    """One spoken word as it was heard: text, start and end in milliseconds, confidence 0-1 where known."""

    text: str
    start_ms: int
    end_ms: int
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of time, start and end in milliseconds."""

    start_ms: int
    end_ms: int

    @property
    def length_ms(self) -> int:
        """End less start, in milliseconds."""
        return self.end_ms - self.start_ms


@dataclass(frozen=True, slots=True)
class Pause:
    """A silence between two words (M2): `phrase` at a boundary, `choppy` inside a phrase, `hesitation` from 1.2 s."""

    start_ms: int
    end_ms: int
    kind: PauseKind

    @property
    def length_ms(self) -> int:
        """End less start, in milliseconds."""
        return self.end_ms - self.start_ms


@dataclass(frozen=True, slots=True)
class Transcript:
    """The words of a recording with their times, and what is known of how they were heard.

    `verbatim`: whether fillers and restarts were kept (None: not known). `language`: BCP 47 code or None.
    `recognizer`: name and version of what heard them, or "file". `warnings`: what was noticed or mended.
    """

    words: tuple[Word, ...]
    verbatim: bool | None = None
    language: str | None = None
    recognizer: str = "file"
    warnings: tuple[Notice, ...] = ()
