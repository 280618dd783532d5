"""Texts and segments without word times, as many services give by default: recognised, and refused with the remedy.

OpenAI json, verbose_json and diarized_json, Mistral, Cohere, Gemini, and event streams of text. A file that says
nothing at all is an empty transcript; segments of one word each have their times.
"""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, in_segment, untimed
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import MAX_PROSE, at, each, fits, milliseconds, name, root, text
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "text or segments without word times"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    if source.raw.startswith(b"data: {"):
        return None
    data = root(source)
    if isinstance(data, str):
        return data
    segments = data.get("segments")
    if isinstance(at(data, "candidates", 0, "content", "parts"), list):
        return None
    if data.get("words") or (isinstance(segments, list) and any(at(segment, "words") for segment in segments)):
        return "it has words"
    if data.get("chunks"):
        return "it has chunks"
    if isinstance(data.get("text"), str) and not {"status", "audio_duration", "result"} & data.keys():
        return None
    return (
        None
        if fits(segments, "text", "start", "end")
        else 'it has neither a "text" nor segments of text, start and end'
    )


def read(source: Source) -> Transcript:
    """Return what words there are with times. Raises TranscriptError `transcript_without_times`."""
    if source.raw.startswith(b"data: {"):
        raise untimed(source, "an event stream of text without word times")
    data = source.json
    heard: list[Heard] = []
    for pointer, segment in each(source, "/segments", data.get("segments")):
        start, end = (milliseconds(source, f"{pointer}/{key}", segment.get(key)) for key in ("start", "end"))
        said = text(source, f"{pointer}/text", segment.get("text", ""), longest=MAX_PROSE)
        heard.extend(in_segment(said, start, end, speaker=name(segment.get("speaker") or segment.get("speaker_id"))))
    if not heard:
        said = data.get("text") or at(data, "candidates", 0, "content", "parts", 0, "text") or ""
        heard = in_segment(text(source, "/text", said, longest=MAX_PROSE), None, None)
    return assemble(source, heard, name(data.get("model")) or "file", language=language_code(data.get("language")))
