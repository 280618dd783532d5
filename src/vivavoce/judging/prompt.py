"""The prompt of each judged marker, rendered from the rubric's own data, so that table and prompt cannot drift.

What the submission brings (task texts, words, numbers) stands in one block of evidence, each text as a JSON string on
one line that it cannot leave; everything outside the block is the rubric's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vivavoce.judging.contract import contract_of
from vivavoce.judging.evidence_text import evidence_lines
from vivavoce.judging.levels_text import fluency_sections
from vivavoce.judging.material import Material
from vivavoce.judging.shape import Schema
from vivavoce.rubric.model import Anchored, Module, Rubric

BEGIN, END = "BEGIN EVIDENCE", "END EVIDENCE"
NOTES = {"pronunciation": "pronunciation", "fluency": "fluency", "task_adherence": "mastery"}
PARTS = {
    "checklist_with_guardrails": "checklist",
    "checklist_with_order_rules": "checklist",
    "keywords_and_story": "story",
    "band_anchors": "band_anchors",
}
RULE = "Say of each whether it {0}, with the words that show it. Do not lower the score for it: code does."


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent: `system` and `user` texts, the JSON schema of the reply, and the SHA-256 over the three."""

    marker: str
    system: str
    user: str
    schema: Schema
    digest: str


def render(rubric: Rubric, module: Module, grade_band: str, marker: str, material: Material, *, hears: bool) -> Prompt:
    """Return the prompt that asks for one marker of one submission.

    Parameters: `hears` whether the recording goes along. Raises RequestError for a marker that code measures.
    """
    schema = contract_of(rubric, module, grade_band, marker, material.task).schema()
    texts = rubric.judging.texts
    system = "\n".join([texts["role"], texts["data"], texts["one_marker"], texts["fairness"], texts["scores"]])
    sections = [
        *_task(rubric, module, grade_band, marker, material),
        *_rules(rubric, module, grade_band, marker, material),
        ("The ceiling", [str(rubric.lookup("edition.scale.text").value), _ceiling(rubric)]),
        ("Evidence", [*_hearing(rubric, material, hears=hears), BEGIN, *evidence_lines(marker, material), END]),
        ("Your reply", [texts["quoting"], texts["reason"], texts["reply"], json.dumps(schema, ensure_ascii=False)]),
    ]
    user = "\n\n".join("\n".join([f"## {title}", *lines]) for title, lines in sections)
    whole = json.dumps([system, user, schema], ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()
    return Prompt(marker, system, user, schema, digest)


def _task(
    rubric: Rubric, module: Module, grade_band: str, marker: str, material: Material
) -> Iterator[tuple[str, list[str]]]:
    band, about = rubric.grade_bands[grade_band], rubric.markers[marker]
    grades = ", ".join(map(str, band.grades))
    kind = "a given text is read" if module.kind == "closed" else "spontaneous speech, no given text"
    lines = [
        f"Module: {module.title} ({module.kind} task: {kind}).",
        module.description,
        f"Grade {material.task.grade}, grade band {band.title} (grades {grades}).",
    ]
    if module.repetitions > 1:
        lines.append(f"The text is to be said {module.repetitions} times.")
    yield "The task", lines
    yield "The marker", [f"{about.title}: {about.judges}{'' if about.judges.endswith('?') else '.'}"]


def _rules(
    rubric: Rubric, module: Module, grade_band: str, marker: str, material: Material
) -> Iterator[tuple[str, list[str]]]:
    rule = module.rules[marker][grade_band].rule
    part = rubric.judging.parts[PARTS.get(rule, marker)]
    yield "What to judge", [part.lead, *_listed(part.what_counts)]
    note = module.notes.get(NOTES[marker])
    if note is not None:
        yield "The module's note, verbatim", [f"“{note}”"]
    if marker == "task_adherence":
        yield "What the guide says of this module", _listed(module.facts)
    if marker == "fluency":
        yield from fluency_sections(rubric, module, grade_band, material)
    if rule == "checklist_with_guardrails":
        yield from _guardrails(rubric, module)
    if rule == "checklist_with_order_rules":
        yield "The order rules", [RULE.format("was broken"), *_rows(rubric, module, "order_rules")]
    title = "Levels of recovery" if marker == "fluency" else "Tiers"
    tiers = _tiers(rubric, part, ranges=marker != "fluency")
    if material.task.checklist or material.task.questions:
        tiers += [rubric.judging.texts["done"]] if marker == "task_adherence" and rule != "keywords_and_story" else []
    yield title, tiers
    yield from _examples(rubric, module, marker)


def rule_texts(rubric: Rubric, module: Module, table: str) -> dict[str, str]:
    """Return the texts of `guardrails` or `order_rules` by id, in order; caps are code's, none is shown."""
    path = f"modules.{module.id}.adherence.{table}."
    ids = dict.fromkeys(key.removeprefix(path).split(".")[0] for key in rubric.entries if key.startswith(path))
    return {name: str(rubric.lookup(f"{path}{name}.text").value) for name in ids}


def _rows(rubric: Rubric, module: Module, table: str) -> list[str]:
    return [f"- {name}: {text}" for name, text in rule_texts(rubric, module, table).items()]


def _guardrails(rubric: Rubric, module: Module) -> Iterator[tuple[str, list[str]]]:
    yield "The guardrails", [RULE.format("fired"), *_rows(rubric, module, "guardrails")]
    yield "The specific detail", [str(rubric.lookup(f"modules.{module.id}.adherence.specific_detail.text").value)]


def _tiers(rubric: Rubric, part: Anchored, *, ranges: bool) -> list[str]:
    lines = []
    for tier in rubric.tiers:
        span = f" ({tier.score_low.number} to {tier.score_high.number})" if ranges else ""
        lines.append(f"- {tier.id}, {tier.label}{span}: {part.anchors[tier.id]}")
    return lines


def _examples(rubric: Rubric, module: Module, marker: str) -> Iterator[tuple[str, list[str]]]:
    if marker != "task_adherence":
        yield "Examples", _listed(rubric.judging.parts[marker].examples)
        return
    found = rubric.judging.examples.get(module.id, {})
    lines = [f"- {name}: “{text}”" for name, text in found.items()]
    if lines:
        yield "Examples of other students' answers, to other tasks", lines


def _ceiling(rubric: Rubric) -> str:
    return (
        f"You may answer up to {rubric.judged_highest.number}; what is above {rubric.ceiling.number} becomes "
        f"{rubric.ceiling.number} in code."
    )


def _hearing(rubric: Rubric, material: Material, *, hears: bool) -> list[str]:
    texts = rubric.judging.texts
    verbatim = texts["verbatim"] if material.verbatim else texts["not_verbatim"]
    return [texts["hears_audio"] if hears else texts["no_audio"], verbatim]


def _listed(texts: Sequence[str]) -> list[str]:
    return [f"- {text}" for text in texts]
