"""Reports as they are shown: files that people edit and other versions wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from jinja2 import UndefinedError

from vivavoce.errors import VivavoceError
from vivavoce.report.card import SCHEMA
from vivavoce.report.saved import check_saved, unreadable
from vivavoce.rubric.load import published
from vivavoce.store.model import Attempt, Store
from vivavoce.strict import shown

# What reading a report raises where a part is missing or of another kind.
ODD = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, UndefinedError)
WHERE = "report.json"


def report_of(store: Store, attempt: Attempt) -> dict[str, Any] | None:
    """Return the report of a scored attempt; None for one that is not, or whose report was taken away.

    Raises RequestError `report_unreadable` for one of another version, and what the store raises.
    """
    report = store.report(attempt.id) if attempt.state == "done" else None
    if report is not None and report.get("schema") != SCHEMA:
        raise unreadable(f"{WHERE} /schema", shown(report.get("schema")), SCHEMA)
    return report


def readable(store: Store, attempt: Attempt) -> dict[str, Any] | None:
    """Return the report of an attempt, or None where it has none that this version reads."""
    try:
        return report_of(store, attempt)
    except VivavoceError:
        return None


def of_another_edition(report: Mapping[str, Any]) -> bool:
    """Return whether a report was scored by another edition of the rubric; then no person can judge it here."""
    return bool(report["rubric"]["digest"] != published().digest)


def to_score_again(store: Store, attempt: Attempt) -> bool:
    """Return whether a recording may be scored anew: it failed, or its card cannot be read or marked."""
    if attempt.state != "done":
        return attempt.state == "failed"
    try:
        report = report_of(store, attempt)
        return report is None or of_another_edition(report)
    except (VivavoceError, *ODD):
        return True


@contextmanager
def reading(*reports: Mapping[str, Any]) -> Iterator[None]:
    """Say which part of a report does not fit where showing it fails: raises RequestError `report_unreadable`.

    Then only, since holding a report against its schema takes longer than showing it.
    """
    try:
        yield
    except ODD:
        for report in reports:
            check_saved(report, WHERE)
        raise
