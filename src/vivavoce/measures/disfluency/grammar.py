"""False starts without editing words, where the grammar of a few closed patterns leaves no other reading.

    "who did what did he"     a question begun twice            "the they went"       an article without its noun
    "I was I went home"       a subject begun twice              "to the - I need"     a phrase broken off in writing
    "the dog the cat ran"     a subject begun twice, with one verb that needs no object for both
    "there was there were"    a clause begun again                "has a the girl"      an article before another

"The dog the cat chased ran" is whole (a relative clause), so is "I think I know": where both readings exist nothing
counts.
"""

from __future__ import annotations

from collections.abc import Collection

from vivavoce.measures.disfluency.draft import Draft
from vivavoce.measures.disfluency.lexicon import (
    ARTICLES,
    AUX,
    AUX_FAMILIES,
    CLAUSE_VERBS,
    DET,
    FUNCTION,
    NO_OBJECT,
    OBJECTS,
    OPEN_DET,
    PREP,
    SHELL_NOUNS,
    SUBJECT,
    WH,
    is_verb,
    words,
)
from vivavoce.measures.disfluency.units import Unit, compound

_FINITE = frozenset(["is", "was", "were", "are", "had"])
_PLURAL = frozenset(["he", "she", "we", "they", "i"])
_JOINERS = frozenset(["and", "but", "so", "then", "because", "oh", "well"])
_BARE = {"i'm": "i", "he's": "he", "she's": "she", "it's": "it", "we're": "we", "they're": "they", "i've": "i"}
_BEGUN = AUX | words("want wanted need needed went go got have had took take")
_OBJECT = DET | OBJECTS
_TIMES = words(
    "day time moment minute year week month night way second hour instant morning evening summer winter reason place "
    "more less sooner first last next only"
)
_BEFORE_CLAUSES = words("because when if while")
_BROKEN_OFF = ARTICLES | frozenset(["of", "to", "from", "into", "with"])


def find_grammar_breaks(units: list[Unit], skipped: Collection[int]) -> list[Draft]:
    """Return the false starts that the patterns above find; `skipped` are places that other events hold."""
    places = [place for place, unit in enumerate(units) if unit.sort == "word" and place not in skipped]
    found: list[Draft] = []
    at = 0
    while at < len(places):
        window = [units[place] for place in places[at : at + 24]]
        opens = at == 0 or units[places[at - 1]].stop or units[places[at - 1]].key in _JOINERS
        before = units[places[at - 1]].key if at else ""
        length = _left_behind(window, opens=opens) or _article(window, before)
        if length:
            last = min(at + 2 * length, len(places)) - 1
            found.append(
                Draft("false_start", places[at], places[at + length - 1] + 1, places[at + length], places[last] + 1)
            )
        at += max(1, length)
    return found


def _left_behind(window: list[Unit], *, opens: bool) -> int:
    """Return how many words at the start of the window are left behind, 0 where nothing is."""
    keys = [unit.key for unit in window]
    if len(keys) < 3 or window[0].stop:
        return 0
    if window[0].dash and keys[0] in _BROKEN_OFF and keys[1] in FUNCTION and keys[1] != keys[0]:
        return 1
    if not window[0].pause_mark and keys[0] in OPEN_DET and not window[1].name and _no_noun(keys):
        return 1
    if _phrase_again(window, keys):
        return 2
    if not opens:
        return 0
    return _question(window, keys) or _subject(window, keys) or _clause_again(window, keys) or _noun(window, keys)


def _phrase_again(window: list[Unit], keys: list[str]) -> bool:
    """Whether a preposition comes again instead of the noun: "to the to a party", "because the because it"."""
    again = keys[0] in PREP | _BEFORE_CLAUSES and keys[2] == keys[0] and keys[1] in ARTICLES
    return again and len(keys) > 3 and keys[3] in DET | SUBJECT and all(map(_runs_on, window[:2]))


