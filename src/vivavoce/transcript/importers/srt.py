"""SubRip (SRT) with word times: one word a cue, or one word highlighted a cue."""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers import captions
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.source import NOT_TEXT, Source

NAME = "SubRip"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    if source.text is None:
        return NOT_TEXT
    head = [line for line in source.text[:1000].splitlines() if line.strip()][:2]
    if head and (captions.is_timing(head[0]) or (head[0].strip().isdigit() and captions.is_meant(head[-1]))):
        return None
    return "it does not begin with a number and a line start --> end"


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError `transcript_without_times`, `transcript_shape` with the line."""
    return assemble(source, captions.words(captions.cues(source, webvtt=False)), NAME)
