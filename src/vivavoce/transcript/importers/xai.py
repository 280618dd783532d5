"""xAI: `text` beside `words` of text, start and end in seconds."""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import at, each, fits, milliseconds, root, word
from vivavoce.transcript.importers.source import Source

NAME = "xAI"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    words = data.get("words")
    if not isinstance(data.get("text"), str):
        return 'it has no "text"'
    if (
        not fits(words, "text", "start", "end")
        or not {"type", "confidence"}.isdisjoint(at(words, 0))
        or "status" in data
        or "audio_duration" in data
    ):
        return 'it has no list "words" of only text, start and end'
    return None


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    data = source.json
    words = each(source, "/words", data["words"])
    heard = [word(source, pointer, item, ("text", "start", "end")) for pointer, item in words]
    return assemble(
        source,
        heard,
        NAME,
        language=language_code(data.get("language")),
        duration_ms=milliseconds(source, "/duration", data.get("duration")),
    )
