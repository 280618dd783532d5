"""How well pauses are found in real readings with silences put in; the tables of docs/pauses.md (M2, M2a).

    python bench/pauses.py SHARED [--recognizer] [--more]

SHARED holds `data`. What is put in where, and which half is held out: `pause_cases.py`. Detectors, each with the same
word edges: energy (ours); Silero at 0.5 and 0.35 in its frames of 32 ms, without padding or minimum silence; WebRTC's
(as pocketsphinx carries it) in frames of 10 ms; both: Silero within 0.12 s says where speech is, energy where its edges
are. Words: the aligned ones stretched over the silences in three ways; with --recognizer also what tiny.en hears, from
audio alone. --more takes other learners' clips instead of the 30 readings. Counted are gaps of 0.4 s or more (put in,
or there before): found where a pause of 0.25 s or more covers half of the shorter of both; a pause of 0.4 s or more
that covers no gap of 0.1 s or more is false. A hesitation is found where the pause is 1.2 s or more as well; "put in":
those of 1.2 s or more that were put in alone. Lengths: of silences put in, against what was put in plus the gap that
the alignment has. With --recognizer every hesitation that is missed is listed, and every one that is found in a
recording as it is, with the longest gap that the annotation (or the alignment of its text) has there.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pause_cases import STRETCHES, Case, Gap, Original, cases, more, originals, waveform_of

from vivavoce.audio.activity import Activity, detect
from vivavoce.audio.waveform import Waveform
from vivavoce.measures.edges import correct_edges
from vivavoce.measures.pauses import pauses
from vivavoce.measures.unwritten import IsVoice, nobody, voice_in
from vivavoce.measures.word_times import word_times
from vivavoce.timeline import Pause, Segment, Word
from vivavoce.transcript.forced import align_words
from vivavoce.transcript.recognizer import transcribe
from vivavoce.transcript.weights import find_weights

Speech = tuple[Segment, ...]
Found = tuple[Sequence[Word], Sequence[Segment]]
WHOLE = "tiny.en, forced, energy"


def silero(waveform: Waveform, threshold: float) -> NDArray[np.bool_]:
    """Where the Silero model hears voice, in 10 ms frames."""
    from faster_whisper.vad import get_vad_model

    samples = waveform.samples
    heard = get_vad_model()(np.pad(samples, (0, 512 - len(samples) % 512))).reshape(-1) >= threshold
    places = (np.arange(waveform.frames.counts.size) * 160 + 80) // 512
    mask: NDArray[np.bool_] = heard[np.minimum(places, len(heard) - 1)]
    return mask


def webrtc(waveform: Waveform, mode: int) -> NDArray[np.bool_]:
    """Where WebRTC's detector hears voice, in 10 ms frames."""
    from pocketsphinx import Vad  # type: ignore[import-untyped]

    vad = Vad(mode, 16_000, 0.01)
    data = (waveform.samples * 32767).astype("<i2").tobytes()
    whole = len(data) // vad.frame_bytes
    heard = [vad.is_speech(data[k * vad.frame_bytes : (k + 1) * vad.frame_bytes]) for k in range(whole)]
    return np.array(heard, np.bool_)


def both(waveform: Waveform) -> Speech:
    """Our stretches of speech, each kept within 0.12 s of what Silero hears at 0.35."""
    near = np.convolve(silero(waveform, 0.35), np.ones(25), "same") > 0
    voiced = Activity(near).segments()
    cut = [
        Segment(max(a.start_ms, b.start_ms), min(a.end_ms, b.end_ms))
        for a in detect(waveform).segments()
        for b in voiced
    ]
    return tuple(segment for segment in cut if segment.length_ms > 0)


