"""Pace, its variation and its rise (M4-M6) on real readings; the numbers of docs/evidence/pace.md.

    python bench/pace.py SHARED [readings] [stretched] [rise] [fluent] [--recognizer]

SHARED holds `data`. Words: the text that was read, its times by forced alignment with the untouched clip, so that the
times in a copy are known; where said, jittered as recognisers are off, or what tiny.en hears in the copy.

readings    the native readers, one a row: words a minute, variation, choppy breaks and hesitations a minute.
stretched   words' times scaled, and the audio itself stretched (FFmpeg's atempo), 0.8 and 1.25 times as fast.
rise        a sentence said three times, built of one clip: the last as fast, or 10 % faster; 0 to 0.6 s between.
fluent      readers whom experts call fluent: the share in full credit for paragraph reading.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import Waveform, decode
from vivavoce.measures.pauses import pauses
from vivavoce.measures.rate import pace
from vivavoce.measures.reading import pace_rises, repetitions_from
from vivavoce.measures.recording import Measured, Reading, measure
from vivavoce.measures.word_times import trusted, word_times
from vivavoce.timeline import Transcript, Word
from vivavoce.transcript.forced import align_words
from vivavoce.transcript.recognizer import transcribe
from vivavoce.transcript.weights import find_weights

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "pace"))
from pace_audio import moved as scaled
from pace_audio import stretched
from pace_audio import waveform_of as written

Samples = NDArray[np.float32]
PER_MS = 16
TABLES = ["readings", "stretched", "rise", "fluent"]
GAPS_MS = (0, 150, 300, 600)
FLUENT = 8


@dataclass(frozen=True)
class Clip:
    """A reading: who, the text, its sound, and when each word was said."""

    name: str
    group: str
    text: str
    samples: Samples
    words: tuple[Word, ...]
    age: int = 30
    fluency: float = 10.0


def natives(folder: Path) -> Iterator[Clip]:
    """The fluent native readers of `2_audio`; what the three of LibriSpeech read is what tiny.en hears."""
    audio = folder / "2_audio"
    for line in (audio / "TRUTH.tsv").read_text(encoding="utf-8").splitlines():
        name, text = line.split("\t")[:2]
        if name.endswith(("jfk.flac", "ruby.wav", "sonnet_p001.mp3", "61-70968-0000.flac")) or "librivox/" in name:
            yield from clip(audio / name, "native adults", text.lower())
    for path in sorted((audio / "librosa_libri").glob("*.hq.ogg")):
        heard = transcribe(decode(path).samples, weights=find_weights()).words
        yield from clip(path, "native adults", " ".join(word.text for word in heard))


def learners(folder: Path) -> list[dict[str, Any]]:
    """The labels of speechocean's clips, with the mean of the experts' scores of fluency."""
    lines = (folder / "speechocean762_train" / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows:
        row["fluency"] = statistics.mean(row["fluency"])
        row["group"] = "children to 12" if row["age"] <= 12 else "adult learners" if row["age"] >= 18 else "teenagers"
    return rows


def learner(folder: Path, row: dict[str, Any]) -> Iterator[Clip]:
    """A learner's clip, where its text was said so that it can be aligned."""
    path = folder / "speechocean762_train" / "audio" / f"{row['id']}.flac"
    for made in clip(path, row["group"], row["text"].lower()):
        yield replace(made, age=row["age"], fluency=row["fluency"])


def clip(path: Path, group: str, text: str) -> Iterator[Clip]:
    """The clip with its words' times, unless the alignment is not to be trusted."""
    waveform, texts = decode(path), text.split()
    forced = align_words(waveform.samples, texts)
    if not trusted(forced) or any(word.start_ms is None for word in forced.words):
        return
    words = [Word(word.text, word.start_ms or 0, word.end_ms or 0) for word in forced.words]
    placed = word_times(words, forced, detect(waveform).segments(), waveform.duration_ms).words
    yield Clip(path.name, group, text, waveform.samples, placed)


