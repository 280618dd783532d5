"""Whether a saved report is one: held against the report's own JSON schema before anything is read from it.

Reports are files that people edit and other programs write. The keywords are those that the schema uses; a test holds
the answers against another implementation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.report.schemas import schema
from vivavoce.strict import shown

Schema = Mapping[str, Any]
TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (Mapping,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
}


Fault = tuple[str, str, str]
INSIDE = "#/$defs/"


@lru_cache(maxsize=4)
def _loaded(name: str) -> Schema:
    """Return a schema whose references name it, so that a rule by itself says where it leads."""
    found: Schema = json.loads(schema(name).replace(f'"{INSIDE}', f'"{name}{INSIDE}'))
    return found


def first_fault(value: Any, name: str) -> Fault | None:
    """Return place, what was found and what is allowed, of the first part that does not fit a schema, or None.

    Parameters: `value` as parsed, with exact decimals or floats; `name` the schema's.
    """
    try:
        return next(_faults(value, _loaded(name), ""), None)
    except RecursionError:
        return "", "deeper nesting than can be read", "what this version wrote"


def check_saved(report: Any, where: str) -> None:
    """Refuse what is no whole report.

    Parameters: `report` as parsed, with exact decimals or floats; `where` its file.
    Raises RequestError `report_unreadable` with the JSON pointer of the first part that does not fit.
    """
    fault = first_fault(report, "report")
    if fault is not None:
        place, found, allowed = fault
        raise unreadable(f"{where} {place}".strip(), found, allowed)


def unreadable(where: str, found: str, allowed: str = "a whole report") -> RequestError:
    """Return the error for a report that cannot be read."""
    remedy = "give a report as this version wrote it, or score the recording again"
    return RequestError("report_unreadable", where=where, found=found, allowed=allowed, remedy=remedy)


def _faults(value: Any, rule: Schema, place: str) -> Iterator[Fault]:
    """Yield place, what was found and what is allowed, for every part that breaks the schema."""
    if "$ref" in rule:
        name, _, inside = rule["$ref"].partition(INSIDE)
        yield from _faults(value, _loaded(name)["$defs"][inside], place)
    types = rule.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_is(value, name) for name in types):
        yield place, shown(value), " or ".join(types)
        return
    if "const" in rule and value != rule["const"]:
        yield place, shown(value), shown(rule["const"])
    if "enum" in rule and not (isinstance(value, str) and value in rule["enum"]):
        yield place, shown(value), ", ".join(rule["enum"])
    yield from _extent_faults(value, rule, place)
    if isinstance(value, Mapping):
        yield from _object_faults(value, rule, place)
    if isinstance(value, list) and "items" in rule:
        for index, item in enumerate(value):
            yield from _faults(item, rule["items"], f"{place}/{index}")
    yield from _combined_faults(value, rule, place)


def _is(value: Any, name: str) -> bool:
    if name in TYPES:
        return isinstance(value, TYPES[name])
    if isinstance(value, bool):
        return False
    # Exact decimals and floats are numbers; an integer is written without a point in reports.
    return isinstance(value, int) if name == "integer" else not isinstance(value, str | Mapping | list | type(None))


def _extent_faults(value: Any, rule: Schema, place: str) -> Iterator[Fault]:
    if _is(value, "number"):
        if value < rule.get("minimum", value):
            yield place, shown(value), f"at least {rule['minimum']}"
        if value > rule.get("maximum", value):
            yield place, shown(value), f"at most {rule['maximum']}"
    if isinstance(value, str):
        if len(value) < rule.get("minLength", 0):
            yield place, shown(value), "a text that is not empty"
        if "pattern" in rule and not re.search(rule["pattern"], value):
            yield place, shown(value), f"a text of the form {rule['pattern']}"
    if isinstance(value, list):
        if len(value) < rule.get("minItems", 0):
            yield place, f"{len(value)} entries", f"at least {rule['minItems']}"
        if len(value) > rule.get("maxItems", len(value)):
            yield place, f"{len(value)} entries", f"at most {rule['maxItems']}"


def _object_faults(value: Mapping[str, Any], rule: Schema, place: str) -> Iterator[Fault]:
    parts, others = rule.get("properties", {}), rule.get("additionalProperties", {})
    for name in rule.get("required", ()):
        if name not in value:
            yield f"{place}/{name}", "nothing", f"the key {shown(name)}"
    for name, item in value.items():
        inside = f"{place}/{shown(name)[1:-1].replace('~', '~0').replace('/', '~1')}"
        if name in parts:
            yield from _faults(item, parts[name], inside)
        elif others is False:
            yield inside, f"the key {shown(name)}", ", ".join(parts)
        else:
            yield from _faults(item, others, inside)


def _combined_faults(value: Any, rule: Schema, place: str) -> Iterator[Fault]:
    for part in rule.get("allOf", ()):
        yield from _faults(value, part, place)
    if "anyOf" in rule:
        found = [next(_faults(value, part, place), None) for part in rule["anyOf"]]
        if None not in found:
            # The first way is the one that is meant; the other is null.
            yield found[0] or (place, shown(value), "another value")
    if "if" in rule:
        fits = next(_faults(value, rule["if"], place), None) is None
        yield from _faults(value, rule["then" if fits else "else"], place)
