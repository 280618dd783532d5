"""A task and a submission: what the student was asked, and by whom it is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vivavoce.strict import as_object, refuse, shown
from vivavoce.trace import Node

MAX_TEXT_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """A point that an open task asks for; one may be marked `end_with`, one `may_stay_vague`."""

    text: str
    end_with: bool = False
    may_stay_vague: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A module and grade plus what the module needs.

    `reference` for closed tasks; `prompt`, `keywords`, `checklist`, `questions` for open ones; `accepted` maps a
    reference word to alternatives that count as read correctly.
    """

    module: str
    grade: int
    reference: str | None = None
    prompt: str | None = None
    keywords: tuple[str, ...] = ()
    checklist: tuple[ChecklistItem, ...] = ()
    questions: tuple[str, ...] = ()
    accepted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judgement as it enters scoring: the values by input name, who gave it, and why.

    `judge` is "person" or a model's name; `by` names the person where that is known. `steps`: how its score was made,
    where code made it of what was judged.
    """

    marker: str
    values: Mapping[str, Any]
    judge: str = "person"
    by: str = ""
    reason: str = ""
    steps: Node | None = None


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise refuse("value_type", where, shown(value), "a text that is not empty")
    if len(value) > MAX_TEXT_CHARACTERS:
        raise refuse("text_too_long", where, f"{len(value)} characters", f"at most {MAX_TEXT_CHARACTERS}")
    return value


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise refuse("request_shape", where, shown(value), "a list of texts")
    return tuple(_text(item, f"{where}/{index}") for index, item in enumerate(value))


def _flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise refuse("value_type", where, shown(value), "true or false")
    return value


def _checklist(value: Any, where: str) -> tuple[ChecklistItem, ...]:
    if not isinstance(value, list):
        raise refuse("request_shape", where, shown(value), "a list of objects")
    items = []
    for index, raw in enumerate(value):
        place = f"{where}/{index}"
        item = as_object(raw, place, ("text",), ("end_with", "may_stay_vague"))
        flags = [_flag(item.get(name, False), f"{place}/{name}") for name in ("end_with", "may_stay_vague")]
        items.append(ChecklistItem(_text(item["text"], f"{place}/text"), *flags))
    for name in ("end_with", "may_stay_vague"):
        marked = [index for index, item in enumerate(items) if getattr(item, name)]
        if len(marked) > 1:
            raise refuse("checklist_marks", f"{where}/{marked[1]}/{name}", f"{len(marked)} items", "at most one item")
    return tuple(items)


def _accepted(value: Any, where: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise refuse("request_shape", where, shown(value), "an object from a word to a list of words")
    return {_text(word, where): _texts(others, f"{where}/{word}") for word, others in value.items()}


def task_from_json(data: Any, where: str) -> Task:
    """Return the task that a JSON object describes; whether it fits its module is checked by `check_task`.

    Raises RequestError with the JSON pointer after `where`.
    """
    optional = ("reference", "prompt", "keywords", "checklist", "questions", "accepted")
    data = as_object(data, where, ("module", "grade"), optional)
    grade = data["grade"]
    if isinstance(grade, bool) or not isinstance(grade, int):
        raise refuse("value_type", f"{where}/grade", shown(grade), "a whole number, the school grade")
    known: dict[str, Any] = {}
    for name in ("reference", "prompt"):
        if data.get(name) is not None:
            known[name] = _text(data[name], f"{where}/{name}")
    for name in ("keywords", "questions"):
        if name in data:
            known[name] = _texts(data[name], f"{where}/{name}")
    if "checklist" in data:
        known["checklist"] = _checklist(data["checklist"], f"{where}/checklist")
    if "accepted" in data:
        known["accepted"] = _accepted(data["accepted"], f"{where}/accepted")
    return Task(module=_text(data["module"], f"{where}/module"), grade=grade, **known)
