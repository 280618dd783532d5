"""How well disruptions are found in transcripts; the numbers of docs/evidence/disfluency.md.

    python bench/disfluency.py SHARED [--docstrings]

SHARED holds `data`: Disfl-QA's two halves, CHAT's retraces, sentences that learners read; the author's own are in
tests/disfluency/written. From audio: bench/filled_pauses.py.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import site
import sys
from collections.abc import Iterator
from pathlib import Path

from vivavoce.measures.disfluency.find import RESTARTS, find_disfluencies

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "disfluency"))
from disfluency_data import chat, disfl_qa, said

WRITTEN = Path(__file__).resolve().parents[1] / "tests" / "disfluency" / "written"


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


def written() -> None:
    """Print what counts in the sentences that the author of the rules wrote, with punctuation and without."""
    for path in sorted(WRITTEN.glob("*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines()
        bare = [re.sub(r"(?<!\w)'|'(?!\w)|[,.;:?!—]", " ", line).lower() for line in lines]
        counted, without = (sum(bool(find_disfluencies(said(line))) for line in texts) for texts in (lines, bare))
        print(f"Written, {path.stem}: {counted} of {len(lines)} count; {without} without punctuation")


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


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("shared", type=Path)
    parser.add_argument("--docstrings", action="store_true", help="also count in the docstrings of the packages here")
    arguments = parser.parse_args()
    transcripts(arguments.shared / "data")
    written()
    if arguments.docstrings:
        docstrings()
