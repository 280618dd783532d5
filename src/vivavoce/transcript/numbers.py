"""Join the pieces of a cardinal or ordinal phrase into one number (L1).

    phrase   = group [scale [["and"] group]]...   descending scales; "and" only before a value under 100
    group    = under100 ["hundred" [["and"] under100]]      the multiplier is 1-9, or 11-99 that ends in no zero
    under100 = ten [unit] | teen | unit

Digits stand for a group ("5 million"), "a" for one before hundred or a scale ("a hundred"), "point" joins decimals; the
last element may be ordinal ("twenty-first", "two hundredth"). Punctuation or a line end always ends a phrase, so
"twenty, five" is two numbers. What does not fit goes on as the next number: "one two three" is three,
"nineteen eighty-four" is 19 and 84.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from vivavoce.trace import Exact, exact
from vivavoce.transcript.pieces import Piece

_UNITS = {
    word: value
    for value, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
}
_TEENS = {
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
}
_TENS = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fourty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
SCALES |= {"quadrillion": 10**15, "quintillion": 10**18}
_IRREGULAR = {
    "first": "one",
    "second": "two",
    "third": "three",
    "fifth": "five",
    "eighth": "eight",
    "ninth": "nine",
    "twelfth": "twelve",
}
_OH = {"oh": 0, "o": 0}
SPOKEN = {value: word for word, value in (_UNITS | _TEENS | _TENS).items() if word != "fourty"}


@dataclass(frozen=True, slots=True)
class _Word:
    """What a number word means: its kind, its value, and whether it closes the phrase (ordinal, plural of a ten)."""

    kind: str
    value: int
    last: bool = False


def _vocabulary() -> dict[str, _Word]:
    found = {"nought": _Word("unit", 0), "hundred": _Word("hundred", 100), "hundredth": _Word("hundred", 100, True)}
    for kind, words in (("unit", _UNITS), ("teen", _TEENS), ("ten", _TENS), ("scale", SCALES)):
        for word, value in words.items():
            found[word] = _Word(kind, value)
            ordinal = f"{word[:-1]}ieth" if word.endswith("y") else f"{word}th"
            found[ordinal] = _Word(kind, value, True)
            if kind == "ten":
                found[f"{word[:-1]}ies"] = _Word(kind, value, True)
    for ordinal, word in _IRREGULAR.items():
        found[ordinal] = _Word(found[word].kind, found[word].value, True)
        found.pop(f"{word}th")
    # Plural scales are numbers only after a multiplier ("seventy-five thousands"), else words ("thousands of people").
    for word in ("hundred", *SCALES):
        found[f"{word}s"] = _Word("plural", found[word].value)
    return found


_WORDS = _vocabulary()


@dataclass(frozen=True, slots=True)
class Phrase:
    """A number phrase: the pieces [start, end), its value, and whether it is an ordinal or decade."""

    start: int
    end: int
    value: Exact
    last: bool = False


class Reader:
    """Finds the number phrase that begins at a piece."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self._start = 0

    def phrase(self, start: int) -> Phrase | None:
        """Return the longest phrase from `start`, or None where no number begins there."""
        piece = self._pieces[start]
        self._start = start
        if piece.digits:
            return self._from_digits(start)
        if piece.form == "a" and (word := self._word(start + 1)) and not word.last:
            found = self._cardinal(start + 1) if word.kind in ("hundred", "scale") else None
            return found and Phrase(start, found.end, found.value, found.last)
        if not (word := _WORDS.get(piece.form)) or word.kind == "plural":
            return None
        return self._decimals(self._cardinal(start))

    def _form(self, index: int) -> str:
        """The form of a piece of the phrase, nothing where a boundary parts it from the piece before."""
        if index >= len(self._pieces) or (index > self._start and self._pieces[index - 1].boundary):
            return ""
        return self._pieces[index].form

    def _word(self, index: int) -> _Word | None:
        return _WORDS.get(self._form(index))

    def _from_digits(self, start: int) -> Phrase:
        piece = self._pieces[start]
        value = exact(f"0{piece.digits}")
        if piece.suffix:
            return Phrase(start, start + 1, value, True)
        number = Phrase(start, start + 1, value)
        found = number if "." in piece.digits else self._decimals(number)
        return self._scaled(number) if found is number else found

    def _scaled(self, phrase: Phrase) -> Phrase:
        """Multiply by the scale words that follow ("2.5 million", "3 hundred")."""
        while not phrase.last and (word := self._word(phrase.end)) and word.kind in ("hundred", "scale", "plural"):
            phrase = Phrase(phrase.start, phrase.end + 1, exact(phrase.value * word.value), word.last)
        return phrase

    def _decimals(self, phrase: Phrase) -> Phrase:
        """Add what follows "point": single digits in a row, or one number read as its digits."""
        if phrase.last or self._form(phrase.end) != "point":
            return phrase
        at = first = phrase.end + 1
        digits = ""
        while (digit := _UNITS.get(self._form(at), _OH.get(self._form(at)))) is not None:
            digits, at = digits + str(digit), at + 1
        found = self._group(first)
        if found and found.end > at and not found.last:
            digits, at = str(found.value), found.end
        elif at == first and self._form(first) and self._pieces[first].digits.isdecimal():
            digits, at = self._pieces[first].digits, first + 1
        if not digits:
            return phrase
        value = phrase.value + exact(Fraction(int(digits), 10 ** len(digits)))
        return self._scaled(Phrase(phrase.start, at, value))

    def _under_hundred(self, start: int) -> Phrase | None:
        word = self._word(start)
        if word is None or word.kind not in ("unit", "teen", "ten"):
            return None
        unit = self._word(start + 1)
        if word.kind == "ten" and not word.last and unit and unit.kind == "unit" and unit.value:
            return Phrase(start, start + 2, word.value + unit.value, unit.last)
        return Phrase(start, start + 1, word.value, word.last)

    def _multiplies(self, found: Phrase) -> bool:
        """Return whether "hundred" follows and the number before it multiplies it."""
        word = self._word(found.end)
        if found.last or word is None or not (word.kind == "hundred" or (word.kind == "plural" and word.value == 100)):
            return False
        return 1 <= found.value <= 9 or (found.value > 10 and found.value % 10 != 0)

    def _group(self, start: int) -> Phrase | None:
        """Return a number under a thousand, or hundreds as in "nineteen hundred"."""
        found = self._under_hundred(start)
        if found is None:
            word = self._word(start)
            if word is None or word.kind != "hundred":
                return None
            hundreds = Phrase(start, start + 1, 100, word.last)
        elif self._multiplies(found):
            hundreds = Phrase(start, found.end + 1, found.value * 100, _WORDS[self._form(found.end)].last)
        else:
            return found
        if hundreds.last:
            return hundreds
        joined = self._form(hundreds.end) == "and"
        rest = self._under_hundred(hundreds.end + joined)
        if rest is None or not rest.value or self._multiplies(rest):
            return hundreds
        return Phrase(start, rest.end, hundreds.value + rest.value, rest.last)

    def _cardinal(self, start: int) -> Phrase:
        """Return the phrase in words from `start`, where a number word stands."""
        total: Exact = 0
        limit, end = 10**21, start
        at, joined = start, False
        while True:
            group = self._group(at)
            word = self._word(group.end if group else at)
            scale = word if word and word.kind in ("scale", "plural") and word.value in SCALES.values() else None
            if group is None and (end > start or scale is None):
                break
            if scale and not (group and group.last):
                if scale.value >= limit or joined:
                    break
                total += (group.value if group else 1) * scale.value
                limit, end = scale.value, (group.end if group else at) + 1
                if scale.last:
                    return Phrase(start, end, total, True)
                joined = self._form(end) == "and"
                at = end + joined
                continue
            assert group is not None
            if group.value >= min(limit, 10**4) or (end > start and not group.value) or (joined and group.value >= 100):
                break
            return Phrase(start, group.end, total + group.value, group.last)
        return Phrase(start, end, total)
