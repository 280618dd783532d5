"""The corpus as training needs it: the experts' values by utterance, by word and by sound, and folds by speaker."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SCALES = ("accuracy", "fluency", "prosodic", "total")
MISREAD_UNDER = 6.0
"""A word whose mean accuracy is under this was misread: the experts' scale calls 5 and less wrong in its sounds."""
CHILD, TEEN = 12, 18


@dataclass(frozen=True, slots=True)
class Utterance:
    """One read sentence with its experts' ratings. `scales`: mean by scale; `median`: rounded; `words`: mean accuracy.

    `phones`: by word the experts' transcriptions, as they stand in the corpus.
    """

    id: str
    speaker: str
    age: int
    gender: str
    text: tuple[str, ...]
    scales: NDArray[np.float64]
    median: NDArray[np.float64]
    words: NDArray[np.float64]
    phones: tuple[tuple[str, ...], ...]


def read(folder: Path) -> list[Utterance]:
    """Return the utterances of a folder with `labels.jsonl`, in its order."""
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text("utf-8").splitlines()]
    return [
        Utterance(
            row["id"],
            row["speaker"],
            int(row["age"]),
            row["gender"],
            tuple(row["text"].lower().split()),
            np.array([np.mean(row[scale]) for scale in SCALES]),
            np.array([np.floor(np.median(row[scale]) + 0.5) for scale in SCALES]),
            np.array([np.mean(word["accuracy"]) for word in row["words"]]),
            tuple(tuple(word["phones"]) for word in row["words"]),
        )
        for row in rows
    ]


def folds(utterances: list[Utterance], count: int, seed: int) -> NDArray[np.int64]:
    """Return each utterance's fold: all of a speaker in one, speakers of all ages in each."""
    chance = np.random.default_rng(seed)
    ages = {one.speaker: one.age for one in utterances}
    order = sorted(ages, key=lambda speaker: (ages[speaker], speaker))
    of: dict[str, int] = {}
    for start in range(0, len(order), count):
        of |= dict(zip(order[start : start + count], chance.permutation(count).tolist(), strict=False))
    return np.array([of[one.speaker] for one in utterances])


def rated_phones(text: str) -> list[tuple[str, float]]:
    """Return an expert's sounds of a word with their scores: 2 right, 1 heavy accent `{X}`, 0 wrong or missing `(X)`.

    Inserted sounds `[X]` are left out.
    """
    found: list[tuple[str, float]] = []
    for piece in re.findall(r"\{[^}]*\}|\([^)]*\)|[^\s(){}]+", re.sub(r"\[[^\]]*\]", " ", text)):
        score = {"{": 1.0, "(": 0.0}.get(piece[0], 2.0)
        found += [(name, score) for name in re.findall(r"[A-Z]+", re.sub(r"[^A-Z ]", " ", piece.upper()))]
    return found


def sound_scores(names: list[str], ratings: tuple[str, ...]) -> NDArray[np.float64]:
    """Return the mean score of each sound that was aligned, over the experts; nan where none transcribed the word.

    Parameters: `names` the sounds of a word as aligned; `ratings` the experts' transcriptions. The two are aligned by
    edit distance; a sound that an expert writes another way scores 1 at most, one that he does not write 1.
    """
    rated = [found for found in map(rated_phones, ratings) if found]
    if not rated:
        return np.full(len(names), np.nan)
    return np.mean([_against(names, one) for one in rated], axis=0)


def _against(names: list[str], rated: list[tuple[str, float]]) -> NDArray[np.float64]:
    cost = np.zeros((len(names) + 1, len(rated) + 1))
    cost[:, 0], cost[0, :] = np.arange(len(names) + 1), np.arange(len(rated) + 1)
    for row, name in enumerate(names):
        for column, (other, _) in enumerate(rated):
            change = cost[row, column] + (name != other)
            cost[row + 1, column + 1] = min(change, cost[row, column + 1] + 1, cost[row + 1, column] + 1)
    made = np.zeros(len(names))
    row, column = len(names), len(rated)
    while row:
        changed = column and cost[row, column] == cost[row - 1, column - 1] + (names[row - 1] != rated[column - 1][0])
        if changed:
            row, column = row - 1, column - 1
            name, score = rated[column]
            made[row] = score if name == names[row] else min(score, 1.0)
        elif cost[row, column] == cost[row - 1, column] + 1:
            row -= 1
            made[row] = 1.0
        else:
            column -= 1
    return made
