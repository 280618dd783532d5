"""Curves and bars of the guide, worked out from the rubric's parameters; heights come from the engine's own operations.

Templates only lay out: points are places in a drawing of WIDTH by HEIGHT, widths are percents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from vivavoce.arithmetic import apply
from vivavoce.report import view
from vivavoce.rubric.model import Anchor, Component, Cut, LevelTable, Rubric, Tier
from vivavoce.scoring.quality import component_quality, tier_score
from vivavoce.trace import Exact, leaf
from vivavoce.web.reader import Reader

WIDTH, HEIGHT = 300, 132
LEFT, RIGHT, TOP, BOTTOM = 30, 14, 12, 24
SMALLEST = Fraction(1, 1_000_000)
# How far a drawing goes past the last knot, as a share of what lies between the knots.
MARGIN = Fraction(1, 12)
Point = tuple[Exact, Exact]


@dataclass(frozen=True, slots=True)
class Tick:
    """A label on an axis: where, and what it says."""

    at: str
    text: str
    anchor: str = "middle"


@dataclass(frozen=True, slots=True)
class Plot:
    """A curve as it is drawn; `said` says it in words, `full` is the stretch at the top (None: no stretch)."""

    title: str
    line: str
    area: str
    full: tuple[str, str] | None
    ticks: tuple[Tick, ...]
    high: str
    said: str
    mark: tuple[str, str, str] | None = None


def _place(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _scaled(points: Sequence[Point], low: Exact, high: Exact, top: Exact) -> list[tuple[float, float]]:
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    return [
        (LEFT + float(Fraction(x - low, high - low)) * wide, TOP + (1 - float(Fraction(y) / top)) * tall)
        for x, y in points
    ]


def plot(
    title: str,
    points: Sequence[Point],
    reader: Reader,
    said: str,
    *,
    domain: tuple[Exact, Exact],
    knots: Sequence[Exact],
    top: Exact = 1,
    high: str = "1",
    mark: tuple[Point, str] | None = None,
) -> Plot:
    """Lay a piecewise straight line into the drawing.

    Parameters: `points` in rising x over the whole `domain`; `knots` the x that get labels; `top` the y at the upper
    edge, labelled `high`; `mark` a point to point out, with its label.
    """
    low, far = domain
    places = _scaled(points, low, far, top)
    line = " ".join(f"{_place(x)},{_place(y)}" for x, y in places)
    base = HEIGHT - BOTTOM
    area = f"{_place(places[0][0])},{base} {line} {_place(places[-1][0])},{base}"
    best = [at for at, (_, y) in zip(places, points, strict=True) if y == top]
    full = (_place(best[0][0]), _place(best[-1][0])) if len(best) > 1 else None
    ticks = tuple(
        Tick(_place(_scaled([(knot, 0)], low, far, top)[0][0]), reader.number(float(Fraction(knot)))) for knot in knots
    )
    marked = None
    if mark is not None:
        x, y = _scaled([mark[0]], low, far, top)[0]
        marked = (_place(x), _place(y), mark[1])
    return Plot(title, line, area, full, ticks, high, said, marked)


def knots_of(component: Component) -> list[Exact]:
    """Where a component's quality bends, in rising order; none for rules without a curve."""
    values = [node.value for node in component.parameters]
    if component.rule == "range":
        return values
    if component.rule == "at_most":
        return [0, *values[:2]]
    if component.rule == "at_least":
        return values
    if component.rule == "steady_band":
        low, high, _, factor = values
        return [0, low, high, high * factor]
    if component.rule == "steady_ceiling":
        return [0, values[0], values[0] * values[1]]
    return []


def domain_of(components: Sequence[Component]) -> tuple[Exact, Exact]:
    """The stretch of x that shows all of these components, with a margin; shares end at 1."""
    knots = [knot for component in components for knot in knots_of(component)]
    low, high = min(knots), max(knots)
    margin = Fraction(high - low) * MARGIN
    rule = components[0].rule
    if rule == "at_least":
        return (low - margin, 1)
    return (low - margin if rule == "range" else 0, high + margin)


