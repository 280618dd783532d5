"""What waits for a person: which markers of a card, why, and which cards of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.report import view
from vivavoce.rubric.model import Rubric
from vivavoce.store.model import Attempt, Store
from vivavoce.web.reports import ODD, report_of

Report = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Waits:
    """A marker that waits: why, and whether a score stands meanwhile that a person should settle."""

    marker: str
    title: str
    why: str
    code: str
    provisional: bool


@dataclass(frozen=True, slots=True)
class WaitingCard:
    """A card of the list: its attempt, its title, what waits; `problem` says why nothing can be entered into it."""

    attempt: Attempt
    title: str
    grade: str
    waits: tuple[Waits, ...]
    problem: str = ""


def can_enter(report: Report) -> bool:
    """Whether a person may judge at all: where nothing was scored (no speech, say) there is nothing to judge."""
    return report["state"] != "not_scored" or any(marker["trace"] for marker in report["markers"].values())


def waits(report: Report) -> tuple[Waits, ...]:
    """Return the markers that a person should judge, in the card's order."""
    return tuple(_waits(report)) if can_enter(report) else ()


def _waits(report: Report) -> Iterator[Waits]:
    for name, marker in report["markers"].items():
        notice = marker["needs_person"] or (None if marker["state"] == "scored" else marker["reason"])
        if notice is not None:
            nobody = notice["code"] == "waiting" and marker["route"] != "code"
            why = "Nobody has judged it yet." if nobody else view.sentence(view.why_missing(name, notice))
            yield Waits(name, marker["title"], why, notice["code"], marker["score"] is not None)


def queue(store: Store, rubric: Rubric) -> list[WaitingCard]:
    """Return the cards with markers that wait for a person, newest first."""
    found = []
    for attempt in store.attempts():
        try:
            report = report_of(store, attempt)
            if report is None:
                continue
            card = _card(attempt, report, rubric)
        except (RequestError, *ODD):
            problem = "This report cannot be read. Score the recording again."
            card = WaitingCard(attempt, "A card", "", (), problem)
        if card.waits or card.problem:
            found.append(card)
    return found


def _card(attempt: Attempt, report: Report, rubric: Rubric) -> WaitingCard:
    waiting = waits(report)
    older = waiting and report["rubric"]["digest"] != rubric.digest
    problem = "Made by another edition of the rubric. Score the recording again before you mark it." if older else ""
    return WaitingCard(attempt, report["module"]["title"], view.grade_text(report), waiting, problem)
