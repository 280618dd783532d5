"""Counts how well the listener tells words read wrong from words read right, for bench/speechocean762.py.

Truth is the experts' median for the word, 0 to 10. By the corpus's description 7 to 9 is an accent; 4 to 6 less than
30 % of the phones wrong; 2 and 3 more of them, or another word; 1 hard to tell; 0 no voice. So a word counts as *wrong*
at 3 or less and as *flawed* at 6 or less.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from so762_corpus import Utterance
from so762_predictions import Prediction

from vivavoce.agreement.correlation import pearson, spearman
from vivavoce.agreement.detection import Detection, detection, roc_area
from vivavoce.agreement.difference import mean_absolute_error
from vivavoce.agreement.raters import mean_of, rounded_median

KINDS = {"wrong": 3.0, "flawed": 6.0}
FLAG_BELOW = 0.5
FALSE_ALARMS = 0.03
"""The aim of issue 6: at most this share of rightly read words flagged."""

Row = dict[str, Any]
Heard = tuple[tuple[float, ...], float | None, float | None]
"""A word's ratings, the probability that it was read correctly, and its accuracy as the listener has it."""


def word_tables(pairs: Sequence[tuple[Utterance, Prediction]]) -> Row:
    """Return by age group how words were told apart; nothing where the text is not the corpus's or has no words."""
    members: dict[str, list[Heard]] = {"all": [], "children": [], "teens": [], "adults": []}
    for utterance, found in pairs:
        if found.text == "recogniser" or not found.words or len(found.words) != len(utterance.words):
            continue
        heard = [
            (rated.accuracy, right, accuracy)
            for rated, (_, right, accuracy) in zip(utterance.words, found.words, strict=True)
        ]
        members["all"] += heard
        members.setdefault(utterance.age_group, []).extend(heard)
    return {group: _group(words) for group, words in members.items() if words}


def _group(words: Sequence[Heard]) -> Row:
    told = [(rounded_median(ratings), right) for ratings, right, _ in words if right is not None]
    scored = [(mean_of(ratings), accuracy) for ratings, _, accuracy in words if accuracy is not None]
    truth, accuracy = [mean for mean, _ in scored], [value for _, value in scored]
    return {
        "n": len(words),
        "not_found": len(words) - len(told),
        **{kind: _kind([(value <= most, right) for value, right in told]) for kind, most in KINDS.items()},
        "accuracy": {
            "n": len(scored),
            "pearson": pearson(accuracy, truth),
            "spearman": spearman(accuracy, truth),
            "mae": mean_absolute_error(accuracy, truth),
        },
    }


def _kind(told: Sequence[tuple[bool, float]]) -> Row:
    """Return how a kind of word is told from the others: by any threshold, below a half, and at few false alarms."""
    bad, right = [is_bad for is_bad, _ in told], [value for _, value in told]
    least = threshold_at(right, bad, FALSE_ALARMS)
    return {
        "n": sum(bad),
        "roc_area": roc_area([-value for value in right], bad),
        "below_half": _counts(detection([value < FLAG_BELOW for value in right], bad)),
        "few_false_alarms": {"below": least, **_counts(detection([value < least for value in right], bad))},
    }


def threshold_at(right: Sequence[float], bad: Sequence[bool], share: float) -> float:
    """Return the highest threshold that flags (is above) at most that share of the words that are not bad."""
    good = np.sort([value for value, is_bad in zip(right, bad, strict=True) if not is_bad])
    return float(good[int(share * good.size)]) if good.size else FLAG_BELOW


def _counts(found: Detection) -> Row:
    return {"precision": found.precision, "recall": found.recall, "false_alarms": found.false_alarm_rate}
