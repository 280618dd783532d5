"""The Lab's page around a state: modules, grade bands, links, the worked example, a reading that was aligned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from vivavoce.report import view
from vivavoce.report.reading import COUNTS, TITLES, differences, lines
from vivavoce.rubric.load import published
from vivavoce.rubric.model import Module, Rubric
from vivavoce.web.lab.answer import answer
from vivavoce.web.lab.state import KEPT, State, inputs_of, link, of_example, pairs_of, worked
from vivavoce.web.lab.tracks import span_of
from vivavoce.web.lab.view import Shown, lab_view, numbers_of


@dataclass(frozen=True, slots=True)
class Aligned:
    """A pasted text and reading with their counts and labels, or with the error that they met."""

    reference: str
    reading: str
    found: Mapping[str, Any] | None = None
    error: Mapping[str, str] | None = None

    counts = COUNTS
    titles = TITLES

    @property
    def report(self) -> dict[str, Any]:
        """The part of a report that shows a reading."""
        return {"alignment": self.found, "task": {"reference": self.reference}, "transcript": None}

    @property
    def lines(self) -> Any:
        """The text again, line by line, each word with its label."""
        return lines(self.report)

    @property
    def differences(self) -> Any:
        """The words that differ."""
        return differences(self.report)


@lru_cache(maxsize=16)
def _example_link(module_id: str) -> str:
    rubric = published()
    return link(rubric, of_example(rubric, module_id))


def _card(rubric: Rubric, module: Module, state: State, kept: str) -> Shown:
    """A module to choose: its weights as stretches of one bar. `kept`: the end of a link that compares."""
    left = 0.0
    weights = []
    for name, weight in module.weights.items():
        wide = float(weight.value) * 100
        weights.append(
            {
                "left": f"{left:.2f}%",
                "width": f"{wide:.2f}%",
                "title": rubric.markers[name].short_title,
                "text": view.number(float(weight.value)),
            }
        )
        left += wide
    return {
        "title": module.title,
        "chapter": module.chapter,
        "kind": module.kind,
        "weights": weights,
        "current": module.id == state.module,
        "address": _example_link(module.id) + kept,
    }


def _put_kept(rubric: Rubric, state: State, kept: State, shown: Shown) -> None:
    """Mark on a slider where its input stands in the kept state, where that is elsewhere."""
    module = rubric.modules[state.module]
    numbers, then = numbers_of(module, state), numbers_of(rubric.modules[kept.module], kept)
    inputs = {given.name: given for given in inputs_of(module)}
    for marker in shown["markers"]:
        for row in marker["rows"]:
            value = then.get(row["name"])
            if value is not None and value != numbers.get(row["name"]):
                span = span_of(module, state.grade_band, inputs[row["name"]], numbers)
                row["was"] = f"{span.place(value):.2f}%"


def page_of(rubric: Rubric, state: State, kept: State | None) -> Shown:
    """Return what the page shows of a state."""
    shown = lab_view(rubric, state, answer(rubric, state))
    if kept is not None:
        _put_kept(rubric, state, kept, shown)
    example = worked(state.module)
    kept_fields = pairs_of(rubric, kept, KEPT) if kept else []
    kept_query = "&" + urlencode(kept_fields) if kept else ""
    own = of_example(rubric, state.module)
    return {
        **shown,
        "state": state,
        "cards": [_card(rubric, module, state, kept_query) for module in rubric.modules.values()],
        "bands": [
            {
                "id": band.id,
                "title": band.title,
                "grades": f"{band.grades[0]}–{band.grades[-1]}",
                "current": band.id == state.grade_band,
                "address": link(rubric, replace(state, grade_band=band.id), kept),
            }
            for band in rubric.grade_bands.values()
        ],
        "link": link(rubric, state, kept),
        "example": {
            "title": example["title"],
            "origin": example["origin"],
            "derivation": example["derivation"],
            "overall": example["expected"]["overall"],
            "shown": state == own,
            "band": rubric.grade_bands[own.grade_band].title,
            "same_inputs": state == replace(own, grade_band=state.grade_band),
            "address": link(rubric, own, kept),
        },
        "keep": link(rubric, state, state),
        "drop": link(rubric, state),
        "swap": link(rubric, kept, state) if kept else "",
        "kept_fields": kept_fields,
        "exports": {kind: link(rubric, state, path=f"/lab/export.{kind}") for kind in ("json", "png", "svg")},
    }
