"""Split a short English text into sentences: abbreviations, quotations, ellipses and decimal points end none."""

from __future__ import annotations

import re

# Always followed by more of the sentence.
_ABBREVIATIONS = frozenset({"e.g", "i.e", "mr", "mrs", "ms", "dr", "st", "prof", "vs", "cf", "approx", "esp"})
_ENDS = re.compile(r"(?P<marks>[.!?…]+)(?P<closers>[\"'”’»)\]]*)(?P<after>\s+|$|(?=[A-Z]))")
_WORD_BEFORE = re.compile(r"([\w.]+)$")
_OPENERS = {"“": "”", "(": ")", "[": "]", "«": "»"}


def _quoted(text: str) -> list[bool]:
    """Return for each character whether it stands inside quotation marks or brackets that are closed later."""
    inside = [False] * len(text)
    straight = [at for at, char in enumerate(text) if char == '"']
    pairs = list(zip(straight[::2], straight[1::2], strict=False))
    for opener, closer in _OPENERS.items():
        start = text.find(opener)
        while start != -1:
            end = text.find(closer, start + 1)
            if end == -1:
                break
            pairs.append((start, end))
            start = text.find(opener, end + 1)
    for start, end in pairs:
        inside[start + 1 : end] = [True] * (end - start - 1)
    return inside


def _ends_sentence(text: str, found: re.Match[str], inside: list[bool]) -> bool:
    rest = text[found.end() :]
    if inside[found.start()] and not (found["closers"] and (not rest or rest[0].isupper())):
        return False
    if not rest:
        return True
    if rest[0].islower() or rest[0] in ",;:)":
        return False
    if found["marks"] == ".":
        before = _WORD_BEFORE.search(text[: found.start()])
        word = before.group(1).lower() if before else ""
        if word in _ABBREVIATIONS or (len(word) == 1 and word != "i"):
            return False
    # No space: a mark between letters ends a sentence only as in "quiet.Next", not as in "U.S" or "3.D".
    return bool(found["after"]) or text[found.start() - 1].islower()


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text, with their end marks; what follows the last end mark is one more.

    A mark ends a sentence where the text goes on with anything but a small letter, is not inside a quotation or
    brackets, and belongs to no abbreviation. "3.5" has no space after its point; "um... and" goes on small.
    """
    text = text.strip()
    inside, parts, start = _quoted(text), [], 0
    for found in _ENDS.finditer(text):
        if _ends_sentence(text, found, inside):
            parts.append(text[start : found.end("closers")].strip())
            start = found.end()
    if text[start:].strip():
        parts.append(text[start:].strip())
    return parts


def is_whole(sentence: str) -> bool:
    """Whether the text ends as a sentence does."""
    return re.search(r"[.!?…][\"'”’»)\]]*$", sentence) is not None
