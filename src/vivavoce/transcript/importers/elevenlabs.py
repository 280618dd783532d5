"""ElevenLabs Scribe: `words` of type word, spacing or audio_event, one list or one a channel.

It keeps um and uh unless told to remove them: where there are some, the transcript is taken as verbatim.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, has_filled_pauses
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import each, fits, root, word
from vivavoce.transcript.importers.source import Source

NAME = "ElevenLabs Scribe"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    if any(fits(part.get("words"), "text", "type") for _, part in _parts(data)):
        return None
    return 'it has no list "words" of text and type'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    heard = []
    language = None
    for place, part in _parts(source.json):
        language = language or language_code(part.get("language_code"))
        for pointer, item in each(source, f"{place}/words", part.get("words")):
            if item.get("type") != "spacing":
                channel = item.get("channel_index", part.get("channel_index"))
                found = word(
                    source, pointer, item, ("text", "start", "end"), speaker=item.get("speaker_id"), channel=channel
                )
                said = f"[{found.text}]" if item.get("type") == "audio_event" else found.text
                heard.append(replace(found, text=said, confidence=_probability(item.get("logprob"))))
    return assemble(source, heard, NAME, verbatim=has_filled_pauses(heard) or None, language=language)


def _parts(data: Mapping[str, Any]) -> list[tuple[str, Any]]:
    parts = data.get("transcripts")
    if not isinstance(parts, list):
        return [("", data)]
    return [(f"/transcripts/{index}", part) for index, part in enumerate(parts) if isinstance(part, dict)]


def _probability(logprob: Any) -> float | None:
    """Return the probability of a natural logarithm."""
    if isinstance(logprob, bool) or not isinstance(logprob, int | Decimal) or logprob > 0:
        return None
    return round(math.exp(max(logprob, -100)), 6)
