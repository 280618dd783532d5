"""BBC Kaldi: `retval.words`, bare words with start and end, and the same with case and punctuation as `punct`."""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.shape import at, each, fits, root, word
from vivavoce.transcript.importers.source import Source

NAME = "BBC Kaldi"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    return (
        None
        if fits(at(data, "retval", "words"), "word", "punct")
        else 'it has no list "retval.words" of word and punct'
    )


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    words = each(source, "/retval/words", source.json["retval"]["words"])
    heard = [word(source, pointer, item, ("punct", "start", "end")) for pointer, item in words]
    return assemble(source, heard, NAME)
