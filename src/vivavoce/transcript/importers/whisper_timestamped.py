"""whisper-timestamped: `segments` whose words have text, start, end and confidence.

With `detect_disfluencies` it writes [*] where something was said that Whisper left out: taken as a filled pause, "um".
"""

from __future__ import annotations

from dataclasses import replace

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import at, each, fits, root, word
from vivavoce.transcript.importers.source import Source

NAME = "whisper-timestamped"
_MARK = "[*]"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    segments = data.get("segments")
    if not isinstance(segments, list):
        return 'it has no list "segments"'
    if any(fits(at(segment, "words"), "text", "start", "end") for segment in segments):
        return None
    return "its segments have no words of text, start and end"


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    data = source.json
    heard = []
    for pointer, segment in each(source, "/segments", data["segments"]):
        for place, item in each(source, f"{pointer}/words", segment.get("words")):
            found = word(source, place, item, ("text", "start", "end"))
            heard.append(replace(found, text="um") if found.text == _MARK else found)
    return assemble(source, heard, NAME, verbatim=False, language=language_code(data.get("language")))
