"""Vosk: `result` lists of word, start, end and conf, with or without alternatives: one object, several one after
another (as its scripts print them), or a list of them. Partial results are left out.

The command vosk-transcriber writes the same as `monologues` of terms.
"""

from __future__ import annotations

from typing import Any

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, in_segment
from vivavoce.transcript.importers.shape import MAX_PROSE, at, documents, each, fits, objects, text, word
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "Vosk"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    found = documents(source)
    if isinstance(found, str):
        return found
    if any(fits(_result(data)[0], "word", "start", "end") or fits(_terms(data), "text", "type") for _, data in found):
        return None
    return 'it has no list "result" of word, start and end'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    heard: list[Heard] = []
    for where, data in objects(source):
        result, place = _result(data)
        words = each(source, f"{where}{place}", result)
        heard.extend(word(source, pointer, item, ("word", "start", "end"), sure="conf") for pointer, item in words)
        if result is None and isinstance(data.get("text"), str):
            heard.extend(in_segment(text(source, f"{where}/text", data["text"], longest=MAX_PROSE), None, None))
        for pointer, monologue in each(source, f"{where}/monologues", at(data, "monologues")):
            terms = each(source, f"{pointer}/terms", monologue.get("terms"))
            heard.extend(word(source, where, item, ("text", "start", "end")) for where, item in terms)
    return assemble(source, heard, NAME)


def _result(data: Any) -> tuple[Any, str]:
    best = at(data, "alternatives", 0, "result")
    return (at(data, "result"), "/result") if best is None else (best, "/alternatives/0/result")


def _terms(data: Any) -> Any:
    return at(data, "monologues", 0, "terms")
