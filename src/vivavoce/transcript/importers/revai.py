"""Rev AI: `monologues` of elements, words with ts and end_ts in seconds, punctuation and spaces without.

It keeps um and uh unless told to remove them: where there are some, the transcript is taken as verbatim.
"""

from __future__ import annotations

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
    heard = []
    for pointer, monologue in each(source, "/monologues", source.json["monologues"]):
        who = name(monologue.get("speaker"))
        for place, item in each(source, f"{pointer}/elements", monologue.get("elements")):
            if item.get("type") == "punct":
                heard.append(Heard(text(source, f"{place}/value", item.get("value")), speaker=who, attach="before"))
            else:
                heard.append(word(source, place, item, ("value", "ts", "end_ts"), speaker=who))
    return assemble(source, heard, NAME, verbatim=has_filled_pauses(heard) or None)
