"""Accepted replies kept by content, so that the same submission gets the same score.

A file a judgement, named by a digest over judge, prompt (which holds transcript and rules) and recording; in it are
raw replies only, no recording and no prompt. Folder and files are readable by their owner alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any


class Cache:
    """A folder of accepted replies. What cannot be read in it counts as not there; it is asked again then."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, key: Sequence[str]) -> Path:
        digest = hashlib.sha256(json.dumps(list(key)).encode("utf-8")).hexdigest()
        return self.folder / f"{digest}.json"

    def get(self, key: Sequence[str]) -> list[dict[str, Any]]:
        """Return the replies kept for a key, or an empty list."""
        try:
            kept = json.loads(self._path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        rows = kept.get("replies") if isinstance(kept, dict) else None
        return rows if isinstance(rows, list) and all(isinstance(row, dict) for row in rows) else []

    def put(self, key: Sequence[str], replies: Sequence[dict[str, Any]]) -> None:
        """Keep the replies for a key; a folder that cannot be written to keeps nothing."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, partial = tempfile.mkstemp(dir=self.folder, suffix=".part")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump({"replies": list(replies)}, file, ensure_ascii=True)
            os.replace(partial, self._path(key))
        except OSError:
            # Losing a cached reply costs a question, not a score.
            return


def default_folder() -> Path:
    """Return the user's cache folder for judgements."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "vivavoce" / "judgements"
