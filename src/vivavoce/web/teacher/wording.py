"""What the fields of a scoring sheet are called, and what helps to fill them: by rubric, task and tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from vivavoce.judging.judge import Brief
from vivavoce.judging.levels_text import counts_here, span_text
from vivavoce.judging.people import sheet
from vivavoce.report import view
from vivavoce.rubric.model import Rubric

LABELS = {
    "covered": "Is it covered?",
    "answered": "Is it answered?",
    "fired": "Does this happen here?",
    "broken": "Is this rule broken?",
    "found": "Is there one?",
    "words": "The student's words",
    "unclear_words": "Words that were hard to understand",
    "why": "What was unclear",
    "counts": "Count over the whole recording",
    "false_starts": "False starts and restarts",
    "disruptive_fillers": "Disruptive fillers",
    "levels": "Levels",
    "recovery": "Recovery from a stumble",
    "checklist": "Point by point",
    "questions": "Question by question",
    "guardrails": "Guardrails",
    "order_rules": "Order rules",
    "specific_detail": "One real, specific detail",
    "anchor": "Which description fits best?",
    "score": "Score",
    "story": "Score of the story",
    "reason": "Your reason",
}
QUOTE = "Copy the student's words as they were heard, side by side; leave them empty where the answer is no."
QUOTED = ("checklist", "questions", "guardrails", "order_rules")
# Levels that follow from a count, and that count.
COUNTED = {"smoothness": "false_starts", "filler_control": "disruptive_fillers"}


@dataclass(frozen=True, slots=True)
class Option:
    """One answer of a few: the value that is sent, its name, its range of scores, and what it means."""

    value: str
    label: str
    range: str = ""
    note: str = ""


def score_hint(rubric: Rubric) -> str:
    """Return what a score may be."""
    low, high, ceiling = rubric.judged_lowest.text, rubric.judged_highest.text, rubric.ceiling.text
    return f"A whole number from {low} to {high}. More than {ceiling} counts as {ceiling}."


class Words:
    """The words of one sheet."""

    def __init__(self, brief: Brief) -> None:
        self._brief = brief
        self._sheet: dict[str, Any] = sheet(brief)
        self._tiers = {tier.id: tier for tier in brief.rubric.tiers}

    def label(self, name: str) -> str:
        """Return what a field or a group is called."""
        last = name.rsplit("/", 1)[-1]
        if last in self._sheet["points"] or last in self._sheet["questions"]:
            number, text = last.rsplit("_", 1)[-1], self._sheet["points"].get(last) or self._sheet["questions"][last]
            return f"{number}. {text}"
        if last.isdecimal():
            return f"Row {int(last) + 1}"
        if last == "word":
            return f"Word {int(name.split('/')[-2]) + 1}"
        return LABELS.get(last, view.words_of(last))

    def hint(self, name: str) -> str:
        """Return what helps to fill a field, or ""."""
        rubric, last = self._brief.rubric, name.rsplit("/", 1)[-1]
        if last in QUOTED:
            return " ".join(filter(None, (QUOTE, self._done(last))))
        if last in ("score", "story"):
            return score_hint(rubric)
        if last == "reason":
            return "One or two plain sentences that say why. They stay with the score."
        if last == "unclear_words":
            return "Up to five, as they were heard. Leave the rows empty where all was clear."
        if last == "levels":
            weights = self._brief.module.fluency[self._brief.grade_band].weights
            shares = ", ".join(
                f"{view.words_of(key).lower()} {view.number(weight.number)}" for key, weight in weights.items()
            )
            return f"Their weights: {shares}. The score must lie inside what the three levels allow."
        if last == "recovery":
            return str(rubric.lookup("fluency.recovery_text").value)
        if last in COUNTED:
            return f"Follows from your count of {LABELS[COUNTED[last]].lower()}, by the table."
        if name.count("/") == 2 and re.match("/(guardrails|order_rules)/", name):
            return str(self._sheet["rules"][last])
        if last == "specific_detail":
            return " ".join(filter(None, (self._sheet["rules"].get(last, ""), QUOTE)))
        return ""

    def _done(self, part: str) -> str:
        """How the tier follows from what was done, where that is what a part asks."""
        return str(self._sheet["rules"].get("tier", "")) if part in ("checklist", "questions") else ""

    def is_counted(self, name: str) -> bool:
        """Whether a level follows from a count."""
        return name.rsplit("/", 1)[-1] in COUNTED

    def notes(self, name: str) -> tuple[str, ...]:
        """Return the marks of a checklist's point."""
        last = name.rsplit("/", 1)[-1]
        if last not in self._sheet["points"]:
            return ()
        item = self._brief.material.task.checklist[int(last.rsplit("_", 1)[-1]) - 1]
        marks = {"end with this": item.end_with, "may stay vague": item.may_stay_vague}
        return tuple(mark for mark, given in marks.items() if given)

    def option(self, name: str, value: str) -> Option:
        """Return a tier as an answer: its range of scores, and what it means for this field."""
        tier, last = self._tiers[value], name.rsplit("/", 1)[-1]
        scores = f"{tier.score_low.text} to {tier.score_high.text}"
        if last in COUNTED:
            return Option(value, tier.label, scores, self._counted(last, value))
        return Option(value, tier.label, scores, self._meaning(value))

    def anchors(self) -> list[Option]:
        """Return what the tiers mean for this marker, best first, where no field of its own shows it."""
        if any(key in self._sheet["values"] for key in ("anchor", "levels")):
            return []
        return [self.option("/score", tier.id) for tier in self._brief.rubric.tiers]

    def _meaning(self, tier: str) -> str:
        return str(self._sheet["anchors"][tier]).removeprefix(f"{self._tiers[tier].label}: ")

    def _counted(self, level: str, tier: str) -> str:
        """The counts of a level in this recording; by the published table where its length is not known."""
        tables = self._brief.module.fluency[self._brief.grade_band]
        table = tables.false_starts if level == "smoothness" else tables.fillers
        response = self._brief.material.measurements.get("response_s")
        node = None if response is None else response.node()
        if node is not None and node.value:
            spans = counts_here(self._brief.rubric, table, node)
            return f"{span_text(*spans[tier])} in this recording" if tier in spans else "no count leads to it here"
        found = next(row for row in table.levels if row.tier == tier)
        return f"{span_text(found.lowest, found.highest)} in 30 seconds"
