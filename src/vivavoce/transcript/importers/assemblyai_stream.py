"""AssemblyAI's live messages: turns (version 3) or final transcripts (version 2), words in milliseconds.

A turn is sent again until it has ended, and once more when it is formatted: the last one of each turn is taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.prose import dress
from vivavoce.transcript.importers.shape import MAX_PROSE, each, objects, text, word
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.importers.stream import only_interim, without
from vivavoce.transcript.times import Heard

NAME = "AssemblyAI streaming"
_OLD = ("FinalTranscript", "PartialTranscript")


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    return without(source, _has_words, 'it has no message of a "Turn" or "FinalTranscript" with words')


def _has_words(data: Mapping[str, Any]) -> bool:
    return _is_result(data) and isinstance(data.get("words"), list)


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name, the line and the JSON pointer."""
    results = [(where, data) for where, data in objects(source) if _is_result(data)]
    told: list[tuple[bool, str]] = []
    last: dict[str, list[Heard]] = {}
    language = None
    for number, (where, data) in enumerate(results):
        words = _words(source, where, data)
        final = data.get("message_type") == "FinalTranscript" or data.get("end_of_turn") is True
        told.append((final, " ".join(word.text for word in words)))
        if final:
            last[str(data.get("turn_order", f"message {number}"))] = words
            language = language or language_code(data.get("language_code"))
    notices = only_interim(source, told)
    heard = [word for words in last.values() for word in words]
    return assemble(source, heard, NAME, language=language, notices=notices)


def _is_result(data: Mapping[str, Any]) -> bool:
    return data.get("message_type") in _OLD or (data.get("type") == "Turn" and "turn_order" in data)


def _words(source: Source, where: str, data: Mapping[str, Any]) -> list[Heard]:
    words = [
        word(source, pointer, item, ("text", "start", "end"), unit="ms", speaker=data.get("speaker_label"))
        for pointer, item in each(source, f"{where}/words", data.get("words"))
    ]
    key = "transcript" if "transcript" in data else "text"
    return dress(words, text(source, f"{where}/{key}", data.get(key) or "", longest=MAX_PROSE))
