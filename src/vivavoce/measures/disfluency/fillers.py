"""Filled pauses, and `like`, `you know`, `I mean`, `sort of`, `kind of` where they do no work in the sentence.

What does work is no filler: a verb ("I like dogs"), a comparison ("like a bird"), a quotation ("she was like no"), a
clause ("you know the answer", "what I mean"), a hedge ("kind of cold").
"""

from __future__ import annotations

from collections.abc import Collection

from vivavoce.measures.disfluency.draft import Draft
from vivavoce.measures.disfluency.lexicon import AUX, DET, KIND, WH, words
from vivavoce.measures.disfluency.like import is_like_filler
from vivavoce.measures.disfluency.mean import is_i_mean_filler, is_you_know_filler
from vivavoce.measures.disfluency.units import Unit, key_at, set_off

_PAIRS = {("you", "know"), ("i", "mean"), ("sort", "of"), ("kind", "of")}
# After one of these "kind" and "sort" are nouns.
_NOUN_BEFORE = DET | WH | words("some any another all same other different certain one two three of")


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
        return int(is_like_filler(units, place))
    following = units[place + 1] if place + 1 < len(units) else None
    if following is None or (unit.key, following.key) not in _PAIRS or unit.pause_mark:
        return 0
    if _marked(units, place) or _by_filler(units, place):
        return 2
    rule = {"you": is_you_know_filler, "i": is_i_mean_filler}.get(unit.key)
    return 2 if rule is not None and rule(units, place) else 0


def _marked(units: list[Unit], place: int) -> bool:
    """Whether marks set it off; "kind of" at the end of a sentence hedges it, which is work."""
    return set_off(units, place, 2) and not (units[place].key in KIND and units[place + 1].stop)


def _by_filler(units: list[Unit], place: int) -> bool:
    """Whether a filled pause follows at once: "kind of um cold", not "a kind of um", "do you know um"."""
    after = place + 2
    taken = _NOUN_BEFORE if units[place].key in KIND else AUX | WH | {"if", "as"}
    return after < len(units) and units[after].sort == "filled" and key_at(units, place - 1) not in taken
