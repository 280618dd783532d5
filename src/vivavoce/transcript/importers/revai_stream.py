"""Rev AI's live messages: final hypotheses of elements, as in its transcripts; partial ones are left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, has_filled_pauses
from vivavoce.transcript.importers.revai import elements
from vivavoce.transcript.importers.shape import name, objects
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.importers.stream import only_interim, without
from vivavoce.transcript.times import Heard

NAME = "Rev AI streaming"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    return without(source, _is_result, 'it has no message of type "final" with elements')


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name, the line and the JSON pointer."""
    results = [(where, data) for where, data in objects(source) if _is_result(data)]
    heard: list[Heard] = []
    told: list[tuple[bool, str]] = []
    for where, data in results:
        words = elements(source, where, data, name(data.get("speaker_id")))
        final = data["type"] == "final"
        told.append((final, " ".join(word.text for word in words)))
        heard.extend(words if final else ())
    notices = only_interim(source, told)
    return assemble(source, heard, NAME, verbatim=has_filled_pauses(heard) or None, notices=notices)


def _is_result(data: Mapping[str, Any]) -> bool:
    return data.get("type") in ("final", "partial") and isinstance(data.get("elements"), list)
