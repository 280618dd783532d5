"""Edges and ties. Expected scores are worked out here from the guide's formulas, or the oracle's where it says so."""

from __future__ import annotations

import itertools
import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from scoring_oracle import (
    BANDS,
    CAPS,
    CHOPPY,
    CLOSED,
    HESITATION,
    MARKERS,
    PACE,
    READING,
    STEADINESS,
    VOLUME,
    WEIGHTS,
    expect,
    kind,
)
from scoring_requests import MODULES, ORDER_RULES, answers, compare, dump, request, scores

HAIR = Decimal("0.000001")
EVERY = [(module, band) for module in MODULES for band in BANDS]
# Everything at full credit, so that one measurement moves one quality.
PERFECT_RATE = {
    "words_per_minute": 130,
    "pace_variation": Decimal("0.16"),
    "choppy_breaks_per_minute": 0,
    "hesitations_per_minute": 0,
    "speech_seconds": 30,
    "pace_rises": True,
}
PERFECT_VOLUME = {"level_db": 60, "consistency_db": 0, "fade_db": 0}


def _about(*edges: Any) -> list[Decimal]:
    """Each edge, a hair under it, a hair over it; and the middle between each edge and the next."""
    spots = [Decimal(str(float(edge))) for edge in edges]
    middles = [(a + b) / 2 for a, b in itertools.pairwise(spots)]
    return [value for spot in spots for value in (spot - HAIR, spot, spot + HAIR) if value >= 0] + middles


def _check(module: str, band: str, marker: str, values: list[dict[str, Any]]) -> None:
    """Compare a marker alone (the others pending) with the oracle, for each of its values."""
    lines = [dump({"module": module, "grade_band": band, "inputs": {marker: value}}) for value in values]
    for line, found in zip(lines, answers(lines), strict=True):
        compare(line, found)


@pytest.mark.parametrize(("module", "band"), EVERY)
def test_every_edge_of_every_rate_table(module: str, band: str) -> None:
    """Pace, steadiness, choppiness and the cut at, a hair under and a hair over each edge, against the oracle."""
    low, high = STEADINESS[module]
    key = (kind(module), band)
    edges: dict[str, tuple[Any, ...]] = {
        "words_per_minute": (0, *PACE[key]),
        "pace_variation": (0, *([low] if low else []), high, 2 * high),
        "choppy_breaks_per_minute": (0, *CHOPPY[key]),
        "hesitations_per_minute": (0, HESITATION[key][0], HESITATION[key][0] + 1),
        "speech_seconds": (Fraction("9.99"), 10),
    }
    base = request(module, band)["inputs"]["speaking_rate"]
    starts = (PERFECT_RATE, base, base | {"pace_variation": None, "speech_seconds": Decimal("9.99")})
    values = [start | {name: value} for name, spots in edges.items() for value in _about(*spots) for start in starts]
    _check(module, band, "speaking_rate", values)


@pytest.mark.parametrize("band", BANDS)
def test_every_edge_of_every_volume_table(band: str) -> None:
    steady, unsteady, free, gone = VOLUME[band]
    edges = {"level_db": (35, 45, 75, 85), "consistency_db": (0, steady, unsteady), "fade_db": (0, free, gone)}
    values = [PERFECT_VOLUME | {name: value} for name, spots in edges.items() for value in _about(*spots)]
    _check("poem_recitation", band, "volume_control", values)


@pytest.mark.parametrize("band", BANDS)
def test_every_edge_of_the_reading_tables(band: str) -> None:
    """A text of 2,000 words has a count for every edge (two decimals), and for one word beside it."""
    full_completion, floor_completion, full_accuracy, floor_accuracy = (int(edge * 2000) for edge in READING[band])
    values = []
    for reached in (full_completion, floor_completion, 2000, 0):
        for step in (-1, 0, 1):
            left = min(2000, max(0, 2000 - reached - step))
            counts = {"reference_words": 2000, "trailing_omissions": left, "matched": 2000 - left, "insertions": 0}
            values.append(counts)
    for matched in (full_accuracy, floor_accuracy, 2000, 0):
        for step in (-1, 0, 1):
            counts = {"reference_words": 1990, "trailing_omissions": 0, "insertions": 10}
            counts["matched"] = min(1990, max(0, matched + step))
            values.append(counts)
    _check("paragraph_reading", band, "task_adherence", values)


