"""Letters that hide or pretend: folding to plain lower case with places kept, hidden characters, look-alikes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

# Cyrillic, Greek and Armenian letters that look like Latin ones (Unicode TR39 confusables, the plain cases).
_TWINS = {
    **dict(zip("аеорсухіјѕԁһӏвкмнтгԛԝпі", "aeopcyxijsdhlbkmhtrqwni", strict=True)),
    **dict(zip("ορανικτυχεηω", "opaviktuxenw", strict=True)),
    **dict(zip("օոսհց", "onuhg", strict=True)),
}
# Latin letters that Unicode does not take apart.
_BARRED = str.maketrans("đłøıħŧ", "dloiht")
_DIGITS = str.maketrans("013457", "oieast")
_WORD = re.compile(r"[^\W_]+")
_LEET = re.compile(r"[a-z0-9]{3,}")
_HARMLESS_GREEK = frozenset("μµπωθλσδφψ")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text and, for each of its characters, the place of the written one."""

    text: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the written span of a folded one."""
        return self.places[start], self.places[max(start, end - 1)] + 1


def fold(text: str) -> Folded:
    """Return a text as it sounds to a reader: NFKC, case folded, Latin without accents, format characters gone,
    look-alikes replaced in mixed words, digits in words read as letters, quotes straight, spaces single; lines kept."""
    twins = {
        start + i: _TWINS[char]
        for start, word in _mixed(text)
        for i, char in enumerate(word.casefold())
        if char in _TWINS
    }
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        for each in _plain(twins.get(place, char)):
            if each == " " and chars and chars[-1] == " " and not (len(chars) > 1 and chars[-2] == "\n"):
                continue
            chars.append(each)
            places.append(place)
    folded = _LEET.sub(lambda match: _read_digits(match[0]), "".join(chars))
    return Folded(folded, tuple(places))


def _read_digits(word: str) -> str:
    """Return "1gn0re" as "ignore"; "12th", "mp3", "7b" and "covid19" stay: their digits stand at one end."""
    if word.isalpha() or word.isdigit() or set(word) & set("2689"):
        return word
    inside = re.search(r"[a-z][013457]+[a-z]", word) or re.fullmatch(r"[013457][a-z]+[013457]?[a-z]*", word)
    return word.translate(_DIGITS) if inside or word in {"a11", "1n", "1t"} else word


def _plain(char: str) -> str:
    """Return the folded characters of one written character; none for format characters."""
    if char in "\n\u2028\u2029\x85":
        return "\n"
    if char in "‘’ʼ′":
        return "'"
    if char in "“”„«»":
        return '"'
    if char in "‐‑‒–":
        return "-"
    if char.isspace():
        return " "
    if unicodedata.category(char) in {"Cf", "Cc", "Cs", "Cn", "Co"}:
        return ""
    plain = unicodedata.normalize("NFKC", char).casefold().translate(_BARRED)
    parts = unicodedata.normalize("NFKD", plain)
    return parts[0] if "a" <= parts[0] <= "z" and all(map(unicodedata.combining, parts[1:])) else plain


def hidden(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of characters that do not show and have no use in that script.

    Joiners between emoji, in Persian, Arabic or Indic words, flags, a byte order mark at the start and soft hyphens
    have a use; so have bidirectional marks in a text with right-to-left letters, overrides never.
    """
    right_to_left = any(unicodedata.bidirectional(char) in {"R", "AL"} for char in text)
    for place, char in enumerate(text):
        before = text[place - 1] if place else ""
        after = text[place + 1] if place + 1 < len(text) else ""
        if _is_hidden(char, before, after, right_to_left) and not (char == "\ufeff" and place == 0):
            yield place, place + 1
    yield from _runs(text)


def _is_hidden(char: str, before: str, after: str, right_to_left: bool) -> bool:
    if char in "\n\r\t\f\x0b\x85\u2028\u2029\xad":
        return False
    if char in "\u202d\u202e":
        return True
    if char in "\u200e\u200f\u061c\u202a\u202b\u202c\u2066\u2067\u2068\u2069":
        return not right_to_left
    if char in "\u200c\u200d":
        return not (_joins(before) and (_joins(after) or not after or after.isspace()))
    if "\U000e0000" <= char <= "\U000e007f":
        return False  # in a run (_runs): flags use them
    category = unicodedata.category(char)
    noncharacter = ord(char) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(char) <= 0xFDEF
    return (
        category in {"Cc", "Cs"}
        or noncharacter
        or (category == "Cf" and not char.isprintable() and not _format_of_script(char))
    )


def _format_of_script(char: str) -> bool:
    """Say whether a format character belongs to a script: Arabic number signs, Syriac and Kaithi marks."""
    return 0x0600 <= ord(char) <= 0x070F or 0x0890 <= ord(char) <= 0x08E2 or ord(char) in {0x110BD, 0x110CD}


def _joins(char: str) -> bool:
    """Say whether a joiner beside this character has a use: emoji and scripts whose letters join."""
    if not char:
        return False
    return char == "\ufe0f" or ord(char) >= 0x1F000 or 0x2600 <= ord(char) <= 0x27BF or 0x0600 <= ord(char) <= 0x109F


_TAGS = re.compile("(\U0001f3f4)?[\U000e0000-\U000e007f]+")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")


def _runs(text: str) -> Iterator[tuple[int, int]]:
    for match in _TAGS.finditer(text):
        if not (match[1] and match[0].endswith("\U000e007f") and len(match[0]) <= 8):
            yield match.span()
    for match in _SELECTORS.finditer(text):
        yield match.span()


def _script(char: str) -> str:
    return unicodedata.name(char, "").split(" ")[0]


def _mixed(text: str) -> Iterator[tuple[int, str]]:
    """Yield place and word of words that mix Latin letters with look-alikes of another script."""
    for match in _WORD.finditer(text):
        letters = [char for char in match[0] if char.isalpha()]
        others = [char for char in letters if _script(char) in {"CYRILLIC", "GREEK", "ARMENIAN"}]
        if not others or len(others) == len(letters) or not any(_script(char) == "LATIN" for char in letters):
            continue
        if all(char.casefold() in _TWINS for char in others) and not all(
            char.casefold() in _HARMLESS_GREEK for char in others
        ):
            yield match.start(), match[0]


_STYLED = re.compile("(?:[\U0001d400-\U0001d7ff\U0001f110-\U0001f189\u24b6-\u24e9] ?){3,}")
_WIDE = re.compile(r"[\uff21-\uff3a\uff41-\uff5a]{3,}(?: [\uff10-\uff5a]+)*")
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def look_alikes(text: str) -> Iterator[tuple[int, int]]:
    """Yield words that mix Latin letters with look-alikes, and words in mathematical, ringed or full-width letters."""
    for start, word in _mixed(text):
        yield start, start + len(word)
    for match in _STYLED.finditer(text):
        yield match.span()
    if not _EAST_ASIAN.search(text):
        for match in _WIDE.finditer(text):
            yield match.span()
