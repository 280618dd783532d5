"""The near search where hints say where each word is about: in stretches of some 30 s, all of them at once.

    1. rough: the words within their hints, one Gaussian a senone
    2. near: within MARGIN frames of where the rough path has each phone, the stretches parted at its longest gaps
    3. mended: where words are not sure, first within REACH frames of where they are, then without limits

Steps and limits are those of `near`; where neighbouring stretches do not meet, the recording is one stretch.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vivavoce.transcript.forced.found import Again, Found, around, found_of, unsure
from vivavoce.transcript.forced.graph import GAP, GAP_COSTS, Graph
from vivavoce.transcript.forced.likelihood import Indices, frames_of
from vivavoce.transcript.forced.lockstep import Stretch, joined, walk
from vivavoce.transcript.forced.model import STATES, Floats, Model
from vivavoce.transcript.forced.search import BEAM, ROUGH_BEAM, Limits, Path
from vivavoce.transcript.forced.sound import Sound
from vivavoce.transcript.forced.tables import Tables, unheard

LENGTH = 3000
ROUGH_OVERLAP, NEAR_OVERLAP = 200, 50
"""All in frames; a rough path that begins anywhere finds its place in 2 s, one near a path in a gap at once."""

AT_ONCE = 48
"""So many stretches, 24 minutes, are walked roughly at once, so that memory is bounded."""

REACH = 50
# Of each phone some 200 frames are heard at once: more do not fit the processor's cache.
_SPAN = 1000


def cuts_of(quiet: NDArray[np.bool_]) -> list[int]:
    """Where to part a recording into stretches of about LENGTH: in the middle of the longest gaps near there."""
    frames = len(quiet)
    count = max(1, round(frames / LENGTH))
    edges = np.flatnonzero(np.diff(np.concatenate(([False], quiet, [False]))))
    middles, lengths = (edges[1::2] + edges[::2]) // 2, edges[1::2] - edges[::2]
    cuts = [0]
    for number in range(1, count):
        middle = frames * number // count
        low, high = np.searchsorted(middles, (middle - LENGTH // 3, middle + LENGTH // 3))
        cuts.append(int(middles[low + np.argmax(lengths[low:high])]) if high > low else middle)
    return [*cuts, frames]


def overlapping(graph: Graph, cuts: Sequence[int], overlap: int, limits: Limits) -> list[Stretch]:
    """Return the stretches between some cuts, each with `overlap` frames of its neighbours."""
    slots, last = (0, len(graph.ends) - 1), len(cuts) - 2
    return [
        Stretch(
            max(cuts[0], start - overlap), min(cuts[-1], stop + overlap), slots, number == 0, number == last, limits
        )
        for number, (start, stop) in enumerate(pairwise(cuts))
    ]


def rough_path(model: Model, graph: Graph, sound: Sound, hints: Limits) -> tuple[Indices | None, int]:
    """Return the rough path, None where there is none, and how many words it reaches."""
    frames = len(sound)
    for cuts in (cuts_of(np.zeros(frames, np.bool_)), [0, frames]):
        stretches = overlapping(graph, cuts, ROUGH_OVERLAP, hints)
        for first in range(0, len(stretches), AT_ONCE):
            _walk_roughly(model, graph, sound, stretches[first : first + AT_ONCE])
        path = joined(stretches)
        if path is not None:
            return path, stretches[-1].reached
    return None, 0


def _walk_roughly(model: Model, graph: Graph, sound: Sound, stretches: Sequence[Stretch]) -> None:
    start = stretches[0].start
    whole = frames_of(sound, start, stretches[-1].stop).whole

    def likely(a: int, b: int, states: slice) -> Floats:
        made: Floats = model.rough[graph.senone[states]] @ whole[:, a - start : b - start]
        made -= made.max(axis=0)
        return unheard(graph, sound, made, a, b, states)

    walk(graph, stretches, likely, ROUGH_BEAM)


def find(model: Model, graph: Graph, sound: Sound, hints: Limits) -> Found | None:
    """Return the path near a rough one; None where that does not go through all the words, or much is to be mended."""
    words = len(graph.ends) - 1
    state, reached = rough_path(model, graph, sound, hints)
    if state is None or reached < words:
        return None
    limits = around(graph, state)
    if limits.states is None:
        return None
    tables = Tables(model, graph, sound, limits.states, graph.word[state] != GAP)
    found = _walked(graph, tables, limits)
    if found is None:
        return None
    again = unsure(model, graph, found, limits)
    return None if again is None else _mended(graph, tables, found, again)


def _walked(graph: Graph, tables: Tables, limits: Limits) -> Found | None:
    """The path within some limits."""
    frames, words = len(tables.sound), len(graph.ends) - 1
    tables.over((start, min(start + _SPAN, frames)) for start in range(0, frames, _SPAN))
    for cuts in (cuts_of(~tables.words), [0, frames]):
        stretches = overlapping(graph, cuts, NEAR_OVERLAP, limits)
        walk(graph, stretches, tables.likely, BEAM)
        state = joined(stretches)
        if state is not None and stretches[-1].reached == words:
            scores, best = tables.score(state, 0)
            return found_of(graph, Path(state, best, words), scores)
    return None


def _mended(graph: Graph, tables: Tables, found: Found, again: Sequence[Again]) -> Found:
    """The path with the stretches around unsure words searched more widely: within REACH, then without limits."""
    state, best, scores = found.path.state.copy(), found.path.best.copy(), found.scores.copy()
    frames = len(state)
    for reach in (REACH, frames):
        limits = around(graph, state, reach)
        tables.states = _inside(graph, limits, again, frames)
        tables.over((one.start, one.stop) for one in again)
        stretches = [Stretch(one.start, one.stop, (one.low, one.high)) for one in again]
        walk(graph, stretches, tables.likely, BEAM)
        left = []
        for one, part in zip(stretches, again, strict=True):
            if one.path is not None and one.reached == part.high:
                here = slice(one.start, one.stop)
                state[here] = one.path
                scores[here], best[here] = tables.score(one.path, one.start)
                if part.settled(graph, one.path, scores[here], limits):
                    continue
            left.append(part)
        again = left
        if not again:
            break
    return found_of(graph, Path(state, best, found.path.reached), scores)


def _inside(graph: Graph, limits: Limits, again: Sequence[Again], frames: int) -> tuple[Indices, Indices]:
    """The limits of states within some stretches, of gaps the whole stretch; nowhere for all others."""
    count = len(graph.senone)
    begin, end = np.full(count, frames), np.full(count, -1)
    wide = limits.states or (begin, end)
    gap = graph.word == GAP
    for one in again:
        states = slice(int(graph.first_state[one.low]), int(graph.first_state[one.high]) + STATES * len(GAP_COSTS))
        begin[states] = np.where(gap[states], one.start, np.maximum(wide[0][states], one.start))
        end[states] = np.where(gap[states], one.stop - 1, np.minimum(wide[1][states], one.stop - 1))
    return begin, end
