"""What is drawn on a slider, and every curve, against the evaluator that was written from the guide alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest
import web_lab_tools  # noqa: F401  (finds the evaluator)
from scoring_oracle import (
    BANDS,
    CHOPPY,
    CLOSED,
    HESITATION,
    PACE,
    READING,
    VOLUME,
    falling,
    kind,
    rising,
    steadiness,
    tier_score,
)
from web_lab_tools import MODULES

from vivavoce.rubric.load import published
from vivavoce.web.lab.curves import Curve, cut_curve, quality_curve, tier_curve
from vivavoce.web.lab.state import inputs_of
from vivavoce.web.lab.tracks import Span, component_of, span_of, track_of

Quality = Callable[[Fraction], Fraction]
CASES = [(module, band) for module in MODULES for band in BANDS]
COUNTS = {"reference_words": 60, "trailing_omissions": 3, "matched": 50, "insertions": 2}


def qualities(module: str, band: str) -> dict[str, Quality]:
    """The quality of each measurement by the guide's tables."""
    pace, (steady, unsteady, free, gone) = PACE[kind(module), band], VOLUME[band]
    return {
        "words_per_minute": lambda x: (
            Fraction(1) if module == "tongue_twister" else min(rising(x, *pace[:2]), falling(x, *pace[2:]))
        ),
        "pace_variation": lambda x: steadiness(module, x),
        "choppy_breaks_per_minute": lambda x: falling(x, *CHOPPY[kind(module), band]),
        "level_db": lambda x: min(rising(x, 35, 45), falling(x, 75, 85)),
        "consistency_db": lambda x: falling(x, steady, unsteady),
        "fade_db": lambda x: falling(max(Fraction(0), x), free, gone),
    }


def points(curve: Curve) -> list[tuple[Fraction, Fraction]]:
    """The points of a curve, as shares of its width and of its height from the bottom."""
    numbers = [Fraction(text) for text in curve.line.removeprefix("M").split()]
    return [(x / 1000, 1 - y / 100) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


def at(span: Span, share: Fraction) -> Fraction:
    return span.low + share * (span.high - span.low)


@pytest.mark.parametrize(("module_id", "band"), CASES)
def test_full_and_no_credit_are_drawn_where_they_are(module_id: str, band: str) -> None:
    """At 400 places of a slider: full just where the quality is 1, hatched just where it is 0."""
    rubric = published()
    module = rubric.modules[module_id]
    inputs = {given.name: given for given in inputs_of(module)}
    for name, quality in qualities(module_id, band).items():
        span = span_of(module, band, inputs[name], {})
        zones = track_of(rubric, module, band, inputs[name], span, {}).zones
        for step in range(401):
            x = at(span, Fraction(step, 400))
            inside = {zone.kind for zone in zones if zone.low <= x <= zone.high}
            assert inside == ({"full"} if quality(x) == 1 else {"zero"} if quality(x) == 0 else set()), (name, x)


@pytest.mark.parametrize(("module_id", "band"), CASES)
def test_curves_go_through_what_the_guide_gives(module_id: str, band: str) -> None:
    """A point is drawn to a tenth of a thousandth of the width: so near it must be to the guide's value."""
    module = published().modules[module_id]
    inputs = {given.name: given for given in inputs_of(module)}
    for name, quality in qualities(module_id, band).items():
        span, part = span_of(module, band, inputs[name], {}), component_of(module, band, inputs[name].marker, name)
        assert part is not None
        drawn = points(quality_curve(module_id, band, inputs[name].marker, part.id, span))
        assert (drawn[0][0], drawn[-1][0]) == (0, 1)
        for x, y in drawn:
            near = [quality(at(span, x + hair)) for hair in (Fraction(-1, 15_000), Fraction(0), Fraction(1, 15_000))]
            assert min(near) - Fraction(1, 900) <= y <= max(near) + Fraction(1, 900), (name, x)
    rate_at_max, _ = HESITATION[kind(module_id), band]
    span = span_of(module, band, inputs["hesitations_per_minute"], {})
    for x, y in points(cut_curve(module_id, band, span)):
        assert abs(y - min(Fraction(1), at(span, x) / rate_at_max)) < Fraction(1, 500)


def test_the_tier_curve_is_the_guides_table() -> None:
    drawn = points(tier_curve())
    assert len(drawn) > 80
    for x, y in drawn:
        scores = {
            tier_score(min(Fraction(1), max(Fraction(0), x + hair)))
            for hair in (Fraction(-1, 9999), 0, Fraction(1, 9999))
        }
        assert any(abs(y * 95 - score) < Fraction(1, 8) for score in scores), x
    assert all(before[1] <= after[1] for before, after in pairwise(drawn))


@pytest.mark.parametrize("band", BANDS)
def test_counts_earn_all_or_nothing_where_the_track_says(band: str) -> None:
    """For random counts: the drawn ends have full and no credit, and their neighbours have not."""
    rng, rubric = random.Random(band), published()
    full_completion, floor_completion, full_accuracy, floor_accuracy = READING[band]
    for _ in range(60):
        module = rubric.modules[rng.choice(CLOSED)]
        inputs = {given.name: given for given in inputs_of(module)}
        words = rng.randint(5, 300)
        counts = {"reference_words": words, "insertions": rng.randint(0, 40), "trailing_omissions": 0}
        counts["matched"] = rng.randint(0, words)

        def worth(name: str, value: int, counts: dict[str, int] = counts) -> Fraction:
            now = {**counts, name: value}
            if name == "trailing_omissions":
                reached = Fraction(now["reference_words"] - value, now["reference_words"])
                return rising(reached, floor_completion, full_completion)
            accuracy = Fraction(now["matched"], now["reference_words"] + now["insertions"])
            return rising(accuracy, floor_accuracy, full_accuracy)

        for name in ("trailing_omissions", "matched", "insertions"):
            span = span_of(module, band, inputs[name], counts)
            zones = track_of(rubric, module, band, inputs[name], span, counts).zones
            most = words if name != "insertions" else int(span.high)
            for value in range(most + 1):
                inside = {zone.kind for zone in zones if zone.low <= value <= zone.high}
                quality = worth(name, value)
                assert inside == ({"full"} if quality == 1 else {"zero"} if quality == 0 else set()), (name, value)
