"""The whole state of the Lab as a link's query string says it, and the request that it stands for.

Names are those of a lab request; values are kept as they were typed, so that what the engine refuses is shown where it
was typed. A link that leaves something out means the module's worked example there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from vivavoce.arithmetic import on_grid
from vivavoce.rubric.load import published
from vivavoce.rubric.model import Module, Rubric
from vivavoce.scoring.fields import ALIGNMENT, KEYWORDS, SCORE, SPEAKING_RATE, VOLUME_CONTROL, Number
from vivavoce.strict import choice
from vivavoce.trace import exact, plain
from vivavoce.worked import example_of

Pairs = Iterable[tuple[str, str]]

# Before the names of the second state of a link, the one that is compared with.
KEPT = "kept."
NONE = "none"
YES = {"yes": True, "no": False}
MAX_TEXT = 100
MAX_LIST = 20
# What a number box can hold: also .5, 5. and 1e2.
_NUMBER = re.compile(r"[+-]?([0-9]{1,40}(\.[0-9]{0,40})?|\.[0-9]{1,40})([eE][+-]?[0-9])?", re.ASCII)
_WHOLE = re.compile(r"[+-]?[0-9]{1,40}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Input:
    """One input: its marker, its key in the request, its name in a link, its number (None: yes or no)."""

    marker: str
    key: str
    name: str
    number: Number | None


@dataclass(frozen=True, slots=True)
class State:
    """One state: `values` by name as typed, the caps that fired, what was not measured, which markers wait."""

    module: str
    grade_band: str
    values: Mapping[str, str]
    fired: tuple[str, ...] = ()
    levels: Mapping[str, str] | None = None
    unmeasured: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()


def caps_key(module: Module) -> str:
    """Return under which key a module's request names the caps that fired, or ""."""
    rule = module.rules["task_adherence"]["middle"].rule
    return {"checklist_with_guardrails": "guardrails", "checklist_with_order_rules": "broken_order_rules"}.get(rule, "")


def inputs_of(module: Module) -> tuple[Input, ...]:
    """Return the inputs of a module, in the order of its markers."""

    def all_of(marker: str, numbers: Mapping[str, Number]) -> list[Input]:
        return [Input(marker, name, name, number) for name, number in numbers.items()]

    rule = module.rules["task_adherence"]["middle"].rule
    twister = any(part.needs == "pace_rises" for part in module.rules["speaking_rate"]["middle"].components)
    found = [Input(name, "score", name, SCORE) for name in ("pronunciation", "fluency")]
    found += all_of("speaking_rate", SPEAKING_RATE)
    if twister:
        found.append(Input("speaking_rate", "pace_rises", "pace_rises", None))
    found += all_of("volume_control", VOLUME_CONTROL)
    if rule == "alignment":
        found += all_of("task_adherence", ALIGNMENT)
    elif rule == "keywords_and_story":
        found += all_of("task_adherence", {**KEYWORDS, "story": SCORE})
    else:
        found.append(Input("task_adherence", "score", "task_adherence", SCORE))
    if rule == "checklist_with_guardrails":
        found.append(Input("task_adherence", "specific_detail", "specific_detail", None))
    return tuple(found)


@lru_cache(maxsize=16)
def worked(module_id: str) -> dict[str, Any]:
    """Return a module's worked example, read once."""
    return example_of(published(), module_id)


def of_example(rubric: Rubric, module_id: str, grade_band: str = "") -> State:
    """Return a module's worked example; with another grade band the same inputs. Raises RequestError."""
    request = worked(choice(module_id, "module", rubric.modules))["request"]
    module = rubric.modules[module_id]
    values = {}
    for given in inputs_of(module):
        value = request["inputs"][given.marker][given.key]
        values[given.name] = ("yes" if value else "no") if given.number is None else plain(exact(value)).strip("()")
    key = caps_key(module)
    fired = tuple(request["inputs"]["task_adherence"][key]) if key else ()
    band = choice(grade_band, "grade_band", rubric.grade_bands) if grade_band else request["grade_band"]
    return State(module_id, band, values, fired)


