"""The closed set of named operations; each computes a value and returns the node that shows it.

There is no second path: score, shown trace, Score Lab and tests call `apply`, and `replay` computes a
trace again from its leaves. Each operation has one function for the value and one for the expression, a
formula in `+ - * / ( ) min max abs floor round_half_up` with the operands' numbers put in.
Grids (A2): qualities, weighted qualities and the hesitation cut are rounded half up to 6 decimals; scores to whole
numbers; all else is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from vivavoce.trace import LEAVES, Exact, Node, exact, leaf_from_dict, plain

GRID = 1_000_000


def round_half_up(value: Exact) -> int:
    """Round to a whole number, ties up: floor(value + 1/2) (A1: 2.5 -> 3, 12.5 -> 13)."""
    if isinstance(value, int):
        return value
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def on_grid(value: Exact, steps: int = GRID) -> Exact:
    """Round half up to 1/steps (6 decimals by default)."""
    return value if isinstance(value, int) else _grid(value.numerator, value.denominator, steps)


def _grid(top: int, bottom: int, steps: int = GRID) -> Exact:
    """Round top / bottom (bottom > 0) half up to 1/steps, in whole numbers: no fraction is reduced on the way."""
    whole, rest = divmod((2 * top * steps + bottom) // (2 * bottom), steps)
    return whole if rest == 0 else Fraction(whole * steps + rest, steps)


def _thin(value: Exact) -> Exact:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def _div(top: Exact, bottom: Exact) -> Exact:
    return _thin(Fraction(top, bottom))


def _quality(top: Exact, bottom: Exact) -> Exact:
    """top / bottom held to 0-1, to 6 decimals; bottom > 0."""
    if top <= 0:
        return 0
    if top >= bottom:
        return 1
    return _grid(top.numerator * bottom.denominator, top.denominator * bottom.numerator)


def _weighted_ratio(values: tuple[Exact, ...]) -> tuple[int, int]:
    """Sum of value times weight over pairs (value, weight, ...), as numerator and denominator, unreduced."""
    top, bottom = 0, 1
    for value, weight in zip(values[::2], values[1::2], strict=True):
        under = value.denominator * weight.denominator
        top = top * under + value.numerator * weight.numerator * bottom
        bottom *= under
    return top, bottom


def _weighted_score(values: tuple[Exact, ...]) -> Exact:
    top, bottom = _weighted_ratio(values)
    return (2 * top + bottom) // (2 * bottom)


def _express_weighted(texts: tuple[str, ...]) -> str:
    return " + ".join(f"{value} * {weight}" for value, weight in zip(texts[::2], texts[1::2], strict=True))


def _trapezoid(values: tuple[Exact, ...]) -> Exact:
    x, zero_low, full_low, full_high, zero_high = values
    if x < full_low:
        return _quality(x - zero_low, full_low - zero_low)
    return 1 if x <= full_high else _quality(zero_high - x, zero_high - full_high)


def _ramp_down(values: tuple[Exact, ...]) -> Exact:
    x, full, zero = values
    return _quality(zero - x, zero - full)


def _ramp_up(values: tuple[Exact, ...]) -> Exact:
    x, zero, full = values
    return _quality(x - zero, full - zero)


def _steady_band(values: tuple[Exact, ...]) -> Exact:
    x, low, high, at_zero, zero_factor = values
    if x < low:
        return on_grid(_thin(at_zero + (1 - at_zero) * _div(x, low)))
    return _ramp_down((x, high, high * zero_factor))


def _express_steady_band(t: tuple[str, ...]) -> str:
    x, low, high, at_zero, factor = t
    falling = f"({high} * {factor} - {x}) / ({high} * {factor} - {high})"
    return f"max(0, min(1, {at_zero} + (1 - {at_zero}) * {x} / {low}, {falling}))"


def _choose(values: tuple[Exact, ...]) -> Exact:
    condition, if_true, if_false = values
    return if_true if condition else if_false


def _cap_when(values: tuple[Exact, ...]) -> Exact:
    value, watched, threshold, cap = values
    return min(value, cap) if watched <= threshold else value


def _cut(values: tuple[Exact, ...]) -> Exact:
    most, rate, rate_at_most = values
    share = min(Fraction(1), Fraction(rate, rate_at_most))
    return on_grid(most * share)


def _tier_score(values: tuple[Exact, ...]) -> Exact:
    fraction, low, high = values
    return round_half_up(low + fraction * (high - low))


def _interpolate(values: tuple[Exact, ...]) -> Exact:
    x, low, low_score, high, high_score = values
    share = min(Fraction(1), max(Fraction(0), Fraction(x - low, high - low)))
    return round_half_up(low_score + share * (high_score - low_score))


def _passed(values: tuple[Exact, ...]) -> Exact:
    """How many of the edges x has passed: it lies over rising ones, under falling ones."""
    x, *edges = values
    rising = edges[0] <= edges[-1]
    return _thin(sum(min(1, max(0, x - edge if rising else edge - x)) for edge in edges))


def _express_passed(t: tuple[str, ...]) -> str:
    x, *edges = t
    first, last = (Fraction(edge.strip("()")) for edge in (edges[0], edges[-1]))
    pairs = [(x, edge) if first <= last else (edge, x) for edge in edges]
    return " + ".join(f"min(1, max(0, {a} - {b}))" for a, b in pairs)


def _extreme(pick: Callable[[tuple[Exact, ...]], Exact], word: str) -> tuple[Callable[..., Exact], Callable[..., str]]:
    return pick, lambda t: f"{word}({', '.join(t)})" if len(t) > 1 else t[0]


@dataclass(frozen=True, slots=True)
class Operation:
    """How an operation computes from its operands' values and how it is written; `express` None: a look-up."""

    compute: Callable[[tuple[Exact, ...]], Exact]
    express: Callable[[tuple[str, ...]], str] | None
    meaning: str


