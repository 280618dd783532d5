"""Read one module's file and resolve, for each marker and grade band, the rule that scores it."""

from __future__ import annotations

from vivavoce.rubric.model import Component, FluencyTables, Kind, MarkerRule, Module
from vivavoce.rubric.reader import Reader
from vivavoce.rubric.shared import KINDS, Shared, read_weights, row_path
from vivavoce.trace import Node

NOTES = ("pronunciation", "fluency", "mastery")
ADHERENCE_RULES = {
    "checklist_with_guardrails": "model",
    "checklist_with_order_rules": "model",
    "band_anchors": "model",
    "keywords_and_story": "blend",
    "alignment": "code",
}


def _steadiness(reader: Reader, shared: Shared) -> tuple[str, tuple[Node, ...], str]:
    """Return rule, parameters in rule order, and text of the module's pace steadiness."""
    rule = reader.text("rule", among=("steady_band", "steady_ceiling"))
    text = reader.text("text")
    factor = shared.steady_zero_factor
    if rule == "steady_band":
        low, high = reader.number("low", unit="ratio"), reader.number("high", unit="ratio")
        if not 0 < low.value < high.value:
            raise reader.error("rubric_edges", "low", str(low.number), "a lower edge above 0 and under the upper edge")
        parameters: tuple[Node, ...] = (low, high, shared.steady_quality_at_zero, factor)
    else:
        ceiling = reader.number("ceiling", unit="ratio")
        if not ceiling.value > 0:
            raise reader.error("rubric_edges", "ceiling", str(ceiling.number), "a ceiling above 0")
        parameters = (ceiling, factor)
    reader.close()
    return rule, parameters, text


def _rate_rules(reader: Reader, shared: Shared, kind: str, bands: tuple[str, ...]) -> tuple[dict[str, MarkerRule], str]:
    steady_rule, steady, text = _steadiness(reader.table("steadiness"), shared)
    weights = shared.rate_weights[kind]
    forced: Node | None = None
    rising: tuple[Node, ...] = ()
    if reader.has("speaking_rate"):
        own = reader.table("speaking_rate")
        weights = read_weights(own.table("weights"), ("words_per_minute", "consistency", "choppiness", "acceleration"))
        forced = own.number("forced_words_per_minute_quality", high=1)
        acceleration = own.table("acceleration")
        rising = (acceleration.number("rising", high=1), acceleration.number("otherwise", high=1))
        acceleration.close()
        own.close()
    rules: dict[str, MarkerRule] = {}
    for band in bands:
        rows = {
            "words_per_minute": ("forced", (forced,)) if forced else ("range", shared.pace[kind, band]),
            "consistency": (steady_rule, steady),
            "choppiness": ("at_most", shared.choppiness[kind, band]),
            "acceleration": ("rises", rising),
        }
        components = []
        for name, weight in weights.items():
            shape, (rule, parameters) = shared.rate_shapes[name], rows[name]
            source = row_path(parameters)
            components.append(Component(name, shape.title, rule, shape.needs, shape.unit, weight, parameters, source))
        rules[band] = MarkerRule(
            "tiers",
            "code",
            tuple(components),
            cut=shared.cuts[kind, band],
            short_under_s=shared.short_under_s,
            short_drops=shared.short_drops,
        )
    return rules, text


