"""The rules of each module and grade band work on the right rows: parameters by address, addresses by value."""

from __future__ import annotations

import itertools

import pytest
from rubric_nodes import all_nodes, rule_nodes

from vivavoce.rubric.load import published
from vivavoce.rubric.model import Level, LevelTable, Module
from vivavoce.trace import exact

RUBRIC = published()
CASES = list(itertools.product(RUBRIC.modules.values(), RUBRIC.grade_bands))
TIERS = ("excellent", "good", "adequate", "below_average", "poor")
TRAPEZOID = ("zero_low", "full_low", "full_high", "zero_high")

each_module = pytest.mark.parametrize("module", RUBRIC.modules.values(), ids=RUBRIC.modules)
each_case = pytest.mark.parametrize(("module", "band"), CASES, ids=[f"{m.id}-{band}" for m, band in CASES])


def _rows(module: Module, marker: str, band: str) -> list[tuple[str, str, str, list[str]]]:
    return [
        (part.id, part.rule, part.weight.source, [parameter.source for parameter in part.parameters])
        for part in module.rules[marker][band].components
    ]


def test_every_parameter_has_the_value_at_its_address() -> None:
    nodes = list(all_nodes(RUBRIC))
    assert len(nodes) > 800
    assert {node.op for node in nodes} == {"parameter"}
    assert [node for node in nodes if node.value != exact(RUBRIC.lookup(node.source).value)] == []


@each_module
def test_weights_are_the_modules_own(module: Module) -> None:
    assert list(module.weights) == list(RUBRIC.markers)
    assert {name: node.source for name, node in module.weights.items()} == {
        name: f"modules.{module.id}.weights.{name}" for name in RUBRIC.markers
    }


@each_case
def test_speaking_rate_works_on_the_rows_of_kind_and_band(module: Module, band: str) -> None:
    own, shared, kind = f"modules.{module.id}", "speaking_rate", module.kind
    steady = f"{own}.steadiness"
    if f"{steady}.low" in RUBRIC.entries:
        steadiness = (
            "steady_band",
            [f"{steady}.low", f"{steady}.high", f"{shared}.steadiness.quality_at_zero"],
        )
    else:
        steadiness = ("steady_ceiling", [f"{steady}.ceiling"])
    steadiness[1].append(f"{shared}.steadiness.zero_at_factor")
    choppiness = [f"{shared}.{kind}.choppiness.{band}.{key}" for key in ("full", "zero")]
    if module.id == "tongue_twister":
        weights, rate = f"{own}.speaking_rate.weights", f"{own}.speaking_rate"
        pace = ("forced", [f"{rate}.forced_words_per_minute_quality"])
        more = [
            (
                "acceleration",
                "rises",
                f"{weights}.acceleration",
                [f"{rate}.acceleration.rising", f"{rate}.acceleration.otherwise"],
            )
        ]
    else:
        weights, more = f"{shared}.{kind}.weights", []
        pace = ("range", [f"{shared}.{kind}.pace.{band}.{key}" for key in TRAPEZOID])
    assert _rows(module, "speaking_rate", band) == [
        ("words_per_minute", pace[0], f"{weights}.words_per_minute", pace[1]),
        ("consistency", steadiness[0], f"{weights}.consistency", steadiness[1]),
        ("choppiness", "at_most", f"{weights}.choppiness", choppiness),
        *more,
    ]


@each_case
def test_the_cut_and_short_speech_are_those_of_kind_and_band(module: Module, band: str) -> None:
    rule = module.rules["speaking_rate"][band]
    row = f"speaking_rate.{module.kind}.hesitation.{band}"
    assert rule.cut is not None
    assert (rule.cut.max_cut.source, rule.cut.rate_at_max.source) == (f"{row}.max_cut", f"{row}.rate_at_max")
    assert rule.cut.needs == "hesitations_per_minute"
    assert rule.short_under_s is not None
    assert rule.short_under_s.source == "speaking_rate.short_speech.under_s"
    assert rule.short_drops == ("choppiness",)


@each_case
def test_volume_is_identical_on_every_module(module: Module, band: str) -> None:
    path = "volume_control"
    assert _rows(module, "volume_control", band) == [
        ("level", "range", f"{path}.weights.level", [f"{path}.level.{key}" for key in TRAPEZOID]),
        (
            "consistency",
            "at_most",
            f"{path}.weights.consistency",
            [f"{path}.consistency.{band}.full", f"{path}.consistency.{band}.zero"],
        ),
        (
            "fade",
            "at_most",
            f"{path}.weights.fade",
            [f"{path}.fade.{band}.full", f"{path}.fade.{band}.zero", f"{path}.fade.counts_from"],
        ),
    ]


