"""Words said again at once: "I I want", "I want I want that"; not emphasis, names, numbers or what grammar allows."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from vivavoce.measures.disfluency.draft import Draft, clause_start
from vivavoce.measures.disfluency.lexicon import (
    DET,
    EMPHASIS,
    FUNCTION,
    LINKS,
    SET_PHRASES,
    SHELL_NOUNS,
    SUBJECT,
    TWICE_IS_BROKEN,
    WH,
    is_verb,
)
from vivavoce.measures.disfluency.units import Unit, compound, key_at

LONGEST = 6
"""Words in the longest phrase that is looked for a second time at once."""

_SHORT = 5
"""Letters of an adjective that is said twice for effect, at most (chosen)."""

_IS = frozenset(["is", "was", "are", "were"])
_HOLDS_A_CLAUSE = WH | SHELL_NOUNS | {"that", "whatever"}


def find_repetitions(units: list[Unit], skipped: Collection[int]) -> list[Draft]:
    """Return the repetitions, longest phrase first at each place.

    A repetition is a phrase of 1 to 6 words said again at once, filled pauses, fillers and fragments between
    looked through. `skipped`: places of units that other events hold. Source: Shriberg 1994 (reparandum and repair
    alike).
    """
    places = [place for place, unit in enumerate(units) if unit.sort == "word" and place not in skipped]
    found: list[Draft] = []
    at = 0
    while at < len(places):
        draft, used = _at(units, places, at)
        if draft is not None:
            found.append(draft)
        at += max(1, used)
    return found


def _at(units: list[Unit], places: list[int], at: int) -> tuple[Draft | None, int]:
    keys = [units[place].key for place in places[at : at + 24]]
    for length in range(min(LONGEST, len(keys) // 2), 0, -1):
        phrase = keys[:length]
        copies = 1
        while keys[copies * length : (copies + 1) * length] == phrase:
            copies += 1
        if copies == 1 or (length > 1 and len(set(phrase)) == 1):
            continue
        run = places[at : at + copies * length]
        broken = _word_broken(units, run) if length == 1 else _phrase_broken(units, places, at, length, copies)
        one_word = units[run[0]].first == units[run[-1]].index
        # "like like-minded people": the second is half of a word.
        half = not one_word and (compound(units, run[0]) or compound(units, run[-1])) and length == 1
        if broken and not half and (not one_word or phrase[0] in TWICE_IS_BROKEN):
            resumed = run[-length]
            return Draft("repetition", run[0], run[-length - 1] + 1, resumed, run[-1] + 1), (copies - 1) * length
        if (
            length == 1
            or _chanted(phrase, copies)
            or any(units[place].pause_mark for place in run[length - 1 : -1 : length])
        ):
            # A whole run that is said on purpose is passed over at once: "half a league, half a league, half a".
            return None, (copies - 1) * length
    return None, 1


def _word_broken(units: list[Unit], run: list[int]) -> bool:
    first = units[run[0]]
    inner = [units[place] for place in run[:-1]]
    if first.number or any(unit.stop for unit in inner) or (len(first.key) == 1 and first.key not in "ai"):
        return False
    if all(units[place].name for place in run) and first.key not in FUNCTION:
        return False
    if first.key in TWICE_IS_BROKEN:
        return True
    interrupted = run[-1] - run[0] > len(run) - 1 or any(unit.dash for unit in inner)
    if first.key in _IS and not interrupted and len(run) == 2:
        return not inner[0].pause_mark and _only_once(units, run)
    if first.key in EMPHASIS:
        return interrupted and first.key in FUNCTION
    return interrupted or (len(run) == 2 and not inner[0].pause_mark and not _describes(units, run))


def _only_once(units: list[Unit], run: list[int]) -> bool:
    """Whether grammar has room for one "is" only: "my name is is Tom", not "what it is is this", "the thing is is"."""
    said = [unit.key for unit in units[clause_start(units, run[0]) : run[0]]]
    return bool(said) and not any(key in _HOLDS_A_CLAUSE for key in said) and key_at(units, run[-1] + 1) not in SUBJECT


def _describes(units: list[Unit], run: list[int]) -> bool:
    """Whether it is a short adjective before its noun, said twice for effect: "a wide wide sea"."""
    after = key_at(units, run[-1] + 1)
    short = len(units[run[0]].key) <= _SHORT and not units[run[-1]].pause_mark
    return short and key_at(units, run[0] - 1) in DET and after != "" and after not in FUNCTION and not is_verb(after)


def _phrase_broken(units: list[Unit], places: list[int], at: int, length: int, copies: int) -> bool:
    run = [units[place] for place in places[at : at + copies * length]]
    phrase = tuple(unit.key for unit in run[:length])
    if phrase in SET_PHRASES or _chanted(phrase, copies) or any(unit.stop for unit in run[:-1]):
        return False
    if all(unit.number for unit in run) or all(unit.name for unit in run[:length]):
        return False
    if all(key in EMPHASIS and key not in TWICE_IS_BROKEN for key in phrase):
        return False
    if length == 2 and (_linked(units, places, at, phrase, copies) or _relative(units, places, at, phrase)):
        return False
    joints = [run[copy * length - 1] for copy in range(1, copies)]
    if any(unit.dash for unit in joints) or not any(unit.pause_mark for unit in joints):
        return True
    # "Come with me, come with me." is said twice; "I want, I want that" goes on; "at the top, the top one" is whole.
    # "I have a dream, I have a dream today" is said twice too: the first is whole.
    whole = length > 2 and phrase[-1] not in FUNCTION
    opens = at == 0 or units[places[at - 1]].stop
    return not whole and phrase[0] in FUNCTION and not run[-1].pause_mark and (opens or phrase[0] not in DET)


def _chanted(phrase: Sequence[str], copies: int) -> bool:
    """Whether it is whole and said three times: "down the lane, down the lane, down the lane"; stumbles break off."""
    return copies > 2 and phrase[-1] not in FUNCTION and not is_verb(phrase[-1])


def _linked(units: list[Unit], places: list[int], at: int, phrase: tuple[str, ...], copies: int) -> bool:
    """Whether the phrase is part of "again and again and again" or of "back to back to"."""
    if phrase[1] in LINKS and copies == 2 and not is_verb(phrase[0]) and phrase[0] not in FUNCTION:
        return True
    before = units[places[at - 1]].key if at else ""
    end = at + 2 * copies
    after = units[places[end]].key if end < len(places) else ""
    return (phrase[0] in LINKS and before == phrase[1]) or (phrase[1] in LINKS and after == phrase[0])


def _relative(units: list[Unit], places: list[int], at: int, phrase: tuple[str, ...]) -> bool:
    """Whether the first copy ends a relative clause: "when they get what they want they want more"."""
    return at > 0 and phrase[0] in SUBJECT and units[places[at - 1]].key in WH | {"that", "all", "everything"}
