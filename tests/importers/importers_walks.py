"""The words of real files, counted over again: plain walks through the JSON, written without the importers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# Text, start and end in seconds.
Spoken = tuple[str, float, float]


def spoken(text: str) -> bool:
    """Whether there is a letter or digit in it: lone punctuation is joined to the word before."""
    return bool(re.search(r"\w", text))


def _aws(data: Any) -> Iterator[Spoken]:
    for item in data["results"]["items"]:
        if item["type"] == "pronunciation":
            yield item["alternatives"][0]["content"], float(item["start_time"]), float(item["end_time"])


def _proto(time: dict[str, Any]) -> float:
    return int(time.get("seconds", 0)) + time.get("nanos", 0) / 1e9


def _google(data: Any) -> Iterator[Spoken]:
    for result in data["results"]:
        for word in result["alternatives"][0]["words"]:
            yield word["word"], _proto(word["startTime"]), _proto(word["endTime"])


def _google_diarised(data: Any) -> Iterator[Spoken]:
    for word in data["results"][-1]["alternatives"][0]["words"]:
        yield word["word"], _proto(word["startTime"]), _proto(word["endTime"])


def _ibm(data: Any) -> Iterator[Spoken]:
    for result in data["results"][0]["results"]:
        yield from map(tuple, result["alternatives"][0]["timestamps"])


def _speechmatics_v1(data: Any) -> Iterator[Spoken]:
    for word in data["words"]:
        if spoken(word["name"]):
            yield word["name"], float(word["time"]), float(word["time"]) + float(word["duration"])


def _speechmatics(data: Any) -> Iterator[Spoken]:
    for item in data["results"]:
        for part in item.get("spoken_form", [item]) if item["type"] != "punctuation" else []:
            yield part["alternatives"][0]["content"], part["start_time"], part["end_time"]


def _deepgram(data: Any) -> Iterator[Spoken]:
    for word in data["results"]["channels"][0]["alternatives"][0]["words"]:
        yield word["word"], word["start"], word["end"]


def _azure(data: Any) -> Iterator[Spoken]:
    for word in data["NBest"][0]["Words"]:
        yield word["Word"], word["Offset"] / 1e7, (word["Offset"] + word["Duration"]) / 1e7


def _azure_batch(data: Any) -> Iterator[Spoken]:
    for phrase in data["recognizedPhrases"]:
        for word in phrase["nBest"][0]["words"]:
            yield word["word"], word["offsetInTicks"] / 1e7, (word["offsetInTicks"] + word["durationInTicks"]) / 1e7


def _kaldi(data: Any) -> Iterator[Spoken]:
    for word in data["retval"]["words"]:
        yield word["word"], word["start"], word["end"]


def _autoedit(data: Any) -> Iterator[Spoken]:
    for word in data["text"][0]["paragraph"][0]["line"]:
        yield word["text"], word["startTime"], word["endTime"]


def _flat(data: Any) -> Iterator[Spoken]:
    for word in data["words"]:
        yield word["text"], word["start"], word["end"]


def _whisper(data: Any) -> Iterator[Spoken]:
    for segment in data["segments"]:
        for word in segment["words"]:
            yield word["word"], word["start"], word["end"]


def _pocketsphinx(data: Any) -> Iterator[Spoken]:
    for word in data["w"]:
        if word["t"][0] not in "<[":
            yield word["t"], word["b"], word["b"] + word["d"]


WALKS: dict[str, Callable[[Any], Iterator[Spoken]]] = {
    "AWS Transcribe": _aws,
    "Google Speech-to-Text": _google,
    "IBM Watson Speech to Text": _ibm,
    "Speechmatics v1": _speechmatics_v1,
    "Speechmatics": _speechmatics,
    "Deepgram": _deepgram,
    "Azure Speech": _azure,
    "Azure batch transcription": _azure_batch,
    "BBC Kaldi": _kaldi,
    "autoEdit 2": _autoedit,
    "Digital Paper Edit": _flat,
    "xAI": _flat,
    "Whisper": _whisper,
    "PocketSphinx": _pocketsphinx,
}


def walk(path: Path, kind: str) -> list[Spoken]:
    """Return the words of a file as this module finds them."""
    if "Diarization" in path.name:
        return list(_google_diarised(json.loads(path.read_text(encoding="utf-8"))))
    lines = path.read_text(encoding="utf-8").splitlines() if path.name == "test-main.json" else None
    documents = [json.loads(line) for line in lines] if lines else [json.loads(path.read_text(encoding="utf-8"))]
    return [word for document in documents for word in WALKS[kind](document)]
