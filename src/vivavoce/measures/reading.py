"""Repetitions of a tongue twister, and whether the pace rises over them (M6, L5).

The reference is repeated before aligning (L5), so the alignment says for each word to which repetition it belongs.
A repetition is complete where its first and its last reference word were heard (matched or substituted) and at
least 80 % of its words were: a stumble inside does not lose it, a repetition that breaks off is not compared.

How much faster the last is than the first is a median over the words that both have: of a sentence of two seconds, one
word's edge that is off by 0.1 s is all of the 5 % that decide, and the edges at the ends are the ones that are off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Protocol, overload

from vivavoce.arithmetic import on_grid
from vivavoce.measurement import Measurement, measured
from vivavoce.measures.pauses import pauses, response, total_ms
from vivavoce.timeline import Pause, Segment, Word

RISE = Fraction(105, 100)
HEARD_AT_LEAST = Fraction(80, 100)
WORDS_IN_BOTH = 3
# A stretch of two edges nearer than this (first and last repetition together) says little of the pace.
STRETCH_MS = 300
# Pairs grow with the square of the edges: of a long text evenly spaced ones are taken.
MOST_EDGES = 120


class Aligned(Protocol):
    """What this module needs to know of one reference word of an alignment.

    `repetition`: index of the repetition it belongs to, from 0 (None: an insertion, no reference word).
    `first_heard`, `last_heard`: indices of the heard words that it matched or was substituted by (a number phrase
    may be several words); None where it was omitted.
    """

    @property
    def repetition(self) -> int | None: ...
    @property
    def first_heard(self) -> int | None: ...
    @property
    def last_heard(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Repetition(Sequence[Word]):
    """A complete repetition: its words, all between the first and the last heard one, insertions too.

    `heard[i]`: indices into `words` of the first and last word heard for reference word i, None where it was omitted.
    """

    words: tuple[Word, ...]
    heard: tuple[tuple[int, int] | None, ...]

    def __len__(self) -> int:
        return len(self.words)

    @overload
    def __getitem__(self, index: int) -> Word: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Word, ...]: ...
    def __getitem__(self, index: int | slice) -> Word | tuple[Word, ...]:
        return self.words[index]


def repetitions_from(labels: Iterable[Aligned], words: Sequence[Word]) -> tuple[Repetition, ...]:
    """Return each complete repetition, in order: from its first to its last heard word, all between.

    Parameters: `labels` one entry a token of the alignment, in order; `words` the heard words that they point into.
    Returns a `Repetition` a complete repetition (the module's head says what is complete). Source: M6, L5.
    """
    by_repetition: dict[int, list[Aligned]] = {}
    for label in labels:
        if label.repetition is not None:
            by_repetition.setdefault(label.repetition, []).append(label)
    complete: list[Repetition] = []
    for _, members in sorted(by_repetition.items()):
        first, last = members[0].first_heard, members[-1].last_heard
        places = [_places(member, first or 0) for member in members]
        heard = sum(place is not None for place in places)
        if first is not None and last is not None and heard >= HEARD_AT_LEAST * len(members):
            complete.append(Repetition(tuple(words[first : last + 1]), tuple(places)))
    return tuple(complete)


def _places(label: Aligned, offset: int) -> tuple[int, int] | None:
    if label.first_heard is None or label.last_heard is None:
        return None
    return label.first_heard - offset, label.last_heard - offset


def pace_rises(
    repetitions: Sequence[Sequence[Word]],
    is_counted: Callable[[Word], bool] = lambda _: True,
    unwritten: Sequence[Segment] = (),
) -> Measurement:
    """Return 1 where the last complete repetition is at least 5 % faster than the first, else 0 with the reason.

    faster = weighted median over stretches of time_first / time_last, a stretch running between the same two word
    edges in both, weighted by its length; hesitations (1.2 s or more) are taken out, as from pace (M4). Where fewer
    than three reference words are in both, or words come without an alignment: ratio of words / speaking time.
    rises where faster >= 1.05, compared exactly.

    Parameters: `repetitions` the complete ones (`repetitions_from`, or each its words in order); `is_counted` whether a
    word is one for pace (a filled pause is not, M1); `unwritten` speech that nobody wrote down, which parts gaps.
    Returns a flag with a note that says how much faster and both paces, or why there is nothing to compare. Source: M6;
    median against ratio: docs/evidence/pace.md.
    """
    if len(repetitions) < 2:
        found = "no complete repetition" if not repetitions else "one complete repetition"
        return measured("pace_rises", 0, "flag", "M6", f"{found}, two are needed")
    first, last = (_words_per_minute(words, is_counted, unwritten) for words in (repetitions[0], repetitions[-1]))
    if first is None or last is None:
        return measured("pace_rises", 0, "flag", "M6", "a repetition has no words or no length")
    by_words = _median_ratio(repetitions[0], repetitions[-1], unwritten)
    faster = last / first if by_words is None else by_words
    percent = (faster - 1) * 100
    rises = faster >= RISE
    note = (
        f"first of {len(repetitions)} complete repetitions {_tenth(first)} words/min, last {_tenth(last)}: "
        f"{'+' if percent >= 0 else '-'}{_tenth(abs(percent))} %"
        f"{'' if by_words is None else ' in the median of words'}, {'at least' if rises else 'less than'} +5 %"
    )
    return measured("pace_rises", int(rises), "flag", "M6", note)


def _median_ratio(first: Sequence[Word], last: Sequence[Word], unwritten: Sequence[Segment] = ()) -> Fraction | None:
    """How many times as fast the last is: the weighted median over stretches between edges that both have.

    Of ratios that share the middle the lower counts. None where too few words are in both.
    """
    ratios = stretches(first, last, unwritten)
    if ratios is None:
        return None
    whole, passed = sum(weight for _, weight in ratios), 0
    for ratio, weight in ratios:
        passed += weight
        if 2 * passed >= whole:
            return ratio
    return None


def stretches(
    first: Sequence[Word], last: Sequence[Word], unwritten: Sequence[Segment] = ()
) -> list[tuple[Fraction, int]] | None:
    """Return what `pace_rises` takes the median of: a pair for each stretch between two word edges that both have.

    ratio = time in the first / time in the last; weight = both times added, in milliseconds.

    Parameters: as in `pace_rises`, of the first and the last repetition. Returns the pairs by rising ratio, stretches
    under STRETCH_MS left out; None where fewer than three reference words are in both. Source: M6.
    """
    edges = _common_edges(first, last, unwritten)
    if len(edges) < 2 * WORDS_IN_BOTH:
        return None
    taken = min(len(edges), MOST_EDGES)
    edges = [edges[index * len(edges) // taken] for index in range(taken)]
    times = [(end[0] - start[0], end[1] - start[1]) for start, end in combinations(edges, 2)]
    return sorted(
        (Fraction(one, other), one + other)
        for one, other in times
        if one > 0 and other > 0 and one + other >= STRETCH_MS
    )


def _common_edges(first: Sequence[Word], last: Sequence[Word], unwritten: Sequence[Segment]) -> list[tuple[int, int]]:
    """The starts and ends of reference words that both have, in the speaking time of each, in milliseconds."""
    if not (isinstance(first, Repetition) and isinstance(last, Repetition)):
        return []
    early, late = _speaking_times(first, unwritten), _speaking_times(last, unwritten)
    # Reference words that were read as one word share its place.
    both = dict.fromkeys(zip(first.heard, last.heard, strict=True))
    return [
        (early[one[side]][side], late[other[side]][side])
        for one, other in both
        if one is not None and other is not None
        for side in (0, 1)
    ]


def _hesitations(words: Sequence[Word], unwritten: Sequence[Segment]) -> list[Pause]:
    """The hesitations between the words; what nobody wrote down counts between the first and the last of them."""
    whole = response(words)
    inside = [one for one in unwritten if whole.start_ms <= one.start_ms and one.end_ms <= whole.end_ms]
    return [pause for pause in pauses(words, [False] * len(words), inside) if pause.kind == "hesitation"]


def _speaking_times(words: Sequence[Word], unwritten: Sequence[Segment]) -> list[tuple[int, int]]:
    """Start and end of each word, hesitations before it taken out."""
    waits = _hesitations(words, unwritten)
    taken = [sum(wait.length_ms for wait in waits if wait.end_ms <= word.start_ms) for word in words]
    return [(word.start_ms - out, word.end_ms - out) for word, out in zip(words, taken, strict=True)]


def _words_per_minute(
    words: Sequence[Word], is_counted: Callable[[Word], bool], unwritten: Sequence[Segment]
) -> Fraction | None:
    count = sum(map(is_counted, words))
    speaking_ms = response(words).length_ms - total_ms(_hesitations(words, unwritten))
    return Fraction(count * 60_000, speaking_ms) if count and speaking_ms > 0 else None


def _tenth(value: Fraction) -> str:
    return f"{float(on_grid(value, 10)):.1f}"
