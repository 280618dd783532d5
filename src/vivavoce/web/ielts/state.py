"""The state of the IELTS lab: which checks passed and which bands were given; it fits in a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vivavoce.errors import RequestError
from vivavoce.rubric.graduated import Criterion, Graduated
from vivavoce.scoring.graduated import CriterionBand, allowed_bands, band_of

LONGEST = 200
JUDGED_BY = "the lab"


@dataclass(frozen=True, slots=True)
class State:
    """Results and given band of each criterion, in the edition's order; a band is always one that its checks allow."""

    results: tuple[tuple[bool, ...], ...]
    bands: tuple[int, ...]

    def code(self) -> str:
        """The state as it stands in a link: results as 0 and 1, then the bands (11111-11111-111-11111-9-9-8-9)."""
        rows = ["".join("01"[result] for result in row) for row in self.results]
        return "-".join([*rows, *map(str, self.bands)])


def best(edition: Graduated) -> State:
    """Every check passed, with the mapping's own bands: the reply that the guide's prompt shows."""
    return fitted(edition, [[True] * len(criterion.checks) for criterion in edition.criteria], [])


def fitted(edition: Graduated, results: Sequence[Sequence[bool]], given: Sequence[int | None]) -> State:
    """Return the state; a band that its checks do not allow, or that is missing, becomes the mapping's own."""
    bands = []
    for at, (criterion, row) in enumerate(zip(edition.criteria, results, strict=True)):
        allowed = allowed_bands(criterion, row)
        band = given[at] if at < len(given) else None
        bands.append(band if band in allowed and band is not None else allowed[0])
    return State(tuple(tuple(row) for row in results), tuple(bands))


def from_code(edition: Graduated, code: str, where: str = "state") -> State:
    """Return the state that a link holds. Raises RequestError `state_unreadable`."""
    counts = [len(criterion.checks) for criterion in edition.criteria]
    parts = code[:LONGEST].split("-")
    rows, bands = parts[: len(counts)], parts[len(counts) :]
    whole = [len(row) for row in rows] == counts and all(set(row) <= {"0", "1"} for row in rows)
    if not whole or len(bands) not in (0, len(counts)) or any(band not in BANDS for band in bands):
        raise _unreadable(edition, where, code)
    return fitted(edition, [[digit == "1" for digit in row] for row in rows], [int(band) for band in bands])


BANDS = frozenset(str(band) for band in range(10))


def from_form(edition: Graduated, checks: Sequence[str], given: Mapping[str, str]) -> State:
    """Return the state that the form sends: `checks` as criterion.CHECK, `given` a band by criterion.

    Raises RequestError `state_unreadable` for a check or a band that there is not.
    """
    known = {f"{criterion.id}.{check.id}" for criterion in edition.criteria for check in criterion.checks}
    for name in checks:
        if name not in known:
            raise _unreadable(edition, "check", name)
    for criterion, band in given.items():
        if band not in BANDS:
            raise _unreadable(edition, f"band.{criterion}", band)
    passed = set(checks)
    results = [[f"{criterion.id}.{check.id}" in passed for check in criterion.checks] for criterion in edition.criteria]
    bands = [int(given[criterion.id]) if criterion.id in given else None for criterion in edition.criteria]
    return fitted(edition, results, bands)


def decided(edition: Graduated, state: State) -> list[CriterionBand]:
    """The bands of a state with their traces, as the engine decides them."""
    return [
        band_of(criterion, list(row), band, JUDGED_BY)
        for criterion, row, band in zip(edition.criteria, state.results, state.bands, strict=True)
    ]


def choices(criterion: Criterion, results: Sequence[bool]) -> tuple[int, ...]:
    """The bands that a judge may choose from, the highest first; none where the checks leave no choice."""
    allowed = allowed_bands(criterion, results)
    return tuple(sorted(allowed, reverse=True)) if len(allowed) > 1 else ()


def _unreadable(edition: Graduated, where: str, found: str) -> RequestError:
    return RequestError(
        "state_unreadable",
        where=where,
        found=repr(found)[:120],
        allowed=f"a link of this page, such as {best(edition).code()}",
        remedy="open the lab anew and flip the checks",
    )
