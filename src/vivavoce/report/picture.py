"""The waveform with its pauses and the loudness below it, as coordinates for inline SVG.

Horizontal places are in percent of a row and the curves stretch, so that the picture fits a phone and a page of paper
while its text and patterns keep their size. A long recording is drawn in several rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from vivavoce.report import view
from vivavoce.report.moments import Moment, phrases, slips
from vivavoce.report.view import Report

# Seconds that one row holds before a further row is begun; at most MOST_ROWS rows are drawn.
ROW_S = 30
MOST_ROWS = 8
STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600)
MOST_TICKS = 7
# The stretch of the loudness scale that is drawn, in dB.
LEVEL_LOW, LEVEL_HIGH = 20.0, 90.0
CURVE_WIDTH = 1000


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the time axis: its place in percent, and the time it stands for."""

    at: str
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class PauseMark:
    """A pause on a row: where it begins, its width and its middle in percent; its kind; a sentence on it."""

    kind: str
    left: str
    width: str
    middle: str
    text: str
    length: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """A phrase, a slip or a word on a row: its left edge, width and middle in percent, its sign, a sentence on it."""

    left: str
    width: str
    middle: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the picture: the curves as SVG paths in a box of 1000 by 100; marks, ticks and extent in percent."""

    start: str
    end: str
    summary: str
    wave: str
    levels: tuple[str, ...]
    extent: str
    ticks: tuple[Tick, ...]
    pauses: tuple[PauseMark, ...]
    phrases: tuple[Stretch, ...] = ()
    slips: tuple[Stretch, ...] = ()


@dataclass(frozen=True, slots=True)
class Lanes:
    """Heights and places of a row's parts in pixels, from the top: slips, signs, waveform, phrases, loudness, time."""

    wave: int
    level: int
    sign_y: int
    wave_y: int
    phrase_y: int
    level_y: int
    axis_y: int
    tick_y: int
    text_y: int
    height: int


@dataclass(frozen=True, slots=True)
class Band:
    """The comfortable level in the box of the loudness curve: top and height, and its range in words."""

    top: str
    height: str
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """All rows with the lanes that they share, and the comfortable level where it is known."""

    rows: tuple[Row, ...]
    lanes: Lanes
    band: Band | None


def lanes_of(rows: int, has_levels: bool, has_slips: bool = False) -> Lanes:
    """Return the lanes of a picture; many rows are drawn lower, so that they fit a page."""
    sign_y = 15 if has_slips else 0
    signs, phrases, gap, axis = sign_y + 16, 9, 6, 18
    wave = 96 if rows <= 2 else 56
    level = (48 if rows <= 2 else 30) if has_levels else 0
    phrase_y = signs + wave + 3
    level_y = phrase_y + phrases + (gap if has_levels else 0)
    axis_y = level_y + level + 2
    return Lanes(wave, level, sign_y, signs, phrase_y, level_y, axis_y, axis_y + 4, axis_y + axis - 2, axis_y + axis)


def clock(seconds: float) -> str:
    """Return a time as minutes and seconds, tenths where they are not zero: 83.5 -> "1:23.5"."""
    tenths = round(seconds * 10)
    minutes, rest = divmod(tenths, 600)
    return f"{minutes}:{'0' if rest < 100 else ''}{view.number(rest / 10)}"


