"""Repetitions of a tongue twister, and whether the pace rises over them (M6, L5).

The reference is repeated before aligning (L5), so the alignment says for each word to which repetition it belongs.
A repetition is complete where its first and its last reference word were heard (matched or substituted) and at
least 80 % of its words were: a stumble inside does not lose it, a repetition that breaks off is not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Protocol

from vivavoce.arithmetic import on_grid
from vivavoce.measurement import Measurement, measured
from vivavoce.measures.pauses import pauses, total_ms
from vivavoce.measures.rate import response_length_ms
from vivavoce.timeline import Word

RISE = Fraction(105, 100)
HEARD_AT_LEAST = Fraction(80, 100)


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


def repetitions_from(labels: Iterable[Aligned], words: Sequence[Word]) -> tuple[tuple[Word, ...], ...]:
    """Return the words of each complete repetition, in order: from its first to its last heard word, all between.

    Parameters: `labels` one entry a token of the alignment, in order; `words` the heard words that they point into.
    Returns a tuple a complete repetition (the module's head says what is complete). Source: M6, L5.
    """
    by_repetition: dict[int, list[Aligned]] = {}
    for label in labels:
        if label.repetition is not None:
            by_repetition.setdefault(label.repetition, []).append(label)
    complete: list[tuple[Word, ...]] = []
    for _, members in sorted(by_repetition.items()):
        first, last = members[0].first_heard, members[-1].last_heard
        heard = sum(member.first_heard is not None for member in members)
        if first is not None and last is not None and heard >= HEARD_AT_LEAST * len(members):
            complete.append(tuple(words[first : last + 1]))
    return tuple(complete)


def pace_rises(
    repetitions: Sequence[Sequence[Word]],
    is_counted: Callable[[Word], bool] = lambda _: True,
) -> Measurement:
    """Return 1 where the last complete repetition is at least 5 % faster than the first, else 0 with the reason.

    pace = counted words / speaking time (first word's start to last word's end less gaps of 1.2 s or more, as M4);
    rises where pace_last >= 1.05 * pace_first, compared exactly.

    Parameters: `repetitions` the complete ones, each its words in order (`repetitions_from`); `is_counted` whether a
    word is one for pace (a filled pause is not, M1).
    Returns a flag with a note that says both paces, or why there is nothing to compare. Source: M6.
    """
    if len(repetitions) < 2:
        found = "no complete repetition" if not repetitions else "one complete repetition"
        return measured("pace_rises", 0, "flag", "M6", f"{found}, two are needed")
    first, last = (_words_per_minute(repetition, is_counted) for repetition in (repetitions[0], repetitions[-1]))
    if first is None or last is None:
        return measured("pace_rises", 0, "flag", "M6", "a repetition has no words or no length")
    percent = (last / first - 1) * 100
    rises = last >= RISE * first
    note = (
        f"first of {len(repetitions)} complete repetitions {_tenth(first)} words/min, last {_tenth(last)}: "
        f"{'+' if percent >= 0 else '-'}{_tenth(abs(percent))} %, {'at least' if rises else 'less than'} +5 %"
    )
    return measured("pace_rises", int(rises), "flag", "M6", note)


def _words_per_minute(words: Sequence[Word], is_counted: Callable[[Word], bool]) -> Fraction | None:
    count = sum(map(is_counted, words))
    speaking_ms = response_length_ms(words) - total_ms(pauses(words, [False] * len(words)), "hesitation")
    return Fraction(count * 60_000, speaking_ms) if count and speaking_ms > 0 else None


def _tenth(value: Fraction) -> str:
    return f"{float(on_grid(value, 10)):.1f}"
