"""How a written word may be said, as phones of the acoustic model.

    dictionary   the word is in the package's dictionary, with its variants; digits are spelled out first
    parts        a known word with an ending ('s, -ed, -ing ...), two known words in one, or letters by name (ATM)
    letters      by rules from spelling to sound: rough, but an alignment needs no more

A filled pause may also be the model's noise of a voice, since its vowel is drawn out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice, product

from vivavoce.transcript.forced.model import load_dictionary
from vivavoce.transcript.forced.result import VOICE, Source
from vivavoce.transcript.forced.spoken import spoken
from vivavoce.transcript.pieces import CURRENCY, Piece, cut
from vivavoce.transcript.words import is_filled_pause

Phones = tuple[str, ...]
MOST_VARIANTS = 6
_SOURCES: tuple[Source, ...] = ("dictionary", "parts", "letters")
_VOICELESS, _HISSING = frozenset(("P", "T", "K", "F", "TH")), frozenset(("S", "Z", "SH", "ZH", "CH", "JH"))
_ENDINGS: dict[str, tuple[str, ...]] = {
    "ing": ("IH NG",),
    "in": ("IH N",),
    "est": ("AH S T",),
    "st": ("S T",),
    "er": ("ER",),
    "ers": ("ER Z",),
    "ly": ("L IY",),
    "ness": ("N AH S",),
    "less": ("L AH S",),
    "y": ("IY",),
}
# Spelling to sound, the longest first; a dot parts phones.
_SPELLINGS = """
tch=CH dge=JH sch=S.K igh=AY eau=OW tion=SH.AH.N sion=ZH.AH.N ough=AO augh=AO
ch=CH sh=SH th=TH ph=F wh=W ck=K ng=NG qu=K.W kn=N wr=R gh=G gn=N zh=ZH
ai=EY ay=EY au=AO aw=AO ea=IY ee=IY ei=EY ey=IY ew=UW ie=IY oa=OW oe=OW
oi=OY oy=OY oo=UW ou=AW ow=OW ue=UW ui=UW ar=AA.R er=ER ir=ER ur=ER or=AO.R
ce=S ci=S.IH cy=S.IY ge=JH gi=JH.IH
bb=B cc=K dd=D ff=F gg=G ll=L mm=M nn=N pp=P rr=R ss=S tt=T zz=Z
a=AE e=EH i=IH o=AA u=AH y=IH b=B c=K d=D f=F g=G h=HH j=JH k=K l=L m=M
n=N p=P q=K r=R s=S t=T v=V w=W x=K.S z=Z
"""
_LETTERS = dict(rule.split("=") for rule in _SPELLINGS.split())
_RULES = re.compile("|".join(sorted(_LETTERS, key=len, reverse=True)))
_FINAL = {"y": "IY", "e": "", "o": "OW", "a": "AH", "i": "IY"}
_VOWEL = re.compile(r"[aeiouy]")


@dataclass(frozen=True, slots=True)
class Pronunciation:
    """The ways a word may be said, the usual first, and where they come from; none: nothing in it can be said."""

    variants: tuple[Phones, ...]
    source: Source


def pronounce(word: str) -> Pronunciation:
    """Return how a written word may be said, at most six ways; marks around it are ignored, "$5" is "five dollars".

    Raises MissingError where pocketsphinx is not installed.
    """
    heard: list[tuple[tuple[str, ...], Source]] = []
    for piece in cut([(word, 0)]):
        said = _piece(piece)
        if said is not None:
            heard.append(said)
    if not heard:
        return Pronunciation((), "none")
    joined = product(*(variants for variants, _ in heard))
    variants = dict.fromkeys(tuple(" ".join(parts).split()) for parts in islice(joined, MOST_VARIANTS))
    return Pronunciation(tuple(variants), max((source for _, source in heard), key=_SOURCES.index))


def _piece(piece: Piece) -> tuple[tuple[str, ...], Source] | None:
    if piece.digits:
        return _number(piece)
    letters = piece.surface.replace(".", "")
    if "." in piece.surface.rstrip(".") or (letters.isupper() and len(letters) > 1 and not _VOWEL.search(piece.form)):
        named = _by_name(piece.form)
        if named is not None:
            return (named,), "parts"
    return _word(piece.form, shouted=letters.isupper())


def _number(piece: Piece) -> tuple[tuple[str, ...], Source] | None:
    text = piece.surface.lower()
    plural = piece.suffix and text.endswith("s")
    ways = spoken(piece.digits, ordinal=piece.suffix and not plural, plural=plural)
    if piece.currency:
        _, many, _, cents = CURRENCY[piece.currency]
        whole, _, part = piece.digits.partition(".")
        hundredths = [*spoken(str(int(part)))[0], cents] if len(part) == 2 and int(part) else []
        ways = [[*spoken(whole or "0")[0], many, *hundredths]]
    made, sources = [], []
    for way in ways:
        said = [_word(word) for word in way]
        parts = [variants[0] for variants, _ in (one for one in said if one)]
        made.append(" ".join(parts))
        sources += [one[1] for one in said if one]
    return tuple(made), max(sources, key=_SOURCES.index)


def _word(form: str, *, shouted: bool = False) -> tuple[tuple[str, ...], Source] | None:
    """The ways to say one word of letters and apostrophes, None where it has no letter of ours."""
    known = load_dictionary()
    if is_filled_pause(form):
        usual = known.get(form) or known.get(re.sub(r"(.)\1+", r"\1", form)) or ("AH",)
        return (*usual, VOICE), "dictionary"
    for spelled in (form, f"'{form}", f"{form}'", form.replace("'", "")):
        if spelled in known:
            return known[spelled], "dictionary"
    form = re.sub(r"[^a-z']", "", form)
    if not form.strip("'"):
        return None
    if shouted and len(form) <= 4:
        named = _by_name(form)
        if named is not None:
            return (named, _by_rule(form)), "parts"
    made = _ending(form) or _compound(form)
    return (made, "parts") if made else ((_by_rule(form),), "letters")


def _by_name(form: str) -> str | None:
    known = load_dictionary()
    names = [known.get(letter, ()) for letter in form if letter != "'"]
    # "a" the article comes before "a" the letter.
    return " ".join(name[-1] for name in names) if names and all(names) else None


def _ending(form: str) -> tuple[str, ...] | None:
    for stem, ending in ((form[:cut_], form[cut_:]) for cut_ in range(len(form) - 1, 1, -1)):
        base = _base(stem.removesuffix("'"))
        if base is None:
            continue
        if ending in ("s", "'s", "es", "'"):
            return _each(base, lambda last: "IH Z" if last in _HISSING else "S" if last in _VOICELESS else "Z")
        if ending in ("d", "'d", "ed"):
            return _each(base, lambda last: "IH D" if last in ("T", "D") else "T" if last in _VOICELESS else "D")
        if ending in _ENDINGS:
            return tuple(f"{phones} {end}" for phones in base for end in _ENDINGS[ending])
    return None


def _base(stem: str) -> tuple[str, ...] | None:
    """The dictionary's word behind a stem: itself, with its e again, or without its doubled letter."""
    known = load_dictionary()
    forms: Iterable[str] = (stem, stem + "e", stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else "")
    if stem.endswith("i"):
        forms = (stem[:-1] + "y",)
    return next((known[form] for form in forms if len(form) > 2 and form in known), None)


def _each(base: tuple[str, ...], end: Callable[[str], str]) -> tuple[str, ...]:
    return tuple(f"{phones} {end(phones.rsplit(' ', 1)[-1])}" for phones in base)


def _compound(form: str) -> tuple[str, ...] | None:
    known = load_dictionary()
    halves = [(form[:at], form[at:]) for at in range(3, len(form) - 2)]
    halves = [(left, right) for left, right in halves if left in known and right in known]
    # The most even parting: "sun|flower", not "sunf|lower".
    best = max(halves, key=lambda pair: min(map(len, pair)), default=None)
    return (f"{known[best[0]][0]} {known[best[1]][0]}",) if best else None


def _by_rule(form: str) -> str:
    form = form.replace("'", "")
    stem, last = form, ""
    if len(form) > 2 and form[-1] in _FINAL and _VOWEL.search(form[:-1]) and form[-2:] not in _LETTERS:
        stem, last = form[:-1], _FINAL[form[-1]]
    said = " ".join(_LETTERS[match].replace(".", " ") for match in _RULES.findall(stem))
    return f"{said} {last}".strip() or "AH"
