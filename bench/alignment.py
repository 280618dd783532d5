"""Time the alignment of 1,000 words with errors, against jiwer on the same pairs.

    python bench/alignment.py [--words 1000] [--errors 0.1] [--pairs 5] [--rounds 7]

Aim: at most 50 ms for 1,000 words on one core. jiwer counts every edit as one, in C++, without labels, costs, numbers,
homophones, or the rule which of equal alignments it is; so the ratio says what those cost. Times are of the processor,
the median of rounds; texts are random words of the homophone table, most of them rare, a few frequent.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable
from importlib.resources import files

import jiwer

from vivavoce.transcript.alignment import align
from vivavoce.transcript.words import tokenize


def texts(rng: random.Random, words: int, errors: float) -> tuple[str, str]:
    """Return a text and a reading of it: a share of its words left out, put in or replaced, a third each."""
    lines = (files("vivavoce.transcript") / "data" / "homophones.txt").read_text(encoding="utf-8").split()
    vocabulary = rng.sample(sorted(set(lines)), 2000)
    weights = [1 / (rank + 1) for rank in range(len(vocabulary))]
    reference = rng.choices(vocabulary, weights, k=words)
    reading: list[str] = []
    for word in reference:
        kind = rng.choice(("omit", "insert", "replace")) if rng.random() < errors else "read"
        if kind != "omit":
            reading.append(rng.choice(vocabulary) if kind == "replace" else word)
        if kind == "insert":
            reading.append(rng.choice(vocabulary))
    return " ".join(reference), " ".join(reading)


def milliseconds(work: Callable[[], object], rounds: int) -> float:
    """Return the median processor time of a piece of work."""
    times = []
    for _ in range(rounds):
        start = time.process_time_ns()
        work()
        times.append((time.process_time_ns() - start) / 1e6)
    return statistics.median(times)


def main() -> None:
    """Print one line a pair and the summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=1000)
    parser.add_argument("--errors", type=float, default=0.1)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    rows = []
    for seed in range(options.pairs):
        reference, reading = texts(random.Random(seed), options.words, options.errors)
        expected, heard = tokenize(reference), tokenize(reading)
        align(expected, heard)  # tables read, code warm
        ours = milliseconds(lambda: align(expected, heard), options.rounds)  # noqa: B023
        cutting = milliseconds(lambda: (tokenize(reference), tokenize(reading)), options.rounds)  # noqa: B023
        theirs = milliseconds(lambda: jiwer.process_words(reference, reading), options.rounds)  # noqa: B023
        rows.append((ours, cutting, theirs))
        print(f"pair {seed}: align {ours:6.1f} ms, tokenize both {cutting:6.1f} ms, jiwer {theirs:5.2f} ms")
    ours, cutting, theirs = (statistics.median(column) for column in zip(*rows, strict=True))
    print(
        f"{options.words} words, {options.errors:.0%} errors: align {ours:.1f} ms ({ours / theirs:.0f} times jiwer's "
        f"{theirs:.2f} ms), tokenize both {cutting:.1f} ms"
    )


if __name__ == "__main__":
    main()
