"""A recording for a player: what kind of sound it is, by its content, as browsers name it, and the part asked for."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from fastapi.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

# By FFmpeg's name of the container.
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


# One part; lists of parts, for which players do not ask, are answered by the whole.
_PART = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18}))")
_BLOCK = 1 << 16


def sent(path: Path, asked: str, *, body: bool = True) -> Response:
    """Return a recording, or the part of it that a `Range` header asks for; without its bytes for HEAD.

    It is open from here on, so that it may be deleted while it plays. Raises FileNotFoundError.
    """
    file = path.open("rb")
    size = os.fstat(file.fileno()).st_size
    kind = _media_type(file.read(16))
    part = _PART.fullmatch(asked)
    start, end = _ends(part, size) if part else (0, size)
    headers = {"Accept-Ranges": "bytes", "Content-Disposition": "inline"}
    if part and start >= end:
        file.close()
        return Response(status_code=416, headers=headers | {"Content-Range": f"bytes */{size}"})
    headers["Content-Length"] = str(end - start)
    if part:
        headers["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    status = 206 if part else 200
    if not body:
        file.close()
        return Response(None, status, headers, kind)
    return _Open(file, _blocks(file, start, end), status, headers, kind)


class _Open(StreamingResponse):
    """Closes the file at the end, also where the player has gone before it took anything."""

    def __init__(
        self, file: BinaryIO, blocks: Iterator[bytes], status: int, headers: Mapping[str, str], kind: str
    ) -> None:
        super().__init__(blocks, status, headers, kind)
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._file.close()


def _ends(part: re.Match[str], size: int) -> tuple[int, int]:
    first, last, tail = part.groups()
    if tail:
        return max(0, size - int(tail)), size
    return int(first), min(int(last) + 1, size) if last else size


def _blocks(file: BinaryIO, start: int, end: int) -> Iterator[bytes]:
    file.seek(start)
    while start < end and (block := file.read(min(_BLOCK, end - start))):
        start += len(block)
        yield block


def _media_type(head: bytes) -> str:
    return next((TYPES[name] for at, sign, name in _SIGNS if head[at:].startswith(sign)), UNKNOWN)
