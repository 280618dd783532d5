"""Azure Speech, batch transcription: `recognizedPhrases`, words with ticks of 100 ns or ISO 8601 durations.

The timed words are bare; punctuation and case come from the display form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from vivavoce.strict import shown
from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, in_segment
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.prose import dress
from vivavoce.transcript.importers.shape import MAX_PROSE, at, confidence, each, milliseconds, name, root, span, text
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "Azure batch transcription"
_ISO = re.compile(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?", re.ASCII)


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    found = isinstance(data.get("recognizedPhrases"), list)
    return None if found else 'it has no list "recognizedPhrases"'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    heard: list[Heard] = []
    language = None
    for pointer, phrase in each(source, "/recognizedPhrases", source.json["recognizedPhrases"]):
        language = language or language_code(phrase.get("locale"))
        if phrase.get("recognitionStatus", "Success") == "Success":
            heard.extend(_words(source, pointer, phrase))
    return assemble(source, heard, NAME, language=language)


def _words(source: Source, pointer: str, phrase: Mapping[str, Any]) -> list[Heard]:
    best = at(phrase, "nBest", 0)
    who, channel = name(phrase.get("speaker")), name(phrase.get("channel"))
    words = []
    for place, item in each(source, f"{pointer}/nBest/0/words", at(best, "words")):
        said = text(source, f"{place}/word", item.get("word"))
        start, end = _span(source, place, item)
        words.append(Heard(said, start, end, confidence(item.get("confidence")), who, channel))
    prose = text(source, f"{pointer}/nBest/0/display", at(best, "display") or "", longest=MAX_PROSE)
    if words:
        return dress(words, prose)
    start, end = _span(source, pointer, phrase)
    return in_segment(prose, start, end, speaker=who, channel=channel)


def _span(source: Source, pointer: str, item: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Return start and end in milliseconds, from ticks or, where there are none, from PT0.52S."""
    if "offsetInTicks" in item:
        return span(source, pointer, item, "offsetInTicks", "durationInTicks", "tick")
    found = []
    for key in ("offset", "duration"):
        match = _ISO.fullmatch(str(item.get(key)))
        if not match:
            raise source.refuse("transcript_shape", f"{pointer}/{key}", shown(item.get(key)), "a time such as PT0.52S")
        hours, minutes, seconds = (Decimal(part or 0) for part in match.groups())
        found.append(milliseconds(source, f"{pointer}/{key}", hours * 3600 + minutes * 60 + seconds) or 0)
    return found[0], found[0] + found[1]
