"""docs/feedback.md: its table has every finding as the rubric says it, and no other; its rules are the checker's."""

from __future__ import annotations

import re
from pathlib import Path

from vivavoce.feedback.checker import RULES
from vivavoce.rubric.load import published

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "feedback.md").read_text(encoding="utf-8")


def test_the_table_is_that_of_the_rubric() -> None:
    rows = re.findall(r"^\| `([\w.]+)` \| ([\w ]+) \| (.+?) \| .+ \|$", PAGE, re.MULTILINE)
    held = [
        (f"{marker}.{name}", wording.kind.replace("_", " "), wording.about)
        for marker, names in published().wording.findings.items()
        for name, wording in names.items()
    ]
    assert rows == held


def test_every_rule_of_the_checker_is_named() -> None:
    assert [rule for rule in RULES if f"`{rule}`" not in PAGE] == []
