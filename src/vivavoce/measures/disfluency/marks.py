"""False starts that a comma, a dash or an ellipsis shows: recognisers write one where a speaker breaks off.

"going to the, to a party"    an article or "my", "our" ... cannot end a phrase, and no noun follows the mark
"he can, he could swim"       a clause begun again with another auxiliary of its kind
"my mother is, my mother works"    or with its whole subject

"The, as you know, red one" is whole (a parenthesis), so are "I can, I think" and "the problem is, the problem stays".
"""

from __future__ import annotations

from collections.abc import Collection

from vivavoce.measures.disfluency.draft import Draft, clause_start, replaced_from
from vivavoce.measures.disfluency.lexicon import (
    ARTICLES,
    AUX,
    AUX_FAMILIES,
    CLAUSE_VERBS,
    DET,
    FUNCTION,
    OBJECTS,
    PREP,
    SHELL_NOUNS,
    SPEECH_VERBS,
    is_verb,
    words,
)
from vivavoce.measures.disfluency.units import Unit

_JOINERS = words("and but so then because oh well")
# "A, the or an" lists words; "the and" goes on.
_LISTS = words("and or but nor as")
_NO_NOUN = FUNCTION - _LISTS | {"there"}
_SUBJECTS = words("i he she we they you it there this that")
_PARENTHESIS = 6
_LONGEST = 4


def find_breaks_at_marks(units: list[Unit], skipped: Collection[int]) -> list[Draft]:
    """Return the false starts that marks show; `skipped` are places that other events hold."""
    places = [place for place, unit in enumerate(units) if unit.sort == "word" and place not in skipped]
    found: list[Draft] = []
    for at in range(len(places) - 1):
        place, resumed = places[at], places[at + 1]
        if not _breaks_off(units[place]):
            continue
        start = None
        if _without_noun(units, places, at):
            start = replaced_from(units, clause_start(units, place), place + 1, units[resumed].key)
        else:
            length = _begun_again(units, places, at)
            start = places[at + 1 - length] if length else None
        if start is not None:
            end = min(resumed + place + 1 - start, len(units))
            found.append(Draft("false_start", start, place + 1, resumed, end))
    return found


def _breaks_off(unit: Unit) -> bool:
    return unit.dash or (not unit.stop and unit.pause_mark and unit.text.endswith(","))


def _without_noun(units: list[Unit], places: list[int], at: int) -> bool:
    """Whether an article stands before the mark and what follows can be no noun phrase's rest."""
    unit, after = units[places[at]], units[places[at + 1]]
    before = units[places[at - 1]] if at else None
    quoted = unit.text.lower().rstrip(",.-–—…") != unit.key
    if unit.key not in ARTICLES or quoted or after.key not in _NO_NOUN - {unit.key} or after.pause_mark:
        return False
    if unit.key == "a" and (before is None or unit.name or not _may_be_article(units, places, at)):
        return False
    if unit.key == "my" and (before is None or before.pause_mark or before.key == "oh"):
        # "My, what a day!"
        return False
    return after.key in DET or not _parenthesis(units, places, at + 1)


def _may_be_article(units: list[Unit], places: list[int], at: int) -> bool:
    """Whether "a" is no letter: "vitamin a, the first"; "close to a, in order", which takes up no word."""
    before, after = units[places[at - 1]].key, units[places[at + 1]].key
    if before in PREP:
        return any(units[place].key == after for place in range(clause_start(units, places[at]), places[at]))
    return before in _NO_NOUN | OBJECTS or is_verb(before)


def _parenthesis(units: list[Unit], places: list[int], at: int) -> bool:
    """Whether a second mark closes what the first opened, and the noun phrase goes on: "the, as you know, red"."""
    for step in range(at, min(at + _PARENTHESIS, len(places) - 1)):
        if units[places[step]].stop:
            return False
        if units[places[step]].pause_mark:
            return units[places[step + 1]].key not in FUNCTION
    return False


def _begun_again(units: list[Unit], places: list[int], at: int) -> int:
    """Return the length of the clause's beginning that is left behind at the mark, 0 where none is."""
    broken = units[places[at]].key
    if broken not in AUX:
        return 0
    for length in range(2, min(_LONGEST, at + 1) + 1):
        first = at + 1 - length
        left = [units[place].key for place in places[first : at + 1]]
        repair = [units[place] for place in places[at + 1 : at + 1 + length]]
        if not _opens(units, places, first) or len(repair) < length or at + 1 + length >= len(places):
            continue
        if left[:-1] != [unit.key for unit in repair[:-1]] or any(unit.pause_mark for unit in repair):
            continue
        verb = repair[-1].key
        rest = [units[place].key for place in places[at + length : at + length + 3]]
        if verb in CLAUSE_VERBS | SPEECH_VERBS or broken in rest:
            # "He can, he says"; "I can, I really can".
            return 0
        alike = any(broken in family and verb in family for family in AUX_FAMILIES)
        noun = length > 2 and left[0] in DET and not SHELL_NOUNS.intersection(left)
        return length if (length == 2 and left[0] in _SUBJECTS and alike) or noun else 0
    return 0


def _opens(units: list[Unit], places: list[int], at: int) -> bool:
    return at == 0 or units[places[at - 1]].pause_mark or units[places[at - 1]].key in _JOINERS
