"""Where a slider begins and ends, and where on it a value earns all or nothing: all from the rubric's parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from vivavoce.report import view
from vivavoce.rubric.model import Component, MarkerRule, Module, Rubric
from vivavoce.trace import Exact, Node
from vivavoce.web.lab.state import Input

# How far a slider goes beyond the last edge of its rule, as a share of that edge.
BEYOND = Fraction(5, 4)
# What one step of a slider is, by unit; a typed number may be finer.
STEPS = {"wpm": "0.1", "ratio": "0.001", "1/min": "0.05", "dB": "0.05", "s": "0.1"}
LEVEL_MARGIN_DB = 15
SPEECH_S = 90
KEYWORDS_MOST = 12
# A slider of counts holds the text and room for more of it.
COUNTS_STEP = 50


@dataclass(frozen=True, slots=True)
class Span:
    """A slider's ends and its step."""

    low: Exact
    high: Exact
    step: str

    def place(self, value: Exact) -> float:
        """Where a value stands, in percent of the way; beyond an end it stands at the end."""
        share = Fraction(value - self.low) / Fraction(self.high - self.low)
        return float(min(Fraction(1), max(Fraction(0), share)) * 100)


@dataclass(frozen=True, slots=True)
class Zone:
    """A stretch of a slider: `full` earns all, `zero` nothing, anything else is a tier's place."""

    kind: str
    low: Exact
    high: Exact


@dataclass(frozen=True, slots=True)
class Track:
    """A slider's stretches, the edges that are written under it, and the same in words."""

    zones: tuple[Zone, ...]
    edges: tuple[Exact, ...]
    words: str


def component_of(module: Module, grade_band: str, marker: str, name: str) -> Component | None:
    """Return the sub-marker that an input feeds, or None."""
    parts = module.rules[marker][grade_band].components
    return next((part for part in parts if part.needs == name), None)


def edges_of(part: Component) -> tuple[Exact | None, Exact | None, Exact | None, Exact | None]:
    """Return where a sub-marker's quality is 0, 1, 1 and 0 again, rising; None where a side never ends."""
    by = {node.name: node.value for node in part.parameters}
    if part.rule == "range":
        return by["zero_low"], by["full_low"], by["full_high"], by["zero_high"]
    if part.rule == "at_most":
        return None, None, by["full"], by["zero"]
    if part.rule == "at_least":
        return by["zero"], by["full"], None, None
    if part.rule == "steady_band":
        return None, by["low"], by["high"], by["high"] * by["zero_at_factor"]
    if part.rule == "steady_ceiling":
        return None, None, by["ceiling"], by["ceiling"] * by["zero_at_factor"]
    return None, None, None, None


def _up(value: Exact, step: int = 1) -> int:
    return ceil(Fraction(value) / step) * step


def span_of(module: Module, grade_band: str, given: Input, values: Mapping[str, Exact]) -> Span:
    """Return a slider's span; of counts it holds the text that is there."""
    assert given.number is not None
    if given.number.unit == "score":
        return Span(0, 100, "1")
    if given.name.startswith("keywords"):
        return Span(given.number.low, max(KEYWORDS_MOST, min(100, int(values.get("keywords_required", 0)))), "1")
    if given.number.whole:
        most = _up(max(values.get("reference_words", 1), 1), COUNTS_STEP) + (
            COUNTS_STEP if module.repetitions == 1 else 0
        )
        return Span(given.number.low, most, "1")
    step = STEPS[given.number.unit]
    if given.name == "speech_seconds":
        return Span(0, SPEECH_S, step)
    rule = module.rules[given.marker][grade_band]
    if rule.cut is not None and given.name == rule.cut.needs:
        return Span(0, _up(rule.cut.rate_at_max.value * BEYOND), step)
    part = component_of(module, grade_band, given.marker, given.name)
    zero_low, _, _, zero_high = edges_of(part) if part is not None else (None, None, None, None)
    if zero_high is None:
        # The twister's pace: never penalised, so that no row bounds it.
        return Span(0, 300, step)
    if zero_low is not None and given.number.low < 0:
        return Span(zero_low - LEVEL_MARGIN_DB, zero_high + LEVEL_MARGIN_DB, step)
    if given.number.unit == "ratio":
        return Span(0, Fraction(_up(zero_high * BEYOND * 20), 20), step)
    return Span(-_up(zero_high) if given.number.low < 0 else 0, _up(zero_high * BEYOND), step)


def _named(value: Exact) -> str:
    return view.number(value if isinstance(value, int) else float(value))


def _words(count: int) -> str:
    return f"{_named(count)} {'word' if count == 1 else 'words'}"