DETECTORS: dict[str, Callable[[Waveform], Speech]] = {
    "energy (ours)": lambda waveform: detect(waveform).segments(),
    "energy, frames only": lambda waveform: Activity(detect(waveform).speech).segments(),
    "Silero 0.5": lambda waveform: Activity(silero(waveform, 0.5)).segments(),
    "Silero 0.35": lambda waveform: Activity(silero(waveform, 0.35)).segments(),
    "Silero and energy": both,
    "WebRTC mode 2": lambda waveform: Activity(webrtc(waveform, 2)).segments(),
    "WebRTC mode 3": lambda waveform: Activity(webrtc(waveform, 3)).segments(),
}


def paired(gaps: Sequence[Gap], found: Sequence[Pause]) -> tuple[list[tuple[Gap, Pause | None]], list[Pause]]:
    """Each gap with the pause that covers it (half of the shorter of both), and the pauses that cover none."""
    rest, pairs = list(found), []
    for gap in gaps:
        scores = [(min(p.end_ms, gap.end_ms) - max(p.start_ms, gap.start_ms), p) for p in rest]
        fits = [(over, p) for over, p in scores if 2 * over > min(p.length_ms, gap.length_ms)]
        best = max(fits, key=lambda fit: fit[0], default=(0, None))[1]
        if best is not None:
            rest.remove(best)
        pairs.append((gap, best))
    return pairs, rest


