"""whisper.cpp: `transcription`, with tokens (-ojf) or one word a segment (-ml 1 -sow), offsets in milliseconds.

A token that does not begin with a space continues the word before. Whisper drops most filled pauses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, in_segment
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import MAX_PROSE, at, confidence, each, fits, milliseconds, root, text
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "whisper.cpp"
_CONTROL = re.compile(r"\s*\[_[A-Z0-9_]+\]")


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    if fits(data.get("transcription"), "offsets", "text") or (data.get("transcription") == [] and "result" in data):
        return None
    return 'it has no list "transcription" of offsets and text'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    data = source.json
    heard: list[Heard] = []
    for pointer, segment in each(source, "/transcription", data["transcription"]):
        tokens = list(each(source, f"{pointer}/tokens", segment.get("tokens")))
        if tokens:
            for place, token in tokens:
                _add(source, heard, place, token, first=place == tokens[0][0])
        else:
            _add(source, heard, pointer, segment, first=False)
    model = at(data, "model", "type")
    recognizer = f"{NAME} {model}" if isinstance(model, str) else NAME
    return assemble(source, heard, recognizer, verbatim=False, language=language_code(at(data, "result", "language")))


def _add(source: Source, heard: list[Heard], pointer: str, item: Mapping[str, Any], *, first: bool) -> None:
    """Append a token or a segment, or join it to the word that it continues."""
    raw = item.get("text")
    said = text(source, f"{pointer}/text", raw, longest=MAX_PROSE)
    if not said or _CONTROL.fullmatch(said):
        return
    start, end = (
        milliseconds(source, f"{pointer}/offsets/{key}", at(item, "offsets", key), "ms") for key in ("from", "to")
    )
    last = heard[-1] if heard else None
    if last and isinstance(raw, str) and not raw[0].isspace() and not first and len(said.split()) == 1:
        sure = confidence(item.get("p"))
        both = None if last.confidence is None or sure is None else min(last.confidence, sure)
        punctuation = not any(char.isalnum() for char in said)
        heard[-1] = replace(
            last,
            text=last.text + said,
            end_ms=last.end_ms if punctuation or end is None else end,
            confidence=last.confidence if punctuation else both,
        )
    else:
        heard.extend(in_segment(said, start, end, confidence=confidence(item.get("p"))))
