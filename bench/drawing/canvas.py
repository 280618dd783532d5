"""A plain SVG picture: shapes, axes, a legend. The same calls give the same bytes; no package is needed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

WIDTH = 760
LEFT, RIGHT = 62, 740
INK, MUTED, RULE, PALE = "#1f2933", "#55606b", "#c9d0d6", "#eef1f4"
# Told apart by people with any colour vision (after Okabe and Ito), dark enough for text on white.
BLUE, ORANGE, PURPLE, GREEN, GREY = "#0f62a8", "#c2500a", "#7a3596", "#1d7a4f", "#8a949e"
KIND_COLOURS = {"phrase": BLUE, "choppy": ORANGE, "hesitation": PURPLE}

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high` laid on pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the pixel of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def number(value: float) -> str:
    """Return a coordinate to a tenth of a pixel."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def shown(value: float, form: str = "g") -> str:
    """Return a value as it is written in a picture, with a minus and not a hyphen."""
    return format(value, form).replace("-", "−")


class Picture:
    """Shapes in the order in which they are drawn, over a background of their own."""

    def __init__(self, height: float, title: str, description: str) -> None:
        self.height = height
        self.title, self.description = title, description
        self.parts: list[str] = []
        self.text(20, 30, title, size=17, weight=600)

    def subtitle(self, *lines: str) -> None:
        """Say under the title what is drawn."""
        for place, line in enumerate(lines):
            self.text(20, 50 + 17 * place, line, colour=MUTED)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        anchor: Anchor = "start",
        size: float = 13,
        weight: int = 400,
        colour: str = INK,
        turn: float = 0,
    ) -> None:
        """Write words; `turn` in degrees about their place."""
        turned = f' transform="rotate({number(turn)} {number(x)} {number(y)})"' if turn else ""
        where = "" if anchor == "start" else f' text-anchor="{anchor}"'
        bold = "" if weight == 400 else f' font-weight="{weight}"'
        sized = "" if size == 13 else f' font-size="{number(size)}"'
        shape = f'x="{number(x)}" y="{number(y)}"{where}{sized}{bold} fill="{colour}"{turned}'
        self.parts.append(f"<text {shape}>{escape(words, quote=False)}</text>")

    def box(
        self,
        x: float,
        y: float,
        x_end: float,
        y_end: float,
        fill: str,
        *,
        stroke: str = "none",
        opacity: float = 1,
        round_by: float = 0,
    ) -> None:
        """Draw a box from one corner to the other."""
        extra = f' stroke="{stroke}"' if stroke != "none" else ""
        extra += f' fill-opacity="{opacity:g}"' if opacity != 1 else ""
        extra += f' rx="{number(round_by)}"' if round_by else ""
        size = f'width="{number(x_end - x)}" height="{number(y_end - y)}"'
        self.parts.append(f'<rect x="{number(x)}" y="{number(y)}" {size} fill="{fill}"{extra}/>')

    def line(
        self, points: Sequence[Point], colour: str = INK, *, width: float = 1, dash: str = "", opacity: float = 1
    ) -> None:
        """Draw a line through points."""
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
        self._path(path, "none", colour, width, dash, opacity)

    def area(self, points: Sequence[Point], fill: str, *, opacity: float = 1) -> None:
        """Fill the area that points bound."""
        path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"
        self._path(path, fill, "none", 1, "", opacity)

    def bars(self, columns: Iterable[tuple[float, float, float, float]], fill: str) -> None:
        """Fill many boxes (x, y, width, height) of one colour as one path."""
        path = "".join(
            f"M{number(x)} {number(y)}h{number(width)}v{number(height)}h-{number(width)}z"
            for x, y, width, height in columns
        )
        self._path(path, fill, "none", 1, "", 1)

    def strips(self, rows: Iterable[tuple[float, float, float]], colour: str, height: float) -> None:
        """Draw many level strips (x, middle y, width) of one colour and height as one path, without seams."""
        path = "".join(f"M{number(x)} {number(y)}h{number(width)}" for x, y, width in rows)
        shape = f'stroke="{colour}" stroke-width="{number(height)}" shape-rendering="crispEdges"'
        self.parts.append(f'<path d="{path}" fill="none" {shape}/>')

    def _path(self, path: str, fill: str, stroke: str, width: float, dash: str, opacity: float) -> None:
        extra = f' stroke="{stroke}" stroke-width="{number(width)}"' if stroke != "none" else ""
        extra += f' stroke-dasharray="{dash}"' if dash else ""
        extra += f' opacity="{opacity:g}"' if opacity != 1 else ""
        self.parts.append(f'<path d="{path}" fill="{fill}"{extra}/>')

    def dot(self, x: float, y: float, colour: str, radius: float = 4, *, hollow: bool = False) -> None:
        """Draw a dot."""
        fill, stroke = ("#fff", f' stroke="{colour}" stroke-width="1.5"') if hollow else (colour, "")
        self.parts.append(f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"{stroke}/>')

    def arrow(self, start: Point, end: Point, colour: str = INK, *, width: float = 1.5) -> None:
        """Draw a level or upright arrow with its head at `end`."""
        self.line([start, end], colour, width=width)
        (x, y), (x_end, y_end) = start, end
        dx, dy = ((x_end > x) - (x_end < x)) * 7, ((y_end > y) - (y_end < y)) * 7
        sides = [(x_end - dx - dy / 2, y_end - dy - dx / 2), (x_end - dx + dy / 2, y_end - dy + dx / 2)]
        self.area([(x_end, y_end), *sides], colour)

    def across(self, scale: Scale, y: float, ticks: Sequence[float], label: str, form: str = "g") -> None:
        """Draw a level axis at height `y` with its ticks and its label under it."""
        self.line([(scale.start, y), (scale.end, y)], MUTED)
        for tick in ticks:
            self.line([(scale(tick), y), (scale(tick), y + 5)], MUTED)
            self.text(scale(tick), y + 18, shown(tick, form), anchor="middle", size=12, colour=MUTED)
        self.text((scale.start + scale.end) / 2, y + 36, label, anchor="middle", size=12, colour=MUTED)

    def upright(self, scale: Scale, x: float, ticks: Sequence[float], label: str, form: str = "g") -> None:
        """Draw an upright axis at `x` with rules across, its ticks, and its label turned beside it."""
        for tick in ticks:
            self.line([(x, scale(tick)), (RIGHT, scale(tick))], RULE, width=0.5)
            self.text(x - 7, scale(tick) + 4, shown(tick, form), anchor="end", size=12, colour=MUTED)
        self.line([(x, scale.start), (x, scale.end)], MUTED)
        self.text(x - 44, (scale.start + scale.end) / 2, label, anchor="middle", size=12, colour=MUTED, turn=-90)

    def legend(self, x: float, y: float, entries: Sequence[tuple[str, str]], step: Sequence[float] = ()) -> None:
        """Draw squares with what they stand for, side by side; `step` the widths of the entries (else by letters)."""
        for place, (colour, words) in enumerate(entries):
            self.box(x, y - 10, x + 12, y + 2, colour, stroke=RULE if colour == PALE else "none", round_by=2)
            self.text(x + 18, y + 1, words, size=12.5)
            x += step[place] if place < len(step) else 36 + 6.6 * len(words)

    def svg(self) -> str:
        """Return the picture as a file."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {number(self.height)}" role="img" '
            'aria-labelledby="t d" font-family="system-ui, \'Segoe UI\', \'DejaVu Sans\', sans-serif" font-size="13">'
        )
        ground = f'<rect width="{WIDTH}" height="{number(self.height)}" rx="6" fill="#fff"/>'
        said = [f'<title id="t">{escape(self.title, quote=False)}</title>']
        said.append(f'<desc id="d">{escape(self.description, quote=False)}</desc>')
        return "\n".join((head, *said, ground, *self.parts, "</svg>", ""))
