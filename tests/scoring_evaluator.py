"""Evaluates the plain arithmetic of expressions, exactly and on its own: it shares nothing with the engine.

Only `+ - * / ( )`, numbers, and the functions that decisions.md names: min, max, abs, floor, round_half_up.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from fractions import Fraction

OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}
FUNCTIONS: dict[str, Callable[..., Fraction]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "floor": lambda a: Fraction(math.floor(a)),
    "round_half_up": lambda a: Fraction(math.floor(a + Fraction(1, 2))),
}


def evaluate(text: str) -> Fraction:
    """Return the exact value of an expression. Raises ValueError for anything that is not plain arithmetic."""
    return _value(ast.parse(text, mode="eval").body, text)


def _value(node: ast.expr, text: str) -> Fraction:
    if isinstance(node, ast.Constant):
        return Fraction(text[node.col_offset : node.end_col_offset])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, text)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](_value(node.left, text), _value(node.right, text))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return FUNCTIONS[node.func.id](*[_value(argument, text) for argument in node.args])
    raise ValueError(f"no plain arithmetic: {ast.dump(node)} in {text}")
