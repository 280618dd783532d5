"""A folder store with a task of its own, and recordings that are any bytes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from vivavoce.store.folder import FolderStore
from vivavoce.store.model import Attempt, KeptTask

TASK = {"module": "paragraph_reading", "grade": 7, "reference": "The dog ran home."}
BUILT_IN = (KeptTask("dog", "The dog", TASK, built_in=True),)


def opened(folder: Path) -> FolderStore:
    """A store over a folder."""
    return FolderStore(folder, BUILT_IN)


def added(store: FolderStore, key: str = "a-key", sound: bytes = b"sound", **more: Any) -> Attempt:
    """An attempt at the built-in task."""
    path = store.new_upload()
    path.write_bytes(sound)
    return store.add(key, "dog", path, file_name=more.pop("file_name", "reading.mp3"), **more)


def until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until something is so; fail when it does not come to be."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come to be in time"
        time.sleep(0.01)
