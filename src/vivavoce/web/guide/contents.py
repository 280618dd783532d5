"""What the chapters show beside the rows themselves: tables put together, heaviest weights, curves, worked lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

from babel.dates import format_date

from vivavoce.arithmetic import expression
from vivavoce.report import view
from vivavoce.rubric.model import Component, Module, Rubric
from vivavoce.trace import Exact, Node, plain
from vivavoce.web.guide.catalog import digits
from vivavoce.web.guide.figures import (
    Plot,
    anchor_plot,
    cut_plot,
    domain_of,
    knots_of,
    level_cells,
    percent,
    quality_plot,
)
from vivavoce.web.reader import Reader

ROUTES = {
    "code": "Code",
    "model": "Model",
    "blend": "Code and model",
    "module": "Depends on the module",
}
SETTINGS = {
    "any": "In any task",
    "open": "In open tasks",
    "closed": "In readings",
    "twister": "In the tongue twister",
}
FINDING_KINDS = {"held_back": "held the attempt back", "done_well": "done well"}
JUDGING_TEXTS = {
    "role": "Who the judge is",
    "data": "What is evidence, and never an order",
    "one_marker": "One marker at a time",
    "scores": "How to answer",
    "fairness": "Fairness",
    "done": "How the tier follows from what was done",
    "quoting": "Quoting the student",
    "reason": "The reason",
    "reply": "The form of the reply",
    "no_audio": "Where the judge does not hear the recording",
    "hears_audio": "Where the judge hears it",
    "not_verbatim": "Where the transcript is not verbatim",
    "verbatim": "Where the transcript is verbatim",
}
FINDING_LIMITS = {
    "at_most": "Findings told at most",
    "unclear_words_at_most": "Unclear words named at most",
    "word_accuracy_at_most": "A word is unclear at or under",
    "word_read_at_most": "A word was rightly said with a probability at or under",
    "sound_score_at_most": "A sound is unclear at or under",
    "sound_words_at_least": "A sound recurs in words, at least",
}
# How a worked step is put in words, by the step's name in the trace.
STEP_WORDS = {
    "level_quality": "Quality of Level",
    "consistency_quality": "Quality of Consistency",
    "fade_quality": "Quality of Fade",
    "quality": "Weighted quality",
    "frac": "How far into its tier",
    "volume_control": "Score",
}


@dataclass(frozen=True, slots=True)
class Worked:
    """One line of a worked score: what it is, the arithmetic with its numbers, the value, and what was noted."""

    title: str
    arithmetic: str
    value: str
    note: str


def worked_lines(trace: Node, reader: Reader) -> list[Worked]:
    """The computed steps of a score from the leaves up, as the engine's trace has them."""
    lines: list[Worked] = []

    def visit(node: Node) -> None:
        for operand in node.operands:
            visit(operand)
        if node.operands and node.name in STEP_WORDS:
            value = reader.number(node.number)
            lines.append(Worked(STEP_WORDS[node.name], expression(node), value, node.note))

    visit(trace)
    return lines