def _volume_of_quality(quality: Decimal) -> dict[str, Any]:
    """Measurements (Elementary) whose weighted quality is exactly this: level alone, then steadiness and fade added."""
    for base, consistency, fade in ((0, 16, 5), (Decimal("0.4"), 8, 5), (Decimal("0.5"), 8, 0)):
        level = (quality - base) * 2
        if 0 <= level <= 1:
            return {"level_db": 35 + 10 * level, "consistency_db": consistency, "fade_db": fade}
    raise AssertionError(quality)


# (tier's lower quality, lower score, [(quality of a tie, score)]): the score falls on .5 exactly and is rounded up.
POOR = [(Decimal("0.0048") + Decimal("0.0096") * k, k + 1) for k in range(25)]
BELOW = [(Decimal("0.245") + Decimal("0.01") * k, 27 + k) for k in range(24)]
ADEQUATE = [(Decimal("0.485") + Decimal("0.01") * k, 52 + k) for k in range(24)]
GOOD = [(Decimal("0.765"), 80), (Decimal("0.855"), 87)]
EXCELLENT = [
    (Decimal("0.91375"), 92),
    (Decimal("0.94125"), 93),
    (Decimal("0.96875"), 94),
    (Decimal("0.99625"), 95),
]


@pytest.mark.parametrize(("quality", "score"), [*POOR, *BELOW, *ADEQUATE, *GOOD, *EXCELLENT])
def test_scores_that_fall_on_a_half_go_up(quality: Decimal, score: int) -> None:
    """0.485: 51 + 0.005 / 0.24 * 24 = 51.5, so 52; a millionth less gives 51."""
    at, under = (
        answers([request("audio_postcard", "elementary", volume_control=_volume_of_quality(value))])[0]["markers"][
            "volume_control"
        ]
        for value in (quality, quality - HAIR)
    )
    assert (at["quality"], at["score"]) == (float(quality), score)
    assert (under["quality"], under["score"]) == (float(quality - HAIR), score - 1)


@pytest.mark.parametrize(
    ("edge", "first", "last"), [("0.24", 26, 25), ("0.48", 51, 50), ("0.72", 76, 75), ("0.90", 91, 90), ("1", 95, 95)]
)
def test_the_lower_edge_belongs_to_the_tier(edge: str, first: int, last: int) -> None:
    at, under = (
        scores(request("tongue_twister", "elementary", volume_control=_volume_of_quality(value)))["volume_control"]
        for value in (Decimal(edge), Decimal(edge) - HAIR)
    )
    assert (at, under) == (first, last)


def test_the_tier_that_was_taken_is_named() -> None:
    trace = answers([request("audio_postcard", "elementary", volume_control=_volume_of_quality(Decimal("0.72")))])[0][
        "markers"
    ]["volume_control"]["trace"]
    frac = next(node for node in trace["operands"] if node["name"] == "frac")
    assert (frac["value"], frac["note"]) == (0, "tier taken: Good")


def _rate(module: str, band: str, **fields: Any) -> Any:
    return scores(request(module, band, speaking_rate=PERFECT_RATE | fields))["speaking_rate"]


def test_ten_seconds_of_speech_are_enough() -> None:
    """Middle, open, ten choppy breaks (quality 0.25): 0.35 + 0.25 + 0.4 * 0.25 = 0.7, 73; cut 25 %: 54.75, 55.

    At 9.99 s choppiness is dropped and the cut is off: 0.6 / 0.6 = 1, 95.
    """
    broken = {"choppy_breaks_per_minute": 10, "hesitations_per_minute": 4}
    assert _rate("rapid_fire_qa", "middle", speech_seconds=10, **broken) == 55
    assert _rate("rapid_fire_qa", "middle", speech_seconds=Decimal("9.99"), **broken) == 95


def test_pace_variation_that_could_not_be_measured() -> None:
    """Closed, ten breaks at Middle (quality 0): 0.30 / (0.30 + 0.35) = 0.461538, 26 + 22.1538 = 48.15, 48.

    With less than ten seconds only words per minute is left: 1, 95. For the twister three are left of four, or two.
    """
    assert _rate("poem_recitation", "middle", pace_variation=None, choppy_breaks_per_minute=10) == 48
    assert _rate("poem_recitation", "middle", pace_variation=None, speech_seconds=5) == 95
    # 0.25 + 0.20 * 0 + 0.30 over 0.75 = 0.733333: 76 + 0.013333 / 0.18 * 14 = 77.04
    assert _rate("tongue_twister", "middle", pace_variation=None, choppy_breaks_per_minute=10) == 77
    # 0.25 + 0.30 * 0.3 over 0.55 = 0.618182: 51 + 0.138182 / 0.24 * 24 = 64.82
    assert _rate("tongue_twister", "middle", pace_variation=None, speech_seconds=5, pace_rises=False) == 65


