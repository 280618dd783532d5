"""Reading a provider's JSON without trusting its shape: what is not there, or is of another kind, reads as empty."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from vivavoce.models.failures import unreadable


@dataclass(frozen=True, slots=True)
class Answer:
    """What one try brought: the text, and `trouble` (`refused`, `cut_off`, `unusable`) where it is none to use."""

    text: str
    model: str
    finish: str
    input_tokens: int | None
    output_tokens: int | None
    trouble: str = ""


def json_object(body: str | bytes, where: str, kind: str, marks: tuple[str, ...]) -> dict[str, Any]:
    """Return the JSON object of a body that has one of the keys `marks`; raises `TryError` for any other body."""
    try:
        tree = json.loads(body)
    except (ValueError, RecursionError):
        tree = None
    if not isinstance(tree, dict) or not any(mark in tree for mark in marks):
        raise unreadable(where, f"a body that is no {kind}")
    return tree


def part(tree: Any, name: str) -> dict[str, Any]:
    """Return the object under a name, empty when there is none."""
    found = tree.get(name) if isinstance(tree, dict) else None
    return found if isinstance(found, dict) else {}


def parts(tree: Any, name: str) -> list[dict[str, Any]]:
    """Return the objects in the list under a name, none when there is no list."""
    found = tree.get(name) if isinstance(tree, dict) else None
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def text(tree: Any, name: str) -> str:
    """Return the text under a name, empty when there is none."""
    found = tree.get(name) if isinstance(tree, dict) else None
    return found if isinstance(found, str) else ""


def count(tree: Any, name: str) -> int | None:
    """Return the number of tokens under a name, None when there is none."""
    found = tree.get(name) if isinstance(tree, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None


def error_message(body: object) -> str:
    """Return the message and code of an error's body, in the shapes that servers use; empty when there is none."""
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    if text(body, "error"):
        return text(body, "error")
    inner = part(body, "error") or body
    words = [text(inner, name) for name in ("code", "status", "type", "message", "detail")]
    return " ".join(word for word in words if word)
