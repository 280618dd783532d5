"""What the bytes of a file promise, read before anything is decoded, and believed no further than needed.

Length is always the decoded samples. A header is read for two reasons only: to say that a file was cut, and
to read past a WAV header that claims less than the file holds (a recorder that died before its last update).
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from typing import BinaryIO

# Recorders that cannot go back to fill in the length write one of these: 0, all ones, or just under 2 GiB.
_UNKNOWN_FROM = 0x7FFF0000
_OGG_TAIL = 65_536 + 512
_MP3_HEAD = 4096


@dataclass(frozen=True, slots=True)
class Outline:
    """What a file promises.

    `exact`: the demuxer's length is a promise, not an estimate from the bit rate. `promised_ratio`: promised bytes
    of sound over those there (1: as promised). `cut`: why the file is certainly cut, or "". `ignore_length`: the
    header claims too little, read on to the end of the file.
    """

    exact: bool = True
    promised_ratio: float = 1.0
    cut: str = ""
    ignore_length: bool = False


def inspect(file: BinaryIO) -> Outline:
    """Return what the file's own bytes promise; any file is answered, and `file` is left at its start."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    head = file.read(12)
    if head[:4] in (b"RIFF", b"RIFX") and head[8:12] == b"WAVE":
        outline = _wave(file, size, ">" if head[:4] == b"RIFX" else "<")
    elif head[:4] == b"OggS":
        outline = Outline(exact=False, cut=_ogg_cut(file, size))
    elif head[:4] in (b"fLaC", b"FORM", b"caff", b"\x1aE\xdf\xa3") or head[4:8] == b"ftyp":
        outline = Outline()
    elif head[:3] == b"ID3" or (len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0):
        outline = Outline(exact=_mp3_counts_frames(file, head))
    else:
        outline = Outline(exact=False)
    file.seek(0)
    return outline


def _wave(file: BinaryIO, size: int, order: str) -> Outline:
    """Walk the chunks of a WAV file to its `data` and compare what that claims with what is there."""
    place = 12
    while place + 8 <= size:
        file.seek(place)
        name, length = struct.unpack(f"{order}4sI", file.read(8))
        if name == b"data":
            return _wave_data(file, size, place + 8, length)
        place += 8 + length + length % 2
    return Outline(exact=False)


def _wave_data(file: BinaryIO, size: int, start: int, claimed: int) -> Outline:
    there = size - start
    if claimed == 0 or claimed >= _UNKNOWN_FROM or there <= 0:
        return Outline(exact=False)
    if claimed >= there:
        return Outline(exact=False, promised_ratio=claimed / there)
    file.seek(start + claimed + claimed % 2)
    after = file.read(4)
    is_chunk = len(after) < 4 or after[:3] in (b"ID3", b"TAG") or all(32 <= byte < 127 for byte in after)
    return Outline(exact=False, ignore_length=not is_chunk)


def _ogg_cut(file: BinaryIO, size: int) -> str:
    """Say why an Ogg file is cut: its last page is not whole, or does not say that it is the last (RFC 3533)."""
    file.seek(max(0, size - _OGG_TAIL))
    tail = file.read()
    place = tail.rfind(b"OggS")
    page = tail[place:]
    if place < 0 or len(page) < 27 or len(page) < 27 + page[26]:
        return "its last page is not whole"
    if len(page) < 27 + page[26] + sum(page[27 : 27 + page[26]]):
        return "its last page is not whole"
    return "" if page[5] & 4 else "its last page is not marked as the last"


def _mp3_counts_frames(file: BinaryIO, head: bytes) -> bool:
    """Tell whether an MP3 carries a count of its frames (Xing, Info or VBRI); without one its length is a guess."""
    file.seek(0)
    if head[:3] == b"ID3":
        size = file.read(10)[6:10]
        file.seek(10 + sum((byte & 0x7F) << shift for byte, shift in zip(size, (21, 14, 7, 0), strict=False)))
    start = file.read(_MP3_HEAD)
    return any(mark in start for mark in (b"Xing", b"Info", b"VBRI"))
