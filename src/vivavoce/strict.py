"""Strict JSON and closed-world shapes: what does not fit is refused with its place, never repaired."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from vivavoce.errors import RequestError

MAX_DIGITS = 1_000
_FIX = "correct the request and send it again"


def refuse(code: str, where: str, found: str, allowed: str, remedy: str = _FIX) -> RequestError:
    """Return the error for a value of a request."""
    return RequestError(code, where=where, found=found, allowed=allowed, remedy=remedy)


def shown(value: Any) -> str:
    """Return a value as an error shows it: short, JSON words."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return _short(f'"{value}"' if isinstance(value, str) else str(value))


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _key(key: str) -> str:
    return f"the key {shown(key)}"


def _escaped(key: str) -> str:
    """Return a key as JSON pointers write it (RFC 6901), long ones cut short."""
    return _short(key).replace("~", "~0").replace("/", "~1")


def as_object(value: Any, where: str, required: Iterable[str], optional: Iterable[str] = ()) -> Mapping[str, Any]:
    """Return a JSON object that has the required keys and no others than these and the optional ones."""
    if not isinstance(value, dict):
        raise refuse("request_shape", where, shown(value), "an object")
    required, optional = tuple(required), tuple(optional)
    for key in value:
        if key not in required and key not in optional:
            raise refuse("key_unknown", f"{where}/{_escaped(key)}", _key(key), ", ".join((*required, *optional)))
    for key in required:
        if key not in value:
            raise refuse("key_missing", f"{where}/{key}", "nothing", _key(key))
    return value


def choice(value: Any, where: str, among: Iterable[str]) -> str:
    """Return a text that is one of a closed list."""
    allowed = tuple(among)
    if not isinstance(value, str) or value not in allowed:
        raise refuse("value_unknown", where, shown(value), ", ".join(allowed))
    return value


def choices(value: Any, where: str, among: Iterable[str]) -> tuple[str, ...]:
    """Return a list of different texts from a closed list."""
    if not isinstance(value, list):
        raise refuse("request_shape", where, shown(value), "a list")
    found = tuple(choice(item, f"{where}/{index}", among) for index, item in enumerate(value))
    if len(set(found)) != len(found):
        raise refuse("value_repeated", where, ", ".join(found), "each at most once")
    return found


def _first_repeated(keys: list[str]) -> str:
    """Return the first key that was there before; there is one."""
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            return key
        seen.add(key)
    raise ValueError("no key is repeated")


class _Refused:
    """Stands in the parsed tree for what strict JSON does not have, until its place is known."""

    __slots__ = ("allowed", "code", "found", "key")

    def __init__(self, code: str, found: str, allowed: str, key: str | None = None) -> None:
        self.code = code
        self.found = found
        self.allowed = allowed
        self.key = key


class _Parser:
    """The hooks of one parse; `refused` says whether the tree holds a `_Refused`."""

    def __init__(self) -> None:
        self.refused = False

    def _refuse(self, code: str, found: str, allowed: str, key: str | None = None) -> _Refused:
        self.refused = True
        return _Refused(code, found, allowed, key)

    def pairs(self, items: list[tuple[str, Any]]) -> Any:
        result = dict(items)
        if len(result) == len(items):
            return result
        repeated = _first_repeated([key for key, _ in items])
        return self._refuse("json_duplicate_key", f"{_key(repeated)} twice", "each key once", repeated)

    def constant(self, name: str) -> Any:
        return self._refuse("json_not_finite", name, "finite numbers")

    def whole(self, text: str) -> Any:
        return int(text) if len(text) <= MAX_DIGITS else self._extreme(text)

    def decimal(self, text: str) -> Any:
        # Exact arithmetic writes 1e-99999999 out, digit by digit: such a number would take all time and memory.
        if len(text) > MAX_DIGITS:
            return self._extreme(text)
        try:
            value = Decimal(text)
        except ArithmeticError:
            return self._extreme(text)
        exponent = value.as_tuple().exponent
        if not isinstance(exponent, int) or not -MAX_DIGITS <= exponent <= MAX_DIGITS:
            return self._extreme(text)
        return value

    def _extreme(self, text: str) -> _Refused:
        return self._refuse("number_extreme", _short(text), f"numbers that can be written in {MAX_DIGITS} digits")


def _first_refused(tree: Any) -> tuple[str, _Refused]:
    """Return the pointer of the first `_Refused` of a tree, in the order of the text, and what it is."""
    waiting = [("", tree)]
    while waiting:
        pointer, value = waiting.pop()
        if isinstance(value, _Refused):
            return (pointer if value.key is None else f"{pointer}/{_escaped(value.key)}"), value
        if isinstance(value, dict):
            waiting.extend((f"{pointer}/{_escaped(key)}", item) for key, item in reversed(value.items()))
        elif isinstance(value, list):
            waiting.extend((f"{pointer}/{index}", value[index]) for index in reversed(range(len(value))))
    raise ValueError("nothing in this tree was refused")


def _syntax(error: ValueError) -> str:
    """Say what is wrong with a text that is no JSON, and where in it."""
    if isinstance(error, json.JSONDecodeError):
        place = f"line {error.lineno} column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        return f"{error.msg.removesuffix(' at')} at {place}"
    if isinstance(error, UnicodeDecodeError):
        return f"bytes that are not UTF-8, from byte {error.start + 1} on"
    return str(error)


def parse_json(text: str | bytes, where: str) -> Any:
    """Return strict JSON with exact decimals: no duplicate keys, no NaN or Infinity, no number beyond all measure.

    Raises RequestError at `where` and the JSON pointer.
    """
    parser = _Parser()
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        tree = json.loads(
            text,
            parse_int=parser.whole,
            parse_float=parser.decimal,
            parse_constant=parser.constant,
            object_pairs_hook=parser.pairs,
        )
    except RecursionError as error:
        raise refuse("json_too_deep", where, "deeper nesting than can be read", "a plain request") from error
    except ValueError as error:
        raise refuse("json_invalid", where, _syntax(error), "one JSON object, UTF-8") from error
    if parser.refused:
        pointer, found = _first_refused(tree)
        raise refuse(found.code, " ".join(filter(None, (where, pointer))), found.found, found.allowed)
    return tree
