"""How well filled pauses are found from audio alone; the numbers of docs/evidence/disfluency.md.

    python bench/filled_pauses.py SHARED [--group NAME] [--keep FILE]

SHARED holds `data`. Every recording is heard without and with a prompt and its words are laid on its sound once (some
minutes); then each method says where filled pauses are. --keep writes the hearings to a file, or reads them from it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from steady_stretches import steady_filled_pauses, steady_stretches
from word_times import sphinx

from vivavoce.audio.waveform import Waveform, decode
from vivavoce.measures import filled_pauses as wanted
from vivavoce.measures.disfluency.find import find_disfluencies
from vivavoce.timeline import Transcript
from vivavoce.transcript.forced import ForcedAlignment, align_words
from vivavoce.transcript.recognizer import transcribe
from vivavoce.transcript.weights import find_weights

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "disfluency"))
from disfluency_data import said

# Filled pauses that people marked, in milliseconds. MFA's TextGrid leaves out the "uh" of its .lab: the second span is
# the end of the gap in which the .lab has it.
MARKED = {
    "2_audio/mfa_corpus/acoustic_corpus.wav": [(8020, 8570), (14300, 14870), (22900, 23530)],
    "3_disfluency/batchalign2/support_test.mp3": [(17455, 17675), (20735, 20955)],
}
HUMMED = ("2_audio/mfa_disfluent/mfa_um.flac", (3980, 4720))
NEAR_MS = 700
RATE_MS = 16
Spans = list[tuple[int, int]]
Clip = tuple[str, Waveform, Spans]


@dataclass(frozen=True)
class Hearing:
    """A clip, what was heard of it in two ways, and how long each took."""

    name: str
    waveform: Waveform
    marks: Spans
    plain: Transcript
    prompted: Transcript
    forced: ForcedAlignment | None
    plain_s: float
    prompted_s: float
    forced_s: float


def fluent(data: Path) -> Iterator[Path]:
    """Recordings in which nobody says um: readers, a speech, and the first sentence of 60 adult learners."""
    audio = data / "2_audio"
    yield from sorted((audio / "pocketsphinx" / "librivox").glob("*.wav"))
    yield from (path for path in sorted((audio / "librosa_libri").glob("*.ogg")) if ".hq" not in path.name)
    for name in ("librivox_sonnets/sonnet_p001.mp3", "faster_whisper/jfk.flac", "mfa_corpus/61-70968-0000.flac"):
        yield audio / name
    yield from sorted((audio / "azure_samples").glob("*.wav"))
    yield from list(learners(data, frozenset(), least_age=18))[:60]


def learners(data: Path, without: frozenset[Path], least_age: int = 0) -> Iterator[Path]:
    """Of each learner the first sentence, by hash, that is not `without`. Whether one said um is not marked."""
    paths = {path.stem: path for path in (data / "speechocean762_train").rglob("*.flac")}
    first: dict[str, Path] = {}
    for row in sorted(labels(data), key=lambda row: hashlib.sha256(str(row["id"]).encode()).digest()):
        if int(str(row["age"])) >= least_age and paths[str(row["id"])] not in without:
            first.setdefault(str(row["speaker"]), paths[str(row["id"])])
    yield from first.values()


def labels(data: Path) -> list[dict[str, object]]:
    """The experts' labels of the learners' sentences."""
    return [
        json.loads(line)
        for line in (data / "speechocean762_train" / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def spliced(data: Path) -> Iterator[Clip]:
    """Real filled pauses put between two words of readers, 0.15 s of room tone around each, levels matched."""
    source = decode(data / next(iter(MARKED))).samples
    pauses = [source[start * RATE_MS : end * RATE_MS] for start, end in next(iter(MARKED.values()))]
    for path, words in sphinx(data / "2_audio" / "pocketsphinx" / "librivox").items():
        times = [word.start_ms for word in words]
        if len(times) < 12:
            continue
        cuts = [times[len(times) * number // 4] for number in (1, 2, 3)]
        yield put_in(f"{path.stem} with 3", decode(path), cuts, pauses, [(150, 150)] * 3)


def spliced_learners(data: Path, count: int = 30) -> Iterator[Clip]:
    """Two filled pauses of three speakers in a sentence of each of 30 learners, 50 or 150 ms of room around them."""
    pool = []
    for name, spans in (*MARKED.items(), (HUMMED[0], [HUMMED[1]])):
        samples = decode(data / name).samples
        pool += [samples[start * RATE_MS : end * RATE_MS] for start, end in spans]
    texts = {str(row["id"]): str(row["text"]).split() for row in labels(data)}
    made = 0
    for path in learners(data, frozenset()):
        waveform, words = decode(path), texts[path.stem]
        times = [word.start_ms for word in align_words(waveform.samples, words).words]
        cuts = [times[len(words) * number // 3] for number in (1, 2)]
        if len(words) < 6 or None in times:
            continue
        around = [((150, 150), (150, 50), (50, 150))[(made + number) % 3] for number in (1, 2)]
        pauses = [pool[(2 * made + number) % len(pool)] for number in (1, 2)]
        yield put_in(f"{path.stem} with 2", waveform, [cut for cut in cuts if cut is not None], pauses, around)
        made += 1
        if made == count:
            return


def put_in(
    name: str, waveform: Waveform, cuts: list[int], pauses: list[np.ndarray], around: list[tuple[int, int]]
) -> Clip:
    """The recording with sounds put in at `cuts`, its quietest 150 ms `around` them, and where they are."""
    power = np.add.reduceat(waveform.samples**2, np.arange(0, len(waveform.samples), 160))
    quiet = int(np.argmin(np.convolve(power, np.ones(15), "valid"))) * 160
    parts: list[np.ndarray] = []
    marks, at = [], 0
    for cut_ms, pause, (before_ms, after_ms) in zip(cuts, pauses, around, strict=True):
        loud = np.sqrt((waveform.samples**2).mean() / (pause**2).mean())
        room = [waveform.samples[quiet : quiet + ms * RATE_MS] for ms in (before_ms, after_ms)]
        parts += [waveform.samples[at : cut_ms * RATE_MS], room[0]]
        start = sum(map(len, parts))
        parts += [pause * loud, room[1]]
        marks.append((start // RATE_MS, (start + len(pause)) // RATE_MS))
        at = cut_ms * RATE_MS
    samples = np.concatenate([*parts, waveform.samples[at:]]).astype(np.float32)
    return name, replace(waveform, samples=samples), marks


def isolated(data: Path) -> Iterator[Clip]:
    """MFA's short clips: how many filled pauses each has is known, not where, so a mark is the whole clip."""
    folder = data / "2_audio" / "mfa_disfluent"
    for line in (folder / "transcripts.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        name, text = line.split("\t")
        if not (folder / name).is_file():
            # The list has a clip that was not kept.
            continue
        waveform = decode(folder / name)
        yield name, waveform, [(0, waveform.duration_ms)] * len(filled(Transcript(tuple(said(text)))))


def groups(data: Path) -> dict[str, Callable[[], Iterator[Clip]]]:
    """The clips by group."""

    def read(paths: Iterator[Path]) -> Iterator[Clip]:
        for path in paths:
            yield path.name, decode(path), []

    return {
        "marked": lambda: ((name, decode(data / name), spans) for name, spans in MARKED.items()),
        "spliced": lambda: spliced(data),
        "spliced learners": lambda: spliced_learners(data),
        "isolated": lambda: isolated(data),
        "fluent": lambda: read(fluent(data)),
        "learners": lambda: read(learners(data, frozenset(fluent(data)))),
    }


def hear(clip: Clip) -> Hearing:
    """Hear a clip in every way that a method needs."""
    name, waveform, marks = clip
    weights, start = find_weights(), time.perf_counter()
    plain = transcribe(waveform.samples, weights=weights)
    plain_s = time.perf_counter() - start
    start = time.perf_counter()
    prompted = transcribe(waveform.samples, weights=weights, prompt=wanted.PROMPT)
    prompted_s = time.perf_counter() - start
    start = time.perf_counter()
    words = [word.text for word in plain.words]
    forced = align_words(waveform.samples, words, hints=plain.words) if words else None
    forced_s = time.perf_counter() - start
    return Hearing(name, waveform, marks, plain, prompted, forced, plain_s, prompted_s, forced_s)


def filled(transcript: Transcript) -> Spans:
    """The filled pauses in a transcript."""
    events = find_disfluencies(transcript.words)
    return [(event.start_ms, event.end_ms) for event in events if event.kind == "filled_pause"]


def both_neighbours(plain: Transcript, prompted: Transcript) -> Spans:
    """Filled pauses of the prompted hearing between two neighbours that stand side by side in the plain one too."""
    words = [word for word in plain.words if not wanted._filled(word)]
    pairs = wanted._pairs(words, [word for word in prompted.words if not wanted._filled(word)])
    offered = wanted._offered(prompted.words)
    places = [after for number, after in pairs.items() if pairs.get(number - 1) == after - 1 or number == after == 0]
    more = [(word.start_ms, word.end_ms) for place in places for word in offered.get(place, [])]
    heard = filled(plain)
    return heard + [
        span for span in more if all(span[0] > end + NEAR_MS or start > span[1] + NEAR_MS for start, end in heard)
    ]


def methods(one: Hearing) -> dict[str, Spans]:
    """Where each method says that filled pauses are."""
    voices = wanted.unwritten_voices(one.plain.words, one.forced)
    steady = steady_stretches(one.waveform, 150)
    spans = [(voice.stretch.start_ms, voice.stretch.end_ms) for voice in voices]
    still = [span for span in spans if any(s.start_ms < span[1] and span[0] < s.end_ms for s in steady)]
    neighbours = both_neighbours(one.plain, one.prompted)
    heard = filled(one.plain)
    return {
        "recogniser as it is": heard,
        "prompt": filled(one.prompted),
        "prompt, between shared neighbours": neighbours,
        "the same, heard again only where there is an unwritten voice": neighbours if voices else heard,
        "unwritten voices": heard + spans,
        "unwritten voices, steady": heard + still,
        "unwritten voices and prompt": filled(wanted.with_filled_pauses(one.plain, one.prompted, voices)),
        "the same, steady voices only": filled(
            wanted.with_filled_pauses(
                one.plain,
                one.prompted,
                [v for v, span in zip(voices, spans, strict=True) if span in still],
            )
        ),
        "steady stretches of 200 ms": [
            (s.start_ms, s.end_ms) for s in steady_filled_pauses(one.waveform, one.plain.words, 200)
        ],
    }


def score(marked: Spans, found: Spans) -> tuple[int, int]:
    """Hits and false alarms; each mark is hit once, by what lies within 0.7 s of it (recognisers' times are loose)."""
    left = sorted(found)
    hits = 0
    for start, end in marked:
        near = next((span for span in left if span[0] <= end + NEAR_MS and start - NEAR_MS <= span[1]), None)
        if near is not None:
            left.remove(near)
            hits += 1
    return hits, len(left)


def tell(group: str, hearings: list[Hearing]) -> None:
    """Print how each method does on a group, and what hearing again cost."""
    again = [one for one in hearings if wanted.unwritten_voices(one.plain.words, one.forced)]
    length, heard_again = (sum(one.waveform.duration_ms for one in part) / 1000 for part in (hearings, again))
    first, laid = sum(one.plain_s for one in hearings), sum(one.forced_s for one in hearings)
    print(f"{group}: {len(hearings)} clips, {length:.0f} s; heard again: {len(again)} clips, {heard_again:.0f} s")
    print(
        f"    {first:.0f} s to hear, {laid:.0f} s to lay on the sound; "
        f"again {sum(one.prompted_s for one in again):.0f} s of {sum(one.prompted_s for one in hearings):.0f} s"
    )
    tally: dict[str, list[int]] = {}
    for one in hearings:
        for method, found in methods(one).items():
            hits, wrong = score(one.marks, found)
            counts = tally.setdefault(method, [0, 0, 0])
            for place, count in enumerate((hits, len(one.marks), wrong)):
                counts[place] += count
            if wrong and method == "unwritten voices and prompt":
                print(f"    {one.name}: {wrong} wrong of {found}")
    for method, (hits, marks, wrong) in tally.items():
        print(f"    {method}: {hits} of {marks} found, {wrong} wrong")


def main() -> None:
    """Hear what has not been heard yet, then tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("shared", type=Path)
    parser.add_argument("--group", choices=list(groups(Path())))
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    kept: dict[str, list[Hearing]] = {}
    if arguments.keep is not None and arguments.keep.is_file():
        kept = pickle.loads(arguments.keep.read_bytes())
    for group, clips in groups(arguments.shared / "data").items():
        if arguments.group in (None, group):
            if group not in kept:
                kept[group] = [hear(clip) for clip in clips()]
                if arguments.keep is not None:
                    arguments.keep.write_bytes(pickle.dumps(kept))
            tell(group, kept[group])


if __name__ == "__main__":
    main()