class Tally:
    """Counts over cases."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.errors: list[int] = []
        self.seconds = 0.0

    def add(self, case: Case, words: Sequence[Word], unwritten: Sequence[Segment]) -> list[str]:
        """Count the pauses of these words against the true gaps; return the hesitations that are missed."""
        told = []
        pairs, false = paired(case.gaps, pauses(words, [True] * len(words), unwritten))
        false = [pause for pause in false if not any(_inside(pause, gap) for gap in case.unclear)]
        for gap, pause in pairs:
            long = pause is not None and pause.length_ms >= 1200
            if gap.length_ms >= 400:
                self.counts["true" if pause else "missed"] += 1
            elif gap.put_in:
                self.counts["short true" if pause else "short missed"] += 1
            if gap.length_ms >= 1200:
                self.counts["long true" if long else "long missed"] += 1
                if gap.put_in >= 1200:
                    self.counts["put in true" if long else "put in missed"] += 1
                if not long:
                    found = f"{pause.length_ms} ms" if pause else "nothing"
                    where = f"{case.original.name} {case.kind} {gap.start_ms}-{gap.end_ms}, {gap.put_in} put in"
                    told.append(f"{case.original.group}: {where}: {found}")
            elif long:
                self.counts["long false"] += 1
            if pause is not None and gap.put_in:
                self.errors.append(pause.length_ms - gap.length_ms)
        self.counts["false"] += sum(pause.length_ms >= 400 for pause in false)
        self.counts["long false"] += sum(pause.length_ms >= 1200 for pause in false)
        return told

    def row(self, name: str) -> str:
        """One line: precision, recall, F1 of pauses and of hesitations, short ones found, error of length, seconds."""
        count, errors = self.counts, np.abs(self.errors)
        cells = []
        for kind in ("", "long "):
            true, missed, false = (count[kind + what] for what in ("true", "missed", "false"))
            cells.append(f"{true}/{true + missed} false {false} F1 {2 * true / max(1, 2 * true + missed + false):.3f}")
        for kind, title in (("put in", "put in, 1.2 s up"), ("short", "0.3 s")):
            cells.append(f"{title} {count[kind + ' true']}/{count[kind + ' true'] + count[kind + ' missed']}")
        middle, tail = (np.percentile(errors, share) for share in (50, 90)) if self.errors else (np.nan, np.nan)
        return f"{name:34} {' | '.join(cells)} | {middle:.0f} ms, p90 {tail:.0f} | {self.seconds:.1f} s"


def _inside(pause: Pause, gap: Segment) -> bool:
    return gap.start_ms - 100 <= pause.start_ms and pause.end_ms <= gap.end_ms + 100


def ways(case: Case, recognizer: bool) -> Iterator[tuple[str, Found, float]]:
    """The words of the case with the times of each way to the pauses, the rest, and the seconds of CPU time."""
    for name, detector in DETECTORS.items():
        began = time.process_time()
        speech = detector(case.waveform)
        spent = time.process_time() - began
        for way in STRETCHES:
            made = correct_edges(case.stretched(way), speech, case.waveform.duration_ms)
            yield name, (made.words, made.unwritten), spent / len(STRETCHES)
    speech = detect(case.waveform).segments()
    is_voice = voice_in(case.waveform.samples, speech)
    yield "forced alignment, then energy", _forced(case.waveform, case.stretched("both"), speech, [is_voice])[0], 0.0
    if recognizer:
        heard = transcribe(case.waveform.samples, weights=find_weights()).words
        yield "tiny.en as heard", (heard, ()), 0.0
        made = correct_edges(heard, speech, case.waveform.duration_ms, is_voice)
        yield "tiny.en, energy", (made.words, made.unwritten), 0.0
        without, whole = _forced(case.waveform, heard, speech, [nobody, is_voice])
        yield "the next without Silero", without, 0.0
        yield WHOLE, whole, 0.0


def _forced(waveform: Waveform, words: Sequence[Word], speech: Speech, voices: Sequence[IsVoice]) -> list[Found]:
    if not words:
        return [(words, ())] * len(voices)
    forced = align_words(waveform.samples, [word.text for word in words], hints=words)
    made = [word_times(words, forced, speech, waveform.duration_ms, is_voice) for is_voice in voices]
    return [(one.words, one.unwritten) for one in made]


def untouched(original: Original) -> list[str]:
    """The hesitations found in the recording as it is, each with the longest annotated gap that it shares time with."""
    waveform = waveform_of(original.samples)
    speech = detect(waveform).segments()
    heard = transcribe(waveform.samples, weights=find_weights()).words
    words, unwritten = _forced(waveform, heard, speech, [voice_in(waveform.samples, speech)])[0]
    edges = [(0, 0), *((word.start_ms, word.end_ms) for word in original.words), (waveform.duration_ms,) * 2]
    told = []
    for pause in pauses(words, [True] * len(words), unwritten):
        if pause.length_ms >= 1200:
            gaps = [(a[1], b[0]) for a, b in pairwise(edges) if a[1] < pause.end_ms and pause.start_ms < b[0]]
            longest = max(gaps, key=lambda gap: gap[1] - gap[0], default=(0, 0))
            told.append(f"{original.group}: {original.name} {pause.start_ms}-{pause.end_ms}: {longest[0]}-{longest[1]}")
    return told


def main() -> None:
    """Put silences in, find them again, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--recognizer", action="store_true")
    parser.add_argument("--more", action="store_true")
    arguments = parser.parse_args()
    tallies: dict[tuple[str, str], Tally] = {}
    data = arguments.shared / "data"
    readings = list(enumerate(more(data), 30) if arguments.more else enumerate(originals(data)))
    missed, as_it_is = [], []
    for done, (number, original) in enumerate(readings):
        sys.stderr.write(f"\r[{'#' * done:{len(readings)}}] {done}/{len(readings)}")
        sys.stderr.flush()
        for case in cases(original, number):
            for name, (words, unwritten), seconds in ways(case, arguments.recognizer):
                tally = tallies.setdefault((original.group, name), Tally())
                told = tally.add(case, words, unwritten)
                tally.seconds += seconds
                missed += told if name == WHOLE else []
        as_it_is += untouched(original) if arguments.recognizer else []
    sys.stderr.write("\r" + " " * (len(readings) + 10) + "\r")
    for group in dict.fromkeys(original.group for _, original in readings):
        print(group, sum(original.group == group for _, original in readings), "recordings")
        for (of, name), tally in tallies.items():
            if of == group:
                print(tally.row(name))
    for title, told in (("hesitations missed", missed), ("hesitations in recordings as they are", as_it_is)):
        print(title, len(told), *told, sep="\n  ")


if __name__ == "__main__":
    main()
