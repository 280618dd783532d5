"""Train the networks and the linear model, and say what they make of speakers that they have not heard."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from train.corpus import MISREAD_UNDER, SCALES, Utterance, sound_scores
from train.net import Net
from vivavoce.listening.network import ENCODED_LIMIT, LIMIT, WHOLE_LIMIT
from vivavoce.transcript.forced.model import load_model

EPOCHS, BATCH, RATE, DECAY = 12, 32, 1e-3, 0.05
NOISE = 0.1
WORD_WEIGHT, MISREAD_WEIGHT, SOUND_WEIGHT = 0.3, 0.15, 0.3
PHONE_MEAN, PHONE_SD = 1.8, 0.35
RIDGE = 100.0
LEAST_SD = 1e-4

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Corpus:
    """Features and labels of the utterances that have sounds, index by index; padded with zeros, labels with nan.

    `counts`: how many words the text has, the reference or the recogniser's.
    """

    utterances: list[Utterance]
    sounds: Array
    encoded: Array
    phones: NDArray[np.int64]
    mask: NDArray[np.bool_]
    member: Array
    whole: Array
    scales: Array
    words: Array
    misread: Array
    counts: list[int]
    phone_scores: Array

    @property
    def known(self) -> NDArray[np.int64]:
        """Which of them have scores; the others have an exchanged text."""
        return np.flatnonzero(~np.isnan(self.scales[:, 0]))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many sounds each has."""
        return self.mask.sum(axis=1)


Row = dict[str, NDArray[np.generic]]


def load(folder: Path, utterances: list[Utterance], kind: str, *, unsaid: bool = False) -> Corpus:
    """Return the corpus with the features of a kind; word and sound labels only where the text is the reference.

    `unsaid`: with the utterances that have an exchanged text, last: their words were not said, and have no scores.
    """
    rows = _rows(folder, utterances, kind)
    wrong = _rows(folder, utterances, "exchanged") if unsaid else []
    phone_names = list(load_model().phones)
    words, misread, scores = [], [], []
    for one, row in rows:
        same = one.text == tuple(row["words"].tolist())
        words.append(one.words if same else np.full(len(row["words"]), np.nan))
        misread.append(np.where(np.isnan(words[-1]), np.nan, words[-1] < MISREAD_UNDER))
        scores.append(_sound_labels(one, row, phone_names) if same else np.full(len(row["sounds"]), np.nan))
    for one, row in wrong:
        words.append(np.full(len(row["words"]), np.nan))
        # A word that happens to stand in both texts may have been said.
        misread.append(np.array([np.nan if word in one.text else 1.0 for word in row["words"].tolist()]))
        scores.append(np.full(len(row["sounds"]), np.nan))
    scales = [one.scales for one, _ in rows] + [np.full(len(SCALES), np.nan)] * len(wrong)
    rows += wrong
    mask = _padded([np.ones(len(row["sounds"]), bool) for _, row in rows], False)
    member = np.zeros((len(rows), max(map(len, words)), mask.shape[1]), np.float32)
    for index, (_, row) in enumerate(rows):
        member[index, row["word_of"].astype(int), np.arange(len(row["word_of"]))] = 1
    member /= np.maximum(member.sum(axis=2, keepdims=True), 1)
    return Corpus(
        [one for one, _ in rows],
        _padded([row["sounds"] for _, row in rows], 0.0),
        _padded([row["encoded"].astype(np.float32) for _, row in rows], 0.0),
        _padded([row["phone_of"] for _, row in rows], 0),
        mask,
        member,
        np.array([row["whole"] for _, row in rows], np.float32),
        np.array(scales, np.float32),
        _padded([word.astype(np.float32) for word in words], np.nan),
        _padded([word.astype(np.float32) for word in misread], np.nan),
        [len(word) for word in words],
        _padded([score.astype(np.float32) for score in scores], np.nan),
    )


def _rows(folder: Path, utterances: list[Utterance], kind: str) -> list[tuple[Utterance, Row]]:
    """The features of a kind of the utterances that have them, with at least one sound."""
    paths = [(one, folder / f"{one.id}.{kind}.npz") for one in utterances]
    rows = [(one, dict(np.load(path))) for one, path in paths if path.exists()]
    return [(one, row) for one, row in rows if len(row.get("sounds", ()))]


def _sound_labels(one: Utterance, row: Row, names: list[str]) -> NDArray[np.float64]:
    made = np.full(len(row["sounds"]), np.nan)
    for word in np.unique(row["word_of"]):
        chosen = np.flatnonzero(row["word_of"] == word)
        made[chosen] = sound_scores([names[int(row["phone_of"][at])] for at in chosen], one.phones[int(word)])
    return made


def _padded(rows: list[NDArray], value: float) -> NDArray:  # type: ignore[type-arg]
    made = np.full((len(rows), max(map(len, rows)), *rows[0].shape[1:]), value, rows[0].dtype)
    for index, row in enumerate(rows):
        made[index, : len(row)] = row
    return made


