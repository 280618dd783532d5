"""What a card tells a student first, and what its player is given; worked out from the report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vivavoce.report import judged, view
from vivavoce.report.moments import SLIPS, heard_words
from vivavoce.report.page import context
from vivavoce.report.picture import clock, picture
from vivavoce.store.model import Attempt
from vivavoce.web.microphone import microphone_notes
from vivavoce.web.reports import of_another_edition

Report = Mapping[str, Any]

# What is told otherwise than on a card from the command line, where one can give a transcript.
TOLD_HERE = {
    "filler_counts_are_a_floor": (
        "The program often does not hear um and uh, so there may be more fillers and restarts than were counted.",
        "Where it matters, let a teacher or another person listen and score Fluency, in the teacher's view.",
    )
}
# Pixels a second at the sizes of the waveform (the first fits the page), and the most that is drawn; words are shown
# below it where they have room.
SIZES = (("whole", "Whole", 0), ("closer", "Closer", 30), ("words", "Words", 140))
MOST_PIXELS = 60_000


@dataclass(frozen=True, slots=True)
class Advice:
    """What is told about a marker: its name, standing and sentences; `by_ear`: this computer's listener judged it."""

    marker: str
    title: str
    standing: str
    sentences: tuple[str, ...]
    by_ear: bool


@dataclass(frozen=True, slots=True)
class Leading:
    """What the page begins with: what was done well, the one thing to try next, further things, what keeps it up."""

    well: tuple[Advice, ...]
    first: Advice | None
    further: tuple[Advice, ...]
    keep: tuple[Advice, ...]
    strongest: Advice | None


def leading(report: Report) -> Leading:
    """Return what to tell first: done well by highest score, to try next by lowest; of equals the rubric's order."""
    told = [(name, marker) for name, marker in report["markers"].items() if judged.feedback(marker)]
    rising = sorted(told, key=lambda item: int(item[1]["score"]))
    falling = sorted(told, key=lambda item: -int(item[1]["score"]))
    well = [(name, marker) for name, marker in falling if marker["feedback"]["kind"] == "done_well"]
    held = [_advice(name, marker) for name, marker in rising if marker["feedback"]["kind"] != "done_well"]
    return Leading(
        tuple(_advice(name, marker, 0, 1) for name, marker in well),
        held[0] if held else None,
        tuple(held[1:]),
        tuple(_advice(name, marker, 1, 2) for name, marker in well),
        _advice(*falling[0]) if falling and not well else None,
    )


def _advice(name: str, marker: Report, first: int = 0, last: int | None = None) -> Advice:
    judgement = marker["judgement"]
    by_ear = judgement is not None and judgement["judge"] == view.LOCAL
    return Advice(name, marker["title"], marker["tier"]["label"], tuple(judged.feedback(marker)[first:last]), by_ear)


def warnings(report: Report) -> list[tuple[str, str, str]]:
    """Return what was noticed and asks for something to be done: how it is called, what was found, what to do."""
    told = []
    for notice in view.warnings(report):
        here = TOLD_HERE.get(notice["code"])
        found, remedy = here or (view.sentence(notice["found"]), view.sentence(notice["remedy"]))
        told.append(("Good to know" if here else "Warning", found, remedy))
    return told


def _player(report: Report) -> str:
    """What the player is given, as JSON: the outline of the waveform and the clock at every second."""
    duration = report["recording"]["duration_s"]
    columns = report["picture"]["columns"]
    data = {
        "duration": duration,
        "peaks": [[column[side] for column in columns] for side in ("high", "low")],
        "clocks": [clock(float(second)) for second in range(int(duration) + 1)],
    }
    # A data block ends at "</script>", wherever it stands.
    return json.dumps(data).replace("<", "\\u003c")


def _sizes(duration: float) -> list[dict[str, Any]]:
    sizes = SIZES if _words_fit(duration) else SIZES[:-1]
    return [
        {"id": name, "title": title, "pixels": min(MOST_PIXELS, round(duration * pixels))}
        for name, title, pixels in sizes
    ]


def _words_fit(duration: float) -> bool:
    return duration * SIZES[-1][-1] <= MOST_PIXELS


def _ticks(duration: float) -> list[dict[str, str]]:
    """The clock along the enlarged waveform."""
    step = 2 if _words_fit(duration) else 10
    return [
        {"text": clock(float(second)), "left": f"{second / duration * 100:.4f}%"}
        for second in range(0, int(duration) + 1, step)
    ]


def _lane(report: Report) -> list[dict[str, str]]:
    """The words below the waveform: where each stands, in percent of the recording."""
    duration = report["recording"]["duration_s"]
    return [
        {
            "text": str(word["text"]),
            "left": f"{word['start_s'] / duration * 100:.4f}%",
            "width": f"{(word['end_s'] - word['start_s']) / duration * 100:.4f}%",
        }
        for word in heard_words(report)
    ]


def slip_counts(report: Report) -> list[tuple[str, Sequence[str]]]:
    """Return the kinds of fillers and restarts with what was said."""
    found: dict[str, list[str]] = {title: [] for title in SLIPS.values()}
    for event in report["disfluencies"]:
        found[SLIPS[event["kind"]]].append(" ".join(event["words"]))
    return [(title, words) for title, words in found.items() if words]


def card(attempt: Attempt, report: Report) -> dict[str, Any]:
    """Return what the page of a card is given."""
    playable = report["picture"] is not None and report["recording"] is not None
    playable = playable and bool(report["picture"]["columns"]) and report["recording"]["duration_s"] > 0
    duration = report["recording"]["duration_s"] if report["recording"] else 0
    return {
        **context(report),
        "attempt": attempt,
        "leading": leading(report),
        "warnings": warnings(report),
        "older": of_another_edition(report),
        "settings": microphone_notes(attempt),
        "slips": slip_counts(report),
        "strip": picture(report, in_one=True) if playable else None,
        "player": _player(report) if playable else "",
        "sizes": _sizes(duration),
        "lane": _lane(report) if playable and _words_fit(duration) else [],
        "ticks": _ticks(duration) if playable else [],
        "length": clock(duration),
    }
