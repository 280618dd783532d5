"""The likeliest way through the words, frame by frame (Viterbi), in a window of words that moves with the recording.

    best[t, s] = likelihood[t, s] + max over the states before s of best[t - 1, before] + transition

The recording is taken a block at a time. In each, only words are tried that the paths within BEAM of the best can
reach, and, where it is known about when they are said, within those limits. What is kept is one bit a state and frame,
and one byte a word and frame: about 2 MB a minute of speech.

Within a block each chain of states has a cell before its first state, its door, where the best of what may come before
it is put; so each state's value comes from its own or from the cell before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vivavoce.transcript.forced.graph import DEAD, GAP, Graph
from vivavoce.transcript.forced.likelihood import Indices, exact, frames_of, rough
from vivavoce.transcript.forced.model import Floats, Model
from vivavoce.transcript.forced.sound import Sound

BLOCK, NEAR_BLOCK = 100, 400
# Near a path little of each phone is tried in a block: so many blocks' likelihoods are taken at once.
AHEAD = 3
BEAM, ROUGH_BEAM = 1000.0, 300.0
# What it costs to leave words out at the end: a student who stopped early.
EARLY_END = 100.0
# What a frame of digital silence costs a word; a gap takes it for nothing, whatever the model says.
UNHEARD = 10.0

Allowed = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Limits:
    """The first and the last frame in which each word may be, never turning back; `states`: the same of each state.

    Words are kept to theirs by the block, states in every frame, where they are given.
    """

    first: Indices
    last: Indices
    states: tuple[Indices, Indices] | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the search: its window of slots and their states, and for each frame where the best path came from.

    `moved`: a bit a state; `source`: which of those before a slot's chains, a byte a slot.
    """

    start: int
    frames: int
    states: slice
    slots: range
    moved: NDArray[np.uint8]
    source: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Likelihoods:
    """How likely each frame of a span is in each of some senones, over its best: (senones, frames); and that best."""

    start: int
    stop: int
    senones: Indices
    over_best: Floats
    best: Floats


@dataclass(frozen=True, slots=True)
class Path:
    """The state of every frame, each frame's best context-free log likelihood, and the words that were reached."""

    state: Indices
    best: Floats
    reached: int


def limits_of(first: Sequence[int] | Indices, last: Sequence[int] | Indices) -> Limits:
    """Return limits that never turn back, from the first and the last frame of each word."""
    turned = np.minimum.accumulate(np.asarray(first, np.int64)[::-1])[::-1]
    return Limits(turned, np.maximum.accumulate(np.asarray(last, np.int64)))


def search(
    model: Model, graph: Graph, sound: Sound, limits: Limits | None = None, *, roughly: bool = False
) -> Path | None:
    """Return the likeliest path through all the words, or None where there is none.

    Parameters: `sound` of `sound.listen`; `limits` where each word of the graph is about; `roughly` with one Gaussian a
    senone, which is to say where about.
    """
    values = np.full(len(graph.senone) + 2, DEAD, np.float32)
    values[graph.start] = 0
    best = np.empty(len(sound), np.float32)
    blocks: list[Block] = []
    length, ahead = (NEAR_BLOCK, AHEAD) if limits is not None and limits.states is not None else (BLOCK, 1)
    known: Likelihoods | None = None
    beam = ROUGH_BEAM if roughly else BEAM
    low, high = 0, 0
    for start in range(0, len(sound), length):
        stop = min(start + length, len(sound))
        window = _window(graph, low, high, stop - start, limits, start)
        if window is None:
            return None
        if known is None or start >= known.stop:
            span = start, min(start + length * ahead, len(sound))
            tried = _window(graph, low, high, span[1] - start, limits, start) or window
            known = _known(model, graph, sound, span, _states(graph, tried), limits, roughly=roughly)
        low, high = window
        values[: graph.first_state[low]] = DEAD
        values[graph.first_state[high + 1] : graph.nowhere] = DEAD
        states = _states(graph, window)
        best[start:stop] = known.best[start - known.start : stop - known.start]
        likely = _likely(graph, sound, known, (start, stop), states, limits)
        blocks.append(_advance(graph, values, likely, start, (low, high)))
        alive = np.flatnonzero(values[states] > max(float(values[states].max()) - beam, DEAD / 2))
        if not len(alive):
            return None
        reach = graph.first_state.searchsorted(alive[[0, -1]] + states.start, "right") - 1
        low, high = int(reach[0]), int(reach[1])
    return _trace(graph, values, blocks, best)


def _window(
    graph: Graph, low: int, high: int, frames: int, limits: Limits | None, start: int
) -> tuple[int, int] | None:
    """The slots to try in a block: what can be reached, and is not ruled out by the limits."""
    slots = len(graph.least) - 1
    high = min(slots, int(np.searchsorted(graph.least, graph.least[min(high, slots)] + frames, "right")))
    if limits is not None:
        low = max(low, int(np.searchsorted(limits.last, start)))
        high = min(high, int(np.searchsorted(limits.first, start + frames, "right")))
    return (low, high) if low <= high else None


def _states(graph: Graph, slots: tuple[int, int]) -> slice:
    """The states of a window of slots."""
    return slice(int(graph.first_state[slots[0]]), int(graph.first_state[slots[1] + 1]))