def quality_plot(component: Component, title: str, reader: Reader, domain: tuple[Exact, Exact]) -> Plot:
    """The quality of a sub-marker over its measurement; each bend is the engine's own value."""
    knots = knots_of(component)
    xs = sorted({*domain, *(knot for knot in knots if domain[0] <= knot <= domain[1])})
    points: list[Point] = []
    for x in xs:
        quality = component_quality(component, leaf("given", component.needs, x, unit=component.unit))
        assert quality is not None
        points.append((x, quality.value))
    unit = view.unit(component.unit)
    said = "; ".join(
        f"quality {reader.number(float(Fraction(y)))} at {reader.number(float(Fraction(x)))} {unit}".strip()
        for x, y in points
        if x in knots
    )
    return plot(title, points, reader, f"{title}: {said}; straight between.", domain=domain, knots=knots)


def cut_plot(cut: Cut, title: str, reader: Reader, domain: tuple[Exact, Exact], top: Exact) -> Plot:
    """The hesitation cut over hesitations a minute."""
    points: list[Point] = []
    for x in (domain[0], cut.rate_at_max.value, domain[1]):
        rate = leaf("given", cut.needs, x, unit="1/min")
        points.append((x, apply("cut", "hesitation_cut", cut.max_cut, rate, cut.rate_at_max).value))
    most = f"{reader.number(float(Fraction(cut.max_cut.value * 100)))} %"
    where = reader.number(cut.rate_at_max.number)
    said = f"{title}: the cut grows straight from 0 to {most} at {where} hesitations a minute and stays there."
    high = f"{reader.number(float(Fraction(top) * 100))} %"
    return plot(title, points, reader, said, domain=domain, knots=(0, cut.rate_at_max.value), top=top, high=high)


def tier_plot(rubric: Rubric, quality: Exact, score: Exact, reader: Reader) -> Plot:
    """The score over the weighted quality, tier by tier, with one worked point."""
    points: list[Point] = []
    for tier in sorted(rubric.tiers, key=lambda one: one.quality_low.value):
        under = tier.quality_high.value if tier.quality_high.value == 1 else tier.quality_high.value - SMALLEST
        for x in (tier.quality_low.value, under):
            node = leaf("given", "quality", x)
            points.append((x, tier_score(rubric, node, "score").value))
    knots = [tier.quality_low.value for tier in rubric.tiers]
    said = "The score over the weighted quality: " + "; ".join(
        f"{tier.label} from {tier.score_low.text} to {tier.score_high.text}" for tier in reversed(rubric.tiers)
    )
    worked = f"{reader.number(float(Fraction(quality)))} → {score}"
    return plot(
        "Score over weighted quality",
        points,
        reader,
        said + f". Marked: quality {worked}.",
        domain=(0, 1),
        knots=[*knots, 1],
        top=100,
        high="100",
        mark=((quality, score), worked),
    )


def anchor_plot(anchors: Sequence[Anchor], title: str, reader: Reader) -> Plot:
    """A marker's score over the experts' points, from anchor to anchor."""
    points: list[Point] = [(anchor.experts.value, anchor.score.value) for anchor in anchors]
    said = f"{title}: " + "; ".join(
        f"{reader.number(anchor.experts.number)} is worth {anchor.score.text}" for anchor in anchors
    )
    knots = [anchor.experts.value for anchor in anchors]
    domain = (knots[0], knots[-1])
    return plot(title, points, reader, said, domain=domain, knots=knots, top=100, high="100")


@dataclass(frozen=True, slots=True)
class Cell:
    """One count of a level table: the count ("13+" for the last), the tiers that claim it, and whether two do."""

    count: str
    tiers: tuple[str, ...]


def level_cells(table: LevelTable) -> list[Cell]:
    """Every count up to the lowest of the last level, each with the levels that claim it, the better first."""
    last = max(level.lowest for level in table.levels)
    cells = []
    for count in range(last + 1):
        claimed = [
            level.tier
            for level in table.levels
            if level.lowest <= count and (level.highest is None or count <= level.highest)
        ]
        cells.append(Cell(f"{count}+" if count == last else str(count), tuple(claimed)))
    return cells


def percent(part: Exact, whole: Exact) -> str:
    """A share as a CSS and SVG length."""
    return f"{float(Fraction(part) / Fraction(whole)) * 100:.3f}".rstrip("0").rstrip(".") + "%"


def tier_rank(tiers: Sequence[Tier]) -> dict[str, int]:
    """The rank of each tier, the lowest 1."""
    return {tier.id: rank for rank, tier in enumerate(reversed(tiers), 1)}
