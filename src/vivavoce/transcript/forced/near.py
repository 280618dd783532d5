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
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vivavoce.transcript.forced.graph import GAP, Graph, build, stretch_of
from vivavoce.transcript.forced.likelihood import Indices, frames_of, mixed
from vivavoce.transcript.forced.model import STATES, Floats, Model
from vivavoce.transcript.forced.pronounce import Phones
from vivavoce.transcript.forced.result import VOICE
from vivavoce.transcript.forced.search import Limits, Path, limits_of, search
from vivavoce.transcript.forced.sound import Sound

MARGIN = 15
BAD_WORD, AROUND = -4.0, 2
"""A word under this mean score is looked for again, with so many good words on each side."""
VOICE_FRAMES = 10
MOST_MENDED = 1 / 4
SURE_SCORE = -1.75
"""A path whose words have a mean score under this is searched for in full."""
_CHUNK = 16_384


@dataclass(frozen=True, slots=True)
class Found:
    """A path, the score of each of its frames, and the mean over the frames of its words."""

    path: Path
    scores: Floats
    score: float


def find(
    model: Model, words: Sequence[Sequence[Phones]], sound: Sound, hints: Limits | None, *, near: bool = True
) -> tuple[Graph, Found | None]:
    """Return the graph of some words and the likeliest path through it, None where there is none.

    Parameters: `words` by their pronunciations; `hints` where each word is about, give or take; `near` False: search
    in full at once.
    """
    graph = build(model, words)
    found = _near(model, graph, sound, hints) if near else None
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


def _near(model: Model, graph: Graph, sound: Sound, hints: Limits | None) -> Found | None:
    """The path near a rough one; None where that does not go through all the words, or much is to be mended."""
    words = len(graph.ends) - 1
    path = search(model, graph, sound, hints, roughly=True)
    if path is None or path.reached < words:
        return None
    first, last = _spans(graph, path)
    limits = _around(graph, path, first - MARGIN, last + MARGIN)
    path = search(model, graph, sound, limits)
    if path is None or path.reached < words:
        return None
    first, last = _spans(graph, path)
    at_limit = ((first <= limits.first) & (first > 0)) | ((last >= limits.last) & (last < len(sound) - 1))
    found = _scored(model, graph, sound, path)
    sums = np.concatenate(([0.0], np.cumsum(found.scores, dtype=np.float64)))
    bad = at_limit | ((sums[last + 1] - sums[first]) / (last + 1 - first) < BAD_WORD)
    bad |= _beside_voices(model, graph, path)
    return _mended(model, graph, sound, found, bad)


def _around(graph: Graph, path: Path, first: Indices, last: Indices) -> Limits:
    """The limits of words, and of states: gaps go with the words beside them, and the phones that the path goes
    through are within MARGIN of where it has them, those of other ways to say a word within the word's limits."""
    limits = limits_of(first, last)
    slot = np.repeat(np.arange(len(graph.ends)), np.diff(graph.first_state))
    is_gap = graph.word == GAP
    begin = np.where(is_gap, np.append(0, limits.first)[slot], np.append(limits.first, 0)[slot])
    end = np.append(limits.last, len(path.state))[slot]
    inside = graph.word[path.state] != GAP
    frames, chain = np.flatnonzero(inside), path.state[inside] // STATES
    phones, places = np.unique(chain, return_index=True)
    lasts = np.append(places[1:], len(chain)) - 1
    for state in range(STATES):
        begin[phones * STATES + state] = frames[places] - MARGIN
        end[phones * STATES + state] = frames[lasts] + MARGIN
    return Limits(limits.first, limits.last, (begin, end))


def _everywhere(graph: Graph) -> tuple[Indices, Indices]:
    count = len(graph.senone)
    return np.zeros(count, np.int64), np.full(count, np.iinfo(np.int64).max)


def _mended(model: Model, graph: Graph, sound: Sound, found: Found, bad: NDArray[np.bool_]) -> Found | None:
    """The path with the stretches around bad words searched without limits; None where that is too much of it."""
    first, last = _spans(graph, found.path)
    again = np.convolve(bad, np.ones(2 * AROUND + 1))[AROUND:-AROUND] > 0
    edges = np.flatnonzero(np.diff(np.concatenate(([False], again, [False]))))
    stretches = []
    for low, high in edges.reshape(-1, 2).tolist():
        start = int(last[low - 1]) + 1 if low else 0
        stop = int(first[high]) if high < len(first) else len(sound)
        stretches.append((low, high, start, stop))
    if sum(stop - start for *_, start, stop in stretches) > MOST_MENDED * len(sound):
        return None
    state, best, scores = found.path.state.copy(), found.path.best.copy(), found.scores.copy()
    for low, high, start, stop in stretches:
        part, words = Sound(sound.cepstrum[start:stop], sound.heard[start:stop]), stretch_of(graph, low, high)
        free = Limits(np.zeros(high - low, np.int64), np.full(high - low, stop), _everywhere(words))
        path = search(model, words, part, free)
        if path is not None and path.reached == high - low:
            state[start:stop] = path.state + graph.first_state[low]
            best[start:stop] = path.best
            scores[start:stop] = _scored(model, words, part, path).scores
    return _found(graph, replace(found.path, state=state, best=best), scores)


def _beside_voices(model: Model, graph: Graph, path: Path) -> NDArray[np.bool_]:
    """By word, whether there is a voice beside it that is in no word: it may be the word's own, drawn out."""
    voices = path.state[(graph.word[path.state] == GAP) & (graph.phone[path.state] == model.phones[VOICE])]
    slot = graph.first_state.searchsorted(voices, "right") - 1
    heard = np.bincount(slot, minlength=len(graph.ends)) >= VOICE_FRAMES
    beside: NDArray[np.bool_] = heard[:-1] | heard[1:]
    return beside


def _spans(graph: Graph, path: Path) -> tuple[Indices, Indices]:
    """The first and the last frame of each word of a path through all of them."""
    word = graph.word[path.state]
    places = np.flatnonzero(word != GAP)
    numbers = np.arange(len(graph.ends) - 1)
    first, last = np.searchsorted(word[places], numbers), np.searchsorted(word[places], numbers, "right") - 1
    return places[first], places[last]


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
    return _found(graph, path, result)


def _found(graph: Graph, path: Path, scores: Floats) -> Found:
    return Found(path, scores, float(scores[graph.word[path.state] != GAP].mean()))
