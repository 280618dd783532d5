"""What the local listener says of a recording: estimates on the experts' scale, words, sounds, and why to doubt it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vivavoce.notice import Notice

SCALES = ("accuracy", "fluency", "prosodic", "total")
TextSource = Literal["reference", "recogniser"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value on the experts' scale, 0 to 10, and the interval that holds the experts' median as often as COVERAGE."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class HeardPhone:
    """A sound of a word: ARPAbet name without stress, its times, and its score, 0 (another sound) to 2 (right)."""

    name: str
    start_ms: int
    end_ms: int
    score: float


@dataclass(frozen=True, slots=True)
class HeardWord:
    """A word of the text that was looked for.

    `read_correctly`: probability, 0 to 1, that experts would call the word rightly read; `accuracy`: 0 to 10 as they
    would score how it was said. Both None, with times None, where it could not be aligned (`reason` says why).
    """

    text: str
    start_ms: int | None
    end_ms: int | None
    read_correctly: float | None
    accuracy: float | None
    phones: tuple[HeardPhone, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch that was listened to at once, and what was estimated of it; `words`: first index, one past the last."""

    start_ms: int
    end_ms: int
    words: tuple[int, int]
    values: dict[str, float]


@dataclass(frozen=True, slots=True)
class Listening:
    """What the listener made of a recording.

    `estimates` by scale (SCALES), empty where nothing could be listened to; `doubts` why it should not be trusted
    here: each a named reason (noise, wrong text, another language, music, two speakers, too short); `listener` names
    the model with its version and weights; `text` says what served as text.
    """

    listener: str
    text: TextSource
    estimates: dict[str, Estimate]
    words: tuple[HeardWord, ...]
    parts: tuple[Part, ...] = ()
    doubts: tuple[Notice, ...] = ()
