"""The words of the bundled recording, for tests that need no recogniser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import vivavoce


@pytest.fixture(scope="session")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The poem's words, one every 0.45 s: what is judged here does not hang on their true times."""
    task = json.loads((Path(vivavoce.__file__).parent / "demo" / "task.json").read_text(encoding="utf-8"))
    said = task["reference"].removeprefix("1.").split()
    rows = [{"text": w, "start": round(0.5 + 0.45 * i, 2), "end": round(0.9 + 0.45 * i, 2)} for i, w in enumerate(said)]
    path = tmp_path_factory.mktemp("words") / "words.json"
    path.write_text(json.dumps({"words": rows, "verbatim": True, "language": "en"}), encoding="utf-8")
    return path
