"""Cut written words into pieces: letters, digits and signs, with what is dropped decided once (L1, M3).

A piece is the smallest part that can be a token of its own; `numbers` then joins number phrases. Each character is
first put into a class, and the classes of a word are searched with one expression, so any script and any look-alike
takes the same path:

    a letter or mark    0 digit    ' apostrophe    . full stop    , comma    - hyphen    ~ dash    ; of : ; ? !
    $ currency          % percent  & ampersand     anything else splits and is dropped
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

# Spelled out before NFKC, which would make "3½" the number 31/2.
_FRACTIONS = {"½": "half", "¼": "quarter", "¾": "three quarters", "⅓": "one third", "⅔": "two thirds"}
_AFTER_DIGIT = {"½": "a half", "¼": "a quarter"}
_FRACTION = re.compile(f"([0-9]?)([{''.join(_FRACTIONS)}])")
_QUOTES = str.maketrans(dict.fromkeys("‘’‛`´ʼʹ′", "'"))

_PIECE = re.compile(
    r"(?P<digits>0{1,3}(?:,000)+(?!0)(?:\.0+)?|0+(?:\.0+)*|(?<![a0.])\.0+)"
    r"|(?P<initials>(?<![a'])a(?:\.a)+(?![a0]))"
    r"|(?P<word>a+(?:'a+)*)"
    r"|(?P<sign>[%&$])"
)
# What may follow digits: an ordinal or a decade.
_SUFFIX = re.compile(r"(?:'?s|st|nd|rd|th)(?![^\W\d_])", re.IGNORECASE)
_SIGNS = {"%": "percent", "&": "and"}
# Sign -> one, many, and one and many of its hundredths.
CURRENCY = {
    "$": ("dollar", "dollars", "cent", "cents"),
    "£": ("pound", "pounds", "penny", "pence"),
    "€": ("euro", "euros", "cent", "cents"),
    "¥": ("yen", "yen", "sen", "sen"),
    "₹": ("rupee", "rupees", "paisa", "paise"),
}
# Their full stop ends no sentence, so no phrase either.
TITLES = frozenset(["mr", "mrs", "ms", "dr", "prof", "rev", "hon", "st", "gen", "col", "capt", "lt", "sgt"])
MAX_DIGITS = 60


@dataclass(slots=True)
class Piece:
    """A part of a written word. `form` is what is compared; `digits` its number where it is written in digits.

    `suffix`: whether an ordinal or decade ending follows the digits. `currency`: the sign that is read after it.
    `boundary`: whether punctuation or a line end follows. `word`, `line`: where it was written.
    """

    form: str
    surface: str
    word: int
    line: int
    digits: str = ""
    suffix: bool = False
    currency: str = ""
    boundary: bool = False


class _Classes(dict[int, str]):
    """The class of a character, found once and kept."""

    def __missing__(self, code: int) -> str:
        self[code] = found = self._of(chr(code))
        return found

    @staticmethod
    def _of(char: str) -> str:
        category = unicodedata.category(char)
        if char in ".,'%&-‐‑":
            return "-" if char in "‐‑" else char
        if char in ":;?!؟؛،।。、":
            return ";"
        if category == "Nd":
            return "0"
        if category[0] in "LM" or category in ("Nl", "No"):
            return "a"
        if category == "Pd" or char == "−":
            return "~"
        return "$" if char in CURRENCY else " "


_CLASSES = _Classes()


class _Visible(dict[int, int | None]):
    """Characters with no shape of their own (soft hyphen, joiners, variation selectors) are dropped."""

    def __missing__(self, code: int) -> int | None:
        hidden = unicodedata.category(chr(code)) in ("Cf", "Cs", "Me") or 0xFE00 <= code <= 0xFE0F
        self[code] = found = None if hidden else code
        return found


_VISIBLE = _Visible()


def fold(text: str) -> str:
    """Return the text as it is compared: NFKC and case folded, marks on Latin letters dropped (cafe = café)."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFC", "".join(char for char in parts if not "\u0300" <= char <= "\u036f"))


