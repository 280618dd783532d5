"""Real readings with silences of known length put between their words, for `pauses.py`.

Word times are the published ones where there are any (librivox, acoustic_corpus), else the forced alignment of the
text (of three librosa_libri clips, which have none, of what tiny.en heard in them before anything was put in).
A silence is put where the energy is least within 60 ms of an aligned word end, at the deepest such places of the
recording, at least four words apart (two in short clips), with a voice within 0.2 s on both sides. The recording's own
room noise is its quietest tenth of a second outside its words, forwards and backwards in turn. Every second recording
is for tuning, the others are held out, but for three that the tests of edges have too: these were looked at when the
soft ends of words were set, so they are "seen".
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from word_times import short_grid, sphinx

from vivavoce.audio.levels import LevelMeter
from vivavoce.audio.waveform import AudioSource, Waveform, decode
from vivavoce.timeline import Segment, Word
from vivavoce.transcript.forced import VOICE, ForcedAlignment, align_words

LENGTHS = (300, 500, 800, 1200, 1500, 3000)
KINDS = ("digital", "room")
STRETCHES = ("before", "after", "both")
NEAR_MS = 60
VOICE_DB = 15
VOICE_MS = 150
LEARNERS = (
    *("000360036", "001350002", "004820005", "008130061", "010120148", "010270131", "010330026", "013090018"),  # adults
    *("000010113", "000060015", "000540018", "000750015", "021790081", "032080038", "051950011", "054140057"),  # to 12
)
MORE, LEAST_WORDS = 60, 6
Samples = NDArray[np.float32]


@dataclass(frozen=True)
class Original:
    """A reading as it is: its samples at 16 kHz, its text, its words as aligned, its group (tuning, seen, held out).

    `voices`: what the alignment hears outside the words, a word that is not in the text or a noise of the speaker.
    """

    name: str
    samples: Samples
    text: str
    words: tuple[Word, ...]
    group: str
    voices: tuple[Segment, ...] = ()


@dataclass(frozen=True)
class Gap:
    """A true silence: between word `after` and the next; `put_in` ms of it were put in (0: it was there)."""

    start_ms: int
    end_ms: int
    after: int
    put_in: int

    @property
    def length_ms(self) -> int:
        return self.end_ms - self.start_ms


@dataclass(frozen=True)
class Case:
    """A reading with silences put in: its waveform, its words (exact times), its true gaps of 100 ms and more.

    `unclear`: gaps with a voice in them, of which nobody knows how long they are silent.
    """

    original: Original
    kind: str
    waveform: Waveform
    words: tuple[Word, ...]
    gaps: tuple[Gap, ...]
    unclear: tuple[Segment, ...] = ()

    def stretched(self, way: str) -> list[Word]:
        """The words with their edges stretched over every gap: the word before, the word after, or each by half."""
        spans = [[word.start_ms, word.end_ms] for word in self.words]
        for before, after in pairwise(spans):
            if after[0] > before[1]:
                edge = {"before": after[0], "after": before[1], "both": (before[1] + after[0]) // 2}[way]
                before[1] = after[0] = edge
        return [Word(word.text, *span) for word, span in zip(self.words, spans, strict=True)]


def originals(data: Path) -> Iterator[Original]:
    """The readings, in a fixed order: every second one for tuning."""
    sources = [*_published(data / "2_audio"), *_texts(data)]
    for number, (path, text, words) in enumerate(sources):
        group = "tuning" if number % 2 == 0 else "seen" if words else "held out"
        samples = np.asarray(decode(path).samples)
        yield Original(path.stem, samples, text, words or _aligned(samples, text), group)


def more(data: Path) -> Iterator[Original]:
    """Learners' clips that no table had before: 6 words and more, by the hash of their names; two of five tune."""
    folder = data / "speechocean762_train"
    rows = map(json.loads, (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines())
    long = [row for row in rows if len(row["text"].split()) >= LEAST_WORDS and row["id"] not in LEARNERS]
    ranked = sorted(long, key=lambda row: hashlib.sha256(row["id"].encode()).digest())
    for number, row in enumerate(ranked[:MORE]):
        samples = np.asarray(decode(folder / "audio" / f"{row['id']}.flac").samples)
        group = "tuning, more" if number % 5 < 2 else "held out, more"
        text = row["text"].lower()
        found = align_words(samples, text.split())
        voices = [
            Segment(one.start_ms, one.end_ms)
            for one in found.between
            if one.name == VOICE and one.end_ms - one.start_ms >= VOICE_MS
        ]
        yield Original(row["id"], samples, text, _words(found), group, tuple(voices))


def cases(original: Original, number: int) -> Iterator[Case]:
    """The reading with digital silence, and with its own room noise, put in."""
    places = _places(original)
    for turn, kind in enumerate(KINDS):
        lengths = {word: LENGTHS[(rank + number + 3 * turn) % 6] for rank, (word, _) in enumerate(places)}
        yield _joined(original, kind, dict(places), lengths)


def waveform_of(samples: Samples) -> Waveform:
    """A waveform of samples at 16 kHz, rounded to 16 bits, as if decoded from a file."""
    samples = (np.round(samples * 32767) / 32768).astype(np.float32)
    meter = LevelMeter(16_000)
    meter.add(samples.astype(np.float64))
    source = AudioSource("wav", "pcm_s16le", 16_000, 1, "")
    return Waveform(samples, 16_000, round(samples.size / 16), meter.finish(), source)


def _published(folder: Path) -> Iterator[tuple[Path, str, tuple[Word, ...]]]:
    grid = folder / "mfa_corpus" / "acoustic_corpus.TextGrid"
    aligned = sphinx(folder / "pocketsphinx" / "librivox") | {grid.with_suffix(".wav"): short_grid(grid)}
    for path, words in aligned.items():
        yield path, " ".join(word.text for word in words), tuple(words)


def _texts(data: Path) -> Iterator[tuple[Path, str, None]]:
    folder = data / "2_audio"
    with (folder / "TRUTH.tsv").open(encoding="utf-8", newline="") as file:
        truth = {row[0]: row[1] for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    for name in ("198-209-0000", "3436-172162-0000", "5703-47212-0000"):
        heard = data / "1_asr_json" / "faster_whisper_tiny_en" / f"librosa_libri__{name}.hq.ogg.json"
        text = json.loads(heard.read_text(encoding="utf-8"))["text"]
        yield folder / "librosa_libri" / f"{name}.hq.ogg", text, None
    for name in (
        "mfa_corpus/61-70968-0000.flac",
        "faster_whisper/jfk.flac",
        "librivox_sonnets/sonnet_p001.mp3",
        "ruby_llm/ruby.wav",
        "azure_samples/whatstheweatherlike.wav",
    ):
        yield folder / name, truth[name].replace("Sonnet 1:", "One."), None
    learners = data / "speechocean762_train"
    rows = map(json.loads, (learners / "labels.jsonl").read_text(encoding="utf-8").splitlines())
    texts = {row["id"]: row["text"].lower() for row in rows}
    for name in LEARNERS:
        yield learners / "audio" / f"{name}.flac", texts[name], None


def _aligned(samples: Samples, text: str) -> tuple[Word, ...]:
    return _words(align_words(samples, text.split()))


def _words(found: ForcedAlignment) -> tuple[Word, ...]:
    timed = [word for word in found.words if word.start_ms is not None]
    return tuple(Word(word.text, word.start_ms, word.end_ms) for word in timed)  # type: ignore[arg-type]


def _unclear(original: Original, start_ms: int, end_ms: int) -> bool:
    return any(voice.start_ms < end_ms and start_ms < voice.end_ms for voice in original.voices)


def _energy(samples: Samples) -> NDArray[np.float64]:
    """Energy of 20 ms around each 5 ms step."""
    power = np.square(samples[: samples.size // 80 * 80].astype(np.float64)).reshape(-1, 80).sum(axis=1)
    return np.convolve(power, np.ones(4), "same")


def _places(original: Original) -> list[tuple[int, int]]:
    """The word ends to cut at, each with its place in samples, deepest first, then in the order of time."""
    energy, words = _energy(original.samples), original.words
    apart, most = (4, 12) if len(words) > 14 else (2, 3)
    voice = float(np.percentile(energy, 95)) * 10 ** (-VOICE_DB / 10)
    found = []
    for index, (before, after) in enumerate(pairwise(words)):
        low, high = max(0, before.end_ms - NEAR_MS) // 5, min(energy.size, (after.start_ms + NEAR_MS) // 5)
        if low < high and before.end_ms <= after.start_ms and not _unclear(original, before.end_ms, after.start_ms):
            at = low + int(np.argmin(energy[low:high]))
            if min(energy[max(0, at - 40) : at].max(initial=0), energy[at : at + 40].max(initial=0)) < voice:
                continue  # no word on one side of it: the alignment is wrong here
            found.append((float(energy[at]), index, at * 80))
    chosen: list[tuple[int, int]] = []
    for _, index, at in sorted(found):
        if len(chosen) < most and all(abs(index - other) >= apart for other, _ in chosen):
            chosen.append((index, at))
    return sorted(chosen)


def _room(original: Original, count: int) -> Samples:
    samples = original.samples
    energy = np.convolve(_energy(samples), np.ones(20), "valid")
    outside = np.ones(samples.size // 80, bool)
    for word in original.words:
        outside[max(0, word.start_ms // 5 - 4) : word.end_ms // 5 + 4] = False
    whole = np.convolve(outside, np.ones(20), "valid") == 20
    place = int(np.argmin(np.where(whole, energy, np.inf) if whole.any() else energy)) * 80
    tone = samples[place : place + 1600]
    return np.resize(np.concatenate((tone, tone[::-1])), count)


def _joined(original: Original, kind: str, places: dict[int, int], lengths: dict[int, int]) -> Case:
    parts, words, gaps, unclear, at, shift, end_ms = [], [], [], [], 0, 0, original.samples.size // 16
    if original.words and _unclear(original, 0, original.words[0].start_ms):
        unclear.append(Segment(0, original.words[0].start_ms))
    for index, word in enumerate(original.words):
        words.append(Word(word.text, word.start_ms + shift, word.end_ms + shift))
        last = index + 1 == len(original.words)
        later = word.end_ms if last else original.words[index + 1].start_ms
        length = lengths.get(index, 0)
        if _unclear(original, word.end_ms, end_ms if last else later):
            unclear.append(Segment(word.end_ms + shift, (end_ms if last else later) + shift))
        elif later + length - word.end_ms >= 100:
            gaps.append(Gap(word.end_ms + shift, later + shift + length, index, length))
        if length:
            silence = np.zeros(16 * length, np.float32) if kind == "digital" else _room(original, 16 * length)
            parts += [original.samples[at : places[index]], silence]
            at, shift = places[index], shift + length
    parts.append(original.samples[at:])
    return Case(original, kind, waveform_of(np.concatenate(parts)), tuple(words), tuple(gaps), tuple(unclear))
