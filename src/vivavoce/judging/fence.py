"""Texts as data: any text becomes one line that a prompt can hold and that its own content cannot close."""

from __future__ import annotations

import unicodedata
from json.encoder import py_encode_basestring

# Signs that close tags, fences, templates or headings; the rest of JSON's own (quote, backslash) json escapes.
_SIGNS = frozenset("<>`{}#")
# Controls, format characters (zero width, bidirectional), surrogates, private use, unassigned, line and paragraph ends.
_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def is_fenced(char: str) -> bool:
    """Say whether `quoted` writes this character as an escape: it could close the fence, or does not show.

    Besides the signs `< > \\` { } #`: controls, format characters, surrogates, private-use and unassigned code points,
    non-characters, line and paragraph ends, every space but U+0020, and what Unicode lets a display leave out
    (variation selectors, Hangul and Khmer fillers, the grapheme joiner).
    """
    if char in _SIGNS:
        return True
    if " " <= char < "\x7f":
        return False
    category = unicodedata.category(char)
    return category in _CATEGORIES or category == "Zs" or _is_ignorable(char)


def _is_ignorable(char: str) -> bool:
    """Say whether Unicode's Default_Ignorable_Code_Point holds beyond the format characters (DerivedCoreProperties)."""
    return (
        char in "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0"
        or "\ufe00" <= char <= "\ufe0f"
        or "\U000e0000" <= char <= "\U000e0fff"
    )


def quoted(text: str) -> str:
    """Return a text as one line of JSON: a string that its content cannot close.

    json's escapes, and \\uXXXX (pairs beyond U+FFFF) for every character of `is_fenced`; other letters of any script
    stay readable. Parameters: `text`, any text, lone surrogates too. Returns: the string with its quotes.
    `json.loads(quoted(text)) == text`, a pair of lone surrogates being the character that it stands for.
    """
    return "".join(_escaped(char) if is_fenced(char) else char for char in py_encode_basestring(text))


def _escaped(char: str) -> str:
    """Return one character as \\uXXXX, a code point beyond U+FFFF as its two surrogates (RFC 8259)."""
    code = ord(char)
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
