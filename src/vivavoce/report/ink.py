"""Lines for a terminal: glyphs with an ASCII fallback, wrapping by columns, colour; foreign text made harmless."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# A styled piece of a line: its text and the name of its style ("" for none).
Span = tuple[str, str]

STYLES = {
    "strong": "1",
    "quiet": "2",
    "title": "1;36",
    "good": "32",
    "fair": "33",
    "weak": "31",
    "value": "1",
}
# The narrowest that the last column of a table is wrapped to.
LEAST_ROOM = 24
EIGHTHS = " ▏▎▍▌▋▊▉"
# What ASCII writes for signs that the card itself uses; anything else loses its accents or is escaped.
ASCII_SIGNS = str.maketrans(
    {"·": "-", "–": "-", "—": "-", "≈": "~", "→": "->", "×": "x", "…": "...", "‘": "'", "’": "'", "“": '"', "”": '"'}
)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The signs that lines, trees and bars are drawn with."""

    across: str
    down: str
    corners: tuple[str, str, str, str]
    branch: str
    last: str
    full: str
    rest: str
    edge: str
    alert: str


UNICODE = Glyphs("─", "│", ("╭", "╮", "╰", "╯"), "├─ ", "╰─ ", "█", "·", "┊", "▲")
ASCII = Glyphs("-", "|", ("+", "+", "+", "+"), "|- ", "`- ", "#", ".", ":", "!")


def clean(text: str) -> str:
    """Return foreign text on one line without control, direction or escape characters."""
    kept = "".join(" " if char.isspace() else char for char in text)
    return "".join(char for char in kept if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp"))


def columns(text: str) -> int:
    """Return how many columns a text takes on a terminal: wide characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text if not _combines(char))


def _combines(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me")


def wrap(text: str, width: int) -> list[str]:
    """Return the text in lines of at most `width` columns, broken at spaces, inside a word only where it must be."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if columns(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        *full, line = _chop(word, width)
        lines += full
    return [*lines, line] if line or not lines else lines


def _chop(word: str, width: int) -> list[str]:
    parts, part = [], ""
    for char in word:
        if part and columns(part + char) > width:
            parts.append(part)
            part = ""
        part += char
    return [*parts, part]


def to_ascii(text: str) -> str:
    """Return the text in ASCII: known signs by their likes, accents dropped, anything else as its escape."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFKD", text.translate(ASCII_SIGNS))
    bare = "".join(char for char in text if not unicodedata.combining(char))
    return bare.encode("ascii", "backslashreplace").decode("ascii")


class Ink:
    """Collects lines of at most `width` columns; `colour` adds terminal colours, `ascii` uses ASCII alone."""

    def __init__(self, width: int, *, colour: bool, ascii_only: bool) -> None:
        self.width = width
        self.colour = colour
        self.ascii_only = ascii_only
        self.glyphs = ASCII if ascii_only else UNICODE
        self._lines: list[str] = []

    def say(self, text: str) -> str:
        """Return foreign or worded text as it may be shown here."""
        text = clean(text)
        return to_ascii(text) if self.ascii_only else text

    def line(self, *spans: Span | str, right: Span | None = None) -> None:
        """Add one line; `right` is set against the right edge where it fits and on a line of its own where not."""
        left = [(span, "") if isinstance(span, str) else span for span in spans]
        used = sum(columns(text) for text, _ in left)
        if right is None or not right[0]:
            self._put(left)
            return
        gap = self.width - used - columns(right[0])
        if gap >= 2:
            self._put([*left, (" " * gap, ""), right])
            return
        self._put(left)
        for part in wrap(right[0], self.width - 4):
            self._put([(" " * (self.width - columns(part)), ""), (part, right[1])])

    def text(self, text: str, *, first: str = "", rest: str | None = None, style: str = "") -> None:
        """Add wrapped text; `first` is put before its first line, `rest` (default: as wide) before the others."""
        rest = " " * columns(first) if rest is None else rest
        for index, part in enumerate(wrap(self.say(text), max(8, self.width - columns(first)))):
            self._put([(first if index == 0 else rest, ""), (part, style)])

    def table(self, rows: Iterable[Sequence[str]], *, indent: str = "  ", right: Sequence[int] = ()) -> None:
        """Add rows in aligned columns; the last one is wrapped, or put below where too little room is left for it.

        `right` numbers the columns set flush right.
        """
        shown = [[self.say(cell) for cell in row] for row in rows]
        if not shown:
            return
        widths = [max(columns(row[index]) for row in shown) for index in range(len(shown[0]) - 1)]
        for row in shown:
            lead = indent
            for index, (cell, wide) in enumerate(zip(row, widths, strict=False)):
                pad = " " * (wide - columns(cell))
                lead += (pad + cell if index in right else cell + pad) + "  "
            if self.width - columns(lead) >= LEAST_ROOM or columns(lead + row[-1]) <= self.width:
                self.text(row[-1], first=lead)
                continue
            if columns(lead.rstrip()) <= self.width:
                self.line(lead.rstrip())
            else:
                self.text(lead, first=indent, rest=indent * 2)
            if row[-1]:
                self.text(row[-1], first=indent * 2)

    def heading(self, title: str) -> None:
        """Add a blank line and a section's title with a rule to the right edge."""
        self._lines.append("")
        title = self.say(title)
        rule = self.glyphs.across * max(0, self.width - columns(title) - 1)
        self._put([(title, "title"), (" ", ""), (rule, "quiet")])

    def box(self, lines: Sequence[Span]) -> None:
        """Add lines in a box as wide as the card."""
        top_left, top_right, bottom_left, bottom_right = self.glyphs.corners
        rule, side = self.glyphs.across * (self.width - 2), self.glyphs.down
        self._put([(top_left + rule + top_right, "quiet")])
        for text, style in lines:
            for part in wrap(self.say(text), self.width - 4):
                pad = " " * (self.width - 4 - columns(part))
                self._put([(f"{side} ", "quiet"), (part, style), (f"{pad} {side}", "quiet")])
        self._put([(bottom_left + rule + bottom_right, "quiet")])

    def bar(self, score: float | None, top: float, edges: Sequence[float], cells: int) -> str:
        """Return a bar of `cells` columns on a scale of 0 to `top`, with the tiers' lower edges where it is empty."""
        glyphs = self.glyphs
        track = [glyphs.rest] * cells
        for edge in edges:
            if 0 < edge < top:
                track[int(edge * cells / top)] = glyphs.edge
        eighths = 0 if score is None else int(score * cells * 8 / top)
        whole, part = divmod(min(eighths, cells * 8), 8)
        bar = glyphs.full * whole
        if part and not self.ascii_only:
            bar += EIGHTHS[part]
        return bar + "".join(track[len(bar) :])

    def done(self) -> str:
        """Return the lines as one text that ends in a line feed."""
        return "\n".join(line.rstrip() for line in self._lines) + "\n"

    def _put(self, spans: Iterable[Span]) -> None:
        self._lines.append("".join(self._styled(text, style) for text, style in spans))

    def _styled(self, text: str, style: str) -> str:
        return f"\033[{STYLES[style]}m{text}\033[0m" if self.colour and style and text else text
