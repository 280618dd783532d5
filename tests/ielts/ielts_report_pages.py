"""Pages of interviews read back as a tree, with the reader of the school card's tests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "report"))

from ielts_report_samples import PARTS, judgement, mixed, not_scored, part_of, pending
from report_dom import Element, parse

from vivavoce.report.interview.page import interview_html
from vivavoce.report.interview.whole_test import whole_document

__all__ = ["DOCUMENTS", "PAGES", "TESTS", "Element", "interview_html", "parse", "read_step", "shown_step"]


def _acoustic() -> dict[str, Any]:
    from test_ielts_acoustic import ONE, SILENT, TWO

    from vivavoce.report.interview.acoustic import acoustic_evidence

    return mixed(2) | {"acoustic": acoustic_evidence([ONE, TWO, SILENT]), "judgement": judgement(judge="openai:b")}


TESTS = {
    "whole": lambda: whole_document([part_of(1), _acoustic(), part_of(3)]),
    "two parts": lambda: whole_document([part_of(1), part_of(3)]),
    "unscored": lambda: whole_document([not_scored(), part_of(2)]),
    "waiting": lambda: whole_document([pending(), part_of(2), part_of(3)]),
    "none": lambda: whole_document([]),
}
DOCUMENTS: dict[str, dict[str, Any]] = {
    **{name: made() for name, made in PARTS.items()},
    "acoustic": _acoustic(),
    **{name: made() for name, made in TESTS.items()},
}
PAGES = {name: interview_html(document) for name, document in DOCUMENTS.items()}


def read_step(item: Element) -> dict[str, Any]:
    """A step of the page, as the document has it."""
    (body,) = item.elements()
    computed = body.tag == "details"
    head = body.one("summary") if computed else body
    return {
        "name": head.one(klass="stepname").text,
        "value": head.one("data", "value").attributes["value"],
        "expression": head.one("code", "expression").text if computed else None,
        "operands": [read_step(child) for child in body.elements("ul")[0].elements("li")] if computed else [],
    }


def shown_step(node: dict[str, Any]) -> dict[str, Any]:
    """What `read_step` must find for a step of the document."""
    return {
        "name": node["name"],
        "value": str(node["value"]),
        "expression": node["expression"] if node["operands"] else None,
        "operands": [shown_step(operand) for operand in node["operands"]],
    }
