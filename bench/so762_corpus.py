"""Reads speechocean762 (Zhang et al. 2021, CC BY 4.0), for bench/speechocean762.py: the two layouts that it comes in.

Ours: `labels.jsonl`, a line an utterance with the ratings as lists by expert, and `audio/ID.flac` or `.wav`.
The corpus's own: `scores.json` (the experts' medians) and `scores-detail.json` (their ratings) at the top or in
`resource/`, `train/` and `test/` with Kaldi's `wav.scp`, `text`, `utt2spk`, `spk2age`, `spk2gender`, and the
recordings that `wav.scp` names, `WAVE/SPEAKERnnnn/ID.WAV`. What cannot be read is named in `Corpus.faults`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vivavoce.agreement.raters import mean_of, rounded_median
from vivavoce.errors import InputError

SCALES = ("accuracy", "fluency", "prosodic", "total")
SPLITS = ("test", "train")
CHILD_TO, TEEN_TO = 12, 18
"""Children are 12 or under, teenagers 13 to 18, adults 19 and over."""


@dataclass(frozen=True, slots=True)
class RatedWord:
    """A word of the text with the experts' scores of how it was said, 0 to 10."""

    text: str
    accuracy: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Utterance:
    """A recording, who speaks, what the text is, and what each expert gave it by scale, 0 to 10.

    `age` in years and `gender` (m or f) are None where the corpus does not say. An expert has the same place in every
    list; where fewer rated, the last are missing. `published` is the corpus's own value by scale, where it has one.
    """

    id: str
    speaker: str
    age: int | None
    gender: str | None
    text: str
    audio: Path
    ratings: Mapping[str, tuple[float, ...]]
    words: tuple[RatedWord, ...]
    published: Mapping[str, float]

    def mean(self, scale: str) -> float:
        """The mean of the experts."""
        return mean_of(self.ratings[scale])

    def median(self, scale: str) -> float:
        """The median of the experts as a whole number."""
        return rounded_median(self.ratings[scale])

    @property
    def age_group(self) -> str:
        """children, teens, adults, or age unknown."""
        if self.age is None:
            return "age unknown"
        return "children" if self.age <= CHILD_TO else "teens" if self.age <= TEEN_TO else "adults"


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was read: layout (ours or official), split, utterances in the order of their ids, and what was not."""

    layout: str
    split: str
    utterances: tuple[Utterance, ...]
    faults: tuple[str, ...]


def read_corpus(folder: Path, split: str | None = None) -> Corpus:
    """Return the utterances of a folder in either layout.

    `split` is test, train or all of the official layout; None: test where there is one, else what there is.
    Raises InputError `corpus_unknown` where neither layout is found, `split_missing` where the split is not there.
    """
    for place in (folder, folder / "speechocean762"):
        if (place / "labels.jsonl").is_file():
            return _ours(place, split)
        if _scores(place, "scores.json") or _scores(place, "scores-detail.json"):
            return _official(place, split)
    raise InputError(
        "corpus_unknown",
        where=str(folder),
        found="neither labels.jsonl nor scores.json",
        allowed="audio/ with labels.jsonl, or speechocean762 as it is published",
        remedy="give --data the folder that holds one of them",
    )


def _no_split(where: Path, split: str, there: Sequence[str]) -> InputError:
    return InputError(
        "split_missing",
        where=str(where),
        found=f"no split {split}",
        allowed=", ".join(there) or "no splits",
        remedy="choose one of these with --split",
    )


def _ours(folder: Path, split: str | None) -> Corpus:
    if split not in (None, "all"):
        raise _no_split(folder, split, ("all",))
    found: dict[str, Utterance] = {}
    faults: list[str] = []
    with (folder / "labels.jsonl").open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
                wave = folder / "audio" / f"{row['id']}.wav"
                audio = wave if wave.exists() else wave.with_suffix(".flac")
                speaker = (str(row["speaker"]), row.get("age"), row.get("gender"))
                found[row["id"]] = _utterance(row["id"], speaker, row["text"], audio, row, {})
            except (KeyError, TypeError, ValueError) as error:
                faults.append(f"labels.jsonl line {number}: {_said(error)}")
    return Corpus("ours", "all", _sorted(found), tuple(faults))


def _official(folder: Path, split: str | None) -> Corpus:
    there = [name for name in SPLITS if (folder / name / "wav.scp").is_file()]
    wanted = split or (there[0] if there else "test")
    if wanted != "all" and wanted not in there:
        raise _no_split(folder, wanted, there)
    published = _json(_scores(folder, "scores.json"))
    detail = _json(_scores(folder, "scores-detail.json")) or published
    found: dict[str, Utterance] = {}
    faults: list[str] = []
    for name in there if wanted == "all" else [wanted]:
        tables = {table: dict(_kaldi(folder / name / table)) for table in ("text", "utt2spk", "spk2age", "spk2gender")}
        for key, place in _kaldi(folder / name / "wav.scp"):
            try:
                who = tables["utt2spk"][key]
                age = tables["spk2age"].get(who)
                speaker = (who, int(age) if age else None, tables["spk2gender"].get(who))
                audio = _recording(folder, place, who, key)
                found[key] = _utterance(key, speaker, tables["text"][key], audio, detail[key], published.get(key, {}))
            except (KeyError, TypeError, ValueError) as error:
                faults.append(f"{name}/{key}: {_said(error)}")
    return Corpus("official", wanted, _sorted(found), tuple(faults))


def _scores(folder: Path, name: str) -> Path | None:
    return next((path for path in (folder / "resource" / name, folder / name) if path.is_file()), None)


def _json(path: Path | None) -> dict[str, Any]:
    try:
        return json.loads(path.read_text(encoding="utf-8")) if path else {}
    except ValueError as error:
        raise InputError(
            "corpus_unreadable",
            where=str(path),
            found=str(error),
            allowed="JSON, UTF-8",
            remedy="fetch the file again",
        ) from error


def _kaldi(path: Path) -> Iterator[tuple[str, str]]:
    """Return the lines of a Kaldi table, key and value (nothing where there is no such file)."""
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            key, _, value = line.strip().replace("\t", " ").partition(" ")
            if key:
                yield key, " ".join(value.split())


def _recording(folder: Path, place: str, speaker: str, key: str) -> Path:
    """Return where a recording is: as wav.scp says, else where the corpus keeps it; wav.scp's if neither is there."""
    usual = folder / "WAVE" / f"SPEAKER{speaker}"
    tried = (folder / place, usual / f"{key}.WAV", usual / f"{key}.wav")
    return next((path for path in tried if path.is_file()), tried[0])


