"""A whole test of three parts: each criterion over the parts, then the overall, both rounded down (chosen)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vivavoce.arithmetic import apply
from vivavoce.rubric.whole_test import WholeTest
from vivavoce.trace import Node


def whole_criterion(edition: WholeTest, name: str, bands: Mapping[int, Node]) -> Node:
    """Return a criterion's band over the whole test: floor(mean(part bands)) to a whole band.

    Parameters: `bands` the band of each part, by the part's number, none missing.
    Raises ValueError where a part is missing.
    """
    if sorted(bands) != list(range(1, len(edition.parts) + 1)):
        raise ValueError(f"{name} has parts {sorted(bands)}")
    # One step a part, so that the trace says which part a band is from.
    named = [
        apply("minimum", f"part_{number}", bands[number], unit="band", source=edition.parts[number - 1])
        for number in sorted(bands)
    ]
    mean = apply("mean", f"{name}_mean", *named, unit="band", source="edition.rule")
    return apply("floor_to", name, mean, edition.criterion_step, unit="band", source="edition.criterion_step")


def whole_overall(edition: WholeTest, bands: Sequence[Node]) -> Node:
    """Return the overall of a whole test: floor(2 * mean(criterion bands)) / 2.

    Parameters: `bands` as `whole_criterion` returns them, one a criterion.
    """
    mean = apply("mean", "mean_band", *bands, unit="band", source="edition.rule")
    return apply("floor_to", "overall", mean, edition.overall_step, unit="band", source="edition.overall_step")
