"""The card on a terminal: scores and bars, the arithmetic as a tree, measurements, pauses, words, warnings.

Everything shown comes from the report (`card.build`, or a saved one); nothing is computed here but positions.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from vivavoce.report import judged, view
from vivavoce.report.ink import Ink, columns
from vivavoce.report.reading import COUNTS, TITLES, Difference, differences
from vivavoce.report.view import Report

NOT_REACHED = TITLES["trailing_omission"]
# How many of the words that were not reached are shown.
STRETCH = 12
NARROWEST = 60
ROOMY = 84
TIER_STYLES = {"excellent": "good", "good": "good", "adequate": "fair", "below_average": "fair", "poor": "weak"}


def card_text(
    report: Report, *, width: int = 100, colour: bool = False, depth: int | None = None, ascii: bool = False
) -> str:
    """Return the card as text for a terminal.

    Parameters: `report` as `card.build` returns it; `width` in columns, at least 60; `colour` terminal colours;
    `depth` how many levels of the arithmetic to show below each marker (None: all, 0: none); `ascii` no character
    outside ASCII. Returns: lines of at most `width` columns, ending in a line feed.
    """
    ink = Ink(max(width, NARROWEST), colour=colour, ascii_only=ascii)
    _header(ink, report)
    _scores(ink, report)
    _missing(ink, report)
    if depth != 0 and any(marker["trace"] for marker in report["markers"].values()):
        _arithmetic(ink, report, depth)
    _measurements(ink, report)
    _pauses(ink, report)
    _reading(ink, report)
    _warnings(ink, report)
    _notes(ink, report)
    _origin(ink, report)
    return ink.done()


def _header(ink: Ink, report: Report) -> None:
    rubric = report["rubric"]
    recording = " · ".join(view.recording_facts(report))
    ink.box(
        [
            (f"{report['module']['title']} · {view.grade_text(report)}", "strong"),
            *([(recording, "")] if recording else []),
            (f"rubric {rubric['id']} · digest {rubric['digest'][:12]} · vivavoce {report['vivavoce']}", "quiet"),
        ]
    )


@dataclass(frozen=True, slots=True)
class _Columns:
    """How wide the parts of a line of scores are, in columns, and the scale that its bar is drawn on."""

    name: int
    standing: int
    bar: int
    edges: tuple[float, ...]
    top: float


def _scores(ink: Ink, report: Report) -> None:
    """The overall and the markers, each with score, tier or state, and a bar."""
    roomy = ink.width >= ROOMY
    markers = report["markers"].values()
    titles = [ink.say(marker["title"] if roomy else marker["short_title"]) for marker in markers]
    tiers = view.tiers_rising(report)
    named = max(columns(title) for title in titles)
    standing = max(columns(ink.say(tier["label"])) for tier in tiers)
    bar = max(12, min(48, ink.width - named - standing - (29 if roomy else 13)))
    layout = _Columns(named, standing, bar, tuple(float(t["score_low"]) for t in tiers), view.scale_top(report))
    ink.line()
    _score_line(ink, "Overall", report["overall"], layout, "")
    unsettled = judged.provisional(report)
    if unsettled is not None:
        ink.text(unsettled, first="    ", style="strong")
    ink.line()
    for title, marker in zip(titles, markers, strict=True):
        _score_line(ink, title, marker, layout, f"weight {view.number(marker['weight'])}" if roomy else "")
        if marker["state"] == "scored":
            ink.text(_origin_of(marker), first="    ", style="quiet")
        for sentence in judged.feedback(marker):
            ink.text(sentence, first="    ")
        for line in judged.told(marker):
            words = f" “{line.words}”" if line.words else ""
            ink.text(line.text + words, first="    ", style="strong" if line.alert else "quiet")
    begins = ", ".join(f"{tier['label']} from {view.number(tier['score_low'])}" for tier in tiers[1:])
    ink.line()
    ink.text(f"{ink.glyphs.edge} {begins}; the scale ends at {view.number(tiers[-1]['score_high'])}", first="  ")


def _score_line(ink: Ink, title: str, outcome: Report, layout: _Columns, weight: str) -> None:
    score, tier = outcome["score"], outcome["tier"]
    label = ink.say(tier["label"] if tier else view.STATES[outcome["state"]])
    style = TIER_STYLES.get(tier["id"], "") if tier else "fair"
    ink.line(
        f"  {title}{' ' * (layout.name - columns(title))}  ",
        (f"{ink.say(view.number(score)):>3}", "strong"),
        "  ",
        (label + " " * max(0, layout.standing - columns(label)), style),
        "  ",
        (ink.bar(score, layout.top, layout.edges, layout.bar), style),
        right=(weight, "quiet"),
    )


def _origin_of(marker: Report) -> str:
    judgement = marker["judgement"]
    reason = f": {judgement['reason']}" if judgement and judgement["reason"] else ""
    return view.judged_by(marker) + reason


def _missing(ink: Ink, report: Report) -> None:
    groups = view.missing(report)
    if not groups:
        return
    ink.heading("Without a score")
    code, told = view.state_code(report["overall"]), view.overall_reason(report)
    if not any(group.code == code for group in groups):
        _without(ink, code, ("Overall",), "; ".join(told), "")
    for group in groups:
        titles = ("Overall", *group.titles) if group.code == code else group.titles
        _without(ink, group.code, titles, group.found, group.remedy)


def _without(ink: Ink, code: str, titles: Sequence[str], found: str, remedy: str) -> None:
    ink.line(f"  {ink.say(code)}")
    ink.text(", ".join(titles), first="    ", style="strong")
    if found:
        ink.text(f"why: {found}", first="    ")
    if remedy:
        ink.text(f"what to do: {remedy}", first="    ")


def _arithmetic(ink: Ink, report: Report, depth: int | None) -> None:
    """The overall's own step, then every marker's tree."""
    ink.heading("Arithmetic")
    ink.text(
        f"name = value, then = its expression; {view.ABOUT} where digits are cut; at the right the source", first="  "
    )
    overall = report["overall"]["trace"]
    if overall is not None:
        ink.line()
        _step(ink, overall, "  ", "  ")
    for marker in report["markers"].values():
        ink.line()
        if marker["trace"] is None:
            ink.line(f"  {ink.say(marker['title'])}: ", (view.STATES[marker["state"]].lower(), "fair"))
            continue
        _tree(ink, marker["trace"], "  ", "  ", depth, set())


def _tree(ink: Ink, node: Report, lead: str, below: str, depth: int | None, seen: set[str]) -> None:
    """Add a step and those below it; `lead` goes before its first line, `below` before all that follow.

    What stands in a marker's tree more than once opens at its first place only; `seen` are those that did.
    """
    operands = node["operands"]
    key = json.dumps(node, sort_keys=True, default=str) if operands else ""
    if operands and key in seen:
        _step(ink, node, lead, below + "   ")
        ink.text("(opened above)", first=below + "   ", style="quiet")
        return
    seen.add(key)
    shown = operands if depth is None or depth > 0 else []
    cut = len(operands) - len(shown)
    glyphs = ink.glyphs
    stem = below + (glyphs.down if shown else " ") + "  "
    _step(ink, node, lead, stem if operands else below + "   ")
    if cut:
        ink.text(
            f"({sum(1 for _ in view.walk(node)) - 1} steps below are not shown)", first=below + "   ", style="quiet"
        )
    for index, operand in enumerate(shown):
        ends = index == len(shown) - 1
        under = below + (" " if ends else glyphs.down) + "  "
        branch = glyphs.last if ends else glyphs.branch
        _tree(ink, operand, below + branch, under, None if depth is None else depth - 1, seen)


def _step(ink: Ink, node: Report, lead: str, rest: str) -> None:
    """Add one step: name = value unit, source; its expression; its note."""
    kind = view.LEAF_KINDS.get(node["op"], "")
    value = view.number(node["value"])
    about = value.startswith(view.ABOUT)
    equals = "" if about else "= "
    ink.line(
        lead,
        f"{ink.say(node['name'])} {ink.say(equals)}",
        (ink.say(value), "value"),
        f" {ink.say(view.unit(node['unit']))}",
        right=(ink.say(f"{kind} {node['source']}".strip()), "quiet"),
    )
    if node["operands"]:
        ink.text(f"= {node['expression']}", first=rest, rest=rest)
    if node["note"]:
        ink.text(f"({node['note']})", first=rest, rest=rest, style="fair")


def _measurements(ink: Ink, report: Report) -> None:
    measurements = report["measurements"]
    if not measurements:
        return
    ink.heading("Measurements")
    rows = []
    for name, found in measurements.items():
        note = found["note"] or view.fade_method(report, name, found["note"])
        rows.append((name, view.quantity(found["value"], found["unit"]), found["source"], note))
    ink.table(rows, right=(1,))


def _pauses(ink: Ink, report: Report) -> None:
    if not report["transcript"] and not report["pauses"]:
        return
    ink.heading("Pauses")
    ink.table(
        (
            (
                pause.title,
                str(pause.count),
                "" if pause.longest_s is None else f"longest {view.number(pause.longest_s)} s",
                pause.meaning,
            )
            for pause in view.pauses_by_kind(report)
        ),
        right=(1, 2),
    )
    if view.boundaries(report):
        ink.text(view.boundaries(report), first="  ", style="quiet")


def _reading(ink: Ink, report: Report) -> None:
    """The counts of the alignment, and every word that differs."""
    alignment = report["alignment"]
    if alignment is None:
        return
    ink.heading("The reading against its text")
    counts = [f"{view.number(alignment[key])} {title.lower()}" for key, title in COUNTS.items()]
    ink.text(" · ".join(counts), first="  ")
    for title, found in differences(report).items():
        ink.line()
        ink.text(title, first="  ", style="strong")
        ink.text(_not_reached(found) if title == NOT_REACHED else " · ".join(map(_difference, found)), first="    ")


def _difference(item: Difference) -> str:
    note = f" [{item.note}]" if item.note else ""
    said = f" → “{item.said}”" if item.said and item.text else ""
    return f"{item.text or item.said}{said} ({item.place}){note}"


def _not_reached(found: list[Difference]) -> str:
    """The words after the last one that was read, as a stretch: the first of them, and the places."""
    words = " ".join(item.text for item in found[:STRETCH])
    more = " …" if len(found) > STRETCH else ""
    return f"{words}{more} (words {found[0].position} to {found[-1].position})"


def _warnings(ink: Ink, report: Report) -> None:
    warnings = view.warnings(report)
    if warnings:
        ink.heading("Warnings")
    for warning in warnings:
        ink.text(warning["found"], first=f"  {ink.glyphs.alert} ", rest="    ", style="fair")
        ink.text(f"what to do: {warning['remedy']}", first="    ")


def _notes(ink: Ink, report: Report) -> None:
    notes = view.notes(report)
    if notes:
        ink.heading("How it was measured")
    for note in notes:
        ink.text(view.sentence(note["found"]), first="  ", style="quiet")


def _origin(ink: Ink, report: Report) -> None:
    rubric = report["rubric"]
    ink.heading("Where this comes from")
    rows = [("rubric", f"{rubric['title']}, edition {rubric['id']}, values as of {rubric['values_as_of']}")]
    rows.append(("digest", rubric["digest"]))
    recording = report["recording"]
    if recording is not None:
        facts = f"{recording['container']}, {recording['codec']}, {recording['sample_rate']} Hz"
        rows.append(("recording", f"{recording['file']} ({facts}), SHA-256 {recording['sha256']}"))
    if report["transcript"] is not None:
        transcript = report["transcript"]
        rows.append(("words", f"{view.heard_by(transcript)}, {view.verbatim(transcript)}"))
    rows.append(("engine", f"vivavoce {report['vivavoce']}"))
    ink.table(rows)
