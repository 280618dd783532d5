"""Digital Paper Edit (BBC): `words` with id, start, end and text, and `paragraphs` with their speakers."""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.shape import each, fits, root, word
from vivavoce.transcript.importers.source import Source

NAME = "Digital Paper Edit"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    if fits(data.get("words"), "id", "start", "end", "text") and isinstance(data.get("paragraphs"), list):
        return None
    return 'it has no list "words" of id, start, end and text beside "paragraphs"'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    words = each(source, "/words", source.json["words"])
    heard = [word(source, pointer, item, ("text", "start", "end")) for pointer, item in words]
    return assemble(source, heard, NAME)
