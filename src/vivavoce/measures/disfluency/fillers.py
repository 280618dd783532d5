"""Filled pauses, and `like`, `you know`, `I mean`, `sort of`, `kind of` where they do no work in the sentence.

What does work is no filler: a verb ("I like dogs"), a comparison ("like a bird"), a quotation ("she was like no"), an
estimate ("like twenty people"), a clause ("you know the answer", "what I mean"), a hedge ("kind of cold").
"""

from __future__ import annotations

from collections.abc import Collection

from vivavoce.measures.disfluency.draft import Draft
from vivavoce.measures.disfluency.lexicon import AUX, BE, SUBJECT, VERBS, WH
from vivavoce.measures.disfluency.units import Unit

_INTENSIFIERS = frozenset(["really", "so", "very", "super", "totally", "too", "pretty", "literally", "completely"])
_JOINERS = frozenset(["and", "but", "so", "because", "then", "well", "cause"])
_THIRD = frozenset(["i", "he", "she", "they", "we", "i'm", "he's", "she's", "they're", "we're", "it's", "there's"])
_AS_SAYS = frozenset(["say", "said", "says", "told", "mentioned", "always", "did", "do", "does", "used", "promised"])
_LIKE_PREP = frozenset(["in", "on", "at", "with", "from", "of"])
_LIKE_NOUNS = frozenset(["mind", "minds", "kind", "fashion", "manner", "minded", "new", "charges", "poles", "terms"])
_BEFORE_YOU_KNOW = BE | frozenset(["the", "a", "very", "really", "with", "in", "on", "at", "i's", "it's", "that's"])
_OBJECTS = frozenset(["it", "him", "her", "them", "that", "what", "who", "how", "why", "where", "when", "me", "us"])
_NOT_BEFORE_MEAN = WH | AUX | frozenset(["that", "if", "all", "thing", "things", "which", "and", "to", "by"])
_NOT_AFTER_MEAN = frozenset(["it", "to", "by", "business", "that", "you", "every", "this", "him", "her", "them"])
_PAIRS = {("you", "know"), ("i", "mean"), ("sort", "of"), ("kind", "of")}
_KIND = frozenset(["sort", "kind"])


def find_fillers(units: list[Unit], skipped: Collection[int]) -> list[Draft]:
    """Return filled pauses and other disruptive fillers; `skipped` are places that restarts hold (their "I mean").

    Parameters: `units` of `read_units`. Filled pauses inside a restart still count. Source: M1, fluency tables; chosen.
    """
    found: list[Draft] = []
    place = 0
    while place < len(units):
        length = _filler_at(units, place, skipped)
        if units[place].sort == "filled":
            found.append(Draft("filled_pause", place, place + 1, place + 1, place + 1))
        elif length:
            found.append(Draft("filler", place, place + length, place + length, place + length))
        place += max(1, length)
    return found


def _filler_at(units: list[Unit], place: int, skipped: Collection[int]) -> int:
    """Return how many units the filler at the place has, 0 where there is none."""
    unit = units[place]
    if unit.sort != "word" or place in skipped:
        return 0
    if unit.key in ("yknow", "y'know"):
        return 1
    if unit.key == "like":
        return int(_like(units, place))
    following = units[place + 1] if place + 1 < len(units) else None
    if following is None or (unit.key, following.key) not in _PAIRS or unit.pause_mark:
        return 0
    if _set_off(units, place, 2) or _by_filler(units, place, 2):
        return 2
    rule = {"you": _you_know, "i": _i_mean}.get(unit.key)
    return 2 if rule is not None and rule(units, place) else 0


def _key(units: list[Unit], place: int) -> str:
    return units[place].key if 0 <= place < len(units) else ""


def _opens(units: list[Unit], place: int) -> bool:
    return place == 0 or units[place - 1].pause_mark


def _set_off(units: list[Unit], place: int, length: int) -> bool:
    """Whether punctuation stands on both sides; a whole sentence of its own ("You know.", "I mean?") is none."""
    last = units[place + length - 1]
    return last.pause_mark and _opens(units, place) and not (last.stop and (place == 0 or units[place - 1].stop))


def _by_filler(units: list[Unit], place: int, length: int) -> bool:
    """Whether a filled pause follows at once: "kind of um cold", "you know um", not "do you know um"."""
    after = place + length
    free = units[place].key in _KIND or _key(units, place - 1) not in AUX | WH | {"if", "as"}
    return after < len(units) and units[after].sort == "filled" and free


def _like(units: list[Unit], place: int) -> bool:
    before, after, second = _key(units, place - 1), _key(units, place + 1), _key(units, place + 2)
    if not after or units[place].stop:
        return False
    if _set_off(units, place, 1):
        return True
    if units[place].pause_mark:
        # "She was like, no" quotes.
        return False
    if units[place + 1].sort == "filled":
        return before not in SUBJECT | {"to", "would"} and (before not in AUX or before in BE)
    joined = not before or before in _JOINERS or (_opens(units, place) and before not in SUBJECT)
    if joined and after in _THIRD:
        return second not in _AS_SAYS
    if before in ("the", "a", "my", "this") and not units[place - 1].pause_mark:
        return after not in _LIKE_NOUNS | {"of", "and", "button", "buttons", "or", "in"}
    if before in BE and after in _INTENSIFIERS:
        return True
    if before in _LIKE_PREP and not units[place - 1].pause_mark:
        return after not in _LIKE_NOUNS and _key(units, place - 2) not in ("what", "who")
    starts = place < 2 or units[place - 2].pause_mark or _key(units, place - 2) in _JOINERS
    return before in SUBJECT and starts and after in VERBS


def _you_know(units: list[Unit], place: int) -> bool:
    before, after = _key(units, place - 1), _key(units, place + 2)
    if not after or after in _OBJECTS or units[place + 1].stop:
        return False
    return before in _BEFORE_YOU_KNOW and not units[place - 1].pause_mark


def _i_mean(units: list[Unit], place: int) -> bool:
    after = _key(units, place + 2)
    if not after or after in _NOT_AFTER_MEAN or units[place + 1].stop:
        return False
    return _key(units, place - 1) not in _NOT_BEFORE_MEAN or _opens(units, place)