def _component_track(part: Component, span: Span, unit: str) -> Track:
    zero_low, full_low, full_high, zero_high = edges_of(part)
    if part.rule == "forced":
        return Track((Zone("full", span.low, span.high),), (), "Full credit everywhere: pace is never penalised here")
    zones = [Zone("full", span.low if full_low is None else full_low, span.high if full_high is None else full_high)]
    outside = []
    if zero_low is not None:
        zones.append(Zone("zero", span.low, zero_low))
        outside.append(f"under {_named(zero_low)}")
    if zero_high is not None:
        zones.append(Zone("zero", zero_high, span.high))
        outside.append(f"over {_named(zero_high)}")
    if full_low is None and full_high is not None:
        full = f"up to {_named(full_high)}"
    else:
        full = f"{_named(full_low or 0)}–{_named(full_high or 0)}"
    gentle = ""
    if part.rule == "steady_band":
        least = next(node for node in part.parameters if node.name == "quality_at_zero")
        gentle = f"; at 0 still {_named(least.value)}"
    words = f"Full credit {full} {unit}".strip() + f", none {' or '.join(outside)}{gentle}"
    edges = [edge for edge in (zero_low, full_low, full_high, zero_high) if edge is not None]
    return Track(tuple(zones), tuple(edges), words)


def _score_track(rubric: Rubric, rule: MarkerRule, *, story: bool) -> Track:
    rising = sorted(rubric.tiers, key=lambda tier: tier.score_low.value)
    lows = [tier.score_low.value for tier in rising]
    ceiling = rubric.ceiling.value
    tops = [*lows[1:], 100 if story else ceiling]
    zones = [Zone(f"t{rank}", low, top) for rank, (low, top) in enumerate(zip(lows, tops, strict=True), 1)]
    if story:
        weak, cap = ((rule.parameters or {})[name] for name in ("weak_story_at_most", "weak_story_cap"))
        zones.append(Zone("zero", 0, weak.value))
        return Track(
            tuple(zones), tuple(lows[1:]), f"At or under {weak.text} the blend is capped at {_named(cap.value)}"
        )
    zones.append(Zone("zero", ceiling, 100))
    return Track(
        tuple(zones), (*lows[1:], ceiling), f"Over {_named(ceiling)} it counts as {_named(ceiling)}: the ceiling"
    )


def _count_track(name: str, parts: Mapping[str, Component], values: Mapping[str, Exact], span: Span) -> Track:
    """The counts that earn all or nothing while the other counts stay as they are."""
    words = values["reference_words"]
    edge = {(part, node.name): node.value for part in ("completion", "accuracy") for node in parts[part].parameters}
    if name == "trailing_omissions":
        full = floor(words * (1 - edge["completion", "full"]))
        zero = ceil(words * (1 - edge["completion", "zero"]))
        zones = (Zone("full", 0, full), Zone("zero", zero, span.high))
        return Track(zones, (full, zero), f"Full completion up to {_words(full)}, none from {zero}")
    if name == "matched":
        spoken = words + values["insertions"]
        full, zero = ceil(spoken * edge["accuracy", "full"]), floor(spoken * edge["accuracy", "zero"])
        within = (*([Zone("full", full, words)] if full <= words else []), Zone("zero", 0, zero))
        reach = "" if full <= words else f"; out of reach, since the text has {_named(words)}"
        return Track(within, (zero, full), f"Full accuracy from {_words(full)}, none up to {zero}{reach}")
    full = floor(values["matched"] / edge["accuracy", "full"] - words)
    zero = max(0, ceil(values["matched"] / edge["accuracy", "zero"] - words))
    if full < 0:
        return Track(
            (Zone("zero", zero, span.high),), (zero,), f"Too few words match for full accuracy; none from {zero}"
        )
    zones = (Zone("full", 0, full), Zone("zero", zero, span.high))
    return Track(zones, (full, zero), f"Full accuracy up to {_words(full)}, none from {zero}")


def track_of(
    rubric: Rubric, module: Module, grade_band: str, given: Input, span: Span, values: Mapping[str, Exact]
) -> Track:
    """Return what is drawn on a slider. `values`: the counts that the track depends on, where they are numbers."""
    assert given.number is not None
    rule = module.rules[given.marker][grade_band]
    if given.number.unit == "score":
        return _score_track(rubric, rule, story=given.name == "story")
    if given.name == "keywords_required":
        return Track((), (), "How many keywords the task gives")
    if given.name == "keywords_present":
        required = values.get("keywords_required")
        if required is None:
            return Track((), (), "")
        return Track((), (required,), f"Full coverage with all {_named(required)}")
    if given.name == "reference_words":
        times = f", which is to be said {module.repetitions} times" if module.repetitions > 1 else ""
        return Track((), (), f"How long the text is{times}")
    if given.number.whole:
        parts = {part.id: part for part in rule.components}
        whole = {"reference_words", "matched", "insertions"} <= set(values)
        return _count_track(given.name, parts, values, span) if whole else Track((), (), "")
    unit = view.unit(given.number.unit)
    if rule.cut is not None and given.name == rule.cut.needs:
        most: Node = rule.cut.rate_at_max
        zones = (Zone("full", 0, 0), Zone("zero", most.value, span.high))
        percent = _named(rule.cut.max_cut.value * 100)
        return Track(
            zones, (most.value,), f"No cut at 0, the whole cut of {percent} % from {_named(most.value)} {unit}"
        )
    if rule.short_under_s is not None and given.name == "speech_seconds":
        short = rule.short_under_s
        return Track(
            (Zone("zero", 0, short.value),),
            (short.value,),
            f"Under {short.text} s choppiness is dropped and the hesitation cut is off; at 0 nothing is scored",
        )
    part = component_of(module, grade_band, given.marker, given.name)
    return _component_track(part, span, unit) if part is not None else Track((), (), "")
