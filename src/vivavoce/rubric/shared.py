"""Read the tables that all modules share: Speaking Rate, fluency, Volume Control, closed-task adherence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vivavoce.rubric.checks import levels_are_whole, weights_sum_to_one
from vivavoce.rubric.model import Component, Cut, Level, LevelTable, MarkerRule
from vivavoce.rubric.reader import Reader
from vivavoce.trace import Node

# The parameters of a rule, in the order in which its operation takes them.
RULE_PARAMETERS = {
    "range": ("zero_low", "full_low", "full_high", "zero_high"),
    "at_most": ("full", "zero"),
    "at_least": ("zero", "full"),
}
TIERS = ("excellent", "good", "adequate", "below_average", "poor")
SUB_MARKERS = ("smoothness", "filler_control", "recovery")
PACE_PARTS = ("words_per_minute", "consistency", "choppiness")
RATE_RULES = {
    "words_per_minute": "range",
    "consistency": "steadiness",
    "choppiness": "at_most",
    "acceleration": "rises",
}
RATE_TABLES = {"words_per_minute": "pace", "consistency": "steadiness"}
VOLUME_RULES = {"level": "range", "consistency": "at_most", "fade": "at_most"}
ALIGNMENT_RULES = {"completion": "at_least", "accuracy": "at_least"}
KINDS = ("open", "closed")


@dataclass(frozen=True, slots=True)
class Shape:
    """A component before its module is known: its words, rule and needed input."""

    id: str
    title: str
    rule: str
    needs: str
    unit: str
    table: str


@dataclass(frozen=True, slots=True)
class Shared:
    """The shared tables, by kind and grade band where they have them."""

    rate_shapes: dict[str, Shape]
    rate_weights: dict[str, dict[str, Node]]
    pace: dict[tuple[str, str], tuple[Node, ...]]
    choppiness: dict[tuple[str, str], tuple[Node, ...]]
    cuts: dict[tuple[str, str], Cut]
    short_under_s: Node
    short_drops: tuple[str, ...]
    steady_zero_factor: Node
    steady_quality_at_zero: Node
    fluency_weights: dict[tuple[str, str], dict[str, Node]]
    false_starts: dict[tuple[str, str], LevelTable]
    fillers: dict[tuple[str, str], LevelTable]
    fluency_window_s: Node
    volume: dict[str, MarkerRule]
    alignment: dict[str, MarkerRule]


def row_path(parameters: tuple[Node, ...]) -> str:
    """Return the path of the table row that the parameters stand in."""
    return parameters[0].source.rpartition(".")[0]


def read_weights(reader: Reader, names: tuple[str, ...]) -> dict[str, Node]:
    """Return the weights of these names from a table; they must sum to exactly 1."""
    weights = {name: reader.number(name, high=1, name=f"{name}_weight") for name in names}
    reader.close()
    weights_sum_to_one(reader, weights)
    return weights


def _shapes(reader: Reader, rules: dict[str, str], tables: dict[str, str] | None = None) -> dict[str, Shape]:
    """Return the components; each must name the rule that its table is read by, and that table."""
    shapes: dict[str, Shape] = {}
    for name, rule in rules.items():
        table = reader.table(name)
        shapes[name] = Shape(
            name,
            table.text("title"),
            table.text("rule", among=(rule,)),
            table.text("needs"),
            table.text("unit"),
            table.text("table", among=((tables or {}).get(name, name),)),
        )
        if table.has("question"):
            table.text("question")
        table.close()
    reader.close()
    return shapes


def _row(reader: Reader, rule: str, unit: str = "") -> tuple[Node, ...]:
    """Return the parameters of a rule from one table row, their edges in order."""
    nodes = tuple(reader.number(name, unit=unit) for name in RULE_PARAMETERS[rule])
    reader.close()
    values = [node.value for node in nodes]
    rising = rule != "at_most" or values[0] < values[1]
    if not rising or (rule != "at_most" and values != sorted(set(values))):
        raise reader.error("rubric_edges", "", str([float(v) for v in values]), "edges in rising order")
    return nodes


def _rows(reader: Reader, rule: str, bands: tuple[str, ...], unit: str) -> dict[str, tuple[Node, ...]]:
    rows = {band: _row(reader.table(band), rule, unit) for band in bands}
    reader.close()
    return rows


def _levels(reader: Reader) -> LevelTable:
    levels = []
    for tier in TIERS:
        edges = reader.list_of(tier, int)
        if len(edges) > 2:
            raise reader.error("rubric_levels", tier, str(edges), "[lowest, highest] or [lowest]")
        levels.append(Level(tier, edges[0], edges[1] if len(edges) == 2 else None))
    ambiguous = reader.list_of("ambiguous", int) if reader.has("ambiguous") else ()
    reader.close()
    levels_are_whole(reader, tuple(levels), ambiguous)
    return LevelTable(tuple(levels), ambiguous, reader.path)


def _tiered(shapes: dict[str, Shape], weights: dict[str, Node], rows: dict[str, tuple[Node, ...]]) -> MarkerRule:
    components = tuple(
        Component(s.id, s.title, s.rule, s.needs, s.unit, weights[s.id], rows[s.id], row_path(rows[s.id]))
        for s in shapes.values()
    )
    return MarkerRule("tiers", "code", components)


def _read_volume(reader: Reader, bands: tuple[str, ...]) -> dict[str, MarkerRule]:
    reader.text("text")
    reader.text("scale_text")
    shapes = _shapes(reader.table("components"), VOLUME_RULES)
    weights = read_weights(reader.table("weights"), tuple(VOLUME_RULES))
    level = _row(reader.table("level"), "range", "dB")
    consistency = _rows(reader.table("consistency"), "at_most", bands, "dB")
    fade_table = reader.table("fade")
    counts_from = fade_table.number("counts_from", unit="dB")
    fade = _rows(fade_table, "at_most", bands, "dB")
    reader.close()
    return {
        band: _tiered(
            shapes, weights, {"level": level, "consistency": consistency[band], "fade": (*fade[band], counts_from)}
        )
        for band in bands
    }


def _read_alignment(reader: Reader, bands: tuple[str, ...]) -> dict[str, MarkerRule]:
    reader.text("text")
    reader.text("blend_text")
    reader.list_of("formulas", str)
    names = tuple(ALIGNMENT_RULES)
    shapes = _shapes(reader.table("components"), ALIGNMENT_RULES)
    weights = read_weights(reader.table("weights"), names)
    rows = {name: _rows(reader.table(name), "at_least", bands, "ratio") for name in names}
    reader.close()
    return {band: _tiered(shapes, weights, {name: rows[name][band] for name in names}) for band in bands}


def _shifted(reader: Reader, tables: dict[tuple[str, str], dict[str, Node]], bands: tuple[str, ...]) -> None:
    """Refuse a twister table that is not the closed table with the published shift."""
    amount = reader.number("amount", high=1)
    source, target = reader.text("from", among=SUB_MARKERS), reader.text("to", among=SUB_MARKERS)
    reader.close()
    for band in bands:
        for name in SUB_MARKERS:
            moved = -amount.value if name == source else amount.value if name == target else 0
            if tables["twister", band][name].value != tables["closed", band][name].value + moved:
                raise reader.error("rubric_shift", band, name, "the closed weights with the published shift")


@dataclass(frozen=True, slots=True)
class _Rate:
    shapes: dict[str, Shape]
    weights: dict[str, dict[str, Node]]
    pace: dict[tuple[str, str], tuple[Node, ...]]
    choppiness: dict[tuple[str, str], tuple[Node, ...]]
    cuts: dict[tuple[str, str], Cut]
    short_under_s: Node
    short_drops: tuple[str, ...]
    zero_factor: Node
    quality_at_zero: Node


def _read_cuts(reader: Reader, kind: str, bands: tuple[str, ...]) -> dict[tuple[str, str], Cut]:
    cuts: dict[tuple[str, str], Cut] = {}
    for band in bands:
        row = reader.table(band)
        most, cut = row.number("rate_at_max", low=1, unit="1/min"), row.number("max_cut", high=1)
        row.close()
        cuts[kind, band] = Cut("hesitations_per_minute", cut, most, row.path)
    reader.close()
    return cuts


def _read_rate(rate: Reader, bands: tuple[str, ...]) -> _Rate:
    rate.text("short_text")
    short = rate.table("short_speech")
    short_under_s = short.number("under_s", unit="s")
    short_drops = short.list_of("drops", str)
    for name in short_drops:
        if name not in PACE_PARTS:
            raise short.error("rubric_value", "drops", repr(name), f"one of {', '.join(PACE_PARTS)}")
    short.close()
    hesitation = rate.table("hesitation")
    hesitation.number("from_s", unit="s")
    hesitation.text("text")
    hesitation.close()
    steadiness = rate.table("steadiness")
    factor, at_zero = steadiness.number("zero_at_factor", low=2), steadiness.number("quality_at_zero", high=1)
    steadiness.close()
    shapes = _shapes(rate.table("components"), RATE_RULES, RATE_TABLES)
    result = _Rate(shapes, {}, {}, {}, {}, short_under_s, short_drops, factor, at_zero)
    for kind in KINDS:
        table = rate.table(kind)
        result.weights[kind] = read_weights(table.table("weights"), PACE_PARTS)
        for band, row in _rows(table.table("pace"), "range", bands, "wpm").items():
            result.pace[kind, band] = row
        for band, row in _rows(table.table("choppiness"), "at_most", bands, "1/min").items():
            result.choppiness[kind, band] = row
        result.cuts.update(_read_cuts(table.table("hesitation"), kind, bands))
        table.close()
    rate.close()
    return result


@dataclass(frozen=True, slots=True)
class _Fluency:
    weights: dict[tuple[str, str], dict[str, Node]]
    false_starts: dict[tuple[str, str], LevelTable]
    fillers: dict[tuple[str, str], LevelTable]
    window_s: Node


def _read_fluency(fluency: Reader, bands: tuple[str, ...]) -> _Fluency:
    fluency.text("recovery_text")
    fluency.list_of("filler_words", str)
    counting = fluency.table("counting")
    result = _Fluency({}, {}, {}, counting.number("window_s", low=1, unit="s"))
    counting.text("text")
    counting.close()
    shift = fluency.table("twister_shift")
    for kind in (*KINDS, "twister"):
        table = fluency.table(kind)
        by_band = table.table("weights")
        result.weights.update({(kind, band): read_weights(by_band.table(band), SUB_MARKERS) for band in bands})
        by_band.close()
        counted = {"false_starts": result.false_starts, "fillers": result.fillers} if kind != "twister" else {}
        for name, levels in counted.items():
            counts = table.table(name)
            levels.update({(kind, band): _levels(counts.table(band)) for band in bands})
            counts.close()
        table.close()
    fluency.close()
    _shifted(shift, result.weights, bands)
    return result


def read_shared(open_file: Callable[[str], Reader], bands: tuple[str, ...]) -> Shared:
    """Read the shared tables. `open_file` gives the reader of a file of the edition. Raises RubricError."""
    rate = _read_rate(open_file("speaking_rate"), bands)
    fluency = _read_fluency(open_file("fluency"), bands)
    return Shared(
        rate_shapes=rate.shapes,
        rate_weights=rate.weights,
        pace=rate.pace,
        choppiness=rate.choppiness,
        cuts=rate.cuts,
        short_under_s=rate.short_under_s,
        short_drops=rate.short_drops,
        steady_zero_factor=rate.zero_factor,
        steady_quality_at_zero=rate.quality_at_zero,
        fluency_weights=fluency.weights,
        false_starts=fluency.false_starts,
        fillers=fluency.fillers,
        fluency_window_s=fluency.window_s,
        volume=_read_volume(open_file("volume_control"), bands),
        alignment=_read_alignment(open_file("adherence"), bands),
    )
