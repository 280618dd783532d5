"""How the text and the page word an interview's document; nothing here computes a band.

Numbers, expressions and roundings are read from the document's traces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vivavoce.report import view

Document = Mapping[str, Any]
CHOSEN = "Beyond the published guide, which describes Part 1 alone: this edition is Vivavoce's own."
TOPICS = {1: "Topic", 2: "Cue card", 3: "Topic of the discussion"}
REVIEW = "a note for whoever reviews this; the band counts the checks that passed"


@dataclass(frozen=True, slots=True)
class Rung:
    """One check of a ladder: `mark` is passed, failed, next (the failed one to reach first) or open (not judged)."""

    id: str
    title: str
    threshold: str
    mark: str
    question: str
    meaning: str
    to_pass: str
    agreement: str


MARKS = {"passed": "passed", "failed": "not passed", "next": "not passed, the next to reach", "open": "not judged"}


def title_of(identifier: str) -> str:
    """Return a check's id as words: "MAINTAINS_FLOW" -> "Maintains flow"."""
    return view.words_of(identifier.lower())


def rungs(criterion: Document) -> list[Rung]:
    """Return a criterion's checks as the rungs of its ladder, the lowest first."""
    return [
        Rung(
            id=check["id"],
            title=title_of(check["id"]),
            threshold=check["threshold"],
            mark=_mark(check, criterion["next"]),
            question=check["question"],
            meaning=check["meaning"],
            to_pass=check["to_pass"],
            agreement=f"{check['agree']} of {check['of']} judgements agree" if check["of"] > 1 else "",
        )
        for check in criterion["checks"]
    ]


def _mark(check: Document, following: str | None) -> str:
    if check["result"] is None:
        return "open"
    if check["result"]:
        return "passed"
    return "next" if check["id"] == following else "failed"


def counted(criterion: Document) -> str:
    """Say how many checks passed, or "" where nothing was judged."""
    if criterion["passed"] is None:
        return ""
    return f"{criterion['passed']} of {len(criterion['checks'])} checks passed"


def choice(criterion: Document) -> str:
    """Say which band was chosen where the mapping leaves a choice, or ""."""
    return str(criterion["trace"]["note"]) if criterion["trace"] else ""


def arithmetic(trace: Document | None) -> str:
    """Return a mean that was rounded down, in one line: "(9 + 9 + 8 + 9) / 4 = 8.75, floored to 8.5"."""
    mean = view.find(trace, trace["operands"][0]["name"], "mean") if trace else None
    if trace is None or mean is None:
        return ""
    value = view.number(mean["value"])
    equals = "" if value.startswith(view.ABOUT) else "= "
    return f"{mean['expression']} {equals}{value}, floored to {view.number(trace['value'])}"


def review_notes(criterion: Document) -> list[str]:
    """Return what a reviewer should know of a ladder: checks that passed above a failed one (V3)."""
    late = [title_of(name) for name in criterion.get("non_monotone", ())]
    if not late:
        return []
    missed = title_of(criterion["next"])
    return [f"{' and '.join(late)} passed although {missed}, below, did not: {REVIEW}"]


def unsteady(criterion: Document) -> list[Rung]:
    """Return the checks on which the judgements did not all agree."""
    found = [check["id"] for check in criterion["checks"] if check["agree"] < check["of"]]
    return [rung for rung in rungs(criterion) if rung.id in found]


def refused(document: Document) -> list[str]:
    """Return the codes of replies that were refused, each once."""
    replies: Sequence[Document] = (document["judgement"] or {}).get("replies", [])
    codes = [reply["error"]["code"] for reply in replies if not reply["accepted"] and reply["error"]]
    return list(dict.fromkeys(codes))


def judged_by(document: Document) -> str:
    """Say who judged, and how many judgements decided."""
    judgement = document["judgement"]
    if judgement is None:
        return ""
    samples, accepted = judgement["samples"], judgement["accepted"]
    if samples == 1:
        return str(judgement["judge"])
    return f"{judgement['judge']}, by the majority of {accepted} accepted of {samples} independent judgements"


def facts(document: Document) -> Iterator[str]:
    """Yield what stands under the title of a part: its topic, how many answers, who judged."""
    if document["topic"]:
        yield f"{TOPICS[document['part']]}: {document['topic']}"
    count = len(document["answers"])
    if count:
        yield f"{count} answer{'s' if count > 1 else ''}"
    if document["judgement"]:
        yield f"judged by {judged_by(document)}"


def part_title(document: Document) -> str:
    """Return how a part is called on a page of several."""
    return f"Part {document['part']}"


def quantity(row: Document) -> str:
    """Return an acoustic value with its unit."""
    return view.quantity(row["value"], row["unit"])
