"""How well phrase boundaries come back at the pauses of transcripts whose punctuation was taken away (M3).

    python bench/boundaries.py SHARED [--fit] [--tried]

SHARED holds `data`. Truth is the punctuation that recognisers wrote: AWS, Speechmatics, Google on one talk ("any of
three": at least one of them has a mark there, times of AWS), Deepgram's and Speechmatics' on other speech, and of
readings what tiny.en wrote, its words' edges corrected by voice activity. Tuning: the first half of the talk (any of
three, Speechmatics) and every second other recording; held out: the rest. --fit prints the regression on the tuning
half. --tried: how often two recognisers disagree at the pauses of the talk, the errors where three agree, and what
other features of a pause bring: a regression with each of these added, tried on one of three groups (first half of the
talk, second half, all other recordings) and fitted on the others.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import combinations, pairwise
from math import log2
from pathlib import Path

import numpy as np

from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import decode
from vivavoce.measures.edges import correct_edges
from vivavoce.timeline import Word
from vivavoce.transcript.boundaries import features, log_odds, text_of
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
BY_MACHINE = "kaldi/kaldiTedTalkTranscript.sample.json"
READINGS = (
    "librivox_sonnets/sonnet_p001.mp3",
    "librosa_libri/198-209-0000.hq.ogg",
    "librosa_libri/3436-172162-0000.hq.ogg",
    "librosa_libri/5703-47212-0000.hq.ogg",
    "faster_whisper/jfk.flac",
    "mfa_corpus/61-70968-0000.flac",
)


@dataclass(frozen=True)
class Place:
    """A pause: the word before, its length, whether punctuation stands there.

    And what else was tried: the word after, the pause over the recording's median pause, how long the word before is
    for its letters at the speaker's pace, words since the pause before.
    """

    before: str
    pause_ms: int
    boundary: bool
    after: str = ""
    relative: float = 1.0
    drawn_out: float = 1.0
    words: int = 1


Rule = Callable[[Place], bool]
RULES: dict[str, Rule] = {
    "restored (the rule)": lambda place: log_odds(place.before, place.pause_ms) >= 0,
    "pause length alone, 0.5 s": lambda place: place.pause_ms >= 500,
    "the word before alone": lambda place: not features(place.before, place.pause_ms)[1],
    "every pause": lambda _: True,
    "no pause": lambda _: False,
}


def ends_of(words: Sequence[Word]) -> set[int]:
    """The words after which punctuation ends a phrase."""
    tokens = tokenize_words([word.text for word in words])
    return {token.word_indices[-1] for token in tokens if token.boundary_after}


def places(words: Sequence[Word], ends: set[int]) -> list[Place]:
    """The pauses of 250 ms or more."""
    found: list[Place] = []
    reached, last = 0, -1
    lengths = [(word.end_ms - word.start_ms) / expected_ms(word.text) for word in words]
    usual = float(np.median(lengths)) if lengths else 1.0
    for index, (word, following) in enumerate(pairwise(words)):
        reached = max(reached, word.end_ms)
        pause_ms = following.start_ms - reached
        if pause_ms >= 250:
            before, after = (one.text.strip(".,;:?!-") for one in (word, following))
            drawn_out = min(lengths[index] / usual, 4.0)
            found.append(Place(before, pause_ms, index in ends, after, 1.0, drawn_out, index - last))
            last = index
    median = float(np.median([place.pause_ms for place in found])) if found else 1.0
    return [replace(place, relative=place.pause_ms / median) for place in found]


def joined(talks: Sequence[Sequence[Word]]) -> set[int]:
    """The ends of the first talk's phrases by any of the talks, by the words that they share."""
    return {index for words in talks for index, mark in marked(talks[0], words).items() if mark}


