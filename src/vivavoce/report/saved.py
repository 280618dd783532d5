"""Whether a saved report is one: held against the report's own JSON schema before anything is read from it.

Reports are files that people edit and other programs write.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from vivavoce.errors import RequestError, need
from vivavoce.report.schemas import schema
from vivavoce.strict import shown

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

Fault = tuple[str, str, str]


@lru_cache(maxsize=4)
def _validator(name: str) -> Validator:
    try:
        from jsonschema import Draft202012Validator
    except ModuleNotFoundError as error:
        raise need("report", "jsonschema") from error
    made: Validator = Draft202012Validator(json.loads(schema(name)))
    return made


def first_fault(value: Any, name: str) -> Fault | None:
    """Return place, what was found and what is allowed, of a part that does not fit a schema, or None.

    Parameters: `value` as parsed, with exact decimals or floats; `name` the schema's. Raises MissingError without
    jsonschema.
    """
    try:
        # The validator divides by floats, which exact decimals do not take.
        plain = json.loads(json.dumps(value, default=float))
        error = next(_validator(name).iter_errors(plain), None)
        return None if error is None else _fault(error)
    except RecursionError:
        return "", "deeper nesting than can be read", "what this version wrote"


def check_saved(report: Any, where: str) -> None:
    """Refuse what is no whole report.

    Parameters: `report` as parsed, with exact decimals or floats; `where` its file.
    Raises RequestError `report_unreadable` with the JSON pointer of the first part that does not fit.
    """
    fault = first_fault(report, "report") or _tier_unknown(report)
    if fault is not None:
        place, found, allowed = fault
        raise unreadable(f"{where} {place}".strip(), found, allowed)


def _tier_unknown(report: Any) -> Fault | None:
    """A score's tier must be one of the report's own: by it the score has its rank."""
    known = [tier["id"] for tier in report["tiers"]]
    places = {"/overall": report["overall"]} | {f"/markers/{name}": one for name, one in report["markers"].items()}
    for place, outcome in places.items():
        if outcome["tier"] is not None and outcome["tier"]["id"] not in known:
            return f"{place}/tier/id", shown(outcome["tier"]["id"]), ", ".join(known)
    return None


def unreadable(where: str, found: str, allowed: str = "a whole report") -> RequestError:
    """Return the error for a report that cannot be read."""
    remedy = "give a report as this version wrote it, or score the recording again"
    return RequestError("report_unreadable", where=where, found=found, allowed=allowed, remedy=remedy)


def _fault(error: ValidationError) -> Fault:
    """What is wrong where: of several ways that a part may be written, by the first, since the other is null."""
    while error.context:
        error = error.context[0]
    place = "".join(f"/{_escaped(step)}" for step in error.absolute_path)
    rule, value, instance = error.validator, error.validator_value, error.instance
    if rule == "required":
        missing = next(name for name in value if name not in instance)
        return f"{place}/{_escaped(missing)}", "nothing", f"the key {shown(missing)}"
    if rule == "additionalProperties":
        known = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
        other = next(name for name in instance if name not in known)
        return f"{place}/{_escaped(other)}", f"the key {shown(other)}", ", ".join(known)
    allowed = " or ".join(value) if rule == "type" and isinstance(value, list) else f"{rule} {value}"
    return place, shown(instance), allowed


def _escaped(step: str | int) -> str:
    """A step of a path as JSON pointers write it (RFC 6901), a long one cut short."""
    return shown(str(step))[1:-1].replace("~", "~0").replace("/", "~1")
