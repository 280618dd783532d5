"""By what sound without words is told for a voice: its probability and level, of what is a word and what is none.

    python bench/unwritten.py SHARED

The stretches of voice activity in the tuning recordings of `pause_cases.py`, as they are and with silences put in:
those that words fill by half, of up to 0.4 s, and those that no word touches. Printed: how voiced they are (the largest
probability of Silero) and their level against all speech, the extremes that `measures/unwritten.py` divides; how
long an aligned word lies in a silence of 0.25 s or more; and of how many stretches of up to 0.4 s Silero says something
else (voice from 0.5) when it hears them and 1, 2 or 3 s before them instead of the whole recording.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path

import numpy as np
from pause_cases import Original, cases, more, originals, waveform_of

from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import Waveform
from vivavoce.measures.unwritten import LEAD_FRAMES, VOICED_FROM
from vivavoce.timeline import Segment, Word
from vivavoce.transcript.forced import align_words
from vivavoce.transcript.voice import FRAME_MS, VOICE_FRAME, voice_probabilities

SHORT_MS, PAUSE_MS, SHOWN = 400, 250, 8
LEADS = (31, 62, LEAD_FRAMES)


def recordings(data: Path) -> Iterator[tuple[str, Waveform, tuple[Word, ...]]]:
    """Name, waveform and words of each tuning recording, as it is and with silences."""
    readings: Iterator[tuple[int, Original]] = chain(enumerate(originals(data)), enumerate(more(data), 30))
    for number, original in readings:
        if original.group.startswith("tuning"):
            yield original.name, waveform_of(original.samples), original.words
            for case in cases(original, number):
                yield original.name, case.waveform, case.words


def shared(one: Segment | Word, other: Segment | Word) -> int:
    """How long two stretches share time."""
    return max(0, min(one.end_ms, other.end_ms) - max(one.start_ms, other.start_ms))


def level_db(samples: np.ndarray, stretches: tuple[Segment, ...]) -> float:
    """The level of the stretches together."""
    pieces = np.concatenate([samples[16 * one.start_ms : 16 * one.end_ms] for one in stretches]).astype(np.float64)
    return 10 * float(np.log10(np.mean(pieces**2) + 1e-12))


def most_in_silence(waveform: Waveform, words: tuple[Word, ...], speech: tuple[Segment, ...]) -> int:
    """The longest time that an aligned word lies in a silence."""
    edges = [Segment(0, 0), *speech, Segment(waveform.duration_ms, waveform.duration_ms)]
    quiet = [Segment(a.end_ms, b.start_ms) for a, b in pairwise(edges) if b.start_ms - a.end_ms >= PAUSE_MS]
    found = align_words(waveform.samples, [word.text for word in words], hints=words).words
    timed = [Word(word.text, word.start_ms, word.end_ms) for word in found if word.start_ms is not None]  # type: ignore[arg-type]
    return max((shared(word, one) for word in timed for one in quiet), default=0)


def changed_by_leads(samples: np.ndarray, voice: np.ndarray, one: Segment) -> list[int]:
    """Of each lead whether Silero, hearing no more before a stretch than that, takes it for something else."""
    first, last = one.start_ms // FRAME_MS, one.end_ms // FRAME_MS + 1
    starts = [max(0, first - lead) for lead in LEADS]
    heard = [voice_probabilities(samples[low * VOICE_FRAME : last * VOICE_FRAME])[first - low :] for low in starts]
    voiced = bool(voice[first:last].max() >= VOICED_FROM)
    return [int(bool(part.max() >= VOICED_FROM) != voiced) for part in heard]


def main() -> None:
    """Print the extremes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    said, noise, changed, longest = [], [], [], 0
    for name, waveform, words in recordings(parser.parse_args().shared / "data"):
        speech = detect(waveform).segments()
        voice, whole = voice_probabilities(waveform.samples), level_db(waveform.samples, speech)
        longest = max(longest, most_in_silence(waveform, words, speech))
        for one in speech:
            if one.length_ms <= SHORT_MS:
                changed.append(changed_by_leads(waveform.samples, voice, one))
            filled = sum(shared(one, word) for word in words)
            voiced = float(voice[one.start_ms // FRAME_MS : one.end_ms // FRAME_MS + 1].max())
            row = (round(voiced, 2), round(level_db(waveform.samples, (one,)) - whole, 1), one.length_ms, name)
            if 2 * filled > one.length_ms and one.length_ms <= SHORT_MS:
                said.append(row)
            elif not filled:
                noise.append(row)
    print(len(said), "stretches of words: least voiced, least loud")
    print(*sorted(said)[:SHOWN], "", *sorted(said, key=lambda row: row[1])[:SHOWN], sep="\n  ")
    print(len(noise), "stretches without words: most voiced, loudest")
    print(*sorted(noise)[-SHOWN:], "", *sorted(noise, key=lambda row: row[1])[-SHOWN:], sep="\n  ")
    print(f"{len(changed)} stretches of up to 0.4 s; another answer with a lead of 1, 2, 3 s:", np.sum(changed, axis=0))
    print("longest that an aligned word lies in a silence:", longest, "ms")


if __name__ == "__main__":
    main()