def data_sets(data: Path) -> Iterator[tuple[str, bool, list[Place]]]:
    """Name, whether held out, and pauses of each set."""
    folder = data / "1_asr_json"
    talks = [load_transcript(folder / name).words for name in TALK]
    for name, words, ends in (
        ("talk, any of three", talks[0], joined(talks)),
        ("talk, AWS", talks[0], ends_of(talks[0])),
        ("talk, Speechmatics", talks[1], ends_of(talks[1])),
    ):
        found = places(words, ends)
        half = len(found) // 2
        yield f"{name}, first half", False, found[:half]
        yield f"{name}, second half", True, found[half:]
    for number, name in enumerate(OTHERS):
        words = load_transcript(folder / name).words
        yield name, number % 2 == 1, places(words, ends_of(words))
    for number, name in enumerate(READINGS):
        heard = folder / "faster_whisper_tiny_en" / f"{name.replace('/', '__')}.json"
        recording = decode(data / "2_audio" / name)
        raw = load_transcript(heard).words
        words = correct_edges(raw, detect(recording).segments(), recording.duration_ms).words
        yield f"{name}, tiny.en", number % 2 == 0, places(words, ends_of(words))


_OPENS = (
    """and but or so because since when where who which if although though then now even while yet well what why how"""
)
_SUBJECT = """i i'm i've we we've we're he she it it's you they they're they've there there's this that these those"""
OPENS, SUBJECT = frozenset(_OPENS.split()), frozenset(_SUBJECT.split())
TRIED: dict[str, Callable[[Place], float]] = {
    "length of the pause": lambda place: features(place.before, place.pause_ms)[0],
    "the word before hangs": lambda place: features(place.before, place.pause_ms)[1],
    "length over the median pause": lambda place: log2(place.relative),
    "the word after opens a clause": lambda place: text_of(place.after) in OPENS,
    "the word after is a subject": lambda place: text_of(place.after) in SUBJECT,
    "the word before is drawn out": lambda place: place.drawn_out,
    "words since the last pause": lambda place: log2(place.words),
}
LENGTH, HANGS, *MORE = TRIED


def rows(found: Sequence[Place], names: Sequence[str]) -> np.ndarray:
    """The features of each pause, after a 1 for the bias."""
    return np.array([(1.0, *(float(TRIED[name](place)) for name in names)) for place in found])


def fit(found: Sequence[Place], names: Sequence[str] = (LENGTH, HANGS)) -> np.ndarray:
    """Logistic regression by Newton's method, with a ridge of 0.5 on all but the bias."""
    x = rows(found, names)
    y = np.array([p.boundary for p in found], float)
    ridge = np.diag([0.0, *[0.5] * len(names)])
    weights = np.zeros(len(names) + 1)
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ weights))
        weights += np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge, x.T @ (y - p) - ridge @ weights)
    return weights


def line(name: str, found: Sequence[Place], rule: Rule) -> str:
    """Counts at the pauses, precision and recall, and choppy breaks (under 1.2 s) by punctuation and by the rule."""
    said = [rule(place) for place in found]
    both = sum(a and place.boundary for a, place in zip(said, found, strict=True))
    true, given = sum(place.boundary for place in found), sum(said)
    short = [(a, place.boundary) for a, place in zip(said, found, strict=True) if place.pause_ms < 1200]
    choppy, by_rule = sum(not b for _, b in short), sum(not a for a, _ in short)
    wrong = sum(a != b for a, b in short)
    precision, recall = (f"{both / n:.2f}" if n else "-" for n in (given, true))
    return (
        f"{name:44} {len(found):4} {true:4} {precision:>5} {recall:>5}  "
        f"choppy {choppy:3} -> {by_rule:3}, kind wrong {wrong:3} of {len(short)}"
    )


def wrong(found: Sequence[Place], said: Sequence[bool]) -> tuple[int, int]:
    """Pauses under 1.2 s of the wrong kind, and how many there are."""
    short = [a != place.boundary for a, place in zip(said, found, strict=True) if place.pause_ms < 1200]
    return sum(short), len(short)


