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
import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from train.corpus import CHILD, SCALES, TEEN, Utterance, folds, read
from train.fit import Batches, Corpus, load, shared, train_network
from train.limits import coverage, intervals, text_fit
from vivavoce.listening.doubts import text_fits
from vivavoce.listening.features import Features
from vivavoce.listening.network import Ear, predict

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "vivavoce" / "listening"
FOLDS, FOLD_SEEDS, SEEDS, MIX = 8, 1, 4, 0.5
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
    listen(arguments)
    utterances = read(arguments.data)
    names = json.loads((arguments.features / "names.json").read_text("utf-8"))
    arrays: dict[str, Any] = {}
    facts: dict[str, Any] = {"mix": MIX, "whole": names}
    figures: dict[str, Any] = {"coverage": {}, "width": {}}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(arguments.processes, len(SOURCES)), context) as pool:
        jobs = {source: pool.submit(trained, arguments, utterances, source) for source in SOURCES}
        made = {source: job.result() for source, job in jobs.items()}
    for source, one in made.items():
        facts[source], figures[source] = one["facts"], one["told"]
        arrays |= one["arrays"]
        for kind in ("coverage", "width"):
            figures[kind][source] = {scale: round(row[kind], 4) for scale, row in one["covered"].items()}
    own, other = (
        load(arguments.features, chosen, kind)
        for kind, chosen in (("reference", utterances), ("exchanged", _those_with(arguments.features, utterances)))
    )
    facts["text"] = text_fit(names, own.whole, other.whole)
    figures["text"] = text_figures(names, own, other)
    facts["told"] = figures
    write(arguments.out, arrays, facts)
    (Path(__file__).parent / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print(json.dumps(figures, indent=1))


def trained(arguments: argparse.Namespace, utterances: list[Utterance], source: str) -> dict[str, Any]:
    """Judge held-out speakers, then train on all, with one kind of text; what is returned goes into the weights."""
    torch.set_num_threads(1)
    corpus = load(arguments.features, utterances, source, unsaid=source == "reference")
    held = held_out(corpus, source)
    keep(arguments.held_out, source, corpus, held)
    facts, covered = bounds(corpus, held)
    return {"facts": facts, "covered": covered, "told": told(corpus, held), "arrays": final(corpus, source)}


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


def text_figures(names: list[str], own: Corpus, other: Corpus) -> dict[str, Any]:
    """Return how often a text is doubted, of speakers that the regression and its limit were not fitted on."""
    fold = folds(own.utterances, FOLDS, 0)
    of = {one.speaker: int(number) for one, number in zip(own.utterances, fold, strict=True)}
    other_fold = np.array([of[one.speaker] for one in other.utterances])
    kinds = {"own": (own.whole, fold), "exchanged": (other.whole, other_fold)}
    doubted = dict.fromkeys(kinds, 0)
    for number in range(FOLDS):
        facts = text_fit(names, own.whole[fold != number], other.whole[other_fold != number])
        for kind, (whole, folded) in kinds.items():
            rows = (dict(zip(names, row, strict=True)) for row in whole[folded == number].tolist())
            doubted[kind] += sum(text_fits(facts, row) < facts["least"] for row in rows)
    return {kind: {"doubted": doubted[kind], "of": len(whole)} for kind, (whole, _) in kinds.items()}


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
            found = predict(ear, features_of(corpus, int(at)), corpus.counts[at])
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
    known = corpus.known
    utterances = [corpus.utterances[at] for at in known]
    median = np.array([one.median for one in utterances])
    mean, found = corpus.scales[known].astype(np.float64), held["scales"][known].astype(np.float64)
    ages = np.array([one.age for one in utterances])
    women = np.array([one.gender == "f" for one in utterances])
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
    known = corpus.known
    utterances = [corpus.utterances[at] for at in known]
    median, found = np.array([one.median for one in utterances]), held["scales"][known].astype(np.float64)
    covered = coverage(utterances, found, median, held["fold"][known], 0)
    return {"intervals": intervals(utterances, found, median, 0)}, covered


def keep(folder: Path | None, source: str, corpus: Corpus, held: dict[str, Any]) -> None:
    """Write the held-out predictions: by scale and utterance, and by word (None: not aligned)."""
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    known = corpus.known.tolist()
    scales = {
        scale: {corpus.utterances[at].id: round(float(held["scales"][at, column]), 4) for at in known}
        for column, scale in enumerate(SCALES)
    }
    (folder / f"{source}.json").write_text(json.dumps(scales), "utf-8")
    if source == "reference":
        said = {corpus.utterances[at].id: _read_words(held["words"][at]) for at in known}
        (folder / "words.json").write_text(json.dumps(said), "utf-8")
        unsaid = [at for at in range(len(corpus.utterances)) if at not in set(known)]
        exchanged = {corpus.utterances[at].id: _read_words(held["words"][at]) for at in unsaid}
        (folder / "words_exchanged.json").write_text(json.dumps(exchanged), "utf-8")


def _read_words(found: tuple[NDArray[np.float32], ...]) -> list[float | None]:
    """How probable it is that each word was read correctly; None for one that was not aligned."""
    return [round(float(p), 4) if there else None for p, there in zip(found[1], found[2], strict=True)]


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
