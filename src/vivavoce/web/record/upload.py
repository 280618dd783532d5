"""Take a recording in: a form streamed to the disk as it comes, never held in memory; nothing in it is trusted."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect

from vivavoce.audio.reader import FORMATS, Reader
from vivavoce.errors import AudioError, RequestError
from vivavoce.store.files import disk
from vivavoce.store.model import Store

MAX_BYTES = 1 << 30
"""The largest recording taken: an hour of 24-bit stereo WAV at 48 kHz has 1.04e9 bytes."""

MAX_FIELD = 8_192
MOST_FIELDS = 8
LONGEST_NAME = 100
# What a browser says of the microphone: names of MediaTrackSettings, true, false or a number.
SETTINGS = ("autoGainControl", "noiseSuppression", "echoCancellation", "sampleRate", "channelCount")
THE_FORM = "POST /attempts"


@dataclass(slots=True)
class Upload:
    """What came: the fields of the form, the file's own name, the file and the SHA-256 of it."""

    path: Path
    fields: dict[str, str] = field(default_factory=dict)
    file_name: str = ""
    size: int = 0
    sha256: str = ""


class _Form:
    """Takes the parts of a multipart form as they come; the part `recording` goes to the file."""

    def __init__(self, boundary: bytes, path: Path) -> None:
        self.upload = Upload(path)
        self.refused: RequestError | None = None
        self.ended = False
        self._digest = hashlib.sha256()
        self._file: BinaryIO = path.open("wb")
        self._header, self._value, self._disposition = b"", b"", b""
        self._name, self._text, self._is_file, self._files = "", bytearray(), False, 0
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_begin": self._header_begin,
                "on_header_field": self._header_field,
                "on_header_value": self._header_value,
                "on_header_end": self._header_end,
                "on_headers_finished": self._headers_finished,
                "on_part_data": self._data,
                "on_part_end": self._part_end,
                "on_end": self._end,
            },
        )

    def write(self, block: bytes) -> None:
        """Take the next bytes; after a refusal they are let go."""
        if self.refused is not None:
            return
        try:
            with disk():
                self._parser.write(block)
        except FormParserError:
            self.refused = _unfit("a form that breaks its own boundaries")
        except RequestError as error:
            self.refused = error

    def finish(self) -> Upload:
        """Return what came. Raises RequestError for what does not fit."""
        self.close()
        if self.refused is None and not self.ended:
            self.refused = _unfit("a form that was cut off")
        if self.refused is not None:
            raise self.refused
        if not self._files:
            raise RequestError(
                "recording_missing",
                where="the recording",
                found="no file",
                allowed=f"a recording in {FORMATS}",
                remedy="choose a file, or record one",
            )
        self.upload.sha256 = self._digest.hexdigest()
        return self.upload

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _begin(self) -> None:
        self._disposition, self._name, self._text, self._is_file = b"", "", bytearray(), False

    def _header_begin(self) -> None:
        self._header, self._value = b"", b""

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        if self._header.lower() == b"content-disposition":
            self._disposition = self._value

    def _headers_finished(self) -> None:
        options = parse_options_header(self._disposition)[1]
        self._name = options.get(b"name", b"").decode("utf-8", "replace")
        file_name = options.get(b"filename")
        self._is_file = self._name == "recording" and file_name is not None
        if self._is_file and self._files == 0:
            self.upload.file_name = (file_name or b"").decode("utf-8", "replace")

    def _data(self, data: bytes, start: int, end: int) -> None:
        block = data[start:end]
        if not self._is_file:
            self._text += block
            if len(self._text) > MAX_FIELD:
                raise _unfit(f"a field of more than {MAX_FIELD} bytes")
            return
        self.upload.size += len(block)
        if self.upload.size > MAX_BYTES:
            raise too_large()
        self._digest.update(block)
        self._file.write(block)

    def _part_end(self) -> None:
        if not self._is_file:
            self.upload.fields[self._name] = self._text.decode("utf-8", "replace")
            if len(self.upload.fields) > MOST_FIELDS:
                raise _unfit("more fields than the form has")
        # A form without a chosen file sends one without a name and without bytes.
        elif self.upload.file_name or self.upload.size:
            self._files += 1
            if self._files > 1:
                raise _unfit("more than one recording")

    def _end(self) -> None:
        self.ended = True


async def receive(request: Request, store: Store) -> Upload:
    """Return the form of a request, its recording in a file of the store's.

    Raises RequestError for what does not fit, ClientDisconnect where the sender has gone; then no file is left.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 0 < len(boundary) <= 200:
        raise _unfit("no form with a file")
    path = await run_in_threadpool(store.new_upload)
    form = _Form(boundary, path)
    try:
        # What is refused is read to its end all the same: a browser shows no answer to a form it is still sending.
        async for block in request.stream():
            await run_in_threadpool(form.write, block)
        return await run_in_threadpool(form.finish)
    except (RequestError, ClientDisconnect):
        form.close()
        path.unlink(missing_ok=True)
        raise


def check_recording(path: Path) -> None:
    """Raise AudioError where a file is no recording, so that its sender is told at once."""
    if path.stat().st_size == 0:
        raise _no_sound("audio_empty", "a file of 0 bytes")
    with path.open("rb") as file, Reader(file, "the recording") as reader:
        if next(reader.blocks(), None) is None:
            raise _no_sound("audio_no_samples", "a file in which no sound can be decoded")


def _no_sound(code: str, found: str) -> AudioError:
    return AudioError(
        code,
        where="the recording",
        found=found,
        allowed=f"a recording in {FORMATS}",
        remedy="play the file to check it, and record or export it again",
    )


def safe_name(name: str) -> str:
    """Return what may be shown of a sender's file name: its last part, without control and formatting characters."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    kept = "".join(c for c in unicodedata.normalize("NFC", last) if unicodedata.category(c)[0] != "C" and c != "�")
    kept = " ".join(kept.split()).strip(". ")
    if len(kept) > LONGEST_NAME:
        stem, dot, ending = kept.rpartition(".")
        kept = f"{stem[: LONGEST_NAME - 10]}{dot}{ending}" if dot and len(ending) <= 5 else kept[:LONGEST_NAME]
    return kept or "recording"


def settings_of(text: str) -> dict[str, Any]:
    """Return what a browser said of its microphone: the known names only, None where it did not say."""
    if not text:
        return {}
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise _unfit("settings of the microphone that are no object")
    known = {name: said.get(name) for name in SETTINGS}
    return {name: value if isinstance(value, bool | int | float) else None for name, value in known.items()}


def too_large() -> RequestError:
    """The error for a recording of more than MAX_BYTES."""
    return RequestError(
        "upload_too_large",
        where="the recording",
        found=f"more than {MAX_BYTES >> 30} GiB",
        allowed=f"at most {MAX_BYTES >> 30} GiB: an hour of WAV",
        remedy="send only the part that is to be scored, or a compressed file such as M4A, MP3 or FLAC",
    )


def _unfit(found: str) -> RequestError:
    return RequestError(
        "upload_unfit",
        where=THE_FORM,
        found=found,
        allowed="the form of the recorder: a file named recording, and its fields",
        remedy="load the page again and send it once more",
    )
