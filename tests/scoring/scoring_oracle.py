"""A second, slow implementation of the school rubric's arithmetic, to compare the engine with.

Written from the guide's text and from decisions A1-A15 alone, before the engine or its rubric data were read: every
number below was typed from the guide. Everything is an exact `Fraction`. It shares no code and no data with the engine,
and it looks nothing like it: plain tables and plain functions, no trace, no rules by name. Two things were added after
the engine was read, both from A2 and A6: 0.0000001 s of speech is 0 on the grid of 6 decimals, and consistency or fade
may be null as pace variation may.

`expect(line)` takes one line of JSON (a Score Lab request that is valid) and gives an `Expected`.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

MARKERS = ("pronunciation", "fluency", "speaking_rate", "volume_control", "task_adherence")
BANDS = ("elementary", "middle", "high")
PENDING = "pending"
NO_SPEECH = "no_speech"


def _f(text: str) -> Fraction:
    return Fraction(text)


# "Where the weight goes": whole hundredths, in the order of MARKERS.
WEIGHTS = {
    "audio_postcard": (16, 22, 13, 14, 35),
    "short_informative_presentation": (15, 15, 15, 20, 35),
    "story_building": (16, 17, 15, 14, 38),
    "poem_recitation": (21, 16, 16, 21, 26),
    "paragraph_reading": (25, 15, 15, 20, 25),
    "tongue_twister": (27, 9, 23, 18, 23),
    "rapid_fire_qa": (14, 23, 23, 17, 23),
    "silly_topics_debate": (20, 15, 20, 20, 25),
}
CLOSED = ("poem_recitation", "paragraph_reading", "tongue_twister")

# "Pace steadiness": (lower, upper); a ceiling has no lower edge.
STEADINESS = {
    "audio_postcard": (_f("0.12"), _f("0.28")),
    "short_informative_presentation": (_f("0.10"), _f("0.22")),
    "story_building": (_f("0.12"), _f("0.30")),
    "poem_recitation": (_f("0.15"), _f("0.30")),
    "paragraph_reading": (None, _f("0.18")),
    "tongue_twister": (None, _f("0.35")),
    "rapid_fire_qa": (None, _f("0.30")),
    "silly_topics_debate": (None, _f("0.30")),
}

# "Ideal pace": zero below, full from, full to, zero above.
PACE = {
    ("open", "elementary"): (65, 90, 180, 220),
    ("open", "middle"): (65, 110, 190, 230),
    ("open", "high"): (75, 110, 190, 230),
    ("closed", "elementary"): (65, 100, 180, 220),
    ("closed", "middle"): (75, 110, 190, 230),
    ("closed", "high"): (80, 110, 190, 230),
}

# "Choppy mid-phrase breaks per minute": full at or below, zero at or above.
CHOPPY = {
    ("open", "elementary"): (6, 15),
    ("open", "middle"): (4, 12),
    ("open", "high"): (3, 10),
    ("closed", "elementary"): (4, 12),
    ("closed", "middle"): (3, 10),
    ("closed", "high"): (2, 8),
}

# "Long or frozen pauses": penalty maxes out at (a minute), max cut.
HESITATION = {
    ("open", "elementary"): (12, _f("0.10")),
    ("open", "middle"): (4, _f("0.25")),
    ("open", "high"): (5, _f("0.25")),
    ("closed", "elementary"): (8, _f("0.10")),
    ("closed", "middle"): (5, _f("0.15")),
    ("closed", "high"): (3, _f("0.25")),
}

# WPM / Consistency / Choppiness, and the twister's four (A7).
RATE_PARTS = {
    "open": {"wpm": _f("0.35"), "consistency": _f("0.25"), "choppiness": _f("0.40")},
    "closed": {"wpm": _f("0.30"), "consistency": _f("0.35"), "choppiness": _f("0.35")},
    "twister": {"wpm": _f("0.25"), "consistency": _f("0.25"), "choppiness": _f("0.20"), "acceleration": _f("0.30")},
}

# Volume: steady up to, zero at; fade free up to, zero at.
VOLUME = {
    "elementary": (8, 16, _f("2.5"), 5),
    "middle": (6, 14, _f("2"), 5),
    "high": (5, 12, _f("1.5"), 5),
}

# Closed adherence: completion full, floor; accuracy full, floor.
READING = {
    "elementary": (_f("0.92"), _f("0.45"), _f("0.93"), _f("0.45")),
    "middle": (_f("0.96"), _f("0.55"), _f("0.97"), _f("0.55")),
    "high": (_f("0.98"), _f("0.65"), _f("0.99"), _f("0.65")),
}

# "Turning a quality into a score"; 1.01 from "Where the sources disagree".
TIERS = (
    ("excellent", _f("0.90"), _f("1.01"), 91, 95),
    ("good", _f("0.72"), _f("0.90"), 76, 90),
    ("adequate", _f("0.48"), _f("0.72"), 51, 75),
    ("below_average", _f("0.24"), _f("0.48"), 26, 50),
    ("poor", _f("0"), _f("0.24"), 0, 25),
)

CAPS = {"substance": 75, "groundedness": 60, "over_vagueness": 90, "reversal": 50}

# Fluency: smoothness, filler control, recovery.
FLUENCY_WEIGHTS = {
    ("open", "elementary"): (40, 25, 35),
    ("open", "middle"): (45, 25, 30),
    ("open", "high"): (45, 30, 25),
    ("closed", "elementary"): (35, 30, 35),
    ("closed", "middle"): (40, 35, 25),
    ("closed", "high"): (40, 40, 20),
    ("twister", "elementary"): (25, 30, 45),
    ("twister", "middle"): (30, 35, 35),
    ("twister", "high"): (30, 40, 30),
}

# The last count of each level, Excellent to Below Average; Poor is anything more. Where two levels claim one count, the
# better level has it (A11): High open fillers 2 (0-2 and 2-3); High closed 0 (0 and 0-1), twice.
FALSE_STARTS = {
    ("open", "elementary"): (2, 4, 7, 10),
    ("open", "middle"): (1, 3, 6, 9),
    ("open", "high"): (1, 2, 5, 8),
    ("closed", "elementary"): (1, 2, 4, 7),
    ("closed", "middle"): (0, 1, 3, 6),
    ("closed", "high"): (0, 1, 2, 5),
}
FILLERS = {
    ("open", "elementary"): (3, 5, 8, 12),
    ("open", "middle"): (1, 4, 7, 11),
    ("open", "high"): (2, 3, 5, 9),
    ("closed", "elementary"): (1, 3, 6, 10),
    ("closed", "middle"): (0, 2, 5, 9),
    ("closed", "high"): (0, 1, 3, 7),
}
LEVELS = tuple(tier[0] for tier in TIERS)


@dataclass(frozen=True)
class Expected:
    """What a request must come to: scores (a number, PENDING or NO_SPEECH), qualities, hesitation cut (None: none)."""

    scores: dict[str, int | str]
    qualities: dict[str, Fraction | None]
    overall: int | str
    cut: Fraction | None = None


def half_up(value: Fraction, digits: int = 0) -> Fraction:
    """Round half up (A1) to `digits` decimals."""
    scale = 10**digits
    return Fraction(math.floor(value * scale + Fraction(1, 2)), scale)


def kind(module: str) -> str:
    """`open` or `closed`: the tables that a module uses."""
    return "closed" if module in CLOSED else "open"


def falling(value: Fraction, full: Fraction | int, zero: Fraction | int) -> Fraction:
    """1 at or under `full`, 0 at or over `zero`, a straight line between (A3)."""
    if value <= full:
        return Fraction(1)
    if value >= zero:
        return Fraction(0)
    return (zero - value) / Fraction(zero - full)


def rising(value: Fraction, zero: Fraction | int, full: Fraction | int) -> Fraction:
    """0 at or under `zero`, 1 at or over `full`, a straight line between (A3)."""
    if value <= zero:
        return Fraction(0)
    if value >= full:
        return Fraction(1)
    return (value - zero) / Fraction(full - zero)


def steadiness(module: str, variation: Fraction) -> Fraction:
    """Quality of the pace's variation (A4)."""
    low, high = STEADINESS[module]
    if low is not None and variation < low:
        return _f("0.70") + _f("0.30") * variation / low
    return falling(variation, high, 2 * high)


