"""autoEdit 2: `text` of paragraphs of lines of words with startTime and endTime."""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import at, each, root, word
from vivavoce.transcript.importers.source import Source

NAME = "autoEdit 2"
_KEYS = ("text", "startTime", "endTime")


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    found = isinstance(at(data, "text", 0, "paragraph", 0, "line"), list)
    return None if found else 'it has no list "text" of paragraphs of lines'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    heard = [
        word(source, place, item, _KEYS, speaker=block.get("speaker"))
        for pointer, block in each(source, "/text", source.json["text"])
        for middle, paragraph in each(source, f"{pointer}/paragraph", block.get("paragraph"))
        for place, item in each(source, f"{middle}/line", paragraph.get("line"))
    ]
    return assemble(source, heard, NAME, language=language_code(source.json.get("languageModel")))
