"""The listener's answer as JSON: kept in the report like any judge's reply, and read from it again.

Numbers are rounded half up once, when they are written: estimates to 0.01, probabilities and sounds to 0.001.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from vivavoce.arithmetic import on_grid
from vivavoce.listening.result import SCALES, Listening
from vivavoce.notice import Notice
from vivavoce.rubric.local import EXPERTS_HIGHEST
from vivavoce.strict import as_object, choice, parse_json, refuse, shown
from vivavoce.trace import Exact, exact

ESTIMATE_STEPS, FINE_STEPS = 100, 1000
KEYS = ("listener", "text", "coverage", "estimates", "parts", "doubts")
WORD_KEYS = ("text", "said", "start_ms", "end_ms", "read_correctly", "accuracy", "phones", "reason")
MARK = '{"listener": '


@dataclass(frozen=True, slots=True)
class Phone:
    """A sound that was listened for: name, times, and a score from 0 (another sound) to 2 (right)."""

    name: str
    start_ms: int
    end_ms: int
    score: Exact


@dataclass(frozen=True, slots=True)
class HeardAs:
    """A word that was listened for; `said` the transcript's words that stand for it. None: it could not be aligned."""

    text: str
    said: str
    start_ms: int | None
    end_ms: int | None
    read_correctly: Exact | None
    accuracy: Exact | None
    phones: tuple[Phone, ...]


@dataclass(frozen=True, slots=True)
class Received:
    """What a reply says: the estimates (value, low, high) by scale, the words, the doubts."""

    listener: str
    text: str
    coverage: Exact
    estimates: Mapping[str, tuple[Exact, Exact, Exact]]
    words: tuple[HeardAs, ...] = ()
    doubts: tuple[Notice, ...] = field(default=())


def write(listening: Listening, said: Sequence[str], coverage: float, *, words: bool) -> str:
    """Return the reply as JSON text.

    Parameters: `said` the transcript's words for each word of the listening; `coverage` how often its intervals hold
    what experts say, 0 to 1; `words` whether to keep single words with their sounds.
    """
    made: dict[str, Any] = {
        "listener": listening.listener,
        "text": listening.text,
        "coverage": coverage,
        "estimates": {
            name: {key: _rounded(getattr(found, key), ESTIMATE_STEPS) for key in ("value", "low", "high")}
            for name, found in listening.estimates.items()
        },
        "parts": [
            {
                "start_ms": part.start_ms,
                "end_ms": part.end_ms,
                "words": list(part.words),
                "values": {name: _rounded(value, ESTIMATE_STEPS) for name, value in part.values.items()},
            }
            for part in listening.parts
        ],
        "doubts": [doubt.as_dict() for doubt in listening.doubts],
    }
    if words:
        made["words"] = [
            {
                "text": word.text,
                "said": heard,
                "start_ms": word.start_ms,
                "end_ms": word.end_ms,
                "read_correctly": _rounded(word.read_correctly, FINE_STEPS),
                "accuracy": _rounded(word.accuracy, ESTIMATE_STEPS),
                "phones": [
                    [phone.name, phone.start_ms, phone.end_ms, _rounded(phone.score, FINE_STEPS)]
                    for phone in word.phones
                ],
                "reason": word.reason,
            }
            for word, heard in zip(listening.words, said, strict=True)
        ]
    return json.dumps(made, ensure_ascii=False)


def _rounded(value: float | None, steps: int) -> float | int | None:
    if value is None:
        return None
    found = on_grid(Fraction(str(float(value))), steps)
    return found if isinstance(found, int) else found.numerator / found.denominator


def is_listening(raw: str) -> bool:
    """Return whether a raw reply is a listener's, not a text of a judge's own contract."""
    return raw.startswith(MARK)


def read(raw: str) -> Received:
    """Return what a reply says. Raises RequestError with the JSON pointer where it is none."""
    data = as_object(parse_json(raw, ""), "", KEYS, ("words",))
    rows = _list(data.get("words", []), "/words")
    return Received(
        listener=_text(data["listener"], "/listener"),
        text=choice(data["text"], "/text", ("reference", "recogniser")),
        coverage=_number(data["coverage"], "/coverage", 1),
        estimates=_estimates(data["estimates"]),
        words=tuple(_word(row, f"/words/{at}") for at, row in enumerate(rows)),
        doubts=tuple(_doubt(row, f"/doubts/{at}") for at, row in enumerate(_list(data["doubts"], "/doubts"))),
    )


def _estimates(value: Any) -> dict[str, tuple[Exact, Exact, Exact]]:
    found: dict[str, tuple[Exact, Exact, Exact]] = {}
    for name, row in as_object(value, "/estimates", (), SCALES).items():
        where = f"/estimates/{name}"
        fields = as_object(row, where, ("value", "low", "high"))
        middle, low, high = (
            _number(fields[key], f"{where}/{key}", EXPERTS_HIGHEST) for key in ("value", "low", "high")
        )
        if low > high:
            raise refuse("interval_reversed", where, f"{low} to {high}", "an interval from its lowest to its highest")
        # What experts say may lie to one side of what was estimated; the score shown lies in what is shown about it.
        found[name] = (middle, min(low, middle), max(high, middle))
    return found


def _word(row: Any, where: str) -> HeardAs:
    fields = as_object(row, where, WORD_KEYS)
    known = {key: fields[key] for key in ("start_ms", "end_ms", "read_correctly", "accuracy")}
    tops = {"start_ms": 10**9, "end_ms": 10**9, "read_correctly": 1, "accuracy": EXPERTS_HIGHEST}
    numbers = {
        key: None if value is None else _number(value, f"{where}/{key}", tops[key]) for key, value in known.items()
    }
    start, end = numbers["start_ms"], numbers["end_ms"]
    return HeardAs(
        _text(fields["text"], f"{where}/text"),
        _text(fields["said"], f"{where}/said"),
        None if start is None else int(start),
        None if end is None else int(end),
        numbers["read_correctly"],
        numbers["accuracy"],
        tuple(_phone(p, f"{where}/phones/{at}") for at, p in enumerate(_list(fields["phones"], f"{where}/phones"))),
    )


def _phone(row: Any, where: str) -> Phone:
    if not isinstance(row, list) or len(row) != 4:
        raise refuse("request_shape", where, shown(row), "a sound: name, start, end, score")
    start, end = (int(_number(row[at], f"{where}/{at}", 10**9)) for at in (1, 2))
    return Phone(_text(row[0], f"{where}/0"), start, end, _number(row[3], f"{where}/3", 2))


def _doubt(row: Any, where: str) -> Notice:
    fields = as_object(row, where, ("code", "found", "remedy"))
    return Notice(*(_text(fields[key], f"{where}/{key}") for key in ("code", "found", "remedy")))


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise refuse("request_shape", where, shown(value), "a list")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise refuse("value_type", where, shown(value), "a text")
    return value


def _number(value: Any, where: str, high: int) -> Exact:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise refuse("value_type", where, shown(value), f"a number from 0 to {high}")
    if not 0 <= value <= high:
        raise refuse("value_range", where, shown(value), f"a number from 0 to {high}")
    return exact(value)