def read(rubric: Rubric, pairs: Pairs) -> tuple[State, list[str]]:
    """Return the state that a query string describes, and the names that it does not know.

    Of a name that stands twice the last counts, as forms send it. Raises RequestError for a module or a grade band
    that there is not.
    """
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        given.setdefault(name, []).append(value.strip()[:MAX_TEXT])
    last = {name: values[-1] for name, values in given.items()}
    module_id = last.get("module") or next(iter(rubric.modules))
    state = of_example(rubric, module_id, last.get("grade_band", ""))
    module = rubric.modules[state.module]
    inputs = {given_input.name: given_input for given_input in inputs_of(module)}
    values = {name: _typed(last.get(name, text), inputs[name]) for name, text in state.values.items()}
    nullable = [name for name, found in inputs.items() if found.number is not None and found.number.nullable]
    key = caps_key(module)
    weights = module.fluency[state.grade_band].weights
    levels = {name: last.get(name, "") for name in weights}
    unmeasured, odd_measures = _some(given.get("unmeasured", []), nullable)
    pending, odd_markers = _some(given.get("pending", []), rubric.markers)
    known = {"module", "grade_band", "unmeasured", "pending", *inputs, *weights, *([key] if key else [])}
    state = replace(
        state,
        values=values,
        fired=_all(given[key]) if key and key in given else state.fired,
        levels=levels if any(levels.values()) else None,
        unmeasured=unmeasured,
        pending=pending,
    )
    return state, sorted({name[:MAX_TEXT] for name in given if name not in known} | {*odd_measures, *odd_markers})


def read_kept(rubric: Rubric, pairs: Pairs) -> tuple[State | None, list[str]]:
    """Return the second state of a query string, None where there is none, and the names that it does not know.

    Raises RequestError.
    """
    kept = [(name.removeprefix(KEPT), value) for name, value in pairs if name.startswith(KEPT)]
    if not kept:
        return None, []
    state, unknown = read(rubric, kept)
    return state, [KEPT + name for name in unknown]


def _all(texts: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text and text != NONE))[:MAX_LIST]


def _some(texts: list[str], among: Iterable[str]) -> tuple[tuple[str, ...], list[str]]:
    known = tuple(among)
    found = _all(texts)
    return tuple(name for name in known if name in found), [name for name in found if name not in known]


def _typed(text: str, given: Input) -> str:
    """A number as the engine keeps it, with up to six decimals; anything else as it was typed."""
    if given.number is None or (_WHOLE if given.number.whole else _NUMBER).fullmatch(text) is None:
        return text
    return plain(on_grid(exact(text))).strip("()")


def pairs_of(rubric: Rubric, state: State, prefix: str = "") -> list[tuple[str, str]]:
    """Return the names and values of a state's link, in one order, so that one state has one link."""
    module = rubric.modules[state.module]
    found = [("module", state.module), ("grade_band", state.grade_band), *state.values.items()]
    key = caps_key(module)
    if key:
        found += [(key, name) for name in state.fired or (NONE,)]
    found += (state.levels or {}).items()
    found += [("unmeasured", name) for name in state.unmeasured] + [("pending", name) for name in state.pending]
    return [(prefix + name, value) for name, value in found]


def link(rubric: Rubric, state: State, kept: State | None = None, path: str = "/lab") -> str:
    """Return the address that holds a state, and the state that it is compared with."""
    pairs = pairs_of(rubric, state) + (pairs_of(rubric, kept, KEPT) if kept else [])
    return f"{path}?{urlencode(pairs)}"


def value_of(given: Input, text: str) -> Any:
    """Return a typed value as a request has it; what is no number stays a text."""
    if given.number is None:
        return YES.get(text, text)
    if _NUMBER.fullmatch(text) is None:
        return text
    return int(text) if _WHOLE.fullmatch(text) else Decimal(text)


def request_of(rubric: Rubric, state: State) -> dict[str, Any]:
    """Return the lab request of a state; what is no number stays a text, for the engine to refuse."""
    module = rubric.modules[state.module]
    inputs: dict[str, Any] = {}
    for given in inputs_of(module):
        value = None if given.name in state.unmeasured else value_of(given, state.values[given.name])
        inputs.setdefault(given.marker, {})[given.key] = value
    if state.levels is not None:
        inputs["fluency"]["levels"] = {name: level for name, level in state.levels.items() if level}
    if caps_key(module):
        inputs["task_adherence"][caps_key(module)] = list(state.fired)
    inputs.update(dict.fromkeys(state.pending))
    return {"module": state.module, "grade_band": state.grade_band, "inputs": inputs}
