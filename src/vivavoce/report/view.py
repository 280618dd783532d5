"""What the text and the page share: how a report's numbers, steps, states and pauses are worded.

Nothing here computes a score. A number is shown with the digits it has in the report, at most six of them after the
point; a longer one carries a sign that it was cut, and its step's expression holds it exactly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

Report = Mapping[str, Any]

PLACES = 6
ABOUT = "≈"
UNITS = {"wpm": "words/min", "1/min": "per min", "ratio": "", "score": "", "count": "", "flag": ""}
STATES = {"scored": "Scored", "pending": "Pending", "not_scored": "Not scored"}
ROUTES = {"code": "measured by code", "model": "judged", "blend": "keywords counted by code, story judged"}
# The judge that sends nothing anywhere.
LOCAL = "local"
PAUSE_TITLES = {"phrase": "Phrase pause", "choppy": "Choppy break", "hesitation": "Hesitation"}
# What a leaf's number is, for a reader.
LEAF_KINDS = {"measured": "measured", "judged": "judged", "given": "given", "parameter": "rubric"}
BOUNDARIES = {
    "reference": "the text",
    "punctuation": "the transcript's punctuation",
    "restored_by_words": "the words around each pause and its length, since the transcript has no punctuation",
    "restored_by_pauses": "the length of pauses alone, since the transcript has no punctuation",
    "none": "nothing: none are known",
}
FADE_METHODS = {"phrase": "phrase by phrase", "whole": "over the whole clip"}


_written: ContextVar[Callable[[Decimal], str]] = ContextVar("written")


@contextmanager
def numbers_written(by: Callable[[Decimal], str]) -> Iterator[None]:
    """Write every number that `number` shows inside the block as `by` writes it (a reader's decimal sign)."""
    token = _written.set(by)
    try:
        yield
    finally:
        _written.reset(token)


def plain(value: Decimal) -> str:
    """Return a decimal with its own digits and a point."""
    return format(value.normalize(), "f")


def number(value: float | None) -> str:
    """Return a number as it is shown: its own digits, at most six decimals, "≈" where some were cut."""
    if value is None:
        return "–"
    exact = Decimal(value) if isinstance(value, int) else Decimal(str(value))
    short = round(exact, PLACES)
    text = _written.get(plain)(short)
    return text if short == exact else f"{ABOUT} {text}"


def unit(name: str) -> str:
    """Return a unit as a reader writes it; scores, shares and flags have none."""
    return UNITS.get(name, name)


def quantity(value: float | None, name: str) -> str:
    """Return a number with its unit; a flag as yes or no."""
    if name == "flag" and value is not None:
        return f"{number(value)} ({'yes' if value else 'no'})"
    return f"{number(value)} {unit(name)}".strip() if value is not None else "not measured"


def words_of(identifier: str) -> str:
    """Return an identifier as words: "words_per_minute" -> "Words per minute"."""
    text = identifier.replace("_", " ")
    return text[:1].upper() + text[1:]


def walk(node: Report) -> Iterator[Report]:
    """Yield a step and all steps below it."""
    yield node
    for operand in node["operands"]:
        yield from walk(operand)


def find(node: Report | None, name: str, op: str | None = None) -> Report | None:
    """Return the first step of that name (and that operation), or None."""
    if node is None:
        return None
    return next((step for step in walk(node) if step["name"] == name and op in (None, step["op"])), None)


@dataclass(frozen=True, slots=True)
class PauseSummary:
    """The pauses of one kind: title, meaning, how many, and the longest in seconds (None where there is none)."""

    kind: str
    title: str
    meaning: str
    count: int
    longest_s: float | None


def pause_meanings(report: Report) -> dict[str, str]:
    """Return what each kind of pause is, with the report's own limits (M2)."""
    limits = report["pause_limits"]
    low, high = number(limits["pause_from_s"]), number(limits["hesitation_from_s"])
    return {
        "phrase": f"{low} to {high} s, where a phrase ends",
        "choppy": f"{low} to {high} s, inside a phrase",
        "hesitation": f"{high} s or longer, wherever it is",
    }


def boundaries(report: Report) -> str:
    """Say where phrase ends were taken from, or ""."""
    source = report["phrase_boundaries"]
    return f"Phrase ends taken from {BOUNDARIES.get(source, source)}" if source else ""


def fade_method(report: Report, name: str, note: str) -> str:
    """Return how the fade was measured, where its note does not say so already; of other measurements ""."""
    return "" if name != "fade_db" or note else str(FADE_METHODS.get(report["fade_method"], ""))


def length_s(pause: Report) -> float:
    """Return how long a pause is, in seconds, to the millisecond that it is kept in."""
    length: float = round(pause["end_s"] - pause["start_s"], 3)
    return length


def pauses_by_kind(report: Report) -> list[PauseSummary]:
    """Return a summary for each kind of pause, none left out."""
    meanings = pause_meanings(report)
    found = []
    for kind, title in PAUSE_TITLES.items():
        lengths = [length_s(pause) for pause in report["pauses"] if pause["kind"] == kind]
        found.append(PauseSummary(kind, title, meanings[kind], len(lengths), max(lengths, default=None)))
    return found


def listener(judgement: Report) -> str:
    """Return which listener a local judgement is from, in brackets, or ""."""
    name = next((reply["model"] for reply in judgement["replies"] if reply["model"]), "")
    return f"({name})" if name else ""


def judged_by(marker: Report) -> str:
    """Say who or what a marker's score comes from: code, a person (named where known), or a judge by name."""
    judgement = marker["judgement"]
    if judgement is None:
        given = any(step["op"] == "given" for step in walk(marker["trace"])) if marker["trace"] else False
        return "given by hand" if given else str(ROUTES.get(marker["route"], marker["route"]))
    if judgement["judge"] == "person":
        who = f"a person, {judgement['by']}" if judgement["by"] else "a person"
    elif judgement["judge"] == LOCAL:
        who = " ".join(filter(None, ["the local listener on this computer", listener(judgement)]))
    else:
        who = judgement["judge"]
    return f"keywords counted by code, story judged by {who}" if marker["route"] == "blend" else f"judged by {who}"


@dataclass(frozen=True, slots=True)
class Missing:
    """Markers that wait, or cannot be scored, for one and the same reason; `code` as "not_scored: no_speech"."""

    state: str
    code: str
    titles: tuple[str, ...]
    found: str
    remedy: str


def warnings(report: Report) -> list[Report]:
    """Return what was noticed and asks for something to be done."""
    return [notice for notice in report["warnings"] if notice["remedy"]]


def notes(report: Report) -> list[Report]:
    """Return what was noticed and asks for nothing: how the measuring was done."""
    return [notice for notice in report["warnings"] if not notice["remedy"]]


def missing(report: Report) -> list[Missing]:
    """Return what has no score, why, and what to do; markers with the same reason are named together."""
    groups: dict[tuple[str, str, str, str], list[str]] = {}
    for name, marker in report["markers"].items():
        if marker["state"] != "scored":
            reason = marker["reason"]
            remedy = reason["remedy"] if reason else ""
            key = (marker["state"], state_code(marker), why_missing(name, reason), remedy)
            groups.setdefault(key, []).append(marker["title"])
    return [
        Missing(state, code, tuple(titles), found, remedy) for (state, code, found, remedy), titles in groups.items()
    ]


def state_code(outcome: Report) -> str:
    """Return the state of what has no score with its reason's code, as programs know them."""
    reason = outcome["reason"]
    return f"{outcome['state']}: {reason['code']}" if reason else str(outcome["state"])


def why_missing(name: str, reason: Report | None) -> str:
    """Return why a marker has no score; its title stands beside it, so that its identifier becomes "it"."""
    return "" if reason is None else re.sub(rf"\b{re.escape(name)}\b", "it", reason["found"])


def overall_reason(report: Report) -> list[str]:
    """Return why there is no overall, as sentences; none where there is one."""
    reason = report["overall"]["reason"]
    if reason is None:
        return []
    return [reason["remedy"]] if reason["code"] == "markers_missing" else [reason["found"], reason["remedy"]]


def sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) or not text else ".")


