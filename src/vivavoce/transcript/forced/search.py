"""The likeliest way through the words, frame by frame (Viterbi), in a window of words that moves with the recording.

    best[t, s] = likelihood[t, s] + max over the states before s of best[t - 1, before] + transition

The recording is taken a second at a time. In each, only words are tried that the paths within BEAM of the best can
reach, and, where times are hinted, words within SLACK_MS of their hint. What is kept is one bit a state and frame, and
one byte a chain and frame: about 2 MB a minute of speech.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.timeline import Segment
from vivavoce.transcript.forced.graph import DEAD, GAP, Graph
from vivavoce.transcript.forced.model import Floats, Model
from vivavoce.transcript.forced.sound import FRAME_MS, Sound, likelihoods, streams

BLOCK = 100
BEAM = 1000.0
SLACK_MS = 5000
# What it costs to leave words out at the end: a student who stopped early.
EARLY_END = 100.0
# What a frame of digital silence costs a word; a gap takes it for nothing, whatever the model says.
UNHEARD = 10.0


@dataclass(frozen=True, slots=True)
class Block:
    """A second of the search: its window of states and chains, and for each frame where the best path came from."""

    start: int
    frames: int
    states: slice
    entries: slice
    moved: NDArray[np.uint8]
    source: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Path:
    """The state of every frame, each frame's best context-free log likelihood, and the words that were reached."""

    state: NDArray[np.int64]
    best: Floats
    reached: int


def search(
    model: Model, graph: Graph, sound: Sound, hints: Sequence[Segment] | None = None, *, beam: float = BEAM
) -> Path | None:
    """Return the likeliest path through all the words, or None where there is none.

    Parameters: `sound` of `sound.listen`; `hints` for each word of the graph where it is about.
    """
    values = np.full(len(graph.senone) + 2, DEAD, np.float32)
    values[graph.start] = 0
    best = np.empty(len(sound), np.float32)
    blocks: list[Block] = []
    limits = _limits(hints)
    low, high = 0, 0
    for start in range(0, len(sound), BLOCK):
        stop = min(start + BLOCK, len(sound))
        window = _window(graph, low, high, stop - start, limits, start)
        if window is None:
            return None
        low, high = window
        values[: graph.first_state[low]] = DEAD
        values[graph.first_state[high + 1] : graph.nowhere] = DEAD
        block = _advance(model, graph, sound, values, best, (start, stop), (low, high))
        blocks.append(block)
        alive = np.flatnonzero(values[block.states] > max(float(values[block.states].max()) - beam, DEAD / 2))
        if not len(alive):
            return None
        reach = graph.first_state.searchsorted(alive[[0, -1]] + block.states.start, "right") - 1
        low, high = int(reach[0]), int(reach[1])
    return _trace(graph, values, blocks, best)


def _limits(hints: Sequence[Segment] | None) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """The first and last frame in which each word may be, never turning back."""
    if hints is None:
        return None
    first = np.array([hint.start_ms - SLACK_MS for hint in hints]) // FRAME_MS
    last = np.array([hint.end_ms + SLACK_MS for hint in hints]) // FRAME_MS
    return np.minimum.accumulate(first[::-1])[::-1], np.maximum.accumulate(last)


def _window(
    graph: Graph,
    low: int,
    high: int,
    frames: int,
    limits: tuple[NDArray[np.int64], NDArray[np.int64]] | None,
    start: int,
) -> tuple[int, int] | None:
    """The slots to try in a block: what can be reached, and is not ruled out by the hints."""
    slots = len(graph.least) - 1
    high = min(slots, int(np.searchsorted(graph.least, graph.least[min(high, slots)] + frames, "right")))
    if limits is not None:
        first, last = limits
        low = max(low, int(np.searchsorted(last, start)))
        high = min(high, int(np.searchsorted(first, start + frames, "right")))
    return (low, high) if low <= high else None


def _advance(
    model: Model,
    graph: Graph,
    sound: Sound,
    values: Floats,
    best: Floats,
    span: tuple[int, int],
    slots: tuple[int, int],
) -> Block:
    """Carry the values of a window of slots over a block of frames, in place."""
    start, stop = span
    states = slice(int(graph.first_state[slots[0]]), int(graph.first_state[slots[1] + 1]))
    entries = slice(int(graph.first_entry[slots[0]]), int(graph.first_entry[slots[1] + 1]))
    senones, column = np.unique(graph.senone[states], return_inverse=True)
    likely, best[start:stop] = likelihoods(model, streams(sound.cepstrum, start, stop), senones)
    likely = np.ascontiguousarray((likely - best[start:stop]).T)
    stay, leave = graph.stay[states], graph.leave[states][:-1]
    entry, before, cost = graph.entry[entries] - states.start, graph.before[entries], graph.cost[entries]
    rows = np.arange(len(entry))
    unheard = np.where(graph.word[states] == GAP, np.float32(0), np.float32(-UNHEARD))
    moved = np.empty((stop - start, states.stop - states.start), np.bool_)
    source = np.empty((stop - start, len(entry)), np.uint8)
    own = values[states]
    coming = np.empty_like(own)
    for frame in range(stop - start):
        np.add(own[:-1], leave, out=coming[1:])
        reached = values[before] + cost
        chosen = reached.argmax(axis=1)
        source[frame] = chosen
        coming[entry] = reached[rows, chosen]
        kept = own + stay
        np.greater(coming, kept, out=moved[frame])
        np.maximum(coming, kept, out=own)
        own += likely[frame, column] if sound.heard[start + frame] else unheard
        values[graph.start] = DEAD
    return Block(start, stop - start, states, entries, np.packbits(moved, axis=1), source)


def _trace(graph: Graph, values: Floats, blocks: Sequence[Block], best: Floats) -> Path | None:
    """Go back from the best end: all the words, or as many as were heard."""
    words = len(graph.ends) - 1
    finals = [(state, slot) for slot in range(1, words + 1) for state in graph.ends[slot]]
    ended = [float(values[state] + graph.leave[state]) - (slot < words) * EARLY_END for state, slot in finals]
    state, reached = finals[int(np.argmax(ended))]
    if values[state] <= DEAD / 2:
        return None
    path = np.empty(len(best), np.int64)
    for block in reversed(blocks):
        moved = np.unpackbits(block.moved, axis=1)
        chain = {int(first): row for row, first in enumerate(graph.entry[block.entries])}
        for frame in range(block.frames - 1, -1, -1):
            path[block.start + frame] = state
            if moved[frame, state - block.states.start]:
                row = chain.get(state)
                if row is None:
                    state -= 1
                else:
                    state = int(graph.before[block.entries.start + row, block.source[frame, row]])
    return Path(path, best, reached)
