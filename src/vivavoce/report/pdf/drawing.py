"""A row of the recording's picture as one SVG in true proportions, for paper; no text of others stands in it."""

from __future__ import annotations

from vivavoce.report.picture import Band, Lanes, Row

# Units of the drawing across, for the width of the text on A4 (180 mm).
ACROSS = 1000
COLOURS = {"phrase": ("#e6edf4", "#54779c"), "choppy": ("#fbeeda", "#a85b00"), "hesitation": ("#f8e1e6", "#a02a48")}
SIGNS = {
    "phrase": '<circle cx="0" cy="8" r="4.2"/>',
    "choppy": '<path d="M0 2.5 6 13.5h-12z"/>',
    "hesitation": '<path d="M0 1.5 6.5 8 0 14.5-6.5 8z"/>',
}


def _at(percent: str) -> float:
    """A place in percent as units across."""
    return float(percent.removesuffix("%")) * ACROSS / 100


def sign_svg(kind: str) -> str:
    """Return the sign of a kind of pause as an SVG of its own."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 0 16 16">'
        f'<g fill="{COLOURS[kind][1]}">{SIGNS[kind]}</g></svg>'
    )


def row_svg(row: Row, lanes: Lanes, band: Band | None) -> str:
    """Return a row: pauses tinted with their sign above, the waveform, brackets of phrases, the loudness."""
    parts = [_pause(mark.kind, _at(mark.left), _at(mark.width), _at(mark.middle), lanes) for mark in row.pauses]
    parts.append(_curve(lanes.wave_y, lanes.wave, f'<path d="{row.wave}" fill="#3d4a60"/>'))
    for phrase in row.phrases:
        left, right, y = _at(phrase.left), _at(phrase.left) + _at(phrase.width), lanes.phrase_y
        parts.append(
            f'<path d="M{left:.1f} {y}V{y + 6}H{right:.1f}V{y}" fill="none" stroke="#565f70" stroke-width="1.2"/>'
        )
    ring = '<circle cx="{:.1f}" cy="8" r="4" fill="#fff" stroke="#5a3c99" stroke-width="1.8"/>'
    parts += [ring.format(_at(slip.middle)) for slip in row.slips]
    if lanes.level:
        if band is not None:
            extent = _at(row.extent)
            shade = f'<rect x="0" y="{band.top}" width="{extent:.1f}" height="{band.height}" fill="#d9ebe6"/>'
            parts.append(_curve(lanes.level_y, lanes.level, shade))
        for path in row.levels:
            line = f'<path d="{path}" fill="none" stroke="#1d6f6a" stroke-width="1.8"/>'
            parts.append(_curve(lanes.level_y, lanes.level, line))
    end, y = _at(row.extent), lanes.axis_y
    ticks = "".join(f"M{_at(tick.at):.1f} {y}v4" for tick in row.ticks)
    parts.append(f'<path d="M0 {y}H{end:.1f}{ticks}" fill="none" stroke="#9a9484" stroke-width="1"/>')
    height = lanes.axis_y + 5
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {ACROSS} {height}">{"".join(parts)}</svg>'


def _curve(y: int, height: int, inside: str) -> str:
    """What is drawn in a box of 1000 by 100, laid into a lane."""
    return f'<g transform="translate(0 {y}) scale({ACROSS / 1000:g} {height / 100:g})">{inside}</g>'


def _pause(kind: str, left: float, width: float, middle: float, lanes: Lanes) -> str:
    tint, ink = COLOURS[kind]
    return (
        f'<rect x="{left:.1f}" y="{lanes.wave_y}" width="{width:.1f}" height="{lanes.wave}" fill="{tint}"/>'
        f'<g fill="{ink}" transform="translate({middle:.1f} {lanes.sign_y})">{SIGNS[kind]}</g>'
    )
