"""How well phrase boundaries come back at the pauses of transcripts whose punctuation was taken away (M3).

    python bench/boundaries.py SHARED [--keep FILE]

SHARED holds `data`. Three kinds of truth. Talk: what AWS, Speechmatics and Google wrote on one talk ("any of three": at
least one of them has a mark there; times of AWS). Others: Deepgram's and Speechmatics' marks on other speech, and
tiny.en's on readings, its words' edges corrected by voice activity. Learners: sentences that people wrote, read by
learners, words by forced alignment; seven of one speaker one after another with the silence that each recording has,
where a sentence ends a phrase ends and nowhere else; and each sentence on its own, where no pause ends a phrase.

Tuning: the talk's first half and every second of the others; held out: the rest, and all learners. The weights are a
logistic regression's on the tuning half. Then other features of a pause are tried, fitted on one half of talk and
others and tried on the other half, and fitted on both and tried on the learners. --keep writes the learners' words to a
file, or reads them from it: to align them takes some minutes.
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import combinations, pairwise, product
from math import log2
from pathlib import Path

import numpy as np

import pace
from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import decode
from vivavoce.measures.edges import correct_edges
from vivavoce.timeline import Word
from vivavoce.transcript.boundaries import CONTEXT, LEAST_MS, LONG_MS, log_odds
from vivavoce.transcript.hidden_events import sentence_end_log_odds
from vivavoce.transcript.importers import load_transcript
from vivavoce.transcript.times import expected_ms
from vivavoce.transcript.words import tokenize_words

TALK = (
    "aws_transcribe/amazonTranscribe.sample.json",
    "speechmatics/speechmatics_v1_TedTalk.json",
    "google_stt/gcpSttPunctuation.sample.json",
)
OTHERS = (
    "deepgram/rest_b00dc1_29e7c8_response.json",
    "speechmatics/sm-transcript.json",
    "ruby_llm_vcr/deepgram_audio_transcribes_audio_deepgram_fetches_from_a_url.json",
    "speechmatics/batch-job-transcript.json",
)
READINGS = (
    "librivox_sonnets/sonnet_p001.mp3",
    "librosa_libri/198-209-0000.hq.ogg",
    "librosa_libri/3436-172162-0000.hq.ogg",
    "librosa_libri/5703-47212-0000.hq.ogg",
    "faster_whisper/jfk.flac",
    "mfa_corpus/61-70968-0000.flac",
)
PUNCTUATED, HALVES = ("talk", "others"), (False, True)
JOINED = 7


@dataclass(frozen=True)
class Place:
    """A pause: the words on its sides, its length, whether a phrase ends there; and what else was tried.

    `relative`: over the recording's median pause; `drawn_out`: how long the word before is for its letters at the
    speaker's pace; `words`: since the pause before.
    """

    before: tuple[str, ...]
    after: tuple[str, ...]
    pause_ms: int
    boundary: bool
    relative: float = 1.0
    drawn_out: float = 1.0
    words: int = 1


@dataclass(frozen=True)
class Group:
    """Pauses of one kind and half."""

    kind: str
    held_out: bool
    places: list[Place]


@dataclass(frozen=True)
class Said:
    """A sentence that a learner read."""

    name: str
    speaker: str
    age: int
    words: tuple[Word, ...]
    length_ms: int


def bare(text: str) -> str:
    """A word without the marks that end phrases."""
    return text.strip(".,;:?!-")


def ends_of(words: Sequence[Word]) -> set[int]:
    """The words after which punctuation ends a phrase."""
    tokens = tokenize_words([word.text for word in words])
    return {token.word_indices[-1] for token in tokens if token.boundary_after}


def places(words: Sequence[Word], ends: set[int]) -> list[Place]:
    """The pauses of 250 ms or more."""
    found: list[Place] = []
    reached, last = 0, -1
    texts = [bare(word.text) for word in words]
    lengths = [(word.end_ms - word.start_ms) / expected_ms(word.text) for word in words]
    usual = float(np.median(lengths)) if lengths else 1.0
    for index, (word, following) in enumerate(pairwise(words)):
        reached = max(reached, word.end_ms)
        pause_ms = following.start_ms - reached
        if pause_ms >= LEAST_MS:
            before, after = texts[max(0, index + 1 - CONTEXT) : index + 1], texts[index + 1 : index + 1 + CONTEXT]
            drawn_out = min(lengths[index] / usual, 4.0)
            found.append(Place(tuple(before), tuple(after), pause_ms, index in ends, 1.0, drawn_out, index - last))
            last = index
    median = float(np.median([place.pause_ms for place in found])) if found else 1.0
    return [replace(place, relative=place.pause_ms / median) for place in found]


def marked(first: Sequence[Word], words: Sequence[Word]) -> dict[int, bool]:
    """For the words of the first that the others have too: whether there is a mark after them."""
    ends = ends_of(words)
    keys = [[bare(word.text).lower() for word in one] for one in (first, words)]
    blocks = SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks()
    return {a + step: b + step in ends for a, b, size in blocks for step in range(size)}


def recognised(data: Path) -> Iterator[Group]:
    """What recognisers punctuated: the talk by halves, and everything else."""
    folder = data / "1_asr_json"
    talks = [load_transcript(folder / name).words for name in TALK]
    any_mark = {index for words in talks for index, mark in marked(talks[0], words).items() if mark}
    for words, ends in ((talks[0], any_mark), (talks[1], ends_of(talks[1]))):
        found = places(words, ends)
        yield Group("talk", False, found[: len(found) // 2])
        yield Group("talk", True, found[len(found) // 2 :])
    for number, name in enumerate(OTHERS):
        words = load_transcript(folder / name).words
        yield Group("others", number % 2 == 1, places(words, ends_of(words)))
    for number, name in enumerate(READINGS):
        raw = load_transcript(folder / "faster_whisper_tiny_en" / f"{name.replace('/', '__')}.json").words
        recording = decode(data / "2_audio" / name)
        words = correct_edges(raw, detect(recording).segments(), recording.duration_ms).words
        yield Group("others", number % 2 == 0, places(words, ends_of(words)))


def read_sentences(data: Path) -> list[Said]:
    """Every learner's sentence whose text can be aligned with it."""
    return [
        Said(row["id"], row["speaker"], row["age"], clip.words, len(clip.samples) // pace.PER_MS)
        for row in pace.learners(data)
        for clip in pace.learner(data, row)
    ]


def joined(sentences: Sequence[Said]) -> tuple[list[Word], set[int]]:
    """Sentences one after another, as recorded: their words, and the last word of each."""
    words: list[Word] = []
    ends: set[int] = set()
    began = 0
    for said in sentences:
        words += [replace(word, start_ms=word.start_ms + began, end_ms=word.end_ms + began) for word in said.words]
        ends.add(len(words) - 1)
        began += said.length_ms
    return words, ends


def learners(sentences: Sequence[Said]) -> Iterator[Group]:
    """Learners' pauses: seven sentences joined, and each on its own."""
    by_speaker: dict[str, list[Said]] = defaultdict(list)
    for said in sorted(sentences, key=lambda said: hashlib.sha256(said.name.encode()).hexdigest()):
        by_speaker[said.speaker].append(said)
    for theirs in by_speaker.values():
        age = "children" if theirs[0].age <= 12 else "teenagers" if theirs[0].age < 18 else "adults"
        for at in range(0, len(theirs) - JOINED + 1, JOINED):
            yield Group(f"learners joined, {age}", True, places(*joined(theirs[at : at + JOINED])))
        for said in theirs:
            yield Group(f"learners single, {age}", True, places(said.words, set()))


FEATURES: dict[str, Callable[[Place], float]] = {
    "length": lambda place: log2(place.pause_ms / LEAST_MS),
    "words": lambda place: sentence_end_log_odds(place.before, place.after),
    "length over the median pause": lambda place: log2(place.relative),
    "the word before is drawn out": lambda place: place.drawn_out,
    "words since the last pause": lambda place: log2(place.words),
}
LENGTH, WORDS, *MORE = FEATURES
RULES: dict[str, Callable[[Place], bool]] = {
    "by words and length": lambda place: log_odds(place.before, place.pause_ms, place.after) >= 0,
    "by length, 0.5 s": lambda place: place.pause_ms >= LONG_MS,
    "every pause": lambda _: True,
    "none": lambda _: False,
}


def rows(found: Sequence[Place], names: Sequence[str]) -> np.ndarray:
    """The features of each pause, after a 1 for the bias."""
    return np.array([(1.0, *(float(FEATURES[name](place)) for name in names)) for place in found])


def fit(found: Sequence[Place], names: Sequence[str]) -> np.ndarray:
    """Logistic regression by Newton's method, with a ridge of 0.5 on all but the bias."""
    x = rows(found, names)
    y = np.array([place.boundary for place in found], float)
    ridge = np.diag([0.0, *[0.5] * len(names)])
    weights = np.zeros(len(names) + 1)
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ weights))
        weights += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge, x.T @ (y - p) - ridge @ weights)
    return weights


