"""One alignment request, JSON in and JSON out: a line of `vivavoce align --jsonl`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from vivavoce.strict import as_object, refuse, shown
from vivavoce.transcript.alignment import align
from vivavoce.transcript.words import tokenize

MAX_CHARACTERS = 400_000


def align_request(data: Any, repeat_of: Callable[[str | None], int]) -> dict[str, Any]:
    """Return the six counts and the labels for one request.

    `data`: {"reference", "transcript", "module"?, "accepted"?}: two texts, the module's id, and alternatives by
    reference word. `repeat_of`: how often a module's reference is repeated (1 for None); it refuses an unknown module.
    Returns the counts by name and `labels`, one entry a token. An empty transcript is answered: all omissions trailing.
    Raises RequestError for a request that breaks its contract, TranscriptError for a text that cannot be aligned.
    """
    data = as_object(data, "", ("reference", "transcript"), ("module", "accepted"))
    reference, transcript = _text(data, "reference"), _text(data, "transcript")
    module = data.get("module")
    if module is not None and not isinstance(module, str):
        raise refuse("value_type", "/module", shown(module), "a module's id, or null")
    accepted = _accepted(data.get("accepted"))
    found = align(tokenize(reference), tokenize(transcript), repeat=repeat_of(module), accepted=accepted)
    return found.as_dict()


def _text(data: Mapping[str, Any], name: str) -> str:
    return _checked_text(data[name], f"/{name}")


def _checked_text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise refuse("value_type", where, shown(value), "a text")
    if len(value) > MAX_CHARACTERS:
        raise refuse("text_too_long", where, f"{len(value)} characters", f"at most {MAX_CHARACTERS}")
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise refuse("text_not_unicode", where, "half of a surrogate pair", "Unicode text")
    return value


def _accepted(value: Any) -> dict[str, list[str]]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise refuse("request_shape", "/accepted", shown(value), "an object from a word to a list of words")
    found = {}
    for word, others in value.items():
        where = f"/accepted/{word}"
        if not isinstance(others, list):
            raise refuse("request_shape", where, shown(others), "a list of words")
        found[_checked_text(word, where)] = [_checked_text(o, f"{where}/{i}") for i, o in enumerate(others)]
    return found
