"""What the Lab shows of a state: inputs with their tracks and curves, scores, and where the points come from.

Places and texts are made here, from the trace and from the rubric's parameters; templates only lay out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.report import view
from vivavoce.report.page import MEASUREMENTS, tier_places
from vivavoce.report.reading import COUNTS
from vivavoce.rubric.model import Module, Rubric
from vivavoce.trace import Exact, exact
from vivavoce.web.lab.answer import Answer
from vivavoce.web.lab.curves import cut_curve, quality_curve, tier_curve
from vivavoce.web.lab.judged import CAP_TITLES, SUB_MARKERS, caps, levels, switches
from vivavoce.web.lab.state import Input, State, inputs_of, value_of
from vivavoce.web.lab.tracks import Span, component_of, edges_of, span_of, track_of

Shown = dict[str, Any]

TITLES = {
    **{name: title for name, (title, _) in MEASUREMENTS.items()},
    **COUNTS,
    "speech_seconds": "Speech",
    "keywords_required": "Keywords asked for",
    "keywords_present": "Keywords used",
    "story": "Story, judged",
    "specific_detail": "A real, specific detail",
    "pronunciation": "Judged",
    "fluency": "Judged",
    "task_adherence": "Judged",
}
WHOLE = Span(0, 1, "any")
# How far apart two edges must stand to be both written, in percent of a track.
LABEL_ROOM = 6
MEANINGS = {
    **{name: meaning for name, (_, meaning) in MEASUREMENTS.items()},
    "speech_seconds": MEASUREMENTS["speech_s"][1],
}
ROUTES = {"code": "measured by code", "model": "judged", "blend": "keywords counted, story judged"}


def numbers_of(module: Module, state: State) -> dict[str, Exact]:
    """Return the inputs that are numbers which the engine takes, by name."""
    found = {}
    for given in inputs_of(module):
        if given.number is None:
            continue
        try:
            node = given.number.read(value_of(given, state.values[given.name]), "", given.name, "")
        except RequestError:
            continue
        if node is not None:
            found[given.name] = node.value
    return found


def report_tiers(rubric: Rubric) -> Shown:
    """Return the tiers as a report has them, for what the card's own pictures need."""
    return {
        "tiers": [
            {
                "id": tier.id,
                "label": tier.label,
                "score_low": float(tier.score_low.value),
                "score_high": float(tier.score_high.value),
            }
            for tier in rubric.tiers
        ]
    }


def standing(rubric: Rubric, outcome: Mapping[str, Any], *, refused: bool = False) -> Shown:
    """Return a score as it is shown: digits, place, tier and rank, or its state."""
    score = outcome["score"]
    rising = sorted(rubric.tiers, key=lambda tier: tier.score_low.value)
    tier = None if score is None else rubric.tier_of_score(score)
    state = "refused" if refused else outcome["state"]
    return {
        "score": view.number(score),
        "value": score,
        "place": None if score is None else f"{score / float(rubric.ceiling.value) * 100:.2f}%",
        "label": tier.label if tier else "Refused" if refused else view.STATES[outcome["state"]],
        "rank": rising.index(tier) + 1 if tier else 0,
        "ranks": len(rising),
        "state": state,
        "reason": outcome.get("reason"),
        "likely": None,
        "trace": outcome["trace"],
    }


def lab_view(rubric: Rubric, state: State, answer: Answer) -> Shown:
    """Return everything that a state shows, apart from links and comparison."""
    module = rubric.modules[state.module]
    numbers = numbers_of(module, state)
    markers = [_marker(rubric, module, state, answer, name, numbers) for name in rubric.markers]
    overall = standing(rubric, answer.result["overall"])
    if answer.refused:
        overall |= {"state": "refused", "label": "No overall"}
        titles = [rubric.markers[name].short_title for name in answer.refused]
        overall["reason"] = {"found": f"refused: {', '.join(titles)}", "remedy": "mend what is marked there"}
    return {
        "module": module,
        "band": rubric.grade_bands[state.grade_band],
        "tiers": tier_places(report_tiers(rubric)),
        "markers": markers,
        "overall": overall,
        "sum": _sum(markers, answer.result["overall"]),
        "said": _said(overall),
        "edition": rubric,
    }


def _said(overall: Shown) -> str:
    if overall["value"] is not None:
        return f"Overall {overall['score']}, {overall['label']}."
    return f"No overall. {view.sentence(overall['reason']['found'])}"


def _sum(markers: list[Shown], overall: Mapping[str, Any]) -> Shown | None:
    """The overall before it is rounded, from the trace's own operands."""
    trace = overall["trace"]
    if trace is None:
        return None
    total = sum((marker["points"] for marker in markers), Fraction(0))
    return {"expression": trace["expression"], "total": view.number(float(total)), "source": trace["source"]}