def _adherence_rules(reader: Reader, shared: Shared, bands: tuple[str, ...]) -> tuple[dict[str, MarkerRule], str, int]:
    text, repetitions = reader.text("text"), 1
    rule = reader.text("rule", among=tuple(ADHERENCE_RULES))
    route = reader.text("route", among=(ADHERENCE_RULES[rule],))
    parameters: dict[str, Node] = {}
    caps: dict[str, Node] = {}
    if rule == "checklist_with_guardrails":
        detail = reader.table("specific_detail")
        parameters["no_specific_detail_cap"] = detail.number("cap", high=100, whole=True)
        detail.text("text")
        detail.close()
        for row in reader.rows("guardrails"):
            caps[row.text("id")] = row.number("cap", high=100, whole=True)
            row.text("title")
            row.text("text")
            row.close()
    elif rule == "checklist_with_order_rules":
        cap = reader.number("order_cap", high=100, whole=True)
        for row in reader.rows("order_rules"):
            caps[row.text("id")] = cap
            row.text("text")
            row.close()
    elif rule == "keywords_and_story":
        names = ("percent", "coverage_weight", "story_weight", "weak_story_at_most", "weak_story_cap")
        parameters = {name: reader.number(name, high=100) for name in names}
        reader.list_of("formulas", str)
        if parameters["coverage_weight"].value + parameters["story_weight"].value != 1:
            raise reader.error("rubric_weights", "story_weight", "a sum that is not 1", "weights that sum to exactly 1")
    elif rule == "alignment" and reader.has("repetitions"):
        repetitions = reader.whole("repetitions")
    reader.close()
    if rule == "alignment":
        return {b: MarkerRule(rule, route, shared.alignment[b].components) for b in bands}, text, repetitions
    made = MarkerRule(rule, route, parameters=parameters, named_caps=caps)
    return dict.fromkeys(bands, made), text, repetitions


def _fluency_tables(reader: Reader, shared: Shared, kind: str, bands: tuple[str, ...]) -> dict[str, FluencyTables]:
    weights = kind
    if reader.has("fluency"):
        own = reader.table("fluency")
        weights = own.text("weights", among=("twister",))
        own.close()
    return {
        band: FluencyTables(
            shared.fluency_weights[weights, band], shared.false_starts[kind, band], shared.fillers[kind, band]
        )
        for band in bands
    }


def read_module(reader: Reader, shared: Shared, bands: tuple[str, ...], markers: tuple[str, ...]) -> Module:
    """Read one module. Raises RubricError with the file and the key."""
    kind: Kind = "open" if reader.text("kind", among=KINDS) == "open" else "closed"
    rate, steadiness_text = _rate_rules(reader, shared, kind, bands)
    fade = reader.table("fade")
    fade_method, fade_text = fade.text("method", among=("phrase", "whole")), fade.text("text")
    fade.close()
    adherence, adherence_text, repetitions = _adherence_rules(reader.table("adherence"), shared, bands)
    if (adherence[bands[0]].rule == "alignment") != (kind == "closed"):
        raise reader.error("rubric_value", "adherence.rule", kind, "alignment for closed tasks, and only for them")
    notes_table = reader.table("notes")
    notes = {name: notes_table.text(name) for name in NOTES if notes_table.has(name)}
    notes_table.close()
    if reader.has("dormant"):
        dormant = reader.table("dormant")
        limit = dormant.table("RAPID_FIRE_LIMIT_S")
        limit.number("answer_over_s", unit="s")
        limit.text("text")
        limit.close()
        dormant.close()
    judged = dict.fromkeys(bands, MarkerRule("judged", "model"))
    module = Module(
        id=reader.text("id"),
        chapter=reader.whole("chapter"),
        title=reader.text("title"),
        kind=kind,
        description=reader.text("description"),
        facts=reader.list_of("facts", str),
        weights=read_weights(reader.table("weights"), markers),
        notes=notes,
        fade_method="phrase" if fade_method == "phrase" else "whole",
        texts={"steadiness": steadiness_text, "fade": fade_text, "adherence": adherence_text},
        repetitions=repetitions,
        rules={
            "pronunciation": judged,
            "fluency": judged,
            "speaking_rate": rate,
            "volume_control": shared.volume,
            "task_adherence": adherence,
        },
        fluency=_fluency_tables(reader, shared, kind, bands),
    )
    reader.close()
    if f"modules.{module.id}" != reader.path:
        raise reader.error("rubric_value", "id", module.id, "the name of the module's file")
    return module
