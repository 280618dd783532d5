"""Words of read sentences that recogniser, acoustics, and both call misread, and experts; docs/evidence/words-read.md.

    python bench/reading_words.py --data DIR [--heard FILE] [--listened FILE] [--probabilities FILE] [--json OUT]
                                  [--changed COUNT] [--limit COUNT] [--split test]

DIR holds speechocean762 as it is published or in our layout (so762_corpus.py). What was heard is kept in `--heard`,
what was listened for in `--listened`, a clip a line, and not made again. `--probabilities`: {id: [p or null a word]}
in place of the listener's own, for clips that it was trained on (`train/` makes them out of fold).

Read wrong: the median of the experts' scores of the word is 3 or less, which their scale words as "more than 30 % of
its phones are wrong, or it was said as another word"; unmistakably wrong: 2 or less. A word is flagged where it does
not count as matched; by the acoustics alone, under .5. `--changed`: in that many clips the text is changed, so that it
is known what was said: words put in that nobody said, one replaced by another, one taken out that was said.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from so762_corpus import Utterance, read_corpus

from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import Waveform, decode
from vivavoce.cli.progress import Bar
from vivavoce.listening import listen
from vivavoce.measures.recording import Reading, measure
from vivavoce.measures.reread import LIMITS, Limits, reread, sought
from vivavoce.pipeline import force
from vivavoce.timeline import Segment, Transcript, Word
from vivavoce.transcript.alignment import Alignment
from vivavoce.transcript.recognizer import transcribe
from vivavoce.transcript.weights import find_weights

WRONG, UNMISTAKABLE = 3, 2
GROUPS = ("children", "teens", "adults")
# From which probability a word counts as read that the recogniser is not sure, and is sure, to have heard as another.
SWEEP = (
    (0.1, 0.1),
    (0.3, 0.3),
    (0.5, 0.5),
    (0.7, 0.7),
    (0.9, 0.9),
    (0.2, 0.8),
    (0.3, 0.7),
    (0.3, 0.9),
    (0.4, 0.8),
    (0.5, 0.7),
)
ALONE = 0.5
PUT_IN = (1, 3, 6)
WAYS = ("recogniser", "acoustics", "both")


@dataclass(frozen=True)
class Found:
    """A word as it was listened for; `phones` only counted."""

    read_correctly: float | None
    start_ms: int | None
    end_ms: int | None
    phones: range


@dataclass(frozen=True)
class Clip:
    """A read sentence: its experts' medians by word, what was heard, and what was listened for."""

    name: str
    group: str
    text: str
    medians: tuple[float, ...]
    words: tuple[Word, ...]
    speech: tuple[Segment, ...]
    recogniser: Alignment
    found: tuple[Found, ...]

    def both(self, limits: Limits) -> Alignment:
        """The labels of recogniser and acoustics together."""
        return reread(self.recogniser, self.found, self.words, self.speech, limits)


class Kept:
    """Lines of JSON by clip in a file, made where they are not there yet; without a file nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path is not None and path.is_file() else []
        self.lines: dict[str, Any] = {line["id"]: line for line in map(json.loads, lines)}

    def get(self, name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The clip's line."""
        if name not in self.lines:
            self.lines[name] = {"id": name, **make()}
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(self.lines[name]) + "\n")
        found: dict[str, Any] = self.lines[name]
        return found


