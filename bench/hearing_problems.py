"""What is refused, and what must not be: counts by kind, for docs/evidence/not-scored.md.

    python bench/hearing_problems.py DATA [--learners 60] [--other FOLDER] [--music FOLDER] [--english FOLDER] [--gate]

DATA is the folder of shared recordings. Each learner's clip is heard once and asked twice: as an open task, and as a
reading of its text. `--other`, `--english`, `--music` are folders of more recordings: other languages, English, music
(searched downwards). `--gate` asks of every learner's clip only what needs no recogniser: the voice gate, and whether
it sounds played backwards, as it is and turned round.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "problems"))

from problem_clips import AGES, learners  # noqa: E402
from problem_sounds import RATE, made_sounds, silences_of, write_wave  # noqa: E402

from vivavoce.audio.waveform import decode  # noqa: E402
from vivavoce.measures.recording import Reading, measure  # noqa: E402
from vivavoce.pipeline import Heard, hear, why_not_scored  # noqa: E402
from vivavoce.transcript.voice import BACKWARDS as BACKWARDS_FROM  # noqa: E402
from vivavoce.transcript.voice import has_voice, rise_skewness, voice_probabilities  # noqa: E402

ROOMS = (
    "faster_whisper/jfk.flac",
    "librivox_sonnets/sonnet_p001.mp3",
    "mfa_corpus/acoustic_corpus.wav",
    "mfa_disfluent/mfa_breaths.flac",
)
BACKWARDS = (
    "faster_whisper/jfk.flac",
    "mfa_corpus/61-70968-0000.flac",
    "pocketsphinx/librivox/sense_and_sensibility_01_austen_64kb-0870.wav",
    "pocketsphinx/librivox/sense_and_sensibility_01_austen_64kb-0920.wav",
)
SPANISH = "mfa_corpus/13697_11991_000000.opus"
# Of the truth file's transcripts these are no words of the recording.
NO_TEXT = "(opening lines"


def outcome(heard: Heard, text: str | None) -> str:
    """Return the code of what keeps a recording from being scored, or "scored"."""
    reading = None if text is None else Reading(text)
    measured = measure(heard.waveform, heard.transcript, reading, "phrase", heard.forced)
    reason = why_not_scored(heard, measured, reading)
    return "scored" if reason is None else reason.code


def say(kind: str, name: str, found: str, heard: Heard) -> None:
    """Print one recording's line."""
    score = "" if heard.forced is None or heard.forced.score is None else f"{heard.forced.score:.2f}"
    words = " ".join(word.text for word in heard.transcript.words)
    print(f"{kind}\t{name}\t{found}\t{score}\t{len(heard.transcript.words)}\t{words[:60]}", flush=True)


def nothing(data: Path, folder: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield recordings without speech: kind, name, file."""
    for name, samples in made_sounds().items():
        yield name.split(":")[0], name, write_wave(folder / f"{name.replace(':', '').replace(' ', '_')}.wav", samples)
    for room in ROOMS:
        path = folder / f"room_{Path(room).stem}.wav"
        yield "room", room, write_wave(path, silences_of(decode(data / "2_audio" / room), 6))
    yield "music", "piano", data / "6_levels" / "pyloudnorm" / "piano.wav"
    for file, start, end in (("mfa_breaths", 0, 4), ("mfa_laughter", 9, 11.5)):
        samples = decode(data / "2_audio" / "mfa_disfluent" / f"{file}.flac").samples
        yield "breath, laughter", file, write_wave(folder / f"{file}.wav", samples[int(start * RATE) : int(end * RATE)])


def english(data: Path) -> Iterator[tuple[str, str, Path, str | None]]:
    """Yield the English recordings of `2_audio`: kind, name, file, text."""
    for line in (data / "2_audio" / "TRUTH.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        name, text = line.split("\t")[:2]
        if "13697" not in name and not name.endswith(".empty"):
            yield "2_audio", name, data / "2_audio" / name, None if text.startswith(NO_TEXT) else text


def gate(data: Path) -> None:
    """Print, by age, how many learners' clips the gates stop that need no recogniser."""
    stopped: Counter[str] = Counter()
    rises: list[float] = []
    turned = 0
    total: Counter[str] = Counter()
    started = time.process_time()
    for clip in learners(data, 10**6):
        group = next(f"{low}-{high}" for low, high in AGES if low <= clip.age <= high)
        total[group] += 1
        samples = decode(clip.path).samples
        stopped[group] += not has_voice(voice_probabilities(samples))
        rises.append(rise_skewness(samples))
        turned += rise_skewness(samples[::-1]) < BACKWARDS_FROM
    for group, count in total.items():
        print(f"age {group}\t{stopped[group]} of {count} stopped")
    print(f"skewness of rises {min(rises):.2f} and more; backwards {turned} of {len(rises)} stopped")
    print(f"{time.process_time() - started:.0f} s of CPU")


def main() -> None:
    """Run what was asked for and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", type=Path)
    parser.add_argument("--learners", type=int, default=60)
    parser.add_argument("--gate", action="store_true")
    for name in ("other", "english", "music"):
        parser.add_argument(f"--{name}", type=Path)
    given = parser.parse_args()
    if given.gate:
        gate(given.data)
        return
    counts: Counter[tuple[str, str]] = Counter()

    def ask(kind: str, name: str, path: Path, texts: dict[str, str | None]) -> None:
        heard = hear(path)
        for task, text in texts.items():
            found = outcome(heard, text)
            counts[f"{kind}, {task}", found] += 1
            say(f"{kind}, {task}", name, found, heard)

    with tempfile.TemporaryDirectory() as made:
        for kind, name, path in nothing(given.data, Path(made)):
            ask(kind, name, path, {"open": None})
        for name in BACKWARDS:
            turned = decode(given.data / "2_audio" / name).samples[::-1]
            ask("backwards", name, write_wave(Path(made) / f"back_{Path(name).stem}.wav", turned), {"open": None})
        spanish = decode(given.data / "2_audio" / SPANISH).samples
        for part in range(3):
            piece = spanish[part * 5 * RATE : (part + 1) * 5 * RATE]
            ask("Spanish", f"part {part + 1}", write_wave(Path(made) / f"es{part}.wav", piece), {"open": None})
    jfk = "And so my fellow Americans ask not what your country can do for you ask what you can do for your country"
    ask("Spanish", "whole", given.data / "2_audio" / SPANISH, {"open": None, "closed": jfk})
    for kind, name, path, text in english(given.data):
        ask(kind, name, path, {"open": None} | ({} if text is None else {"closed": text}))
    for clip in learners(given.data, given.learners):
        group = next(f"{low}-{high}" for low, high in AGES if low <= clip.age <= high)
        ask(f"learners {group}", clip.name, clip.path, {"open": None, "closed": clip.text})
    for name, texts in (
        ("other", {"open": None, "closed": jfk}),
        ("english", {"open": None}),
        ("music", {"open": None}),
    ):
        folder: Path | None = getattr(given, name)
        for path in sorted(folder.rglob("*.wav")) if folder else ():
            ask(name, path.name, path, dict(texts))
    for (kind, found), count in sorted(counts.items()):
        print(f"{kind}: {count} {found}")


if __name__ == "__main__":
    main()
