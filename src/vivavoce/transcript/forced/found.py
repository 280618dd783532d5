"""A path through all the words: where it has each, how well frames fit, and which words are to be looked for again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.transcript.forced.graph import GAP, Graph
from vivavoce.transcript.forced.likelihood import Indices
from vivavoce.transcript.forced.model import STATES, Floats, Model
from vivavoce.transcript.forced.result import VOICE
from vivavoce.transcript.forced.search import Limits, Path, limits_of

MARGIN = 15
BAD_WORD, AROUND = -4.0, 2
"""A word under this mean score is looked for again, with so many good words on each side."""
VOICE_FRAMES = 10
MOST_MENDED = 1 / 4


@dataclass(frozen=True, slots=True)
class Found:
    """A path, the score of each of its frames, and the mean over the frames of its words."""

    path: Path
    scores: Floats
    score: float


def around(graph: Graph, state: Indices, margin: int = MARGIN) -> Limits:
    """The limits of words, and of states: gaps go with the words beside them, and the phones that the path goes
    through are within `margin` of where it has them, those of other ways to say a word within the word's limits."""
    first, last = spans(graph, state)
    limits = limits_of(first - margin, last + margin)
    slot = np.repeat(np.arange(len(graph.ends)), np.diff(graph.first_state))
    is_gap = graph.word == GAP
    begin = np.where(is_gap, np.append(0, limits.first)[slot], np.append(limits.first, 0)[slot])
    end = np.append(limits.last, len(state))[slot]
    inside = graph.word[state] != GAP
    frames, chain = np.flatnonzero(inside), state[inside] // STATES
    phones, places = np.unique(chain, return_index=True)
    lasts = np.append(places[1:], len(chain)) - 1
    for place in range(STATES):
        begin[phones * STATES + place] = frames[places] - margin
        end[phones * STATES + place] = frames[lasts] + margin
    return Limits(limits.first, limits.last, (begin, end))


def spans(graph: Graph, state: Indices, low: int = 0, high: int | None = None) -> tuple[Indices, Indices]:
    """The first and the last frame of each word, or of those from `low` up to `high`, of a path through them."""
    word = graph.word[state]
    places = np.flatnonzero(word != GAP)
    numbers = np.arange(low, len(graph.ends) - 1 if high is None else high)
    first, last = np.searchsorted(word[places], numbers), np.searchsorted(word[places], numbers, "right") - 1
    return places[first], places[last]


@dataclass(frozen=True, slots=True)
class Again:
    """The words from `low` up to `high`, to be searched again in the frames from `start` up to `stop`."""

    low: int
    high: int
    start: int
    stop: int

    def settled(self, graph: Graph, state: Indices, scores: Floats, limits: Limits) -> bool:
        """Whether, by a path of its frames, no word fits badly or stands at its limits, but for those of the frames."""
        first, last = spans(graph, state, self.low, self.high)
        own = slice(self.low, self.high)
        early = (first + self.start <= limits.first[own]) & (first > 0)
        late = (last + self.start >= limits.last[own]) & (last < len(state) - 1)
        return not (early | late | (_means(scores, first, last) < BAD_WORD)).any()


def unsure(model: Model, graph: Graph, found: Found, limits: Limits) -> list[Again] | None:
    """Return what is to be searched again without limits, None where that is too much.

    That are words that stand at their limits, fit badly or are beside a voice that is in no word, each with AROUND
    words on both sides, in the frames between the good words.
    """
    first, last = spans(graph, found.path.state)
    frames = len(found.scores)
    bad = ((first <= limits.first) & (first > 0)) | ((last >= limits.last) & (last < frames - 1))
    bad |= _means(found.scores, first, last) < BAD_WORD
    bad |= _beside_voices(model, graph, found.path)
    again = np.convolve(bad, np.ones(2 * AROUND + 1))[AROUND:-AROUND] > 0
    edges = np.flatnonzero(np.diff(np.concatenate(([False], again, [False]))))
    stretches = []
    for low, high in edges.reshape(-1, 2).tolist():
        start = int(last[low - 1]) + 1 if low else 0
        stop = int(first[high]) if high < len(first) else frames
        stretches.append(Again(low, high, start, stop))
    return None if sum(one.stop - one.start for one in stretches) > MOST_MENDED * frames else stretches


def _means(scores: Floats, first: Indices, last: Indices) -> NDArray[np.float64]:
    """The mean score of each word."""
    sums = np.concatenate(([0.0], np.cumsum(scores, dtype=np.float64)))
    means: NDArray[np.float64] = (sums[last + 1] - sums[first]) / (last + 1 - first)
    return means


def _beside_voices(model: Model, graph: Graph, path: Path) -> NDArray[np.bool_]:
    """By word, whether there is a voice beside it that is in no word: it may be the word's own, drawn out."""
    voices = path.state[(graph.word[path.state] == GAP) & (graph.phone[path.state] == model.phones[VOICE])]
    slot = graph.first_state.searchsorted(voices, "right") - 1
    heard = np.bincount(slot, minlength=len(graph.ends)) >= VOICE_FRAMES
    beside: NDArray[np.bool_] = heard[:-1] | heard[1:]
    return beside


def found_of(graph: Graph, path: Path, scores: Floats) -> Found:
    return Found(path, scores, float(scores[graph.word[path.state] != GAP].mean()))
