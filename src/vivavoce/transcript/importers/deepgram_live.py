"""Deepgram's live messages: results of one channel each; those that are not final are left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, has_filled_pauses
from vivavoce.transcript.importers.deepgram import words_of
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import at, name, objects
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.importers.stream import only_interim, without
from vivavoce.transcript.times import Heard

NAME = "Deepgram live"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    return without(source, _is_result, 'it has no message of type "Results" with "channel.alternatives"')


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name, the line and the JSON pointer."""
    heard: list[Heard] = []
    told: list[tuple[bool, str]] = []
    language = None
    for where, data in objects(source):
        if not _is_result(data):
            continue
        best = at(data, "channel", "alternatives", 0)
        final = data.get("is_final", True) is True
        told.append((final, str(at(best, "transcript") or "")))
        if final:
            language = language or language_code(at(best, "languages", 0))
            several = at(data, "channel_index", 1) not in (None, 1)
            channel = name(at(data, "channel_index", 0)) if several else None
            heard.extend(words_of(source, f"{where}/channel/alternatives/0", best, channel))
    notices = only_interim(source, told)
    return assemble(source, heard, NAME, verbatim=has_filled_pauses(heard), language=language, notices=notices)


def _is_result(data: Mapping[str, Any]) -> bool:
    return data.get("type") == "Results" and isinstance(at(data, "channel", "alternatives"), list)
