"""False starts announced by editing words: "I want no I need", "in 1654 no wait in 1466", "who did I mean what did".

An interregnum (see `editing`) is believed from a weight of 2 on. To its own weight the words around it add 1 each:

    the repair takes up a word, or a closed class (question word, article, preposition ...), of what was left behind;
    before and after are alike: two names, two numbers, two words in -ed, -ing, -ly or -tion;
    what was left behind ends in a word that cannot end a clause ("what is the");
    "no" stands where grammar has no room for it (before "the", "what", "in"; or between two nouns);
    commas stand on both sides.

The scheme reparandum - interregnum - repair is Shriberg's (1994); weights are chosen on half of Disfl-QA.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import takewhile

from vivavoce.measures.disfluency.draft import CLASSES, SIGHT, Draft, clause_end, clause_start, replaced_from
from vivavoce.measures.disfluency.editing import Editing, editing_at
from vivavoce.measures.disfluency.lexicon import (
    AUX,
    BE,
    CONJ,
    DANGLING,
    DET,
    FUNCTION,
    PREP,
    WH,
    is_verb,
    words,
)
from vivavoce.measures.disfluency.units import Unit

BELIEVED = 2
"""Weight from which an interregnum is believed (chosen)."""

_ENDINGS = ("ed", "ing", "ly", "tion", "ment", "ern")
_OPENERS = words("oh well yes yeah no ok okay so and but then please hey hi ah now right")
_NOUN_BEFORE = frozenset(["the", "a", "an", "my", "your", "our", "their", "what", "of"])


def find_restarts(units: list[Unit]) -> list[Draft]:
    """Return the false starts that editing words announce, in order."""
    found: list[Draft] = []
    place = 0
    while place < len(units):
        # An interregnum is never as long as what is in sight.
        editing = editing_at(units, place, min(len(units), place + SIGHT))
        if editing is None:
            place += 1
            continue
        begin, stop = clause_start(units, place), clause_end(units, place)
        editing = editing_at(units, place, stop) or editing
        said = [unit for unit in units[begin:place] if unit.sort == "word"]
        if (
            editing.end < stop
            and any(unit.key not in _OPENERS for unit in said)
            and _weight(units, editing, said) >= BELIEVED
        ):
            found.append(_draft(units, editing, begin, stop))
        place = editing.end
    return found


def _weight(units: list[Unit], editing: Editing, said: list[Unit]) -> Fraction:
    before, after = said[-1], units[editing.end]
    phrases = set(editing.phrases)
    weight = editing.weight
    following = units[editing.end + 1].key if editing.end + 1 < len(units) else ""
    taken_up = _takes_up(said, after, following)
    if phrases <= {("or",), ("um",), ("like",), ("well",)} and ("or",) in phrases:
        # "Tea or um coffee" is a choice; "who or um what was" and "why does or what happens" are none.
        broken = len(said) > 1 and said[-2].key in WH - {after.key} and before.key in AUX
        return Fraction(BELIEVED * (after.key in WH and (broken or (len(phrases) > 1 and taken_up))))
    alike = _alike(before, after) and len(said) > 1
    if phrases <= {("actually",), ("instead",)}:
        # Adverbs of any sentence; "in 2011, actually, in 2014" is a change of mind.
        changed = ("actually",) in phrases and ((after.key in PREP and taken_up) or alike)
        asked = after.key in WH and following in AUX and said[0].key in WH and before.pause_mark
        return Fraction(BELIEVED * (asked or (changed and _in_commas(units, editing))))
    if phrases <= {("or",), ("no",)}:
        # "A hash or no hash", "no birds, no birds at all": only words of grammar tell.
        taken_up = taken_up and after.key in FUNCTION
    weight += taken_up
    weight += alike and phrases != {("um",)}
    if phrases == {("no",)}:
        room = not (_no_room(said, before, after) or _asks_twice(units[editing.end : editing.end + 6], said))
        return weight + (not room) + _in_commas(units, editing)
    if phrases == {("no",), ("um",)} and before.key not in FUNCTION and not is_verb(before.key):
        weight += Fraction(1, 2)
    weight += before.key in DANGLING and not before.pause_mark and ("or",) not in phrases
    return weight + (_in_commas(units, editing) and not phrases & {("rather",), ("i", "mean"), ("um",)})


def _in_commas(units: list[Unit], editing: Editing) -> bool:
    return units[editing.start - 1].pause_mark and units[editing.end - 1].pause_mark


def _takes_up(said: list[Unit], after: Unit, following: str) -> bool:
    if any(unit.key == after.key for unit in said[-6:]):
        return True
    if after.key in PREP and following in WH and any(unit.key in WH for unit in said[-4:]):
        # "When was, no, in what year was".
        return True
    return any(after.key in kind and unit.key in kind for kind in CLASSES for unit in said[-4:])


def _alike(before: Unit, after: Unit) -> bool:
    if (before.name and after.name) or (before.number and after.number):
        return True
    return any(
        before.key.endswith(end) and after.key.endswith(end) and min(len(before.key), len(after.key)) > len(end) + 2
        for end in _ENDINGS
    )


def _no_room(said: list[Unit], before: Unit, after: Unit) -> bool:
    """Whether "no" can be neither article nor answer here."""
    if after.key in WH or after.key == "not":
        return True
    if before.key in BE | DET:
        return False
    if after.key in FUNCTION - CONJ and after.key not in ("to", "of"):
        return True
    noun = (
        len(said) > 1
        and not before.pause_mark
        and said[-2].key in _NOUN_BEFORE
        and before.key != "course"
        and before.key not in FUNCTION
        and not is_verb(before.key)
    )
    return noun and after.key not in FUNCTION


def _asks_twice(repair: list[Unit], said: list[Unit]) -> bool:
    """Whether "no" parts two nouns that one verb after both is asked for: "how many lakes no upland areas are"."""
    asked = [
        place
        for place, unit in enumerate(said)
        if unit.key in ("what", "whose", "many", "much")
        # "Letters which hold no news" asks nothing.
        or (unit.key == "which" and (place == 0 or said[place - 1].key in PREP))
    ]
    if not asked or repair[0].key in FUNCTION or said[-1].pause_mark:
        return False
    subject = said[asked[-1] + 1 :]
    known = [unit for unit in subject if unit.key in (FUNCTION - {"of"}) or is_verb(unit.key) or unit.key[-3:] == "ing"]
    noun = takewhile(lambda unit: unit.key not in FUNCTION and not is_verb(unit.key), repair)
    verb = repair[len(list(noun)) :]
    return bool(subject and verb) and not known and (verb[0].key in AUX or is_verb(verb[0].key))


def _draft(units: list[Unit], editing: Editing, begin: int, stop: int) -> Draft:
    """Find what was replaced: back to the word, else to the class, that the repair takes up; else one word."""
    after = units[editing.end].key
    if after in PREP and editing.end + 1 < stop and units[editing.end + 1].key in WH:
        after = units[editing.end + 1].key
    start = replaced_from(units, begin, editing.start, after)
    end = min(stop, editing.end + editing.start - start)
    left = [unit.key for unit in units[start : editing.start] if unit.sort == "word"]
    again = [unit.key for unit in units[editing.end : end] if unit.sort == "word"]
    kind = "repetition" if left == again and set(editing.phrases) == {("um",)} else "false_start"
    return Draft("repetition" if kind == "repetition" else "false_start", start, editing.start, editing.end, end)