def _marker(
    rubric: Rubric, module: Module, state: State, answer: Answer, name: str, numbers: Mapping[str, Exact]
) -> Shown:
    outcome = answer.result["markers"][name]
    rule, weight = module.rules[name][state.grade_band], module.weights[name]
    error = answer.refused.get(name)
    shown = standing(rubric, outcome, refused=error is not None)
    points = Fraction(0) if shown["value"] is None else shown["value"] * Fraction(weight.value)
    ceiling = Fraction(rubric.ceiling.value)
    parts = _parts(module, state.grade_band, name, outcome)
    cut = view.find(outcome["trace"], "hesitation_cut", "cut")
    rows = [
        _row(rubric, module, state, given, numbers, parts, cut)
        for given in inputs_of(module)
        if given.marker == name and given.number is not None
    ]
    return {
        **shown,
        "id": name,
        "title": rubric.markers[name].title,
        "short": rubric.markers[name].short_title,
        "judges": rubric.markers[name].judges,
        "route": ROUTES[rule.route],
        "weight": view.number(float(weight.value)),
        "weight_place": f"{float(weight.value) * 100:.3f}%",
        "weight_source": weight.source,
        "points": points,
        "points_text": view.number(float(points)),
        "fill": f"{float(points / ceiling / Fraction(weight.value)) * 100:.2f}%",
        "pending": name in state.pending,
        "error": _told(rubric, name, error) if error else None,
        "rows": _held(rubric, outcome, rows),
        "switches": switches(rubric, module, state, outcome, name),
        "caps": caps(rubric, module, state, outcome) if name == "task_adherence" else None,
        "levels": levels(rubric, module, state) if name == "fluency" else None,
        "parts": [part for part in parts.values() if part["derived"]],
        "quality": _quality(rubric, outcome),
    }


def _told(rubric: Rubric, marker: str, error: RequestError) -> dict[str, str]:
    """A refusal in the words of the page: the input's own title for its place in the request."""
    key = error.where.rsplit("/", 1)[-1]
    names = {**TITLES, **CAP_TITLES, **SUB_MARKERS, "score": "Judged", marker: rubric.markers[marker].title}
    found = "nothing" if error.found == '""' else error.found
    remedy = error.remedy.replace("correct the request and send it again", "correct it here")
    return error.as_dict() | {"where": names.get(key, error.where), "found": found, "remedy": remedy}


def _held(rubric: Rubric, outcome: Mapping[str, Any], rows: list[Shown]) -> list[Shown]:
    """Hatch on a judged score's track what the caps that fired leave out of reach, from the trace's minimum."""
    trace, ceiling = outcome["trace"], rubric.ceiling.value
    judged = rows and rows[0]["name"] == "task_adherence"
    if not judged or trace is None:
        return rows
    limit = min(operand["value"] for operand in trace["operands"][1:])
    if limit < ceiling:
        span = Span(0, 100, "1")
        left, width = f"{span.place(exact(limit)):.2f}%", _width(span, exact(limit), 100)
        rows[0]["zones"].append({"kind": "zero", "left": left, "width": width})
        rows[0]["words"] = f"With the rules that fired it counts as {view.number(limit)} at most"
    return rows


def _parts(module: Module, grade_band: str, marker: str, outcome: Mapping[str, Any]) -> dict[str, Shown]:
    """The sub-markers by the input that they need, as the trace weighed or dropped them."""
    rule = module.rules[marker][grade_band]
    quality = view.find(outcome["trace"], "quality", "weighted_quality")
    if quality is None:
        return {}
    pairs = zip(quality["operands"][::2], quality["operands"][1::2], strict=True)
    weighed = {weight["name"].removesuffix("_weight"): (step, weight) for step, weight in pairs}
    found = {}
    for part in rule.components:
        step, weight = weighed.get(part.id, (None, None))
        why = next((text for text in quality["note"].split("; ") if text.startswith(f"{part.id} dropped: ")), "")
        derived = rule.rule == "alignment"
        found[part.needs] = {
            "id": part.id,
            "title": part.title,
            "derived": derived,
            "step": step,
            "weight": weight,
            "why": why.partition(": ")[2].replace(f"{part.needs} could not be", "not"),
            "curve": None,
        }
        if derived and step is not None:
            at = view.find(step, part.needs)
            assert at is not None
            found[part.needs]["value"] = view.number(at["value"])
            found[part.needs]["pin"] = _pin(WHOLE, exact(at["value"]), step["value"])
            found[part.needs]["curve"] = quality_curve(module.id, grade_band, marker, part.id, WHOLE)
            edges = [edge for edge in edges_of(part) if edge is not None]
            found[part.needs]["edges"] = _edges(WHOLE, edges)
            found[part.needs]["full"] = next(o["value"] for o in step["operands"] if o["name"] == "full")
    return found


