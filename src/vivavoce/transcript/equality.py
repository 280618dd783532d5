"""Which tokens of a reading match which tokens of its reference, and why.

One against one: any number and any number (L1), the same key (exact, or British and American spelling), an abbreviation
and its reading ("Dr" - "doctor"), homophones (L2), an alternative that the task accepts. Several against one:
neighbours that are written together ("every day" - "everyday", up to three parts), a year read in pairs ("1984" -
"nineteen eighty-four", "1905" - "nineteen oh five"), an accepted alternative of several words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from vivavoce.trace import plain
from vivavoce.transcript.numbers import SPOKEN
from vivavoce.transcript.spelling import ABBREVIATIONS, sounds
from vivavoce.transcript.words import Token

How = Literal[
    "exact", "number", "spelling", "abbreviation", "homophone", "compound", "year", "accepted", "substitution", "none"
]
MAX_PARTS = 3
_NUMBER = "#number"

# A reference word (by key) -> the token keys of each alternative that is accepted for it.
Accepted = Mapping[str, Sequence[tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Match:
    """`reference` tokens that match `hypothesis` tokens: wherever the latter end before one of the positions `ends`.

    One of the two counts is 1. `how` says why; "exact" for one against one, where `how_matched` finds out.
    """

    reference: int
    hypothesis: int
    how: How
    ends: tuple[int, ...]


def how_matched(reference: Token, hypothesis: Token, accepted: Accepted) -> How:
    """Return how two tokens match one to one; "substitution" where they do not."""
    if reference.form == hypothesis.form:
        return "exact"
    if reference.number is not None and hypothesis.number is not None:
        return "number"
    if reference.key == hypothesis.key:
        return "spelling"
    if (hypothesis.key,) in accepted.get(reference.key, ()):
        return "accepted"
    if _readings(reference) & _readings(hypothesis):
        return "abbreviation"
    return "homophone" if _sounds(reference) & _sounds(hypothesis) else "substitution"


def values_differ(reference: Token, hypothesis: Token) -> str:
    """Return the note for two numbers of different value, else nothing (the value is not caught, but reported)."""
    if reference.number is None or hypothesis.number is None or reference.number == hypothesis.number:
        return ""
    return f"value differs: {plain(reference.number)} in the reference, {plain(hypothesis.number)} read"


def find_matches(
    reference: Sequence[Token], hypothesis: Sequence[Token], accepted: Accepted
) -> list[tuple[Match, ...]]:
    """Return for each reference token the matches that end with it.

    The work is linear in both lengths plus, for each different reference token, the number of its matches.
    """
    index = _Index(hypothesis, frozenset(name for token in set(reference) for name in _whole_names(token)))
    singles: dict[tuple[str, str, bool], tuple[Match, ...]] = {}
    found = []
    for i, token in enumerate(reference):
        kind = (token.key, token.form, token.number is not None)
        if kind not in singles:
            singles[kind] = (*index.of_token(token), *index.accepted(accepted.get(token.key, ())))
        runs = (reference[i + 1 - count : i + 1] for count in range(2, min(MAX_PARTS, i + 1) + 1))
        found.append((*singles[kind], *(match for run in runs for match in index.of_run(run))))
    return found


class _Index:
    """Where the tokens of a reading end, by the names under which they match."""

    def __init__(self, hypothesis: Sequence[Token], wanted: frozenset[str]) -> None:
        """`wanted`: what neighbours may make up together."""
        self._tokens = hypothesis
        self._single: dict[str, list[int]] = defaultdict(list)
        self._joined: dict[tuple[str, int], list[int]] = defaultdict(list)
        whole: dict[str, list[int]] = defaultdict(list)
        for end, token in enumerate(hypothesis, 1):
            for name in _names(token):
                self._single[name].append(end)
            for name in _whole_names(token):
                whole[name].append(end)
            for count in range(2, min(MAX_PARTS, end) + 1):
                for name in wanted.intersection(_run_names(hypothesis[end - count : end])):
                    self._joined[name, count].append(end)
        self._ends = {name: tuple(ends) for name, ends in whole.items()}

    def of_token(self, token: Token) -> Iterator[Match]:
        """Yield what one reference token matches: single tokens, and neighbours that make it up."""
        if ends := _sorted(self._single.get(name, ()) for name in _names(token)):
            yield Match(1, 1, "exact", ends)
        how: How = "compound" if token.number is None else "year"
        for count in range(2, MAX_PARTS + 1):
            if ends := _sorted(self._joined.get((name, count), ()) for name in _whole_names(token)):
                yield Match(1, count, how, ends)

    def of_run(self, run: Sequence[Token]) -> Iterator[Match]:
        """Yield where one token stands for neighbours of the reference."""
        for name in _run_names(run):
            if name in self._ends:
                yield Match(len(run), 1, "year" if name.startswith(_NUMBER) else "compound", self._ends[name])

    def accepted(self, alternatives: Sequence[tuple[str, ...]]) -> Iterator[Match]:
        """Yield where an accepted alternative stands, of one word or more."""
        for keys in alternatives:
            ends = tuple(
                end
                for end in range(len(keys), len(self._tokens) + 1)
                if tuple(token.key for token in self._tokens[end - len(keys) : end]) == keys
            )
            if ends:
                yield Match(1, len(keys), "accepted", ends)


def _sorted(found: Iterable[Iterable[int]]) -> tuple[int, ...]:
    return tuple(sorted({end for ends in found for end in ends}))


def _readings(token: Token) -> frozenset[str]:
    return frozenset((token.key, *ABBREVIATIONS.get(token.form, ())))


def _sounds(token: Token) -> frozenset[str]:
    # Digits sound as their one word ("4" as "for"), where they have one.
    word = SPOKEN.get(token.number) if isinstance(token.number, int) and token.form == token.key else None
    return sounds(word or token.form, token.key)


def _names(token: Token) -> frozenset[str]:
    """Return the names under which a token is looked up: two tokens match one to one if they share a name."""
    number = () if token.number is None else (_NUMBER,)
    return frozenset((*(f"={name}" for name in _readings(token)), *_sounds(token), *number))


def _whole_names(token: Token) -> frozenset[str]:
    """Return what neighbours must make up together to be this token."""
    if token.number is not None:
        return frozenset((f"{_NUMBER}{token.number}",))
    return frozenset((token.form, token.key, *ABBREVIATIONS.get(token.form, ())))


def _run_names(run: Sequence[Token]) -> tuple[str, ...]:
    """Return what neighbours make up together: their letters in a row, or a year read in pairs."""
    year = _year(run) if run[0].number is not None else None
    if year is not None:
        return (f"{_NUMBER}{year}",)
    forms, keys = "".join([token.form for token in run]), "".join([token.key for token in run])
    return (forms,) if forms == keys else (forms, keys)


def _year(run: Sequence[Token]) -> int | None:
    """Return the year that is read in pairs: 19, 84 -> 1984; 19, "oh", 5 -> 1905."""
    first, last = run[0].number, run[-1].number
    if not isinstance(first, int) or not isinstance(last, int) or not 10 <= first <= 99:
        return None
    if len(run) == 2:
        return first * 100 + last if 10 <= last <= 99 else None
    oh = run[1].number == 0 or run[1].form in ("oh", "o")
    return first * 100 + last if oh and len(run) == MAX_PARTS and 1 <= last <= 9 else None
