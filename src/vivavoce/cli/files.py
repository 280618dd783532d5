"""Read and write the files that a command names; what cannot be read is an error with its place."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vivavoce.errors import InputError
from vivavoce.rubric.load import load, published
from vivavoce.rubric.model import Rubric
from vivavoce.strict import parse_json

MAX_TEXT_BYTES = 4_000_000


def _unreadable(path: Path, error: OSError) -> InputError:
    return InputError(
        "file_unreadable",
        where=path.name or str(path),
        found=error.strerror or str(error),
        allowed="a file that can be read",
        remedy="check the name and the permissions",
    )


def read_text(path: Path) -> str:
    """Return a UTF-8 text file (a byte order mark is dropped). Raises InputError."""
    try:
        if path.stat().st_size > MAX_TEXT_BYTES:
            raise InputError(
                "file_too_large",
                where=path.name,
                found=f"{path.stat().st_size} bytes",
                allowed=f"at most {MAX_TEXT_BYTES} bytes of text",
                remedy="give the text of one task",
            )
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise _unreadable(path, error) from error
    except UnicodeDecodeError as error:
        raise InputError(
            "text_encoding",
            where=f"{path.name} byte {error.start}",
            found="bytes that are not UTF-8",
            allowed="a text file in UTF-8",
            remedy="save the file as UTF-8",
        ) from error


def read_json(path: Path) -> Any:
    """Return strict JSON from a file. Raises InputError."""
    return parse_json(read_text(path), path.name)


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all. Raises InputError where that is not possible."""
    partial = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)
    except OSError as error:
        raise InputError(
            "file_unwritable",
            where=path.name or str(path),
            found=error.strerror or str(error),
            allowed="a file that can be written",
            remedy="name another place",
        ) from error


def lines(path: Path | None) -> Iterator[bytes]:
    """Yield the lines of a file, or of standard input."""
    if path is None:
        yield from sys.stdin.buffer
        return
    try:
        with path.open("rb") as file:
            yield from file
    except OSError as error:
        raise _unreadable(path, error) from error


def rubric_of(folder: Path | None) -> Rubric:
    """Return the published edition, or the one in a folder."""
    return published() if folder is None else load(folder)
