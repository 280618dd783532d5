"""Counts how a listener agrees with the experts, for bench/speechocean762.py: all tables as one report.

The report is plain JSON. Shares and correlations are fractions, errors are points of the experts' scale (0 to 10), and
what is not defined (too few, or one side constant) is null. docs/listening.md says what each number means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from so762_corpus import SCALES, Corpus, Utterance
from so762_predictions import Prediction
from so762_trust import in_doubt, trust_table
from so762_words import word_tables

from vivavoce.agreement.correlation import pearson, pearson_between, pearson_within, spearman
from vivavoce.agreement.difference import mean_absolute_error, quadratic_weighted_kappa, signed_error
from vivavoce.agreement.intervals import bootstrap_interval, coverage, mean_width
from vivavoce.agreement.raters import against_others, mean_of, rounded_median

RESAMPLES = 1000
TRUTHS: dict[str, Callable[[Utterance, str], float]] = {"mean": Utterance.mean, "median": Utterance.median}
POOLS = {"mean": mean_of, "median": rounded_median}
AGES = ("children", "teens", "adults", "age unknown")
GENDERS = {"f": "female", "m": "male"}
RANGES = {"below 6": (0.0, 6.0), "6 to below 9": (6.0, 9.0), "9 and up": (9.0, float("inf"))}

Pair = tuple[Utterance, Prediction]
Row = dict[str, Any]


def report(corpus: Corpus, predictions: Sequence[Prediction], resamples: int = RESAMPLES) -> Row:
    """Return all tables for the utterances that have a prediction; the others are named in `left_out`."""
    by_id = {utterance.id: utterance for utterance in corpus.utterances}
    pairs = [(by_id[found.id], found) for found in predictions if found.id in by_id]
    scored = [pair for pair in pairs if pair[1].estimates]
    # Intervals, words, doubts and cost are counted where there are any.
    return {
        "corpus": {
            "layout": corpus.layout,
            "split": corpus.split,
            "utterances": len(corpus.utterances),
            "speakers": len({utterance.speaker for utterance in corpus.utterances}),
            "faults": list(corpus.faults),
            "median_is_not_the_published_one": _unpublished(corpus.utterances),
        },
        "listener": _one({found.listener for _, found in pairs}),
        "text": _one({found.text for _, found in pairs}),
        "heard": len(pairs),
        "scored": len(scored),
        "left_out": {found.id: found.error or "no estimates" for _, found in pairs if not found.estimates},
        "unknown_ids": sorted(found.id for found in predictions if found.id not in by_id),
        "agreement": {scale: _agreement(_with(scored, scale), scale, resamples) for scale in SCALES},
        "people": {scale: _people(_with(scored, scale), scale) for scale in SCALES},
        "intervals": {scale: _intervals(_with(scored, scale), scale) for scale in SCALES},
        "trust": trust_table(pairs),
        "words": word_tables(pairs),
        "cost": _cost([found for _, found in pairs if found.seconds]),
    }


def _one(names: set[str]) -> str:
    return ", ".join(sorted(names - {""}))


def _with(pairs: Sequence[Pair], scale: str) -> list[Pair]:
    return [pair for pair in pairs if scale in pair[1].estimates]


def _unpublished(utterances: Sequence[Utterance]) -> dict[str, int]:
    """Return by scale how many medians, counted from the ratings, are not what scores.json has."""
    return {
        scale: sum(scale in found.published and found.published[scale] != found.median(scale) for found in utterances)
        for scale in SCALES
    }


def groups(pairs: Sequence[Pair], truth: Sequence[float]) -> dict[str, list[int]]:
    """Return the indexes of each group that has members: all, by age, gender, range of the truth, and doubt."""
    members: dict[str, list[int]] = {name: [] for name in ("all", *AGES, *GENDERS.values())}
    members |= {name: [] for name in (*RANGES, "not in doubt", "in doubt")}
    for index, ((utterance, found), value) in enumerate(zip(pairs, truth, strict=True)):
        members["all"].append(index)
        members[utterance.age_group].append(index)
        if utterance.gender in GENDERS:
            members[GENDERS[utterance.gender]].append(index)
        members[next(name for name, (low, high) in RANGES.items() if low <= value < high)].append(index)
        members["in doubt" if in_doubt(found) else "not in doubt"].append(index)
    if not members["in doubt"]:
        del members["not in doubt"]
    return {name: indexes for name, indexes in members.items() if indexes}


def _agreement(pairs: Sequence[Pair], scale: str, resamples: int) -> Row:
    """Return by truth and group how the listener's values agree with it."""
    predicted = np.array([found.estimates[scale][0] for _, found in pairs], dtype=np.float64)
    tables: Row = {}
    for name, truth_of in TRUTHS.items():
        truth = np.array([truth_of(utterance, scale) for utterance, _ in pairs], dtype=np.float64)
        tables[name] = {
            group: agreement_row(predicted[at], truth[at], [pairs[index][0].speaker for index in at], resamples)
            for group, at in groups(pairs, truth.tolist()).items()
        }
    return tables


