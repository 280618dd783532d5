"""Files that a stop leaves whole: private to their owner, on the disk before they are said to be kept."""

from __future__ import annotations

import errno
import json
import os
import sys
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from vivavoce.errors import RequestError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def disk() -> Iterator[None]:
    """Tell what the disk refuses: raises RequestError `folder_full` or `folder_unwritable` for an OSError inside."""
    try:
        yield
    except OSError as error:
        full = error.errno in FULL
        raise RequestError(
            "folder_full" if full else "folder_unwritable",
            where="the folder of recordings and reports",
            found="no room is left on the disk" if full else (error.strerror or type(error).__name__),
            allowed="room for the recording and its report" if full else "a folder that can be written",
            remedy="make room and send it again" if full else "look at the folder's permissions and try again",
        ) from error


def private_folder(path: Path) -> None:
    """Make a folder that only its owner can enter; one that was open to others is closed."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    if path.stat().st_mode & 0o077:
        path.chmod(0o700)


def private_file(path: Path) -> BinaryIO:
    """Open a new, empty file that only its owner can read."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600), "w+b")


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Write beside the place and move there, so that a stop leaves the old file or the new one."""
    new = path.with_suffix(".new")
    try:
        with private_file(new) as file:
            file.write(json.dumps(data, ensure_ascii=False).encode())
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise
    settle(path.parent)


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object. Raises ValueError for what is none, OSError where it cannot be read."""
    try:
        data = json.loads(path.read_bytes())
    except RecursionError as error:
        raise ValueError("deeper nesting than can be read") from error
    if not isinstance(data, dict):
        raise ValueError("no JSON object")
    return data


def settle(folder: Path) -> None:
    """Have the disk keep the names in a folder, where the system lets a folder be opened for that."""
    if sys.platform == "win32":
        return
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


class Lock:
    """Holds a folder for one process; the system lets go when the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        """Take the lock. Raises RequestError `folder_in_use` where another process has it."""
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._let_go = weakref.finalize(self, os.close, self._file)
        try:
            self._take()
        except OSError as error:
            self._let_go()
            raise RequestError(
                "folder_in_use",
                where="the folder of recordings and reports",
                found="another vivavoce serve that keeps its recordings there",
                allowed="one process for a folder",
                remedy="use the one that runs, stop it first, or name another folder: --folder DIR",
            ) from error

    def _take(self) -> None:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(self._file, msvcrt.LK_NBLCK, 1)
            return
        import fcntl

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            # A file system without locks (some network ones) is served without one.
            if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.EINVAL):
                raise

    def release(self) -> None:
        """Let another process have the folder."""
        self._let_go()
