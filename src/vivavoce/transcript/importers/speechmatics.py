"""Speechmatics json-v2: `results` of words, entities and punctuation; a batch job's file or real-time messages.

An entity ("$2.05") is taken as it was spoken where the file has that (`spoken_form`), since only then have its words
times. Speechmatics keeps um and uh, tagged, unless told to remove them: where there are some, the transcript is taken
as verbatim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import at, confidence, documents, each, milliseconds, name, objects, text
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "Speechmatics"
_ATTACH: dict[str, Literal["before", "after", "both"] | None] = {"next": "after", "both": "both", "none": None}


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    found = documents(source)
    if isinstance(found, str):
        return found
    if any(isinstance(data.get("results"), list) and str(data.get("format", "")).startswith("2") for _, data in found):
        return None
    return 'it has no list "results" with a "format" of 2'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    messages = objects(source)
    parts = [data for _, data in messages]
    heard: list[Heard] = []
    config: Any = None
    for where, data in messages:
        if data.get("message", "AddTranscript") == "AddTranscript":
            heard.extend(_words(source, f"{where}/results", data.get("results")))
        config = config or at(data, "metadata", "transcription_config")
    language = language_code(at(config, "language"))
    for data in parts:
        language = language or language_code(at(data, "results", 0, "alternatives", 0, "language"))
    removed = at(config, "transcript_filtering_config", "remove_disfluencies")
    point = at(config, "operating_point")
    verbatim = False if removed is True else True if any(map(_has_disfluency, parts)) else None
    recognizer = f"{NAME} {point}" if isinstance(point, str) else NAME
    return assemble(source, heard, recognizer, verbatim=verbatim, language=language)


def _has_disfluency(data: Mapping[str, Any]) -> bool:
    results = data.get("results")
    tags = [at(item, "alternatives", 0, "tags") for item in results] if isinstance(results, list) else []
    return any(isinstance(given, list) and "disfluency" in given for given in tags)


def _words(source: Source, place: str, results: Any) -> Iterator[Heard]:
    for pointer, item in each(source, place, results):
        if item.get("type") == "entity" and at(item, "spoken_form", 0) is not None:
            yield from _words(source, f"{pointer}/spoken_form", item["spoken_form"])
        else:
            yield _word(source, pointer, item)


def _word(source: Source, pointer: str, item: Mapping[str, Any]) -> Heard:
    best = at(item, "alternatives", 0)
    said = text(source, f"{pointer}/alternatives/0/content", at(best, "content"))
    who = name(at(best, "speaker"))
    channel = name(item.get("channel"))
    if item.get("type") == "punctuation":
        attach = _ATTACH.get(str(item.get("attaches_to")), "before")
        return Heard(said, speaker=who, channel=channel, attach=attach)
    start, end = (milliseconds(source, f"{pointer}/{key}", item.get(key)) for key in ("start_time", "end_time"))
    return Heard(said, start, end, confidence(at(best, "confidence")), who, channel)
