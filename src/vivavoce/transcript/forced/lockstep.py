"""Viterbi in many stretches of a recording at once: a step of the search takes the next frame of every stretch.

What a step costs is mostly the calls, not the numbers in them; so thirty stretches take little more time than one. A
stretch may begin and end in any state: neighbours overlap, and where two paths are in the same state in the overlap
they are joined. Between two such places each is the likeliest way, as in a search of the whole.

The steps themselves are those of `search`: a block of frames at a time, a window of slots for each stretch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vivavoce.transcript.forced.graph import DEAD, GAP_COSTS, Graph
from vivavoce.transcript.forced.likelihood import Indices
from vivavoce.transcript.forced.model import STATES, Floats
from vivavoce.transcript.forced.search import EARLY_END, Limits, carry

BLOCK = 50
_GAP_STATES = STATES * len(GAP_COSTS)

Likely = Callable[[int, int, slice], Floats]
"""How likely the frames from a first to a last (exclusive) are in some states: (states, frames)."""


@dataclass(slots=True)
class Stretch:
    """Frames of a recording and the slots of a graph that they may be in; of the last slot only the gap.

    `begins`: the path comes from before the first word, else from anywhere. `ends`: it goes on to the end of the words
    (fewer where `early`), else it stops anywhere. `limits` of words, None: those that can be reached.
    """

    start: int
    stop: int
    slots: tuple[int, int]
    begins: bool = True
    ends: bool = True
    limits: Limits | None = None
    window: tuple[int, int] = (0, 0)
    path: Indices | None = None
    reached: int = 0
    values: Floats = field(default_factory=lambda: np.empty(0, np.float32))
    states: slice = field(default_factory=lambda: slice(0, 0))


@dataclass(frozen=True, slots=True)
class _Layout:
    """The windows of some stretches side by side: states in a row, their cells with a door before each chain."""

    offsets: list[int]
    states: Indices
    cell: Indices
    entry: Indices
    slot: Indices
    before: Indices
    came_from: Indices
    beginning: Indices
    width: int


@dataclass(frozen=True, slots=True)
class _Steps:
    """A block of steps: its stretches and layout, and where the best path came from (see `search.Block`)."""

    stretches: Sequence[int]
    frames: list[int]
    firsts: Indices
    layout: _Layout
    moved: NDArray[np.uint8]
    source: NDArray[np.uint8]


def walk(graph: Graph, stretches: Sequence[Stretch], likely: Likely, beam: float) -> None:
    """Find the likeliest path of each stretch; `path` stays None where there is none.

    Parameters: `likely` gives log likelihoods over each frame's best; `beam` is how far under the best of its stretch a
    state may be at the end of a block.
    """
    for one in stretches:
        one.window = one.slots if not one.begins else (one.slots[0], one.slots[0])
        one.values, one.states = np.full(1, DEAD, np.float32), slice(0, 0)
    blocks: list[_Steps] = []
    alive = list(range(len(stretches)))
    at = 0
    while alive:
        alive = [number for number in alive if _move(graph, stretches[number], at)]
        if not alive:
            break
        blocks.append(_steps(graph, stretches, alive, likely, at))
        at += BLOCK
        alive = [n for n in alive if stretches[n].start + at < stretches[n].stop and _narrow(graph, stretches[n], beam)]
    _trace(graph, stretches, blocks)


def _move(graph: Graph, one: Stretch, at: int) -> bool:
    """Set the window of the next block; False where no slot is left."""
    start = one.start + at
    frames = min(BLOCK, one.stop - start)
    low, high = one.window
    high = min(one.slots[1], int(np.searchsorted(graph.least, graph.least[high] + frames, "right")))
    if one.limits is not None:
        low = max(low, int(np.searchsorted(one.limits.last, start)))
        high = min(high, int(np.searchsorted(one.limits.first, start + frames, "right")))
    if low > high:
        one.values = np.full(len(one.values), DEAD, np.float32)
        return False
    last = one.slots[1]
    stop = graph.first_state[high + 1] if high < last else graph.first_state[last] + _GAP_STATES
    states = slice(int(graph.first_state[low]), int(stop))
    values = np.full(states.stop - states.start, DEAD if at or one.begins else 0.0, np.float32)
    common = slice(max(states.start, one.states.start), min(states.stop, one.states.stop))
    if common.stop > common.start:
        there, here = common.start - states.start, common.start - one.states.start
        length = common.stop - common.start
        values[there : there + length] = one.values[here : here + length]
    one.window, one.states, one.values = (low, high), states, values
    return True


def _narrow(graph: Graph, one: Stretch, beam: float) -> bool:
    """Take the slots that paths near the best are in as the window; False where there is no path any more."""
    best = float(one.values.max())
    alive = np.flatnonzero(one.values > max(best - beam, DEAD / 2))
    if not len(alive):
        return False
    reach = graph.first_state.searchsorted(alive[[0, -1]] + one.states.start, "right") - 1
    one.window = int(reach[0]), min(int(reach[1]), one.slots[1])
    return True


def _layout(graph: Graph, stretches: Sequence[Stretch]) -> _Layout:
    """Put the windows of some stretches side by side."""
    offsets, states, entries, slots, befores, bounds = [0], [], [], [], [], []
    slots_so_far = 0
    for one in stretches:
        low, high = one.window
        firsts = graph.first_entry[low : high + 2].copy()
        if high == one.slots[1]:
            firsts[-1] = firsts[-2] + len(GAP_COSTS)
        states.append(np.arange(one.states.start, one.states.stop))
        entries.append(graph.entry[firsts[0] : firsts[-1]] + (offsets[-1] - one.states.start))
        slots.append(np.repeat(np.arange(slots_so_far, slots_so_far + len(firsts) - 1), np.diff(firsts)))
        befores.append(graph.before[firsts[:-1]])
        bounds.append((one.states.start, one.states.stop, offsets[-1], len(firsts) - 1))
        slots_so_far += len(firsts) - 1
        offsets.append(offsets[-1] + one.states.stop - one.states.start)
    entry, count = np.concatenate(entries), offsets[-1]
    fresh = np.zeros(count, np.int64)
    fresh[entry] = 1
    cell = np.arange(count) + np.cumsum(fresh)
    nowhere = count + len(entry)
    came_from = np.concatenate(befores)
    starts, stops, moved, repeats = np.array(bounds).T
    starts, stops, moved = (np.repeat(part, repeats)[:, None] for part in (starts, stops, moved))
    beginning = nowhere + 1 + np.repeat(np.arange(len(stretches)), repeats)[:, None]
    inside = (came_from >= starts) & (came_from < stops)
    outside = np.where((came_from < starts) | (came_from == graph.start), beginning, nowhere)
    before = np.where(inside, cell[np.where(inside, came_from - starts + moved, 0)], outside)
    return _Layout(
        offsets,
        np.concatenate(states),
        cell,
        entry,
        np.concatenate(slots),
        before.T.copy(),
        came_from,
        np.arange(nowhere + 1, nowhere + 1 + len(stretches)),
        nowhere + 1 + len(stretches),
    )


def _steps(graph: Graph, stretches: Sequence[Stretch], alive: Sequence[int], likely: Likely, at: int) -> _Steps:
    """Carry the values of all windows over a block of frames."""
    those = [stretches[number] for number in alive]
    layout = _layout(graph, those)
    frames = [min(BLOCK, one.stop - one.start - at) for one in those]
    cell, door = layout.cell, layout.cell[layout.entry] - 1
    stay = graph.stay[layout.states]
    leave = np.zeros(layout.width, np.float32)
    leave[cell] = graph.leave[layout.states] - stay
    emitted = np.full((max(frames), layout.width), DEAD, np.float32)
    history = np.full((max(frames) + 1, layout.width), DEAD, np.float32)
    for one, first, last, count, begin in zip(
        those, layout.offsets[:-1], layout.offsets[1:], frames, layout.beginning, strict=True
    ):
        made = likely(one.start + at, one.start + at + count, one.states)
        emitted[:count, cell[first:last]] = (made + stay[first:last, None]).T
        history[0, cell[first:last]] = one.values
        if one.begins and not at:
            history[0, begin] = 0
    left, source = carry(history, emitted, leave, layout.before, door, layout.slot)
    for one, first, last, count in zip(those, layout.offsets[:-1], layout.offsets[1:], frames, strict=True):
        one.values = history[count, cell[first:last]]
    moved = left[:, :-1] > history[:-1, 1:]
    firsts = np.array([one.states.start for one in those])
    return _Steps(alive, frames, firsts, layout, np.packbits(moved, axis=1), source)


def _end(graph: Graph, one: Stretch) -> int | None:
    """The state in which the path of a stretch ends, None where there is none; sets `reached`."""
    values, states = one.values, one.states
    if not one.ends:
        return states.start + int(values.argmax()) if values.max() > DEAD / 2 else None
    low, last = max(one.window[0], one.slots[0] + 1), one.slots[1]
    best: tuple[float, int, int] | None = None
    for slot in range(low, min(one.window[1] + 1, last) + 1):
        for state in graph.ends[slot]:
            if states.start <= state < states.stop:
                value = float(values[state - states.start] + graph.leave[state] - graph.stay[state])
                value -= (slot < last) * EARLY_END
                if value > DEAD / 2 and (best is None or value > best[0]):
                    best = value, state, slot
    if best is None:
        return None
    one.reached = best[2]
    return best[1]


def _trace(graph: Graph, stretches: Sequence[Stretch], blocks: Sequence[_Steps]) -> None:
    """Go back from the best end of every stretch at once."""
    place = np.zeros(len(stretches), np.int64)
    lengths = np.array([one.stop - one.start for one in stretches])
    found = np.zeros(len(stretches), np.bool_)
    for number, one in enumerate(stretches):
        state = _end(graph, one) if lengths[number] > 0 else None
        found[number] = state is not None
        place[number] = state or 0
    paths = [np.empty(length, np.int64) for length in lengths]
    for index in range(len(blocks) - 1, -1, -1):
        block = blocks[index]
        numbers, layout = np.array(block.stretches), block.layout
        shift = np.array(layout.offsets[:-1]) - block.firsts
        kept = found[numbers] & (lengths[numbers] > index * BLOCK)
        numbers, shift = numbers[kept], shift[kept]
        frames = np.array(block.frames)[kept]
        if not len(numbers):
            continue
        moved = np.unpackbits(block.moved, axis=1)
        row = np.full(len(layout.states), -1)
        row[layout.entry] = layout.slot
        ragged = int(frames.min()) < int(frames.max())
        cell, state = layout.cell - 1, place[numbers]
        made = np.empty((int(frames.max()), len(numbers)), np.int64)
        for frame in range(len(made) - 1, -1, -1):
            made[frame] = state
            at = state + shift
            goes = moved[frame].take(cell.take(at, mode="clip"))
            if ragged:
                goes &= frame < frames
            enters = row.take(at, mode="clip")
            which = ((enters >= 0) & goes).nonzero()[0]
            state = state - goes
            if len(which):
                slots = enters[which]
                state[which] = layout.came_from[slots, block.source[frame, slots]]
        place[numbers] = state
        for column, (number, count) in enumerate(zip(numbers, frames, strict=True)):
            paths[number][index * BLOCK : index * BLOCK + count] = made[:count, column]
    for one, path, is_found in zip(stretches, paths, found, strict=True):
        one.path = path if is_found else None


def joined(stretches: Sequence[Stretch]) -> Indices | None:
    """Return one path from those of stretches that overlap; None where one is missing or two never meet."""
    whole = np.empty(stretches[-1].stop, np.int64)
    at = 0
    for one, after in zip(stretches, [*stretches[1:], None], strict=True):
        if one.path is None:
            return None
        cut = one.stop
        if after is not None:
            if after.path is None:
                return None
            shared = one.stop - after.start
            same = np.flatnonzero(one.path[-shared:] == after.path[:shared])
            if not len(same):
                return None
            cut = after.start + int(same[np.argmin(np.abs(same - shared // 2))]) + 1
        whole[at:cut] = one.path[at - one.start : cut - one.start]
        at = cut
    return whole
