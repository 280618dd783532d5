"""The guide as a book: chapters with their headings, the student rubric's catalogue, where each row is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from vivavoce.rubric.load import FILES, published
from vivavoce.web.guide.catalog import Catalog
from vivavoce.web.guide.uses import Uses, parameters


@dataclass(frozen=True, slots=True)
class Chapter:
    """A page of a guide: its title, address, what it holds, and its headings by id; `parts` are pages under it."""

    title: str
    url: str
    summary: str
    headings: Mapping[str, str] = field(default_factory=dict)
    parts: tuple[tuple[str, str], ...] = ()


MODULE_HEADINGS = {
    "weight": "Where the weight goes",
    "facts": "What is special here",
    "adherence": "How Task Adherence is scored",
    "steadiness": "Pace steadiness",
    "numbers": "Its numbers, by grade band",
    "notes": "Handed to the model, verbatim",
    "examples": "Examples for the judge",
}


@lru_cache(maxsize=1)
def chapters() -> dict[str, Chapter]:
    """The chapters of the rubric guide by name, in order."""
    modules = tuple((module.title, f"/rubric/modules/{module.id}") for module in published().modules.values())
    return {
        "built": Chapter(
            "How every score is built",
            "/rubric",
            "Markers and routes, grade bands, the ceiling, tiers, and one score worked out in full.",
            {
                "markers": "The five markers",
                "grade-bands": "Grade bands",
                "ceiling": "The 95-point ceiling",
                "tiers": "Turning a quality into a score",
                "worked": "One score, worked out",
                "combining": "Combining the five",
                "rounding": "Rounding",
                "edition": "This edition",
            },
        ),
        "tables": Chapter(
            "Shared tables",
            "/rubric/tables",
            "Pace, breaks, pauses, fluency, volume and adherence, by grade band.",
            {
                "open": "Open tasks: spontaneous speech",
                "closed": "Closed tasks: reading a given text",
                "speech": "Speaking Rate in both kinds",
                "fluency": "Fluency in both kinds",
                "volume": "Volume Control",
                "adherence": "Task Adherence on closed tasks",
            },
        ),
        "modules": Chapter(
            "Every module",
            "/rubric/modules",
            "The eight modules and where the weight goes, by row and by column.",
            {"weights": "Where the weight goes", "list": "The eight modules"},
            modules,
        ),
        "feedback": Chapter(
            "What the student is told",
            "/rubric/feedback",
            "The rules of feedback, the tones, and every finding with its sentences.",
            {"rules": "The rules", "tones": "Tone by grade band"}
            | {f"m-{name}": marker.title for name, marker in published().markers.items()},
        ),
        "judging": Chapter(
            "What the judge is asked",
            "/rubric/judging",
            "The words that a judge reads, and what its answers are held to.",
            {
                "asking": "How often a judge is asked",
                "texts": "What every judge is told",
                "pronunciation": "Pronunciation",
                "fluency": "Fluency",
                "checklist": "Checklists",
                "story": "The story",
                "band_anchors": "The shared band anchors",
                "examples": "Example answers",
            },
        ),
        "local": Chapter(
            "The judge on this computer",
            "/rubric/local-judge",
            "How a listener's estimates become scores, and when they do not.",
            {
                "pronunciation": "Pronunciation",
                "fluency": "Fluency",
                "trust": "When its score counts",
                "findings": "What is told of words and sounds",
                "sounds": "The sounds of English",
            },
        ),
        "history": Chapter(
            "What changed, and when", "/rubric/history", "The change log of the rubric.", {"changes": "Changes"}
        ),
        "conflicts": Chapter(
            "Where the sources disagree",
            "/rubric/conflicts",
            "Conflicts in the guide, and what we chose where it is silent.",
            {"conflicts": "Where the sources disagree", "choices": "What we chose where they are silent"},
        ),
        "rows": Chapter("All rows", "/rubric/rows", "Every value of the edition: search, filter, read one by one."),
    }


# The first beginning that fits a path says on which chapter, under which heading, its row is shown.
SHOWN: tuple[tuple[str, str, str], ...] = (
    ("edition.markers", "built", "markers"),
    ("edition.texts.routes", "built", "markers"),
    ("edition.grade_bands", "built", "grade-bands"),
    ("edition.texts.grade_bands", "built", "grade-bands"),
    ("edition.scale", "built", "ceiling"),
    ("edition.tiers", "built", "tiers"),
    ("edition.texts.interpolation", "built", "tiers"),
    ("edition.texts.combining", "built", "combining"),
    ("edition.texts.split", "built", "combining"),
    ("edition.rounding.overall", "built", "combining"),
    ("edition.rounding", "built", "rounding"),
    ("edition.texts.shared_tables", "tables", ""),
    ("edition.texts.weight_table", "modules", "weights"),
    ("edition", "built", "edition"),
    ("speaking_rate.open", "tables", "open"),
    ("fluency.open", "tables", "open"),
    ("speaking_rate.closed", "tables", "closed"),
    ("fluency.closed", "tables", "closed"),
    ("fluency.twister", "tables", "closed"),
    ("fluency.twister_shift", "tables", "closed"),
    ("speaking_rate", "tables", "speech"),
    ("fluency", "tables", "fluency"),
    ("volume_control", "tables", "volume"),
    ("adherence", "tables", "adherence"),
    ("feedback.", "feedback", "rules"),
    ("feedback_wording.lead", "feedback", "rules"),
    ("feedback_wording.tones", "feedback", "tones"),
    *((f"feedback_wording.findings.{name}", "feedback", f"m-{name}") for name in published().markers),
    *((f"judging.{name}", "judging", name) for name in ("asking", "texts", "pronunciation", "fluency")),
    *((f"judging.{name}", "judging", name) for name in ("checklist", "story", "band_anchors", "examples")),
    *((f"local_judge.{name}", "local", name) for name in ("pronunciation", "fluency", "trust", "findings", "sounds")),
    ("history", "history", "changes"),
    ("conflicts", "conflicts", "conflicts"),
    ("choices", "conflicts", "choices"),
)


def shown_at(path: str) -> tuple[str, str]:
    """The title and the address of the place in the guide that shows a row; ("", "") for no such place."""
    steps = path.split(".")
    if steps[0] == "modules" and len(steps) > 1:
        module = published().modules[steps[1]]
        return module.title, f"/rubric/modules/{module.id}"
    for start, name, heading in SHOWN:
        if path == start or path.startswith(start if start.endswith(".") else start + "."):
            chapter = chapters()[name]
            title = chapter.headings.get(heading, "")
            return " › ".join(filter(None, (chapter.title, title))), chapter.url + (f"#{heading}" if heading else "")
    return "", ""


@lru_cache(maxsize=1)
def catalog() -> Catalog:
    """The student rubric's catalogue."""
    rubric = published()
    folder = f"rubrics/{rubric.id}"
    files = {name: f"{folder}/{name}.toml" for name in FILES}
    files |= {f"modules.{name}": f"{folder}/modules/{name}.toml" for name in rubric.modules}
    units = {node.source: node.unit for node in parameters(rubric) if node.unit}
    return Catalog(
        rubric.id, rubric.title, "/rubric/row", "/rubric/rows", files, rubric.entries, units, "vivavoce rubric"
    )


@lru_cache(maxsize=1)
def uses() -> Uses:
    """Where each row of the student rubric is used."""
    return Uses(published())
