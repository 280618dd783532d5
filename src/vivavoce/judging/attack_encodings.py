"""Words that were encoded: base64, hex, entities, percent and backslash escapes, rot13; decoded to be looked at."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote


@dataclass(frozen=True, slots=True)
class Plain:
    """A decoded text; `says_something`: it came out as words, which no chance does."""

    text: str
    says_something: bool


_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ ,:]{0,2}){8,}(?![0-9A-Za-z])")
_ENTITIES = re.compile(r"(?:&#x?[0-9A-Fa-f]{1,6};\s?){4,}")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2}){6,}")
_BACKSLASH = re.compile(r"(?:\\u[0-9A-Fa-f]{4}\s?){4,}")
_TEXT = re.compile(r"[\w.,:;!?'\"()\[\]{}\-\s]*")
_WORDS = re.compile(r"[a-zA-Z]{2} [a-zA-Z0-9]")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")


def decoded(text: str) -> Iterator[tuple[Plain, int, int]]:
    """Yield every decoded part with its written place; the whole text once more through rot13."""
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            plain = read(match[0])
            if plain and any(char.isalpha() for char in plain):
                says_something = _TEXT.fullmatch(plain) is not None and _WORDS.search(plain) is not None
                yield Plain(plain, says_something), *match.span()
    if text.strip():
        yield Plain(codecs.encode(text, "rot13"), False), 0, len(text)


def _base64(blob: str) -> str:
    body = blob.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _hex(blob: str) -> str:
    digits = re.sub(r"0x|\\x|[ ,:]", "", blob)
    try:
        return bytes.fromhex(digits).decode("utf-8")
    except ValueError:
        return ""


def _backslash(blob: str) -> str:
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), blob)


_READERS: tuple[tuple[re.Pattern[str], Callable[[str], str]], ...] = (
    (_BASE64, _base64),
    (_HEX, _hex),
    (_ENTITIES, html.unescape),
    (_PERCENT, unquote),
    (_BACKSLASH, _backslash),
)
