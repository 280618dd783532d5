"""A transcript file as the formats see it, and the error that all of them raise."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from vivavoce.errors import InputError, TranscriptError
from vivavoce.strict import parse_json

_REMEDY = "correct the file, or export the transcript again"


class Source:
    """The content of a file: its name for messages, its bytes, its text, and its JSON where it is JSON."""

    def __init__(self, name: str, raw: bytes) -> None:
        self.name = name
        self.raw = raw.removeprefix(b"\xef\xbb\xbf")

    @cached_property
    def text(self) -> str | None:
        """The text, or None where the bytes are not UTF-8."""
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
        try:
            return parse_json(self.raw, "")
        except InputError as error:
            found = f"{error.found} ({error.code})"
            raise TranscriptError(
                "transcript_json",
                where=f"{self.name} {error.where}".strip(),
                found=found,
                allowed=f"strict JSON: {error.allowed}",
                remedy=_REMEDY,
            ) from error

    def refuse(self, code: str, pointer: str, found: str, allowed: str) -> TranscriptError:
        """Return the error for a place in this file."""
        return TranscriptError(
            code, where=f"{self.name} {pointer}".strip(), found=found, allowed=allowed, remedy=_REMEDY
        )