def test_the_twister_s_pace_is_never_penalised_and_its_rise_counts() -> None:
    """0.25 + 0.25 + 0.20 + 0.30 * 0.3 = 0.79: 76 + 0.07 / 0.18 * 14 = 81.44, whatever the words per minute."""
    for words_per_minute in (0, 20, 130, 400):
        assert _rate("tongue_twister", "high", words_per_minute=words_per_minute) == 95
        assert _rate("tongue_twister", "high", words_per_minute=words_per_minute, pace_rises=False) == 81
    # Short: 0.25 + 0.25 + 0.30 * 0.3 over 0.80 = 0.7375: 76 + 0.0175 / 0.18 * 14 = 77.36
    assert _rate("tongue_twister", "high", pace_rises=False, speech_seconds=9) == 77


@pytest.mark.parametrize(
    ("module", "band", "rate", "score"),
    [
        ("audio_postcard", "elementary", 0, 95),
        ("audio_postcard", "elementary", 6, 90),  # 5 %: 95 * 0.95 = 90.25
        ("audio_postcard", "elementary", 12, 86),  # 10 %: 85.5
        ("audio_postcard", "elementary", 40, 86),
        ("story_building", "middle", 2, 83),  # 12.5 %: 83.125
        ("story_building", "middle", 4, 71),  # 25 %: 71.25
        ("story_building", "high", 4, 76),  # 20 %: 76
        ("story_building", "high", 5, 71),
        ("paragraph_reading", "elementary", 8, 86),  # 10 %: 85.5
        ("paragraph_reading", "middle", 5, 81),  # 15 %: 80.75
        ("paragraph_reading", "middle", 1, 92),  # 3 %: 92.15
        ("paragraph_reading", "high", 3, 71),  # 25 %: 71.25
        ("paragraph_reading", "high", 1, 87),  # 8.3333 %: 95 * 0.916667 = 87.08
        ("paragraph_reading", "high", 9, 71),
    ],
)
def test_the_hesitation_cut_by_hand(module: str, band: str, rate: int, score: int) -> None:
    assert _rate(module, band, hesitations_per_minute=rate) == score


def test_a_fade_under_zero_is_full_credit_and_no_more() -> None:
    for fade in (Decimal("-0.01"), -6, -400):
        found = scores(request("audio_postcard", "high", volume_control=PERFECT_VOLUME | {"fade_db": fade}))
        assert found["volume_control"] == 95


@pytest.mark.parametrize(("given", "score"), [(0, 0), (94, 94), (95, 95), (96, 95), (100, 95)])
@pytest.mark.parametrize("marker", ["pronunciation", "fluency", "task_adherence"])
def test_judged_scores_stop_at_the_ceiling_and_say_so(marker: str, given: int, score: int) -> None:
    outcome = answers([request("rapid_fire_qa", "high", **{marker: {"score": given}})])[0]["markers"][marker]
    assert outcome["score"] == score
    assert ("ceiling" in outcome["trace"]["note"]) == (given > 95)


@pytest.mark.parametrize(
    ("score", "detail", "fired", "expected"),
    [
        (88, True, [], 88),
        (100, True, [], 95),
        (88, False, [], 75),
        (74, False, [], 74),
        (75, False, [], 75),
        (76, False, [], 75),
        (88, True, ["substance"], 75),
        (88, True, ["groundedness"], 60),
        (88, True, ["over_vagueness"], 88),
        (92, True, ["over_vagueness"], 90),
        (88, True, ["reversal"], 50),
        (49, True, ["reversal"], 49),
        (88, False, ["groundedness", "over_vagueness"], 60),
        (99, True, list(CAPS), 50),
    ],
)
def test_postcard_caps(score: int, detail: bool, fired: list[str], expected: int) -> None:
    judged = {"score": score, "specific_detail": detail, "guardrails": fired}
    assert scores(request("audio_postcard", "middle", task_adherence=judged))["task_adherence"] == expected


