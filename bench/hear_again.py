"""What a second hearing changes (`transcript/again.py`); the row "hear again" of docs/evidence/word-times.md.

    python bench/hear_again.py DATA [--children 260] [--other FOLDER] [--sampled 30]

DATA is the folder of shared recordings. Children: their clips, the speakers in turn by hash, as open tasks; listed is
every clip that is not scored or was heard again, with the words before and after, and the text that was read. The
cut-offs of `mfa_cutoff` the same. --other: recordings of other languages (*.wav, searched downwards); listed is how
well what is heard in each of WAYS fits, where the first hearing asks for another. --sampled: whether many tries would
do what two do not: so many hearings at temperatures of 0.4, 0.8 and 1 of the learner who is refused, and of three cuts
of 5 s of Spanish, each time the best fit without a loop.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import numpy as np
from hearing_problems import SPANISH, outcome
from numpy.typing import NDArray

from vivavoce.audio.waveform import decode
from vivavoce.pipeline import hear
from vivavoce.timeline import Segment, Word
from vivavoce.transcript import again, recognizer
from vivavoce.transcript.invented import belief
from vivavoce.transcript.loops import find_loop
from vivavoce.transcript.voice import stretches, voice_probabilities
from vivavoce.transcript.weights import find_weights

MOST_AGE = 12
REFUSED = "speechocean762_train/audio/096130014.flac"
TEMPERATURES = (0.4, 0.8, 1.0)
CUT_OFFS = "2_audio/mfa_disfluent/mfa_cutoff.flac"


def children(data: Path, count: int) -> Iterator[tuple[Path, str]]:
    """File and text of clips of children, one a speaker in turn, speakers and clips in the order of their SHA-256."""
    folder = data / "speechocean762_train"
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    rows.sort(key=lambda row: hashlib.sha256(row["id"].encode()).hexdigest())
    speakers: dict[str, list[tuple[Path, str]]] = {}
    for row in rows:
        if row["age"] <= MOST_AGE:
            speakers.setdefault(row["speaker"], []).append((folder / "audio" / f"{row['id']}.flac", row["text"]))
    turns = [clip for turn in zip_longest(*speakers.values()) for clip in turn if clip is not None]
    yield from turns[:count]


def show(path: Path, text: str) -> Iterator[str]:
    """Hear a clip, print it where it was heard again or refused; yield its outcome, and "heard again" where it was."""
    heard = hear(path)
    found = outcome(heard, None)
    notices = [notice.found for notice in heard.transcript.warnings if notice.code == "heard_again"]
    if found != "scored" or notices:
        words = " ".join(word.text for word in heard.transcript.words)
        print(f"{path.stem} {found}\n  read: {text}\n  heard: {words}", *notices, sep="\n  ", flush=True)
    yield found
    yield from ("heard again" for _ in notices)


def reach(path: Path) -> list[float]:
    """The scores of what is heard in each way in a recording whose first hearing asks for it."""
    samples, weights = decode(path).samples, find_weights()
    model = recognizer.loaded(str(weights.path), weights.sha256, recognizer.THREADS)

    def words(options: again.Way) -> list[Word]:
        voice = voice_probabilities(samples)
        parts = stretches(voice, len(samples) // 16)
        found = [recognizer._windows(model, samples, part, {"language": "en", **options}) for part in parts]
        return [word for windows in found for window in windows for word in window.words]

    first = words({})
    believed = belief(first)
    if not first or (find_loop(first) is None and (believed is None or believed >= again.DOUBTED)):
        return []
    scores = []
    for way in again.WAYS:
        heard = words(way)
        fit = again._laid(samples, heard)[0] if heard and not find_loop(heard) else None
        if fit is not None:
            scores.append(fit.score)
            print(f"{path.stem} {fit.score:.2f}{' poor' if fit.poor else ''} {' '.join(w.text for w in heard[:12])}")
    return scores


def sampled(name: str, samples: NDArray[np.float32], count: int) -> None:
    """Print the three best fits of `count` hearings, seeds in order."""
    import ctranslate2

    weights = find_weights()
    model = recognizer.loaded(str(weights.path), weights.sha256, recognizer.THREADS)
    found = []
    for number in range(count):
        ctranslate2.set_random_seed(number)
        options = {"language": "en", "temperature": TEMPERATURES[number % 3], "beam_size": 1, "best_of": 1}
        windows = recognizer._windows(model, samples, Segment(0, len(samples) // 16), options)
        heard = [word for window in windows for word in window.words]
        fit = again._laid(samples, heard)[0] if heard and not find_loop(heard) else None
        if fit is not None:
            found.append((round(fit.score, 2), "poor" if fit.poor else "", " ".join(word.text for word in heard)[:70]))
    print(f"{name}: {len(found)} of {count} without a loop; the best", *sorted(found, reverse=True)[:3], sep="\n  ")


def show_sampled(data: Path, count: int) -> None:
    """Hear the refused learner, and Spanish, many times."""
    samples = np.asarray(decode(data / REFUSED).samples)
    part = next(iter(stretches(voice_probabilities(samples), len(samples) // 16)))
    sampled("the refused learner", samples[part.start_ms * 16 : part.end_ms * 16], count)
    spanish = np.asarray(decode(data / "2_audio" / SPANISH).samples)
    for cut in range(3):
        sampled(f"Spanish, cut {cut + 1}", spanish[cut * 80_000 : (cut + 1) * 80_000], count)


def main() -> None:
    """Print what changes, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--children", type=int, default=260)
    parser.add_argument("--other", type=Path)
    parser.add_argument("--sampled", type=int, default=0)
    given = parser.parse_args()
    if given.sampled:
        show_sampled(given.data, given.sampled)
        return
    counts: Counter[str] = Counter()
    for path, text in children(given.data, given.children):
        counts.update(show(path, text))
    print(f"{given.children} children's clips:", dict(counts))
    print("cut-offs:", dict(Counter(show(given.data / CUT_OFFS, "(cut-offs)"))))
    paths = sorted(given.other.rglob("*.wav")) if given.other else []
    scores = [reach(path) for path in paths]
    best = sorted((max(one) for one in scores if one), reverse=True)
    print(f"{len(paths)} in other languages, {len(best)} heard again; the best of the ways, sorted:")
    print(*(f"{score:.2f}" for score in best))


if __name__ == "__main__":
    main()