def tier_score(quality: Fraction) -> int:
    """Interpolate a weighted quality inside its tier."""
    for _name, low, high, first, last in TIERS:
        if quality >= low:
            return int(half_up(first + (quality - low) / (high - low) * (last - first)))
    raise AssertionError(quality)


def weighted(parts: list[tuple[Fraction, Fraction]]) -> Fraction:
    """Sum of weight x quality over the sum of the weights, each quality and the result to 6 decimals (A2, A6)."""
    total = sum(weight for weight, _ in parts)
    return half_up(sum((weight * half_up(quality, 6) for weight, quality in parts), Fraction(0)) / total, 6)


def rate_quality(module: str, band: str, given: dict[str, Any]) -> Fraction:
    """The weighted quality of Speaking Rate & Pauses."""
    key = (kind(module), band)
    twister = module == "tongue_twister"
    weights = RATE_PARTS["twister" if twister else kind(module)]
    words_per_minute = _given(given["words_per_minute"])
    zero_low, low, high, zero_high = PACE[key]
    pace = min(rising(words_per_minute, zero_low, low), falling(words_per_minute, high, zero_high))
    qualities = {"wpm": Fraction(1) if twister else pace}
    if given["pace_variation"] is not None:
        qualities["consistency"] = steadiness(module, _given(given["pace_variation"]))
    if not _short(given):
        qualities["choppiness"] = falling(_given(given["choppy_breaks_per_minute"]), *CHOPPY[key])
    if twister:
        qualities["acceleration"] = Fraction(1) if given["pace_rises"] else _f("0.3")
    return weighted([(weights[name], quality) for name, quality in qualities.items()])


