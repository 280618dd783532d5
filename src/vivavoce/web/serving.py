"""What `vivavoce serve` puts together: a folder, a worker, the tasks that come with the program."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

from vivavoce.store.folder import FolderStore
from vivavoce.store.model import KeptTask
from vivavoce.store.scoring import ScoringProcess
from vivavoce.store.worker import Worker

# Id, title and file of the tasks that come with the program, in the order in which they are offered.
BUILT_IN = (
    ("sonnet", "A sonnet: From fairest creatures", "demo/task.json"),
    ("wind", "A poem: Who has seen the wind?", "examples/tasks/poem_recitation.json"),
    ("lighthouse", "A paragraph: The lighthouse", "examples/tasks/paragraph_reading.json"),
    ("snails", "A tongue twister: Seven slow snails", "examples/tasks/tongue_twister.json"),
    ("postcard", "A spoken postcard from a real place", "examples/tasks/audio_postcard.json"),
    ("bread", "How bread rises", "examples/tasks/short_informative_presentation.json"),
    ("lantern", "A story with five keywords", "examples/tasks/story_building.json"),
    ("questions", "Five quick questions", "examples/tasks/rapid_fire_qa.json"),
    ("cats", "Should cats be allowed to vote?", "examples/tasks/silly_topics_debate.json"),
)


def built_in_tasks() -> tuple[KeptTask, ...]:
    """The tasks that come with the program."""
    package = files("vivavoce")
    return tuple(
        KeptTask(name, title, json.loads(package.joinpath(path).read_text(encoding="utf-8")), built_in=True)
        for name, title, path in BUILT_IN
    )


def open_store(folder: Path) -> tuple[FolderStore, Worker]:
    """Open a folder of recordings and the worker that scores what waits in it (not started).

    Raises OSError where the folder cannot be used, RequestError `folder_in_use` where another process has it.
    """
    store = FolderStore(folder, built_in_tasks())
    scoring = ScoringProcess(store)
    return store, Worker(store, scoring, scoring.end)
