"""Switches of the Lab: guardrails and order rules with their caps, yes-or-no inputs, and the levels of fluency."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vivavoce.report import view
from vivavoce.report.card import trace_dict
from vivavoce.rubric.model import Module, Rubric
from vivavoce.scoring.fluency import interval
from vivavoce.web.lab.state import State, caps_key, inputs_of

Shown = dict[str, Any]

CAP_TITLES = {"guardrails": "Guardrails", "broken_order_rules": "Order rules broken"}
SUB_MARKERS = {"smoothness": "Smoothness", "filler_control": "Filler control", "recovery": "Recovery"}


def _text(rubric: Rubric, path: str) -> str:
    entry = rubric.entries.get(path)
    return "" if entry is None else str(entry.value)


def _bite(cap: float, outcome: Mapping[str, Any], *, on: bool) -> Shown:
    """Whether a cap holds the score down, read from the trace's minimum."""
    trace = outcome["trace"]
    judged = view.find(trace, "judged_score")
    if not on or judged is None or trace is None:
        return {"bites": False, "bite": f"would cap at {view.number(cap)}" if not on else ""}
    if cap >= judged["value"]:
        return {
            "bites": False,
            "bite": f"caps at {view.number(cap)}: does not bite, {view.number(judged['value'])} is under it",
        }
    if cap > trace["value"]:
        return {"bites": False, "bite": f"caps at {view.number(cap)}: another rule caps lower"}
    lowered = f"lowers {view.number(judged['value'])} to {view.number(trace['value'])}"
    return {"bites": True, "bite": f"caps at {view.number(cap)}: bites, {lowered}"}


def caps(rubric: Rubric, module: Module, state: State, outcome: Mapping[str, Any]) -> Shown | None:
    """Return the rules that cap task adherence as switches, or None where a module has none."""
    key = caps_key(module)
    if not key:
        return None
    named = module.rules["task_adherence"][state.grade_band].named_caps or {}
    kind = "guardrails" if key == "guardrails" else "order_rules"
    path = f"modules.{module.id}.adherence.{kind}"
    return {
        "name": key,
        "title": CAP_TITLES[key],
        "rows": [
            {
                "id": name,
                "title": _text(rubric, f"{path}.{name}.title") or view.words_of(name),
                "text": _text(rubric, f"{path}.{name}.text"),
                "on": name in state.fired,
                "source": cap.source,
                **_bite(float(cap.value), outcome, on=name in state.fired),
            }
            for name, cap in named.items()
        ],
    }


def switches(rubric: Rubric, module: Module, state: State, outcome: Mapping[str, Any], marker: str) -> list[Shown]:
    """Return the yes-or-no inputs of a marker, each with what it is worth."""
    found = []
    for given in inputs_of(module):
        if given.number is not None or given.marker != marker:
            continue
        on = state.values[given.name] == "yes"
        if given.name == "specific_detail":
            cap = (module.rules[marker][state.grade_band].parameters or {})["no_specific_detail_cap"]
            bite = _bite(float(cap.value), outcome, on=not on)
            # The cap is that of an answer without a detail: with one it would apply if the switch were off.
            text = bite["bite"] if not on else f"without one the score is capped at {view.number(int(cap.value))}"
            path = f"modules.{module.id}.adherence.specific_detail.text"
            found.append(
                {"name": given.name, "title": "A real, specific detail", "on": on, "source": cap.source}
                | {"text": _text(rubric, path), "bites": bite["bites"], "bite": text, "step": None}
            )
            continue
        part = next(part for part in module.rules[marker][state.grade_band].components if part.needs == given.name)
        worth = {node.name: view.number(float(node.value)) for node in part.parameters}
        step = view.find(outcome["trace"], f"{part.id}_quality")
        weight = view.find(outcome["trace"], f"{part.id}_weight")
        found.append(
            {"name": given.name, "title": "The pace rises", "on": on, "source": part.source, "bites": False}
            | {"text": "The last repetition is measurably faster than the first."}
            | {"bite": f"quality {worth['rising']} where it rises, {worth['otherwise']} where it does not"}
            | {"step": step, "weight": weight}
        )
    return found


def levels(rubric: Rubric, module: Module, state: State) -> Shown:
    """Return the three levels that bound a fluency score, and the interval where all three are known."""
    weights = module.fluency[state.grade_band].weights
    given = state.levels or {}
    tiers = [{"id": tier.id, "label": tier.label} for tier in rubric.tiers]
    known = {tier["id"] for tier in tiers}
    bounds = None
    if all(given.get(name) in known for name in weights):
        low, high = interval(rubric, module, state.grade_band, given)
        bounds = {
            "low": view.number(int(low.value)),
            "high": view.number(int(high.value)),
            "steps": [trace_dict(low), trace_dict(high)],
        }
    return {
        "tiers": tiers,
        "given": bool(given),
        "bounds": bounds,
        "rows": [
            {
                "name": name,
                "title": SUB_MARKERS[name],
                "level": given.get(name, ""),
                "weight": view.number(float(weight.value)),
            }
            for name, weight in weights.items()
        ],
    }
