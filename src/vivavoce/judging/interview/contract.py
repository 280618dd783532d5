"""The closed V33 contract: what a raw reply must be, to the letter; what breaks it is rejected, never repaired (V4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.rubric.graduated import Criterion, Graduated
from vivavoce.scoring.graduated import allowed_bands, band_of, overall_band
from vivavoce.strict import as_object, parse_json, refuse, shown
from vivavoce.trace import plain

MAX_REPLY_BYTES = 100_000
EVIDENCE = {True: "pass", False: "fail"}
REMEDY = "nothing is repaired: ask the model again"


@dataclass(frozen=True, slots=True)
class Reply:
    """An accepted reply: for each criterion in order the results of its checks and the band that was given."""

    criteria: tuple[tuple[tuple[bool, ...], int], ...]


def read_reply(edition: Graduated, raw: str | bytes) -> Reply:
    """Return what a raw reply says, or reject it.

    Returns: a Reply. Raises: RequestError whose `code` is the rule broken and whose `where` is the JSON pointer, `/`
    for the root.
    """
    try:
        size = len(raw.encode("utf-8", "surrogatepass")) if isinstance(raw, str) else len(raw)
        if size > MAX_REPLY_BYTES:
            raise refuse("reply_too_long", "", f"more than {MAX_REPLY_BYTES} bytes", f"at most {MAX_REPLY_BYTES} bytes")
        return _reply(edition, parse_json(raw, ""))
    except RequestError as error:
        where = _printable(error.where or "/")
        found = _printable(error.found)
        raise RequestError(error.code, where=where, found=found, allowed=error.allowed, remedy=REMEDY) from error


def _printable(text: str) -> str:
    """Write lone surrogates of a reply as \\uXXXX: no output takes them as they are."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _reply(edition: Graduated, data: Any) -> Reply:
    root = as_object(data, "", ("testBased",))
    where = "/testBased"
    body = as_object(root["testBased"], where, ("test", "overall", "criteria", "keyObservations"))
    if body["test"] != edition.test:
        raise refuse("test_unknown", f"{where}/test", shown(body["test"]), f'"{edition.test}"')
    if body["keyObservations"] != [] or not isinstance(body["keyObservations"], list):
        raise refuse("observations_not_empty", f"{where}/keyObservations", shown(body["keyObservations"]), "[]")
    rows = body["criteria"]
    _listed(rows, f"{where}/criteria", len(edition.criteria), "criteria_count")
    names = [criterion.name for criterion in edition.criteria]
    found = []
    for at, (criterion, row) in enumerate(zip(edition.criteria, rows, strict=True)):
        found.append(_criterion(criterion, row, f"{where}/criteria/{at}", names))
    _overall(body["overall"], f"{where}/overall", edition, found)
    return Reply(tuple(found))


def _listed(value: Any, where: str, count: int, code: str) -> None:
    if not isinstance(value, list):
        raise refuse("value_type", where, shown(value), f"a list of {count}")
    if len(value) != count:
        raise refuse(code, where, f"{len(value)} entries", f"exactly {count}")


def _named(value: Any, where: str, wanted: str, known: Sequence[str], what: str) -> None:
    if not isinstance(value, str):
        raise refuse("value_type", where, shown(value), f'"{wanted}"')
    if value != wanted:
        code = f"{what}_order" if value in known else f"{what}_unknown"
        raise refuse(code, where, shown(value), f'"{wanted}" in this place')


