"""What the answers given so far lead to: a fluency count's level, and the scores that three levels allow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from vivavoce.judging.judge import Brief
from vivavoce.judging.levels_text import MOST_COUNTED
from vivavoce.report import view
from vivavoce.scoring.fluency import count_per_window, interval, level_of
from vivavoce.trace import leaf
from vivavoce.web.teacher.wording import COUNTED, LABELS

_COUNT = re.compile(r"[0-9]{1,5}")


def allows(brief: Brief, typed: Mapping[str, str]) -> list[str]:
    """Return a sentence on each count and on the levels of a fluency sheet; of other sheets none."""
    if brief.marker != "fluency":
        return []
    return [*_of_counts(brief, typed), *_of_levels(brief, typed)]


def _of_counts(brief: Brief, typed: Mapping[str, str]) -> Iterator[str]:
    tables, tiers = brief.module.fluency[brief.grade_band], {tier.id: tier.label for tier in brief.rubric.tiers}
    response = brief.material.measurements.get("response_s")
    node = None if response is None else response.node()
    counts = {}
    for level, counted in COUNTED.items():
        text = typed.get(f"/counts/{counted}", "").strip()
        if not _COUNT.fullmatch(text) or int(text) > MOST_COUNTED:
            continue
        counts[counted] = int(text)
        count = leaf("judged", counted, counts[counted], unit="count")
        rate = count_per_window(brief.rubric, count, node or leaf("measured", "response_s", 0, unit="s"))
        table = tables.false_starts if level == "smoothness" else tables.fillers
        tier, _ = level_of(table, int(rate.value))
        said = f"{LABELS[counted]}: {text}, which counts as {view.number(rate.number)} in 30 seconds"
        yield f"{said}. {view.words_of(level)} is {tiers[tier]}."
    if len(counts) == len(COUNTED) and not any(counts.values()):
        yield f"There was nothing to recover from. {LABELS['recovery']} is {tiers['excellent']}."


def _of_levels(brief: Brief, typed: Mapping[str, str]) -> Iterator[str]:
    tiers = {tier.id for tier in brief.rubric.tiers}
    names = brief.module.fluency[brief.grade_band].weights
    levels = {name: typed.get(f"/levels/{name}", "") for name in names}
    if all(level in tiers for level in levels.values()):
        low, high = interval(brief.rubric, brief.module, brief.grade_band, levels)
        yield f"These three levels allow a score from {view.number(low.number)} to {view.number(high.number)}."
