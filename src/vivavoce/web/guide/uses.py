"""Which modules, grade bands and markers a row of the student rubric takes part in, worked out from the loaded rubric.

The rules that scoring runs are asked, not the file names: the tongue twister's forced pace, for one, does not use the
closed tasks' pace.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vivavoce.feedback.open_tasks import ANCHORED, DONE_WELL, NO_DETAIL
from vivavoce.rubric.model import MarkerRule, Module, Rubric
from vivavoce.trace import Node

# Rules that make a score through the tier table.
THROUGH_TIERS = frozenset({"tiers", "alignment"})
CHECKLISTS = frozenset({"checklist_with_guardrails", "checklist_with_order_rules"})


@dataclass(frozen=True, slots=True)
class Use:
    """One use: a marker ("overall": the sum of the five) of a module in a grade band, and what the row does there."""

    role: str
    marker: str
    module: str
    grade_band: str


@dataclass(frozen=True, slots=True)
class UseLine:
    """Uses with one role and marker: the modules and the grade bands that they hold for, in the rubric's order."""

    role: str
    marker: str
    modules: tuple[str, ...]
    grade_bands: tuple[str, ...]


def parameters(rubric: Rubric) -> Iterator[Node]:
    """Yield every parameter that a rule, a tier, the scale or a judge works on."""
    for tier in rubric.tiers:
        yield from (tier.quality_low, tier.quality_high, tier.interpolate_to, tier.score_low, tier.score_high)
    yield from (rubric.ceiling, rubric.judged_lowest, rubric.judged_highest, rubric.fluency_window_s)
    for module in rubric.modules.values():
        yield from module.weights.values()
        for by_band in module.rules.values():
            for rule in by_band.values():
                yield from (node for _, node in _of_rule(rule))
        for tables in module.fluency.values():
            yield from tables.weights.values()
    for anchor in (*rubric.local.pronunciation, *rubric.local.fluency):
        yield from (anchor.experts, anchor.score)
    yield from (rubric.judging.spread_limit, rubric.local.widest_interval)


def _of_rule(rule: MarkerRule) -> Iterator[tuple[str, Node]]:
    """Yield the parameters of a rule, each with what it is there."""
    for component in rule.components:
        yield f"weight of {component.title}", component.weight
        yield from ((component.title, node) for node in component.parameters)
    if rule.cut is not None:
        yield from (("hesitation cut", node) for node in (rule.cut.max_cut, rule.cut.rate_at_max))
    if rule.short_under_s is not None:
        yield "short speech", rule.short_under_s
    yield from (("rule", node) for node in (rule.parameters or {}).values())
    yield from (("cap", node) for node in (rule.named_caps or {}).values())


def open_findings(module: Module, grade_band: str) -> frozenset[str]:
    """The findings that Task Adherence of an open module can have, by its rule."""
    rule = module.rules["task_adherence"][grade_band]
    if rule.rule in DONE_WELL:
        detail = {NO_DETAIL} if "no_specific_detail_cap" in (rule.parameters or {}) else set()
        return frozenset({*(rule.named_caps or {}), *detail, "points_missing", "thin", DONE_WELL[rule.rule]})
    if rule.rule == "keywords_and_story":
        return frozenset({"keywords_missing", "story_weak", "story_thin", "keywords_used", "story_told"})
    return frozenset(ANCHORED.get(module.id, ()))