def _criterion(criterion: Criterion, row: Any, where: str, names: Sequence[str]) -> tuple[tuple[bool, ...], int]:
    if isinstance(row, dict) and "note" in row:
        raise refuse("note_forbidden", f"{where}/note", shown(row["note"]), "no note: code attaches it")
    found = as_object(row, where, ("name", "checks", "yesCount", "band"))
    _named(found["name"], f"{where}/name", criterion.name, names, "criterion")
    checks = found["checks"]
    _listed(checks, f"{where}/checks", len(criterion.checks), "checks_count")
    ids = [check.id for check in criterion.checks]
    results = tuple(
        _check(name, check, f"{where}/checks/{at}", ids)
        for at, (name, check) in enumerate(zip(ids, checks, strict=True))
    )
    yes = _whole(found["yesCount"], f"{where}/yesCount", len(ids))
    if yes != sum(results):
        raise refuse("yes_count_mismatch", f"{where}/yesCount", str(yes), f"{sum(results)}, the checks that passed")
    band = _whole(found["band"], f"{where}/band", 9)
    allowed = allowed_bands(criterion, results)
    if band not in allowed:
        listed = " or ".join(map(str, sorted(allowed)))
        raise refuse("band_mismatch", f"{where}/band", str(band), f"{listed} with {yes} of {len(ids)} checks passed")
    return results, band


def _check(name: str, row: Any, where: str, ids: Sequence[str]) -> bool:
    found = as_object(row, where, ("criterion", "result", "evidence"))
    _named(found["criterion"], f"{where}/criterion", name, ids, "check")
    result = found["result"]
    if not isinstance(result, bool):
        raise refuse("value_type", f"{where}/result", shown(result), "true or false")
    evidence = found["evidence"]
    if not isinstance(evidence, str) or evidence not in EVIDENCE.values():
        raise refuse("evidence_unknown", f"{where}/evidence", shown(evidence), '"pass" or "fail"')
    if evidence != EVIDENCE[result]:
        wanted = f'"{EVIDENCE[result]}" with result {shown(result)}'
        raise refuse("evidence_mismatch", f"{where}/evidence", shown(evidence), wanted)
    return result


def _whole(value: Any, where: str, highest: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        found = f"{shown(value)} with a point or an exponent" if isinstance(value, Decimal) else shown(value)
        raise refuse("value_type", where, found, f"a whole number from 0 to {highest}")
    if not 0 <= value <= highest:
        raise refuse("value_range", where, shown(value), f"a whole number from 0 to {highest}")
    return value


def _overall(value: Any, where: str, edition: Graduated, found: Sequence[tuple[Sequence[bool], int]]) -> None:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise refuse("value_type", where, shown(value), "a number")
    bands = [
        band_of(criterion, list(results), band).band
        for criterion, (results, band) in zip(edition.criteria, found, strict=True)
    ]
    wanted = overall_band(bands)
    if Decimal(value) != Decimal(plain(wanted.value)):
        listed = " + ".join(band.text for band in bands)
        allowed = f"{wanted.text}, ({listed}) / {len(bands)} floored to a half"
        raise refuse("overall_mismatch", where, shown(value), allowed)


def best_reply(edition: Graduated) -> Iterator[str]:
    """Yield the lines of the reply that the guide's prompt shows: every check passed, default bands."""
    results = [[True] * len(criterion.checks) for criterion in edition.criteria]
    given = [allowed_bands(c, r)[0] for c, r in zip(edition.criteria, results, strict=True)]
    bands = [band_of(c, r, b).band for c, r, b in zip(edition.criteria, results, given, strict=True)]
    yield "{"
    yield '  "testBased": {'
    yield f'    "test": "{edition.test}",'
    yield f'    "overall": {overall_band(bands).text},'
    yield '    "criteria": ['
    for at, (criterion, band) in enumerate(zip(edition.criteria, given, strict=True)):
        yield "      {"
        yield f'        "name": "{criterion.name}",'
        yield '        "checks": ['
        for place, check in enumerate(criterion.checks):
            comma = "" if place == len(criterion.checks) - 1 else ","
            yield f'          {{"criterion": "{check.id}", "result": true, "evidence": "pass"}}{comma}'
        yield "        ],"
        yield f'        "yesCount": {len(criterion.checks)},'
        yield f'        "band": {band}'
        yield "      }" + ("" if at == len(edition.criteria) - 1 else ",")
    yield "    ],"
    yield '    "keyObservations": []'
    yield "  }"
    yield "}"
