"""A task of one's own from its form: the same checks as for any other, told at the field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.rubric.load import published
from vivavoce.rubric.model import Module
from vivavoce.strict import choice
from vivavoce.submission import task_from_json
from vivavoce.tasks import check_task

LONGEST_TITLE = 80
POINTS = 8


@dataclass(slots=True)
class TaskForm:
    """The form as it was filled in, and what is wrong by field."""

    module: Module
    title: str = ""
    grade: str = ""
    reference: str = ""
    prompt: str = ""
    keywords: str = ""
    questions: str = ""
    points: list[str] = field(default_factory=list)
    end_with: str = ""
    may_stay_vague: str = ""
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that the module takes, in order."""
        if self.module.kind == "closed":
            return ("reference", "prompt")
        rule = next(iter(self.module.rules["task_adherence"].values())).rule
        more: tuple[str, ...] = ()
        if rule == "keywords_and_story":
            more = ("keywords",)
        elif rule.startswith("checklist"):
            more = ("checklist",)
        elif self.module.id == "rapid_fire_qa":
            more = ("questions",)
        return ("prompt", *more)

    @property
    def rows(self) -> list[str]:
        """The checklist's lines to show, empty ones at the end."""
        return (self.points + [""] * POINTS)[:POINTS]

    @property
    def grades(self) -> tuple[int, ...]:
        """The grades there are."""
        return tuple(grade for band in published().grade_bands.values() for grade in band.grades)

    def task(self) -> dict[str, Any] | None:
        """Return the task object where all is in order; else `errors` says what is not."""
        self.title = " ".join(self.title.split())
        if not 0 < len(self.title) <= LONGEST_TITLE:
            self.errors["title"] = f"Give it a name of 1 to {LONGEST_TITLE} letters."
        made = self._object()
        if made is not None:
            try:
                check_task(task_from_json(made, "task"), published())
            except RequestError as error:
                self.errors.setdefault(*_at_field(error))
        return made if made is not None and not self.errors else None

    def _object(self) -> dict[str, Any] | None:
        if not re.fullmatch(r"[0-9]{1,2}", self.grade):
            self.errors["grade"] = "Choose a grade."
            return None
        made: dict[str, Any] = {"module": self.module.id, "grade": int(self.grade)}
        for name in ("reference", "prompt"):
            text = _tidy(getattr(self, name))
            if name in self.fields and text:
                made[name] = text
        for name in ("keywords", "questions"):
            lines = _lines(getattr(self, name))
            if name in self.fields and lines:
                made[name] = lines
        if "checklist" in self.fields:
            items = self._checklist()
            if items:
                made["checklist"] = items
        if self.module.kind == "open" and not any(name in made for name in ("prompt", "keywords", "questions")):
            self.errors["prompt"] = "Say what is to be talked about."
        return made

    def _checklist(self) -> list[dict[str, Any]]:
        items = []
        for number, text in enumerate(self.rows, 1):
            if not text.strip():
                for name in ("end_with", "may_stay_vague"):
                    if getattr(self, name) == str(number):
                        self.errors[name] = f"Point {number} is empty: choose one that has words."
                continue
            marks = {name: True for name in ("end_with", "may_stay_vague") if getattr(self, name) == str(number)}
            items.append({"text": " ".join(text.split()), **marks})
        return items


def form_of(values: Mapping[str, Any]) -> TaskForm:
    """Return a form as it was sent. Raises RequestError for a module that there is not."""
    rubric = published()
    module = rubric.modules[choice(values.get("module"), "module", rubric.modules)]
    form = TaskForm(module=module, points=[str(point) for point in values.get("points") or ()][:POINTS])
    for name in TEXTS:
        setattr(form, name, str(values.get(name) or ""))
    return form


TEXTS = ("title", "grade", "reference", "prompt", "keywords", "questions", "end_with", "may_stay_vague")
# Which field an error's place in the task belongs to, and what stands there in plain words.
PLAIN = {
    "reference_missing": "Give the text that is read.",
    "keywords_missing": "Give one keyword or more, one on each line.",
    "grade_unknown": "Choose one of the grades.",
    "text_too_long": "This is too long.",
}


def _at_field(error: RequestError) -> tuple[str, str]:
    place = error.where.removeprefix("task").strip("/ ").split("/")[0] or "module"
    told = PLAIN.get(error.code, f"{error.found}; allowed: {error.allowed}")
    return place, told


def _tidy(text: str) -> str:
    """A text with its own lines, without trailing space and other systems' line ends."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    return "\n".join(lines).strip("\n")


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in _tidy(text).split("\n") if line.strip()]
