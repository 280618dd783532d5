"""aeneas synchronisation map: `fragments` with begin, end and lines; useful where each fragment is one word."""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, in_segment
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import MAX_PROSE, each, fits, milliseconds, root, text
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "aeneas"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    return (
        None
        if fits(data.get("fragments"), "begin", "end", "lines")
        else 'it has no list "fragments" of begin, end and lines'
    )


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    heard: list[Heard] = []
    language = None
    for pointer, item in each(source, "/fragments", source.json["fragments"]):
        language = language or language_code(item.get("language"))
        start, end = (milliseconds(source, f"{pointer}/{key}", item.get(key)) for key in ("begin", "end"))
        lines = item.get("lines")
        said = " ".join(
            text(source, f"{pointer}/lines/{number}", line, longest=MAX_PROSE)
            for number, line in enumerate(lines if isinstance(lines, list) else ())
        )
        heard.extend(in_segment(said, start, end))
    return assemble(source, heard, NAME, language=language)
