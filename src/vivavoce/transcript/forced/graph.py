"""The words to be found, as states in a row: what may be heard, in which order.

    gap word gap word ... gap       gap = nothing, or any run of silence, noise and a voice that says other things

Each word is one chain of states a pronunciation, each phone three states; a state is kept or left for the next. A
word's first phone may follow any end of the word before, or of the gap between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vivavoce.transcript.forced.model import STATES, Floats, Model
from vivavoce.transcript.forced.pronounce import Phones
from vivavoce.transcript.forced.result import NOISE, SILENCE, VOICE

# Log costs of a stretch of silence, and of a noise, between words.
GAP_COSTS = {SILENCE: -5.0, NOISE: -12.0, VOICE: -12.0}
DEAD = -1e9
GAP = -1


@dataclass(frozen=True, slots=True)
class Graph:
    """States in the order of the text. Slot i is the gap before word i and the word; the last slot is a gap alone.

    By state: `senone`, `phone`, `stay`, `leave`, `word` (GAP in a gap). By entry (a chain's first state): `entry`,
    `before` (states it may follow; `start`, `nowhere` stand for the beginning and for none). By slot:
    `first_state`, `first_entry` (one more than slots) and `least`, frames needed to come there, and `ends`:
    where a path ends that has heard the words before the slot.
    """

    senone: NDArray[np.int64]
    phone: NDArray[np.int64]
    stay: Floats
    leave: Floats
    word: NDArray[np.int64]
    entry: NDArray[np.int64]
    before: NDArray[np.int64]
    first_state: NDArray[np.int64]
    first_entry: NDArray[np.int64]
    least: NDArray[np.int64]
    ends: tuple[tuple[int, ...], ...]

    @property
    def nowhere(self) -> int:
        """Stands for a state that is never reached."""
        return len(self.senone)

    @property
    def start(self) -> int:
        """Stands for the beginning of the recording."""
        return len(self.senone) + 1


@dataclass(slots=True)
class _Builder:
    model: Model
    senone: list[int] = field(default_factory=list)
    phone: list[int] = field(default_factory=list)
    word: list[int] = field(default_factory=list)
    entry: list[int] = field(default_factory=list)
    before: list[tuple[int, ...]] = field(default_factory=list)
    cost: list[float] = field(default_factory=list)
    known: dict[tuple[str, str, str, int], list[int]] = field(default_factory=dict)

    def chain(self, word: int, phones: Sequence[str], left: str, right: str, cost: float = 0.0) -> int:
        """Add a chain of states and return its last state; what it may follow is added later."""
        self.entry.append(len(self.senone))
        self.cost.append(cost)
        around = [left, *phones, right]
        for index, phone in enumerate(phones):
            self.senone += self._senones(phone, around[index], around[index + 2], _place(index, len(phones)))
            self.phone += [self.model.phones[phone]] * STATES
            self.word += [word] * STATES
        return len(self.senone) - 1

    def _senones(self, phone: str, left: str, right: str, place: int) -> list[int]:
        """The senones of a phone between two others at a place, which the model would look for again each time."""
        context = phone, left, right, place
        if context not in self.known:
            self.known[context] = self.model.senones(phone, left, right, place).tolist()
        return self.known[context]


def _place(index: int, count: int) -> int:
    if count == 1:
        return 3
    return 1 if index == 0 else 2 if index == count - 1 else 0


def build(model: Model, words: Sequence[Sequence[Phones]]) -> Graph:
    """Return the graph of words, each given by its pronunciations (at least one word, each with at least one).

    Triphones take their neighbours across words from the usual pronunciations, as if no gap were between.
    """
    made = _Builder(model)
    start = -1
    ends: list[tuple[int, ...]] = []
    first_state, first_entry, least = [], [], [0]
    previous: tuple[int, ...] = (start,)
    for index in range(len(words) + 1):
        first_state.append(len(made.senone))
        first_entry.append(len(made.entry))
        fillers = tuple(made.chain(GAP, [phone], SILENCE, SILENCE, cost) for phone, cost in GAP_COSTS.items())
        ends.append((*previous, *fillers))
        made.before += [ends[-1]] * len(fillers)
        if index == len(words):
            break
        left = words[index - 1][0][-1] if index else SILENCE
        right = words[index + 1][0][0] if index + 1 < len(words) else SILENCE
        own = tuple(made.chain(index, phones, left, right) for phones in words[index])
        made.before += [ends[-1]] * len(own)
        least.append(least[-1] + STATES * min(len(phones) for phones in words[index]))
        previous = own
    first_state.append(len(made.senone))
    first_entry.append(len(made.entry))
    return _arrays(made, first_state, first_entry, least, ends)


def _arrays(
    made: _Builder, first_state: list[int], first_entry: list[int], least: list[int], ends: list[tuple[int, ...]]
) -> Graph:
    phone = np.array(made.phone)
    state = np.arange(len(phone)) % STATES
    stay, leave = made.model.stay[phone, state], made.model.leave[phone, state]
    # A gap's cost is paid when it is left.
    for first, cost in zip(made.entry, made.cost, strict=True):
        leave[first + STATES - 1] += cost
    width = max(map(len, made.before))
    before = np.full((len(made.before), width), len(phone))
    for row, follows in enumerate(made.before):
        before[row, : len(follows)] = [source if source >= 0 else len(phone) + 1 for source in follows]
    return Graph(
        np.array(made.senone),
        phone,
        np.asarray(stay, np.float32),
        np.asarray(leave, np.float32),
        np.array(made.word),
        np.array(made.entry),
        before,
        np.array(first_state),
        np.array(first_entry),
        np.array(least),
        tuple(ends),
    )


def stretch_of(graph: Graph, low: int, high: int) -> Graph:
    """Return the part of a graph with the words from low up to high, and the gaps before, between and after them.

    The first word's phones and the last one's keep their triphones.
    """
    gap = STATES * len(GAP_COSTS)
    states = slice(int(graph.first_state[low]), int(graph.first_state[high]) + gap)
    entries = slice(int(graph.first_entry[low]), int(graph.first_entry[high]) + len(GAP_COSTS))
    count = states.stop - states.start
    before = graph.before[entries]
    inside = (before >= states.start) & (before < states.stop)
    outside = np.where(before == graph.nowhere, count, count + 1)
    ends = tuple(tuple(state - states.start for state in these) for these in graph.ends[low : high + 1])
    word = graph.word[states]
    return Graph(
        graph.senone[states],
        graph.phone[states],
        graph.stay[states],
        graph.leave[states],
        np.where(word == GAP, GAP, word - low),
        graph.entry[entries] - states.start,
        np.where(inside, before - states.start, outside),
        np.append(graph.first_state[low : high + 1] - states.start, count),
        np.append(graph.first_entry[low : high + 1] - entries.start, entries.stop - entries.start),
        graph.least[low : high + 1] - graph.least[low],
        ends,
    )
