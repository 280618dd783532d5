"""Gladia v2: `transcription.utterances` with words in seconds, alone, in its object or in the job's `result`."""

from __future__ import annotations

from typing import Any

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, in_segment
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import MAX_PROSE, at, each, milliseconds, name, root, text, word
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "Gladia"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    found, _ = _transcription(data)
    return None if found else 'it has no "transcription.utterances"'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    data, place = _transcription(source.json)
    heard: list[Heard] = []
    for pointer, utterance in each(source, f"{place}/utterances", at(data, "utterances")):
        who, channel = utterance.get("speaker"), utterance.get("channel")
        words = list(each(source, f"{pointer}/words", utterance.get("words")))
        heard.extend(
            word(source, where, item, ("word", "start", "end"), speaker=who, channel=channel) for where, item in words
        )
        if not words:
            start, end = (milliseconds(source, f"{pointer}/{key}", utterance.get(key)) for key in ("start", "end"))
            said = text(source, f"{pointer}/text", utterance.get("text", ""), longest=MAX_PROSE)
            heard.extend(in_segment(said, start, end, speaker=name(who), channel=name(channel)))
    return assemble(source, heard, NAME, language=language_code(at(data, "languages", 0)))


def _transcription(data: Any) -> tuple[Any, str]:
    for path in (("result", "transcription"), ("transcription",), ()):
        found = at(data, *path)
        if isinstance(at(found, "utterances"), list) and (path or "full_transcript" in found):
            return found, "".join(f"/{key}" for key in path)
    return None, ""
