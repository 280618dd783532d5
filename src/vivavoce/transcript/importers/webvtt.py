"""WebVTT with word times: marks inside cues, one word a cue, or one word highlighted a cue."""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers import captions
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.source import NOT_TEXT, Source

NAME = "WebVTT"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    if source.text is None:
        return NOT_TEXT
    return (
        None
        if source.text[:7] in ("WEBVTT", "WEBVTT\n", "WEBVTT\r", "WEBVTT ", "WEBVTT\t")
        else "it does not begin with WEBVTT"
    )


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError `transcript_without_times`, `transcript_shape` with the line."""
    return assemble(source, captions.words(captions.cues(source, webvtt=True)), NAME)
