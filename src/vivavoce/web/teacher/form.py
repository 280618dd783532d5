"""A scoring sheet as a form: its fields grow out of the contract's shape, and what was typed is read by the contract.

A field's name is the JSON pointer of its value, so that an error's place is the field that it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.judging.contract import Contract
from vivavoce.judging.judge import Brief
from vivavoce.judging.shape import Flag, Many, Pick, Record, Rows, Shape, Text, Whole
from vivavoce.rubric.model import Rubric
from vivavoce.web.teacher.wording import Option, Words

Typed = Mapping[str, str]
_WHOLE = re.compile(r"-?[0-9]{1,9}")
# The field of a score that is given alone, without the sheet.
SCORE_ALONE = "/score_alone"
# A text up to this length is typed on one line.
ONE_LINE = 500


@dataclass(frozen=True, slots=True)
class Field:
    """One answer: `name` a JSON pointer, `kind` flag, pick, whole, line or text; `short`: options side by side."""

    name: str
    kind: str
    label: str
    hint: str
    typed: str
    options: tuple[Option, ...] = ()
    low: int = 0
    high: int = 0
    short: bool = False
    faults: tuple[RequestError, ...] = ()

    @property
    def id(self) -> str:
        """The field's name as an HTML id."""
        return id_of(self.name)


@dataclass(frozen=True, slots=True)
class Group:
    """Answers that belong together; `row`: of one point, beside each other; `listed`: a row that may stay empty."""

    name: str
    label: str
    hint: str
    parts: tuple[Field | Group, ...]
    notes: tuple[str, ...] = ()
    row: bool = False
    listed: bool = False

    @property
    def id(self) -> str:
        """The group's name as an HTML id."""
        return id_of(self.name)


@dataclass(frozen=True, slots=True)
class Answers:
    """What a form says: the sheet's values as JSON, and what the contract refuses of it, each with its field's name."""

    values: Any
    faults: tuple[RequestError, ...]


@dataclass(slots=True)
class _Reading:
    """Values built of what was typed.

    `labels` what people call the values of the contract; `moved` leads from a list's row as the contract counts it to
    the form's row.
    """

    typed: Typed
    labels: Mapping[str, str] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)

    def value(self, shape: Shape, name: str, kept: str) -> Any:
        match shape:
            case Record():
                return {key: self.value(part, f"{name}/{key}", f"{kept}/{key}") for key, part in shape.fields.items()}
            case Rows():
                return {key: self.value(shape.row, f"{name}/{key}", f"{kept}/{key}") for key in shape.ids}
            case Many():
                return self._list(shape, name, kept)
        text = self.typed.get(name, "").replace("\r\n", "\n").strip()
        if isinstance(shape, Text):
            return text
        if isinstance(shape, Flag) and text in ("true", "false"):
            return text == "true"
        if isinstance(shape, Whole) and _WHOLE.fullmatch(text):
            return int(text)
        return text or None

    def _list(self, shape: Many, name: str, kept: str) -> list[Any]:
        rows: list[Any] = []
        for number in range(shape.most):
            row = f"{name}/{number}"
            if any(text.strip() for key, text in self.typed.items() if key.startswith(f"{row}/")):
                self.moved[f"{kept}/{len(rows)}"] = row
                rows.append(self.value(shape.shape, row, f"{kept}/{len(rows)}"))
        return rows

    def placed(self, error: RequestError) -> RequestError:
        """The error at the form's own row, and an answer that is not there called so."""
        where = error.where
        for kept, row in self.moved.items():
            if where.startswith(f"{kept}/"):
                where = row + where.removeprefix(kept)
                break
        found = {"null": "no answer", "0 characters": "nothing"}.get(error.found, error.found)
        allowed = error.allowed.replace("true or false", "yes or no") if error.code == "value_type" else error.allowed
        for name, label in self.labels.items():
            found, allowed = (re.sub(rf"\b{name}\b", label, text) for text in (found, allowed))
        remedy = error.remedy.replace("correct the request", "correct it")
        return RequestError(error.code, where=where, found=found, allowed=allowed, remedy=remedy)


def id_of(name: str) -> str:
    """Return a JSON pointer as an HTML id."""
    return "f" + re.sub(r"[^0-9A-Za-z]+", "-", name)


def read(brief: Brief, typed: Typed) -> Answers:
    """Return what was typed as the sheet's values, with all that the contract refuses of them."""
    contract, reading = brief.contract(), _Reading(typed, {tier.id: tier.label for tier in brief.rubric.tiers})
    values = reading.value(contract.shape, "", "")
    faults = list(_misshapen(contract.shape, values, "")) or _unfit(brief, contract, values)
    return Answers(values, tuple(reading.placed(fault) for fault in faults))


