"""Four made utterances of two speakers in both layouts of speechocean762, and a listener that knows what to say."""

from __future__ import annotations

import json
import os
import wave
from pathlib import Path

from vivavoce.errors import need
from vivavoce.listening.result import SCALES, Estimate, HeardWord, Listening
from vivavoce.notice import Notice

SPEAKERS = {"0001": (8, "m"), "0300": (30, "f")}
TEXTS = {"000010001": "WE CALL", "000010002": "IT BEAR", "003000001": "MARK IS", "003000002": "GOING NOW"}
RATINGS = {
    "000010001": (4, 4, 4, 4, 4),
    "000010002": (5, 7, 6, 6, 6),
    "003000001": (8, 8, 8, 8),
    "003000002": (10, 10, 10, 10, 10),
}
WORD_RATINGS = {
    "000010001": ((10, 10, 10), (3, 2, 10)),
    "000010002": ((6, 6, 7), (10, 9, 10)),
    "003000001": ((8, 8, 9), (2, 2, 3)),
    "003000002": ((10, 10, 10), (10, 10, 10)),
}
# Value, low, high; then read_correctly of both words; then a doubt.
SAID = {
    "WE": ((5.0, 3.0, 6.0), (0.9, 0.2), "listening_noise"),
    "IT": ((5.0, 4.0, 5.5), (0.6, 0.4), "listening_open_speech"),
    "MARK": ((8.0, 7.0, 9.0), (0.8, 0.1), ""),
    "GOING": ((9.0, 8.0, 10.0), (0.95, None), ""),
}


def listener(samples, words, clock) -> Listening:
    """Say what SAID has for the first word; without a second of work."""
    with clock("listen"):
        (value, low, high), right, doubt = SAID[words[0]]
    heard = [
        HeardWord(text, 0, 10, share, None if share is None else 10 * share)
        for text, share in zip(words, right, strict=True)
    ]
    doubts = (Notice(doubt, "made up", "nothing"),) if doubt else ()
    return Listening("fake 1", "reference", dict.fromkeys(SCALES, Estimate(value, low, high)), tuple(heard), (), doubts)


def dying_listener(samples, words, clock) -> Listening:
    """Take the whole process down at one recording."""
    if words[0] == "IT":
        os._exit(3)
    return listener(samples, words, clock)


def missing_listener(samples, words, clock) -> Listening:
    """As if a package were not installed."""
    raise need("recognizer", "pocketsphinx")


def write_wave(path: Path) -> None:
    """A tenth of a second of a quiet sawtooth at 16 kHz."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        file.writeframes(b"".join((index % 100 * 50).to_bytes(2, "little", signed=True) for index in range(1600)))


def speaker_of(key: str) -> str:
    """Ids begin with a nought and the speaker, as the corpus's do."""
    return key[1:5]


def row(key: str, upper: bool = False) -> dict:
    """The labels of an utterance, ratings by expert."""
    words = [
        {"text": text if upper else text.lower(), "accuracy": list(ratings)}
        for text, ratings in zip(TEXTS[key].split(), WORD_RATINGS[key], strict=True)
    ]
    return {**{scale: list(RATINGS[key]) for scale in SCALES}, "words": words}


def write_ours(folder: Path) -> Path:
    """Our layout: labels.jsonl and audio."""
    lines = []
    for key, text in TEXTS.items():
        speaker = speaker_of(key)
        age, gender = SPEAKERS[speaker]
        lines.append(
            json.dumps({"id": key, "speaker": speaker, "age": age, "gender": gender, "text": text, **row(key)})
        )
        write_wave(folder / "audio" / f"{key}.wav")
    (folder / "labels.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def write_official(folder: Path) -> Path:
    """The corpus's own layout: the child is in train, the adult in test."""
    (folder / "resource").mkdir(parents=True)
    detail = {key: {"text": text, **row(key, upper=True)} for key, text in TEXTS.items()}
    medians = {key: {"text": text, **dict.fromkeys(SCALES, sorted(RATINGS[key])[2])} for key, text in TEXTS.items()}
    (folder / "resource" / "scores-detail.json").write_text(json.dumps(detail), encoding="utf-8")
    (folder / "resource" / "scores.json").write_text(json.dumps(medians), encoding="utf-8")
    for split, speaker in (("train", "0001"), ("test", "0300")):
        keys = [key for key in TEXTS if speaker_of(key) == speaker]
        (folder / split).mkdir()
        tables = {
            "wav.scp": [f"{key}\tWAVE/SPEAKER{speaker}/{key}.WAV" for key in keys],
            "text": [f"{key}\t{TEXTS[key]}" for key in keys],
            "utt2spk": [f"{key}\t{speaker}" for key in keys],
            "spk2age": [f"{speaker}\t{SPEAKERS[speaker][0]}"],
            "spk2gender": [f"{speaker} {SPEAKERS[speaker][1]}"],
        }
        for name, lines in tables.items():
            (folder / split / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        for key in keys:
            write_wave(folder / "WAVE" / f"SPEAKER{speaker}" / f"{key}.WAV")
    return folder
