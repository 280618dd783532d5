"""What kind of sound a recording is, by its content, as browsers name it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

# By FFmpeg's name of the container (report, recording.container).
TYPES = {
    "wav": "audio/wav",
    "flac": "audio/flac",
    "mp3": "audio/mpeg",
    "ogg": "audio/ogg",
    "mp4": "audio/mp4",
    "webm": "audio/webm",
    "aac": "audio/aac",
    "aiff": "audio/aiff",
    "caf": "audio/x-caf",
    "au": "audio/basic",
    "amr": "audio/amr",
}
# The first bytes of a file: where they stand, what they are.
_SIGNS = (
    (0, b"RIFF", "wav"),
    (0, b"fLaC", "flac"),
    (0, b"OggS", "ogg"),
    (4, b"ftyp", "mp4"),
    (0, b"\x1a\x45\xdf\xa3", "webm"),
    (0, b"FORM", "aiff"),
    (0, b"caff", "caf"),
    (0, b".snd", "au"),
    (0, b"#!AMR", "amr"),
    (0, b"\xff\xf1", "aac"),
    (0, b"\xff\xf9", "aac"),
    (0, b"ID3", "mp3"),
    (0, b"\xff", "mp3"),
)
UNKNOWN = "application/octet-stream"


def media_type(path: Path, report: Callable[[], Mapping[str, Any] | None]) -> str:
    """Return the media type of a recording: by its first bytes, or, where they do not tell, by what decoding found.

    `report` is read then only: a player asks for many parts of a recording.
    """
    with path.open("rb") as file:
        head = file.read(16)
    found = next((name for at, sign, name in _SIGNS if head[at:].startswith(sign)), "")
    if not found:
        known = (report() or {}).get("recording")
        found = str(known.get("container")) if isinstance(known, Mapping) else ""
    return TYPES.get(found, UNKNOWN)