def agreement_row(
    predicted: NDArray[np.float64], truth: NDArray[np.float64], speakers: Sequence[str], resamples: int
) -> Row:
    """Return all statistics of predicted scores against true ones; the interval of Pearson's is drawn by speaker."""
    sure = bootstrap_interval(lambda at: pearson(predicted[at], truth[at]), speakers, resamples=resamples)
    return {
        "n": len(speakers),
        "speakers": len(set(speakers)),
        "pearson": pearson(predicted, truth),
        "pearson_95": None if sure is None else [sure.low, sure.high],
        "spearman": spearman(predicted, truth),
        "mae": mean_absolute_error(predicted, truth),
        "signed_error": signed_error(predicted, truth),
        "kappa": quadratic_weighted_kappa(predicted, truth),
        "within_speaker": pearson_within(predicted, truth, speakers),
        "between_speakers": pearson_between(predicted, truth, speakers),
    }


def _people(pairs: Sequence[Pair], scale: str) -> Row:
    """Return by truth and group what one expert gets against the others, and the listener in that expert's place.

    The ranges are those of the other experts, who are the truth here.
    """
    statistics = {
        "pearson": pearson,
        "spearman": spearman,
        "mae": mean_absolute_error,
        "signed_error": signed_error,
    }
    tables: Row = {}
    for name, pool in POOLS.items():
        truth = [TRUTHS[name](utterance, scale) for utterance, _ in pairs]
        tables[name] = {}
        for group, at in groups(pairs, truth).items():
            low, high = RANGES.get(group, (0.0, float("inf")))
            taken = [pairs[index] for index in at] if group not in RANGES else pairs
            ratings = [utterance.ratings[scale] for utterance, _ in taken]
            predicted = [found.estimates[scale][0] for _, found in taken]
            held = partial(against_others, ratings, pool=pool, keep=partial(_inside, low, high))
            tables[name][group] = {
                statistic: {
                    "people": held(statistic=count).value,
                    "listener": held(statistic=count, predicted=predicted).value,
                }
                for statistic, count in statistics.items()
            }
    return tables


def _inside(low: float, high: float, value: float) -> bool:
    return low <= value < high


def _intervals(pairs: Sequence[Pair], scale: str) -> Row:
    """Return by group how often an interval holds the experts' median, and how wide it is."""
    held = [pair for pair in pairs if None not in pair[1].estimates[scale]]
    truth = [utterance.median(scale) for utterance, _ in held]
    rows: Row = {}
    for group, at in groups(held, truth).items():
        low, high = ([float(held[index][1].estimates[scale][end] or 0) for index in at] for end in (1, 2))
        values = [truth[index] for index in at]
        rows[group] = {"n": len(at), "coverage": coverage(low, high, values), "width": mean_width(low, high)}
    return rows


def _cost(heard: Sequence[Prediction]) -> Row:
    """Return seconds of work a second of sound, by step and in all, on one core; and the memory of one worker."""
    seconds = sum(found.seconds or 0 for found in heard)
    if not seconds:
        return {}
    return {
        "sound_s": seconds,
        "cpu_by_step": _shares([found.cpu_s for found in heard], seconds),
        "wall_by_step": _shares([found.wall_s for found in heard], seconds),
        "loading_s": max((found.load_s for found in heard if found.load_s is not None), default=None),
        "most_mb": max((found.most_mb for found in heard if found.most_mb is not None), default=None),
    }


def _shares(spent: Sequence[Mapping[str, float]], seconds: float) -> dict[str, float]:
    steps = sorted({step for row in spent for step in row})
    shares = {step: sum(row.get(step, 0) for row in spent) / seconds for step in steps}
    return {**shares, "all": sum(shares.values())}
