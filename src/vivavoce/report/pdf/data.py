"""What the PDF's template lays out: plain strings and places in percent, worked out from a report."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from vivavoce.report import view
from vivavoce.report.page import context, visible
from vivavoce.report.pdf.drawing import row_svg, sign_svg
from vivavoce.report.view import Report

# Letters that the fonts inside Typst have: Latin, Greek, Cyrillic, signs of punctuation and what the card itself draws.
_COMMON = re.compile("[\t\n -~\u00a0-\u024f\u0370-\u03ff\u0400-\u04ff\u1e00-\u1eff\u2010-\u2044≈→←●○▲◆▸×−]*")


def has_rare_letters(text: str) -> bool:
    """Say whether a text has letters that the fonts inside Typst may not have."""
    return _COMMON.fullmatch(text) is None


def card_data(report: Report, about: Sequence[str] = ()) -> dict[str, Any]:
    """Return the data of the template; see `card.typ` for its keys."""
    found = context(report)
    title = f"{report['module']['title']}, {view.grade_text(report)}"
    data: dict[str, Any] = {
        "title": f"{title}: {found['overall']['score'] if found['overall']['place'] else found['overall']['label']}",
        "module": report["module"]["title"],
        "facts": [view.grade_text(report), *about, *view.recording_facts(report)],
        "tiers": [
            {"label": tier["label"], "low": tier["low"], "left": _share(tier["left"]), "width": _share(tier["width"])}
            for tier in found["tiers"]
        ],
        "overall": {**_outcome(found["overall"]), "reasons": _reasons(report, found)},
        "markers": [_marker(marker) for marker in found["markers"]],
        "notices": _notices(report, found),
        **_recording(report, found),
        **_text(report, found),
        "task": _task(report),
        "measurements": [
            {key: row[key] for key in ("title", "meaning", "text")} | {"note": "" if row["repeated"] else row["note"]}
            for row in found["measurements"]
        ],
        "sources": _sources(report, found),
    }
    data = _visible(data)
    data["boxes"] = has_rare_letters(str(data))
    return data


def _visible(value: Any) -> Any:
    """The same data without control and direction characters, which a page of paper has no place for."""
    if isinstance(value, dict):
        return {key: _visible(inner) for key, inner in value.items()}
    return [_visible(inner) for inner in value] if isinstance(value, list) else visible(value)


def _share(percent: str | None) -> float | None:
    return None if percent is None else float(percent.removesuffix("%"))


def _outcome(standing: Mapping[str, Any]) -> dict[str, Any]:
    return {key: standing[key] for key in ("score", "label", "rank")} | {"place": _share(standing["place"])}


def _reasons(report: Report, found: Mapping[str, Any]) -> list[str]:
    told = view.overall_reason(report)
    provisional = [view.sentence(found["provisional"])] if found["provisional"] else []
    return [*provisional, *(view.sentence(reason) for reason in told)]


def _marker(marker: Mapping[str, Any]) -> dict[str, Any]:
    reason = marker["reason"]
    waits = view.sentence(view.why_missing(marker["id"], reason)) if reason else ""
    likely = f"; {marker['likely']['text']}" if marker["likely"] else ""
    return {
        **_outcome(marker),
        "title": marker["title"],
        "judges": marker["judges"],
        "weight": marker["weight"],
        "by": view.words_of(marker["by"]) + likely if marker["state"] == "scored" else waits,
        "person": marker["by_person"],
        "why": marker["why"] if marker["state"] == "scored" else "",
        "feedback": " ".join(marker["feedback"]),
        "told": [{"text": view.sentence(one.text), "words": one.words, "alert": one.alert} for one in marker["told"]],
    }


def _notices(report: Report, found: Mapping[str, Any]) -> list[dict[str, str]]:
    missing = [
        {
            "title": f"{view.STATES[group.state]}: {', '.join(group.titles)}.",
            "found": view.sentence(group.found),
            "code": group.code,
            "remedy": view.sentence(group.remedy),
        }
        for group in found["notices"]
    ]
    warned = [
        {
            "title": "Warning:",
            "found": view.sentence(warning["found"]),
            "code": warning["code"],
            "remedy": view.sentence(warning["remedy"]),
        }
        for warning in view.warnings(report)
    ]
    return missing + warned


def _recording(report: Report, found: Mapping[str, Any]) -> dict[str, Any]:
    drawn = found["picture"]
    heard = report["transcript"] is not None or bool(report["pauses"])
    legend = ""
    if drawn is not None:
        shaded = f", the shaded stretch being the comfortable {drawn.band.text}" if drawn.band else ""
        below = f"; below it the loudness{shaded}" if drawn.lanes.level else ""
        rings = ", a ring for each filler or restart" if any(row.slips for row in drawn.rows) else ""
        legend = (
            f"Above, the waveform with its pauses{rings}, and a bracket for each phrase{below}. Minutes and seconds."
        )
    return {
        "rows": []
        if drawn is None
        else [
            {
                "svg": row_svg(row, drawn.lanes, drawn.band),
                "summary": row.summary,
                "ticks": [{"at": _share(tick.at), "text": tick.text, "anchor": tick.anchor} for tick in row.ticks],
            }
            for row in drawn.rows
        ],
        "legend": legend,
        "pauses": [
            {
                "title": pause.title,
                "sign": sign_svg(pause.kind),
                "count": view.number(pause.count),
                "longest": "–" if pause.longest_s is None else f"{view.number(pause.longest_s)} s",
                "meaning": pause.meaning,
            }
            for pause in found["pauses"]
        ]
        if heard
        else [],
        "boundaries": view.sentence(view.boundaries(report)),
    }


def _text(report: Report, found: Mapping[str, Any]) -> dict[str, Any]:
    aligned = report["alignment"] is not None
    lines, before = [], ""
    for line in found["lines"] if aligned else ():
        pieces = []
        for piece in line.pieces:
            keys = ("kind", "text", "said", "before", "after", "tight")
            opens = piece.kind == "trailing_omission" and before != piece.kind
            pieces.append({key: getattr(piece, key) for key in keys} | {"opens": opens})
            before = piece.kind
        lines.append({"opens": line.opens, "pieces": pieces})
    counts = [{"title": t, "value": view.number(report["alignment"][k])} for k, t in found["counts"].items() if aligned]
    words = [text for saying in found["sayings"] for text, _ in saying.words]
    return {"lines": lines, "counts": counts, "spoken": "" if aligned else " ".join(words)}


def _task(report: Report) -> list[dict[str, Any]]:
    task = report["task"]
    points = [
        item["text"]
        + (" (end with this)" if item["end_with"] else "")
        + (" (may stay vague)" if item["may_stay_vague"] else "")
        for item in task["checklist"]
    ]
    reference = task["reference"] if report["alignment"] is None else None
    parts = (
        ("The text", [reference], "plain"),
        ("", [task["prompt"]], "plain"),
        ("Keywords", [", ".join(task["keywords"])] if task["keywords"] else [], "plain"),
        ("Checklist", points, "list"),
        ("Questions", list(task["questions"]), "numbered"),
    )
    return [
        {"title": title, "items": items, "plain": how == "plain", "numbered": how == "numbered"}
        for title, items, how in parts
        if items and items[0]
    ]


def _sources(report: Report, found: Mapping[str, Any]) -> list[dict[str, str]]:
    rubric, recording, transcript = report["rubric"], report["recording"], report["transcript"]
    rows = [
        (
            "Rubric",
            f"{rubric['title']}, edition {rubric['id']} (version {rubric['version']}, "
            f"values as of {rubric['values_as_of']}), digest",
            rubric["digest"],
        ),
        ("Engine", f"vivavoce {report['vivavoce']}", ""),
    ]
    if recording:
        kind = f"{recording['container']}, {recording['codec']}, {recording['sample_rate']} Hz"
        channels = f"{recording['channels']} channel{'s' if recording['channels'] != 1 else ''}"
        rows.append(("Recording", f"{recording['file']}: {kind}, {channels}; SHA-256", recording["sha256"]))
    if transcript:
        language = f"; language {transcript['language']}" if transcript["language"] else ""
        rows.append(
            ("Words", view.words_of(view.heard_by(transcript)) + f", {view.verbatim(transcript)}{language}", "")
        )
    judges = [
        f"{marker['title']}: {marker['by'] if marker['state'] == 'scored' else marker['label'].lower()}"
        for marker in found["markers"]
    ]
    rows.append(("Judges", "; ".join(judges), ""))
    return [{"title": title, "text": text, "code": code} for title, text, code in rows]