def _misshapen(shape: Shape, value: Any, where: str) -> Iterator[RequestError]:
    """All that the shape refuses, not only the first of it."""
    match shape:
        case Record():
            for key, part in shape.fields.items():
                yield from _misshapen(part, value[key], f"{where}/{key}")
        case Rows():
            for key in shape.ids:
                yield from _misshapen(shape.row, value[key], f"{where}/{key}")
        case Many():
            for number, item in enumerate(value):
                yield from _misshapen(shape.shape, item, f"{where}/{number}")
        case _:
            try:
                shape.read(value, where)
            except RequestError as error:
                yield error


def _unfit(brief: Brief, contract: Contract, values: Any) -> list[RequestError]:
    """All that the contract's checks refuse: each check tells one fault, so quotes are held up row by row first."""
    accepted = contract.shape.read(values, "")
    facts = brief.material.facts(brief.rubric, brief.module, brief.grade_band)
    found: dict[tuple[str, str], RequestError] = {}

    def held(reply: Mapping[str, Any], only: str = "") -> None:
        for check in contract.checks:
            try:
                check(reply, facts)
            except RequestError as error:
                if only in ("", error.code):
                    found.setdefault((error.code, error.where), error)

    for key, rows in accepted.items():
        if isinstance(rows, list) and all(isinstance(row, dict) and "id" in row for row in rows):
            for row in rows:
                held({**accepted, key: [row]}, only="words_not_said")
    held(accepted)
    return list(found.values())


def fields(brief: Brief, typed: Typed, faults: Sequence[RequestError]) -> tuple[Field | Group, ...]:
    """Return the form of a marker's sheet, with what was typed and what was refused."""
    made = _group(brief.contract().shape, "", Words(brief), typed, faults)
    return made.parts


def _part(shape: Shape, name: str, words: Words, typed: Typed, faults: Sequence[RequestError]) -> Field | Group:
    if isinstance(shape, Record | Rows | Many):
        return _group(shape, name, words, typed, faults)
    found = tuple(fault for fault in faults if fault.where == name)
    kind, low, high = "line", 0, 0
    options: tuple[Option, ...] = ()
    match shape:
        case Flag():
            kind, options = "flag", (Option("true", "Yes"), Option("false", "No"))
        case Pick():
            kind, options = "pick", tuple(words.option(name, value) for value in shape.among)
        case Whole():
            kind, low, high = "whole", shape.low, shape.high
        case Text():
            kind, low, high = "line" if shape.most <= ONE_LINE else "text", shape.least, shape.most
    short = kind == "flag" or words.is_counted(name)
    return Field(name, kind, words.label(name), words.hint(name), typed.get(name, ""), options, low, high, short, found)


def _group(shape: Shape, name: str, words: Words, typed: Typed, faults: Sequence[RequestError]) -> Group:
    inner: dict[str, Shape]
    match shape:
        case Record():
            inner = dict(shape.fields)
        case Rows():
            inner = dict.fromkeys(shape.ids, shape.row)
        case Many():
            inner = {str(number): shape.shape for number in range(shape.most)}
        case _:
            raise TypeError(f"no group: {shape}")
    parts = tuple(_part(part, f"{name}/{key}", words, typed, faults) for key, part in inner.items())
    return Group(
        name,
        words.label(name),
        words.hint(name),
        parts,
        words.notes(name),
        name.count("/") > 1,
        name.rsplit("/", 1)[-1].isdecimal(),
    )


def places(parts: Sequence[Field | Group]) -> dict[str, str]:
    """Return what each field is called in a list of what does not fit, by its name."""
    found: dict[str, str] = {}
    for part in parts:
        if isinstance(part, Group):
            found[part.name] = part.label
            found |= {name: f"{part.label}: {label}" for name, label in places(part.parts).items()}
        else:
            found[part.name] = part.label
    return found


def whole_score(rubric: Rubric, typed: Typed) -> tuple[int | None, tuple[RequestError, ...]]:
    """Return a score that is given alone, or what is wrong with it, at its field."""
    shape = Whole(int(rubric.judged_lowest.value), int(rubric.judged_highest.value))
    reading = _Reading(typed)
    try:
        return shape.read(reading.value(shape, SCORE_ALONE, ""), SCORE_ALONE), ()
    except RequestError as error:
        return None, (reading.placed(error),)
