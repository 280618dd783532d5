"""What the guide says in words about its own numbers is true of the edition's numbers.

Sentences and examples are the guide's; the arithmetic is done here with fractions, not with the package's operations.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest

from vivavoce.rubric.load import published
from vivavoce.rubric.model import Module

RUBRIC = published()
MODULES = RUBRIC.modules


def _weight(marker: str) -> Callable[[Module], Fraction]:
    return lambda module: Fraction(module.weights[marker].value)


def _edges(module: Module) -> tuple[str, list[Fraction]]:
    part = next(part for part in module.rules["speaking_rate"]["middle"].components if part.id == "consistency")
    return part.rule, [Fraction(node.value) for node in part.parameters]


def _bands(kind: str | None = None) -> dict[str, Fraction]:
    """Width of the pace-steadiness band, for the modules that have a band."""
    found = {m.id: _edges(m) for m in MODULES.values() if kind in (None, m.kind)}
    return {name: edges[1] - edges[0] for name, (rule, edges) in found.items() if rule == "steady_band"}


def _only(values: dict[str, Fraction], pick: Callable[..., Fraction]) -> str:
    """The one module that has the largest or smallest value."""
    best = pick(values.values())
    (name,) = [name for name, value in values.items() if value == best]
    return name


@pytest.mark.parametrize(
    ("module", "words", "marker", "pick"),
    [
        ("tongue_twister", "heaviest Pronunciation weight of any module (0.27)", "pronunciation", max),
        ("tongue_twister", "lightest Fluency weight (0.09)", "fluency", min),
        ("rapid_fire_qa", "lightest Pronunciation weight of any module (0.14)", "pronunciation", min),
        ("story_building", "heaviest Mastery weight of any module (0.38)", "task_adherence", max),
    ],
)
def test_heaviest_and_lightest_weights(module: str, words: str, marker: str, pick: Callable[..., Fraction]) -> None:
    assert any(words in fact for fact in MODULES[module].facts)
    weights = {m.id: _weight(marker)(m) for m in MODULES.values()}
    assert _only(weights, pick) == module
    assert weights[module] == Fraction(words.rpartition("(")[2].rstrip(")"))


def test_tightest_and_widest_steadiness_bands() -> None:
    assert any(
        "tightest pace-steadiness band of any module" in fact
        for fact in MODULES["short_informative_presentation"].facts
    )
    assert _only(_bands(), min) == "short_informative_presentation"
    assert any(
        "widest pace-steadiness band of the three open modules" in fact for fact in MODULES["story_building"].facts
    )
    assert len(_bands("open")) == 3
    assert _only(_bands("open"), max) == "story_building"


def test_the_most_forgiving_ceiling_of_open_tasks_is_shared_by_two() -> None:
    ceilings = {
        module.id: _edges(module)[1][0]
        for module in MODULES.values()
        if module.kind == "open" and _edges(module)[0] == "steady_ceiling"
    }
    assert ceilings == {"rapid_fire_qa": Fraction("0.30"), "silly_topics_debate": Fraction("0.30")}


def test_the_most_evenly_split_weight_table() -> None:
    """The sum of squared distances from an even fifth is smallest."""
    spread = {
        module.id: sum(((node.value - Fraction(1, 5)) ** 2 for node in module.weights.values()), Fraction(0))
        for module in MODULES.values()
    }
    assert _only(spread, min) == "silly_topics_debate"


def test_only_the_story_takes_both_routes() -> None:
    routes = {module.id: module.rules["task_adherence"]["high"].route for module in MODULES.values()}
    assert [name for name, route in routes.items() if route == "blend"] == ["story_building"]
    assert {MODULES[name].kind for name, route in routes.items() if route == "code"} == {"closed"}
    assert {MODULES[name].kind for name, route in routes.items() if route == "model"} == {"open"}


def test_four_modules_measure_fade_by_phrase() -> None:
    change = next(change for change in RUBRIC.changes if change["id"] == "fade_by_phrase")
    assert "Four modules use it; the other four remain" in change["text"]
    assert {m.id for m in MODULES.values() if m.fade_method == "phrase"} == set(change["modules"])
    assert len(change["modules"]) == 4


def test_changes_to_a_kind_name_its_modules() -> None:
    kinds = {"middle_open_fillers": "open", "middle_open_hesitation": "open", "number_words": "closed"}
    for change in RUBRIC.changes:
        if change["id"] in kinds:
            assert set(change["modules"]) == {m.id for m in MODULES.values() if m.kind == kinds[change["id"]]}


def _score(quality: str, *, to: str | None = None) -> tuple[str, Fraction, int]:
    """Tier, frac and score of a weighted quality by the published formulas, rounded half up; `to` for another edge."""
    value = Fraction(quality)
    tier = next(tier for tier in RUBRIC.tiers if value >= tier.quality_low.value)
    low, high = Fraction(tier.quality_low.value), Fraction(to or tier.interpolate_to.value)
    frac = (value - low) / (high - low)
    score = tier.score_low.value + frac * (tier.score_high.value - tier.score_low.value)
    return tier.label, frac, math.floor(score + Fraction(1, 2))


def test_a_quality_of_080_lands_on_82() -> None:
    assert "a quality of 0.80 sits in the Good tier and lands on 82, not on 76" in str(
        RUBRIC.lookup("edition.texts.interpolation").value
    )
    tier, _, score = _score("0.80")
    assert (tier, score) == ("Good", 82)


def test_the_published_frac_needs_1_01() -> None:
    _, frac, score = _score("0.9625")
    assert (round(frac, 3), score) == (Fraction("0.568"), 93)
    _, frac, score = _score("0.9625", to="1.00")
    assert (frac, score) == (Fraction("0.625"), 94)
    assert _score("1")[2] == 95


def test_a_detail_opens_the_tier_that_the_cap_closes() -> None:
    """ "One real, specific detail to reach 76 at all": the inferred cap is the score just under it."""
    rule = MODULES["audio_postcard"].rules["task_adherence"]["middle"]
    assert "to reach 76 at all" in str(RUBRIC.lookup("modules.audio_postcard.adherence.specific_detail.text").value)
    assert rule.parameters is not None
    assert rule.parameters["no_specific_detail_cap"].value == 76 - 1
