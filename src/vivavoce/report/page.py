"""The card as one self-contained HTML page: no script, no network, nothing to load.

All numbers come from the report; places on bars and pictures are worked out here, so that the templates only lay out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from vivavoce.errors import need
from vivavoce.report import judged, view
from vivavoce.report.picture import picture
from vivavoce.report.reading import COUNTS, TITLES, differences, lines, sayings
from vivavoce.report.view import Report

if TYPE_CHECKING:
    from jinja2 import Environment

# Title and meaning of a measurement; its method stands beside it.
MEASUREMENTS = {
    "duration_s": ("Recording", "from the first sample to the last"),
    "response_s": ("Response", "first word's start to last word's end"),
    "speaking_s": ("Speaking", "response less hesitations"),
    "speech_s": ("Speech", "response less all its pauses"),
    "word_count": ("Words", "counted for pace, filled pauses left out"),
    "words_per_minute": ("Pace", "words over speaking time"),
    "pace_variation": ("Pace variation", "how much the pace swings around its mean"),
    "choppy_breaks_per_minute": ("Choppy breaks", "inside phrases, per minute of response"),
    "hesitations_per_minute": ("Hesitations", "long pauses, per minute of response"),
    "level_db": ("Loudness", "mean level of the speech"),
    "consistency_db": ("Loudness swing", "how much the level varies"),
    "fade_db": ("Fade", "how much quieter endings are"),
    "pace_rises": ("Pace rises", "last repetition faster than the first"),
    "filled_pauses": ("Filled pauses", "um, uh and their like"),
    "fillers": ("Other fillers", "like, you know, I mean, where they do no work"),
    "false_starts": ("False starts", "begun and given up, or begun anew"),
    "repetitions": ("Repetitions", "words said again without purpose"),
    "cut_offs": ("Cut-offs", "words broken off"),
    "disruptive_fillers_per_30_s": ("Fillers in 30 s", "filled pauses and other fillers"),
    "false_starts_per_30_s": ("Restarts in 30 s", "false starts, repetitions and cut-offs"),
    "recovery_s": ("Recovery", "from a disruption to fluent speech, mean"),
    "longest_recovery_s": ("Longest recovery", "from a disruption to fluent speech"),
}
# The operands that bound full credit, by operation: lower edge, upper edge.
FULL_CREDIT = {
    "trapezoid": ("full_low", "full_high"),
    "ramp_down": (None, "full"),
    "ramp_up": ("full", None),
    "steady_band": ("low", "high"),
    "steady_ceiling": (None, "ceiling"),
}


def page_html(report: Report) -> str:
    """Return the card as one HTML document.

    Parameters: `report` as `card.build` returns it. All text of the report is escaped. Raises MissingError where
    Jinja2 is not installed (extra `report`).
    """
    return environment().get_template("page.html.j2").render(**context(report))


def context(report: Report) -> dict[str, Any]:
    """Return what the templates of a card are given, worked out from a report and written as `view.number` writes."""
    return {
        "report": report,
        "view": view,
        "tiers": tier_places(report),
        "overall": _overall(report),
        "provisional": judged.provisional(report),
        "markers": [_marker(report, name, marker) for name, marker in report["markers"].items()],
        "notices": _notices(report),
        "pauses": view.pauses_by_kind(report),
        "picture": picture(report),
        "measurements": [_measurement(report, name, found) for name, found in report["measurements"].items()],
        "counts": COUNTS,
        "titles": TITLES,
        "lines": lines(report),
        "differences": differences(report),
        "sayings": list(sayings(report)),
    }


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Return what all pages are made with: templates of this package, everything escaped, no invisible characters."""
    try:
        import jinja2
    except ImportError as error:
        raise need("report", "jinja2") from error
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("vivavoce.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # A card that is a file of its own has no page of the rubric row to lead to; the pages of `serve` have.
    made.globals["row_url"] = lambda source: ""  # noqa: ARG005
    return made


def visible(value: Any) -> Any:
    """Drop control and direction characters from foreign text; HTML has no place for them."""
    if type(value) is not str or value.isprintable():
        return value
    return "".join(char for char in value if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf", "Cs"))


def _percent(part: float, whole: float) -> str:
    return f"{part / whole * 100:.3f}".rstrip("0").rstrip(".") + "%"


def tier_places(report: Report) -> list[dict[str, str]]:
    """Return the tiers from the lowest, each with its place and width on the scale, in percent."""
    tiers, top = view.tiers_rising(report), view.scale_top(report)
    lows = [float(tier["score_low"]) for tier in tiers]
    return [
        {
            "id": tier["id"],
            "label": tier["label"],
            "low": view.number(tier["score_low"]),
            "high": view.number(tier["score_high"]),
            "left": _percent(low, top),
            "width": _percent(following - low, top),
        }
        for tier, low, following in zip(tiers, lows, [*lows[1:], top], strict=True)
    ]


def standing(report: Report, outcome: Report) -> dict[str, Any]:
    """A score as it is shown: its digits, its place on the scale, its tier with a rank of one to five, or its state."""
    score, tier = outcome["score"], outcome["tier"]
    ranks = {row["id"]: rank for rank, row in enumerate(view.tiers_rising(report), 1)}
    return {
        "score": view.number(score),
        "place": None if score is None else _percent(score, view.scale_top(report)),
        "label": tier["label"] if tier else view.STATES[outcome["state"]],
        "rank": ranks[tier["id"]] if tier else 0,
        "ranks": len(ranks),
        "tier": tier["id"] if tier else "none",
        "state": outcome["state"],
        "trace": outcome["trace"],
        "reason": outcome["reason"],
        "likely": None,
    }


def _likely(report: Report, marker: Report) -> dict[str, str] | None:
    """Between which scores a judge's own score likely lies: places on the scale in percent, and in words."""
    interval = marker["judgement"]["interval"] if marker["judgement"] else None
    if interval is None or marker["score"] is None:
        return None
    top = view.scale_top(report)
    low, high = float(interval["low"]), min(float(interval["high"]), top)
    words = f"likely {view.number(interval['low'])}–{view.number(interval['high'])}"
    return {"left": _percent(low, top), "right": _percent(high, top), "text": words}


def _notices(report: Report) -> list[view.Missing]:
    """What has no score, save what the overall says already."""
    told = view.overall_reason(report)
    return [group for group in view.missing(report) if group.found not in told]


def _overall(report: Report) -> dict[str, Any]:
    return standing(report, report["overall"])


def _marker(report: Report, name: str, marker: Report) -> dict[str, Any]:
    judgement = marker["judgement"]
    return {
        **standing(report, marker),
        "id": name,
        "likely": _likely(report, marker),
        "title": marker["title"],
        "judges": marker["judges"],
        "weight": view.number(marker["weight"]),
        "by": view.judged_by(marker),
        "by_person": judgement is not None and judgement["judge"] == "person",
        "why": judgement["reason"] if judgement else "",
        "components": _components(marker),
        "feedback": judged.feedback(marker),
        "told": judged.told(marker),
        "replies": judged.replies(marker),
    }


def _components(marker: Report) -> list[dict[str, Any]]:
    """The sub-markers as the trace weighed them, and those that it dropped."""
    quality = view.find(marker["trace"], "quality", "weighted_quality")
    if quality is None:
        return []
    pairs = zip(quality["operands"][::2], quality["operands"][1::2], strict=True)
    weighed = {weight["name"].removesuffix("_weight"): (step, weight) for step, weight in pairs}
    found = []
    for component in marker["components"]:
        step, weight = weighed.get(component["id"], (None, None))
        found.append(
            {"title": component["title"], "step": None, "why": quality["note"]}
            if step is None or weight is None
            else {
                "title": component["title"],
                "step": step,
                "weight": weight,
                "measured": view.find(step, component["needs"]),
                "unit": component["unit"],
                "full": full_credit(step, component["unit"]),
                "place": _percent(step["value"], 1),
            }
        )
    return found


def full_credit(step: Report, unit: str) -> str:
    """Return the range of full credit of a quality in words, from the step's own operands; "" where it has none."""
    low_name, high_name = FULL_CREDIT.get(step["op"], (None, None))
    values = {operand["name"]: view.number(operand["value"]) for operand in step["operands"]}
    low, high = values.get(low_name or ""), values.get(high_name or "")
    if low is not None and high is not None:
        return f"{low}–{high} {view.unit(unit)}".strip()
    if high is not None:
        return f"up to {high} {view.unit(unit)}".strip()
    return f"from {low} {view.unit(unit)}".strip() if low is not None else ""


def _using(trace: Report | None, name: str) -> list[Report]:
    """The steps of a trace that take a measurement directly."""
    steps = view.walk(trace) if trace is not None else ()
    return [step for step in steps if any(one["name"] == name and one["op"] == "measured" for one in step["operands"])]


def _measurement(report: Report, name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    title, meaning = MEASUREMENTS.get(name, (view.words_of(name), ""))
    uses = [
        {"id": marker_id, "title": marker["short_title"]}
        for marker_id, marker in report["markers"].items()
        if view.find(marker["trace"], name, "measured")
    ]
    return {
        "name": name,
        "title": title,
        "meaning": meaning,
        "steps": [step for marker in report["markers"].values() for step in _using(marker["trace"], name)],
        "value": found["value"],
        "text": view.quantity(found["value"], found["unit"]),
        "source": found["source"],
        "note": found["note"] or view.fade_method(report, name, found["note"]),
        # On paper, what several rows repeat is left to the warning that says it once.
        "repeated": sum(other["note"] == found["note"] for other in report["measurements"].values()) > 1,
        "uses": uses,
    }
