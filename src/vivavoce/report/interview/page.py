"""An interview's card as one self-contained HTML page: no script, no network, nothing to load; a part or a whole test.

Numbers come from the document; places on bars are worked out here, so that the templates only lay out.
"""

from __future__ import annotations

from typing import Any

from vivavoce.report import view
from vivavoce.report.interview import told
from vivavoce.report.interview.told import Document
from vivavoce.report.interview.whole_test import SCHEMA as TEST_SCHEMA
from vivavoce.report.page import environment

HIGHEST = 9
# How high the lowest rung stands, in percent of the highest.
LOWEST_RUNG = 42


def interview_html(document: Document) -> str:
    """Return the card of a part or of a whole test as one HTML document.

    Parameters: `document` as `part_document` or `whole_document` returns it. All its text is escaped. Raises
    MissingError where Jinja2 is not installed (extra `report`).
    """
    whole = document["schema"] == TEST_SCHEMA
    template = environment().get_template("interview/test.html.j2" if whole else "interview/part.html.j2")
    return template.render(
        document=document,
        view=view,
        told=told,
        overall=_overall(document),
        bands=_bands(document),
        parts=[_part(part) for part in (document["parts"] if whole else [document])],
    )


def _percent(part: float, whole: float) -> str:
    return f"{part / whole * 100:.3f}".rstrip("0").rstrip(".") + "%"


def _overall(document: Document) -> dict[str, Any]:
    overall = document["overall"]
    return {
        "state": document["state"],
        "text": view.STATES[document["state"]] if overall is None else view.number(overall),
        "value": overall,
        "arithmetic": told.arithmetic(document["trace"]),
        "trace": document["trace"],
    }


def _bands(document: Document) -> list[dict[str, Any]]:
    """The criteria as lines of the overview: name, band, and the bar's width on the scale of 0 to 9."""
    return [
        {
            "id": row["id"],
            "name": row["name"],
            "band": row["band"],
            "place": None if row["band"] is None else _percent(row["band"], HIGHEST),
        }
        for row in document["criteria"]
    ]


def _part(document: Document) -> dict[str, Any]:
    """One part as its page shows it; `key` goes before its ids, which recur on the page of a whole test."""
    return {
        "key": f"p{document['part']}",
        "document": document,
        "overall": _overall(document),
        "bands": _bands(document),
        "criteria": [_criterion(row) for row in document["criteria"]],
        "refused": told.refused(document),
        "acoustic": document["acoustic"],
        "replies": (document["judgement"] or {"replies": []})["replies"],
    }


def _criterion(criterion: Document) -> dict[str, Any]:
    rungs = told.rungs(criterion)
    unsteady = {rung.id for rung in told.unsteady(criterion)}
    return {
        "id": criterion["id"],
        "name": criterion["name"],
        "evaluates": criterion["evaluates"],
        "band": criterion["band"],
        "counted": told.counted(criterion),
        "choice": told.choice(criterion),
        "rungs": rungs,
        "steps": [_step(rung, at, len(rungs)) for at, rung in enumerate(rungs)],
        "unsteady": unsteady,
        "notes": told.review_notes(criterion),
        "note": criterion["note"],
        "trace": criterion["trace"],
    }


def _step(rung: told.Rung, at: int, count: int) -> dict[str, str]:
    """A rung's stair: its mark, its threshold, and how high it stands."""
    top = LOWEST_RUNG + (100 - LOWEST_RUNG) * at / (count - 1)
    return {
        "mark": rung.mark,
        "threshold": rung.threshold.removeprefix("Band "),
        "height": _percent(top, 100),
    }
