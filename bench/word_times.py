"""How far word times are off, by who gives them: a recogniser, voice activity, forced alignment, both.

    python bench/word_times.py SHARED

SHARED holds `data`. Truth: word times that a Sphinx aligner published for five librivox sentences (so no independent
judge of an aligner with a Sphinx model), a person's TextGrid of free speech, TextGrid and CHAT file of one monologue
(made by machines; the last row says how far they are from each other), and the line times of a sonnet. Words: those
that tiny.en hears, and the text itself; compared are those that both sides have. For the free speech also: gaps of
0.25 s or more, how many are found, how many too many, and how far their length is off.
"""

from __future__ import annotations

import argparse
import csv
import re
import time
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path

import numpy as np

from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import Waveform, decode
from vivavoce.measures.edges import correct_edges
from vivavoce.measures.word_times import timed, word_times
from vivavoce.timeline import Word
from vivavoce.transcript.forced import align_words
from vivavoce.transcript.recognizer import transcribe
from vivavoce.transcript.weights import find_weights

Words = list[Word]


def sphinx(folder: Path) -> dict[Path, Words]:
    """The published alignment of the librivox sentences."""
    found = {}
    for line in (folder / "test-align.matchseg").read_text(encoding="utf-8").splitlines():
        fields = line.split()
        rest = fields[fields.index("L") + 2 :]
        spans = pairwise(int(start) * 10 for start in rest[::4])
        named = zip(spans, rest[3::4], strict=True)
        found[folder / f"{fields[0]}.wav"] = [
            Word(re.sub(r"\(\d+\)", "", name), *span) for span, name in named if not name.startswith("<")
        ]
    return found


