"""What the tests of hearing problems share: a recording heard once, and what keeps it from being scored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from problem_sounds import Samples, write_wave

from vivavoce.measures.recording import Measured, Reading, measure
from vivavoce.notice import Notice
from vivavoce.pipeline import Heard, hear, why_not_scored

Ear = Callable[[Path], Heard]


@pytest.fixture(scope="session")
def ear() -> Ear:
    """Hear a recording with the built-in recogniser, once a session."""
    kept: dict[Path, Heard] = {}

    def once(path: Path) -> Heard:
        if path not in kept:
            kept[path] = hear(path)
        return kept[path]

    return once


@pytest.fixture(scope="session")
def save(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Samples], Path]:
    """Write samples to a file of the session."""
    folder = tmp_path_factory.mktemp("sounds")

    def written(name: str, samples: Samples) -> Path:
        return write_wave(folder / f"{name.replace(':', '').replace(' ', '_')}.wav", samples)

    return written


def measured(heard: Heard, reading: Reading | None = None) -> Measured:
    return measure(heard.waveform, heard.transcript, reading, "phrase", heard.forced)


@pytest.fixture(scope="session")
def refusal() -> Callable[..., Notice | None]:
    """Return why a heard recording is not scored, None where it is; an open task without a text."""

    def why(heard: Heard, text: str | None = None, times: int = 1) -> Notice | None:
        reading = None if text is None else Reading(text, times)
        return why_not_scored(heard, measured(heard, reading), reading)

    return why
