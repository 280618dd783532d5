"""A sample of a format: its text, and what its documentation says that it means."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sample:
    """A file, and what its documentation says that it means."""

    kind: str
    content: str
    words: list[tuple[str, int, int]]
    language: str | None = None
    verbatim: bool | None = None
    codes: tuple[str, ...] = ()


def as_json(kind: str, data: Any, words: list[tuple[str, int, int]], *args: Any) -> Sample:
    return Sample(kind, json.dumps(data), words, *args)


PLAIN = [("Hello,", 100, 500), ("world.", 520, 900), ("It", 1000, 1100), ("is", 1100, 1250), ("5.", 1300, 1700)]
SECONDS = [(text, start / 1000, end / 1000) for text, start, end in PLAIN]
BARE = [("hello", 0.1, 0.5), ("world", 0.52, 0.9), ("it", 1.0, 1.1), ("is", 1.1, 1.25), ("five", 1.3, 1.7)]
PROSE = "Hello, world. It is 5."


def as_words(text: str, items: list[tuple[str, float, float]] = SECONDS, **more: Any) -> list[dict[str, Any]]:
    return [{text: said, "start": start, "end": end, **more} for said, start, end in items]
