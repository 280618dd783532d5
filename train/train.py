"""Train the local listener: from the corpus to the weights file, in one command.

    python -m train.train --data FOLDER [--features FOLDER] [--processes 2]

Listens to the corpus (train/prepare.py), judges every speaker by networks that have not heard him (folds by speaker),
trains on all, and writes `ear.npz` and its digest into the package, and what was measured into train/figures.json.
Needs the package with its `recognizer` extra, and train/requirements.txt.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from train.corpus import CHILD, SCALES, TEEN, Utterance, folds, read
from train.fit import Batches, Corpus, load, shared, train_network
from train.limits import coverage, intervals, text_fit
from vivavoce.listening.features import Features
from vivavoce.listening.network import Ear, predict

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "vivavoce" / "listening"
FOLDS, FOLD_SEEDS, SEEDS, MIX = 8, 2, 4, 0.5
SOURCES = ("reference", "recogniser")


def main() -> None:
    """Do all of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with labels.jsonl and audio/")
    parser.add_argument("--features", type=Path, default=Path("features"), help="where features are kept")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=PACKAGE)
    parser.add_argument("--held-out", type=Path, help="folder for predictions on held-out speakers (JSON)")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    listen(arguments)
    utterances = read(arguments.data)
    names = json.loads((arguments.features / "names.json").read_text("utf-8"))
    arrays: dict[str, Any] = {}
    facts: dict[str, Any] = {"mix": MIX, "whole": names}
    figures: dict[str, Any] = {"coverage": {}, "width": {}}
    for source in SOURCES:
        corpus = load(arguments.features, utterances, source, names)
        held = held_out(corpus, source)
        keep(arguments.held_out, source, corpus, held)
        facts[source], covered = bounds(corpus, held)
        figures[source] = told(corpus, held)
        for kind in ("coverage", "width"):
            figures[kind][source] = {scale: round(row[kind], 4) for scale, row in covered.items()}
        arrays |= final(corpus, source)
        if source == "reference":
            exchanged = load(arguments.features, _those_with(arguments.features, utterances), "exchanged", names)
            facts["text"] = text_fit(names, corpus.whole, exchanged.whole)
            figures["text"] = {"wrong_found": facts["text"].pop("wrong_found"), "of": len(exchanged.utterances)}
    facts["told"] = figures
    write(arguments.out, arrays, facts)
    (Path(__file__).parent / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print(json.dumps(figures, indent=1))


def listen(arguments: argparse.Namespace) -> None:
    """Make the features that are not there yet, in several processes."""
    command = [sys.executable, "-m", "train.prepare", "--data", arguments.data, "--features", arguments.features]
    parts = [f"{part}/{arguments.processes}" for part in range(arguments.processes)]
    # One thread each: more of them would wait for one another.
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    running = [subprocess.Popen([*map(str, command), "--part", part], env=environment) for part in parts]
    codes = [one.wait() for one in running]
    if any(codes):
        raise SystemExit("listening to the corpus failed")


def _those_with(folder: Path, utterances: list[Utterance]) -> list[Utterance]:
    return [one for one in utterances if (folder / f"{one.id}.exchanged.npz").exists()]


def held_out(corpus: Corpus, source: str) -> dict[str, Any]:
    """Return the predictions for every utterance by networks that have not heard its speaker."""
    fold = folds(corpus.utterances, FOLDS, 0)
    scales = np.zeros((len(corpus.utterances), len(SCALES)), np.float32)
    words: list[Any] = [None] * len(corpus.utterances)
    sounds: list[Any] = [None] * len(corpus.utterances)
    for one in range(FOLDS):
        sys.stderr.write(f"{source}: fold {one + 1} of {FOLDS}\n")
        ear = make(corpus, np.flatnonzero(fold != one), range(100 * one, 100 * one + FOLD_SEEDS))
        for at in np.flatnonzero(fold == one):
            found = predict(ear, features_of(corpus, int(at)), len(corpus.utterances[at].text))
            scales[at] = found.scales
            misread = 1 / (1 + np.exp(found.word_misread))
            words[at] = (found.word_accuracy, misread, corpus.member[at, : len(misread)].any(axis=1))
            sounds[at] = found.sounds
    return {"fold": fold, "scales": scales, "words": words, "sounds": sounds}


def features_of(corpus: Corpus, at: int) -> Features:
    """Return one utterance's features as the package has them."""
    count = int(corpus.mask[at].sum())
    member = corpus.member[at, :, :count]
    return Features(
        corpus.sounds[at, :count],
        member.argmax(axis=0),
        corpus.phones[at, :count],
        corpus.encoded[at, :count],
        corpus.whole[at],
    )


def make(corpus: Corpus, train: NDArray[np.int64], seeds: range) -> Ear:
    """Return an ear trained on some utterances."""
    scaling = shared(corpus, train)
    batches = Batches(corpus, scaling)
    networks = [train_network(batches, train, seed) for seed in seeds]
    plain = [{name: value.numpy() for name, value in net.state_dict().items()} for net in networks]
    return Ear(scaling, tuple(plain), MIX)


def final(corpus: Corpus, source: str) -> dict[str, Any]:
    """Return the arrays of an ear that is trained on all utterances: scalings in 32 bits, networks in 16."""
    sys.stderr.write(f"{source}: all\n")
    ear = make(corpus, np.arange(len(corpus.utterances)), range(1000, 1000 + SEEDS))
    arrays = {f"{source}/shared/{name}": value.astype(np.float32) for name, value in ear.shared.items()}
    for number, net in enumerate(ear.networks):
        arrays |= {f"{source}/network{number}/{name}": value.astype(np.float16) for name, value in net.items()}
    return arrays


def told(corpus: Corpus, held: dict[str, Any]) -> dict[str, Any]:
    """Return by group and scale how well held-out speakers were judged: n; Pearson with mean and median; error."""
    median = np.array([one.median for one in corpus.utterances])
    mean, found = corpus.scales.astype(np.float64), held["scales"].astype(np.float64)
    ages = np.array([one.age for one in corpus.utterances])
    women = np.array([one.gender == "f" for one in corpus.utterances])
    groups = {
        "all": ages > 0,
        f"children to {CHILD}": ages <= CHILD,
        f"teenagers to {TEEN}": (ages > CHILD) & (ages <= TEEN),
        "adults": ages > TEEN,
        "female": women,
        "male": ~women,
    }
    rows: dict[str, Any] = {}
    for group, chosen in groups.items():
        rows[group] = {"n": int(chosen.sum())}
        for at, scale in enumerate(SCALES):
            own = found[chosen, at]
            rows[group][scale] = {
                "mean": round(float(np.corrcoef(own, mean[chosen, at])[0, 1]), 4),
                "median": round(float(np.corrcoef(own, median[chosen, at])[0, 1]), 4),
                "mae": round(float(np.abs(own - mean[chosen, at]).mean()), 4),
            }
    return rows


def bounds(corpus: Corpus, held: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the intervals that are shipped, and how often such intervals held on the other folds."""
    median, found = np.array([one.median for one in corpus.utterances]), held["scales"].astype(np.float64)
    covered = coverage(corpus.utterances, found, median, held["fold"], 0)
    return {"intervals": intervals(corpus.utterances, found, median, 0)}, covered


def keep(folder: Path | None, source: str, corpus: Corpus, held: dict[str, Any]) -> None:
    """Write the held-out predictions: by scale and utterance, and by word (None: not aligned)."""
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    ids = [one.id for one in corpus.utterances]
    scales = {
        scale: {name: round(float(value), 4) for name, value in zip(ids, held["scales"][:, at], strict=True)}
        for at, scale in enumerate(SCALES)
    }
    (folder / f"{source}.json").write_text(json.dumps(scales), "utf-8")
    if source == "reference":
        words = {
            name: [round(float(p), 4) if there else None for p, there in zip(found[1], found[2], strict=True)]
            for name, found in zip(ids, held["words"], strict=True)
        }
        (folder / "words.json").write_text(json.dumps(words), "utf-8")


def write(out: Path, arrays: dict[str, Any], facts: dict[str, Any]) -> None:
    """Write the weights and, beside them, their digest."""
    buffer = io.BytesIO()
    coded = np.frombuffer(json.dumps(facts, sort_keys=True).encode("utf-8"), np.uint8)
    np.savez_compressed(buffer, facts=coded, **dict(sorted(arrays.items())))
    content = buffer.getvalue()
    (out / "ear.npz").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    (out / "weights_digest.py").write_text(
        '"""The digest of the shipped weights; train/train.py writes it."""\n\n'
        f'from __future__ import annotations\n\nSHA256 = "{digest}"\n',
        "utf-8",
    )
    sys.stderr.write(f"{len(content)} bytes, SHA-256 {digest}\n")


if __name__ == "__main__":
    main()