def _percent(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") + "%"


def picture(report: Report, *, in_one: bool = False) -> Picture | None:
    """Return the picture of the recording, or None where the report has none; `in_one`: in one row, however long."""
    data = report["picture"]
    if data is None or not data["columns"]:
        return None
    columns = data["columns"]
    duration = max(column["end_s"] for column in columns)
    count = 1 if in_one else min(MOST_ROWS, max(1, math.ceil(duration / ROW_S)))
    span = duration if count == 1 else float(math.ceil(duration / count))
    said = phrases(report), slips(report)
    rows = tuple(
        _row(report, columns, said, index * span, span, duration) for index in range(math.ceil(duration / span))
    )
    has_levels = any(column["level_db"] is not None for column in columns)
    band = _band(report) if has_levels else None
    return Picture(rows, lanes_of(len(rows), has_levels, bool(report["disfluencies"])), band)


def _row(
    report: Report,
    columns: list[Report],
    said: tuple[list[Moment], list[Moment]],
    start: float,
    span: float,
    duration: float,
) -> Row:
    end = min(start + span, duration)
    inside = [column for column in columns if column["end_s"] > start and column["start_s"] < end]
    marks = [pause for pause in report["pauses"] if pause["end_s"] > start and pause["start_s"] < end]
    return Row(
        start=clock(start),
        end=clock(end),
        summary=_summary(start, end, marks),
        wave=_wave(inside, start, span),
        levels=_levels(inside, start, span),
        extent=_percent((end - start) / span * 100),
        ticks=_ticks(start, span, end),
        pauses=tuple(_mark(pause, start, end, span) for pause in marks),
        phrases=_stretches(said[0], start, end, span),
        slips=_stretches(said[1], start, end, span),
    )


def _stretches(moments: list[Moment], start: float, end: float, span: float) -> tuple[Stretch, ...]:
    found = []
    for moment in moments:
        if moment.end_s > start and moment.start_s < end:
            left = (max(moment.start_s, start) - start) / span * 100
            right = (min(moment.end_s, end) - start) / span * 100
            places = (_percent(left), _percent(right - left), _percent((left + right) / 2))
            found.append(Stretch(*places, moment.label, moment.text))
    return tuple(found)


def _x(column: Report, start: float, span: float) -> float:
    middle: float = (column["start_s"] + column["end_s"]) / 2
    return (middle - start) / span * CURVE_WIDTH


def _points(points: list[tuple[float, float]]) -> str:
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _wave(columns: list[Report], start: float, span: float) -> str:
    """The outline of the waveform: highest values forward, lowest back, y from 0 (1) to 100 (-1)."""
    upper = [(_x(column, start, span), 50 - 50 * column["high"]) for column in columns]
    lower = [(_x(column, start, span), 50 - 50 * column["low"]) for column in reversed(columns)]
    return f"M{_points(upper + lower)}Z" if columns else ""


def level_y(level_db: float) -> float:
    """Return how far from the top a level is drawn, in percent; held to the stretch that is drawn."""
    held = min(max(level_db, LEVEL_LOW), LEVEL_HIGH)
    return (LEVEL_HIGH - held) / (LEVEL_HIGH - LEVEL_LOW) * 100


def _levels(columns: list[Report], start: float, span: float) -> tuple[str, ...]:
    """The loudness curve, broken where there is no level."""
    paths, points = [], []
    for column in columns:
        if column["level_db"] is not None:
            points.append((_x(column, start, span), level_y(column["level_db"])))
        elif points:
            paths.append(points)
            points = []
    return tuple(f"M{_points(path)}" for path in [*paths, points] if len(path) > 1)


def _ticks(start: float, span: float, end: float) -> tuple[Tick, ...]:
    step = next((step for step in STEPS_S if span / step <= MOST_TICKS), STEPS_S[-1])
    ticks = []
    second = math.ceil(start / step) * step
    while second <= end:
        place = (second - start) / span * 100
        anchor = "start" if place < 2 else "end" if place > 97 else "middle"
        ticks.append(Tick(_percent(place), clock(second), anchor))
        second += step
    return tuple(ticks)


def _mark(pause: Report, start: float, end: float, span: float) -> PauseMark:
    left = (max(pause["start_s"], start) - start) / span * 100
    right = (min(pause["end_s"], end) - start) / span * 100
    title, length = view.PAUSE_TITLES[pause["kind"]], f"{view.number(view.length_s(pause))} s"
    times = f"from {view.number(pause['start_s'])} s to {view.number(pause['end_s'])} s"
    return PauseMark(
        pause["kind"],
        _percent(left),
        _percent(right - left),
        _percent((left + right) / 2),
        f"{title}, {length}, {times}",
        length,
    )


def _band(report: Report) -> Band | None:
    """The levels with full credit, as the trace of Volume Control has them."""
    step = view.find(report["markers"]["volume_control"]["trace"], "level_quality")
    low, high = view.find(step, "full_low"), view.find(step, "full_high")
    if low is None or high is None:
        return None
    top, bottom = level_y(high["value"]), level_y(low["value"])
    words = f"{view.number(low['value'])}–{view.number(high['value'])} dB"
    return Band(f"{top:.1f}", f"{bottom - top:.1f}", words)


def _summary(start: float, end: float, pauses: list[Report]) -> str:
    counts = [
        f"{title.lower()} {sum(pause['kind'] == kind for pause in pauses)}" for kind, title in view.PAUSE_TITLES.items()
    ]
    return f"Waveform and loudness from {clock(start)} to {clock(end)}; pauses by kind: {', '.join(counts)}"
