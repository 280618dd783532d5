"""A text as tokens that can be compared: case, punctuation, numbers and spelling settled once (L1).

NFKC, case folded, curly quotes straight, punctuation dropped; hyphens and dashes split words; apostrophes stay
inside words; one cardinal or ordinal phrase is one number token; "$5" is read "five dollars", "50%" "50 percent",
"&" "and"; "U.S.A." is "usa"; letters and digits part ("10am" is two tokens); British and American spelling get one key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vivavoce.trace import Exact, plain
from vivavoce.transcript.numbers import Phrase, Reader
from vivavoce.transcript.pieces import CURRENCY, Piece, cut
from vivavoce.transcript.spelling import american

# M1's filled pauses and their drawn-out spellings ("ummm", "hm"); "err" alone is a verb.
_FILLED_PAUSES = (
    (re.compile(r"u+m+"), "um"),
    (re.compile(r"u+h+"), "uh"),
    (re.compile(r"u+h+m+"), "uhm"),
    (re.compile(r"e+r|er{3,}"), "er"),
    (re.compile(r"e+r+m+"), "erm"),
    (re.compile(r"h+m+"), "hmm"),
    (re.compile(r"m{2,}"), "mm"),
    (re.compile(r"a+h+"), "ah"),
)


@dataclass(frozen=True, slots=True)
class Token:
    """One comparable unit of a text: a word or a number phrase.

    `key`: the form to compare, spelling variants settled, a number's value in digits. `form`: the same before
    spelling is settled. `surface`: as written. `number`: its exact value, ordinal and cardinal alike, else None.
    `word_indices`: the written words (or recognised words) that it came from, counted over the whole text.
    `boundary_after`: whether a phrase ends after it (M3). `line`: the line of the text, from 0.
    """

    key: str
    surface: str
    number: Exact | None
    word_indices: tuple[int, ...]
    boundary_after: bool
    line: int
    form: str


def written(token: Token) -> list[str]:
    """Return a token's words as they are written, figures and signs as they are said ("$20.50" is four words)."""
    return (token.surface if any(sign.isalpha() for sign in token.surface) else token.form).split()


def tokenize(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text; a line end is a phrase boundary (L1, M3).

    `text`: any text, lines separated by line feeds. `word_indices` count its white-space separated words.
    """
    words = [(word, line) for line, content in enumerate(text.splitlines()) for word in content.split()]
    pieces = cut(words)
    for piece, following in pairwise(pieces):
        piece.boundary = piece.boundary or following.line != piece.line
    if pieces:
        pieces[-1].boundary = True
    return _join(pieces)


def tokenize_words(words: Sequence[str]) -> tuple[Token, ...]:
    """Return the tokens of recognised words, `word_indices` their positions in `words` (L1)."""
    parts = [(index, part) for index, word in enumerate(words) for part in word.split()]
    pieces = cut((part, 0) for _, part in parts)
    for piece in pieces:
        piece.word = parts[piece.word][0]
    return _join(pieces)


def is_filled_pause(key: str) -> bool:
    """Return whether a token key is a filled pause: um, uh, uhm, er, erm, hmm, mm, ah, drawn out or not (M1)."""
    return _filled_pause(key) is not None


def _filled_pause(key: str) -> str | None:
    if key.strip("aehmru"):
        return None
    return next((name for pattern, name in _FILLED_PAUSES if pattern.fullmatch(key)), None)


def _join(pieces: Sequence[Piece]) -> tuple[Token, ...]:
    tokens: list[Token] = []
    reader = Reader(pieces)
    at = 0
    while at < len(pieces):
        phrase = reader.phrase(at)
        if phrase is None:
            piece = pieces[at]
            key = _filled_pause(piece.form) or american(piece.form)
            tokens.append(_token(pieces[at : at + 1], key, piece.form))
            at += 1
        else:
            tokens.extend(_number(pieces[at : phrase.end], phrase))
            at = phrase.end
    return tuple(tokens)


def _token(
    pieces: Sequence[Piece],
    key: str,
    form: str,
    number: Exact | None = None,
    *,
    surface: str = "",
    boundary: bool | None = None,
) -> Token:
    indices = tuple(dict.fromkeys(piece.word for piece in pieces))
    boundary = pieces[-1].boundary if boundary is None else boundary
    return Token(key, surface or _surface(pieces), number, indices, boundary, pieces[0].line, form)


def _surface(pieces: Sequence[Piece]) -> str:
    text = pieces[0].surface
    for before, piece in pairwise(pieces):
        text += ("-" if before.word == piece.word else " ") + piece.surface
    return text


def _number(pieces: Sequence[Piece], phrase: Phrase) -> Iterable[Token]:
    """Yield the number, and the currency read after it ("$20.50": 20 dollars 50 cents)."""
    first = pieces[0]
    if not first.currency:
        yield _token(pieces, plain(phrase.value), " ".join(piece.form for piece in pieces), phrase.value)
        return
    one, many, cent, cents = CURRENCY[first.currency]
    amounts: list[tuple[Exact, str]] = [(phrase.value, one if phrase.value == 1 else many)]
    whole, _, part = first.digits.partition(".")
    if len(pieces) == 1 and len(part) == 2 and int(part):
        amounts = [(int(part), cent if int(part) == 1 else cents)]
        if int(whole or 0):
            amounts.insert(0, (int(whole), one if int(whole) == 1 else many))
    for value, unit in amounts:
        yield _token(pieces, plain(value), plain(value), value, boundary=False)
        ends = pieces[-1].boundary and unit == amounts[-1][1]
        yield _token(pieces[-1:], american(unit), unit, surface=first.currency, boundary=ends)
