"""How far words fit a sound that does not say them, and how near the fast search is to the full one.

    python bench/forced_fit.py SHARED [fit] [near] [--learners 150]

SHARED holds `data`.
fit    learners' sentences with an accent (accuracy under 7 of 10 by the mean of the experts) of which nearly all was
       said (completeness 0.9 and more), and those that are hardly English (accuracy under 5): each with its own text
       and with the text of the next one in the list (the last: of the first): `alignment_poor` and `alignment_failed`
       by both; docs/evidence/word-times.md, and `DECOY_MARGIN`.
near   the readings of `pause_cases.py` and --learners sentences by hash (the age groups in turn), aligned as always and
       by the full search alone: words with the same times, words over 50 ms off, mean scores.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from pause_cases import originals

from vivavoce.audio.waveform import decode
from vivavoce.transcript.forced import ForcedAlignment, align_words, near
from vivavoce.transcript.forced import work as forced_work

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "problems"))
from problem_clips import learners

Samples = NDArray[np.float32]
TABLES = ["fit", "near"]
ACCENT, SAID, HARDLY = 7, 0.9, 5
OFF_MS = 50
SHOWN = 5


def accented(data: Path, accuracy: float, completeness: float) -> list[tuple[Path, list[str]]]:
    """Sentences under an accuracy, of at least a completeness: file and words, in the order of the labels."""
    folder = data / "speechocean762_train"
    rows = map(json.loads, (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines())
    return [
        (folder / "audio" / f"{row['id']}.flac", row["text"].lower().split())
        for row in rows
        if statistics.mean(row["accuracy"]) < accuracy and statistics.mean(row["completeness"]) >= completeness
    ]


def codes(found: ForcedAlignment) -> set[str]:
    """The codes of an alignment's notices."""
    return {notice.code for notice in found.notices}


def show_fit(data: Path) -> None:
    """Print how many alignments are poor or fail, with the clip's own words and with another's."""
    for name, limits in (("accent", (ACCENT, SAID)), ("hardly English", (HARDLY, 0.0))):
        clips = accented(data, *limits)
        texts = [text for _, text in clips]
        show_poor(name, clips, "their own text", texts)
        show_poor(name, clips, "the text of the next", [*texts[1:], *texts[:1]])


def show_poor(group: str, clips: list[tuple[Path, list[str]]], name: str, given: list[list[str]]) -> None:
    """Print one group's counts with some texts."""
    found = [codes(align_words(decode(path).samples, text)) for (path, _), text in zip(clips, given, strict=True)]
    poor, failed = (sum(code in one for one in found) for code in ("alignment_poor", "alignment_failed"))
    print(f"{group}, {len(clips)} with {name}: poor {poor} ({100 * poor / len(clips):.0f} %), failed {failed}")


def recordings(data: Path, count: int) -> Iterator[tuple[str, Samples, list[str]]]:
    """Name, samples and words of readings and learners."""
    for original in originals(data):
        yield original.name, original.samples, [word.text for word in original.words]
    for clip in learners(data, count):
        yield clip.name, np.asarray(decode(clip.path).samples), clip.text.lower().split()


def in_full(samples: Samples, words: Sequence[str]) -> ForcedAlignment:
    """The alignment by the full search alone."""
    with patch.object(forced_work, "find", partial(_in_full, near.find)):
        return align_words(samples, words)


def _in_full(find: object, *arguments: object, **_: object) -> object:
    return find(*arguments, near=False)  # type: ignore[operator]


def show_near(data: Path, count: int) -> None:
    """Print how the words of the usual search compare with those of the full one."""
    off: list[tuple[int, str]] = []
    scores: list[tuple[float, str]] = []
    for name, samples, words in recordings(data, count):
        usual, full = align_words(samples, words), in_full(samples, words)
        for one, other in zip(usual.words, full.words, strict=True):
            edges = [(one.start_ms, other.start_ms), (one.end_ms, other.end_ms)]
            moved = [abs(a - b) for a, b in edges if a is not None and b is not None]
            lost = (one.start_ms is None) != (other.start_ms is None)
            off.append((10**6 if lost else max(moved, default=0), f"{name} {one.text}"))
        if usual.score is not None and full.score is not None:
            scores.append((usual.score - full.score, name))
    same, far = sum(ms == 0 for ms, _ in off), sum(ms > OFF_MS for ms, _ in off)
    print(f"{len(off)} words of {len(scores)} recordings: {100 * same / len(off):.2f} % with the same times")
    print(f"over {OFF_MS} ms off: {far}", *sorted(off, reverse=True)[: min(far, SHOWN)], sep="\n  ")
    print(f"mean scores differ by {statistics.mean(gap for gap, _ in scores):+.3f}, the most", *sorted(scores)[-3:])


def main() -> None:
    """Print the tables that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("tables", nargs="*", choices=TABLES, default=TABLES)
    parser.add_argument("--learners", type=int, default=150)
    arguments = parser.parse_args()
    data = arguments.shared / "data"
    if "fit" in arguments.tables:
        show_fit(data)
    if "near" in arguments.tables:
        show_near(data, arguments.learners)


if __name__ == "__main__":
    main()