def jittered(words: Sequence[Word], chance: random.Random) -> list[Word]:
    """The words with their edges off as tiny.en's: 140 ms in the median, 510 at p90 (a log-normal size), in order.

    Sizes of neighbours are independent, which is worse than a recogniser: it is off for whole stretches.
    """
    spread = np.log(510 / 140) / 1.2816
    edges = [edge for word in words for edge in (word.start_ms, word.end_ms)]
    moved = sorted(
        max(0, round(edge + chance.choice((-1, 1)) * 140 * chance.lognormvariate(0, spread))) for edge in edges
    )
    return [replace(word, start_ms=moved[2 * index], end_ms=moved[2 * index + 1]) for index, word in enumerate(words)]


def waveform_of(samples: Samples) -> Waveform:
    """The samples as a decoded recording."""
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        return written(samples, Path(file.name))


def room_tone(samples: Samples, length_ms: int) -> Samples:
    """The clip's own quietest 0.1 s, forwards and backwards in turn."""
    power = np.convolve(samples.astype(np.float64) ** 2, np.ones(1600), "valid")[::160]
    place = int(np.argmin(power)) * 160
    quiet = samples[place : place + 1600]
    return np.resize(np.concatenate([quiet, quiet[::-1]]), length_ms * PER_MS)


def measured(waveform: Waveform, words: Sequence[Word], reading: Reading, *, forced: bool = True) -> Measured:
    """All measures of words with such times, by forced alignment (as scored) or voice activity alone."""
    found = align_words(waveform.samples, [word.text for word in words], hints=words) if forced and words else None
    return measure(waveform, Transcript(tuple(words)), reading, forced=found)


def said(clip: Clip, tempi: Sequence[float], gap_ms: int) -> tuple[Waveform, list[Word]]:
    """The clip's sentence said once a tempo, `gap_ms` of its room's tone between; and its words."""
    start, end = clip.words[0].start_ms, clip.words[-1].end_ms
    sentence = clip.samples[start * PER_MS : end * PER_MS]
    around = room_tone(clip.samples, 500)
    parts, words, at = [around], [], float(around.size / PER_MS)
    for tempo in tempi:
        copy = stretched(sentence, tempo)
        words += scaled(scaled(clip.words, 1, -start), copy.size / sentence.size, at)
        parts += [copy, room_tone(clip.samples, gap_ms)]
        at += (copy.size / PER_MS) + gap_ms
    return waveform_of(np.concatenate([*parts, around])), words


def joined(clips: Sequence[Clip], gap_ms: int = 400) -> Clip:
    """A reader's sentences as one paragraph."""
    parts, words, at = [room_tone(clips[0].samples, 500)], [], 500
    for clip in clips:
        start, end = clip.words[0].start_ms, clip.words[-1].end_ms
        parts += [clip.samples[start * PER_MS : end * PER_MS], room_tone(clip.samples, gap_ms)]
        words += scaled(clip.words, 1, at - start)
        at += end - start + gap_ms
    text = "\n".join(clip.text for clip in clips)
    return replace(clips[0], text=text, samples=np.concatenate(parts), words=tuple(words))


def paragraphs(folder: Path, speakers: int, sentences: int = 7) -> Iterator[Clip]:
    """A paragraph a speaker, adults and children, of sentences whose fluency experts put at 8 or more of 10."""
    by_speaker: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in learners(folder):
        if row["fluency"] >= FLUENT and row["group"] != "teenagers":
            by_speaker[row["group"], row["speaker"]].append(row)
    left = Counter({group: speakers for group, _ in by_speaker})
    for (group, _), rows in sorted(by_speaker.items()):
        if len(rows) > sentences and left[group]:
            left[group] -= 1
            yield joined([made for row in rows[:sentences] for made in learner(folder, row)])


def value(measured: Measured, name: str) -> float | None:
    """The number measured."""
    return measured.measurements[name].number


def of_words(words: Sequence[Word]) -> tuple[float | None, float | None, int]:
    """Words a minute, variation and number of pauses by words' times alone."""
    found = pauses(words, [False] * len(words))
    values = pace(words, found, [True] * len(words))
    return values.words_per_minute.number, values.pace_variation.number, len(found)


