"""Read and write the files that a command names; what cannot be read is an error with its place."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from vivavoce.errors import InputError, need
from vivavoce.rubric.load import load, published
from vivavoce.rubric.model import Rubric
from vivavoce.strict import parse_json

MAX_TEXT_BYTES = 4_000_000
# An hour of reading and the raw replies of fifteen samples a marker fit in this.
MAX_REPORT_BYTES = 100_000_000


def unreadable(path: Path, error: OSError) -> InputError:
    """Return the error for a file that cannot be read."""
    return InputError(
        "file_unreadable",
        where=path.name or str(path),
        found=error.strerror or str(error),
        allowed="a file that can be read",
        remedy="check the name and the permissions",
    )


def read_text(path: Path, most: int = MAX_TEXT_BYTES) -> str:
    """Return a UTF-8 text file of at most `most` bytes (a byte order mark is dropped). Raises InputError."""
    try:
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except OSError as error:
        raise unreadable(path, error) from error
    if len(raw) > most:
        raise InputError(
            "file_too_large",
            where=path.name,
            found=f"more than {most} bytes",
            allowed=f"at most {most} bytes",
            remedy="give a shorter file",
        )
    try:
        return raw.decode("utf-8-sig")
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


def read_report(path: Path) -> Any:
    """Return strict JSON from a file that may be as long as reports get. Raises InputError."""
    return parse_json(read_text(path, MAX_REPORT_BYTES), path.name)


def _unwritable(path: Path, found: str, remedy: str = "name another place") -> InputError:
    return InputError(
        "file_unwritable",
        where=path.name or str(path),
        found=found,
        allowed="a file that can be written",
        remedy=remedy,
    )


def check_outputs(outputs: Sequence[Path | None], inputs: Sequence[Path | None]) -> None:
    """Refuse, before any work, outputs that cannot be written, that are an input, or that are named twice."""
    taken = {path.resolve(): "an input of this command" for path in inputs if path is not None}
    for path in outputs:
        if path is None:
            continue
        where = path.resolve()
        if where in taken:
            raise _unwritable(path, taken[where])
        taken[where] = "another output of this command"
        if where.is_dir():
            raise _unwritable(path, "a folder")
        folder = next(parent for parent in where.parents if parent.exists())
        if not folder.is_dir() or not os.access(where if where.exists() else folder, os.W_OK):
            raise _unwritable(path, "a place that cannot be written to")


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all; a link is followed, a device is written to. Raises InputError."""
    # Half a character pair (a model's escape, a file name that is no UTF-8) is written as JSON escapes it.
    write_bytes(path, text.replace("\n", os.linesep).encode("utf-8", "backslashreplace"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; a link is followed, a device is written to. Raises InputError."""
    path = path.resolve()
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as device:
                device.write(data)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.part")
        partial.write_bytes(data)
        os.replace(partial, path)
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from error


def plain(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report that was read with exact decimals as plain JSON values."""
    made: dict[str, Any] = json.loads(json.dumps(report, default=float))
    return made


def makes_pdf() -> bool:
    """Say whether what makes PDF files is installed."""
    return importlib.util.find_spec("typst") is not None


def check_pdf(path: Path | None) -> None:
    """Refuse, before any work, a PDF file where Typst is not installed. Raises MissingError."""
    if path is not None and not makes_pdf():
        raise need("pdf", "typst")


def write_report(
    report: Mapping[str, Any], json_file: Path | None, html_file: Path | None, pdf_file: Path | None = None
) -> None:
    """Write a report as JSON, as one page and as PDF, where these are wanted, and say so. Raises InputError."""
    if json_file is not None:
        write_text(json_file, json.dumps(report, ensure_ascii=False, indent=1, default=float) + "\n")
    if html_file is not None:
        from vivavoce.report.page import page_html

        write_text(html_file, page_html(plain(report)))
    if pdf_file is not None:
        from vivavoce.report.pdf import card_pdf

        write_bytes(pdf_file, card_pdf(plain(report)))
    for path in (json_file, html_file, pdf_file):
        if path is not None:
            sys.stderr.write(f"wrote {path}\n")


def lines(path: Path | None) -> Iterator[bytes]:
    """Yield the lines of a file, or of standard input."""
    if path is None:
        yield from _without_mark(sys.stdin.buffer)
        return
    try:
        with path.open("rb") as file:
            yield from _without_mark(file)
    except OSError as error:
        raise unreadable(path, error) from error


def _without_mark(source: Iterable[bytes]) -> Iterator[bytes]:
    """Drop a byte order mark, as other programs put one before the first line."""
    for number, line in enumerate(source):
        yield line.removeprefix(b"\xef\xbb\xbf") if number == 0 else line


def rubric_of(folder: Path | None) -> Rubric:
    """Return the published edition, or the one in a folder."""
    return published() if folder is None else load(folder)