def _known(
    model: Model,
    graph: Graph,
    sound: Sound,
    span: tuple[int, int],
    states: slice,
    limits: Limits | None,
    *,
    roughly: bool,
) -> Likelihoods:
    """How likely the frames of some blocks are in the senones of the states that may be tried there."""
    senones = np.unique(graph.senone[states])
    frames = frames_of(sound, *span)
    allowed = None if limits is None or limits.states is None else _allowed(limits.states, span, states)
    if roughly:
        made = rough(model, frames, senones)
        best = made.max(axis=0)
    elif allowed is None:
        made, best = exact(model, frames, senones)
    else:
        owned = (np.arange(len(model.phones))[:, None] == graph.phone[states]).astype(np.float32)
        made, best = exact(model, frames, senones, owned @ allowed.T.astype(np.float32) > 0)
    made -= best
    return Likelihoods(*span, senones, made, best)


def _likely(
    graph: Graph, sound: Sound, known: Likelihoods, span: tuple[int, int], states: slice, limits: Limits | None
) -> Floats:
    """How likely each frame of a block is in each state of its window: (frames, states)."""
    column = known.senones.searchsorted(graph.senone[states])
    likely = known.over_best[:, span[0] - known.start : span[1] - known.start].T.take(column, axis=1)
    silent = ~sound.heard[span[0] : span[1]]
    if silent.any():
        likely[silent] = np.where(graph.word[states] == GAP, np.float32(0), np.float32(-UNHEARD))
    if limits is not None and limits.states is not None:
        likely[~_allowed(limits.states, span, states)] = DEAD
    return likely


def _allowed(limits: tuple[Indices, Indices], span: tuple[int, int], states: slice) -> Allowed:
    """By frame and state of a block, whether the state may be there."""
    frames = np.arange(*span)[:, None]
    allowed: Allowed = (frames >= limits[0][states]) & (frames <= limits[1][states])
    return allowed


def _advance(graph: Graph, values: Floats, likely: Floats, start: int, slots: tuple[int, int]) -> Block:
    """Carry the values of a window of slots over a block of frames, in place."""
    states = _states(graph, slots)
    firsts = graph.first_entry[slots[0] : slots[1] + 2]
    entry = graph.entry[firsts[0] : firsts[-1]] - states.start
    slot = np.repeat(np.arange(len(firsts) - 1), np.diff(firsts))
    count, frames = states.stop - states.start, len(likely)
    # The cell of each state, of each chain's door, and at the end one for nowhere and one for the beginning.
    cell = np.arange(count) + np.searchsorted(entry, np.arange(count), "right")
    door = cell[entry] - 1
    nowhere = count + len(entry)
    cells = np.full(len(values), nowhere)
    cells[states], cells[graph.start] = cell, nowhere + 1
    # All chains of a slot may follow the same states.
    before = cells[graph.before[firsts[:-1]].T]
    leave = np.zeros(nowhere + 2, np.float32)
    # What it costs to stay is taken from every frame, so that to leave costs the rest.
    leave[cell] = graph.leave[states] - graph.stay[states]
    emitted = np.full((frames, nowhere + 2), DEAD, np.float32)
    emitted[:, cell] = likely + graph.stay[states]
    history = np.full((frames + 1, nowhere + 2), DEAD, np.float32)
    history[0, cell], history[0, nowhere + 1] = values[states], values[graph.start]
    left, source = carry(history, emitted, leave, before, door, slot)
    values[states], values[graph.start] = history[-1, cell], DEAD
    moved = left[:, cell - 1] > history[:-1, cell]
    return Block(start, frames, states, range(slots[0], slots[1] + 1), np.packbits(moved, axis=1), source)


def carry(
    history: Floats, emitted: Floats, leave: Floats, before: Indices, door: Indices, slot: Indices
) -> tuple[Floats, NDArray[np.uint8]]:
    """Fill the values of cells frame by frame, and return those with which each is left, and where a slot's come from.

    Parameters: `history` (frames + 1, cells), its first row given; `emitted` (frames, cells); `leave` by cell; `before`
    (ways, slots) the cells that chains of a slot may follow; `door`, `slot` of each chain.
    """
    left, coming = np.empty(history.shape[1], np.float32), np.empty(before.shape, np.float32)
    head = left[:-1]
    for own, then, emission in zip(history[:-1], history[1:], emitted, strict=True):
        np.add(own, leave, out=left)
        left.take(before, out=coming, mode="clip")
        left[door] = np.maximum.reduce(coming, axis=0).take(slot)
        np.maximum(head, own[1:], out=then[1:])
        np.add(then, emission, out=then)
    left_all = history[:-1] + leave
    coming_all = left_all.take(before, axis=1)
    left_all[:, door] = coming_all.max(axis=1)[:, slot]
    return left_all, coming_all.argmax(axis=1).astype(np.uint8)


def _trace(graph: Graph, values: Floats, blocks: Sequence[Block], best: Floats) -> Path | None:
    """Go back from the best end: all the words, or as many as were heard."""
    words = len(graph.ends) - 1
    finals = [(state, slot) for slot in range(1, words + 1) for state in graph.ends[slot]]
    leave = graph.leave - graph.stay
    ended = [float(values[state] + leave[state]) - (slot < words) * EARLY_END for state, slot in finals]
    state, reached = finals[int(np.argmax(ended))]
    if values[state] <= DEAD / 2:
        return None
    path = np.empty(len(best), np.int64)
    for block in reversed(blocks):
        moved = np.unpackbits(block.moved, axis=1)
        edges = graph.first_entry[block.slots.start : block.slots.stop + 1].tolist()
        slot = {first: row for row, (a, b) in enumerate(pairwise(edges)) for first in graph.entry[a:b].tolist()}
        for frame in range(block.frames - 1, -1, -1):
            path[block.start + frame] = state
            if moved[frame, state - block.states.start]:
                row = slot.get(state)
                if row is None:
                    state -= 1
                else:
                    state = int(graph.before[edges[row], block.source[frame, row]])
    return Path(path, best, reached)
