"""AWS Transcribe: `results.items`, pronunciations with times as text, punctuation without."""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import at, confidence, each, fits, milliseconds, name, root, text
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "AWS Transcribe"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    items = at(data, "results", "items")
    if fits(items, "type", "alternatives") or (items == [] and at(data, "results", "transcripts") is not None):
        return None
    return 'it has no list "results.items" of type and alternatives'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    results = source.json["results"]
    heard = []
    for pointer, item in each(source, "/results/items", results["items"]):
        best = at(item, "alternatives", 0)
        said = text(source, f"{pointer}/alternatives/0/content", at(best, "content"))
        who, channel = name(item.get("speaker_label")), name(item.get("channel_label"))
        if item.get("type") == "punctuation":
            heard.append(Heard(said, speaker=who, channel=channel, attach="before"))
            continue
        start, end = (milliseconds(source, f"{pointer}/{key}", item.get(key)) for key in ("start_time", "end_time"))
        heard.append(Heard(said, start, end, confidence(at(best, "confidence")), who, channel))
    return assemble(source, heard, NAME, language=language_code(results.get("language_code")))
