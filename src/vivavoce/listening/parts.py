"""A recording in stretches that are as long as those the listener was trained on: a sentence or so each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vivavoce.transcript.forced import ForcedAlignment

LONGEST_MS, MOST_WORDS, FEWEST_WORDS = 9_000, 14, 3
# What a phrase end is worth as a place to cut, beside the silence that is there.
PHRASE_END_MS = 600
# How much of the silence around it belongs to a stretch.
MARGIN_MS = 400


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words first to last (one past it) and the piece of the recording that is listened to for them."""

    first: int
    last: int
    start_ms: int
    end_ms: int


def stretches(
    alignment: ForcedAlignment | None, words: int, ends: Sequence[bool] | None, duration_ms: int
) -> list[Stretch]:
    """Cut a recording where phrases end or it is silent, until each stretch is short enough.

    Parameters: `alignment` of all the words (None: the recording is short, one stretch); `ends` after which words a
    phrase ends. Returns the stretches in order; they hold every word.
    """
    if not words:
        return []
    if alignment is None:
        return [Stretch(0, words, 0, duration_ms)]
    times = _times(alignment, duration_ms)
    after = [False] * words if ends is None else list(ends)
    cuts: list[tuple[int, int]] = []
    _cut(times, after, 0, words, cuts)
    made = []
    for first, last in sorted(cuts):
        before = times[first - 1][1] if first else 0
        follows = times[last][0] if last < words else duration_ms
        start, end = times[first][0], times[last - 1][1]
        start = max(start - MARGIN_MS, (before + start) // 2 if first else 0)
        end = min(end + MARGIN_MS, (follows + end) // 2 if last < words else duration_ms)
        made.append(Stretch(first, last, max(0, start), min(end, duration_ms)))
    return made


def _times(alignment: ForcedAlignment, duration_ms: int) -> list[tuple[int, int]]:
    """Start and end of each word, never turning back; a word without times lies where the one before ends."""
    made: list[tuple[int, int]] = []
    reached = 0
    for word in alignment.words:
        start = reached if word.start_ms is None else max(reached, word.start_ms)
        reached = start if word.end_ms is None else max(start, min(word.end_ms, duration_ms))
        made.append((start, reached))
    return made


def _cut(
    times: Sequence[tuple[int, int]], ends: Sequence[bool], first: int, last: int, made: list[tuple[int, int]]
) -> None:
    """Halve a stretch at its best place until it is short enough; of equal places the one nearest to the middle."""
    length_ms = times[last - 1][1] - times[first][0]
    places = range(first + FEWEST_WORDS, last - FEWEST_WORDS + 1)
    if (length_ms <= LONGEST_MS and last - first <= MOST_WORDS) or not places:
        made.append((first, last))
        return
    middle = (first + last) / 2

    def worth(place: int) -> tuple[float, float]:
        gap = times[place][0] - times[place - 1][1]
        return gap + PHRASE_END_MS * ends[place - 1], -abs(place - middle)

    best = max(places, key=worth)
    _cut(times, ends, first, best, made)
    _cut(times, ends, best, last, made)
