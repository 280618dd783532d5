"""Azure Speech, detailed results: one object or a list of them, with or without pronunciation assessment.

Times are ticks of 100 ns. The timed words are bare; punctuation and case come from the display form. Words that
pronunciation assessment marks as omitted were not said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, in_segment
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.prose import dress
from vivavoce.transcript.importers.shape import IS_LIST, MAX_PROSE, at, confidence, each, name, root, span, text
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "Azure Speech"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str) and data != IS_LIST:
        return data
    first = at(source.json, 0) if isinstance(data, str) else data
    if isinstance(first, dict) and "RecognitionStatus" in first:
        return None
    return 'it is no result with a "RecognitionStatus", nor a list of them'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    single = isinstance(source.json, dict)
    phrases = [("", source.json)] if single else list(each(source, "", source.json))
    heard: list[Heard] = []
    language = None
    for pointer, phrase in phrases:
        language = language or language_code(at(phrase, "PrimaryLanguage", "Language"))
        if phrase.get("RecognitionStatus") == "Success":
            heard.extend(_words(source, pointer, phrase))
    return assemble(source, heard, NAME, language=language)


def _words(source: Source, pointer: str, phrase: Mapping[str, Any]) -> list[Heard]:
    best = at(phrase, "NBest", 0)
    who, channel = name(phrase.get("SpeakerId")), name(phrase.get("Channel"))
    words = []
    for place, item in each(source, f"{pointer}/NBest/0/Words", at(best, "Words")):
        if at(item, "PronunciationAssessment", "ErrorType") != "Omission" and item.get("ErrorType") != "Omission":
            said = text(source, f"{place}/Word", item.get("Word"))
            start, end = span(source, place, item, "Offset", "Duration", "tick")
            words.append(Heard(said, start, end, confidence(item.get("Confidence")), who, channel))
    shown = at(best, "Display") or phrase.get("DisplayText") or ""
    prose = text(source, f"{pointer}/DisplayText", shown, longest=MAX_PROSE)
    if words or at(best, "Words") == []:
        return dress(words, prose)
    start, end = span(source, pointer, phrase, "Offset", "Duration", "tick")
    return in_segment(prose, start, end, speaker=who, channel=channel)
