"""Editing words between what is left behind and what is said instead: "no", "or rather", "I mean", "scratch that".

Each phrase has a weight; a run of them is one interregnum whose weight is the sum. Weights are chosen on half of
Disfl-QA's development set: 2 or more announces a restart by itself, less needs the words around to agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from vivavoce.measures.disfluency.lexicon import AUX, BE, CONJ, DET, FUNCTION, PREP, SPEECH_VERBS, WH, words
from vivavoce.measures.disfluency.units import Unit

_HALF = Fraction(1, 2)
_WEIGHTS: dict[tuple[str, ...], Fraction] = {
    tuple(phrase.split()): Fraction(weight)
    for phrase, weight in {
        "no": "1",
        "nope": "3/2",
        "sorry": "2",
        "i'm sorry": "2",
        "wait": "1",
        "or": "1/2",
        "rather": "1",
        "or rather": "2",
        "instead": "3/4",
        "actually": "3/4",
        "i mean": "3/2",
        "i meant": "2",
        "meant to say": "2",
        "i should say": "2",
        "should say": "1",
        "scratch that": "2",
        "forget that": "3/2",
        "disregard that": "2",
        "change that": "1",
        "strike that": "2",
        "make that": "3/2",
        "make it": "1",
        "that should be": "1",
        "that would be": "1/2",
        "excuse me": "3/2",
        "my bad": "2",
        "just kidding": "3/2",
        "better yet": "1",
        "better": "1/2",
        "let me ask": "1",
        "let me say": "1",
        "let me rephrase": "2",
        "let me start again": "2",
        "let me try again": "2",
        "tell me": "1",
        "just tell me": "1",
        "i want to know": "1/2",
        "i guess": "1/2",
        "oops": "2",
        "whoops": "2",
        "dang it": "1",
        "ugh": "1",
        "oof": "1",
        "ooof": "1",
        "oh": "1/2",
        "err": "1/2",
        "well": "1/2",
        "like": "1/2",
        "not that": "1/2",
        "what am i saying": "2",
        "what do i mean": "2",
    }.items()
}
_LONGEST = max(map(len, _WEIGHTS))
# These only go on; they do not open an interregnum.
_NEVER_FIRST = {
    tuple(phrase.split())
    for phrase in (
        "tell me",
        "just tell me",
        "i want to know",
        "should say",
        "i guess",
        "better",
        "well",
        "like",
        "not that",
        "that should be",
        "that would be",
        "change that",
        "make it",
        "oh",
    )
}
_QUOTES = ('"', "“", "‘", "'")
_MEAN_BEFORE = WH | frozenset(["that", "if", "all", "things", "thing", "which", "and", "but", "by", "because", "so"])
_MEAN_AFTER = frozenset(["it", "to", "by", "well", "business", "that", "every", "for", "no", "you"])
_SORRY_BEFORE = (
    BE
    | SPEECH_VERBS
    | words("i'm so very really feel felt feels he's she's we're they're you're not too a the this truly are")
)
_SORRY_AFTER = words("for about to that if but because i and when")
_NO_BEFORE = SPEECH_VERBS | words("yes or a with have has had there's there there'd by of in under oh")
_NO_AFTER = words("worse better other different one longer more matter doubt less way wonder idea problem such")
_WAIT_BEFORE = AUX | words("to please i we they you he she and then who would always")
_WAIT_AFTER = words("for until till and here there in on at outside to patiently")


@dataclass(frozen=True, slots=True)
class Editing:
    """An interregnum: places `start` to `end` (exclusive), its weight, its phrases."""

    start: int
    end: int
    weight: Fraction
    phrases: tuple[tuple[str, ...], ...]


def editing_at(units: list[Unit], start: int, stop: int) -> Editing | None:
    """Return the interregnum that begins at the place, before `stop`; None where none does."""
    at, weight = start, Fraction(0)
    phrases: list[tuple[str, ...]] = []
    while at < stop:
        phrase = _phrase_at(units, at, stop, opening=at == start)
        if phrase is None:
            break
        if phrase != ("um",) or phrase not in phrases:
            # Six times "uh" is no more of a change of mind than one.
            weight += _WEIGHTS.get(phrase, _HALF)
        phrases.append(phrase)
        at += len(phrase)
    if not phrases:
        return None
    return Editing(start, at, weight, tuple(phrases))


def _phrase_at(units: list[Unit], at: int, stop: int, *, opening: bool) -> tuple[str, ...] | None:
    if units[at].sort == "filled":
        return ("um",)
    compound = at + 1 < len(units) and units[at + 1].first == units[at].index
    if units[at].sort != "word" or compound:
        # "No-op" and "so-and-so" are words.
        return None
    for length in range(min(_LONGEST, stop - at), 0, -1):
        phrase = tuple(unit.key for unit in units[at : at + length])
        if phrase in _WEIGHTS and not (opening and (phrase in _NEVER_FIRST or not _may_open(units, at, phrase))):
            return phrase
    return None


def _may_open(units: list[Unit], at: int, phrase: tuple[str, ...]) -> bool:
    """Whether the words around leave the phrase free: "no one", "what I mean", "I am sorry for", "would rather"."""
    before = units[at - 1].key if at else ""
    if units[at].text[:1] in _QUOTES or (at and units[at - 1].text.endswith(":")):
        # Another speaker's words begin: "Ann: No, it is here".
        return False
    end = at + len(phrase)
    after = units[end].key if end < len(units) else ""
    if phrase[0] == "i" and phrase[1] in ("mean", "meant"):
        return before not in _MEAN_BEFORE and after not in _MEAN_AFTER
    if phrase == ("sorry",):
        if before == "i'm":
            # Taken as "I'm sorry" or not at all.
            return False
        if end < len(units) and _phrase_at(units, end, len(units), opening=False):
            return before not in _SORRY_BEFORE
        return (before not in _SORRY_BEFORE or units[at].pause_mark) and after not in _SORRY_AFTER
    if phrase == ("no",):
        if after in WH and after != "where":
            return before not in SPEECH_VERBS | {"yes", "or"}
        # "If no bird", "to no end": an article.
        article = before in CONJ | PREP | AUX and after not in FUNCTION
        return before not in _NO_BEFORE and after not in _NO_AFTER and not article
    if phrase == ("instead",):
        return after != "of"
    if phrase == ("wait",):
        return before not in _WAIT_BEFORE | DET | PREP and after not in _WAIT_AFTER
    if phrase == ("rather",):
        return before not in FUNCTION | {"much"} and after not in ("than", "a") and not before.endswith("'d")
    if phrase == ("excuse", "me"):
        return before not in ("to", "please", "you", "will", "would", "could", "can", "and", "they")
    if phrase in (("make", "that"), ("scratch", "that"), ("forget", "that")):
        return before not in AUX | {"to", "i", "we", "you", "they", "please", "and", "never"}
    return True
