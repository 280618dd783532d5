"""How well disruptions are found; the numbers of docs/measurements.md, section Disfluency.

    python bench/disfluency.py SHARED [--docstrings] [--recognizer [--group NAME]]

SHARED holds `data`. From transcripts: Disfl-QA's two halves, CHAT's retraces, sentences that learners read. With
--recognizer, from audio alone (some minutes): what the recogniser writes, with a prompt or hot words, the prompted
hearing merged into the plain one, and steady voiced stretches.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import re
import site
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
from steady_stretches import steady_filled_pauses

from vivavoce.audio.waveform import Waveform, decode
from vivavoce.measures.disfluency.find import RESTARTS, find_disfluencies
from vivavoce.measures.filled_pauses import PROMPT, with_filled_pauses
from vivavoce.timeline import Transcript
from vivavoce.transcript import recognizer
from vivavoce.transcript.weights import find_weights

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "disfluency"))
from disfluency_data import chat, disfl_qa, said

# Filled pauses that people marked, in milliseconds. MFA's TextGrid leaves out the "uh" of its .lab: the second span is
# the end of the gap in which the .lab has it.
MARKED = {
    "2_audio/mfa_corpus/acoustic_corpus.wav": [(8020, 8570), (14300, 14870), (22900, 23530)],
    "3_disfluency/batchalign2/support_test.mp3": [(17455, 17675), (20735, 20955)],
}
NEAR_MS = 700
HOT_WORDS = "um uh er umm"
Spans = list[tuple[int, int]]


def transcripts(data: Path) -> None:
    """Print what the rules find in annotated transcripts."""
    for half, name in ((0, "developed on"), (1, "held out")):
        pairs = list(disfl_qa(data, half))
        broken = [find_disfluencies(said(text)) for _, text in pairs]
        alarms = sum(bool(find_disfluencies(said(text))) for text, _ in pairs)
        restarts = sum(any(event.kind in RESTARTS for event in events) for events in broken)
        found = sum(map(bool, broken))
        print(f"Disfl-QA, half {name}: {len(pairs)} pairs; disfluent twin counts {found / len(pairs):.1%}")
        print(f"    with a restart {restarts / len(pairs):.1%}; clean twin counts {alarms / len(pairs):.2%} ({alarms})")
    hits = marked = placed = clean = alarms = 0
    for path in sorted((data / "3_disfluency").rglob("*.cha")):
        for utterance in chat(path):
            events = [event for event in find_disfluencies(said(utterance.text)) if event.kind in RESTARTS]
            for kind, first, last in utterance.retraces:
                near = [event for event in events if event.first_word <= last and first <= event.last_word]
                marked, hits = marked + 1, hits + bool(near)
                placed += any(event.kind == kind and event.last_word == last for event in near)
            clean += not utterance.retraces
            alarms += not utterance.retraces and bool(events)
    print(f"CHAT retraces: {hits} of {marked} found, {placed} with kind and end; {alarms} of {clean} other lines count")
    lines = (data / "speechocean762_train" / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {json.loads(line)["text"] for line in lines}
    print(f"Read sentences: {sum(bool(find_disfluencies(said(text))) for text in texts)} of {len(texts)} count")


def docstrings() -> None:
    """Print what counts in the plain sentences of the docstrings of every Python package here: careful prose."""
    sentences: set[str] = set()
    for path in {path for folder in map(Path, (*site.getsitepackages(), ast.__file__)) for path in _sources(folder)}:
        try:
            nodes = list(ast.walk(ast.parse(path.read_bytes())))
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in nodes:
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                sentences.update(_sentences(ast.get_docstring(node) or ""))
    found = {text: find_disfluencies(said(text)) for text in sorted(sentences)}
    for text, events in found.items():
        if events:
            print("   ", text, [(event.kind, " ".join(event.words)) for event in events])
    print(f"Docstrings: {sum(map(bool, found.values()))} of {len(found)} sentences count")


def _sources(folder: Path) -> Iterator[Path]:
    yield from (folder if folder.is_dir() else folder.parent).rglob("*.py")


def _sentences(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text):
        joined = " ".join(paragraph.split())
        if re.match("[A-Z][a-z]+ [a-z]", joined) and joined.endswith("."):
            for sentence in re.split(r"(?<=[.?!]) (?=[A-Z])", joined):
                if re.fullmatch(r"[A-Za-z ,.;:'?!-]+", sentence) and 6 <= len(sentence.split()) <= 40:
                    yield sentence


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
    rows = map(json.loads, (data / "speechocean762_train" / "labels.jsonl").read_text(encoding="utf-8").splitlines())
    paths = {path.stem: path for path in (data / "speechocean762_train").rglob("*.flac")}
    first: dict[str, Path] = {}
    for row in sorted(rows, key=lambda row: hashlib.sha256(row["id"].encode()).digest()):
        if row["age"] >= least_age and paths[row["id"]] not in without:
            first.setdefault(row["speaker"], paths[row["id"]])
    yield from first.values()


def spliced(data: Path) -> Iterator[tuple[str, Waveform, Spans]]:
    """Real filled pauses put between two words of readers, 0.15 s of room tone around each, levels matched."""
    source = decode(data / next(iter(MARKED))).samples
    pauses = [source[start * 16 : end * 16] for start, end in next(iter(MARKED.values()))]
    librivox = data / "2_audio" / "pocketsphinx" / "librivox"
    for line in (librivox / "test-align.matchseg").read_text(encoding="utf-8").splitlines():
        fields = line.split()
        rest = fields[fields.index("L") + 2 :]
        words = zip(rest[::4], rest[3::4], strict=False)
        times = [int(start) * 10 for start, name in words if not name.startswith("<")]
        if len(times) < 12:
            continue
        path = librivox / f"{fields[0]}.wav"
        waveform = decode(path)
        power = np.add.reduceat(waveform.samples**2, np.arange(0, len(waveform.samples), 160))
        quiet = int(np.argmin(np.convolve(power, np.ones(15), "valid"))) * 160
        tone = waveform.samples[quiet : quiet + 2400]
        parts, marks, at, length = [], [], 0, 0
        for number, pause in enumerate(pauses, 1):
            cut = times[len(times) * number // 4] * 16
            loud = np.sqrt((waveform.samples**2).mean() / (pause**2).mean())
            parts += [waveform.samples[at:cut], tone, pause * loud, tone]
            length += cut - at + 2 * len(tone) + len(pause)
            marks.append(((length - len(tone) - len(pause)) // 16, (length - len(tone)) // 16))
            at = cut
        samples = np.concatenate([*parts, waveform.samples[at:]]).astype(np.float32)
        yield f"{path.stem} with 3", replace(waveform, samples=samples), marks


def isolated(data: Path) -> Iterator[tuple[str, Waveform, Spans]]:
    """MFA's short clips: how many filled pauses each has is known, not where, so a mark is the whole clip."""
    folder = data / "2_audio" / "mfa_disfluent"
    for line in (folder / "transcripts.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        name, text = line.split("\t")
        if not (folder / name).is_file():
            # The list has a clip that was not kept.
            continue
        waveform = decode(folder / name)
        yield name, waveform, [(0, waveform.duration_ms)] * len(filled(Transcript(tuple(said(text)))))


def hear(samples: Waveform, **options: str) -> Transcript:
    """The recogniser's words with other options of faster-whisper."""
    with patch.dict(recognizer._OPTIONS, options):
        return recognizer.transcribe(samples.samples, weights=find_weights())


def filled(transcript: Transcript) -> Spans:
    """The filled pauses in a transcript."""
    events = find_disfluencies(transcript.words)
    return [(event.start_ms, event.end_ms) for event in events if event.kind == "filled_pause"]


def from_audio(data: Path, only: str | None) -> None:
    """Print what each method finds of marked and spliced filled pauses, and how often it is wrong."""
    marked = [(name, decode(data / name), spans) for name, spans in MARKED.items()]
    groups: dict[str, Callable[[], list[tuple[str, Waveform, Spans]]]] = {
        "isolated": lambda: list(isolated(data)),
        "marked": lambda: marked,
        "spliced": lambda: list(spliced(data)),
        "fluent": lambda: [(path.name, decode(path), []) for path in fluent(data)],
        "learners": lambda: [(path.name, decode(path), []) for path in learners(data, frozenset(fluent(data)))],
    }
    for group, make in groups.items():
        if only not in (None, group):
            continue
        cases = make()
        tally: dict[str, list[int]] = {}
        for name, waveform, spans in cases:
            plain, prompted, hot = (
                hear(waveform),
                hear(waveform, initial_prompt=PROMPT),
                hear(waveform, hotwords=HOT_WORDS),
            )
            methods: dict[str, Callable[[], Spans]] = {
                "plain": lambda plain=plain: filled(plain),
                "prompt": lambda prompted=prompted: filled(prompted),
                "hot words": lambda hot=hot: filled(hot),
                "prompt, merged": lambda a=plain, b=prompted: filled(with_filled_pauses(a, b)),
                "hot words, merged": lambda a=plain, b=hot: filled(with_filled_pauses(a, b)),
                "steady 200 ms": lambda w=waveform, a=plain: _steady(w, a, 200),
                "steady 250 ms": lambda w=waveform, a=plain: _steady(w, a, 250),
            }
            for method, find in methods.items():
                found = find()
                hits, wrong = score(spans, found)
                counts = tally.setdefault(method, [0, 0, 0])
                counts[0], counts[1], counts[2] = counts[0] + hits, counts[1] + len(spans), counts[2] + wrong
                if wrong:
                    print(f"    {name}, {method}: {wrong} wrong of {found}")
        seconds = sum(waveform.duration_ms for _, waveform, _ in cases) / 1000
        for method, (hits, spans_count, wrong) in tally.items():
            print(
                f"{group} ({len(cases)} clips, {seconds:.0f} s), {method}: {hits} of {spans_count} found, {wrong} wrong"
            )


def _steady(waveform: Waveform, transcript: Transcript, least_ms: int) -> Spans:
    stretches = steady_filled_pauses(waveform, transcript.words, least_ms)
    return [(stretch.start_ms, stretch.end_ms) for stretch in stretches]


def score(marked: Spans, found: Spans) -> tuple[int, int]:
    """Hits and false alarms; each mark is hit once, by what lies within 0.7 s of it (recognisers' times are loose)."""
    left = list(found)
    hits = 0
    for start, end in marked:
        near = next((span for span in left if span[0] <= end + NEAR_MS and start - NEAR_MS <= span[1]), None)
        if near is not None:
            left.remove(near)
            hits += 1
    return hits, len(left)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("shared", type=Path)
    parser.add_argument("--recognizer", action="store_true")
    parser.add_argument("--docstrings", action="store_true", help="also count in the docstrings of the packages here")
    parser.add_argument("--group", help="only isolated, marked, spliced, fluent or learners")
    arguments = parser.parse_args()
    transcripts(arguments.shared / "data")
    if arguments.docstrings:
        docstrings()
    if arguments.recognizer:
        from_audio(arguments.shared / "data", arguments.group)
