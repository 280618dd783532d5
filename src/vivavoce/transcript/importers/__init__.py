"""Transcript files: each format is one module with `NAME`, `misfit` (why a file is not of it) and `read`.

To add one, write the module and name it in `FORMATS`; the first that fits reads the file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vivavoce.errors import TranscriptError
from vivavoce.timeline import Transcript
from vivavoce.transcript.importers import plain
from vivavoce.transcript.importers.plain import check_within
from vivavoce.transcript.importers.source import Source

__all__ = ["FORMATS", "Format", "Source", "check_within", "load_transcript", "read_transcript"]

MAX_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of transcript file: its name, why a file is not of it (None: it is), and how it is read."""

    name: str
    misfit: Callable[[Source], str | None]
    read: Callable[[Source], Transcript]


FORMATS: tuple[Format, ...] = (Format(plain.NAME, plain.misfit, plain.read),)


def load_transcript(path: Path) -> Transcript:
    """Return the transcript in a file, whatever known format it has.

    Raises TranscriptError: `transcript_unreadable`, `transcript_too_long`, `transcript_json` (no strict JSON),
    `transcript_format` (none of the known formats, with the reason for each), or what its format refuses.
    """
    try:
        size = path.stat().st_size
        raw = path.read_bytes() if size <= MAX_BYTES else b""
    except OSError as error:
        raise TranscriptError(
            "transcript_unreadable",
            where=path.name or str(path),
            found=error.strerror or str(error),
            allowed="a file that can be read",
            remedy="check the name and the permissions",
        ) from error
    source = Source(path.name, raw)
    if size > MAX_BYTES:
        raise source.refuse("transcript_too_long", "", f"{size} bytes", f"at most {MAX_BYTES} bytes")
    return read_transcript(source)


def read_transcript(source: Source) -> Transcript:
    """Return the transcript that a file's content holds. Raises TranscriptError as `load_transcript`."""
    if not source.raw.strip():
        raise source.refuse("transcript_format", "", "an empty file", _names())
    reasons = []
    for known in FORMATS:
        reason = known.misfit(source)
        if reason is None:
            return known.read(source)
        reasons.append(f"not {known.name}: {reason}")
    raise source.refuse("transcript_format", "", "; ".join(reasons), _names())


def _names() -> str:
    return "a transcript of one of these formats: " + ", ".join(known.name for known in FORMATS)
