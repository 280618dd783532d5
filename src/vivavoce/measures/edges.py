"""Word edges corrected by voice activity, before gaps are taken (M2a).

Recognisers stretch words over pauses: a word ends where the next begins, or begins where the one before ended,
however long the silence between. Here the recording says where a silence is and how long; the words' times only
decide between which two words it lies.

    1. Speech parted by silences of less than 150 ms is one block: the closure of a stop is no pause.
    2. Each word goes to the block that holds most of it, in order, so that no word passes another.
    3. Speech that no word claims is a click or a breath where it is under 250 ms and not known for a voice, and left
       out. Else it is speech that nobody wrote down, never part of a pause: between two pauses it stands alone, else
       it goes to the word beside it. Before the first and after the last word only a voice counts, a pause away.
    4. Words are cut to their block: its first word starts where it starts, its last ends where it ends. Inside a block
       there is no silence, so a gap that would count as a pause is closed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from vivavoce.measures.pauses import PAUSE_MS, joined
from vivavoce.measures.unwritten import IsVoice, nobody
from vivavoce.timeline import Segment, Word

CLOSURE_MS = 150
BLIP_MS = 250
MOVED_MS = 50


@dataclass(frozen=True, slots=True)
class Correction:
    """The corrected words, as many and in the same order; how many had an edge moved by 50 ms or more; the furthest.

    `unwritten`: stretches of speech between two pauses that no word claims, in order.
    """

    words: tuple[Word, ...]
    moved: int
    largest_ms: int
    unwritten: tuple[Segment, ...] = ()


def correct_edges(
    words: Sequence[Word],
    speech: Sequence[Segment],
    duration_ms: int,
    is_voice: IsVoice = nobody,
    blip_ms: int = BLIP_MS,
) -> Correction:
    """Return the words with their edges put where the speech of the recording begins and ends.

    Parameters: `words` in order, fillers included; `speech` the stretches of voice activity in order; `duration_ms`
    of the recording; `is_voice` says of unclaimed speech whether it is a voice; unclaimed speech shorter than `blip_ms`
    is left out where it is none. Texts, number and order of the words stay; where there is no speech, all stays.
    Returns a `Correction`. Source: M2a; what it finds on real recordings: docs/evidence/word-times.md.
    """
    blocks = _blocks(speech, duration_ms)
    if not words or not blocks:
        return _correction(words, words)
    owner = _assign(words, blocks)
    before, after = blocks[: owner[0]], blocks[owner[-1] + 1 :]
    ends = (
        joined([*filter(is_voice, before), blocks[owner[0]]], PAUSE_MS),
        joined([blocks[owner[-1]], *filter(is_voice, after)], PAUSE_MS),
    )
    blocks, owner, between = _claim(blocks, owner, lambda block: block.length_ms >= blip_ms or is_voice(block))
    corrected: list[Word] = []
    for index, word in enumerate(words):
        block = blocks[owner[index]]
        first = index == 0 or owner[index - 1] != owner[index]
        last = index == len(words) - 1 or owner[index + 1] != owner[index]
        start = block.start_ms if first else min(max(word.start_ms, block.start_ms), block.end_ms)
        end = block.end_ms if last else min(max(word.end_ms, start), block.end_ms)
        corrected.append(replace(word, start_ms=start, end_ms=end))
    return _correction(words, _close_gaps(corrected, owner), [*ends[0][:-1], *between, *ends[1][1:]])


def _correction(before: Sequence[Word], after: Sequence[Word], unwritten: Sequence[Segment] = ()) -> Correction:
    moves = [
        max(abs(new.start_ms - old.start_ms), abs(new.end_ms - old.end_ms))
        for old, new in zip(before, after, strict=True)
    ]
    return Correction(tuple(after), sum(move >= MOVED_MS for move in moves), max(moves, default=0), tuple(unwritten))


def _blocks(speech: Sequence[Segment], duration_ms: int) -> list[Segment]:
    """Stretches of speech inside the recording, those less than a closure apart joined."""
    inside = [Segment(max(0, one.start_ms), min(duration_ms, one.end_ms)) for one in speech]
    return joined((one for one in inside if one.length_ms > 0), CLOSURE_MS)


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


def _claim(
    blocks: Sequence[Segment], owner: Sequence[int], counts: IsVoice
) -> tuple[list[Segment], list[int], list[Segment]]:
    """The blocks that words own, grown over unclaimed speech beside them; each word's index into these; and the rest.

    Every pause beside unclaimed speech stays; where there is none, the longest silence does.
    """
    owned = sorted(set(owner))
    claimed, unwritten = [blocks[owned[0]]], []
    for before, after in pairwise(owned):
        chain = [claimed[-1], *filter(counts, blocks[before + 1 : after]), blocks[after]]
        gaps = [later.start_ms - earlier.end_ms for earlier, later in pairwise(chain)]
        kept = [place for place, gap_ms in enumerate(gaps) if gap_ms >= PAUSE_MS] or [gaps.index(max(gaps))]
        claimed[-1] = Segment(claimed[-1].start_ms, chain[kept[0]].end_ms)
        unwritten += [Segment(chain[one + 1].start_ms, chain[other].end_ms) for one, other in pairwise(kept)]
        claimed.append(Segment(chain[kept[-1] + 1].start_ms, blocks[after].end_ms))
    place = {block: index for index, block in enumerate(owned)}
    return claimed, [place[index] for index in owner], unwritten


def _close_gaps(words: Sequence[Word], owner: Sequence[int]) -> list[Word]:
    closed = list(words)
    for index, (word, following) in enumerate(pairwise(words)):
        if owner[index] == owner[index + 1] and following.start_ms - word.end_ms >= PAUSE_MS:
            closed[index] = replace(word, end_ms=following.start_ms)
    return closed
