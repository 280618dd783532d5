"""The fluency tables as a judge reads them: as the guide has them, and as counts over this very recording."""

from __future__ import annotations

from collections.abc import Iterator

from vivavoce.judging.material import Material
from vivavoce.rubric.model import LevelTable, Module, Rubric
from vivavoce.scoring.fluency import count_per_window, level_of
from vivavoce.trace import Node, leaf

MOST_COUNTED = 10_000


def fluency_sections(
    rubric: Rubric, module: Module, grade_band: str, material: Material
) -> Iterator[tuple[str, list[str]]]:
    """Yield the sub-weights, the level tables and the recovery rule as titled lines."""
    tables = module.fluency[grade_band]
    response = material.measurements.get("response_s")
    response_s = None if response is None else response.node()
    weights = [f"- {name}: {weight.text}" for name, weight in tables.weights.items()]
    yield "Sub-weights", weights
    for title, counted, name, table in (
        ("False starts and restarts: the level of smoothness", "false_starts", "smoothness", tables.false_starts),
        ("Disruptive fillers: the level of filler_control", "disruptive_fillers", "filler_control", tables.fillers),
    ):
        lines = [_published(table)]
        if response_s is not None and response_s.value:
            here = _here(rubric, table, response_s)
            lines.append(f"In this recording (response time {response_s.text} s), {counted} give {name}: {here}")
        yield title, lines
    yield "The rule of recovery", [str(rubric.lookup("fluency.recovery_text").value)]
    spans = [f"- {t.id}: {t.score_low.number} to {t.score_high.number}" for t in rubric.tiers]
    yield (
        "What the levels allow",
        [
            "Lowest score: the sum of sub-weight times the lowest score of each level, rounded; highest likewise. "
            "The score must lie between the two.",
            *spans,
        ],
    )


def span_text(lowest: int, highest: int | None) -> str:
    """Return a range of counts in words."""
    if highest is None:
        return f"{lowest} or more"
    return str(lowest) if lowest == highest else f"{lowest} to {highest}"


def _published(table: LevelTable) -> str:
    return "Per 30 seconds: " + "; ".join(f"{lv.tier} {span_text(lv.lowest, lv.highest)}" for lv in table.levels) + "."


def counts_here(rubric: Rubric, table: LevelTable, response_s: Node) -> dict[str, tuple[int, int | None]]:
    """Return the counts over the whole recording that lead to each level, by the steps that hold the reply (A11, A13).

    First and last count by tier id; None: that many or more.
    """
    spans: dict[str, tuple[int, int | None]] = {}
    count, last = 0, table.levels[-1].tier
    while count <= MOST_COUNTED:
        rate = count_per_window(rubric, leaf("judged", "count", count), response_s)
        tier, _ = level_of(table, int(rate.value))
        first, _ = spans.get(tier, (count, count))
        spans[tier] = (first, None if tier == last else count)
        if tier == last:
            break
        count += 1
    return spans


def _here(rubric: Rubric, table: LevelTable, response_s: Node) -> str:
    spans = counts_here(rubric, table, response_s)
    return "; ".join(f"{tier} {span_text(low, high)}" for tier, (low, high) in spans.items()) + "."
