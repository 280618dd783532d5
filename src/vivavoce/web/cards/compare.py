"""Attempts at one task side by side: scores, measurements and what was told, and the way that the scores went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.report import judged, view
from vivavoce.report.page import MEASUREMENTS
from vivavoce.store.model import Attempt, Store
from vivavoce.web.reports import readable

Report = Mapping[str, Any]
Done = tuple[Attempt, Report]

MOST_COLUMNS = 4
FIRST_COLUMNS = 3
MOST_IN_CHART = 24
# A chart's box: the curve stretches in it, 100 wide and as high as the scale has points.
CHART_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Change:
    """How a value differs from the attempt before: a sign and words; "" where there is nothing to compare."""

    sign: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of one attempt: as text, with its tier or state, its digits for programs, and its change."""

    text: str
    label: str = ""
    rank: int = 0
    ranks: int = 0
    value: float | None = None
    change: Change = Change()


@dataclass(frozen=True, slots=True)
class Row:
    """A value over the attempts, newest first."""

    id: str
    title: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """What was told about a marker in each attempt, newest first."""

    title: str
    sentences: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """How a score went, oldest first: points in percent with their text, the line in pieces, a summary in words."""

    title: str
    points: tuple[tuple[str, str, str], ...]
    lines: tuple[str, ...]
    summary: str


def done(store: Store, task_id: str, by: str = "", wanted: Sequence[str] = ()) -> tuple[list[Done], int, int]:
    """Return scored attempts at a task, newest first, how many others have no card, and how many older ones have.

    Parameters: `by` by that person alone; `wanted` ids that are among them however old they are. The older cards are
    not read: hundreds would take seconds. Raises RequestError `task_unknown` where nobody has tried the task.
    """
    attempts = [attempt for attempt in store.attempts(task_id) if by in ("", attempt.made_by)]
    if not attempts:
        raise RequestError(
            "task_unknown",
            where=f"task {task_id[:40]}",
            found="no attempt at this task",
            allowed="a task that was tried",
            remedy="choose one from the list of cards",
        )
    scored = [attempt for attempt in attempts if attempt.state == "done"]
    older = [attempt for attempt in scored[MOST_IN_CHART:] if attempt.id not in wanted[:MOST_COLUMNS]]
    reports = ((attempt, readable(store, attempt)) for attempt in scored if attempt not in older)
    found: list[Done] = [(attempt, report) for attempt, report in reports if report is not None]
    return found, len(attempts) - len(found) - len(older), len(older)


def chosen(found: Sequence[Done], wanted: Sequence[str]) -> list[Done]:
    """Return the attempts to set side by side: the wanted ones, else the newest; newest first, a few at most."""
    named = [one for one in found if one[0].id in wanted][:MOST_COLUMNS]
    return named if len(named) > 1 else list(found[:FIRST_COLUMNS])


def change(new: float | None, old: float | None, unit: str = "") -> Change:
    """Return how a value differs from the one before, in words and by a sign."""
    if new is None or old is None:
        return Change()
    difference = Decimal(str(new)) - Decimal(str(old))
    if difference == 0:
        return Change("=", "the same")
    amount = f"{view.number(float(abs(difference)))} {view.unit(unit)}".strip()
    return Change("▲", f"{amount} more") if difference > 0 else Change("▼", f"{amount} less")


def score_rows(columns: Sequence[Done]) -> list[Row]:
    """Return the overall and the markers, each with its change from the attempt before."""
    markers = list(columns[0][1]["markers"].items()) if columns else []
    rows = [("overall", "Overall", [report["overall"] for _, report in columns])]
    rows += [(name, marker["title"], [report["markers"][name] for _, report in columns]) for name, marker in markers]
    return [_score_row(name, title, outcomes, columns) for name, title, outcomes in rows]


def _score_row(name: str, title: str, outcomes: Sequence[Report], columns: Sequence[Done]) -> Row:
    cells = []
    for place, outcome in enumerate(outcomes):
        before = outcomes[place + 1]["score"] if place + 1 < len(outcomes) else None
        ranks = [tier["id"] for tier in view.tiers_rising(columns[place][1])]
        tier = outcome["tier"]
        label = tier["label"] if tier else view.STATES[outcome["state"]]
        rank = ranks.index(tier["id"]) + 1 if tier else 0
        score = outcome["score"]
        cells.append(Cell(view.number(score), label, rank, len(ranks), score, change(score, before)))
    return Row(name, title, tuple(cells))


def measurement_rows(columns: Sequence[Done]) -> list[Row]:
    """Return the measurements that any of the attempts has, in their units, each with its change."""
    names = dict.fromkeys(name for _, report in columns for name in report["measurements"])
    rows = []
    for name in names:
        values = [report["measurements"].get(name) for _, report in columns]
        if all(found is None or found["value"] is None for found in values):
            continue
        cells = []
        for place, found in enumerate(values):
            older = values[place + 1] if place + 1 < len(values) else None
            if found is None:
                cells.append(Cell("–"))
                continue
            unit, value = found["unit"], found["value"]
            differs = Change() if unit == "flag" or older is None else change(value, older["value"], unit)
            cells.append(Cell(view.quantity(value, unit), value=value, change=differs))
        rows.append(Row(name, MEASUREMENTS.get(name, (view.words_of(name), ""))[0], tuple(cells)))
    return rows


def told(columns: Sequence[Done]) -> list[Told]:
    """Return what each attempt was told, by marker."""
    markers = columns[0][1]["markers"] if columns else {}
    rows = [
        Told(marker["title"], tuple(tuple(judged.feedback(report["markers"][name])) for _, report in columns))
        for name, marker in markers.items()
    ]
    return [row for row in rows if any(row.sentences)]


def charts(found: Sequence[Done]) -> list[Chart]:
    """Return how the overall and each marker went over the attempts, oldest first."""
    rising = list(reversed(found[:MOST_IN_CHART]))
    if len(rising) < 2:
        return []
    top = view.scale_top(rising[-1][1])
    titles = {"overall": "Overall"} | {name: m["short_title"] for name, m in rising[-1][1]["markers"].items()}
    return [_chart(name, title, rising, top) for name, title in titles.items()]


def _chart(name: str, title: str, rising: Sequence[Done], top: float) -> Chart:
    scores = [(report["overall"] if name == "overall" else report["markers"][name])["score"] for _, report in rising]
    points: list[tuple[str, str, str]] = []
    pieces: list[list[str]] = []
    piece: list[str] = []
    for place, score in enumerate(scores):
        if score is None:
            pieces, piece = [*pieces, piece], []
            continue
        x, y = place / (len(scores) - 1) * CHART_WIDTH, (top - score) / top * 100
        points.append((f"{x:.2f}%", f"{y:.2f}%", view.number(score)))
        piece.append(f"{x:.2f} {y:.2f}")
    lines = tuple("M" + "L".join(part) for part in [*pieces, piece] if len(part) > 1)
    said = ", ".join("no score" if score is None else view.number(score) for score in scores)
    return Chart(title, tuple(points), lines, f"{title}, oldest first: {said}")


def notes(columns: Sequence[Done]) -> list[str]:
    """Say what makes the attempts hard to compare: another task text, another edition of the rubric."""
    found = []
    if any(attempt.task != columns[0][0].task for attempt, _ in columns[1:]):
        found.append("The task was changed between these attempts, so the scores are not of quite the same thing.")
    if len({report["rubric"]["digest"] for _, report in columns}) > 1:
        found.append("These attempts were scored by different editions of the rubric.")
    return found
