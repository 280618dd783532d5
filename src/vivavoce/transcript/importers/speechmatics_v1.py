"""Speechmatics' first JSON: `words` with name, time and duration as texts; full stops are words of their own."""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import at, confidence, each, fits, root, span, text
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "Speechmatics v1"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    return None if fits(data.get("words"), "name", "time") else 'it has no list "words" of name and time'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    data = source.json
    heard = []
    for pointer, item in each(source, "/words", data["words"]):
        start, end = span(source, pointer, item, "time", "duration", "s")
        said = text(source, f"{pointer}/name", item.get("name"))
        heard.append(Heard(said, start, end, confidence(item.get("confidence"))))
    return assemble(source, heard, NAME, language=language_code(at(data, "job", "lang")))