def _utterance(
    key: str,
    speaker: tuple[str, int | None, str | None],
    text: str,
    audio: Path,
    row: Mapping[str, Any],
    published: Mapping[str, Any],
) -> Utterance:
    """Return an utterance; raises KeyError, TypeError or ValueError where the row lacks what it needs."""
    words = tuple(RatedWord(str(word["text"]), _ratings(word["accuracy"])) for word in row.get("words", ()))
    ratings = {scale: _ratings(row[scale]) for scale in SCALES}
    if not isinstance(text, str) or not text.strip():
        raise ValueError("it has no text")
    own = {scale: float(published[scale]) for scale in SCALES if scale in published}
    return Utterance(key, *speaker, text, audio, ratings, words, own)


def _ratings(value: Any) -> tuple[float, ...]:
    """Return the experts' ratings: a list, or the one value of scores.json."""
    ratings = tuple(float(rating) for rating in (value if isinstance(value, list) else [value]))
    if not ratings or not all(0 <= rating <= 10 for rating in ratings):
        raise ValueError(f"ratings {ratings} are not 0 to 10")
    return ratings


def _said(error: Exception) -> str:
    return f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)


def _sorted(found: Mapping[str, Utterance]) -> tuple[Utterance, ...]:
    return tuple(found[key] for key in sorted(found))