def rate_cut(module: str, band: str, given: dict[str, Any]) -> Fraction:
    """The hesitation cut (A5), 0 under ten seconds of speech (A6)."""
    if _short(given):
        return Fraction(0)
    at, most = HESITATION[kind(module), band]
    return half_up(most * min(Fraction(1), _given(given["hesitations_per_minute"]) / at), 6)


def rate_score(module: str, band: str, given: dict[str, Any]) -> tuple[int, Fraction]:
    """Score and weighted quality of Speaking Rate & Pauses."""
    quality = rate_quality(module, band, given)
    return int(half_up(tier_score(quality) * (1 - rate_cut(module, band, given)))), quality


def volume_score(band: str, given: dict[str, Any]) -> tuple[int, Fraction]:
    """Score and weighted quality of Volume Control."""
    steady, unsteady, free, gone = VOLUME[band]
    level = _given(given["level_db"])
    parts = [(_f("0.50"), min(rising(level, 35, 45), falling(level, 75, 85)))]
    if given["consistency_db"] is not None:
        parts.append((_f("0.40"), falling(_given(given["consistency_db"]), steady, unsteady)))
    if given["fade_db"] is not None:
        parts.append((_f("0.10"), falling(max(Fraction(0), _given(given["fade_db"])), free, gone)))
    quality = weighted(parts)
    return tier_score(quality), quality


def reading_score(band: str, given: dict[str, Any]) -> tuple[int, Fraction]:
    """Score and weighted quality of Task Adherence on a closed task."""
    reference, trailing = given["reference_words"], given["trailing_omissions"]
    completion = Fraction(reference - trailing, reference)
    accuracy = Fraction(given["matched"], reference + given["insertions"])
    full_completion, floor_completion, full_accuracy, floor_accuracy = READING[band]
    quality = weighted(
        [
            (_f("0.40"), rising(completion, floor_completion, full_completion)),
            (_f("0.60"), rising(accuracy, floor_accuracy, full_accuracy)),
        ]
    )
    return tier_score(quality), quality


