"""WhisperX: `segments` whose words have a score; numbers and signs that it cannot align have no times.

Whisper drops most filled pauses.
"""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import all_have, at, each, root, word
from vivavoce.transcript.importers.source import Source

NAME = "WhisperX"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    segments = data.get("segments")
    if "segments" not in data and all_have(data.get("word_segments"), "word"):
        return None
    if not isinstance(segments, list):
        return 'it has no list "segments"'
    words = [item for segment in segments if isinstance(at(segment, "words"), list) for item in segment["words"]]
    named = bool(words) and all(isinstance(item, dict) and "word" in item for item in words)
    if named and ("word_segments" in data or any("score" in item for item in words)):
        return None
    return "its segments have no words with a score"


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    data = source.json
    lists = (
        [(f"{pointer}/words", segment.get("words")) for pointer, segment in each(source, "/segments", data["segments"])]
        if "segments" in data
        else [("/word_segments", data["word_segments"])]
    )
    heard = [
        word(source, place, item, ("word", "start", "end"), sure="score")
        for pointer, words in lists
        for place, item in each(source, pointer, words)
    ]
    return assemble(source, heard, NAME, verbatim=False, language=language_code(data.get("language")))