def short_grid(path: Path) -> Words:
    """The words tier of a TextGrid in its short form."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    first = lines.index('"words"') + 4
    rows = [lines[place : place + 3] for place in range(first, first + 3 * int(lines[first - 1]), 3)]
    return [_word(text.strip('"'), start, end) for start, end, text in rows if text != '""']


def long_grid(path: Path) -> Words:
    """All intervals with text of a TextGrid in its long form, its tiers joined in the order of time."""
    pattern = r'xmin = ([\d.]+)\s+xmax = ([\d.]+)\s+text = "([^"]+)"'
    rows = re.findall(pattern, path.read_text(encoding="utf-8"))
    return sorted((_word(text, start, end) for start, end, text in rows), key=lambda word: word.start_ms)


def _word(text: str, start: str, end: str) -> Word:
    return Word(text, round(float(start) * 1000), round(float(end) * 1000))


def chat(path: Path) -> Words:
    """The words of the %wor tiers of a CHAT file."""
    tiers = re.findall(r"^%wor:\t(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    found = [match for tier in tiers for match in re.findall(r"(\S+) \x15?(\d+)_(\d+)", tier)]
    return [Word(text, int(start), int(end)) for text, start, end in found]


def matches(truth: Sequence[Word], words: Sequence[Word]) -> list[tuple[Word, Word]]:
    """The words that both have, in order."""
    keys = [[re.sub(r"\W", "", word.text.lower()) for word in side] for side in (truth, words)]
    blocks = SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks()
    return [(truth[a + k], words[b + k]) for a, b, size in blocks for k in range(size)]


def given(waveform: Waveform, words: Words, hinted: bool) -> dict[str, Words]:
    """The words with the times of each giver."""
    speech = detect(waveform).segments()
    forced = align_words(waveform.samples, [word.text for word in words], hints=words if hinted else None)
    alone = timed(words, forced) if hinted else [w for w in timed(words, forced) if w.end_ms > 0]
    both = word_times(words, forced, speech, waveform.duration_ms).words
    if not hinted:
        return {"forced": alone, "forced, activity": list(both)}
    then = correct_edges(alone, speech, waveform.duration_ms).words
    edges = correct_edges(words, speech, waveform.duration_ms).words
    return {
        "as heard": words,
        "activity": list(edges),
        "forced": alone,
        "forced, edges": list(then),
        "forced, activity": list(both),
    }


def show(name: str, pairs: Sequence[tuple[Word, Word]]) -> None:
    """One row: words compared, and how far starts and ends are off."""
    starts = np.abs([word.start_ms - true.start_ms for true, word in pairs])
    ends = np.abs([word.end_ms - true.end_ms for true, word in pairs])
    numbers = [f"{np.median(side):5.0f} {np.percentile(side, 90):5.0f}" for side in (starts, ends)]
    print(f"{name:44} {len(pairs):4}   start {numbers[0]}   end {numbers[1]}")


def gaps(words: Sequence[Word]) -> list[tuple[int, int]]:
    """The gaps of 250 ms or more."""
    return [(a.end_ms, b.start_ms) for a, b in pairwise(words) if b.start_ms - a.end_ms >= 250]


def show_gaps(name: str, truth: Sequence[Word], words: Sequence[Word]) -> None:
    """One row: pauses of the truth that overlap a pause that was found, those found for nothing, length errors."""
    there, found = gaps(truth), gaps(words)
    pairs = [
        (true, max(found, key=lambda gap: min(gap[1], true[1]) - max(gap[0], true[0])))
        for true in there
        if any(min(gap[1], true[1]) > max(gap[0], true[0]) for gap in found)
    ]
    extra = sum(not any(min(gap[1], true[1]) > max(gap[0], true[0]) for true in there) for gap in found)
    errors = np.abs([(gap[1] - gap[0]) - (true[1] - true[0]) for true, gap in pairs])
    median = f"{np.median(errors):.0f}" if pairs else "-"
    print(f"{name:44} {len(pairs)} of {len(there)} pauses, {extra} too many, length off by {median} ms (median)")


def sonnet(folder: Path) -> None:
    """The starts of the lines of a sonnet."""
    with (folder / "syncmaps" / "sonnet001.csv").open(encoding="utf-8") as file:
        rows = [(round(float(row[1]) * 1000), row[3]) for row in csv.reader(file)]
    texts = [text for _, text in rows]
    words = [word for text in texts for word in text.split()]
    firsts = np.cumsum([0, *(len(text.split()) for text in texts[:-1])])
    waveform = decode(folder / "sonnet_p001.mp3")
    began = time.process_time()
    forced = align_words(waveform.samples, words)
    spent = time.process_time() - began
    starts = [forced.words[first].start_ms or 0 for first in firsts]
    off = [abs(start - true) for start, (true, _) in list(zip(starts, rows, strict=True))[1:]]
    print(
        f"sonnet, {waveform.duration_ms / 1000:.0f} s in {spent:.2f} s CPU: line starts off by {np.median(off):.0f} ms "
        f"(median), {max(off)} at most (their truth puts them into the pauses between lines)"
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    data = parser.parse_args().shared / "data"
    audio = data / "2_audio"
    monologue = data / "3_disfluency" / "batchalign2"
    truths = {
        "librivox, Sphinx": sphinx(audio / "pocketsphinx" / "librivox"),
        "free speech, TextGrid": {
            audio / "mfa_corpus" / "acoustic_corpus.wav": short_grid(audio / "mfa_corpus" / "acoustic_corpus.TextGrid")
        },
        "monologue, TextGrid": {
            monologue / "support_test.mp3": long_grid(monologue / "formats_textgrid_support_word.TextGrid")
        },
        "monologue, CHAT": {monologue / "support_test.mp3": chat(monologue / "formats_chat_support_test.cha")},
    }
    pooled: dict[str, list[tuple[Word, Word]]] = {}
    for name, recordings in truths.items():
        rows: dict[str, list[tuple[Word, Word]]] = {}
        for path, truth in recordings.items():
            waveform = decode(path)
            heard = list(transcribe(waveform.samples, weights=find_weights()).words)
            for who, words, hinted in (("tiny.en", heard, True), ("text", truth, False)):
                plain = words if hinted else [Word(word.text, 0, 0) for word in words]
                for how, made in given(waveform, plain, hinted).items():
                    rows.setdefault(f"{who}, {how}", []).extend(matches(truth, made))
                    if name.startswith("free"):
                        show_gaps(f"  {who}, {how}", truth, made)
        for how, pairs in rows.items():
            show(f"{name}: {how}", pairs)
            if "monologue" not in name:
                pooled.setdefault(how, []).extend(pairs)
    for how, pairs in pooled.items():
        show(f"librivox and free speech: {how}", pairs)
    both = [next(iter(truths[f"monologue, {kind}"].values())) for kind in ("TextGrid", "CHAT")]
    show("monologue: CHAT against TextGrid", matches(*both))
    sonnet(audio / "librivox_sonnets")


if __name__ == "__main__":
    main()