def of_sound(clip: Clip, samples: Samples, ears: str) -> tuple[float | None, float | None, int]:
    """The same of a copy: transcript with its times, or what tiny.en hears, through the whole path."""
    waveform = waveform_of(samples)
    words = scaled(clip.words, samples.size / clip.samples.size)
    if ears == "tiny.en":
        words = list(transcribe(waveform.samples, weights=find_weights()).words)
    made = measured(waveform, words, Reading(clip.text))
    return value(made, "words_per_minute"), value(made, "pace_variation"), len(made.pauses)


def show_readings(folder: Path) -> None:
    """Print pace, variation and rates of breaks of each native reading, through the whole path."""
    names = ("words_per_minute", "pace_variation", "choppy_breaks_per_minute", "hesitations_per_minute")
    print("recording                                          s", *names)
    for clip in natives(folder):
        waveform = waveform_of(clip.samples)
        made = measured(waveform, clip.words, Reading(clip.text))
        print(f"{clip.name:45}{waveform.duration_ms / 1000:7.1f}", *(value(made, name) for name in names))


def show_stretched(folder: Path, recognizer: bool) -> None:
    """Print how far a copy's words a minute are from tempo times the clip's, and its variation from the clip's."""
    long = [clip for clip in natives(folder) if len(clip.words) >= 9 and clip.words[-1].end_ms >= 3000]
    every = [*long, *paragraphs(folder, 10)]
    ways = [("times scaled", every), ("audio, transcript", every), *([("audio, tiny.en", long)] if recognizer else [])]
    print(
        "way                 tempo clips  words/min off: p50   p90   max   variation off: p50   p90   max  within .02"
    )
    for way, clips in ways:
        ears = way.split(", ")[-1]
        scale = way == "times scaled"
        originals = [of_words(clip.words) if scale else of_sound(clip, clip.samples, ears) for clip in clips]
        for tempo in (0.8, 1.25):
            rows = []
            for clip, (wpm, variation, count) in zip(clips, originals, strict=True):
                words, samples = scaled(clip.words, 1 / tempo), stretched(clip.samples, tempo)
                other = of_words(words) if scale else of_sound(clip, samples, ears)
                if variation is not None and other[1] is not None and wpm and other[0]:
                    rows.append((abs(other[0] / wpm / tempo - 1), abs(other[1] - variation), count == other[2]))
            speeds, offs = (sorted(row[column] for row in rows) for column in (0, 1))
            same = [row[1] <= 0.02 for row in rows if row[2]]
            print(
                f"{way:20}{tempo:5}{len(rows):6}{quantiles(speeds, '9.2%'):>38}{quantiles(offs, '8.3f'):>36}"
                f"{sum(off <= 0.02 for off in offs):6} (as many pauses: {sum(same)} of {len(same)})"
            )


