"""Strict JSON and closed-world shapes: what does not fit is refused with its place, never repaired."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from vivavoce.errors import InputError, RequestError

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
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def as_object(value: Any, where: str, required: Iterable[str], optional: Iterable[str] = ()) -> Mapping[str, Any]:
    """Return a JSON object that has the required keys and no others than these and the optional ones."""
    if not isinstance(value, dict):
        raise refuse("request_shape", where, shown(value), "an object")
    required, optional = tuple(required), tuple(optional)
    for key in value:
        if key not in required and key not in optional:
            raise refuse("key_unknown", f"{where}/{key}", f'the key "{key}"', ", ".join((*required, *optional)))
    for key in required:
        if key not in value:
            raise refuse("key_missing", f"{where}/{key}", "nothing", f'the key "{key}"')
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


def parse_json(text: str | bytes, where: str) -> Any:
    """Return strict JSON with exact decimals: no duplicate keys, no NaN or Infinity. Raises RequestError."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(items)
        if len(result) != len(items):
            keys = [key for key, _ in items]
            repeated = next(key for key in keys if keys.count(key) > 1)
            raise refuse("json_duplicate_key", where, f'the key "{repeated}" twice', "each key once")
        return result

    def constant(name: str) -> Any:
        raise refuse("json_not_finite", where, name, "finite numbers")

    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(text, parse_float=Decimal, parse_constant=constant, object_pairs_hook=pairs)
    except InputError:
        raise
    except RecursionError as error:
        raise refuse("json_too_deep", where, "deeper nesting than can be read", "a plain request") from error
    except (ValueError, ArithmeticError) as error:
        raise refuse("json_invalid", where, str(error).partition(": line")[0], "one JSON object, UTF-8") from error
