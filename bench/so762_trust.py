"""Counts when the listener's scores stand and when a person is called, for bench/speechocean762.py.

By the rules that ship (local_judge.toml): which doubts leave no score, which call a person, and how wide a marker's
interval may be. A marker's interval is the estimate's, mapped; for fluency by its anchors alone, since the guide's
counts need a transcript with its fillers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from so762_corpus import Utterance
from so762_predictions import Prediction

from vivavoce.judging.local.mapping import estimate, to_score
from vivavoce.rubric.load import published
from vivavoce.trace import exact

MARKERS = {"pronunciation": "accuracy", "fluency": "fluency"}


def in_doubt(found: Prediction) -> bool:
    """Whether the listener has a doubt from which something follows; what is only told is none."""
    return any(code not in published().local.told for code in found.doubts)


def marker_interval(found: Prediction, marker: str) -> tuple[int, int] | None:
    """Return the interval of a marker, 0 to 95, its score inside; None where the estimate has none."""
    value, low, high = found.estimates.get(MARKERS[marker], (0, None, None))
    if low is None or high is None:
        return None
    low, high = min(low, value), max(high, value)
    anchors = published().local.pronunciation if marker == "pronunciation" else published().local.fluency
    ends = [estimate(MARKERS[marker], exact(round(end, 2)), found.listener or "given") for end in (low, high)]
    lower, upper = (int(to_score(anchors, end, "judged_score").value) for end in ends)
    return lower, upper


def trust_table(pairs: Sequence[tuple[Utterance, Prediction]]) -> dict[str, Any]:
    """Return how many recordings get no score, how many a person is called to and why, and doubts by reason."""
    rules = published().local
    heard = [found for _, found in pairs]
    scored = [found for found in heard if found.estimates and not set(found.doubts) & set(rules.not_scored)]
    called = {"doubt": [bool(set(found.doubts) & set(rules.needs_person)) for found in scored]}
    for marker in MARKERS:
        intervals = [marker_interval(found, marker) for found in scored]
        called[f"wide {marker}"] = [
            interval is not None and interval[1] - interval[0] > rules.widest_interval.value for interval in intervals
        ]
    return {
        "not_scored": len(heard) - len(scored),
        "needs_person": {why: sum(flags) for why, flags in called.items()}
        | {"any": sum(map(any, zip(*called.values(), strict=True)))},
        "doubts": dict(sorted(Counter(code for found in heard for code in set(found.doubts)).items())),
    }
