"""The speech recognition pipeline of Hugging Face's transformers: `chunks` of text and a timestamp [start, end].

Word times are there where it was asked for return_timestamps="word"; else chunks are segments, or single letters.
"""

from __future__ import annotations

from vivavoce.strict import shown
from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, in_segment
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import MAX_PROSE, each, fits, milliseconds, root, text
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "Hugging Face pipeline"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    if isinstance(data.get("text"), str) and fits(data.get("chunks"), "text", "timestamp"):
        return None
    return 'it has no "text" beside a list "chunks" of text and timestamp'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    data = source.json
    heard: list[Heard] = []
    for pointer, chunk in each(source, "/chunks", data["chunks"]):
        pair = chunk.get("timestamp")
        if not isinstance(pair, list) or len(pair) != 2:
            raise source.refuse("transcript_shape", f"{pointer}/timestamp", shown(pair), "a list of start and end")
        start, end = (milliseconds(source, f"{pointer}/timestamp/{at}", value) for at, value in enumerate(pair))
        heard.extend(in_segment(text(source, f"{pointer}/text", chunk.get("text"), longest=MAX_PROSE), start, end))
    if all(len(word.text) == 1 for word in heard) and len(heard) > len(data["text"].split()):
        raise source.refuse(
            "transcript_shape", "/chunks", f"{len(heard)} chunks of single letters", 'words: return_timestamps="word"'
        )
    return assemble(source, heard, NAME, language=language_code(data.get("language")))