def show_tried(sets: Sequence[tuple[str, bool, list[Place]]]) -> None:
    """Errors of the rule and of regressions with more features, over three groups, each tried on what it is not of."""
    groups: dict[str, list[Place]] = {"first half": [], "second half": [], "others": []}
    for name, _, found in sets:
        if "AWS" not in name:
            groups[name.split(", ")[-1] if name.startswith("talk") else "others"] += found
    rules = [*list(RULES)[:2], "every pause"]
    for rule in rules:
        counts = [wrong(found, [RULES[rule](place) for place in found]) for found in groups.values()]
        print(f"{rule:60}", *(f"{a:3} of {b}" for a, b in counts), sum(a for a, _ in counts))
    choices = [(LENGTH,), (LENGTH, HANGS), (MORE[0], HANGS), *((LENGTH, HANGS, name) for name in MORE), tuple(TRIED)]
    for names in choices:
        counts = []
        for group, found in groups.items():
            others = [place for other, theirs in groups.items() if other != group for place in theirs]
            counts.append(wrong(found, (rows(found, names) @ fit(others, names) >= 0).tolist()))
        title = " + ".join(names) if len(names) < len(TRIED) else "all"
        print(f"{title[-60:]:60}", *(f"{a:3} of {b}" for a, b in counts), sum(a for a, _ in counts))


def show_agreement(folder: Path) -> None:
    """How often two recognisers disagree at AWS's pauses in the talk, and the errors where three agree."""
    talks = {name.split("/")[0]: load_transcript(folder / name).words for name in (*TALK, BY_MACHINE)}
    first = next(iter(talks.values()))
    marks = [marked(first, words) for words in talks.values()]
    gaps = {
        index: b.start_ms - a.end_ms for index, (a, b) in enumerate(pairwise(first)) if b.start_ms - a.end_ms >= 250
    }
    for (one, ours), (other, theirs) in combinations(zip(talks, marks, strict=True), 2):
        shared = [index for index in gaps if index in ours and index in theirs]
        differ = sum(ours[index] != theirs[index] for index in shared)
        print(f"{one} and {other}: {differ} of {len(shared)} pauses, {differ / len(shared):.0%}")
    sure = [index for index in gaps if len({mark.get(index) for mark in marks[:3]}) == 1 and gaps[index] < 1200]
    found = [Place(first[index].text.strip(".,;:?!-"), gaps[index], bool(marks[0][index])) for index in sure]
    print(line("where AWS, Speechmatics and Google agree", found, RULES["restored (the rule)"]))
    print(line("  pause length alone", found, RULES["pause length alone, 0.5 s"]))


def marked(first: Sequence[Word], words: Sequence[Word]) -> dict[int, bool]:
    """For the words of the first that the others have too: whether there is a mark after them."""
    ends = ends_of(words)
    keys = [[word.text.strip(".,;:?!-").lower() for word in one] for one in (first, words)]
    blocks = SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks()
    return {a + step: b + step in ends for a, b, size in blocks for step in range(size)}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--tried", action="store_true")
    arguments = parser.parse_args()
    sets = list(data_sets(arguments.shared / "data"))
    if arguments.fit:
        tuning = [p for name, held, found in sets if not held and "AWS" not in name for p in found]
        print("bias, per doubling, hangs:", fit(tuning).round(2), "on", len(tuning), "pauses")
    print(f"{'':44} pauses ends  prec. rec.")
    for name, held, found in sets:
        print(line(f"{'held out' if held else 'tuning'}: {name[:34]}", found, RULES["restored (the rule)"]))
    for held in (False, True):
        pooled = [p for name, is_held, found in sets if is_held == held and "AWS" not in name for p in found]
        for name, rule in RULES.items():
            print(line(f"{'held out' if held else 'tuning'}, all: {name}", pooled, rule))

    if arguments.tried:
        show_agreement(arguments.shared / "data" / "1_asr_json")
        show_tried(sets)


if __name__ == "__main__":
    main()
