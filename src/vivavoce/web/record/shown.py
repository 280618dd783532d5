"""What the recorder shows of a task, worked out from the rubric's data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.rubric.load import published
from vivavoce.store.model import Attempt, KeptTask

# How a browser's settings are called on a page.
SETTING_NAMES = {
    "autoGainControl": "Automatic gain",
    "noiseSuppression": "Noise suppression",
    "echoCancellation": "Echo cancellation",
}


@dataclass(frozen=True, slots=True)
class ShownTask:
    """A task as it is offered: module and grade in words, the text in stanzas of lines, said so many times."""

    id: str
    title: str
    module: str
    kind: str
    grade: int
    task: Mapping[str, Any]
    built_in: bool
    stanzas: tuple[tuple[str, ...], ...]
    repetitions: int

    @property
    def verse(self) -> bool:
        """Whether the text has lines of its own."""
        return any(len(stanza) > 1 for stanza in self.stanzas)

    @property
    def first_words(self) -> str:
        """The beginning of what is asked, for a list."""
        source = " ".join(" ".join(lines) for lines in self.stanzas) or str(self.task.get("prompt") or "")
        return source if len(source) <= 110 else source[:110].rsplit(" ", 1)[0] + " …"


def shown(kept: KeptTask) -> ShownTask:
    """Return a task as pages show it."""
    module = published().modules.get(str(kept.task.get("module")))
    if module is None:
        raise RequestError(
            "task_unknown",
            where=f"task {kept.id[:40]}",
            found="a task for a module that this version does not have",
            allowed=", ".join(published().modules),
            remedy="make the task anew",
        )
    text = str(kept.task.get("reference") or "")
    blocks = [[line.strip() for line in block.split("\n") if line.strip()] for block in text.split("\n\n")]
    return ShownTask(
        id=kept.id,
        title=kept.title,
        module=module.title,
        kind=module.kind,
        grade=int(kept.task["grade"]),
        task=kept.task,
        built_in=kept.built_in,
        stanzas=tuple(tuple(block) for block in blocks if block),
        repetitions=module.repetitions,
    )


def microphone_notes(attempt: Attempt) -> list[str]:
    """Return what is to be said of how the browser recorded; nothing where it obeyed, or for an upload."""
    if not attempt.settings:
        return []
    notes = []
    for name, title in SETTING_NAMES.items():
        value = attempt.settings.get(name)
        if value is True:
            notes.append(
                f"{title} was on, though it was asked to be off: loudness may be the browser's, not the voice's."
            )
        elif value is None:
            notes.append(f"{title}: the browser did not say whether it was off.")
    return notes
