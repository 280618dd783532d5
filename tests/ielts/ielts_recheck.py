"""An independent reader of V33 replies, written from the guide and V1-V4 alone; it shares nothing with the package.

Everything in a valid reply is fixed but 18 results, four bands and the overall, so a reply is compared whole: its
results and bands are taken out, the one reply that they allow is built, and the two must be equal value for value.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

# The guide's "Strict V33 output shape": names and check ids in their order, typed by hand.
FLUENCY = "Fluency and Coherence"
LEXICAL = "Lexical Resource"
PRONUNCIATION = "Pronunciation (Transcript-Based)"
GRAMMAR = "Grammatical Range and Accuracy"
CHECKS: dict[str, list[str]] = {
    FLUENCY: ["MAINTAINS_FLOW", "WILLING_TO_SPEAK", "SPEAKS_AT_LENGTH", "FLUENT_SPEECH", "FULL_FLUENCY"],
    LEXICAL: ["ADEQUATE_VOCAB", "TOPIC_VOCAB", "FLEXIBLE_VOCAB", "WIDE_RANGE", "FULL_FLEXIBILITY"],
    PRONUNCIATION: ["INTELLIGIBILITY", "WORD_CLARITY", "FULL_CLARITY"],
    GRAMMAR: ["BASIC_STRUCTURES", "MIXED_STRUCTURES", "RANGE_WITH_FLEXIBILITY", "WIDE_RANGE", "FULL_RANGE"],
}


class RejectedError(Exception):
    """The reply breaks the contract."""


@dataclass(frozen=True)
class Accepted:
    """What an accepted reply says, the criteria in the guide's order."""

    results: tuple[tuple[bool, ...], ...]
    bands: tuple[int, ...]
    overall: float


def bands_allowed(name: str, results: tuple[bool, ...]) -> set[int]:
    """The bands that the guide's mapping and V1, V2 allow, one branch a line of the guide."""
    yes = sum(results)
    if yes == 0:
        return {0, 1, 2, 3, 4}
    if name != PRONUNCIATION:
        return {{5: 9, 4: 8, 3: 7, 2: 6, 1: 5}[yes]}
    if yes == 3:
        return {8, 9}
    if yes == 2:
        return {7}
    word_clarity = results[1]
    return {5} if word_clarity else {5, 6}


def overall_of(bands: tuple[int, ...]) -> float:
    """The mean of four, floored to 0.5: halves are eighths of the sum, so whole-number division does it."""
    assert len(bands) == 4
    return (sum(bands) // 2) / 2


def reply_of(results: tuple[tuple[bool, ...], ...], bands: tuple[int, ...]) -> dict[str, Any]:
    """The one reply, as values, that these results and bands allow (whether the bands follow is not looked at)."""
    criteria = []
    for (name, ids), passed, band in zip(CHECKS.items(), results, bands, strict=True):
        checks = [
            {"criterion": check, "result": result, "evidence": "pass" if result else "fail"}
            for check, result in zip(ids, passed, strict=True)
        ]
        criteria.append({"name": name, "checks": checks, "yesCount": sum(passed), "band": band})
    body = {"test": "IELTS", "overall": overall_of(bands), "criteria": criteria, "keyObservations": []}
    return {"testBased": body}


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise RejectedError("a key stands twice")
    return made


def _constant(name: str) -> Any:
    raise RejectedError(f"{name} is no JSON")


def _decimal(digits: str) -> Decimal:
    try:
        number = Decimal(digits)
    except InvalidOperation:
        raise RejectedError(f"{digits[:20]} is no number that could follow") from None
    if not number.is_finite():
        raise RejectedError(f"{digits[:20]} is no number that could follow")
    return number


def _same(found: Any, wanted: Any, whole: bool = True) -> bool:
    """Equality with types: true is not 1, 5.0 is no whole number (V1)."""
    if isinstance(wanted, dict):
        return (
            isinstance(found, dict)
            and found.keys() == wanted.keys()
            and all(_same(found[key], wanted[key], key != "overall") for key in wanted)
        )
    if isinstance(wanted, list):
        return (
            isinstance(found, list)
            and len(found) == len(wanted)
            and all(_same(one, other) for one, other in zip(found, wanted, strict=True))
        )
    if isinstance(wanted, bool | str):
        return type(found) is type(wanted) and found == wanted
    if whole:
        return type(found) is int and found == wanted
    return type(found) in (int, Decimal) and found == wanted


def _taken(data: Any) -> tuple[tuple[tuple[bool, ...], ...], tuple[int, ...]]:
    """The results and bands of something that may be a reply."""
    try:
        criteria = data["testBased"]["criteria"]
        results = tuple(tuple(check["result"] for check in criterion["checks"]) for criterion in criteria)
        bands = tuple(criterion["band"] for criterion in criteria)
    except (KeyError, TypeError):
        raise RejectedError("it has not the shape") from None
    if [len(row) for row in results] != [5, 5, 3, 5]:
        raise RejectedError("it has not four criteria with 5, 5, 3 and 5 checks")
    if any(type(result) is not bool for row in results for result in row) or any(type(b) is not int for b in bands):
        raise RejectedError("a result is no boolean or a band no whole number")
    return results, bands


def recheck(raw: str | bytes) -> Accepted:
    """Return what the reply says. Raises RejectedError where it breaks the contract."""
    try:
        text = raw.decode("utf-8") if isinstance(raw, bytes) else raw
        data = json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_decimal)
    except (ValueError, RecursionError):  # ValueError: not UTF-8, no JSON, a number of thousands of digits
        raise RejectedError("it is no JSON") from None
    results, bands = _taken(data)
    for name, row, band in zip(CHECKS, results, bands, strict=True):
        if band not in bands_allowed(name, row):
            raise RejectedError(f"{name}: band {band} does not follow")
    if not _same(data, reply_of(results, bands)):
        raise RejectedError("it differs from the one reply that its results and bands allow")
    return Accepted(results, bands, overall_of(bands))
