"""Word edges corrected by voice activity, before gaps are taken (M2a).

Recognisers stretch words over pauses: a word ends where the next begins, or begins where the one before ended,
however long the silence between. Here the recording says where a silence is and how long; the words' times only
decide between which two words it lies.

    1. Speech parted by silences of less than 150 ms is one block: the closure of a stop is no pause.
    2. Each word goes to the block that holds most of it, in order, so that no word passes another.
    3. Speech that no word claims is a click or a breath where it is under 250 ms, and left out. Longer, it is speech
       that nobody wrote down: never part of a pause, it goes to the words beside it, the longest silence stays the gap.
    4. Words are cut to their block: its first word starts where it starts, its last ends where it ends. Inside a block
       there is no silence, so a gap that would count as a pause is closed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from vivavoce.measures.pauses import PAUSE_MS
from vivavoce.timeline import Segment, Word

CLOSURE_MS = 150
BLIP_MS = 250
MOVED_MS = 50


@dataclass(frozen=True, slots=True)
class Correction:
    """The corrected words, as many and in the same order; how many had an edge moved by 50 ms or more; the furthest."""

    words: tuple[Word, ...]
    moved: int
    largest_ms: int


def correct_edges(words: Sequence[Word], speech: Sequence[Segment], duration_ms: int) -> Correction:
    """Return the words with their edges put where the speech of the recording begins and ends.

    Parameters: `words` in order, fillers included; `speech` the stretches of voice activity in order; `duration_ms`
    of the recording. Texts, number and order of the words stay; where there is no speech, all stays.
    Returns a `Correction`. Source: M2a; what it finds on real recordings: docs/measurements.md.
    """
    blocks = _blocks(speech, duration_ms)
    if not words or not blocks:
        return _correction(words, words)
    blocks, owner = _claim(blocks, _assign(words, blocks))
    corrected: list[Word] = []
    for index, word in enumerate(words):
        block = blocks[owner[index]]
        first = index == 0 or owner[index - 1] != owner[index]
        last = index == len(words) - 1 or owner[index + 1] != owner[index]
        start = block.start_ms if first else min(max(word.start_ms, block.start_ms), block.end_ms)
        end = block.end_ms if last else min(max(word.end_ms, start), block.end_ms)
        corrected.append(replace(word, start_ms=start, end_ms=end))
    return _correction(words, _close_gaps(corrected, owner))


def _correction(before: Sequence[Word], after: Sequence[Word]) -> Correction:
    moves = [
        max(abs(new.start_ms - old.start_ms), abs(new.end_ms - old.end_ms))
        for old, new in zip(before, after, strict=True)
    ]
    return Correction(tuple(after), sum(move >= MOVED_MS for move in moves), max(moves, default=0))


def _blocks(speech: Sequence[Segment], duration_ms: int) -> list[Segment]:
    """Stretches of speech inside the recording, those less than a closure apart joined."""
    blocks: list[Segment] = []
    for stretch in speech:
        start, end = max(0, stretch.start_ms), min(duration_ms, stretch.end_ms)
        if end <= start:
            continue
        if blocks and start - blocks[-1].end_ms < CLOSURE_MS:
            blocks[-1] = Segment(blocks[-1].start_ms, max(blocks[-1].end_ms, end))
        else:
            blocks.append(Segment(start, end))
    return blocks


def _assign(words: Sequence[Word], blocks: Sequence[Segment]) -> list[int]:
    """The index of each word's block: the one it overlaps longest, else the nearest; the later of equals, in order."""
    ends = [block.end_ms for block in blocks]
    owner: list[int] = []
    for word in words:
        near = bisect_right(ends, word.start_ms)
        best = max(near - 1, 0)
        for index in range(best, len(blocks)):
            # A negative overlap is a distance.
            if _overlap(word, blocks[index]) >= _overlap(word, blocks[best]):
                best = index
            if blocks[index].start_ms >= word.end_ms:
                break
        owner.append(max(best, owner[-1]) if owner else best)
    return owner


def _overlap(word: Word, block: Segment) -> int:
    return min(word.end_ms, block.end_ms) - max(word.start_ms, block.start_ms)


def _claim(blocks: Sequence[Segment], owner: Sequence[int]) -> tuple[list[Segment], list[int]]:
    """The blocks that words own, grown over unclaimed speech between them, and each word's index into these."""
    owned = sorted(set(owner))
    claimed = [blocks[owned[0]]]
    for before, after in pairwise(owned):
        between = [block for block in blocks[before + 1 : after] if block.length_ms >= BLIP_MS]
        chain = [claimed[-1], *between, blocks[after]]
        gap = max(range(len(chain) - 1), key=lambda place: chain[place + 1].start_ms - chain[place].end_ms)
        claimed[-1] = Segment(claimed[-1].start_ms, chain[gap].end_ms)
        claimed.append(Segment(chain[gap + 1].start_ms, blocks[after].end_ms))
    place = {block: index for index, block in enumerate(owned)}
    return claimed, [place[index] for index in owner]


def _close_gaps(words: Sequence[Word], owner: Sequence[int]) -> list[Word]:
    closed = list(words)
    for index, (word, following) in enumerate(pairwise(words)):
        if owner[index] == owner[index + 1] and following.start_ms - word.end_ms >= PAUSE_MS:
            closed[index] = replace(word, end_ms=following.start_ms)
    return closed
