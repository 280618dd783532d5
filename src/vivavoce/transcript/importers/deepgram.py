"""Deepgram: `results.channels`, one alternative list a channel; words with `punctuated_word` where asked for.

Deepgram drops um and uh unless asked for `filler_words`, so a file without any is taken as not verbatim.
"""

from __future__ import annotations

from typing import Any

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, has_filled_pauses, in_segment
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import MAX_PROSE, at, each, milliseconds, root, text, word
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "Deepgram"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    if isinstance(at(data, "results", "channels", 0, "alternatives"), list):
        return None
    return 'it has no list "results.channels" with alternatives'


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    data = source.json
    channels = list(each(source, "/results/channels", data["results"]["channels"]))
    heard: list[Heard] = []
    language = None
    for index, (pointer, channel) in enumerate(channels):
        best = at(channel, "alternatives", 0)
        label = str(index) if len(channels) > 1 else None
        language = language or language_code(channel.get("detected_language") or at(best, "languages", 0))
        heard.extend(words_of(source, f"{pointer}/alternatives/0", best, label))
    return assemble(
        source,
        heard,
        " ".join([NAME, *_model(data)]),
        verbatim=has_filled_pauses(heard),
        language=language,
        duration_ms=milliseconds(source, "/metadata/duration", at(data, "metadata", "duration")),
    )


def words_of(source: Source, pointer: str, best: Any, channel: str | None) -> list[Heard]:
    """Return the words of an alternative; where it has a transcript only, its words without times."""
    words = [
        word(
            source,
            place,
            item,
            ("punctuated_word" if item.get("punctuated_word") else "word", "start", "end"),
            channel=channel,
        )
        for place, item in each(source, f"{pointer}/words", at(best, "words"))
    ]
    if words or not isinstance(at(best, "transcript"), str):
        return words
    prose = text(source, f"{pointer}/transcript", best["transcript"], longest=MAX_PROSE)
    return in_segment(prose, None, None, channel=channel)


def _model(data: Any) -> list[str]:
    """Return name and version of the model, where the file names it."""
    info = at(data, "metadata", "model_info")
    model = next(iter(info.values()), None) if isinstance(info, dict) else None
    return [part for part in (at(model, "name"), at(model, "version")) if isinstance(part, str)]
