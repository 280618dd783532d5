"""OpenAI verbose_json with word times, and the services that answer in its shape: `words` of word, start and end.

The timed words are bare; punctuation and case come from `text`. Whisper drops most filled pauses.
"""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.prose import dress
from vivavoce.transcript.importers.shape import MAX_PROSE, all_have, each, milliseconds, name, root, text, word
from vivavoce.transcript.importers.source import Source

NAME = "OpenAI verbose_json"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    if all_have(data.get("words"), "word") and isinstance(data.get("text"), str):
        return None
    return 'it has no "text" beside a list "words" of word, start and end'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    data = source.json
    words = each(source, "/words", data["words"])
    heard = [word(source, pointer, item, ("word", "start", "end")) for pointer, item in words]
    prose = text(source, "/text", data["text"], longest=MAX_PROSE)
    return assemble(
        source,
        dress(heard, prose),
        name(data.get("model")) or "OpenAI",
        verbatim=False,
        language=language_code(data.get("language")),
        duration_ms=milliseconds(source, "/duration", data.get("duration")),
    )
