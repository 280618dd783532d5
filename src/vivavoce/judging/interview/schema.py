"""The contract as a JSON schema for constrained decoding; the strict parser holds what a schema cannot say.

Fixed ids and order stand in `prefixItems` with least and most items: servers of the llama.cpp kind refuse
`"items": false`.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from vivavoce.judging.interview.contract import EVIDENCE
from vivavoce.rubric.graduated import Criterion, Graduated
from vivavoce.scoring.graduated import allowed_bands

Schema = dict[str, Any]
HALVES = [half / 2 for half in range(19)]


def schema_of(edition: Graduated, *, full: bool = False) -> Schema:
    """Return the schema of a raw reply.

    Result and evidence are tied together, the band to the count. With `full`, each sequence of results is spelled
    out with its own count and bands (32, 32, 8, 32 of them), so only `overall` is left to the parser; the schema is
    four times as long then.
    """
    build = _spelled if full else _counted
    names = {check.id for criterion in edition.criteria for check in criterion.checks}
    definitions = {_key(name, result): _check(name, result) for name in sorted(names) for result in (True, False)}
    if not full:
        definitions |= {criterion.id: _checks(criterion) for criterion in edition.criteria}
    body = {
        "test": {"const": edition.test},
        "overall": {"enum": [int(half) if half.is_integer() else half for half in HALVES]},
        "criteria": _exactly([build(criterion) for criterion in edition.criteria]),
        "keyObservations": {"type": "array", "maxItems": 0},
    }
    return _closed({"testBased": _closed(body)}) | {"$defs": definitions}


def _closed(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _exactly(items: list[Schema]) -> Schema:
    return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}


def _check(name: str, result: bool) -> Schema:
    return _closed({"criterion": {"const": name}, "result": {"const": result}, "evidence": {"const": EVIDENCE[result]}})


def _key(name: str, result: bool) -> str:
    return f"{name}_{EVIDENCE[result]}"


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _checks(criterion: Criterion) -> Schema:
    return _exactly([{"anyOf": [_ref(_key(c.id, True)), _ref(_key(c.id, False))]} for c in criterion.checks])


def _criterion(criterion: Criterion, checks: Schema, yes: int, bands: tuple[int, ...]) -> Schema:
    return _closed(
        {
            "name": {"const": criterion.name},
            "checks": checks,
            "yesCount": {"const": yes},
            "band": {"enum": sorted(bands)},
        }
    )


def _counted(criterion: Criterion) -> Schema:
    """One branch a count, with all bands that any sequence of so many passed checks allows."""
    bands: dict[int, set[int]] = {}
    for results in product((True, False), repeat=len(criterion.checks)):
        bands.setdefault(sum(results), set()).update(allowed_bands(criterion, results))
    return {
        "anyOf": [
            _criterion(criterion, _ref(criterion.id), yes, tuple(bands[yes])) for yes in sorted(bands, reverse=True)
        ]
    }


def _spelled(criterion: Criterion) -> Schema:
    branches = []
    for results in product((True, False), repeat=len(criterion.checks)):
        checks = [_ref(_key(check.id, result)) for check, result in zip(criterion.checks, results, strict=True)]
        allowed = allowed_bands(criterion, results)
        branches.append(_criterion(criterion, _exactly(checks), sum(results), allowed))
    return {"anyOf": branches}
