"""What the judges of a marker said, as the teacher sees it: samples on the scale, replies, history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from vivavoce.report import judged, view
from vivavoce.rubric.model import Rubric

Report = Mapping[str, Any]
PERSON = "person"


@dataclass(frozen=True, slots=True)
class Dot:
    """A score that samples gave: its place in percent, and how many gave it."""

    place: str
    score: int
    count: int


@dataclass(frozen=True, slots=True)
class Spread:
    """Samples on the scale of scores, places in percent: the stretch that they take, and the longest allowed one."""

    dots: tuple[Dot, ...]
    left: str
    right: str
    limit_left: str
    limit_right: str
    points: int
    limit: int
    text: str

    @property
    def over(self) -> bool:
        """Whether the samples lie further apart than is allowed."""
        return self.points > self.limit


@dataclass(frozen=True, slots=True)
class Range:
    """The interval of a judge that says how sure it is, in percent of the scale and in words."""

    left: str
    right: str
    place: str
    text: str


def machine_of(marker: Report) -> Report | None:
    """Return what the machine gave last, as {score, tier, state, reason, judgement}, or None where it was never asked.

    A person's value may stand in its place: then it is beside it, or in the history where it had no score.
    """
    kept = [
        marker,
        *([marker["machine"]] if marker["machine"] else []),
        *(r["value"] for r in reversed(marker["history"])),
    ]
    return next((value for value in kept if not _by_person(value)), None)


def _by_person(value: Report) -> bool:
    return value["judgement"] is not None and value["judgement"]["judge"] == PERSON


def spread(judgement: Report, report: Report, rubric: Rubric) -> Spread | None:
    """Return the samples as a picture; None where there are not at least two."""
    scores = judgement["scores"]
    if len(scores) < 2:
        return None
    top, limit = _top(report), int(rubric.judging.spread_limit.value)
    low, high = min(scores), max(scores)
    dots = tuple(Dot(_percent(score, top), score, scores.count(score)) for score in sorted(set(scores)))
    start = min(low, top - limit)
    listed = ", ".join(map(str, scores))
    compared = "over" if high - low > limit else "within"
    text = f"{len(scores)} judgements: {listed}. They lie {high - low} points apart, {compared} the limit of {limit}."
    return Spread(
        dots,
        _percent(low, top),
        _percent(high, top),
        _percent(start, top),
        _percent(start + limit, top),
        high - low,
        limit,
        text,
    )


def interval(judgement: Report, report: Report) -> Range | None:
    """Return the interval of a judge's score as a picture; None where the judge gives none."""
    found = judgement["interval"]
    if found is None:
        return None
    top, score = _top(report), next(iter(judgement["scores"]), found["low"])
    often = view.number(round(found["coverage"] * 10, 1))
    text = f"By ear between {found['low']} and {found['high']}, in {often} of 10 recordings like those it learned from."
    return Range(_percent(found["low"], top), _percent(found["high"], top), _percent(score, top), text)


def findings(value: Report, marker: Report) -> list[judged.Told]:
    """Return what the judge found, as the card tells it, without what the pictures of samples and interval tell."""
    judgement = {**value["judgement"], "interval": None, "samples": 1}
    return judged.told(
        {**marker, **value, "judgement": judgement, "machine": None, "history": [], "needs_person": None}
    )


def moment(text: str) -> datetime | None:
    """Return the time that a report gives as text, or None where it gives none that can be read."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def history(marker: Report) -> list[dict[str, Any]]:
    """Return the values that were replaced, latest first: score, whose, why, replaced when and by whom."""
    return [
        {
            "score": view.number(row["value"]["score"]),
            "label": row["value"]["tier"]["label"] if row["value"]["tier"] else view.STATES[row["value"]["state"]],
            "by": view.judged_by({**marker, **row["value"]}),
            "why": (row["value"]["judgement"] or {}).get("reason", ""),
            "at": row["replaced_at"],
            "when": moment(row["replaced_at"]),
            "replaced_by": row["replaced_by"],
        }
        for row in reversed(marker["history"])
    ]


def _top(report: Report) -> int:
    return int(view.scale_top(report))


def _percent(part: float, whole: float) -> str:
    return f"{min(max(part / whole, 0), 1) * 100:.3f}%"