@pytest.mark.parametrize("broken", [[], ["end_with_last"], ["introduced_before_referenced"], list(ORDER_RULES)])
@pytest.mark.parametrize("score", [84, 85, 86, 95, 96, 100])
def test_order_rules_cap_at_85(broken: list[str], score: int) -> None:
    judged = {"score": score, "broken_order_rules": broken}
    found = scores(request("short_informative_presentation", "high", task_adherence=judged))["task_adherence"]
    assert found == min(score, 85 if broken else 95)


@pytest.mark.parametrize(
    ("present", "required", "story", "expected"),
    [
        (8, 8, 25, 30),  # 62.5 -> 63, capped
        (8, 8, 26, 63),
        (0, 8, 25, 13),  # 12.5 -> 13, under the cap
        (0, 8, 0, 0),
        (8, 8, 100, 95),
        (8, 8, 91, 95),  # 95.5 -> 96
        (1, 8, 80, 47),  # 12.5 -> 13; 46.5 -> 47
        (3, 8, 60, 49),  # 37.5 -> 38; 49
        (1, 3, 70, 52),  # 33; 51.5 -> 52
        (2, 3, 70, 69),  # 67; 68.5 -> 69
        (5, 7, 77, 74),  # 71.43 -> 71; 74
        (1, 200, 27, 14),  # 0.5 -> 1; 14
        (1, 1, 24, 30),
        (4, 11, 23, 30),  # 36.36 -> 36; 29.5 -> 30
    ],
)
def test_story_blend_and_cap(present: int, required: int, story: int, expected: int) -> None:
    given = {"keywords_required": required, "keywords_present": present, "story": story}
    assert scores(request("story_building", "elementary", task_adherence=given))["task_adherence"] == expected


@pytest.mark.parametrize(
    ("counts", "score"),
    [
        # completion 1, accuracy 108/120 = 0.9: (0.9 - 0.55) / 0.42 = 0.833333; 0.4 + 0.5 = 0.9 to six decimals: 91
        ((120, 0, 108, 0), 91),
        # completion 90/120 = 0.75: 0.2 / 0.41 = 0.487805; accuracy 90/120: 0.2 / 0.42 = 0.476190; 0.480836: 51.08
        ((120, 30, 90, 0), 51),
        # accuracy 90/125 = 0.72: 0.17 / 0.42 = 0.404762; 0.195122 + 0.242857 = 0.437979: 26 + 19.80 = 45.80
        ((120, 30, 90, 5), 46),
        ((120, 120, 0, 0), 0),
        ((1, 0, 1, 0), 95),
        # accuracy 1/2 is under the floor: 0.4, 26 + 0.16 / 0.24 * 24 = 42
        ((1, 0, 1, 1), 42),
    ],
)
def test_readings_at_middle_by_hand(counts: tuple[int, int, int, int], score: int) -> None:
    names = ("reference_words", "trailing_omissions", "matched", "insertions")
    given = dict(zip(names, counts, strict=True))
    assert scores(request("poem_recitation", "middle", task_adherence=given))["task_adherence"] == score


@pytest.mark.parametrize("module", MODULES)
def test_overalls_that_fall_on_a_half_go_up(module: str) -> None:
    """Sums of hundredths that end in 50, found among judged scores; the half goes up."""
    rng = random.Random(module)
    weights = dict(zip(MARKERS, WEIGHTS[module], strict=True))
    base = request(module, "middle")
    measured = {name: score for name, score in expect(dump(base)).scores.items() if isinstance(score, int)}
    ties: list[tuple[dict[str, int], int]] = []
    while len(ties) < 12:
        judged = measured | {"pronunciation": rng.randint(0, 95), "fluency": rng.randint(0, 95)}
        if module not in (*CLOSED, "story_building"):
            judged["task_adherence"] = rng.randint(0, 95)
        hundredths = sum(weights[name] * score for name, score in judged.items())
        if hundredths % 100 == 50:
            ties.append((judged, hundredths // 100 + 1))
    for judged, overall in ties:
        tied = request(module, "middle")
        for name, score in judged.items():
            if "score" in tied["inputs"][name]:
                tied["inputs"][name]["score"] = score
        assert scores(tied) == judged | {"overall": overall}
