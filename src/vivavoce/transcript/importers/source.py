"""A transcript file as the formats see it, and the error that all of them raise."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from vivavoce.errors import InputError, TranscriptError
from vivavoce.strict import parse_json

NOT_TEXT = "it is no text in UTF-8 or UTF-16"
# An hour of speech, the longest recording taken, has about 12,000 words; 50,000 are 14 a second.
MAX_WORDS = 50_000
# Spaces and signs are entries of their own in some formats, and silences in others.
MAX_ENTRIES = 3 * MAX_WORDS
# Running text repeats the words: whole, by paragraphs, by segments.
MAX_RUNNING = 10 * MAX_WORDS
_REMEDY = "correct the file, or export the transcript again"
# UTF-32's mark begins with that of UTF-16, so it comes first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Two objects that only spaces part: in one JSON document that is met inside texts alone.
_NEIGHBOURS = re.compile(rb"\}\s*\{")
_RUNNING = re.compile(rb"\w(?:\s|\\[nt])(?=\w)")
_PARTS = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\Z)|[\[\]{}]', re.DOTALL)


def _as_utf8(raw: bytes) -> bytes:
    """Return a text as UTF-8 without a mark; bytes that are no text as they are."""
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), None)
    if encoding is None and len(raw) > 3 and raw[0] and raw[2] and not raw[1] and not raw[3]:
        encoding = "utf-16-le"
    elif encoding is None and len(raw) > 3 and raw[1] and raw[3] and not raw[0] and not raw[2]:
        encoding = "utf-16-be"
    if encoding is None:
        return raw
    try:
        return raw.decode(encoding).encode()
    except UnicodeError:
        return raw.removeprefix(codecs.BOM_UTF8)


class Source:
    """The content of a file: its name for messages, its bytes (UTF-8), its text, and its JSON where it is JSON."""

    def __init__(self, name: str, raw: bytes) -> None:
        self.name = name
        self.raw = _as_utf8(raw)

    @cached_property
    def text(self) -> str | None:
        """The text, or None where the bytes are neither UTF-8 nor UTF-16."""
        try:
            return self.raw.decode("utf-8")
        except UnicodeDecodeError:
            return None

    @cached_property
    def looks_like_json(self) -> bool:
        """Whether the content begins as a JSON object or list does."""
        return self.raw.lstrip()[:1] in (b"{", b"[")

    @cached_property
    def json(self) -> Any:
        """The content as strict JSON, numbers exact. Raises TranscriptError `transcript_json`."""
        return self._strict(self.raw, "")

    @cached_property
    def documents(self) -> Sequence[tuple[int, Any]]:
        """The JSON documents that stand one after another, each with its line; empty where there is but one.

        Raises TranscriptError `transcript_json` with the line, `transcript_too_long`.
        """
        starts = self._starts if self.looks_like_json and _NEIGHBOURS.search(self.raw) else []
        if len(starts) > MAX_ENTRIES:
            raise self.refuse("transcript_too_long", "", f"{len(starts)} JSON documents", f"at most {MAX_ENTRIES}")
        found: list[tuple[int, Any]] = []
        line, counted = 1, 0
        for start, end in zip(starts, [*starts[1:], len(self.raw)], strict=True) if len(starts) > 1 else ():
            line += self.raw.count(b"\n", counted, start)
            counted = start
            found.append((line, self._strict(self.raw[start:end], f"line {line}")))
        return found

    @property
    def _starts(self) -> list[int]:
        """Where the documents begin: every bracket that opens outside of all others."""
        starts: list[int] = []
        depth = 0
        for part in _PARTS.finditer(self.raw):
            sign = part[0]
            if sign in (b"{", b"["):
                if depth == 0:
                    starts.append(part.start())
                depth += 1
            elif sign in (b"}", b"]"):
                depth = max(0, depth - 1)
        return starts

    def _strict(self, raw: bytes, place: str) -> Any:
        try:
            return parse_json(raw, "")
        except InputError as error:
            found = f"{error.found} ({error.code})"
            raise TranscriptError(
                "transcript_json",
                where=" ".join(filter(None, (self.name, place, error.where))),
                found=found,
                allowed=f"strict JSON: {error.allowed}",
                remedy=_REMEDY,
            ) from error

    def refuse_long(self) -> None:
        """Raise TranscriptError `transcript_too_long` where there is more running text than words can be taken."""
        if len(self.raw) > 2 * MAX_RUNNING and sum(1 for _ in _RUNNING.finditer(self.raw)) > MAX_RUNNING:
            found = f"a text of over {MAX_RUNNING} words"
            raise self.refuse("transcript_too_long", "", found, f"at most {MAX_WORDS} words")

    def refuse(self, code: str, pointer: str, found: str, allowed: str) -> TranscriptError:
        """Return the error for a place in this file."""
        return TranscriptError(
            code, where=f"{self.name} {pointer}".strip(), found=found, allowed=allowed, remedy=_REMEDY
        )