class Clips:
    """The clips of a corpus, and what is kept of them."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.utterances = read_corpus(given.data, given.split).utterances[: given.limit]
        self.heard, self.listened = Kept(given.heard), Kept(given.listened)
        self.probabilities = json.loads(given.probabilities.read_text()) if given.probabilities else {}

    def transcript(self, waveform: Waveform, name: str) -> Transcript:
        """What the recogniser hears, kept as text, start, end, confidence of each word."""

        def make() -> dict[str, Any]:
            heard = transcribe(waveform.samples, weights=find_weights())
            words = [[word.text, word.start_ms, word.end_ms, word.confidence] for word in heard.words]
            return {"words": words, "warn": [notice.code for notice in heard.warnings]}

        return Transcript(tuple(Word(*word) for word in self.heard.get(name, make)["words"]), False, "en")

    def clip(self, row: Utterance) -> Clip:
        """A clip with what was heard and listened for."""
        text, waveform = row.text.lower(), decode(row.audio)

        def make() -> dict[str, Any]:
            words = listen_for(waveform, text)
            return {"words": [[word.read_correctly, word.start_ms, word.end_ms, len(word.phones)] for word in words]}

        found = [Found(word[0], word[1], word[2], range(word[3])) for word in self.listened.get(row.id, make)["words"]]
        if self.probabilities:
            pairs = zip(found, self.probabilities[row.id], strict=True)
            found = [replace(word, read_correctly=chance) for word, chance in pairs]
        medians = tuple(statistics.median(word.accuracy) for word in row.words)
        if not len(found) == len(medians) == len(text.split()):
            raise ValueError(f"{row.id}: {len(found)} words listened for, {len(medians)} with scores")
        heard = heard_against(waveform, self.transcript(waveform, row.id), text)
        return Clip(row.id, row.age_group, text, medians, *heard, tuple(found))


def listen_for(waveform: Waveform, text: str) -> Sequence[Any]:
    """The words of a text as the listener finds them."""
    return listen(waveform.samples, sought(text), text="reference", weights=find_weights()).words


def heard_against(
    waveform: Waveform, transcript: Transcript, text: str
) -> tuple[tuple[Word, ...], tuple[Segment, ...], Alignment]:
    """The words with their times as measured, the speech, and the alignment with a text by the recogniser alone."""
    measured = measure(waveform, transcript, Reading(text), "phrase", force(waveform, transcript))
    if measured.alignment is None:
        raise ValueError("a reading has an alignment")
    return measured.words, tuple(detect(waveform).segments()), measured.alignment


@dataclass(frozen=True)
class Judged:
    """A word of a text: whose, the experts' median, whether each way flags it, and its probability."""

    group: str
    speaker: str
    median: float
    flagged: dict[str, bool]
    probability: float | None


def judged_words(clips: Iterable[Clip], limits: Limits) -> Iterator[Judged]:
    """Each token of each text; of several written words the worst counts."""
    for clip in clips:
        labels = [label for label in clip.both(limits).labels if label.reference is not None]
        for label in labels:
            indices = label.reference.word_indices if label.reference is not None else ()
            chances = [clip.found[index].read_correctly for index in indices]
            chance = None if None in chances else min(one for one in chances if one is not None)
            flagged = {
                "recogniser": label.by_recogniser != "matched",
                "acoustics": chance is None or chance < ALONE,
                "both": label.counted != "matched",
            }
            median = min(clip.medians[index] for index in indices)
            yield Judged(clip.group, clip.name[:5], median, flagged, chance)


def rates(words: Sequence[Judged], way: str, wrong_to: float = WRONG) -> dict[str, float | int | None]:
    """How well a way flags what was read wrong: precision, recall, and the share of correct words flagged."""
    flagged = [word for word in words if word.flagged[way]]
    wrong = [word for word in words if word.median <= wrong_to]
    hits = sum(word.median <= wrong_to for word in flagged)
    correct = [word for word in words if word.median > WRONG]
    over = sum(word.median > WRONG for word in flagged)
    return {
        "words": len(words),
        "wrong": len(wrong),
        "flagged": len(flagged),
        "precision": share(hits, len(flagged)),
        "recall": share(hits, len(wrong)),
        "correct_flagged": share(over, len(correct)),
    }


def adherence(alignments: Sequence[Alignment]) -> dict[str, float | None]:
    """The guide's accuracy and completion over all texts of some alignments together."""
    counts = [sum(values) for values in zip(*(one.counts().values() for one in alignments), strict=True)]
    words, matched, _, insertions, trailing, _ = counts or [0] * 6
    return {"accuracy": share(matched, words + insertions), "completion": share(words - trailing, words)}


def share(part: int, whole: int) -> float | None:
    """A part of a whole, None of nothing."""
    return None if not whole else round(part / whole, 4)


def by_group(words: Sequence[Judged]) -> Iterator[tuple[str, list[Judged]]]:
    """The words of each group, and all."""
    for group in GROUPS:
        yield group, [word for word in words if word.group == group]
    yield "all", list(words)


def table(clips: Sequence[Clip], limits: Limits) -> dict[str, Any]:
    """Precision, recall and over-flagging by group, way and definition of wrong; additions; what is uncertain."""
    found: dict[str, Any] = {}
    for group, words in by_group(list(judged_words(clips, limits))):
        own = [clip for clip in clips if group in (clip.group, "all")]
        together = [clip.both(limits) for clip in own]
        kinds = Counter(label.by_recogniser for one in together for label in one.labels if label.label == "uncertain")
        found[group] = {
            "clips": len(own),
            "read wrong": {way: rates(words, way) for way in WAYS},
            "unmistakably": {way: rates(words, way, UNMISTAKABLE) for way in WAYS},
            "insertions": {
                "recogniser": sum(clip.recogniser.insertions for clip in own),
                "both": sum(one.insertions for one in together),
            },
            "uncertain": dict(kinds),
            "adherence": {
                "recogniser": adherence([clip.recogniser for clip in own]),
                "both": adherence(together),
                "experts": share(sum(word.median > WRONG for word in words), len(words)),
            },
        }
    return found


