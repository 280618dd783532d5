"""How well phrase boundaries come back at the pauses of transcripts whose punctuation was taken away (M3).

    python bench/boundaries.py SHARED [--fit]

SHARED holds `data`. Truth is the punctuation that recognisers wrote: AWS, Speechmatics, Google on one talk ("any of
three": at least one of them has a mark there, times of AWS), Deepgram's and Speechmatics' on other speech, and of
readings what tiny.en wrote, its words' edges corrected by voice activity. Tuning: the first half of the talk (any of
three, Speechmatics) and every second other recording; held out: the rest. --fit prints the regression on the tuning
half.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path

import numpy as np

from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import decode
from vivavoce.measures.edges import correct_edges
from vivavoce.timeline import Word
from vivavoce.transcript.boundaries import features, log_odds
from vivavoce.transcript.importers import load_transcript
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


@dataclass(frozen=True)
class Place:
    """A pause: the word before, its length, whether punctuation stands there."""

    before: str
    pause_ms: int
    boundary: bool


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
    found = []
    reached = 0
    for index, (word, following) in enumerate(pairwise(words)):
        reached = max(reached, word.end_ms)
        if following.start_ms - reached >= 250:
            found.append(Place(word.text.strip(".,;:?!-"), following.start_ms - reached, index in ends))
    return found


def joined(talks: Sequence[Sequence[Word]]) -> set[int]:
    """The ends of the first talk's phrases by any of the talks, by the words that they share."""
    ends = set(ends_of(talks[0]))
    keys = [[word.text.strip(".,;:?!-").lower() for word in words] for words in talks]
    for words, key in zip(talks[1:], keys[1:], strict=True):
        theirs = ends_of(words)
        for a, b, size in SequenceMatcher(None, keys[0], key, autojunk=False).get_matching_blocks():
            ends |= {a + step for step in range(size) if b + step in theirs}
    return ends


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


def fit(found: Sequence[Place]) -> np.ndarray:
    """Logistic regression by Newton's method, with a ridge of 0.5 on all but the bias."""
    x = np.array([(1.0, *map(float, features(p.before, p.pause_ms))) for p in found])
    y = np.array([p.boundary for p in found], float)
    ridge = np.diag([0.0, 0.5, 0.5])
    weights = np.zeros(3)
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


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--fit", action="store_true")
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


if __name__ == "__main__":
    main()