def cut(words: Iterable[tuple[str, int]]) -> list[Piece]:
    """Return the pieces of written words, each given with the number of its line."""
    pieces: list[Piece] = []
    waiting = ""
    for index, (word, line) in enumerate(words):
        waiting = _cut_word(_plain(word), index, line, pieces, waiting)
    return pieces


def _plain(word: str) -> str:
    if word.isascii():
        return word.replace("`", "'")
    word = _FRACTION.sub(_spell_fraction, word).translate(_QUOTES)
    return unicodedata.normalize("NFKC", word).translate(_VISIBLE)


def _spell_fraction(match: re.Match[str]) -> str:
    digit, sign = match.groups()
    if not digit:
        return f" {_FRACTIONS[sign]} "
    return f"{digit} and {_AFTER_DIGIT.get(sign, _FRACTIONS[sign])} "


def _cut_word(word: str, index: int, line: int, pieces: list[Piece], waiting: str) -> str:
    """Append the pieces of one written word; return the currency sign that still waits for its number."""
    classes = word.translate(_CLASSES)
    at, first = 0, len(pieces)
    while match := _PIECE.search(classes, at):
        before = classes[at : match.start()]
        if pieces and (_ends_inside(before) if len(pieces) > first else _ends_phrase(before)):
            pieces[-1].boundary = True
        kind, at = match.lastgroup, match.end()
        text = word[match.start() : at]
        if kind == "sign" and text not in _SIGNS:
            waiting = _currency(text, pieces, alone=len(classes.strip()) == 1, inside=len(pieces) > first) or waiting
            continue
        if kind == "digits":
            ending = _SUFFIX.match(word, at)
            at = ending.end() if ending else at
            pieces.extend(_digits(text, word[match.start() : at], ending is not None, index, line, waiting))
        else:
            form = _SIGNS.get(text) or fold(text.replace(".", "") if kind == "initials" else text)
            if any(map(str.isalnum, form)):
                pieces.append(Piece(form, text, index, line))
        waiting = ""
    if pieces:
        after = classes[at:].strip()
        title = pieces[-1].form in TITLES and after == "."
        lone_hyphen = len(pieces) == first and after == "-"
        pieces[-1].boundary = pieces[-1].boundary or lone_hyphen or (_ends_phrase(after) and not title)
    return waiting


def _ends_phrase(between: str) -> bool:
    """Return whether punctuation between two words ends a phrase (M3); quotes and brackets are looked through.

    One hyphen does not: before a word it belongs to a compound, after it the word was cut off. Alone it is a dash.
    """
    return any(char in between for char in ".,;~") or "--" in between


def _ends_inside(between: str) -> bool:
    """Return the same inside a written word, where one stop or colon ends nothing ("10:30", "example.com")."""
    return any(mark in between for mark in (",", "~", "--", ".."))


def _currency(sign: str, pieces: list[Piece], *, alone: bool, inside: bool) -> str:
    """Give a sign written after a number to it ("5€", "5 €"), else return it: it waits for the number that follows."""
    if (alone or inside) and pieces and pieces[-1].digits and not pieces[-1].currency:
        pieces[-1].currency = sign
        return ""
    return sign


def _digits(text: str, surface: str, suffix: bool, word: int, line: int, currency: str) -> Iterable[Piece]:
    plain = "".join(char if char == "." else str(unicodedata.decimal(char)) for char in text.replace(",", ""))
    if plain.count(".") > 1:
        for part in plain.split("."):
            yield Piece(part, part, word, line, digits=part if len(part) <= MAX_DIGITS else "")
        return
    digits = plain if len(plain) <= MAX_DIGITS else ""
    yield Piece(plain, surface, word, line, digits=digits, suffix=suffix, currency=currency)