def _clause_again(window: list[Unit], keys: list[str]) -> int:
    """The length of a subject with its auxiliary, begun again: "there was there were two", "my dad is my dad works"."""
    length = 3 if keys[0] in OPEN_DET else 2
    if len(keys) <= 2 * length or keys[: length - 1] != keys[length : 2 * length - 1]:
        return 0
    broken, verb = keys[length - 1], keys[2 * length - 1]
    if broken not in AUX or broken == verb or not all(map(_runs_on, window[: 2 * length])):
        return 0
    if length == 2:
        alike = any(broken in family and verb in family for family in AUX_FAMILIES)
        return length if keys[0] in ("there", "you") and alike else 0
    # "The problem is the problem never ends" is whole.
    return length if keys[1] not in SHELL_NOUNS and is_verb(verb) and verb not in CLAUSE_VERBS else 0


def _article(window: list[Unit], before: str) -> int:
    """Whether "a" or "an", no letter's name, has an article or a subject after it: "has a the girl had a"."""
    keys = [unit.key for unit in window]
    article = keys[0] == "an" or (keys[0] == "a" and (before in AUX | PREP or is_verb(before)))
    if len(keys) < 3 or not article or window[0].text not in ("a", "an"):
        return 0
    if window[1].name or compound(window, 1):
        return 0
    return int(keys[1] in OPEN_DET or (keys[1] in _PLURAL | {"there"} and is_verb(keys[2])))


def _no_noun(keys: list[str]) -> bool:
    if keys[1] in _PLURAL:
        return is_verb(keys[2])
    if keys[:2] == ["your", "are"]:
        # Recognisers write it for "you're".
        return False
    if keys[1] in ("there", "you"):
        return keys[2] in AUX
    if keys[1] == "or":
        # "The or an" lists words.
        return keys[2] not in ARTICLES
    return keys[1] in _FINITE or (keys[1] in OPEN_DET | {"an"} and keys[1] != keys[0])


def _question(window: list[Unit], keys: list[str]) -> int:
    if keys[0] not in WH or window[0].pause_mark or len(keys) < 4:
        return 0
    if keys[1] in WH and keys[1] != keys[0] and keys[2] in AUX:
        return 1
    noun = keys[0] in ("what", "which", "whose") and keys[1] not in FUNCTION and not keys[1].endswith("s")
    noun = noun and not is_verb(keys[1])
    if (noun or keys[1] in AUX | OPEN_DET) and keys[2] in WH and keys[3] in AUX and not window[1].pause_mark:
        return 2
    article = len(keys) > 4 and keys[1] in AUX and keys[2] in ARTICLES
    return 3 if article and keys[3] in WH and keys[4] in AUX and all(map(_runs_on, window[:3])) else 0


def _subject(window: list[Unit], keys: list[str]) -> int:
    if keys[0] in _BARE and keys[1] == _BARE[keys[0]] and is_verb(keys[2]) and _runs_on(window[0]):
        return 1
    if len(keys) < 4 or keys[0] not in _BARE.values() or keys[2] != keys[0] or keys[1] == keys[3]:
        return 0
    begun = keys[1] in _BEGUN and keys[1] not in CLAUSE_VERBS
    return (
        2
        if begun
        and is_verb(keys[3])
        and keys[3] not in CLAUSE_VERBS | {"admitted", "added"}
        and all(map(_runs_on, window[:2]))
        else 0
    )


def _runs_on(unit: Unit) -> bool:
    return not unit.pause_mark or unit.dash


def _noun(window: list[Unit], keys: list[str]) -> int:
    """Article and noun, the same article and another noun, then one verb that leaves no gap for a relative clause."""
    if keys[0] not in ARTICLES:
        return 0
    for length in (2, 3):
        if len(keys) <= length + 2 or keys[length] != keys[0]:
            continue
        nouns = (*keys[1:length], keys[length + 1])
        if any(key in FUNCTION or key in _TIMES or key.endswith("er") or is_verb(key) for key in nouns):
            continue
        stop = next((place + 1 for place, unit in enumerate(window) if unit.stop), len(window))
        rest = keys[length + 3 : stop]
        if not all(map(_runs_on, window[: length + 2])) or any(is_verb(key) or key.endswith("s") for key in rest):
            continue
        verb = keys[length + 2]
        if verb in NO_OBJECT or (is_verb(verb) and rest and rest[0] in _OBJECT):
            return length
    return 0
