"""Two states side by side: what differs in the inputs and in the scores, with signs and in words."""

from __future__ import annotations

from typing import Any

from vivavoce.report import view
from vivavoce.rubric.model import Rubric
from vivavoce.trace import Exact
from vivavoce.web.lab.answer import answer
from vivavoce.web.lab.judged import CAP_TITLES, SUB_MARKERS
from vivavoce.web.lab.state import State, caps_key, inputs_of
from vivavoce.web.lab.view import TITLES, Shown, numbers_of, standing

MINUS = "−"


def change(before: float | None, after: float | None) -> Shown:
    """Return a difference with its sign and in words."""
    if before is None or after is None:
        return {"sign": "", "text": "" if before is after else "not comparable", "way": "same"}
    moved = after - before
    if moved == 0:
        return {"sign": "=", "text": "the same", "way": "same"}
    size = view.number(round(abs(moved), view.PLACES) if isinstance(moved, float) else abs(moved))
    return {
        "sign": ("+" if moved > 0 else MINUS) + size,
        "text": "higher" if moved > 0 else "lower",
        "way": "up" if moved > 0 else "down",
    }


def comparison(rubric: Rubric, state: State, kept: State, now: Shown) -> Shown:
    """Return the kept state beside the present one. `now`: what `lab_view` made of the present one."""
    before = answer(rubric, kept)
    then = {name: standing(rubric, found) for name, found in before.result["markers"].items()}
    for name in before.refused:
        then[name] = standing(rubric, before.result["markers"][name], refused=True)
    overall = standing(rubric, before.result["overall"])
    rows = [
        {
            "id": marker["id"],
            "title": marker["short"],
            "then": then[marker["id"]],
            "now": marker,
            "change": change(then[marker["id"]]["value"], marker["value"]),
        }
        for marker in now["markers"]
    ]
    return {
        "module": rubric.modules[kept.module],
        "band": rubric.grade_bands[kept.grade_band],
        "overall": {
            "title": "Overall",
            "then": overall,
            "now": now["overall"],
            "change": change(overall["value"], now["overall"]["value"]),
        },
        "rows": rows,
        "changes": {row["id"]: row["change"] for row in rows},
        "inputs": _inputs(rubric, state, kept),
    }


def _inputs(rubric: Rubric, state: State, kept: State) -> list[Shown]:
    """The inputs that differ, of those that both modules have."""
    modules = rubric.modules[state.module], rubric.modules[kept.module]
    numbers = numbers_of(modules[0], state), numbers_of(modules[1], kept)
    others = {given.name: given for given in inputs_of(modules[1])}
    found: list[Shown] = []
    if kept.grade_band != state.grade_band:
        bands = rubric.grade_bands
        found.append(_row("Grade band", bands[kept.grade_band].title, bands[state.grade_band].title))
    for given in inputs_of(modules[0]):
        if given.name not in others or _shown(kept, given.name) == _shown(state, given.name):
            continue
        unit = view.unit(given.number.unit) if given.number is not None else ""
        sides = (kept, numbers[1].get(given.name)), (state, numbers[0].get(given.name))
        then, now = (_shown(one, given.name, value) for one, value in sides)
        measured = [None if given.name in one.unmeasured or value is None else float(value) for one, value in sides]
        moved = None if None in measured else change(*measured)
        title = rubric.markers[given.marker].short_title if given.key == "score" else TITLES[given.name]
        found.append(_row(title, then, now, moved, unit))
    return [*found, *_lists(rubric, state, kept)]


def _lists(rubric: Rubric, state: State, kept: State) -> list[Shown]:
    """What is switched: caps, levels, markers that wait."""
    found = []
    key = caps_key(rubric.modules[state.module])
    if key and key == caps_key(rubric.modules[kept.module]) and state.fired != kept.fired:
        found.append(_row(CAP_TITLES[key], _listed(kept.fired), _listed(state.fired)))
    for name, title in SUB_MARKERS.items():
        then, now = ((one.levels or {}).get(name, "") for one in (kept, state))
        if then != now:
            found.append(_row(f"{title}, level", view.words_of(then) or "none", view.words_of(now) or "none"))
    if state.pending != kept.pending:
        then, now = (
            ", ".join(rubric.markers[name].short_title for name in one.pending) or "none" for one in (kept, state)
        )
        found.append(_row("Pending", then, now))
    return found


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(view.words_of(name) for name in names) or "none"


def _shown(state: State, name: str, value: Exact | None = None) -> str:
    if name in state.unmeasured:
        return "not measured"
    return state.values[name] if value is None else view.number(float(value))


def _row(title: str, then: str, now: str, moved: Shown | None = None, unit: str = "") -> Shown:
    plain: dict[str, Any] = {"sign": "", "text": "changed", "way": "same"}
    units = ["" if text == "not measured" else f" {unit}" for text in (then, now)]
    return {"title": title, "then": then + units[0], "now": now + units[1], "change": moved or plain}
