"""The tree of steps that made a number; the score is its root.

A node's value is exact (an integer or a fraction). Leaves are `measured`, `judged`, `given` or
`parameter`; every other `op` is one of the named operations of `arithmetic`. Numbers shown are the
numbers computed: a value that is no finite decimal stands in an expression as its exact ratio.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from json.encoder import encode_basestring_ascii
from typing import Any

Exact = int | Fraction

LEAVES = frozenset({"measured", "judged", "given", "parameter"})


def exact(value: int | float | str | Decimal | Fraction) -> Exact:
    """Return a number exactly, whole numbers as `int`; floats count as the digits that Python prints for them."""
    fraction = Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def _times(number: int, factor: int) -> int:
    """How often `factor` divides the number."""
    count = 0
    while number % factor == 0:
        number //= factor
        count += 1
    return count


def plain(value: Exact) -> str:
    """Return the exact number as text: finite decimals in plain digits, anything else as "(n/d)"."""
    if isinstance(value, int):
        return str(value) if value >= 0 else f"({value})"
    denominator, places = value.denominator, 6
    if 1_000_000 % denominator:
        places = max(_times(denominator, 2), _times(denominator, 5))
        if 10**places % denominator:
            return f"({value.numerator}/{denominator})"
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:].rstrip('0')}"
    return text if value >= 0 else f"(-{text})"


def json_number(value: Exact) -> str:
    """Return the value as a JSON number: whole numbers as integers, others as the nearest double."""
    return str(value) if isinstance(value, int) else repr(value.numerator / value.denominator)


class Node:
    """One step: a name, the operation, its operands (nodes), the exact value, the unit, the source and a note.

    `source` of a leaf is a rubric path, a measurement or a judgement; of a computed node the rubric path or
    decision that states the rule. Nodes are never changed after they are made.
    """

    __slots__ = ("_json", "_text", "name", "note", "op", "operands", "source", "unit", "value")

    def __init__(
        self,
        name: str,
        op: str,
        operands: tuple[Node, ...],
        value: Exact,
        unit: str = "",
        source: str = "",
        note: str = "",
    ) -> None:
        self.name = name
        self.op = op
        self.operands = operands
        self.value = value
        self.unit = unit
        self.source = source
        self.note = note
        self._json: str | None = None
        self._text: str | None = None

    def __repr__(self) -> str:
        return f"Node({self.name} = {plain(self.value)})"

    @property
    def text(self) -> str:
        """The exact value as text (see `plain`); kept, since parameters recur in every trace."""
        if self._text is None:
            self._text = plain(self.value)
        return self._text

    @property
    def number(self) -> int | float:
        """The value as Python shows it: `int`, or the nearest `float`."""
        return self.value if isinstance(self.value, int) else self.value.numerator / self.value.denominator

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, operands in order."""
        yield self
        for operand in self.operands:
            yield from operand.walk()

    def find(self, name: str) -> Node:
        """Return the first node of that name, this one included. Raises KeyError where there is none."""
        for node in self.walk():
            if node.name == name:
                return node
        raise KeyError(name)

    def json(self, express: Callable[[Node], str]) -> str:
        """Return the node as JSON text; kept, since parameters recur in every trace."""
        if self._json is None:
            operands = ", ".join([operand.json(express) for operand in self.operands])
            self._json = (
                f'{{"name": {encode_basestring_ascii(self.name)}, "op": "{self.op}", "operands": [{operands}], '
                f'"value": {json_number(self.value)}, "unit": {encode_basestring_ascii(self.unit)}, '
                f'"source": {encode_basestring_ascii(self.source)}, "note": {encode_basestring_ascii(self.note)}, '
                f'"expression": "{express(self)}"}}'
            )
        return self._json


def leaf(kind: str, name: str, value: Exact, *, unit: str = "", source: str = "", note: str = "") -> Node:
    """Return a leaf of that kind (`measured`, `judged`, `given` or `parameter`)."""
    if kind not in LEAVES:
        raise ValueError(f"{kind} is no kind of leaf: {sorted(LEAVES)}")
    return Node(name, kind, (), value, unit, source, note)


def leaf_from_dict(data: dict[str, Any]) -> Node:
    """Return the leaf that a JSON object describes; its value is taken, exactly, from its `expression`."""
    value = exact(str(data["expression"]).strip("()"))
    return leaf(data["op"], data["name"], value, unit=data["unit"], source=data["source"], note=data["note"])