def quantiles(values: Sequence[float], form: str) -> str:
    """Median, 90th percentile, maximum of sorted values."""
    return "".join(format(values[min(len(values) - 1, len(values) * part // 10)], form) for part in (5, 9, 10))


def sentences(folder: Path, each: int) -> list[Clip]:
    """Sentences for a twister: short ones of natives, and one of 5 to 10 words a fluent learner, `each` of a group."""
    chosen = [clip for clip in natives(folder) if len(clip.words) < 20]
    rows = [row for row in learners(folder) if row["fluency"] >= FLUENT and 5 <= len(row["text"].split()) <= 10]
    random.Random(6).shuffle(rows)
    seen: Counter[str] = Counter()
    for row in rows:
        if row["group"] != "teenagers" and seen[row["group"]] < each and not seen[row["speaker"]]:
            for made in learner(folder, row):
                seen[row["group"]] += 1
                seen[row["speaker"]] += 1
                chosen.append(made)
    return chosen


def show_rise(folder: Path, recognizer: bool) -> None:
    """Print how many steady and how many 10 % faster twisters rise, by the median of words and by the stopwatch."""
    counts: Counter[tuple[str, str, str]] = Counter()
    chance = random.Random(1)
    clips = sentences(folder, 25)
    for index, clip in enumerate(clips):
        base, reading = chance.uniform(0.95, 1.05), Reading(clip.text, 3)
        for kind, tempi in (("steady", (1.0, 1.0, 1.0)), ("faster", (1.0, 1.03, 1.1))):
            waveform, words = said(clip, [base * tempo for tempo in tempi], GAPS_MS[index % 4])
            sources = {"exact": words, "jittered": jittered(words, chance)}
            if recognizer:
                sources["tiny.en"] = list(transcribe(waveform.samples, weights=find_weights()).words)
            for source, times in sources.items():
                for ground in ("voice activity", "forced alignment"):
                    made = measured(waveform, times, reading, forced=ground == "forced alignment")
                    if made.alignment is None:
                        continue
                    repetitions = repetitions_from(made.alignment.labels, made.words)
                    way = f"{source:10}{ground}"
                    counts[way, kind, "median"] += int(pace_rises(repetitions).value or 0)
                    counts[way, kind, "stopwatch"] += int(pace_rises([one.words for one in repetitions]).value or 0)
    print(f"{len(clips)} sentences: {dict(Counter(clip.group for clip in clips))}")
    print("words     times by                 rise by median: steady, 10 % faster    by stopwatch: steady, 10 % faster")
    for way in dict.fromkeys(key[0] for key in counts):
        numbers = [counts[way, kind, method] for method in ("median", "stopwatch") for kind in ("steady", "faster")]
        print(f"{way:30}{numbers[0]:27}{numbers[1]:13}{numbers[2]:27}{numbers[3]:13}")


IDEAL = {"elementary": (100, 180), "middle": (110, 190), "high": (110, 190)}


def show_fluent(folder: Path) -> None:
    """Print the share of fluent readers in full credit for paragraph reading: pace, steadiness, both."""
    groups: dict[str, list[tuple[bool, bool, float, float, int, float]]] = defaultdict(list)
    rows = [row for row in learners(folder) if row["fluency"] >= FLUENT and len(row["text"].split()) >= 9]
    single = [made for row in rows if row["group"] != "teenagers" for made in learner(folder, row)]
    for kind, clips in (("paragraph", paragraphs(folder, 20)), ("sentence", single), ("recording", natives(folder))):
        for clip in clips:
            made = measured(waveform_of(clip.samples), clip.words, Reading(clip.text))
            wpm, variation = value(made, "words_per_minute"), value(made, "pace_variation")
            if variation is None or wpm is None:
                continue
            grade_band = "elementary" if clip.age <= 11 else "middle" if clip.age <= 14 else "high"
            low, high = IDEAL[grade_band]
            numbers = (wpm, variation, len(clip.words), value(made, "speech_s") or 0)
            groups[f"{clip.group}, {kind}"].append((low <= wpm <= high, variation <= 0.18, *numbers))
    print(
        "readers                         n  in range  steady  both  words/min p10 p50 p90  variation p50 p90  words   s"
    )
    for group, found in groups.items():
        wpms, variations, words, seconds = (sorted(row[column] for row in found) for column in (2, 3, 4, 5))
        last, middle, count = len(found) * 9 // 10, len(found) // 2, len(found)
        print(
            f"{group:30}{count:4}{sum(row[0] for row in found):10}{sum(row[1] for row in found):8}"
            f"{sum(row[0] and row[1] for row in found):6}{wpms[count // 10]:16.0f}{wpms[middle]:4.0f}{wpms[last]:4.0f}"
            f"{variations[middle]:16.3f}{variations[last]:6.3f}{words[middle]:6}{seconds[middle]:6.1f}"
        )


def main() -> None:
    """Print the tables asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("tables", nargs="*", choices=TABLES, default=TABLES)
    parser.add_argument("--recognizer", action="store_true")
    arguments = parser.parse_args()
    folder = arguments.shared / "data"
    if "readings" in arguments.tables:
        show_readings(folder)
    if "stretched" in arguments.tables:
        show_stretched(folder, arguments.recognizer)
    if "rise" in arguments.tables:
        show_rise(folder, arguments.recognizer)
    if "fluent" in arguments.tables:
        show_fluent(folder)


if __name__ == "__main__":
    main()
