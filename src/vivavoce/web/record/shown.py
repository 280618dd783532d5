"""What the recorder shows of a task, worked out from the rubric's data."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from vivavoce.errors import RequestError
from vivavoce.rubric.load import published
from vivavoce.store.model import Attempt, KeptTask, Store
from vivavoce.submission import Task, task_from_json
from vivavoce.tasks import check_task


def store_of(request: Request) -> Store:
    """The store of this server."""
    found: Store = request.app.state.store
    return found


# What stands for the title of a task that was deleted.
NAMELESS = "A task that was deleted"


@dataclass(frozen=True, slots=True)
class ShownTask:
    """A task as it is offered: module and grade in words, the text in stanzas of lines, said so many times."""

    id: str
    title: str
    module: str
    kind: str
    grade: int
    asked: Task
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
        text = " ".join(" / ".join(lines) for lines in self.stanzas)
        source = text or self.asked.prompt or ", ".join(self.asked.keywords)
        return source if len(source) <= 110 else source[:110].rsplit(" ", 1)[0] + " …"


def shown(kept: KeptTask) -> ShownTask:
    """Return a task as pages show it."""
    try:
        asked = task_from_json(dict(kept.task), "task")
        module, _ = check_task(asked, published())
    except RequestError as error:
        raise RequestError(
            "task_unknown",
            where=f"task {kept.id[:40]}",
            found=f"a task that this version cannot read ({error.code})",
            allowed="a task that fits its module",
            remedy="make the task anew",
        ) from error
    text = asked.reference or ""
    blocks = [[line.strip() for line in block.split("\n") if line.strip()] for block in text.split("\n\n")]
    return ShownTask(
        id=kept.id,
        title=kept.title,
        module=module.title,
        kind=module.kind,
        grade=asked.grade,
        asked=asked,
        built_in=kept.built_in,
        stanzas=tuple(tuple(block) for block in blocks if block),
        repetitions=module.repetitions,
    )


def all_shown(store: Store) -> list[ShownTask]:
    """Return all tasks that this version can show."""
    found = []
    for kept in store.tasks():
        try:
            found.append(shown(kept))
        except RequestError:
            continue
    return found


def title_of(store: Store, attempt: Attempt) -> str:
    """Return the title of an attempt's task, where that is still there."""
    try:
        return store.task(attempt.task_id).title
    except RequestError:
        return NAMELESS
