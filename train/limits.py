"""What is measured on held-out speakers and shipped with the weights: intervals, and how well a text fits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from train.corpus import SCALES, Utterance
from vivavoce.listening.intervals import COVERAGE, interval

PARTS = (1, 2, 4, 8)
BINS = 6
DRAWS = 20
TEXT_FEATURES = (
    "token.mean",
    "token.p25",
    "forced_over_free.mean",
    "best.own.mean",
    "best.margin.mean",
    "best.loop.gain",
    "best.loop.errors",
    "word_log.mean",
)
FALSE_ALARMS = 0.01
"""So many right texts of those it is fitted on may be taken for wrong ones."""
Floats = NDArray[np.floating[Any]]


def intervals(utterances: list[Utterance], predicted: Floats, truth: Floats, seed: int) -> dict[str, Any]:
    """Return the quantiles of experts' values less estimates, by scale, number of stretches and height of the estimate.

    For n stretches: means over n utterances of a speaker, drawn without replacement, many times.
    """
    table: dict[str, Any] = {"parts": list(PARTS), "scales": {}}
    for column, scale in enumerate(SCALES):
        rows = []
        for count in PARTS:
            value, true = _drawn(utterances, predicted[:, column], truth[:, column], count, seed)
            rows.append(_quantiles(value, true - value))
        table["scales"][scale] = rows
    return table


def _drawn(
    utterances: list[Utterance], predicted: Floats, truth: Floats, count: int, seed: int
) -> tuple[Floats, Floats]:
    if count == 1:
        return predicted, truth
    chance = np.random.default_rng(seed)
    speakers = np.array([one.speaker for one in utterances])
    values, truths = [], []
    for speaker in np.unique(speakers):
        own = np.flatnonzero(speakers == speaker)
        for _ in range(DRAWS):
            chosen = chance.permutation(own)[:count]
            values.append(predicted[chosen].mean())
            truths.append(truth[chosen].mean())
    return np.array(values), np.array(truths)


def _quantiles(value: Floats, difference: Floats) -> dict[str, list[float]]:
    """Of bins of equally many estimates: their middle, and the low and the high quantile of the differences."""
    order = np.argsort(value, kind="stable")
    rows: dict[str, list[float]] = {"at": [], "low": [], "high": []}
    for part in np.array_split(order, BINS):
        # The finite-sample correction of split conformal prediction: (n + 1) in place of n.
        share = min(1.0, (1 + COVERAGE) / 2 * (len(part) + 1) / len(part))
        rows["at"].append(round(float(np.median(value[part])), 3))
        rows["low"].append(round(float(np.quantile(difference[part], 1 - share)), 3))
        rows["high"].append(round(float(np.quantile(difference[part], share)), 3))
    return rows


def coverage(
    utterances: list[Utterance], predicted: Floats, truth: Floats, fold: NDArray[np.int64], seed: int
) -> dict[str, dict[str, float]]:
    """Return by scale how often intervals made from the other folds hold the experts' value, and their mean width."""
    made: dict[str, dict[str, float]] = {}
    inside = np.zeros(predicted.shape, bool)
    width = np.zeros(predicted.shape)
    for one in np.unique(fold):
        rest = np.flatnonzero(fold != one)
        facts = {"intervals": intervals([utterances[at] for at in rest], predicted[rest], truth[rest], seed)}
        for at in np.flatnonzero(fold == one):
            for column, scale in enumerate(SCALES):
                low, high = interval(facts, scale, float(predicted[at, column]), 1)
                inside[at, column] = low <= truth[at, column] <= high
                width[at, column] = high - low
    for column, scale in enumerate(SCALES):
        made[scale] = {"coverage": float(inside[:, column].mean()), "width": float(width[:, column].mean())}
    return made


def text_fit(names: list[str], right: Floats, wrong: Floats) -> dict[str, Any]:
    """Return a logistic regression of right texts against exchanged ones, and the limit under which a text is doubted.

    Parameters: `right`, `wrong` features of the whole (utterances, columns). Newton's method, a little ridge.
    """
    columns = [names.index(name) for name in TEXT_FEATURES]
    values = np.concatenate([right[:, columns], wrong[:, columns]]).astype(np.float64)
    target = np.concatenate([np.ones(len(right)), np.zeros(len(wrong))])
    weight = np.where(target == 1, 0.5 / len(right), 0.5 / len(wrong)) * len(target)
    middle, spread = values.mean(0), values.std(0)
    design = np.concatenate([(values - middle) / spread, np.ones((len(values), 1))], axis=1)
    found = np.zeros(design.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-design @ found))
        curve = design.T @ (design * (weight * chance * (1 - chance))[:, None]) + np.eye(len(found))
        found += np.linalg.solve(curve, design.T @ (weight * (target - chance)) - found)
    weights = found[:-1] / spread
    chance = 1 / (1 + np.exp(-(design @ found)))
    least = float(np.quantile(chance[target == 1], FALSE_ALARMS))
    return {
        "weights": dict(zip(TEXT_FEATURES, np.round(weights, 5).tolist(), strict=True)),
        "bias": round(float(found[-1] - weights @ middle), 5),
        "least": round(least, 4),
    }