@dataclass(frozen=True, slots=True)
class Weight:
    """A cell of the weight table: the parameter, whether nothing in its row or its column weighs more, its bar."""

    node: Node
    most_of_row: bool
    most_of_column: bool
    least_of_column: bool
    width: str
    others: tuple[str, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class WeightTable:
    """The weights of all modules: rows by module, cells by marker, each row's sum."""

    rows: Mapping[str, Mapping[str, Weight]]
    sums: Mapping[str, str]


def weight_table(rubric: Rubric, reader: Reader) -> WeightTable:
    """The weight table with what is heaviest in each row and in each column; equal weights are both heaviest."""
    weights = {name: module.weights for name, module in rubric.modules.items()}
    columns = {marker: [row[marker].value for row in weights.values()] for marker in rubric.markers}
    heaviest = max(value for column in columns.values() for value in column)
    rows = {}
    for name, row in weights.items():
        most = max(node.value for node in row.values())
        rows[name] = {
            marker: Weight(
                node,
                node.value == most,
                node.value == max(columns[marker]),
                node.value == min(columns[marker]),
                percent(node.value, heaviest),
                tuple(percent(value, heaviest) for value in sorted(set(columns[marker]) - {node.value})),
                1 + sum(value > node.value for value in columns[marker]),
            )
            for marker, node in row.items()
        }
    return WeightTable(
        rows,
        {name: two_decimals(sum(node.value for node in row.values()), reader) for name, row in weights.items()},
    )


def decided_in(note: str, known: Mapping[str, str]) -> list[tuple[str, str]]:
    """The decisions that a note names (A4, V2), each with its address, where the guide has a place for it."""
    return [(name, known[name]) for name in dict.fromkeys(re.findall(r"\b[AV]\d+\b", note)) if name in known]


def decision_places(rubric: Rubric) -> dict[str, str]:
    """The address of each decision of the student rubric, by its name."""
    return {choice["decision"]: f"/rubric/conflicts#{choice['id']}" for choice in rubric.choices}


def stacks(rubric: Rubric) -> dict[str, list[dict[str, str]]]:
    """Each module's weights side by side, in percent of the whole."""
    found: dict[str, list[dict[str, str]]] = {}
    for name, module in rubric.modules.items():
        left = Fraction(0)
        found[name] = []
        for node in module.weights.values():
            found[name].append({"left": percent(left, 1), "width": percent(node.value, 1)})
            left += node.value
    return found


def dated(text: str, reader: Reader) -> str:
    """A date of the change log as the reader writes it; other words as they are."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return view.words_of(text)
    return f"{format_date(day, format='long', locale=reader.locale)}"


def two_decimals(value: Exact, reader: Reader) -> str:
    """A sum of hundredths with two decimals; more where there are more, so that a wrong sum shows."""
    whole, _, rest = plain(value).partition(".")
    return digits(Decimal(f"{whole}.{rest.ljust(2, '0')}"), reader)


def _module_of(rubric: Rubric, kind: str) -> Module:
    """A module that takes its kind's shared tables (not the tongue twister, which has weights of its own)."""
    return next(module for module in rubric.modules.values() if module.kind == kind and module.repetitions == 1)


def _component(module: Module, marker: str, band: str, name: str) -> Component:
    return next(c for c in module.rules[marker][band].components if c.id == name)


def _by_band(rubric: Rubric, module: Module, marker: str, name: str, reader: Reader) -> list[Plot]:
    """Small multiples: one sub-marker's curve for each grade band, on one scale."""
    found = {band: _component(module, marker, band, name) for band in rubric.grade_bands}
    domain = domain_of(list(found.values()))
    return [quality_plot(part, rubric.grade_bands[band].title, reader, domain) for band, part in found.items()]


def kinds(rubric: Rubric, reader: Reader) -> dict[str, Any]:
    """The curves and level strips of the shared tables."""
    result: dict[str, Any] = {}
    for kind in ("open", "closed"):
        module = _module_of(rubric, kind)
        cuts = {band: module.rules["speaking_rate"][band].cut for band in rubric.grade_bands}
        furthest = max(cut.rate_at_max.value for cut in cuts.values() if cut)
        most = max(cut.max_cut.value for cut in cuts.values() if cut)
        domain = (0, Fraction(furthest) * Fraction(13, 12))
        result[kind] = {
            "pace": _by_band(rubric, module, "speaking_rate", "words_per_minute", reader),
            "choppiness": _by_band(rubric, module, "speaking_rate", "choppiness", reader),
            "cut": [
                cut_plot(cut, rubric.grade_bands[band].title, reader, domain, most) for band, cut in cuts.items() if cut
            ],
            "false_starts": {band: level_cells(module.fluency[band].false_starts) for band in rubric.grade_bands},
            "fillers": {band: level_cells(module.fluency[band].fillers) for band in rubric.grade_bands},
        }
    closed = _module_of(rubric, "closed")
    level = _component(closed, "volume_control", next(iter(rubric.grade_bands)), "level")
    result["volume"] = {
        "level": [quality_plot(level, "Every grade band", reader, domain_of([level]))],
        "consistency": _by_band(rubric, closed, "volume_control", "consistency", reader),
        "fade": _by_band(rubric, closed, "volume_control", "fade", reader),
    }
    result["adherence"] = {
        name: _by_band(rubric, closed, "task_adherence", name, reader) for name in ("completion", "accuracy")
    }
    return result


def module_figures(rubric: Rubric, module: Module, reader: Reader) -> dict[str, Any]:
    """A module's own curves: pace steadiness on the scale of all eight, and its pace by grade band."""
    band = next(iter(rubric.grade_bands))
    all_steady = [_component(each, "speaking_rate", band, "consistency") for each in rubric.modules.values()]
    own = _component(module, "speaking_rate", band, "consistency")
    forced = _component(module, "speaking_rate", band, "words_per_minute").rule == "forced"
    return {
        "steadiness": quality_plot(own, view.words_of("pace_steadiness"), reader, domain_of(all_steady)),
        "pace": [] if forced else _by_band(rubric, module, "speaking_rate", "words_per_minute", reader),
        "forced": forced,
    }


def row_plot(rubric: Rubric, path: str, reader: Reader) -> Plot | None:
    """The curve that a row is an edge of, or None where it is none."""
    for module in rubric.modules.values():
        for by_band in module.rules.values():
            for rule in by_band.values():
                for component in rule.components:
                    if knots_of(component) and path in {node.source for node in component.parameters}:
                        return quality_plot(component, component.title, reader, domain_of([component]))
                if rule.cut is not None and path in (rule.cut.rate_at_max.source, rule.cut.max_cut.source):
                    furthest = Fraction(rule.cut.rate_at_max.value) * Fraction(3, 2)
                    return cut_plot(rule.cut, "Hesitation cut", reader, (0, furthest), rule.cut.max_cut.value)
    return None


def anchor_plots(rubric: Rubric, reader: Reader) -> dict[str, Plot]:
    """The local judge's two ways from the experts' points to a score."""
    return {
        "pronunciation": anchor_plot(rubric.local.pronunciation, "Pronunciation", reader),
        "fluency": anchor_plot(rubric.local.fluency, "Fluency", reader),
    }
