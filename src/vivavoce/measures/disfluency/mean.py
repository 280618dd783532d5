"""`you know` and `I mean` where they do no work: what follows would be a sentence without them."""

from __future__ import annotations

from vivavoce.measures.disfluency.draft import clause_start
from vivavoce.measures.disfluency.lexicon import (
    AUX,
    BE,
    CLAUSE_VERBS,
    CONJ,
    FUNCTION,
    KIND,
    NO_OBJECT,
    OBJECTS,
    PREP,
    SUBJECT,
    WH,
    is_verb,
    words,
)
from vivavoce.measures.disfluency.units import Unit, key_at, opens_at

_JOINERS = words("and but so because then well yeah")
_BEFORE_YOU_KNOW = BE | words("the a very really with in on at it's that's")
_KNOWN = OBJECTS | WH | {"that"}
_NOT_BEFORE_MEAN = WH | AUX | words("that if all thing things which to by")
_OPINIONS = words("think guess suppose reckon feel")
_HEDGES = words("maybe perhaps basically obviously actually honestly") | KIND
# Never an object, so that a sentence begins.
_BEGINNERS = words(
    "i he she we they i'm he's she's it's we're you're they're there's i've we've they've i'd i'll we'll"
) | {
    "that's",
    "let's",
}
_OPENERS = words("maybe perhaps obviously basically actually honestly seriously if because yeah yes okay like")
_EITHER = words("it you this that these those everybody everyone everything nobody there")
_DEFINES = words("by say said says saying when")
_NOUN_PHRASE = 3
_REACH = 6


def is_you_know_filler(units: list[Unit], place: int) -> bool:
    """Return whether "you know" is a filler without marks: "it was you know hard", "you know I think"."""
    before, after = key_at(units, place - 1), key_at(units, place + 2)
    if not after or after in _KNOWN or units[place + 1].pause_mark:
        return False
    if before in _BEFORE_YOU_KNOW and not units[place - 1].pause_mark:
        return True
    if not (opens_at(units, place) or before in _JOINERS):
        return False
    # Nobody tells others that they know what the speaker thinks; "I think of you" is not what he thinks.
    thought = after in ("i", "we") and key_at(units, place + 3) in _OPINIONS and key_at(units, place + 4) not in PREP
    return thought or after in _HEDGES


def is_i_mean_filler(units: list[Unit], place: int) -> bool:
    """Return whether "I mean" is a filler without marks: a whole sentence follows ("I mean the food was good")."""
    at = place + 2
    opens = opens_at(units, place)
    if at >= len(units) or units[place + 1].pause_mark:
        return False
    if not opens and key_at(units, place - 1) in _NOT_BEFORE_MEAN:
        return False
    after, second = units[at].key, key_at(units, at + 1)
    if after in _BEGINNERS:
        return True
    if after in _OPENERS:
        return opens or second in SUBJECT
    if after == "well":
        # "I mean well" is said of intentions.
        return second in SUBJECT | {"if"}
    if after in _EITHER:
        return not units[at].pause_mark and (second in AUX or is_verb(second))
    said = [unit.key for unit in units[clause_start(units, place) : place]]
    clause = any(is_verb(key) for key in said) or (len(said) > _NOUN_PHRASE and said[0] in WH)
    if not opens and clause and not _DEFINES.intersection(said) and after not in _EITHER:
        # "Public I mean private schools" says it better; "the place I mean" and "by home I mean" define.
        return after not in ("to", "by", "every")
    if after in AUX:
        return opens and second in SUBJECT
    if after in WH:
        asks = after[-2:] == "'s" and after != "what's"
        return (opens and asks) or (second in AUX and key_at(units, at + 2) in FUNCTION)
    return _noun_has_a_verb(units, at)


def _noun_has_a_verb(units: list[Unit], at: int) -> bool:
    """Whether the noun phrase at the place has a verb of its own, not one of a clause about it ("the one you know")."""
    if units[at].key in CONJ | PREP | {"no", "not", "to"} or units[at].pause_mark:
        return False
    for unit in units[at + 1 : at + _REACH]:
        if unit.key in AUX | NO_OBJECT:
            return True
        if unit.key in WH | SUBJECT | CONJ | CLAUSE_VERBS or unit.pause_mark:
            return False
    return False