def sweep(clips: Sequence[Clip], limits: Limits) -> dict[str, Any]:
    """Recall and over-flagging of both together, by the probabilities from which a word counts as read."""
    found: dict[str, Any] = {}
    for read, against in SWEEP:
        words = list(judged_words(clips, replace(limits, read=read, read_against=against)))
        found[f"{read}, {against}"] = {group: rates(own, "both") for group, own in by_group(words)}
    return found


def changed(clips: Clips, limits: Limits, count: int) -> dict[str, Any]:
    """What becomes of words that are known not to have been said, and of words said that the text does not have."""
    chance = random.Random(762)
    rows = chance.sample(clips.utterances, min(count, len(clips.utterances)))
    vocabulary = [word for row in clips.utterances for word in row.text.lower().split()]
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    bar = Bar("changed texts")
    for number, row in enumerate(rows, 1):
        waveform = decode(row.audio)
        transcript = clips.transcript(waveform, row.id)
        for kind, text, foreign in changes(row.text.lower().split(), vocabulary, chance):
            words, speech, alone = heard_against(waveform, transcript, " ".join(text))
            together = reread(alone, listen_for(waveform, " ".join(text)), words, speech, limits)
            if kind == "taken out":
                tally[kind].update(words=1, recogniser=alone.insertions, both=together.insertions)
                continue
            for label in together.labels:
                if label.reference is not None and label.reference.word_indices[0] in foreign:
                    tally[kind].update(
                        words=1,
                        recogniser=int(label.by_recogniser == "matched"),
                        both=int(label.counted == "matched"),
                    )
        bar(number / len(rows))
    return {kind: dict(found) for kind, found in tally.items()}


def changes(
    said: Sequence[str], vocabulary: Sequence[str], chance: random.Random
) -> Iterator[tuple[str, list[str], frozenset[int]]]:
    """Changed texts: of which kind, the text, and the places of the words that nobody said."""
    for count in PUT_IN:
        at = chance.randrange(len(said) + 1)
        begin = chance.randrange(len(vocabulary) - count)
        put = [word for word in vocabulary[begin : begin + count] if word not in said]
        yield f"put in, {count}", [*said[:at], *put, *said[at:]], frozenset(range(at, at + len(put)))
    at = chance.randrange(len(said))
    other = chance.choice([word for word in vocabulary if word not in said])
    yield "replaced", [*said[:at], other, *said[at + 1 :]], frozenset([at])
    if len(said) > 1:
        yield "taken out", [*said[:at], *said[at + 1 :]], frozenset()


def show(found: dict[str, Any]) -> None:
    """Print the tables."""
    for part in ("read wrong", "unmistakably"):
        print(f"\n{part}\t\twords\twrong\tflagged\tprecision\trecall\tcorrect flagged")
        for group, own in found["by_group"].items():
            for way, numbers in own[part].items():
                print(group, way, *("–" if value is None else value for value in numbers.values()), sep="\t")
    for group, own in found["by_group"].items():
        print(f"\n{group}: insertions {own['insertions']}, uncertain by the recogniser's label {own['uncertain']}")
        print(f"{group}: the guide's accuracy and completion {own['adherence']}")
    print("\nread from\t" + "\t".join(f"{group}: recall, correct flagged" for group in found["by_group"]))
    for at, groups in found["sweep"].items():
        print(at, *(f"{own['recall']}, {own['correct_flagged']}" for own in groups.values()), sep="\t")
    for kind, numbers in found.get("changed", {}).items():
        print(f"\n{kind}: {numbers}")


def main() -> None:
    """Run what was asked for, print the tables, and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("data", "heard", "listened", "probabilities", "json"):
        parser.add_argument(f"--{name}", type=Path, required=name == "data")
    parser.add_argument("--changed", type=int, default=0)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--split", choices=("test", "train", "all"))
    given = parser.parse_args()
    clips, limits = Clips(given), LIMITS
    bar, made = Bar("clips"), []
    for number, row in enumerate(clips.utterances, 1):
        made.append(clips.clip(row))
        bar(number / len(clips.utterances))
    found: dict[str, Any] = {"by_group": table(made, limits), "sweep": sweep(made, limits)}
    if given.changed:
        found["changed"] = changed(clips, limits, given.changed)
    show(found)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
