"""Rev AI: `monologues` of elements, words with ts and end_ts in seconds, punctuation and spaces without.

It keeps um and uh unless told to remove them: where there are some, the transcript is taken as verbatim.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, has_filled_pauses
from vivavoce.transcript.importers.shape import at, each, name, root, text, word
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "Rev AI"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    found = isinstance(at(data, "monologues", 0, "elements"), list) or data.get("monologues") == []
    return None if found else 'it has no list "monologues" with elements'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    heard: list[Heard] = []
    for pointer, monologue in each(source, "/monologues", source.json["monologues"]):
        heard.extend(elements(source, pointer, monologue, name(monologue.get("speaker"))))
    return assemble(source, heard, NAME, verbatim=has_filled_pauses(heard) or None)


def elements(source: Source, pointer: str, item: Mapping[str, Any], who: str | None) -> list[Heard]:
    """Return the words and signs of the `elements` of a monologue or a message, said by `who`."""
    return [
        Heard(text(source, f"{place}/value", element.get("value")), speaker=who, attach="before")
        if element.get("type") == "punct"
        else word(source, place, element, ("value", "ts", "end_ts"), speaker=who)
        for place, element in each(source, f"{pointer}/elements", item.get("elements"))
    ]
