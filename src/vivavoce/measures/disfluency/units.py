"""Words as units that the rules compare: what is a word, a filled pause, a fragment, or no speech at all.

Marks of verbatim transcripts that are read: a trailing hyphen (`mon-`), `<cutoff-montreal>`, CHAT's `&+fr`
(fragment), `&-um` (filled pause), `&~x` and `&=laughs` (no word), `[laughter]`, `<unk>`, `s-s-segment`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from vivavoce.timeline import Word
from vivavoce.transcript.words import Token, is_filled_pause, tokenize_words

Sort = Literal["word", "filled", "fragment"]

_CUTOFF = re.compile(r"<cutoff(?:-([^>]*))?>[.,;?!]*")
_HESITANT = re.compile(r"<hes(?:itation)?-([^>]*)>")
_NO_SPEECH = re.compile(r"\[[^\]]*\]|\{[^}]*\}|<[^>]*>|&[=~*]\S*|\(\.*\d*\.*\d*\)|[xy]{3}|www")
_CHAT_FRAGMENT = re.compile(r"&\+(\S+)")
_CHAT_FILLED = re.compile(r"&-(\S+)")
_HYPHEN_END = re.compile(r"([^\W\d_](?:[\w']*[^\W\d_])?)[-‐‑][.,;?!\"'”’]*")
_DASH_END = re.compile(r"[\w'](?:--+|[–—―]+|\.{2,}|…)[\"'”’]*$")
_STOP_END = re.compile(r"[.?!…][\"'”’)\]]*$")
_STUTTER = re.compile(r"((?:[^\W\d_]{1,3}[-‐‑])+)([^\W\d_]{2,}'?[^\W\d_]*)")
# Compounds that look like a stutter.
_COMPOUNDS = frozenset(["t-test", "t-tests", "t-table", "t-tables", "e-edition", "t-top", "x-xylene"])
_NO_FILLER_PAIRS = frozenset([("mm", "hmm"), ("uh", "huh"), ("uh", "oh"), ("hmm", "mm"), ("mm", "mm"), ("uh", "uh")])
# "er, er" and "uh uh" spelled with a hyphen are answers; said as two words they are two pauses.


@dataclass(slots=True)
class Unit:
    """One unit: `key` to compare, `index` of its (last) word and `first` of its first, times, and what stands after it.

    `pause_mark`: any punctuation after it; `stop`: a sentence ends; `dash`: the speaker broke off in writing.
    `name`: written with a capital; `number`: a number phrase.
    """

    key: str
    text: str
    first: int
    index: int
    start_ms: int
    end_ms: int
    sort: Sort = "word"
    pause_mark: bool = False
    stop: bool = False
    dash: bool = False
    name: bool = False
    number: bool = False


def read_units(words: Sequence[Word]) -> list[Unit]:
    """Return the units of a transcript in order; noises are left out, a number phrase is one unit."""
    plain: list[str] = []
    fragments: dict[int, str] = {}
    for index, word in enumerate(words):
        before = words[index - 1].text if index else "."
        following = words[index + 1].text if index + 1 < len(words) else ""
        fragment, text = _marks(word.text, before, following)
        if fragment:
            fragments[index] = fragment
        plain.append(text)
    shouted = all(text.upper() == text for text in plain)
    tokens = tokenize_words(plain)
    units = [_unit(token, words, plain, shouted) for token in tokens]
    units.extend(
        Unit(key, words[index].text, index, index, words[index].start_ms, words[index].end_ms, "fragment")
        for index, key in fragments.items()
    )
    # A stuttered word is both: its fragment comes first.
    units.sort(key=lambda unit: (unit.first, unit.sort != "fragment"))
    _drop_answers(units)
    _find_fragments(units)
    return units


def _marks(text: str, before: str, following: str) -> tuple[str, str]:
    """Return the fragment that the word holds, if any, and the text that remains to be compared."""
    bare = text.strip()
    if match := _CUTOFF.fullmatch(bare):
        return (match[1] or "?").lower(), ""
    if match := _HESITANT.fullmatch(bare):
        return "", match[1]
    if match := _CHAT_FRAGMENT.fullmatch(bare):
        return match[1].lower(), ""
    if match := _CHAT_FILLED.fullmatch(bare):
        return "", match[1].replace(":", "")
    if _NO_SPEECH.fullmatch(bare):
        return "", ""
    if match := _HYPHEN_END.fullmatch(bare):
        suspended = following.lower().strip(",") in ("and", "or", "to", "nor", "&")
        return ("", bare) if suspended else (match[1].lower(), "")
    # "C-shaped" has a letter for a name; at the start of a sentence a capital says nothing.
    lettered = bool(re.match(r"[^\W\d_a-z][-‐‑][a-z]", bare)) and not _STOP_END.search(before)
    if not lettered and (match := _STUTTER.match(bare)) and _stutters(match[0].lower()):
        return match[1].lower().rstrip("-‐‑"), bare[match.start(2) :]
    return "", text


def _stutters(word: str) -> bool:
    """Whether all but the last part are beginnings of the last: "s-s-segment", "th-the", not "re-record"."""
    *starts, last = re.split("[-‐‑]", word)
    if word in _COMPOUNDS or not all(last.startswith(start) for start in starts) or last in starts:
        return False
    lone = starts[0]
    return len(starts) > 1 or len(lone) == 1 or not any(letter in "aeiouy" for letter in lone)


def _unit(token: Token, words: Sequence[Word], plain: Sequence[str], shouted: bool) -> Unit:
    first, last = token.word_indices[0], token.word_indices[-1]
    written = plain[last].strip()
    lone_dash = last + 1 < len(plain) and plain[last + 1].strip() in ("-", "–", "—", "--", "...", "…")
    abbreviation = token.surface.isupper() and len(token.surface) > 1 and not shouted
    filled = is_filled_pause(token.key) and not abbreviation
    return Unit(
        token.key,
        " ".join(words[index].text for index in token.word_indices),
        first,
        last,
        words[first].start_ms,
        words[last].end_ms,
        "filled" if filled else "word",
        pause_mark=token.boundary_after or lone_dash,
        stop=token.boundary_after and bool(_STOP_END.search(written)) and not _DASH_END.search(written),
        dash=bool(_DASH_END.search(written)) or lone_dash,
        name=token.surface[:1].isupper() and not shouted and token.key != "i" and not token.key.startswith("i'"),
        number=token.number is not None,
    )


def _drop_answers(units: list[Unit]) -> None:
    """Make words of what only looks like a filled pause: "mm-hmm", "uh-huh", "uh-oh", and "5 mm"."""
    for place, unit in enumerate(units):
        if unit.sort != "filled":
            continue
        before = units[place - 1] if place else None
        after = units[place + 1] if place + 1 < len(units) else None
        if after is not None and (unit.key, after.key) in _NO_FILLER_PAIRS and after.key in ("huh", "oh", "hmm"):
            unit.sort = "word"
            after.sort = "word"
        elif after is not None and after.first == unit.first and (unit.key, after.key) in _NO_FILLER_PAIRS:
            unit.sort = after.sort = "word"
        elif unit.key == "mm" and before is not None and (before.number or before.key == "in"):
            unit.sort = "word"


def _find_fragments(units: list[Unit]) -> None:
    """Make fragments of "mon" in "mon— montreal" and of the letters in "m m m montreal"."""
    for place, (unit, after) in enumerate(pairwise(units)):
        if unit.sort != "word" or after.sort != "word" or len(after.key) <= len(unit.key):
            continue
        if not after.key.startswith(unit.key) or unit.number or after.number:
            continue
        if unit.dash:
            unit.sort = "fragment"
        elif len(unit.key) == 1 and unit.key not in "aio":
            first = place
            while first and units[first - 1].key == unit.key:
                first -= 1
            if first < place:
                for letter in units[first : place + 1]:
                    letter.sort = "fragment"


def key_at(units: Sequence[Unit], place: int) -> str:
    """Return the key of the unit at the place, "" outside."""
    return units[place].key if 0 <= place < len(units) else ""


def opens_at(units: Sequence[Unit], place: int) -> bool:
    """Return whether the unit is the first, or stands after a mark."""
    return place == 0 or units[place - 1].pause_mark


def compound(units: Sequence[Unit], place: int) -> bool:
    """Return whether the unit is part of a written word with others ("like-minded")."""
    beside = (at for at in (place - 1, place + 1) if 0 <= at < len(units))
    return any(units[at].first == units[place].index or units[at].index == units[place].first for at in beside)


def set_off(units: Sequence[Unit], place: int, length: int) -> bool:
    """Return whether marks stand on both sides; a sentence of its own ("You know.", "I mean?") is none."""
    last = units[place + length - 1]
    return last.pause_mark and opens_at(units, place) and not (last.stop and (place == 0 or units[place - 1].stop))
