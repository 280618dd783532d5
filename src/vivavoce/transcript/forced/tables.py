"""How likely the frames of a recording are in the states that may be there, span by span, as they are wanted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.transcript.forced.graph import DEAD, GAP, Graph
from vivavoce.transcript.forced.likelihood import RIVALS, Indices, frames_of, mixed, rough
from vivavoce.transcript.forced.model import STATES, Floats, Model
from vivavoce.transcript.forced.search import UNHEARD
from vivavoce.transcript.forced.sound import Sound

BESIDE = 5
"""The best rival is looked for where a word is thought to be, and so many frames beside."""


def unheard(graph: Graph, sound: Sound, made: Floats, a: int, b: int, states: slice) -> Floats:
    """Let a gap take frames of digital silence for nothing, and a word at a cost, whatever the model says."""
    silent = np.flatnonzero(~sound.heard[a:b])
    if len(silent):
        made[:, silent] = np.where(graph.word[states] == GAP, np.float32(0), np.float32(-UNHEARD))[:, None]
    return made


@dataclass(frozen=True, slots=True)
class Table:
    """How likely the frames of a span are in the senones that may be said there, and in their best, by frame."""

    start: int
    stop: int
    first: int
    row: Indices
    over_best: Floats
    best: Floats

    def rows(self, states: Indices) -> Indices:
        """The rows of some states; of one that may not be in the span any row."""
        return self.row.take(states - self.first, mode="clip")


def table(
    model: Model,
    graph: Graph,
    sound: Sound,
    span: tuple[int, int],
    limits: tuple[Indices, Indices],
    words: NDArray[np.bool_],
) -> Table:
    """Return the likelihoods of a span, in the states whose limits reach into it.

    `words`: the frames in which a word is thought to be: there the best rival matters.
    """
    (start, stop), (begin, end) = span, limits
    count, phones = stop - start, len(model.phones)
    states = np.flatnonzero((begin < stop) & (end >= start))
    needed = _needed(graph, span, limits, states, phones)
    frames = frames_of(sound, start, stop)
    likely = rough(model, frames, np.arange(model.context_free)).reshape(phones, STATES, count).max(axis=1)
    rivals = np.partition(likely, phones - RIVALS, axis=0)[phones - RIVALS]
    needed |= likely >= np.where(words[start:stop], rivals, np.inf)
    senones, row = np.unique(graph.senone[states], return_inverse=True)
    rows = np.zeros(states[-1] + 1 - states[0], np.int64)
    rows[states - states[0]] = row
    made = np.full((len(senones), count), DEAD, np.float32)
    best = np.full(count, DEAD, np.float32)
    owners = model.phone_of[senones]
    order = np.argsort(owners, kind="stable")
    edges = np.searchsorted(owners[order], np.arange(phones + 1))
    for phone in np.flatnonzero(needed.any(axis=1)).tolist():
        places = np.flatnonzero(needed[phone])
        own = order[edges[phone] : edges[phone + 1]]
        free = np.arange(STATES * phone, STATES * (phone + 1))
        exact = mixed(model, frames, phone, np.concatenate((free, senones[own])), places)
        best[places] = np.maximum(best[places], exact[:STATES].max(axis=0))
        made[own[:, None], places] = exact[STATES:]
    made -= best
    return Table(start, stop, int(states[0]), rows, made, best)


def _needed(
    graph: Graph, span: tuple[int, int], limits: tuple[Indices, Indices], states: Indices, phones: int
) -> NDArray[np.bool_]:
    """By phone and frame of a span, whether a state of it may be there."""
    (start, stop), (begin, end) = span, limits
    steps = np.zeros((phones, stop - start + 1), np.int32)
    np.add.at(steps, (graph.phone[states], np.maximum(begin[states] - start, 0)), 1)
    np.add.at(steps, (graph.phone[states], np.minimum(end[states] + 1, stop) - start), -1)
    needed: NDArray[np.bool_] = np.cumsum(steps, axis=1)[:, :-1] > 0
    return needed


class Tables:
    """The likelihoods of some spans of a recording, made as they are wanted."""

    def __init__(
        self, model: Model, graph: Graph, sound: Sound, states: tuple[Indices, Indices], words: NDArray[np.bool_]
    ) -> None:
        self.model, self.graph, self.sound = model, graph, sound
        self.states, self.words = states, words
        wide = np.convolve(words, np.ones(2 * BESIDE + 1), "same")
        self._judged = wide > 0
        self._spans: list[tuple[int, int]] = []
        self._made: dict[int, Table] = {}

    def over(self, spans: Iterable[tuple[int, int]]) -> None:
        """Make them over these spans, in order, none over another."""
        self._spans = list(spans)
        self._made.clear()

    def parts(self, a: int, b: int) -> Iterator[tuple[Table, slice]]:
        """The tables of some frames, and which of their frames those are."""
        number = bisect_right(self._spans, (a, len(self.sound))) - 1
        while number < len(self._spans) and self._spans[number][0] < b:
            span = self._spans[number]
            if number not in self._made:
                made = table(self.model, self.graph, self.sound, span, self.states, self._judged)
                self._made[number] = made
            yield self._made[number], slice(max(a, span[0]) - span[0], min(b, span[1]) - span[0])
            number += 1

    def likely(self, a: int, b: int, states: slice) -> Floats:
        """The likelihoods that `walk` wants, DEAD where a state may not be."""
        every = np.arange(states.start, states.stop)
        parts = [one.over_best[:, here].take(one.rows(every), axis=0) for one, here in self.parts(a, b)]
        made = parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)
        made = unheard(self.graph, self.sound, made, a, b, states)
        frames, (begin, end) = np.arange(a, b), self.states
        made[(frames < begin[states, None]) | (frames > end[states, None])] = DEAD
        return made

    def score(self, path: Indices, start: int) -> tuple[Floats, Floats]:
        """The score of each frame of a path from a frame on, and the best of each frame."""
        scores, best = [], []
        for one, here in self.parts(start, start + len(path)):
            at = one.start - start
            rows = one.rows(path[at + here.start : at + here.stop])
            scores.append(one.over_best[rows, np.arange(here.start, here.stop)])
            best.append(one.best[here])
        return np.concatenate(scores), np.concatenate(best)
