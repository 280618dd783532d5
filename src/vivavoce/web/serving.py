"""What `vivavoce serve` puts together: a folder, a worker, the tasks that come with the program."""

from __future__ import annotations

from pathlib import Path

from vivavoce.store.folder import FolderStore
from vivavoce.store.scoring import scorer
from vivavoce.store.worker import Worker


def open_store(folder: Path) -> tuple[FolderStore, Worker]:
    """Open a folder of recordings and the worker that scores what waits in it (not started)."""
    store = FolderStore(folder)
    return store, Worker(store, scorer(store))
