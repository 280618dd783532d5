"""PocketSphinx: `w`, words with b (begin) and d (duration), one object or one a line; silences and noises left out."""

from __future__ import annotations

import re

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.shape import at, confidence, documents, each, objects, span, text
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "PocketSphinx"
# A pronunciation variant, and what is no word: <s>, <sil>, [NOISE], ++BREATH++.
_VARIANT = re.compile(r"\(\d+\)$")
_FILLER = re.compile(r"<.*>|\[.*\]|\+\+.*\+\+")


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    found = documents(source)
    if isinstance(found, str):
        return found
    return (
        None
        if all(isinstance(data.get("w"), list) and "b" in data for _, data in found)
        else 'it has no list "w" beside "b"'
    )


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    heard = []
    for where, data in objects(source):
        for pointer, item in each(source, f"{where}/w", at(data, "w")):
            said = text(source, f"{pointer}/t", item.get("t"))
            if not _FILLER.fullmatch(said):
                start, end = span(source, pointer, item, "b", "d", "s")
                heard.append(Heard(_VARIANT.sub("", said), start, end, confidence(item.get("p"))))
    return assemble(source, heard, NAME)
