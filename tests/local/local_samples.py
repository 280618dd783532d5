"""Listenings made by hand: no expected value in the tests comes from the listener itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from vivavoce.judging.judge import Brief
from vivavoce.judging.local.listener import Ears
from vivavoce.judging.local.text import SpokenText
from vivavoce.judging.material import Material
from vivavoce.listening.result import Estimate, HeardPhone, HeardWord, Listening
from vivavoce.measurement import measured
from vivavoce.notice import Notice
from vivavoce.rubric.load import published
from vivavoce.submission import Task
from vivavoce.timeline import Word

LISTENER = "local 1 / 0123456789ab"
TEXT = "I think that three boys ran home"


def word(text: str, at: int, accuracy: float | None = 9.0, right: float | None = 0.98, **sounds: float) -> HeardWord:
    """A word of half a second; `sounds` by name with their scores."""
    start = 500 * at
    phones = tuple(
        HeardPhone(name, start + 50 * i, start + 50 * i + 50, s) for i, (name, s) in enumerate(sounds.items())
    )
    return HeardWord(text, start, start + 400, right, accuracy, phones)


def listening(
    accuracy: float = 8.0,
    fluency: float = 8.0,
    *,
    half: float = 0.5,
    words: Sequence[HeardWord] | None = None,
    doubts: Sequence[str] = (),
    **more: Any,
) -> Listening:
    """A listening whose intervals reach `half` to both sides."""
    made = {
        name: Estimate(value, max(0.0, value - half), min(10.0, value + half))
        for name, value in {"accuracy": accuracy, "fluency": fluency}.items()
    }
    heard = tuple(words) if words is not None else tuple(word(text, at) for at, text in enumerate(TEXT.split()))
    notices = tuple(Notice(code, f"found {code}", "do something") for code in doubts)
    return replace(Listening(LISTENER, "reference", made, heard, (), notices), **more)


class Ear:
    """A listener that gives what it was made with (or makes of the words), and counts how often it was asked."""

    def __init__(self, gives: Listening | Exception | Callable[[SpokenText], Listening]) -> None:
        self.gives = gives
        self.asked: list[SpokenText] = []

    def __call__(self, samples: Any, spoken: SpokenText) -> Listening:
        self.asked.append(spoken)
        if isinstance(self.gives, Exception):
            raise self.gives
        return self.gives if isinstance(self.gives, Listening) else self.gives(spoken)


def spoken(text: str = TEXT) -> SpokenText:
    words = tuple(text.split())
    times = tuple(Word(word, 500 * at, 500 * at + 400) for at, word in enumerate(words))
    return SpokenText(words, "reference", words, (False,) * len(words), times)


def brief(
    marker: str,
    ear: Ear,
    *,
    verbatim: bool | None = True,
    counts: Mapping[str, int] | None = None,
    response_s: float = 20.0,
    module: str = "paragraph_reading",
    grade_band: str = "middle",
    language: str | None = None,
    said: str = TEXT,
) -> Brief:
    """A brief on a reading of TEXT; `counts` of false_starts and filled_pauses."""
    rubric = published()
    known = dict(counts or {})
    times = tuple(Word(word, 500 * at, 500 * at + 400) for at, word in enumerate(said.split()))
    found = {
        "response_s": measured("response_s", response_s, "s", "M4"),
        "filled_pauses": measured("filled_pauses", known.get("disruptive_fillers", 0), "count", "M1"),
        "fillers": measured("fillers", 0, "count", "M1"),
    }
    material = Material(
        Task(module, 7, reference=TEXT),
        times,
        (),
        found,
        verbatim,
        restarts=known.get("false_starts", 0),
        ears=Ears(ear, None, language),
        spoken=spoken(said),
    )
    return Brief(rubric, rubric.modules[module], grade_band, marker, material)