def recording_facts(report: Report) -> list[str]:
    """Return what is known of the recording and of how its words were heard, as short phrases."""
    facts = []
    recording = report["recording"]
    if recording is not None:
        facts.append(str(recording["file"]))
        facts.append(f"{number(recording['duration_s'])} s")
    transcript = report["transcript"]
    if transcript is not None:
        facts.append(heard_by(transcript))
    return facts


def heard_by(transcript: Report) -> str:
    """Say where the words come from."""
    recognizer = transcript["recognizer"]
    return "words from a transcript file" if recognizer == "file" else f"words heard by {recognizer}"


def verbatim(transcript: Report) -> str:
    """Say whether fillers and restarts were kept in the words."""
    if transcript["verbatim"] is None:
        return "not known whether verbatim"
    return "verbatim" if transcript["verbatim"] else "not verbatim: fillers may be missing"


def grade_text(report: Report) -> str:
    """Return the grade with its grade band."""
    return f"Grade {report['grade']} ({report['grade_band']['title']})"


def tiers_rising(report: Report) -> Sequence[Report]:
    """Return the tiers from the lowest to the highest."""
    return sorted(report["tiers"], key=lambda tier: float(tier["score_low"]))


def scale_top(report: Report) -> float:
    """Return the highest score that a report can show."""
    return float(max(tier["score_high"] for tier in report["tiers"]))
