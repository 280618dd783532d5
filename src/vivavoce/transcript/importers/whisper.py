"""Whisper and faster-whisper: `segments` whose words have word, start, end and probability, times in seconds.

faster-whisper gives the segments themselves, so a list of them is taken too.
Whisper drops most filled pauses.
"""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, in_segment
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import IS_LIST, MAX_PROSE, at, each, fits, milliseconds, root, text, word
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "Whisper"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str) and data != IS_LIST:
        return data
    segments = source.json if isinstance(data, str) else data.get("segments")
    if not isinstance(segments, list):
        return 'it has no list "segments"'
    if "word_segments" in data or not any(fits(at(segment, "words"), "word", "start", "end") for segment in segments):
        return "its segments have no words of word, start and end"
    if any("score" in at(segment, "words", 0) for segment in segments if fits(at(segment, "words"), "word")):
        return "its words have a score, not a probability"
    return None


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    alone = isinstance(source.json, list)
    data = {"segments": source.json} if alone else source.json
    heard: list[Heard] = []
    for pointer, segment in each(source, "" if alone else "/segments", data["segments"]):
        words = list(each(source, f"{pointer}/words", segment.get("words")))
        if words:
            heard.extend(
                word(source, place, item, ("word", "start", "end"), sure="probability") for place, item in words
            )
        else:
            start, end = (milliseconds(source, f"{pointer}/{key}", segment.get(key)) for key in ("start", "end"))
            said = text(source, f"{pointer}/text", segment.get("text", ""), longest=MAX_PROSE)
            heard.extend(in_segment(said, start, end))
    fast = alone or "language_probability" in data or "duration_after_vad" in data
    return assemble(
        source,
        heard,
        "faster-whisper" if fast else NAME,
        verbatim=False,
        language=language_code(data.get("language")),
        duration_ms=milliseconds(source, "/duration", data.get("duration")),
    )
