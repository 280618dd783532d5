"""Which written forms are one word: British and American spelling, abbreviations, homophones (L1, L2).

The tables and their licences are in the folder `data`. Each is read once, when it is first needed.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

# Abbreviation -> how it may be read; a key by itself is always read as written.
ABBREVIATIONS = {
    "mr": ("mister",),
    "mrs": ("missus", "missis", "misses"),
    "dr": ("doctor", "drive"),
    "st": ("saint", "street"),
    "prof": ("professor",),
    "rev": ("reverend",),
    "jr": ("junior",),
    "sr": ("senior",),
    "mt": ("mount",),
    "ft": ("fort", "feet", "foot"),
    "rd": ("road",),
    "ave": ("avenue",),
    "blvd": ("boulevard",),
    "capt": ("captain",),
    "col": ("colonel",),
    "gen": ("general",),
    "lt": ("lieutenant",),
    "sgt": ("sergeant",),
    "gov": ("governor",),
    "govt": ("government",),
    "dept": ("department",),
    "approx": ("approximately",),
    "vs": ("versus",),
    "etc": ("etcetera",),
    "ok": ("okay",),
    "jan": ("january",),
    "feb": ("february",),
    "apr": ("april",),
    "jun": ("june",),
    "jul": ("july",),
    "aug": ("august",),
    "sept": ("september",),
    "oct": ("october",),
    "nov": ("november",),
    "dec": ("december",),
    "kg": ("kilogram", "kilograms"),
    "km": ("kilometer", "kilometers"),
    "cm": ("centimeter", "centimeters"),
    "lb": ("pound", "pounds"),
    "lbs": ("pounds",),
    "oz": ("ounce", "ounces"),
    "hr": ("hour", "hours"),
    "hrs": ("hours",),
    "min": ("minute", "minutes"),
    "mins": ("minutes",),
    "sec": ("second", "seconds"),
    "secs": ("seconds",),
}


@lru_cache(maxsize=1)
def _spellings() -> dict[str, str]:
    lines = (files(__package__) / "data" / "spellings.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


@lru_cache(maxsize=1)
def _homophones() -> dict[str, tuple[int, ...]]:
    groups: dict[str, tuple[int, ...]] = {}
    lines = (files(__package__) / "data" / "homophones.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        for word in line.split():
            groups[word] = (*groups.get(word, ()), number)
    return groups


def american(form: str) -> str:
    """Return the American spelling of a folded form, or the form itself; a possessive as its stem ("colour's")."""
    table = _spellings()
    if form in table:
        return table[form]
    stem, apostrophe, ending = form.partition("'")
    return table[stem] + apostrophe + ending if apostrophe and stem in table else form


@lru_cache(maxsize=65536)
def sounds(form: str, key: str) -> frozenset[str]:
    """Return names of the sounds of a word: two words that share one cannot be told apart by ear (L2).

    `form`, `key`: the word as written and in American spelling. A word is one of its own sounds, so that words outside
    the dictionary compare too; a possessive sounds as its plural ("wizard's", "wizards", "wizards'").
    """
    words = {form, key} | {plural for word in (form, key) for plural in _as_plural(word)}
    groups = _homophones()
    return frozenset(words | {f"#{number}" for word in words for number in groups.get(word, ())})


def _as_plural(word: str) -> tuple[str, ...]:
    """Return the plurals that sound as a possessive in 's."""
    if not word.endswith("'s"):
        return ()
    stem = word[:-2]
    if stem.endswith(("s", "x", "z", "sh", "ch")):
        return (f"{stem}es",)
    if stem.endswith("y") and stem[-2:-1] not in "aeiou":
        return (f"{stem[:-1]}ies",)
    return (f"{stem}s",)