@each_case
def test_task_adherence_takes_the_route_of_its_module(module: Module, band: str) -> None:
    rule = module.rules["task_adherence"][band]
    assert rule.rule == RUBRIC.lookup(f"modules.{module.id}.adherence.rule").value
    assert rule.route == RUBRIC.lookup(f"modules.{module.id}.adherence.route").value
    closed = [
        (name, "at_least", f"adherence.weights.{name}", [f"adherence.{name}.{band}.{key}" for key in ("zero", "full")])
        for name in ("completion", "accuracy")
    ]
    assert _rows(module, "task_adherence", band) == (closed if module.kind == "closed" else [])
    assert module.repetitions == (3 if module.id == "tongue_twister" else 1)


@each_case
def test_caps_and_blend_belong_to_their_modules(module: Module, band: str) -> None:
    rule, own = module.rules["task_adherence"][band], f"modules.{module.id}.adherence"
    caps = {name: node.source for name, node in (rule.named_caps or {}).items()}
    parameters = {name: node.source for name, node in (rule.parameters or {}).items()}
    guardrails = ("substance", "groundedness", "over_vagueness", "reversal")
    expected: dict[str, tuple[dict[str, str], dict[str, str]]] = {
        "audio_postcard": (
            {name: f"{own}.guardrails.{name}.cap" for name in guardrails},
            {"no_specific_detail_cap": f"{own}.specific_detail.cap"},
        ),
        "short_informative_presentation": (
            dict.fromkeys(("end_with_last", "introduced_before_referenced"), f"{own}.order_cap"),
            {},
        ),
        "story_building": (
            {},
            {
                name: f"{own}.{name}"
                for name in ("percent", "coverage_weight", "story_weight", "weak_story_at_most", "weak_story_cap")
            },
        ),
    }
    assert (caps, parameters) == expected.get(module.id, ({}, {}))


@each_case
def test_pronunciation_and_fluency_are_judged(module: Module, band: str) -> None:
    for marker in ("pronunciation", "fluency"):
        rule = module.rules[marker][band]
        assert (rule.rule, rule.route, list(rule_nodes(rule))) == ("judged", "model", [])


def _table(path: str) -> LevelTable:
    """The level table at an address, put together from the entries alone."""
    levels = []
    for tier in TIERS:
        edges = RUBRIC.lookup(f"{path}.{tier}").value
        levels.append(Level(tier, edges[0], edges[1] if tier != "poor" else None))
    ambiguous = RUBRIC.entries.get(f"{path}.ambiguous")
    return LevelTable(tuple(levels), tuple(ambiguous.value) if ambiguous else (), path)


@each_case
def test_fluency_tables_are_those_of_kind_and_band(module: Module, band: str) -> None:
    tables = module.fluency[band]
    weights = "twister" if module.id == "tongue_twister" else module.kind
    assert {name: node.source for name, node in tables.weights.items()} == {
        name: f"fluency.{weights}.weights.{band}.{name}" for name in ("smoothness", "filler_control", "recovery")
    }
    assert tables.false_starts == _table(f"fluency.{module.kind}.false_starts.{band}")
    assert tables.fillers == _table(f"fluency.{module.kind}.fillers.{band}")


@each_module
def test_words_of_a_module_are_its_entries(module: Module) -> None:
    own = f"modules.{module.id}"
    assert (module.title, module.kind, module.chapter, module.description, list(module.facts)) == tuple(
        RUBRIC.lookup(f"{own}.{key}").value for key in ("title", "kind", "chapter", "description", "facts")
    )
    notes = {path.rpartition(".")[2]: e.value for path, e in RUBRIC.entries.items() if path.startswith(f"{own}.notes.")}
    assert module.notes == notes
    assert module.fade_method == RUBRIC.lookup(f"{own}.fade.method").value
    assert module.texts == {
        key: RUBRIC.lookup(f"{own}.{key}.text").value for key in ("steadiness", "fade", "adherence")
    }


def test_no_rule_uses_the_dormant_limit() -> None:
    assert [node.source for node in all_nodes(RUBRIC) if "dormant" in node.source] == []
    needs = {
        part.needs
        for module in RUBRIC.modules.values()
        for by_band in module.rules.values()
        for rule in by_band.values()
        for part in rule.components
    }
    assert needs == {
        "words_per_minute",
        "pace_variation",
        "choppy_breaks_per_minute",
        "pace_rises",
        "level_db",
        "consistency_db",
        "fade_db",
        "completion",
        "accuracy",
    }
