"""The list of attempts: what is told of each in a line, a page at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vivavoce.errors import VivavoceError
from vivavoce.report import view
from vivavoce.report.page import tier_places
from vivavoce.rubric.load import published
from vivavoce.store.model import Attempt, Store
from vivavoce.web.reports import ODD, readable

Report = Mapping[str, Any]

A_PAGE = 30
# What an attempt without a report is called.
STATES = {"waiting": "Waiting to be scored", "working": "Being scored", "failed": "Could not be scored"}
UNREADABLE = "The card cannot be read"


@dataclass(frozen=True, slots=True)
class Line:
    """An attempt in the list: its task's title, module and grade; where it stands; for a scored one its tier's rank."""

    attempt: Attempt
    title: str
    module: str
    state: str
    label: str
    score: int | None
    rank: int
    ranks: int
    why: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of the list: its lines, which page of how many, how many attempts, whether any is being scored."""

    lines: tuple[Line, ...]
    page: int
    pages: int
    count: int
    busy: bool


def task_title(store: Store, attempt: Attempt) -> str:
    """Return the title of an attempt's task; of one that was deleted since, its module."""
    try:
        return store.task(attempt.task_id).title
    except VivavoceError:
        return module_title(attempt)


def can_try_again(store: Store, attempt: Attempt) -> bool:
    """Return whether the attempt's task is still there to be recorded."""
    try:
        store.task(attempt.task_id)
    except VivavoceError:
        return False
    return True


def module_title(attempt: Attempt) -> str:
    """Return the title of the module and the grade, as the task had them."""
    module = published().modules.get(str(attempt.task.get("module")))
    return module.title if module is not None else "A task of another version"


def tasks_met(store: Store) -> list[tuple[str, str, int]]:
    """Return the tasks that have attempts: id, title and how many, the one attempted last first."""
    counts: dict[str, int] = {}
    titles: dict[str, str] = {}
    for attempt in store.attempts():
        counts[attempt.task_id] = counts.get(attempt.task_id, 0) + 1
        if attempt.task_id not in titles:
            titles[attempt.task_id] = task_title(store, attempt)
    return [(task_id, titles[task_id], count) for task_id, count in counts.items()]


def listing(store: Store, task_id: str, page: str) -> Listing:
    """Return a page of the attempts at a task ("": at any), newest first; a page that is none is the nearest."""
    attempts = store.attempts(task_id or None)
    pages = max(1, -(-len(attempts) // A_PAGE))
    number = min(max(int(page), 1), pages) if page.isdecimal() and len(page) < 7 else 1
    shown = attempts[(number - 1) * A_PAGE : number * A_PAGE]
    lines = tuple(_line(store, attempt) for attempt in shown)
    return Listing(lines, number, pages, len(attempts), any(line.state in ("waiting", "working") for line in lines))


def _line(store: Store, attempt: Attempt) -> Line:
    title, module = task_title(store, attempt), module_title(attempt)
    if attempt.state != "done":
        why = str((attempt.error or {}).get("found", ""))
        return Line(attempt, title, module, attempt.state, STATES[attempt.state], None, 0, 0, why)
    report = readable(store, attempt)
    try:
        label, score, rank, ranks, why = _standing(report or {})
    except ODD:
        return Line(attempt, title, module, "failed", UNREADABLE, None, 0, 0, "open it to see what can be done")
    return Line(attempt, title, module, str(report and report["state"]), label, score, rank, ranks, why)


def _standing(report: Report) -> tuple[str, int | None, int, int, str]:
    """The overall's tier or state, its score, the tier's rank of how many, and why there is no score."""
    overall = report["overall"]
    tier = overall["tier"]
    ranks = [place["id"] for place in tier_places(report)]
    label = tier["label"] if tier else view.STATES[overall["state"]]
    rank = ranks.index(tier["id"]) + 1 if tier else 0
    why = " ".join(view.sentence(text) for text in view.overall_reason(report))
    return label, overall["score"], rank, len(ranks), why
