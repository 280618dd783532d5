"""A number taken from audio or transcript, with its unit, rounded half up once, when measured (A2)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from vivavoce.arithmetic import on_grid
from vivavoce.trace import Exact, Node, leaf

# Steps to one unit (A2): words per minute to 0.1; rates, dB and seconds to 0.01; pace variation to 0.001.
STEPS = {"wpm": 10, "1/min": 100, "dB": 100, "s": 100, "ratio": 1000, "words": 1, "count": 1, "flag": 1}


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measured number on its grid; `value` None: could not be measured, `note` says why.

    `unit` is a key of STEPS; `source` is the paragraph of the method, such as "M5".
    """

    name: str
    value: Exact | None
    unit: str
    source: str
    note: str = ""

    @property
    def number(self) -> int | float | None:
        """The value as a plain number, or None."""
        if self.value is None or isinstance(self.value, int):
            return self.value
        return self.value.numerator / self.value.denominator

    def node(self) -> Node | None:
        """Return the measurement as a leaf of a trace, or None where it could not be measured."""
        if self.value is None:
            return None
        return leaf("measured", self.name, self.value, unit=self.unit, source=self.source, note=self.note)


def measured(name: str, value: float | Exact | None, unit: str, source: str, note: str = "") -> Measurement:
    """Return the measurement of `value`, rounded half up to the grid of its unit. Raises KeyError for no such unit."""
    if value is None:
        return Measurement(name, None, unit, source, note)
    return Measurement(name, on_grid(Fraction(value), STEPS[unit]), unit, source, note)
