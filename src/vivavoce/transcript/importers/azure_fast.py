"""Azure Speech, fast transcription: `phrases` with words in milliseconds, written as they are displayed."""

from __future__ import annotations

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, in_segment
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import MAX_PROSE, each, name, root, span, text
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "Azure fast transcription"
_KEYS = (("offsetMilliseconds", "durationMilliseconds"), ("offset", "duration"))


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    if isinstance(data.get("phrases"), list) and "combinedPhrases" in data:
        return None
    return 'it has no list "phrases" beside "combinedPhrases"'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    heard: list[Heard] = []
    language = None
    for pointer, phrase in each(source, "/phrases", source.json["phrases"]):
        language = language or language_code(phrase.get("locale"))
        offset, length = next((keys for keys in _KEYS if keys[0] in phrase), _KEYS[0])
        who, channel = name(phrase.get("speaker")), name(phrase.get("channel"))
        words = []
        for place, item in each(source, f"{pointer}/words", phrase.get("words")):
            start, end = span(source, place, item, offset, length, "ms")
            words.append(Heard(text(source, f"{place}/text", item.get("text")), start, end, None, who, channel))
        if not words:
            start, end = span(source, pointer, phrase, offset, length, "ms")
            said = text(source, f"{pointer}/text", phrase.get("text", ""), longest=MAX_PROSE)
            words = in_segment(said, start, end, speaker=who, channel=channel)
        heard.extend(words)
    return assemble(source, heard, NAME, language=language)