def short(found: Sequence[Place]) -> list[Place]:
    """The pauses under 1.2 s, the only ones whose kind hangs on a boundary."""
    return [place for place in found if place.pause_ms < 1200]


def line(name: str, found: Sequence[Place], said: Sequence[bool]) -> str:
    """Precision and recall of boundaries, choppy breaks by the truth and by the rule, pauses of the wrong kind."""
    both = sum(a and place.boundary for a, place in zip(said, found, strict=True))
    true, given = sum(place.boundary for place in found), sum(said)
    precision, recall = (f"{both / n:.2f}" if n else "-" for n in (given, true))
    wrong = sum(a != place.boundary for a, place in zip(said, found, strict=True))
    return (
        f"{name:24} {precision:>5} {recall:>5}  choppy {len(found) - true:4} -> {len(found) - given:4}, "
        f"wrong kind {wrong:4} of {len(found):4} {wrong / len(found):4.0%}"
    )


def show_tried(groups: dict[tuple[str, bool], list[Place]]) -> None:
    """Pauses of the wrong kind by regressions with more features, each fitted on what it is not tried on."""
    halves = {held: [place for kind in PUNCTUATED for place in groups[kind, held]] for held in HALVES}
    both = [*halves[False], *halves[True]]
    for names in ((LENGTH,), (WORDS,), (LENGTH, WORDS), (MORE[0], WORDS), *((LENGTH, WORDS, name) for name in MORE)):
        tried = [(kind, groups[kind, held], fit(halves[not held], names)) for kind, held in product(PUNCTUATED, HALVES)]
        tried += [(kind, groups[kind, True], fit(both, names)) for kind in ("learners joined", "learners single")]
        wrong: Counter[str] = Counter()
        for kind, found, weights in tried:
            said = rows(short(found), names) @ weights >= 0
            wrong[kind] += sum(a != place.boundary for a, place in zip(said, short(found), strict=True))
        print(f"{' + '.join(names):52}", *(f"{kind} {count:4}" for kind, count in wrong.items()))


