"""Whether a task fits its module and grade."""

from __future__ import annotations

from vivavoce.errors import RequestError
from vivavoce.rubric.model import Module, Rubric
from vivavoce.strict import refuse
from vivavoce.submission import Task


def check_task(task: Task, rubric: Rubric, where: str = "task") -> tuple[Module, str]:
    """Return the task's module and grade band. Raises RequestError for what does not fit its module."""
    if task.module not in rubric.modules:
        raise refuse("module_unknown", f"{where}/module", f'"{task.module}"', ", ".join(rubric.modules))
    module = rubric.modules[task.module]
    band = next((band.id for band in rubric.grade_bands.values() if task.grade in band.grades), None)
    if band is None:
        grades = [str(grade) for each in rubric.grade_bands.values() for grade in each.grades]
        raise refuse("grade_unknown", f"{where}/grade", str(task.grade), "the grades " + ", ".join(grades))
    if module.kind == "closed" and task.reference is None:
        raise RequestError(
            "reference_missing",
            where=f"{where}/reference",
            found="no text",
            allowed=f"{module.id} is read from a text",
            remedy="give the text: --reference FILE, or reference in the task",
        )
    if module.kind == "open" and task.reference is not None:
        raise RequestError(
            "reference_unexpected",
            where=f"{where}/reference",
            found="a text",
            allowed=f"{module.id} is spontaneous speech, without a text",
            remedy="leave the text out, or choose a reading module",
        )
    if module.rules["task_adherence"][band].rule == "keywords_and_story" and not task.keywords:
        raise refuse("keywords_missing", f"{where}/keywords", "no keywords", f"one or more keywords for {module.id}")
    return module, band
