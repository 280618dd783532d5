"""Reading foreign JSON: what has to be there is asked for by place, and refused there where it does not fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal

from vivavoce.strict import shown
from vivavoce.timeline import to_ms
from vivavoce.transcript.importers.source import MAX_ENTRIES, NOT_TEXT, Source
from vivavoce.transcript.times import Heard

MAX_TEXT = 200
MAX_PROSE = 1_000_000
MAX_SECONDS = 360_000
IS_LIST = "it is a JSON list, not an object"
_ODD_LIST = "it is a JSON list, but not of objects"
Unit = Literal["s", "ms", "tick", "ns"]
_DIGITS: dict[Unit, int] = {"s": 0, "ms": 3, "tick": 7, "ns": 9}
_NUMBER = re.compile(r"[-+]?[0-9]{1,12}(?:\.[0-9]{0,20})?", re.ASCII)


def root(source: Source) -> Mapping[str, Any] | str:
    """Return the JSON object that a file is, or why it is none. Raises TranscriptError `transcript_json`."""
    if not source.looks_like_json:
        return "it is not JSON" if source.text is not None else NOT_TEXT
    if source.documents:
        return "it is several JSON documents, one after another"
    data = source.json
    return data if isinstance(data, dict) else IS_LIST


def documents(source: Source) -> Sequence[tuple[str, Mapping[str, Any]]] | str:
    """Return the JSON objects of a file, each with its place: one, several one after another, or a list of them.

    A place is put before a pointer: "", "line 5 " or "/4". Raises TranscriptError `transcript_json`.
    """
    if source.looks_like_json and source.documents:
        found = [(f"line {line} ", data) for line, data in source.documents]
        odd = next((place for place, data in found if not isinstance(data, dict)), None)
        return found if odd is None else f"{odd}is not a JSON object"
    data = root(source)
    if data == IS_LIST:
        items = source.json
        return [(f"/{at}", item) for at, item in enumerate(items)] if _are_objects(items) else _ODD_LIST
    return data if isinstance(data, str) else [("", data)]


def objects(source: Source) -> Sequence[tuple[str, Mapping[str, Any]]]:
    """Return what `documents` does of a file that has some."""
    found = documents(source)
    return [] if isinstance(found, str) else found


def _are_objects(items: Sequence[Any]) -> bool:
    return 0 < len(items) <= MAX_ENTRIES and all(isinstance(item, dict) for item in items)


def at(data: Any, *path: str | int) -> Any:
    """Return what stands at a path of keys and positions, None where nothing does."""
    for step in path:
        if isinstance(step, int):
            data = data[step] if isinstance(data, list) and -len(data) <= step < len(data) else None
        else:
            data = data.get(step) if isinstance(data, dict) else None
    return data


def each(source: Source, pointer: str, value: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the objects of a list with their pointers; an absent list is empty."""
    if value is None:
        return
    if not isinstance(value, list):
        raise source.refuse("transcript_shape", pointer, shown(value), "a list")
    if len(value) > MAX_ENTRIES:
        raise source.refuse("transcript_too_long", pointer, f"{len(value)} entries", f"at most {MAX_ENTRIES}")
    for index, item in enumerate(value):
        if not isinstance(item, dict):
            raise source.refuse("transcript_shape", f"{pointer}/{index}", shown(item), "an object")
        yield f"{pointer}/{index}", item


def text(source: Source, pointer: str, value: Any, *, longest: int = MAX_TEXT) -> str:
    """Return a text that can be a word."""
    if not isinstance(value, str) or len(value) > longest or any("\ud800" <= char <= "\udfff" for char in value):
        raise source.refuse("transcript_shape", pointer, shown(value), f"a text, at most {longest} long")
    return value.strip()


def milliseconds(source: Source, pointer: str, value: Any, unit: Unit = "s") -> int | None:
    """Return a time, number or numeric text ("1.4", "1.400s"), in whole milliseconds; None where there is none."""
    if value is None or value == "":
        return None
    if isinstance(value, str) and _NUMBER.fullmatch(value.removesuffix("s")):
        value = Decimal(value.removesuffix("s"))
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise source.refuse("transcript_shape", pointer, shown(value), f"a time ({unit})")
    seconds = Decimal(value).scaleb(-_DIGITS[unit])
    if abs(seconds) > MAX_SECONDS:
        raise source.refuse("transcript_shape", pointer, f"{shown(value)} {unit}", f"at most {MAX_SECONDS} s")
    return to_ms(seconds)


def span(
    source: Source, pointer: str, item: Mapping[str, Any], start: str, length: str, unit: Unit
) -> tuple[int | None, int | None]:
    """Return start and end in milliseconds of what is given with a start and a length."""
    begun = milliseconds(source, f"{pointer}/{start}", item.get(start), unit)
    if begun is None or item.get(length) is None:
        return begun, None
    # Rounded once, as a sum: two roundings would make neighbours overlap.
    lasts = milliseconds(source, f"{pointer}/{length}", item.get(length), unit)
    try:
        end = milliseconds(source, f"{pointer}/{length}", Decimal(item[start]) + Decimal(item[length]), unit)
    except ArithmeticError:
        return begun, None if lasts is None else begun + lasts
    return begun, end


def confidence(value: Any) -> float | None:
    """Return a confidence from 0 to 1, None where there is none; a hair over 1 is 1 (Pocketsphinx writes 1.001)."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = Decimal(value)
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not 0 <= value <= Decimal("1.01"):
        return None
    return float(min(value, 1))


def name(value: Any) -> str | None:
    """Return how a file calls a speaker or channel (text or number), None where it does not."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value)[:MAX_TEXT] or None


def word(
    source: Source,
    pointer: str,
    item: Mapping[str, Any],
    keys: tuple[str, str, str],
    *,
    unit: Unit = "s",
    sure: str = "confidence",
    speaker: Any = None,
    channel: Any = None,
) -> Heard:
    """Return the word that an object is; `keys` name its text, start and end, `sure` its confidence."""
    said, start, end = keys
    return Heard(
        text(source, f"{pointer}/{said}", item.get(said)),
        milliseconds(source, f"{pointer}/{start}", item.get(start), unit),
        milliseconds(source, f"{pointer}/{end}", item.get(end), unit),
        confidence(item.get(sure)),
        name(item.get("speaker") if speaker is None else speaker),
        name(channel),
    )


def all_have(value: Any, key: str) -> bool:
    """Return whether a value is a list of objects that all have a key, at least one."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) and key in item for item in value)


def fits(value: Any, *keys: str) -> bool:
    """Return whether a value is a list that begins with an object with these keys."""
    first = at(value, 0)
    return isinstance(first, dict) and all(key in first for key in keys)