def _pin(span: Span, x: Exact, y: float) -> Shown:
    return {"x": f"{span.place(x):.2f}%", "y": f"{100 - y * 100:.2f}%"}


def _quality(rubric: Rubric, outcome: Mapping[str, Any]) -> Shown | None:
    """Where the weighted quality stands in the tiers."""
    trace = outcome["trace"]
    fraction = view.find(trace, "frac", "tier_fraction")
    if fraction is None:
        return None
    quality, _, top = fraction["operands"]
    base = view.find(trace, "base_score") or trace
    ceiling = float(rubric.ceiling.value)
    cut = view.find(trace, "hesitation_cut", "cut")
    return {
        "curve": tier_curve(),
        "pin": _pin(WHOLE, exact(quality["value"]), base["value"] / ceiling),
        "quality": quality,
        "fraction": fraction,
        "base": base,
        "cut": cut,
        "top": top if top["note"] else None,
        "edges": _edges(WHOLE, [tier.quality_low.value for tier in rubric.tiers]),
    }


def _row(
    rubric: Rubric,
    module: Module,
    state: State,
    given: Input,
    numbers: Mapping[str, Exact],
    parts: Mapping[str, Shown],
    cut: Mapping[str, Any] | None,
) -> Shown:
    number = given.number
    assert number is not None
    span = span_of(module, state.grade_band, given, numbers)
    track = track_of(rubric, module, state.grade_band, given, span, numbers)
    part, value = parts.get(given.name), numbers.get(given.name)
    return {
        "name": given.name,
        "title": TITLES[given.name],
        "meaning": MEANINGS.get(given.name, ""),
        "unit": "" if number.whole and number.unit == "score" else view.unit(number.unit),
        "text": state.values[given.name],
        "low": str(float(span.low)).removesuffix(".0"),
        "high": str(float(span.high)).removesuffix(".0"),
        "step": span.step,
        "least": number.low,
        "most": number.high,
        "typed_step": "1" if number.whole else "any",
        "nullable": number.nullable,
        "measured": given.name not in state.unmeasured,
        "zones": [
            {"kind": zone.kind, "left": f"{span.place(zone.low):.2f}%", "width": _width(span, zone.low, zone.high)}
            for zone in track.zones
        ],
        "edges": _edges(span, track.edges),
        "was": None,
        "words": track.words,
        "part": part,
        "place": None if value is None else f"{span.place(value):.2f}%",
        **_curve_of(module, state, given, span, part or {}, value, cut),
    }


def _edges(span: Span, edges: Iterable[Exact]) -> list[Shown]:
    """The edges with their numbers, save where the next one leaves no room for it."""
    inside = sorted({edge for edge in edges if span.low <= edge <= span.high})
    if not inside:
        return []
    following = [*(span.place(edge) for edge in inside[1:]), LABEL_ROOM + 100]
    return [
        {
            "left": f"{span.place(edge):.2f}%",
            "text": view.number(float(edge)) if after - span.place(edge) >= LABEL_ROOM else "",
        }
        for edge, after in zip(inside, following, strict=True)
    ]


def _width(span: Span, low: Exact, high: Exact) -> str:
    return f"{max(0.0, span.place(high) - span.place(low)):.2f}%"


def _curve_of(
    module: Module,
    state: State,
    given: Input,
    span: Span,
    part: Mapping[str, Any],
    value: Exact | None,
    cut: Mapping[str, Any] | None,
) -> Shown:
    """The curve over a slider, with the pin where the trace has it."""
    rule = module.rules[given.marker][state.grade_band]
    found = component_of(module, state.grade_band, given.marker, given.name)
    pin = None
    if rule.cut is not None and given.name == rule.cut.needs:
        if cut is not None and value is not None:
            pin = _pin(span, value, cut["value"] / float(rule.cut.max_cut.value))
        return {"curve": cut_curve(module.id, state.grade_band, span), "pin": pin, "cut": cut}
    if found is None:
        return {"curve": None, "pin": None, "cut": None}
    step = part.get("step")
    if value is not None and step is not None and given.name not in state.unmeasured:
        pin = _pin(span, value, step["value"])
    return {
        "curve": quality_curve(module.id, state.grade_band, given.marker, found.id, span),
        "pin": pin,
        "cut": None,
    }
