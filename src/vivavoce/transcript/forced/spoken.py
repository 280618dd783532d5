"""A number written in digits as the words it may be said with: 21 -> twenty one, 1984 -> nineteen eighty four too."""

from __future__ import annotations

_UNITS: tuple[str, ...] = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UNITS += ("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
_ORDINALS["twelve"] = "twelfth"
_LONGEST_VALUE = 15


def spoken(digits: str, *, ordinal: bool = False, plural: bool = False) -> list[list[str]]:
    """Return the ways to say a number, as lists of words, the usual way first.

    Parameters: `digits` 0-9 with at most one decimal point; `ordinal` "21st"; `plural` "1980s". Four digits from 1100
    to 2099 may be a year; digits with a zero before them or more than 15 of them are said one by one.
    """
    whole, _, part = digits.partition(".")
    if len(whole) > _LONGEST_VALUE or (len(whole) > 1 and whole.startswith("0")):
        ways = [_one_by_one(whole)]
    else:
        ways = [_cardinal(int(whole or 0)), *_year(whole)]
    if part:
        return [[*ways[0], "point", *_one_by_one(part)]]
    if ordinal:
        return [[*way[:-1], _ordinal(way[-1])] for way in ways]
    return [[*way[:-1], _plural(way[-1])] for way in ways] if plural else ways


def _one_by_one(digits: str) -> list[str]:
    return [_UNITS[int(digit)] for digit in digits]


def _cardinal(value: int) -> list[str]:
    if value < 20:
        return [_UNITS[value]]
    if value < 100:
        return [_TENS[value // 10 - 2], *([_UNITS[value % 10]] if value % 10 else [])]
    scale, name = next((scale, name) for scale, name in _SCALES if value >= scale)
    rest = value % scale
    return [*_cardinal(value // scale), name, *(_cardinal(rest) if rest else [])]


def _year(whole: str) -> list[list[str]]:
    if len(whole) != 4 or not 1100 <= int(whole) <= 2099 or whole[1:3] == "00":
        return []
    century, rest = _cardinal(int(whole[:2])), int(whole[2:])
    if rest == 0:
        return [[*century, "hundred"]]
    return [[*century, *(["oh"] if rest < 10 else []), *_cardinal(rest)]]


def _ordinal(word: str) -> str:
    if word.endswith("y"):
        return word[:-1] + "ieth"
    return _ORDINALS.get(word, word.removesuffix("t") + "th")


def _plural(word: str) -> str:
    return word[:-1] + "ies" if word.endswith("y") else word + ("es" if word.endswith("x") else "s")