def show_agreement(folder: Path) -> None:
    """How often two recognisers disagree at AWS's pauses in the talk."""
    talks = {name.split("/")[0]: load_transcript(folder / name).words for name in TALK}
    first = next(iter(talks.values()))
    marks = {name: marked(first, words) for name, words in talks.items()}
    gaps = [index for index, (a, b) in enumerate(pairwise(first)) if b.start_ms - a.end_ms >= LEAST_MS]
    for one, other in combinations(talks, 2):
        shared = [index for index in gaps if index in marks[one] and index in marks[other]]
        differ = sum(marks[one][index] != marks[other][index] for index in shared)
        print(f"{one} and {other} disagree at {differ} of {len(shared)} pauses, {differ / len(shared):.0%}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    data = arguments.shared / "data"
    if arguments.keep and arguments.keep.is_file():
        sentences = pickle.loads(arguments.keep.read_bytes())
    else:
        sentences = read_sentences(data)
        if arguments.keep:
            arguments.keep.write_bytes(pickle.dumps(sentences))
    groups: dict[tuple[str, bool], list[Place]] = defaultdict(list)
    for group in (*recognised(data), *learners(sentences)):
        for kind in dict.fromkeys((group.kind.split(",")[0], group.kind)):
            groups[kind, group.held_out] += group.places
    tuning = [*groups["talk", False], *groups["others", False]]
    print("bias, per doubling, per log odds:", fit(tuning, (LENGTH, WORDS)).round(2))
    alone = fit(tuning, (WORDS,))
    for (kind, held), found in sorted(groups.items(), key=lambda item: (item[0][1], item[0][0])):
        print(f"{'held out' if held else 'tuning'}: {kind}")
        part = short(found)
        for name, rule in RULES.items():
            print(line(f"  {name}", part, [rule(place) for place in part]))
        print(line("  by words alone", part, (rows(part, (WORDS,)) @ alone >= 0).tolist()))
    show_agreement(data / "1_asr_json")
    show_tried(groups)


if __name__ == "__main__":
    main()
