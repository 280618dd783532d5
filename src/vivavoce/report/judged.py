"""What a card tells of a judgement: what was found, how steady it was, what was refused, and whose value counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vivavoce.report import view

Report = Mapping[str, Any]
FIRED = {"guardrails": "fired", "order_rules": "broken"}


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence about a judgement; `words` are the student's, quoted beside it; `alert` asks for a person."""

    text: str
    words: str = ""
    alert: bool = False


def provisional(report: Report) -> str | None:
    """Return what to say beside an overall whose markers a person should settle, or None."""
    titles = [marker["short_title"] for marker in report["markers"].values() if marker["needs_person"] is not None]
    if report["overall"]["score"] is None or not titles:
        return None
    return f"provisional: a person should settle {' and '.join(titles)}"


def told(marker: Report) -> list[Told]:
    """Return what a marker's card says of its judgement, what needs a person first."""
    judgement = marker["judgement"]
    lines: list[Told] = []
    needed = marker["needs_person"]
    if needed is not None:
        lines.append(Told(f"{needed['found']}; {needed['remedy']}", alert=True))
    machine = marker["machine"]
    if machine is not None:
        lines.append(Told(f"the machine's own value, which does not count any more: {_value(marker, machine)}"))
    if len(marker["history"]) > 1:
        values = ", ".join(_score(row["value"]) for row in marker["history"])
        lines.append(Told(f"earlier values: {values}"))
    if judgement is not None:
        lines += _trust(judgement)
        lines += _found(judgement["accepted"] or {}, heard=bool(judgement["findings"]))
        lines += [Told(finding["text"]) for finding in judgement["findings"]]
        lines += _steadiness(judgement)
    return lines


def feedback(marker: Report) -> list[str]:
    """Return what the student is told about a marker: two sentences, or none where there is no score."""
    told = marker["feedback"]
    return [] if told is None else list(told["sentences"])


def replies(marker: Report) -> list[Mapping[str, Any]]:
    """Return the raw replies behind a marker's judgement and behind the machine's, as they were received."""
    machine = marker["machine"] or {"judgement": None}
    kept = [judgement for judgement in (marker["judgement"], machine["judgement"]) if judgement is not None]
    return [reply for judgement in kept for reply in judgement["replies"]]


def _score(value: Report) -> str:
    return "none" if value["score"] is None else str(view.number(value["score"]))


def _value(marker: Report, value: Report) -> str:
    by = view.judged_by({**marker, **value})
    return f"{_score(value)}, {by}"


def _trust(judgement: Report) -> Iterator[Told]:
    """How far the judge trusts its own score."""
    interval = judgement["interval"]
    if interval is not None:
        often = f"in {view.number(round(interval['coverage'] * 10, 1))} of 10 recordings like those it learned from"
        yield Told(f"by ear between {interval['low']} and {interval['high']}, {often}")
    for remark in judgement["remarks"]:
        yield Told(remark)


def _found(accepted: Report, *, heard: bool) -> Iterator[Told]:
    """What the judge found, with the student's words where it gave them; `heard`: findings tell of the words."""
    if accepted.get("reason"):
        yield Told(f"the judge's reason: {accepted['reason']}")
    for row in [] if heard else accepted.get("unclear_words", []):
        yield Told(f"hard to understand: {row['why']}", row["word"])
    if "counts" in accepted:
        counts, levels = accepted["counts"], accepted["levels"]
        yield Told(
            f"false starts {counts['false_starts']}, disruptive fillers {counts['disruptive_fillers']}; levels: "
            + ", ".join(f"{view.words_of(name)} {view.words_of(level)}" for name, level in levels.items())
        )
    for row in [*accepted.get("checklist", []), *accepted.get("questions", [])]:
        done = "covered" if row.get("covered") else "answered" if row.get("answered") else "left out"
        yield Told(f"{view.words_of(row['id'])}: {done}", row["words"])
    detail = accepted.get("specific_detail")
    if isinstance(detail, Mapping):
        yield Told(f"specific detail: {'found' if detail['found'] else 'none'}", detail["words"])
    for key, flag in FIRED.items():
        rows = accepted.get(key, [])
        for row in rows if all(isinstance(row, Mapping) for row in rows) else []:
            if row.get(flag):
                yield Told(f"{view.words_of(row['id'])}: {flag}", row["words"])


def _steadiness(judgement: Report) -> Iterator[Told]:
    scores, received = judgement["scores"], judgement["replies"]
    if judgement["samples"] > 1 and scores:
        listed = ", ".join(map(str, scores))
        yield Told(
            f"median of {len(scores)} of {judgement['samples']} independent judgements: {listed}; "
            f"spread {judgement['spread']} points"
        )
    refused = [reply for reply in received if not reply["accepted"] and reply["error"]]
    if refused:
        codes = ", ".join(dict.fromkeys(reply["error"]["code"] for reply in refused))
        count = f"{len(refused)} replies were" if len(refused) > 1 else "1 reply was"
        yield Told(f"{count} refused: {codes}")
    if any(reply["cached"] for reply in received):
        yield Told("taken from replies that were received before")
