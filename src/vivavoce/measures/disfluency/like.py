"""`like` where it does no work in the sentence: it is no verb, no comparison, no quotation.

"it was, like, cold"       between marks                   "the like big shop"     between article and noun
"and like he went"         before a clause                 "he like never rests"   between subject and verb
"there were like twenty"   before a count of what there is, what one has or what it takes
"""

from __future__ import annotations

from vivavoce.measures.disfluency.lexicon import AUX, BE, FUNCTION, KIND, SUBJECT, VERBS, words
from vivavoce.measures.disfluency.units import Unit, compound, key_at, opens_at, set_off

_INTENSIFIERS = words("really so very super totally too pretty literally completely")
_JOINERS = words("and but so because then well cause")
_CLAUSE_SUBJECTS = words("i he she they we i'm he's she's they're we're it's there's")
_AS_SAYS = words("say said says told mentioned always did do does used promised")
_PLACES = words("in on at with from of")
_NOUNS = words("mind minds kind fashion manner minded new charges poles terms")
_POINTERS = words("this that these those so")
_IS = BE | words("i'm he's she's it's we're you're they're that's there's")
_THERE = words("there there's there're")
_HAS = words(
    "have has had i've we've they've got get gets take takes took cost costs lasted paid waited spent for after"
)
_MEASURES = words(
    "year years minute minutes second seconds hour hours day days week weeks month months mile miles meters metres "
    "feet dollars pounds euros degrees percent times"
)
_NEVER = words("never always")
_ADVERBS = words("just really totally actually suddenly literally completely already")


def is_like_filler(units: list[Unit], place: int) -> bool:
    """Return whether the `like` at the place does no work in the sentence."""
    before, after = key_at(units, place - 1), key_at(units, place + 1)
    if not after or units[place].stop or compound(units, place):
        return False
    if set_off(units, place, 1):
        return True
    if units[place].pause_mark:
        # "She was like, no" quotes.
        return False
    if units[place + 1].sort == "filled":
        return before not in SUBJECT | {"to", "would"} and (before not in AUX or before in BE)
    joined = not before or before in _JOINERS or (opens_at(units, place) and before not in SUBJECT)
    if joined and after in _CLAUSE_SUBJECTS:
        return key_at(units, place + 2) not in _AS_SAYS
    return _before_a_noun(units, place) or _before_a_count(units, place) or _before_a_verb(units, place)


def _before_a_noun(units: list[Unit], place: int) -> bool:
    before, after = key_at(units, place - 1), key_at(units, place + 1)
    if not before or units[place - 1].pause_mark:
        return False
    if before in ("the", "a", "my", "this"):
        return after not in _NOUNS | {"of", "and", "button", "buttons", "or", "in"}
    if before in _IS and after in _INTENSIFIERS:
        return True
    # "Sort of like living" compares; so does "go on like this".
    of_a_kind = before == "of" and key_at(units, place - 2) in KIND
    return before in _PLACES and not of_a_kind and after not in _NOUNS | _POINTERS and not _asks(units, place - 2)


def _asks(units: list[Unit], place: int) -> bool:
    return key_at(units, place) in ("what", "who")


def _before_a_count(units: list[Unit], place: int) -> bool:
    """ "There were like twenty", "we had like three", "he was like ten years"; "it was like two worlds" compares."""
    before, number = key_at(units, place - 1), units[place + 1]
    if not number.number or units[place - 1].pause_mark:
        return False
    there = before in _THERE or (before in BE and key_at(units, place - 2) == "there")
    return there or before in _HAS or (before in _IS and key_at(units, place + 2) in _MEASURES)


def _before_a_verb(units: list[Unit], place: int) -> bool:
    """ "I like went", "he like never rests", not "I like never having to rest", "do we like always to rest"."""
    before, after, second = (key_at(units, at) for at in (place - 1, place + 1, place + 2))
    starts = place < 2 or units[place - 2].pause_mark or key_at(units, place - 2) in _JOINERS
    if before not in SUBJECT or not starts:
        return False
    if after in VERBS - {"being", "be", "been"}:
        return True
    if not second or units[place + 1].pause_mark:
        return False
    if after in _NEVER:
        return second in AUX or (second not in FUNCTION | {"being"} and not second.endswith("ing"))
    third = key_at(units, place + 3)
    return after in _ADVERBS and (second in VERBS or (second.endswith("ed") and (not third or third in FUNCTION)))
