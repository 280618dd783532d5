"""A second transcription of the main numbers, typed by hand from the guide's pages, not from the edition's files.

Origin: read off the student speech guide (000_*.txt: the chapters of "Every module", "Shared tables", "Volume Control",
"Task Adherence on closed tasks", "Turning a quality into a score") and typed here, so that the proof does not vanish
where the guide is absent. The guide prints 1.00 as the upper edge of Excellent; 1.01 is from its disagreements.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from vivavoce.rubric.load import published
from vivavoce.rubric.model import LevelTable, Module
from vivavoce.trace import Node

RUBRIC = published()
MARKERS = ("pronunciation", "fluency", "speaking_rate", "volume_control", "task_adherence")

# Pronunciation, Fluency, Speaking Rate, Volume Control, Task Adherence; in hundredths.
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
# Kind, pace steadiness in hundredths (band: two edges, ceiling: one), fade.
CHAPTERS = {
    "audio_postcard": ("open", (12, 28), "phrase"),
    "short_informative_presentation": ("open", (10, 22), "phrase"),
    "story_building": ("open", (12, 30), "phrase"),
    "poem_recitation": ("closed", (15, 30), "whole"),
    "paragraph_reading": ("closed", (18,), "phrase"),
    "tongue_twister": ("closed", (35,), "whole"),
    "rapid_fire_qa": ("open", (30,), "whole"),
    "silly_topics_debate": ("open", (30,), "whole"),
}
# Label, quality from, quality to, score from, score to; qualities in hundredths.
TIERS = [
    ("Excellent", 90, 100, 91, 95),
    ("Good", 72, 90, 76, 90),
    ("Adequate", 48, 72, 51, 75),
    ("Below Average", 24, 48, 26, 50),
    ("Poor", 0, 24, 0, 25),
]
# Ideal range, then zero credit beyond.
PACE = {
    ("open", "elementary"): ((90, 180), (65, 220)),
    ("open", "middle"): ((110, 190), (65, 230)),
    ("open", "high"): ((110, 190), (75, 230)),
    ("closed", "elementary"): ((100, 180), (65, 220)),
    ("closed", "middle"): ((110, 190), (75, 230)),
    ("closed", "high"): ((110, 190), (80, 230)),
}
# Choppy breaks a minute: full, zero. Hesitations a minute at which the cut is largest, and that cut in percent.
PAUSES = {
    ("open", "elementary"): ((6, 15), (12, 10)),
    ("open", "middle"): ((4, 12), (4, 25)),
    ("open", "high"): ((3, 10), (5, 25)),
    ("closed", "elementary"): ((4, 12), (8, 10)),
    ("closed", "middle"): ((3, 10), (5, 15)),
    ("closed", "high"): ((2, 8), (3, 25)),
}
# Smoothness, filler control, recovery; in hundredths.
FLUENCY = {
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
# Excellent, Good, Adequate, Below Avg, Poor, as printed.
FALSE_STARTS = {
    ("open", "elementary"): "0–2 3–4 5–7 8–10 11+",
    ("open", "middle"): "0–1 2–3 4–6 7–9 10+",
    ("open", "high"): "0–1 2 3–5 6–8 9+",
    ("closed", "elementary"): "0–1 2 3–4 5–7 8+",
    ("closed", "middle"): "0 1 2–3 4–6 7+",
    ("closed", "high"): "0 0–1 2 3–5 6+",
}
FILLERS = {
    ("open", "elementary"): "0–3 4–5 6–8 9–12 13+",
    ("open", "middle"): "0–1 2–4 5–7 8–11 12+",
    ("open", "high"): "0–2 2–3 4–5 6–9 10+",
    ("closed", "elementary"): "0–1 2–3 4–6 7–10 11+",
    ("closed", "middle"): "0 1–2 3–5 6–9 10+",
    ("closed", "high"): "0 0–1 2–3 4–7 8+",
}
# Steady up to, zero at; fade free up to, zero at; in tenths of a dB.
VOLUME = {
    "elementary": ((80, 160), (25, 50)),
    "middle": ((60, 140), (20, 50)),
    "high": ((50, 120), (15, 50)),
}
# Completion full, floor; accuracy full, floor; in hundredths.
ADHERENCE = {
    "elementary": ((92, 45), (93, 45)),
    "middle": ((96, 55), (97, 55)),
    "high": ((98, 65), (99, 65)),
}

each_module = pytest.mark.parametrize("module", RUBRIC.modules.values(), ids=RUBRIC.modules)
each_band = pytest.mark.parametrize("band", ["elementary", "middle", "high"])


def _values(nodes: tuple[Node, ...], per: int = 1) -> tuple[Fraction | int, ...]:
    return tuple(Fraction(node.value) * per for node in nodes)


def _part(module: Module, marker: str, band: str, name: str) -> tuple[Node, ...]:
    return next(part for part in module.rules[marker][band].components if part.id == name).parameters


def _printed(table: LevelTable) -> str:
    """The levels as the guide prints them."""
    cells = []
    for level in table.levels:
        if level.highest is None:
            cells.append(f"{level.lowest}+")
        else:
            cells.append(str(level.lowest) if level.lowest == level.highest else f"{level.lowest}–{level.highest}")
    return " ".join(cells)


def test_modules_in_the_order_of_their_chapters() -> None:
    assert list(RUBRIC.modules) == list(WEIGHTS) == list(CHAPTERS)
    assert [module.chapter for module in RUBRIC.modules.values()] == [1, 2, 3, 4, 5, 6, 7, 8]


def test_grade_bands_tiers_and_ceiling() -> None:
    assert {band.id: band.grades for band in RUBRIC.grade_bands.values()} == {
        "elementary": (3, 4, 5),
        "middle": (6, 7, 8),
        "high": (9, 10),
    }
    assert RUBRIC.ceiling.value == 95
    tiers = [
        (
            tier.label,
            *_values((tier.quality_low, tier.quality_high), 100),
            *_values((tier.score_low, tier.score_high)),
        )
        for tier in RUBRIC.tiers
    ]
    assert tiers == TIERS
    assert [tier.interpolate_to.value for tier in RUBRIC.tiers] == [
        Fraction(hundredths, 100) for hundredths in (101, 90, 72, 48, 24)
    ]


@each_module
def test_module_weights(module: Module) -> None:
    assert _values(tuple(module.weights[marker] for marker in MARKERS), 100) == WEIGHTS[module.id]
    assert sum(WEIGHTS[module.id]) == 100


@each_module
@each_band
def test_kind_steadiness_and_fade(module: Module, band: str) -> None:
    kind, edges, fade = CHAPTERS[module.id]
    assert (module.kind, module.fade_method) == (kind, fade)
    assert _values(_part(module, "speaking_rate", band, "consistency"), 100)[: len(edges)] == edges


@each_module
@each_band
def test_pace_choppiness_and_hesitation(module: Module, band: str) -> None:
    (full_low, full_high), (zero_low, zero_high) = PACE[module.kind, band]
    choppy, (most, cut) = PAUSES[module.kind, band]
    if module.id == "tongue_twister":
        assert _values(_part(module, "speaking_rate", band, "words_per_minute")) == (1,)
    else:
        edges = _values(_part(module, "speaking_rate", band, "words_per_minute"))
        assert edges == (zero_low, full_low, full_high, zero_high)
    assert _values(_part(module, "speaking_rate", band, "choppiness")) == choppy
    held = module.rules["speaking_rate"][band].cut
    assert held is not None
    assert (held.rate_at_max.value, held.max_cut.value * 100) == (most, cut)


@each_module
@each_band
def test_sub_marker_weights_of_speaking_rate(module: Module, band: str) -> None:
    weights = tuple(part.weight for part in module.rules["speaking_rate"][band].components)
    twister = (25, 25, 20, 30)
    expected = twister if module.id == "tongue_twister" else {"open": (35, 25, 40), "closed": (30, 35, 35)}[module.kind]
    assert _values(weights, 100) == expected


def test_acceleration_is_worth_full_credit_or_three_tenths() -> None:
    twister = RUBRIC.modules["tongue_twister"]
    assert _values(_part(twister, "speaking_rate", "high", "acceleration"), 10) == (10, 3)


@each_module
@each_band
def test_fluency_tables(module: Module, band: str) -> None:
    tables = module.fluency[band]
    weights = "twister" if module.id == "tongue_twister" else module.kind
    names = ("smoothness", "filler_control", "recovery")
    assert _values(tuple(tables.weights[name] for name in names), 100) == FLUENCY[weights, band]
    assert _printed(tables.false_starts) == FALSE_STARTS[module.kind, band]
    assert _printed(tables.fillers) == FILLERS[module.kind, band]


@each_module
@each_band
def test_volume(module: Module, band: str) -> None:
    steady, fade = VOLUME[band]
    weights = tuple(part.weight for part in module.rules["volume_control"][band].components)
    assert _values(weights, 100) == (50, 40, 10)
    assert _values(_part(module, "volume_control", band, "level")) == (35, 45, 75, 85)
    assert _values(_part(module, "volume_control", band, "consistency"), 10) == steady
    assert _values(_part(module, "volume_control", band, "fade"), 10)[:2] == fade


@pytest.mark.parametrize("module", [m for m in RUBRIC.modules.values() if m.kind == "closed"], ids=lambda m: m.id)
@each_band
def test_adherence_on_closed_tasks(module: Module, band: str) -> None:
    completion, accuracy = ADHERENCE[band]
    weights = tuple(part.weight for part in module.rules["task_adherence"][band].components)
    assert _values(weights, 100) == (40, 60)
    assert _values(_part(module, "task_adherence", band, "completion"), 100) == completion[::-1]
    assert _values(_part(module, "task_adherence", band, "accuracy"), 100) == accuracy[::-1]


def test_caps_and_blend() -> None:
    def numbers(module: str) -> dict[str, int | float]:
        rule = RUBRIC.modules[module].rules["task_adherence"]["middle"]
        return {name: node.number for name, node in {**(rule.named_caps or {}), **(rule.parameters or {})}.items()}

    assert numbers("audio_postcard") == {
        "substance": 75,
        "groundedness": 60,
        "over_vagueness": 90,
        "reversal": 50,
        "no_specific_detail_cap": 75,
    }
    assert numbers("short_informative_presentation") == {"end_with_last": 85, "introduced_before_referenced": 85}
    assert numbers("story_building") == {
        "percent": 100,
        "coverage_weight": 0.5,
        "story_weight": 0.5,
        "weak_story_at_most": 25,
        "weak_story_cap": 30,
    }
