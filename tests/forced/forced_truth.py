"""Word times that others published, read from the shared data."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from vivavoce.timeline import Word

LIBRIVOX = "2_audio/pocketsphinx/librivox"
FREE_SPEECH = "2_audio/mfa_corpus/acoustic_corpus.wav"


def sphinx(data: Path) -> dict[Path, list[Word]]:
    """The librivox sentences with the word times of sphinx3_align (frames of 10 ms)."""
    found = {}
    for line in (data / LIBRIVOX / "test-align.matchseg").read_text(encoding="utf-8").splitlines():
        fields = line.split()
        rest = fields[fields.index("L") + 2 :]
        spans = pairwise(int(start) * 10 for start in rest[::4])
        words = [(re.sub(r"\(\d+\)", "", name), span) for name, span in zip(rest[3::4], spans, strict=False)]
        found[data / LIBRIVOX / f"{fields[0]}.wav"] = [Word(n, *span) for n, span in words if not n.startswith("<")]
    return found


def free_speech(data: Path) -> list[Word]:
    """The words tier of MFA's TextGrid (short form)."""
    grid = (data / FREE_SPEECH).with_suffix(".TextGrid")
    lines = [line.strip() for line in grid.read_text(encoding="utf-8").splitlines()]
    first = lines.index('"words"') + 4
    rows = [lines[place : place + 3] for place in range(first, first + 3 * int(lines[first - 1]), 3)]
    return [Word(t.strip('"'), round(float(a) * 1000), round(float(b) * 1000)) for a, b, t in rows if t != '""']
