"""Bands from graduated checks: the rule `graduated_checks`, and the overall by the floored mean (V1-V3, V6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from vivavoce.arithmetic import apply
from vivavoce.rubric.graduated import Criterion
from vivavoce.trace import Node, leaf

HALF = leaf("parameter", "half", Fraction(1, 2), source="edition.prompt.overall")


@dataclass(frozen=True, slots=True)
class CriterionBand:
    """One criterion as decided: each check, the band with its trace, the checks passed after a failed one (V3)."""

    criterion: Criterion
    checks: Mapping[str, bool]
    band: Node
    non_monotone: tuple[str, ...]

    @property
    def passed(self) -> int:
        """How many checks passed."""
        return sum(self.checks.values())

    @property
    def next_check(self) -> str | None:
        """The id of the first check that failed, the next one to reach; None where all passed."""
        return next((name for name, passed in self.checks.items() if not passed), None)


def allowed_bands(criterion: Criterion, results: Sequence[bool]) -> tuple[int, ...]:
    """Return the bands that a sequence of results allows, the default first.

    None passed: that mapping's band or any below, down to 0 (V1). One passed: the lower of two unless the named check
    is the one that was missed (V2). All passed: the default, or the other where the mapping has a choice.
    """
    passed = sum(results)
    default = int(criterion.bands[passed].value)
    if passed == 0:
        return tuple(range(default, -1, -1))
    if passed == len(results) and criterion.all_choice is not None:
        return (default, int(criterion.all_choice.value))
    if passed == 1 and criterion.one_choice is not None and not _passed(criterion, results, criterion.one_missed):
        return (default, int(criterion.one_choice.value))
    return (default,)


def _passed(criterion: Criterion, results: Sequence[bool], name: str) -> bool:
    return any(result for check, result in zip(criterion.checks, results, strict=True) if check.id == name)


def decide(criterion: Criterion, results: Sequence[bool], given: int, source: str, notes: Sequence[str]) -> Node:
    """Return the band of decided checks as a trace.

    band = bands[number of passed checks]; where the mapping leaves a choice, the one that was given.
    Parameters: `given` the band that the judge gave, one of `allowed_bands`; `source` who judged; `notes` a check each.
    """
    flags = [
        leaf("judged", check.id, int(result), unit="check", source=source, note=note)
        for check, result, note in zip(criterion.checks, results, notes, strict=True)
    ]
    count = apply("sum", "passed_checks", *flags, unit="checks", source=f"criteria.criteria.{criterion.id}.checks")
    path = f"criteria.criteria.{criterion.id}.bands"
    mapped = apply("lookup", "mapped_band", count, *criterion.bands, unit="band", source=path)
    allowed = allowed_bands(criterion, results)
    if len(allowed) == 1:
        return apply("minimum", criterion.id, mapped, unit="band", source=path)
    chosen = leaf("judged", "given_band", given, unit="band", source=source)
    if not sum(results):
        note = f"no check passed: {mapped.text} or below, as judged"
        return apply("minimum", criterion.id, mapped, chosen, unit="band", source=path, note=note)
    other = criterion.all_choice if sum(results) == len(results) else criterion.one_choice
    if other is None:
        raise ValueError(f"{criterion.id} has no choice of bands")
    took = leaf("judged", "other_band_given", int(given == other.value), unit="flag", source=source)
    note = f"the mapping leaves {allowed[0]} or {allowed[1]}; {given} was given"
    return apply("choose", criterion.id, took, other, mapped, unit="band", source=path, note=note)


def band_of(
    criterion: Criterion, results: Sequence[bool], given: int, source: str = "", notes: Sequence[str] | None = None
) -> CriterionBand:
    """Return one criterion's band with its trace and the checks that passed after a failed one (V3)."""
    band = decide(criterion, results, given, source, notes if notes is not None else [""] * len(results))
    first_failed = results.index(False) if False in results else len(results)
    late = tuple(check.id for at, check in enumerate(criterion.checks) if at > first_failed and results[at])
    checks = {check.id: result for check, result in zip(criterion.checks, results, strict=True)}
    return CriterionBand(criterion, checks, band, late)


def overall_band(bands: Sequence[Node], name: str = "overall") -> Node:
    """Return floor(2 * mean(bands)) / 2: speaking scores are rounded down to the nearest half."""
    mean = apply("mean", "mean_band", *bands, unit="band", source="edition.overall_text")
    return apply("floor_to", name, mean, HALF, unit="band", source="edition.prompt.overall")


def majority(criterion: Criterion, samples: Sequence[tuple[Sequence[bool], int]], source: str) -> CriterionBand:
    """Return the criterion that K judgements decide together (V6).

    A check passes when more than half of the judgements pass it; a tie fails. The mapping's default band counts
    unless more than half chose the other; with no check passed, the median of the given bands, the lower one of two,
    held under the mapping's edge.
    Parameters: `samples` the results and the band of each judgement, at least one.
    """
    total = len(samples)
    votes = [sum(results[at] for results, _ in samples) for at in range(len(criterion.checks))]
    decided = [2 * vote > total for vote in votes]
    notes = [f"{max(vote, total - vote)} of {total} agree" if total > 1 else "" for vote in votes]
    bands = sorted(band for _, band in samples)
    allowed = allowed_bands(criterion, decided)
    given = allowed[0]
    if not any(decided):
        given = bands[(total - 1) // 2]  # `decide` holds it at the mapping's edge, and the trace shows both
    elif len(allowed) > 1 and 2 * bands.count(allowed[1]) > total:
        given = allowed[1]
    return band_of(criterion, decided, given, source, notes)
