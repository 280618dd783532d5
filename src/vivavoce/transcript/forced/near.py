"""The likeliest path, found near a rough one: a tenth of the phones are tried in each frame, not all.

    1. rough: the whole text, one Gaussian a senone
    2. near: within MARGIN frames of where the rough path has each phone
    3. mended: where a word fits badly, stands at its limits or beside a voice that is in no word, without limits from
       the good words before to the good words after

Where a step leads nowhere, where much is to be mended, or where the words fit badly on the whole, the path is searched
in all frames and phones instead; so what is unlike its words is always judged by the full search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vivavoce.transcript.forced import hinted
from vivavoce.transcript.forced.found import Again, Found, around, found_of, unsure
from vivavoce.transcript.forced.graph import Graph, build, stretch_of
from vivavoce.transcript.forced.likelihood import Indices, frames_of, mixed
from vivavoce.transcript.forced.model import Model
from vivavoce.transcript.forced.pronounce import Phones
from vivavoce.transcript.forced.search import Limits, Path, search
from vivavoce.transcript.forced.sound import Sound

SURE_SCORE = -1.75
"""A path whose words have a mean score under this is searched for in full."""
_CHUNK = 16_384


def find(
    model: Model, words: Sequence[Sequence[Phones]], sound: Sound, hints: Limits | None, *, near: bool = True
) -> tuple[Graph, Found | None]:
    """Return the graph of some words and the likeliest path through it, None where there is none.

    Parameters: `words` by their pronunciations; `hints` where each word is about, give or take; `near` False: search
    in full at once.
    """
    graph = build(model, words)
    found = None
    if near:
        found = _near(model, graph, sound) if hints is None else hinted.find(model, graph, sound, hints)
    if found is None or found.score < SURE_SCORE:
        path = _full(model, graph, sound, hints)
        found = None if path is None else _scored(model, graph, sound, path)
    return graph, found


def _full(model: Model, graph: Graph, sound: Sound, hints: Limits | None) -> Path | None:
    """The path near the hints; where these do not lead through all the words, the path without."""
    path = None if hints is None else search(model, graph, sound, hints)
    if path is not None and path.reached == len(graph.ends) - 1:
        return path
    return search(model, graph, sound)


def _near(model: Model, graph: Graph, sound: Sound) -> Found | None:
    """The path near a rough one; None where that does not go through all the words, or much is to be mended."""
    words = len(graph.ends) - 1
    path = search(model, graph, sound, None, roughly=True)
    if path is None or path.reached < words:
        return None
    limits = around(graph, path.state)
    path = search(model, graph, sound, limits)
    if path is None or path.reached < words:
        return None
    found = _scored(model, graph, sound, path)
    stretches = unsure(model, graph, found, limits)
    return None if stretches is None else _mended(model, graph, sound, found, stretches)


def _everywhere(graph: Graph) -> tuple[Indices, Indices]:
    count = len(graph.senone)
    return np.zeros(count, np.int64), np.full(count, np.iinfo(np.int64).max)


def _mended(model: Model, graph: Graph, sound: Sound, found: Found, stretches: Sequence[Again]) -> Found:
    """The path with the stretches around bad words searched without limits."""
    state, best, scores = found.path.state.copy(), found.path.best.copy(), found.scores.copy()
    for one in stretches:
        low, high, start, stop = one.low, one.high, one.start, one.stop
        part, words = Sound(sound.cepstrum[start:stop], sound.heard[start:stop]), stretch_of(graph, low, high)
        free = Limits(np.zeros(high - low, np.int64), np.full(high - low, stop), _everywhere(words))
        path = search(model, words, part, free)
        if path is not None and path.reached == high - low:
            state[start:stop] = path.state + graph.first_state[low]
            best[start:stop] = path.best
            scores[start:stop] = _scored(model, words, part, path).scores
    return found_of(graph, replace(found.path, state=state, best=best), scores)


def _scored(model: Model, graph: Graph, sound: Sound, path: Path) -> Found:
    """A path with the log likelihood of each frame in its state, less that of the best context-free senone."""
    result = -path.best
    phone, senone = graph.phone[path.state], graph.senone[path.state]
    for start in range(0, len(sound), _CHUNK):
        stop = min(start + _CHUNK, len(sound))
        frames = frames_of(sound, start, stop)
        for one in np.unique(phone[start:stop]):
            places = np.flatnonzero(phone[start:stop] == one)
            senones, row = np.unique(senone[start + places], return_inverse=True)
            made = mixed(model, frames, int(one), senones, places)
            result[start + places] += made[row, np.arange(len(places))]
    return found_of(graph, path, result)
