"""Listen to the corpus, once: the features of every utterance go into a folder, and what is there is not made again.

    python -m train.prepare --data FOLDER --features FOLDER [--part 0/2]

For each utterance: with its text; with the recogniser's own words as text (`.recogniser`); every seventh also with
another speaker's text (`.exchanged`), to learn what does not fit.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from pathlib import Path

import numpy as np

from train.corpus import Utterance, read
from vivavoce.audio.waveform import decode
from vivavoce.listening.features import features
from vivavoce.listening.work import evidence_of
from vivavoce.transcript.forced.model import Floats
from vivavoce.transcript.weights import Weights, find_weights

EXCHANGED_EVERY = 7


def main() -> None:
    """Make the features of a part of the corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--features", type=Path, required=True)
    parser.add_argument("--part", default="0/1", help="which part of how many, for several processes")
    arguments = parser.parse_args()
    part, parts = map(int, arguments.part.split("/"))
    arguments.features.mkdir(parents=True, exist_ok=True)
    utterances, weights = read(arguments.data), find_weights()
    mine = range(part, len(utterances), parts)
    for done, index in enumerate(mine, 1):
        prepare(utterances, index, arguments.data, arguments.features, weights)
        if done % 20 == 0 or done == len(mine):
            sys.stderr.write(f"\rlistened to {done} of {len(mine)}")
    sys.stderr.write("\n")


def prepare(utterances: list[Utterance], index: int, data: Path, out: Path, weights: Weights) -> None:
    """Write the features of one utterance, as many of its kinds as are not there yet."""
    one = utterances[index]
    paths = {kind: out / f"{one.id}.{kind}.npz" for kind in ("reference", "recogniser", "exchanged")}
    if index % EXCHANGED_EVERY:
        del paths["exchanged"]
    if all(path.exists() for path in paths.values()):
        return
    samples = decode(data / "audio" / f"{one.id}.flac").samples
    heard = write(samples, one.text, weights, paths["reference"])
    if plain(heard) == plain(" ".join(one.text)):
        # The recogniser heard the text: there is nothing to listen to again.
        shutil.copyfile(paths["reference"], paths["recogniser"])
    else:
        write(samples, tuple(heard.split()), weights, paths["recogniser"])
    if "exchanged" in paths:
        write(samples, exchanged(utterances, index), weights, paths["exchanged"])


def plain(text: str) -> list[str]:
    """Return the words of a text without case and punctuation."""
    return re.findall(r"[a-z0-9']+", text.lower())


def exchanged(utterances: list[Utterance], index: int) -> tuple[str, ...]:
    """Return another speaker's text of about as many words, by a seeded choice."""
    own = utterances[index]
    others = [
        one.text
        for one in utterances
        if one.speaker != own.speaker and abs(len(one.text) - len(own.text)) <= 1 and one.text != own.text
    ]
    return others[int(np.random.default_rng(index).integers(len(others)))]


def write(samples: Floats, words: tuple[str, ...], weights: Weights, path: Path) -> str:
    """Write the features of a recording with some words, and return what was heard freely."""
    if not words:
        np.savez(path, words=np.array([], str))
        return ""
    evidence = evidence_of(samples, words, weights)
    found, named = features(evidence)
    names = path.parent / "names.json"
    if not names.exists():
        names.write_text(json.dumps(list(named)), "utf-8")
    np.savez(
        path,
        words=np.array(words),
        sounds=found.sounds,
        word_of=found.word_of,
        phone_of=found.phone_of,
        encoded=found.encoded.astype(np.float16),
        whole=found.whole,
        free=np.array(evidence.recognition.free_text),
    )
    return evidence.recognition.free_text


if __name__ == "__main__":
    main()
