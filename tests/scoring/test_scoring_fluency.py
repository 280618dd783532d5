"""What a fluency judge is held to (A11, A13, A14), against the guide's rows as it prints them and against hand sums."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest
from scoring_oracle import (
    BANDS,
    CLOSED,
    FALSE_STARTS,
    FILLERS,
    LEVELS,
    fluency_interval,
    level_of,
    per_30_seconds,
)
from scoring_requests import MODULES, answer, request

from vivavoce.arithmetic import expression, replay
from vivavoce.rubric.load import published
from vivavoce.rubric.model import LevelTable
from vivavoce.scoring import fluency
from vivavoce.trace import leaf

# The guide's rows, copied as text: Excellent, Good, Adequate, Below Average, Poor.
ROWS = {
    ("false_starts", "open", "elementary"): "0–2 3–4 5–7 8–10 11+",
    ("false_starts", "open", "middle"): "0–1 2–3 4–6 7–9 10+",
    ("false_starts", "open", "high"): "0–1 2 3–5 6–8 9+",
    ("fillers", "open", "elementary"): "0–3 4–5 6–8 9–12 13+",
    ("fillers", "open", "middle"): "0–1 2–4 5–7 8–11 12+",
    ("fillers", "open", "high"): "0–2 2–3 4–5 6–9 10+",
    ("false_starts", "closed", "elementary"): "0–1 2 3–4 5–7 8+",
    ("false_starts", "closed", "middle"): "0 1 2–3 4–6 7+",
    ("false_starts", "closed", "high"): "0 0–1 2 3–5 6+",
    ("fillers", "closed", "elementary"): "0–1 2–3 4–6 7–10 11+",
    ("fillers", "closed", "middle"): "0 1–2 3–5 6–9 10+",
    ("fillers", "closed", "high"): "0 0–1 2–3 4–7 8+",
}
AMBIGUOUS = {
    ("fillers", "open", "high"): 2,
    ("false_starts", "closed", "high"): 0,
    ("fillers", "closed", "high"): 0,
}


def _claimed(row: str, count: int) -> list[str]:
    """The levels of a printed row that claim a count, best first."""
    claims = []
    for level, cell in zip(LEVELS, row.split(), strict=True):
        low, _, high = cell.rstrip("+").partition("–")
        last = 10**6 if cell.endswith("+") else int(high or low)
        if int(low) <= count <= last:
            claims.append(level)
    return claims


def _table(what: str, module: str, band: str) -> LevelTable:
    tables = published().modules[module].fluency[band]
    return tables.false_starts if what == "false_starts" else tables.fillers


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("band", BANDS)
@pytest.mark.parametrize("what", ["false_starts", "fillers"])
def test_every_count_of_every_row(module: str, band: str, what: str) -> None:
    """Counts 0 to 20 and 500: the better level where two claim one, and then a note that the guide is ambiguous."""
    key = (what, "closed" if module in CLOSED else "open", band)
    table = _table(what, module, band)
    for count in (*range(21), 500):
        claims = _claimed(ROWS[key], count)
        level, note = fluency.level_of(table, count)
        assert level == claims[0]
        assert (len(claims) > 1) == ("ambiguous" in note) == (AMBIGUOUS.get(key) == count)
        assert level == level_of(FALSE_STARTS if what == "false_starts" else FILLERS, module, band, count)


@pytest.mark.parametrize(
    ("count", "response_s", "expected"),
    [
        (4, "60", 2),
        (5, "60", 3),  # 2.5 goes up
        (3, "60", 2),  # 1.5
        (1, "60", 1),  # 0.5
        (1, "60.01", 0),  # 0.4999
        (7, "45", 5),  # 4.667
        (7, "30", 7),
        (7, "29.99", 7),  # not scaled up
        (3, "10", 3),
        (2, "0", 2),
        (0, "90", 0),
        (11, "100", 3),  # 3.3
    ],
)
def test_counts_per_thirty_seconds(count: int, response_s: str, expected: int) -> None:
    node = fluency.count_per_window(
        published(),
        leaf("measured", "fillers", count),
        leaf("measured", "response_s", Fraction(response_s), unit="s"),
    )
    assert node.value == expected == per_30_seconds(count, Fraction(response_s))
    assert replay(node) == expected
    assert expression(node) == str(expected)
    assert node.operands[2].source in published().entries


@pytest.mark.parametrize(
    ("module", "band", "levels", "low", "high"),
    [
        # 0.45 * 76 + 0.25 * 91 + 0.30 * 51 = 34.2 + 22.75 + 15.3 = 72.25; 40.5 + 23.75 + 22.5 = 86.75
        ("rapid_fire_qa", "middle", ("good", "excellent", "adequate"), 72, 87),
        # 0.40 * 26 + 0.25 * 76 + 0.35 * 91 = 10.4 + 19 + 31.85 = 61.25; 20 + 22.5 + 33.25 = 75.75
        ("audio_postcard", "elementary", ("below_average", "good", "excellent"), 61, 76),
        # 0.40 * 0 + 0.40 * 91 + 0.20 * 76 = 51.6; 10 + 38 + 18 = 66
        ("paragraph_reading", "high", ("poor", "excellent", "good"), 52, 66),
        # the twister's shift: 0.30 * 0 + 0.40 * 91 + 0.30 * 76 = 59.2; 7.5 + 38 + 27 = 72.5, up
        ("tongue_twister", "high", ("poor", "excellent", "good"), 59, 73),
        # 0.25 * 51 + 0.30 * 76 + 0.45 * 91 = 12.75 + 22.8 + 40.95 = 76.5, up; 18.75 + 27 + 42.75 = 88.5, up
        ("tongue_twister", "elementary", ("adequate", "good", "excellent"), 77, 89),
        ("story_building", "high", ("excellent",) * 3, 91, 95),
        ("story_building", "high", ("good",) * 3, 76, 90),
        ("poem_recitation", "elementary", ("poor",) * 3, 0, 25),
    ],
)
def test_levels_bound_the_score_by_hand(module: str, band: str, levels: tuple[str, ...], low: int, high: int) -> None:
    named = dict(zip(("smoothness", "filler_control", "recovery"), levels, strict=True))
    lowest, highest = fluency.interval(published(), published().modules[module], band, named)
    assert (lowest.value, highest.value) == (low, high)
    for score in {max(low - 1, 0), low, (low + high) // 2, high, min(high + 1, 95)}:
        found = answer(request(module, band, fluency={"score": score, "levels": named}))
        if low <= score <= high:
            assert found["markers"]["fluency"]["score"] == score
            continue
        error = found["error"]
        assert (error["code"], error["where"]) == ("score_contradicts_levels", "line 1 /inputs/fluency/score")
        assert f"{low} to {high}" in error["allowed"]
        assert str(score) in error["found"]


def test_a_score_over_the_ceiling_is_held_to_it_before_the_levels_are_asked() -> None:
    """A9 before A14: 99 becomes 95, which three times Excellent allows; with one Good level it is too much."""
    levels: dict[str, Any] = dict.fromkeys(("smoothness", "filler_control", "recovery"), "excellent")
    found = answer(request("rapid_fire_qa", "high", fluency={"score": 99, "levels": levels}))
    assert found["markers"]["fluency"]["score"] == 95
    # 0.45 * 76 + 0.55 * 91 = 34.2 + 50.05 = 84.25; 0.45 * 90 + 0.55 * 95 = 40.5 + 52.25 = 92.75
    lower = answer(request("rapid_fire_qa", "high", fluency={"score": 99, "levels": levels | {"smoothness": "good"}}))
    assert lower["error"]["code"] == "score_contradicts_levels"
    assert lower["error"]["allowed"].startswith("84 to 93")


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("band", BANDS)
def test_all_125_combinations_of_levels(module: str, band: str) -> None:
    """Against the oracle; a better level never lowers either end, and an interval is never empty."""
    rubric = published()
    for levels in itertools.product(LEVELS, repeat=3):
        named = dict(zip(("recovery", "smoothness", "filler_control"), (levels[2], *levels[:2]), strict=True))
        low, high = fluency.interval(rubric, rubric.modules[module], band, named)
        assert (low.value, high.value) == fluency_interval(module, band, levels)
        assert 0 <= low.value < high.value <= 95
        for index, level in enumerate(levels):
            if level != "excellent":
                better = list(levels)
                better[index] = LEVELS[LEVELS.index(level) - 1]
                upper = fluency_interval(module, band, (better[0], better[1], better[2]))
                assert upper[0] >= low.value
                assert upper[1] >= high.value


def test_levels_do_not_change_the_score_or_its_trace() -> None:
    levels = dict.fromkeys(("smoothness", "filler_control", "recovery"), "good")
    bare = answer(request("poem_recitation", "high", fluency={"score": 80}))
    assert answer(request("poem_recitation", "high", fluency={"levels": levels, "score": 80})) == bare