class Uses:
    """The uses of every row; built once from a loaded rubric."""

    def __init__(self, rubric: Rubric) -> None:
        self._rubric = rubric
        self._found: dict[str, dict[Use, None]] = {}
        self._prefixes: dict[str, list[str]] = {}
        for path in rubric.entries:
            steps = path.split(".")
            for length in range(1, len(steps) + 1):
                self._prefixes.setdefault(".".join(steps[:length]), []).append(path)
        for module in rubric.modules.values():
            for grade_band in rubric.grade_bands:
                self._module(module, grade_band)
        self._explained()

    def of(self, path: str) -> list[UseLine]:
        """The uses of a row, those with the same role and marker on one line; none where no score reads it."""
        lines: dict[tuple[str, str], tuple[dict[str, None], dict[str, None]]] = {}
        for use in self._found.get(path, {}):
            modules, bands = lines.setdefault((use.role, use.marker), ({}, {}))
            modules[use.module], bands[use.grade_band] = None, None
        return [
            UseLine(role, marker, tuple(modules), tuple(b for b in self._rubric.grade_bands if b in bands))
            for (role, marker), (modules, bands) in lines.items()
        ]

    def _add(self, path: str, role: str, marker: str, module: Module, grade_band: str) -> None:
        for row in self._prefixes.get(path, ()):
            self._found.setdefault(row, {})[Use(role, marker, module.id, grade_band)] = None

    def _module(self, module: Module, grade_band: str) -> None:
        rubric, own = self._rubric, f"modules.{module.id}"
        for marker, node in module.weights.items():
            self._add(node.source, "weight in the overall", "overall", module, grade_band)
            rule = module.rules[marker][grade_band]
            self._rule(module, grade_band, marker, rule)
        self._add("edition.rounding", "rounding", "overall", module, grade_band)
        self._add(f"edition.grade_bands.{grade_band}", "grade band", "overall", module, grade_band)
        tables = module.fluency[grade_band]
        for node in tables.weights.values():
            self._add(node.source, "bounds of the judged score", "fluency", module, grade_band)
        for table in (tables.false_starts, tables.fillers):
            self._add(table.source, "level by count", "fluency", module, grade_band)
        self._add("fluency.counting", "counting", "fluency", module, grade_band)
        for name in module.notes:
            marker = "task_adherence" if name == "mastery" else name
            self._add(f"{own}.notes.{name}", "handed to the judge", marker, module, grade_band)
        self._add(f"{own}.steadiness", "pace steadiness", "speaking_rate", module, grade_band)
        self._add(f"{own}.speaking_rate", "own rule", "speaking_rate", module, grade_band)
        self._add(f"{own}.fluency", "own sub-weights", "fluency", module, grade_band)
        if module.fluency[grade_band].weights["smoothness"].source.startswith("fluency.twister."):
            self._add("fluency.twister_shift", "shift of the sub-weights", "fluency", module, grade_band)
        for name in ("id", "title", "chapter", "kind", "description", "facts"):
            self._add(f"{own}.{name}", "describes the module", "overall", module, grade_band)
        self._add(f"{own}.fade", "how fade is measured", "volume_control", module, grade_band)
        self._add(f"{own}.adherence", "rule", "task_adherence", module, grade_band)
        self._add(f"feedback_wording.tones.{grade_band}", "tone of feedback", "overall", module, grade_band)
        self._judged(module, grade_band)
        for marker in rubric.markers:
            self._sentences(module, grade_band, marker)

    def _rule(self, module: Module, grade_band: str, marker: str, rule: MarkerRule) -> None:
        for role, node in _of_rule(rule):
            self._add(node.source, role, marker, module, grade_band)
        for component in rule.components:
            file = {"speaking_rate": "speaking_rate", "volume_control": "volume_control"}.get(marker, "adherence")
            self._add(f"{file}.components.{component.id}", component.title, marker, module, grade_band)
        if rule.short_under_s is not None:
            self._add("speaking_rate.short_speech", "short speech", marker, module, grade_band)
            self._add("speaking_rate.hesitation", "what a hesitation is", marker, module, grade_band)
        if rule.rule in THROUGH_TIERS:
            self._add("edition.tiers", "tier table", marker, module, grade_band)
        else:
            for tier in self._rubric.tiers:
                for key in ("id", "label", "score_low", "score_high"):
                    row = f"edition.tiers.rows.{tier.id}.{key}"
                    self._add(row, "tier of the judged score", marker, module, grade_band)
            for name in ("lowest", "judged_highest"):
                self._add(f"edition.scale.{name}", "range of a judge's answer", marker, module, grade_band)
        self._add("edition.scale.ceiling", "ceiling", marker, module, grade_band)
        self._add(f"edition.markers.{marker}", "marker", marker, module, grade_band)

    def _judged(self, module: Module, grade_band: str) -> None:
        adherence = module.rules["task_adherence"][grade_band]
        asked = {"pronunciation": "pronunciation", "fluency": "fluency"}
        if adherence.rule in CHECKLISTS:
            asked["checklist"] = "task_adherence"
        elif adherence.rule == "keywords_and_story":
            asked["story"] = "task_adherence"
        elif adherence.rule == "band_anchors":
            asked["band_anchors"] = "task_adherence"
        for part, marker in asked.items():
            for name in self._rubric.entries if part == "band_anchors" else ():
                if name.startswith("judging.band_anchors.") and ".examples." not in name:
                    self._add(name, "told to the judge", marker, module, grade_band)
            if part != "band_anchors":
                self._add(f"judging.{part}", "told to the judge", marker, module, grade_band)
            for shared in ("judging.asking", "judging.texts"):
                self._add(shared, "told to the judge", marker, module, grade_band)
        for examples in ("judging.examples", "judging.band_anchors.examples"):
            self._add(f"{examples}.{module.id}", "example for the judge", "task_adherence", module, grade_band)
        for part in ("pronunciation", "fluency", "trust"):
            for marker in ("pronunciation", "fluency") if part == "trust" else (part,):
                self._add(f"local_judge.{part}", "local judge", marker, module, grade_band)
        for part in ("findings", "sounds"):
            self._add(f"local_judge.{part}", "local judge's findings", "pronunciation", module, grade_band)

    def _sentences(self, module: Module, grade_band: str, marker: str) -> None:
        setting = "twister" if module.repetitions > 1 else module.kind
        of_open = open_findings(module, grade_band) if marker == "task_adherence" and module.kind == "open" else None
        for finding in self._rubric.wording.findings[marker].values():
            named = (setting, "any", "closed" if setting == "twister" else "any")
            worded = next((name for name in named if name in finding.sentences), None)
            if worded is None or (of_open is not None and finding.name not in of_open):
                continue
            if marker == "task_adherence" and module.kind == "closed" and worded == "any":
                continue  # what is worded for any module are the findings of open tasks
            for path in (
                f"{finding.source}.{worded}.{grade_band}",
                f"{finding.source}.kind",
                f"{finding.source}.about",
            ):
                self._add(path, "told to the student", marker, module, grade_band)

    def _explained(self) -> None:
        """Rows of the change log name the modules that they are about."""
        for change in self._rubric.changes:
            for name in change["modules"]:
                for grade_band in self._rubric.grade_bands:
                    path = f"history.changes.{change['id']}"
                    self._add(path, "changed", "overall", self._rubric.modules[name], grade_band)