def _op(compute: Callable[..., Exact], express: Callable[..., str] | None, meaning: str) -> Operation:
    return Operation(compute, express, meaning)


OPERATIONS: dict[str, Operation] = {
    "sum": _op(lambda v: _thin(sum(v)), lambda t: " + ".join(t), "a + b + ..."),
    "difference": _op(lambda v: _thin(v[0] - v[1]), lambda t: f"{t[0]} - {t[1]}", "a - b"),
    "ratio": _op(lambda v: _div(v[0], v[1]), lambda t: f"{t[0]} / {t[1]}", "a / b, exact"),
    "minimum": _op(*_extreme(lambda v: min(v), "min"), "the least of its operands"),
    "maximum": _op(*_extreme(lambda v: max(v), "max"), "the greatest of its operands"),
    "trapezoid": _op(
        _trapezoid,
        lambda t: f"max(0, min(1, ({t[0]} - {t[1]}) / ({t[2]} - {t[1]}), ({t[4]} - {t[0]}) / ({t[4]} - {t[3]})))",
        "quality of x: 0 at zero_low, 1 from full_low to full_high, 0 at zero_high, linear between",
    ),
    "ramp_down": _op(
        _ramp_down,
        lambda t: f"max(0, min(1, ({t[2]} - {t[0]}) / ({t[2]} - {t[1]})))",
        "quality of x: 1 at or under full, 0 at or over zero, linear between",
    ),
    "ramp_up": _op(
        _ramp_up,
        lambda t: f"max(0, min(1, ({t[0]} - {t[1]}) / ({t[2]} - {t[1]})))",
        "quality of x: 0 at or under zero, 1 at or over full, linear between",
    ),
    "steady_ceiling": _op(
        lambda v: _ramp_down((v[0], v[1], v[1] * v[2])),
        lambda t: f"max(0, min(1, ({t[1]} * {t[2]} - {t[0]}) / ({t[1]} * {t[2]} - {t[1]})))",
        "quality of x: 1 at or under the ceiling, linear to 0 at ceiling * factor",
    ),
    "steady_band": _op(
        _steady_band,
        _express_steady_band,
        "quality of x: 1 inside the band, to at_zero at 0 below it, linear to 0 at high * factor above it",
    ),
    "choose": _op(_choose, None, "the second operand if the first is not 0, else the third"),
    "weighted_quality": _op(
        lambda v: _grid(*_weighted_ratio(v)), _express_weighted, "sum of quality * weight, to 6 decimals"
    ),
    "tier_fraction": _op(
        lambda v: _div(v[0] - v[1], v[2] - v[1]),
        lambda t: f"({t[0]} - {t[1]}) / ({t[2]} - {t[1]})",
        "(quality - tier_low) / (tier_high - tier_low)",
    ),
    "tier_score": _op(
        _tier_score,
        lambda t: f"round_half_up({t[1]} + {t[0]} * ({t[2]} - {t[1]}))",
        "round(band_low + frac * (band_high - band_low))",
    ),
    "interpolate": _op(
        _interpolate,
        lambda t: f"round_half_up({t[2]} + max(0, min(1, ({t[0]} - {t[1]}) / ({t[3]} - {t[1]}))) * ({t[4]} - {t[2]}))",
        "the score of x between two anchors (x, low, its score, high, its score), linear, rounded once",
    ),
    "passed": _op(
        _passed,
        _express_passed,
        "how many of the edges a whole number has passed: it lies over rising ones, under falling ones",
    ),
    "cut": _op(
        _cut,
        lambda t: f"{t[0]} * min(1, {t[1]} / {t[2]})",
        "max_cut * min(1, rate / rate_at_max), to 6 decimals",
    ),
    "after_cut": _op(
        lambda v: round_half_up(v[0] * (1 - v[1])),
        lambda t: f"round_half_up({t[0]} * (1 - {t[1]}))",
        "round(base * (1 - cut))",
    ),
    "lookup": _op(lambda v: v[1 + int(v[0])], None, "the operand at the place that the first one names, from 0"),
    "mean": _op(
        lambda v: _div(_thin(sum(v)), len(v)), lambda t: f"({' + '.join(t)}) / {len(t)}", "(a + b + ...) / n, exact"
    ),
    "floor_to": _op(
        lambda v: _thin(Fraction(v[0]) // Fraction(v[1]) * Fraction(v[1])),
        lambda t: f"floor({t[0]} / {t[1]}) * {t[1]}",
        "x rounded down to a whole number of steps",
    ),
    "percentage": _op(
        lambda v: round_half_up(_div(v[0] * v[2], v[1])),
        lambda t: f"round_half_up({t[0]} / {t[1]} * {t[2]})",
        "round(present / required * 100)",
    ),
    "per_window": _op(
        lambda v: v[0] if v[1] < v[2] else round_half_up(_div(v[0] * v[2], v[1])),
        None,
        "round(count * window / response); the count itself where the response is shorter than the window",
    ),
    "weighted_score": _op(
        _weighted_score,
        lambda t: f"round_half_up({_express_weighted(t)})",
        "round(sum of score * weight)",
    ),
    "cap_when": _op(
        _cap_when,
        None,
        "min(value, cap) where the watched score is at or under the threshold, else the value",
    ),
}


def apply(op: str, name: str, *operands: Node, unit: str = "", source: str = "", note: str = "") -> Node:
    """Compute a named operation on nodes and return the node that shows it.

    Raises KeyError for an operation that is not in the closed set.
    """
    value = OPERATIONS[op].compute(tuple([operand.value for operand in operands]))
    return Node(name, op, operands, value, unit, source, note)


def expression(node: Node) -> str:
    """Return the node's own formula with its operands' numbers put in; of a leaf or a look-up, the number taken."""
    if node.op in LEAVES:
        return node.text
    express = OPERATIONS[node.op].express
    if express is None:
        return node.text
    return express(tuple([operand.text for operand in node.operands]))


def replay(node: Node) -> Exact:
    """Compute the node again from its leaves, trusting no stored value between."""
    if node.op in LEAVES:
        return node.value
    return OPERATIONS[node.op].compute(tuple([replay(operand) for operand in node.operands]))


def to_json(node: Node) -> str:
    """Return the trace as JSON text."""
    return node.json(expression)


def parse(data: dict[str, Any]) -> Node:
    """Return a trace read from JSON, each computed value computed again, exactly, from its operands.

    Stored values are not taken over (JSON holds the nearest double of 1/3), only compared with what was computed.
    Raises ValueError where a stored value is not what its operands give, or where an operation is not known.
    """
    if not data["operands"]:
        return leaf_from_dict(data)
    if data["op"] not in OPERATIONS:
        raise ValueError(f"{data['name']}: {data['op']} is no operation")
    operands = [parse(operand) for operand in data["operands"]]
    node = apply(data["op"], data["name"], *operands, unit=data["unit"], source=data["source"], note=data["note"])
    stored = exact(data["value"])
    if abs(Fraction(node.value) - stored) > Fraction(1, 10**9):
        raise ValueError(f"{node.name}: the trace says {plain(stored)}, its operands give {node.text}")
    return node
