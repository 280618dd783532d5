"""How well silences put into real readings are found again (M2a); the numbers of docs/evidence/word-times.md.

    python bench/word_edges.py SHARED [--recognizer]

SHARED holds `data`. Words: the readings' own alignments (six recordings, 123 places between two words), stretched
over the silence in four ways; with --recognizer also what tiny.en hears (every fifth place). Silences of 0.4 to 3 s,
digital, or the recording's own quietest stretch outside its words forwards and backwards in turn. "Marked" is the
silence put in and the gap that the alignment has there; "heard" the silence put in and the one that voice activity
hears there in the untouched recording: the closure of a stop, a pause that the alignment overlooks.
"""

from __future__ import annotations

import argparse
import tempfile
import wave
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import Waveform, decode
from vivavoce.measures.edges import correct_edges
from vivavoce.timeline import Segment, Word
from vivavoce.transcript.recognizer import transcribe
from vivavoce.transcript.weights import find_weights

LENGTHS = (400, 700, 1000, 1500, 2200, 3000)
TONES_MS, GUARD_MS = (250, 150), 20
LEVELS = {tone: np.arange(0, tone * 16, 160) for tone in TONES_MS}
WHAT = ("tried", "found", "within 60 ms of marked", "of heard")
Times = list[tuple[int, int]]
Samples = NDArray[np.float32]


def readings(folder: Path) -> dict[Path, Times]:
    """Word times in milliseconds of each recording."""
    found: dict[Path, Times] = {}
    librivox = folder / "pocketsphinx" / "librivox"
    for line in (librivox / "test-align.matchseg").read_text(encoding="utf-8").splitlines():
        fields = line.split()
        rest = fields[fields.index("L") + 2 :]
        starts = [int(start) * 10 for start in rest[::4]]
        named = zip(pairwise(starts), rest[3::4], strict=True)
        found[librivox / f"{fields[0]}.wav"] = [span for span, name in named if not name.startswith("<")]
    grid = folder / "mfa_corpus" / "acoustic_corpus.TextGrid"
    lines = [line.strip() for line in grid.read_text(encoding="utf-8").splitlines()]
    first = lines.index('"words"') + 4
    rows = [lines[place : place + 3] for place in range(first, first + 3 * int(lines[first - 1]), 3)]
    found[grid.with_suffix(".wav")] = [
        (round(float(start) * 1000), round(float(end) * 1000)) for start, end, text in rows if text != '""'
    ]
    return found


def room_tone(samples: Samples, times: Times, count: int) -> Samples:
    """The recording's own quietest 0.25 s between, before and after its words, forwards and backwards in turn.

    Where no gap is that long: the quietest 0.15 s. GUARD_MS beside a word is no gap, since words' edges are not exact.
    """
    edges = [0, *(edge for start, end in times for edge in (start - GUARD_MS, end + GUARD_MS)), len(samples) // 16]
    gaps = [(edges[place], edges[place + 1]) for place in range(0, len(edges), 2)]
    length_ms = max((tone for tone in TONES_MS if any(end - start >= tone for start, end in gaps)), default=0)
    places = [at for start, end in gaps for at in range(max(0, start), end - length_ms + 1, 10)]
    power = samples.astype(np.float64) ** 2
    loudest = [np.add.reduceat(power[at * 16 : (at + length_ms) * 16], LEVELS[length_ms]).max() for at in places]
    place = places[int(np.argmin(loudest))] * 16
    quiet = samples[place : place + length_ms * 16]
    return np.resize(np.concatenate([quiet, quiet[::-1]]), count)


def joined(samples: Samples, at_ms: int, silence: Samples) -> Waveform:
    """The recording with the silence put in."""
    parts = np.concatenate([samples[: at_ms * 16], silence, samples[at_ms * 16 :]])
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        with wave.open(file.name, "wb") as sink:
            sink.setparams((1, 2, 16_000, 0, "NONE", ""))
            sink.writeframes((parts * 32767).astype("<i2").tobytes())
        return decode(Path(file.name))


def silence_at(speech: Sequence[Segment], place_ms: int) -> int:
    """The length of the silence that is heard at the place before anything is put in; 0 where there is sound."""
    if any(stretch.start_ms < place_ms < stretch.end_ms for stretch in speech):
        return 0
    before = max((stretch.end_ms for stretch in speech if stretch.end_ms <= place_ms), default=place_ms)
    return min((stretch.start_ms for stretch in speech if stretch.start_ms >= place_ms), default=place_ms) - before


def gap_at(words: tuple[Word, ...], place_ms: float) -> int | None:
    """The length of the gap of 250 ms or more that covers the place, or None."""
    gaps = ((before.end_ms, after.start_ms) for before, after in pairwise(words))
    return next((end - start for start, end in gaps if start < place_ms < end and end - start >= 250), None)


def stretched(times: Times, index: int, length: int) -> dict[str, list[Word]]:
    """The words after the silence was put in behind word `index`, exact and stretched over it."""
    later = [(start + length, end + length) for start, end in times[index + 1 :]]
    left, right = times[index], later[0]
    middle = (left[1] + right[0]) // 2
    ways = {
        "exact": (left[1], right[0]),
        "word before stretched": (right[0], right[0]),
        "word after stretched": (left[1], left[1]),
        "both stretched": (middle, middle),
    }
    return {
        way: [Word("w", *span) for span in [*times[:index], (left[0], edges[0]), (edges[1], right[1]), *later[1:]]]
        for way, edges in ways.items()
    }


def main() -> None:
    """Put silences in, find them again, print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--recognizer", action="store_true")
    arguments = parser.parse_args()
    counts: Counter[tuple[str, str, str]] = Counter()

    def note(kind: str, way: str, gap: int | None, marked: int, own: int) -> None:
        counts[kind, way, "tried"] += 1
        counts[kind, way, "found"] += gap is not None
        counts[kind, way, "within 60 ms of marked"] += gap is not None and abs(gap - marked) <= 60
        counts[kind, way, "of heard"] += gap is not None and abs(gap - own) <= 60

    for path, times in readings(arguments.shared / "data" / "2_audio").items():
        original = decode(path)
        samples, untouched = original.samples, detect(original).segments()
        for index, ((_, end), (start, _)) in enumerate(pairwise(times)):
            length, at = LENGTHS[index % len(LENGTHS)], (end + start) // 2
            for kind in ("digital", "room"):
                silence = (
                    np.zeros(length * 16, np.float32) if kind == "digital" else room_tone(samples, times, length * 16)
                )
                recording = joined(samples, at, silence)
                speech = detect(recording).segments()
                lengths, middle = (length + start - end, length + silence_at(untouched, at)), at + length / 2
                for way, words in stretched(times, index, length).items():
                    after = correct_edges(words, speech, recording.duration_ms).words
                    note(kind, way, gap_at(after, middle), *lengths)
                if arguments.recognizer and index % 5 == 2:
                    heard = transcribe(recording.samples, weights=find_weights()).words
                    note(kind, "tiny.en as heard", gap_at(heard, middle), *lengths)
                    after = correct_edges(heard, speech, recording.duration_ms).words
                    note(kind, "tiny.en corrected", gap_at(after, middle), *lengths)
    for kind, way in sorted({key[:2] for key in counts}):
        numbers = ", ".join(f"{what} {counts[kind, way, what]}" for what in WHAT)
        print(f"{kind:8} {way:24} {numbers}")


if __name__ == "__main__":
    main()
