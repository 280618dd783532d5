"""From the experts' scale to the markers: hand-derived scores, and that more is never less."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_evaluator import evaluate
from vivavoce.arithmetic import OPERATIONS, apply, expression, parse, replay, to_json
from vivavoce.judging.local.fluency import Counts, Fluency, fluency
from vivavoce.judging.local.mapping import estimate, to_score
from vivavoce.rubric.load import published
from vivavoce.trace import exact, leaf

RUBRIC = published()
HUNDREDTHS = st.integers(0, 1000).map(lambda n: Fraction(n, 100))
BANDS = ("elementary", "middle", "high")


def score(scale: str, value: str | Fraction) -> int:
    anchors = RUBRIC.local.pronunciation if scale == "accuracy" else RUBRIC.local.fluency
    return int(to_score(anchors, estimate(scale, exact(value), "l"), "s").value)


# By hand: 7.5 is halfway from 6.5 (76) to 8.5 (91): 83.5, half up 84.
# 5.25 is 3/8 of the way from 4.5 (51) to 6.5 (76): 60.375 -> 60.
@pytest.mark.parametrize(
    ("scale", "value", "expected"),
    [
        ("accuracy", "0", 0),
        ("accuracy", "1.25", 13),
        ("accuracy", "2.5", 26),
        ("accuracy", "3.5", 39),
        ("accuracy", "4.5", 51),
        ("accuracy", "5.25", 60),
        ("accuracy", "6.5", 76),
        ("accuracy", "7.5", 84),
        ("accuracy", "8.5", 91),
        ("accuracy", "10", 95),
        ("fluency", "3.5", 26),
        ("fluency", "6.25", 64),
        ("fluency", "8", 86),
        ("fluency", "9.25", 93),
    ],
)
def test_scores_by_hand(scale: str, value: str, expected: int) -> None:
    assert score(scale, value) == expected


def test_anchors_stand_where_tiers_begin() -> None:
    lows = {tier.id: tier.score_low.value for tier in RUBRIC.tiers}
    for anchors in (RUBRIC.local.pronunciation, RUBRIC.local.fluency):
        assert {anchor.id: anchor.score.value for anchor in anchors[1:-1]} == {
            name: low for name, low in lows.items() if low
        }
        assert all(RUBRIC.lookup(anchor.score.source).note for anchor in anchors)


@given(HUNDREDTHS, HUNDREDTHS)
def test_more_is_never_less(one: Fraction, other: Fraction) -> None:
    low, high = sorted((one, other))
    for scale in ("accuracy", "fluency"):
        assert score(scale, low) <= score(scale, high)


PAIRS = st.lists(st.integers(0, 95), min_size=2, max_size=2)
VALUES = st.fractions(0, 100, max_denominator=100)


@given(
    VALUES, st.lists(VALUES, min_size=2, max_size=2, unique=True), st.lists(st.integers(0, 95), min_size=2, max_size=2)
)
def test_interpolation_holds_what_it_shows(x: Fraction, ends: list[Fraction], scores: list[int]) -> None:
    low, high = sorted(ends)
    operands = [leaf("given", "x", exact(x))]
    for at, (edge, worth) in enumerate(zip((low, high), sorted(scores), strict=True)):
        operands += [leaf("given", f"edge_{at}", exact(edge)), leaf("given", f"score_{at}", worth)]
    node = apply("interpolate", "s", *operands)
    assert min(scores) <= node.value <= max(scores)
    assert replay(node) == node.value == evaluate(expression(node))
    assert parse(json.loads(to_json(node))).value == node.value


@given(st.integers(0, 100), st.lists(st.integers(0, 100), min_size=1, max_size=6, unique=True), st.booleans())
def test_passed_counts_edges(x: int, edges: list[int], falling: bool) -> None:
    edges = sorted(edges, reverse=falling)
    falls = falling and len(edges) > 1
    node = apply("passed", "p", leaf("given", "x", x), *(leaf("given", f"e{i}", e) for i, e in enumerate(edges)))
    assert node.value == sum(x < edge if falls else x > edge for edge in edges)
    assert replay(node) == node.value == evaluate(expression(node))
    assert OPERATIONS["passed"].meaning


def made(
    value: Fraction,
    starts: int,
    fillers: int,
    *,
    verbatim: bool,
    module: str = "poem_recitation",
    band: str = "middle",
) -> Fluency:
    known = Counts(starts, fillers, leaf("measured", "response_s", 30, unit="s"), verbatim)
    return fluency(RUBRIC, RUBRIC.modules[module], band, estimate("fluency", value, "l"), known)


@pytest.mark.parametrize(
    ("value", "starts", "fillers", "verbatim", "levels", "expected"),
    [
        # Verbatim, nothing counted: all Excellent, 91 to 95; 6.25 maps to 64, the nearest allowed is 91.
        ("6.25", 0, 0, True, ("excellent", "excellent", "excellent"), 91),
        # One restart in 30 s, middle, closed: Good. Recovery by ear, 8 -> 86: Good. 0.40*76+0.35*91+0.25*76 = 81.25
        # -> 81; 0.40*90+0.35*95+0.25*90 = 91.75 -> 92. 86 lies inside.
        ("8", 1, 0, True, ("good", "excellent", "good"), 86),
        # Ten fillers: Poor, whatever is heard. 0.40*76+0.35*0+0.25*76 = 49.4 -> 49;
        # 0.40*90+0.35*25+0.25*90 = 67.25 -> 67.
        ("8", 1, 10, True, ("good", "poor", "good"), 67),
        # Not verbatim, nothing counted: the ear decides, Good throughout, 86.
        ("8", 0, 0, False, ("good", "good", "good"), 86),
        # Not verbatim, four restarts: Below Average at best, though the ear says Excellent (9.25 -> 93).
        # 0.40*26+0.35*91+0.25*91 = 65; 0.40*50+0.35*95+0.25*95 = 77.
        ("9.25", 4, 0, False, ("below_average", "excellent", "excellent"), 77),
    ],
)
def test_fluency_by_hand(
    value: str, starts: int, fillers: int, verbatim: bool, levels: tuple[str, ...], expected: int
) -> None:
    found = made(Fraction(value), starts, fillers, verbatim=verbatim)
    assert tuple(found.levels[part] for part in ("smoothness", "filler_control", "recovery")) == levels
    assert found.score.value == expected


COUNTS = st.integers(0, 15)


@given(HUNDREDTHS, COUNTS, COUNTS, st.booleans(), st.sampled_from(BANDS), st.sampled_from(list(RUBRIC.modules)))
def test_fluency_rises_with_the_ear_and_falls_with_counts(
    value: Fraction, starts: int, fillers: int, verbatim: bool, band: str, module: str
) -> None:
    def points(value: Fraction, starts: int, fillers: int) -> int:
        return int(made(value, starts, fillers, verbatim=verbatim, module=module, band=band).score.value)

    here = points(value, starts, fillers)
    assert 0 <= here <= 95
    assert here <= points(min(Fraction(10), value + Fraction(1, 2)), starts, fillers)
    assert here >= points(value, starts + 1, fillers)
    assert here >= points(value, starts, fillers + 1)


@given(HUNDREDTHS, COUNTS, COUNTS, st.booleans(), st.sampled_from(BANDS), st.sampled_from(list(RUBRIC.modules)))
def test_every_step_holds(value: Fraction, starts: int, fillers: int, verbatim: bool, band: str, module: str) -> None:
    """It replays, its expressions give its values, and each parameter is the edition's own."""
    node = made(value, starts, fillers, verbatim=verbatim, module=module, band=band).score
    assert replay(node) == node.value
    for step in node.walk():
        assert evaluate(expression(step)) == step.value
        if step.op == "parameter":
            known = RUBRIC.lookup(step.source).value
            assert step.value in [exact(item) for item in (known if isinstance(known, list) else [known])]
        elif step.source and step.op not in ("measured", "judged"):
            assert any(path == step.source or path.startswith(f"{step.source}.") for path in RUBRIC.entries)
    assert node.find("predicted_fluency").unit == "experts' points"


def test_edges_of_every_table_rise() -> None:
    """`passed` takes its edges in the order of the levels."""
    for module in RUBRIC.modules.values():
        for tables in module.fluency.values():
            for table in (tables.false_starts, tables.fillers):
                edges = [level.highest for level in table.levels if level.highest is not None]
                assert len(edges) == len(RUBRIC.tiers) - 1
                assert all(one < other for one, other in pairwise(edges))
