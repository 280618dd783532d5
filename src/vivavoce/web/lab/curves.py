"""Small curves: the rules themselves, evaluated along their input and drawn as SVG paths.

Every point comes from the function that scores (`component_quality`, `tier_score`, the operation `cut`); nothing is
drawn that the engine did not compute. A curve lies in a box of 1000 by 100, its top at 100 % of what it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from vivavoce.arithmetic import apply
from vivavoce.rubric.load import published
from vivavoce.scoring.quality import component_quality, tier_score
from vivavoce.trace import Exact, leaf
from vivavoce.web.lab.tracks import Span, edges_of

WIDTH, HEIGHT = 1000, 100
SAMPLES = 40
# Between two tiers the score jumps: the last quality under an edge, on the grid of qualities.
HAIR = Fraction(1, 1_000_000)


@dataclass(frozen=True, slots=True)
class Curve:
    """A line and the area under it, as SVG path data."""

    line: str
    area: str


def _coordinate(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _curve(points: Sequence[tuple[float, float]]) -> Curve:
    line = "M" + " ".join(f"{_coordinate(x * WIDTH)} {_coordinate(HEIGHT - y * HEIGHT)}" for x, y in points)
    first, last = _coordinate(points[0][0] * WIDTH), _coordinate(points[-1][0] * WIDTH)
    return Curve(line, f"{line} {last} {HEIGHT} {first} {HEIGHT}Z")


def _sampled(span: Span, edges: Iterable[Exact], worth: Callable[[Exact], Exact], top: Exact) -> Curve:
    """Evaluate at even steps and at every edge, so that no corner is cut."""
    wide = Fraction(span.high - span.low)
    places = {span.low + wide * step / SAMPLES for step in range(SAMPLES + 1)}
    places |= {Fraction(edge) for edge in edges if span.low <= edge <= span.high}
    return _curve([(span.place(x) / 100, float(Fraction(worth(x)) / top)) for x in sorted(places)])


@lru_cache(maxsize=512)
def quality_curve(module_id: str, grade_band: str, marker: str, part_id: str, span: Span) -> Curve:
    """Return how the quality of a sub-marker goes with its input, by the function that scores it."""
    rule = published().modules[module_id].rules[marker][grade_band]
    part = next(part for part in rule.components if part.id == part_id)

    def worth(x: Exact) -> Exact:
        quality = component_quality(part, leaf("given", part.needs, x))
        assert quality is not None
        return quality.value

    return _sampled(span, [edge for edge in edges_of(part) if edge is not None], worth, 1)


@lru_cache(maxsize=64)
def cut_curve(module_id: str, grade_band: str, span: Span) -> Curve:
    """Return how the hesitation cut grows with the hesitations; the top is the whole cut."""
    cut = published().modules[module_id].rules["speaking_rate"][grade_band].cut
    assert cut is not None

    def worth(x: Exact) -> Exact:
        return apply("cut", "hesitation_cut", cut.max_cut, leaf("given", cut.needs, x), cut.rate_at_max).value

    return _sampled(span, [cut.rate_at_max.value], worth, cut.max_cut.value)


@lru_cache(maxsize=1)
def tier_curve() -> Curve:
    """Return the score that each weighted quality from 0 to 1 makes, tier by tier; the top is the ceiling."""
    rubric = published()
    lows = [Fraction(tier.quality_low.value) for tier in rubric.tiers]
    places = {Fraction(step, 2 * SAMPLES) for step in range(2 * SAMPLES + 1)} | set(lows)
    places |= {low - HAIR for low in lows if low > 0}
    top = Fraction(rubric.ceiling.value)
    scores = [
        (float(q), float(tier_score(rubric, leaf("given", "quality", q), "score").value / top)) for q in sorted(places)
    ]
    return _curve(scores)