def shared(corpus: Corpus, train: NDArray[np.int64]) -> dict[str, Array]:
    """Return the scalings and the linear model (ridge regression), from the training utterances alone."""
    train = np.intersect1d(train, corpus.known)
    real = corpus.mask[train]
    sounds, encoded, whole = corpus.sounds[train][real], corpus.encoded[train][real], corpus.whole[train]
    words = corpus.words[train][~np.isnan(corpus.words[train])]
    made = {
        "sound_mean": sounds.mean(0),
        "sound_sd": sounds.std(0) + LEAST_SD,
        "encoded_mean": encoded.mean(0),
        "encoded_sd": encoded.std(0) + LEAST_SD,
        "whole_mean": whole.mean(0),
        "whole_sd": whole.std(0) + LEAST_SD,
        "scale_mean": corpus.scales[train].mean(0),
        "scale_sd": corpus.scales[train].std(0),
        "word_mean": words.mean(),
        "word_sd": words.std(),
        "phone_mean": np.float32(PHONE_MEAN),
        "phone_sd": np.float32(PHONE_SD),
    }
    clipped = np.clip((whole - made["whole_mean"]) / made["whole_sd"], -WHOLE_LIMIT, WHOLE_LIMIT).astype(np.float64)
    middle, target = clipped.mean(0), corpus.scales[train].mean(0)
    centred = clipped - middle
    square = centred.T @ centred + RIDGE * np.eye(centred.shape[1])
    weight = np.linalg.solve(square, centred.T @ (corpus.scales[train] - target))
    made |= {"linear_weight": weight, "linear_bias": target - middle @ weight}
    return {name: np.asarray(value, np.float32) for name, value in made.items()}


class Batches:
    """The corpus as tensors in standard units, cut to the length of each batch."""

    def __init__(self, corpus: Corpus, scaling: dict[str, Array]) -> None:
        def standard(values: Array, name: str, limit: float) -> Tensor:
            made = np.clip((values - scaling[f"{name}_mean"]) / scaling[f"{name}_sd"], -limit, limit)
            return torch.from_numpy(made.astype(np.float32))

        self.corpus = corpus
        self.sounds = standard(corpus.sounds, "sound", LIMIT)
        self.encoded = standard(corpus.encoded, "encoded", ENCODED_LIMIT)
        self.whole = standard(corpus.whole, "whole", WHOLE_LIMIT)
        self.phones, self.mask = torch.from_numpy(corpus.phones), torch.from_numpy(corpus.mask)
        self.member = torch.from_numpy(corpus.member)
        self.scales = torch.from_numpy((corpus.scales - scaling["scale_mean"]) / scaling["scale_sd"])
        self.words, self.misread = torch.from_numpy(corpus.words), torch.from_numpy(corpus.misread)
        self.phone_scores = torch.from_numpy((corpus.phone_scores - PHONE_MEAN) / PHONE_SD)
        self.word_mean, self.word_sd = float(scaling["word_mean"]), float(scaling["word_sd"])
        self.lengths = corpus.lengths

    def inputs(self, index: NDArray[np.int64]) -> tuple[Tensor, ...]:
        """Return what the network takes, of some utterances."""
        count, at = int(self.lengths[index].max()), torch.from_numpy(index)
        return (
            self.sounds[at, :count],
            self.encoded[at, :count],
            self.phones[at, :count],
            self.mask[at, :count],
            self.member[at, :, :count],
            self.whole[at],
        )

    def loss(self, net: Net, index: NDArray[np.int64]) -> Tensor:
        """Return the loss: squares of scales, words and sounds, cross entropy of misread words."""
        sounds, encoded, *rest, whole = self.inputs(index)
        noisy = [values + NOISE * torch.randn_like(values) for values in (sounds, encoded, whole)]
        scales, by_word, by_sound = net(noisy[0], noisy[1], *rest, noisy[2])
        at = torch.from_numpy(index)
        known = ~torch.isnan(self.scales[at])
        total = functional.mse_loss(scales[known], self.scales[at][known])
        accuracy, misread, there = self.words[at], self.misread[at], rest[2].sum(-1) > 0
        known = ~torch.isnan(accuracy) & there
        if known.any():
            wanted = (accuracy[known] - self.word_mean) / self.word_sd
            total = total + WORD_WEIGHT * functional.mse_loss(by_word[..., 0][known], wanted)
        known = ~torch.isnan(misread) & there
        if known.any():
            odds = by_word[..., 1][known]
            total = total + MISREAD_WEIGHT * functional.binary_cross_entropy_with_logits(odds, misread[known])
        scores = self.phone_scores[at, : by_sound.shape[1]]
        heard = ~torch.isnan(scores)
        if heard.any():
            total = total + SOUND_WEIGHT * functional.mse_loss(by_sound[heard], scores[heard])
        return total


def train_network(batches: Batches, train: NDArray[np.int64], seed: int) -> Net:
    """Return a network trained on some utterances: AdamW, one cycle of the rate, batches of about equal length."""
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    corpus = batches.corpus
    net = Net(corpus.sounds.shape[2], corpus.encoded.shape[2], corpus.whole.shape[1])
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * (len(train) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps + 1, pct_start=0.15)
    net.train()
    for _ in range(EPOCHS):
        for index in _mixed(train, batches.lengths, chance):
            optimiser.zero_grad()
            batches.loss(net, index).backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            schedule.step()
    return net.eval()


def _mixed(
    train: NDArray[np.int64], lengths: NDArray[np.int64], chance: np.random.Generator
) -> list[NDArray[np.int64]]:
    """Batches of an epoch: of every few hundred utterances in a random order those of like length together."""
    order = chance.permutation(train)
    pieces = [
        part[np.argsort(lengths[part], kind="stable")] for part in np.array_split(order, max(1, len(order) // 320))
    ]
    order = np.concatenate(pieces)
    starts = np.arange(len(order) // BATCH) * BATCH
    return [order[start : start + BATCH] for start in chance.permutation(starts)]