def open_adherence(module: str, given: dict[str, Any]) -> int:
    """Score of Task Adherence on an open task (A9, A10)."""
    if module == "audio_postcard":
        limits = [CAPS[name] for name in given["guardrails"]]
        if not given["specific_detail"]:
            limits.append(75)
        return min([given["score"], 95, *limits])
    if module == "short_informative_presentation":
        return min(given["score"], 85 if given["broken_order_rules"] else 95)
    if module == "story_building":
        coverage = half_up(Fraction(given["keywords_present"], given["keywords_required"]) * 100)
        blended = half_up(coverage * _f("0.50") + given["story"] * _f("0.50"))
        return int(min(blended, 30 if given["story"] <= 25 else 95))
    return min(given["score"], 95)


def overall_score(module: str, scores: dict[str, int]) -> int:
    """Weighted sum of the five, rounded half up."""
    hundredths = sum(weight * scores[marker] for marker, weight in zip(MARKERS, WEIGHTS[module], strict=True))
    return int(half_up(Fraction(hundredths, 100)))


def expect(line: str) -> Expected:
    """What one valid request must come to."""
    request = json.loads(line, parse_float=Fraction)
    module, band, inputs = request["module"], request["grade_band"], request["inputs"]
    rate = inputs.get("speaking_rate")
    if rate is not None and _given(rate["speech_seconds"]) == 0:
        return Expected(dict.fromkeys(MARKERS, NO_SPEECH), dict.fromkeys(MARKERS), NO_SPEECH)
    scores: dict[str, int | str] = dict.fromkeys(MARKERS, PENDING)
    qualities: dict[str, Fraction | None] = dict.fromkeys(MARKERS)
    cut = None if rate is None or _short(rate) else rate_cut(module, band, rate)
    for marker in MARKERS:
        given = inputs.get(marker)
        if given is None:
            continue
        if marker == "speaking_rate":
            scores[marker], qualities[marker] = rate_score(module, band, given)
        elif marker == "volume_control":
            scores[marker], qualities[marker] = volume_score(band, given)
        elif marker == "task_adherence" and kind(module) == "closed":
            scores[marker], qualities[marker] = reading_score(band, given)
        elif marker == "task_adherence":
            scores[marker] = open_adherence(module, given)
        else:
            scores[marker] = min(given["score"], 95)
    if PENDING in scores.values():
        return Expected(scores, qualities, PENDING, cut)
    return Expected(scores, qualities, overall_score(module, {m: int(s) for m, s in scores.items()}), cut)


def level_of(table: dict[tuple[str, str], tuple[int, ...]], module: str, band: str, count: int) -> str:
    """The fluency level of a count per 30 seconds (A11)."""
    for level, last in zip(LEVELS, table[kind(module), band], strict=False):
        if count <= last:
            return level
    return LEVELS[-1]


def per_30_seconds(count: int, response_s: Fraction) -> int:
    """A13."""
    return count if response_s < 30 else int(half_up(count * 30 / response_s))


def fluency_interval(module: str, band: str, levels: tuple[str, str, str]) -> tuple[int, int]:
    """A14: the lowest and the highest score that smoothness, filler control and recovery levels allow."""
    weights = FLUENCY_WEIGHTS["twister" if module == "tongue_twister" else kind(module), band]
    edges = {name: (first, last) for name, _low, _high, first, last in TIERS}
    return (
        int(half_up(Fraction(sum(w * edges[level][0] for w, level in zip(weights, levels, strict=True)), 100))),
        int(half_up(Fraction(sum(w * edges[level][1] for w, level in zip(weights, levels, strict=True)), 100))),
    )


def _short(given: dict[str, Any]) -> bool:
    """Under ten seconds of actual speech, strictly (A6)."""
    return bool(_given(given["speech_seconds"]) < 10)


def _given(value: int | Fraction) -> Fraction:
    """Values given by hand keep up to 6 decimals (A2)."""
    return half_up(Fraction(value), 6)
