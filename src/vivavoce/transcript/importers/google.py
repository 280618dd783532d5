"""Google Speech-to-Text, v1 and v2, from its REST answer, a long-running operation or its client libraries.

With diarisation on, the last result repeats every word of the recording, tagged with its speaker: only that list is
taken then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, in_segment
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.shape import MAX_PROSE, at, confidence, each, milliseconds, name, root, text
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "Google Speech-to-Text"
_STARTS = ("startTime", "start_time", "startOffset", "start_offset")
_ENDS = ("endTime", "end_time", "endOffset", "end_offset")
_TAGS = ("speakerTag", "speaker_tag", "speakerLabel", "speaker_label")


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    results, _ = _results(data)
    if not isinstance(results, list):
        return 'it has no list "results"'
    for result in results:
        best = at(result, "alternatives", 0)
        first = at(best, "words", 0)
        if isinstance(first, dict) and "word" in first and any(key in first for key in _ENDS):
            return None
        if isinstance(best, dict) and "transcript" in best and not {"timestamps", "words"} & best.keys():
            return None
    return "its results have no alternatives with words of word and endTime (or a transcript)"


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    results, place = _results(source.json)
    chunks: list[list[tuple[bool, Heard]]] = []
    language = None
    for pointer, result in each(source, place, results):
        best = at(result, "alternatives", 0)
        language = language or language_code(_any(result, ("languageCode", "language_code")))
        channel = name(_any(result, ("channelTag", "channel_tag")) or None)
        words = [
            _word(source, where, item, channel, first=not chunks and where.endswith("/words/0"))
            for where, item in each(source, f"{pointer}/alternatives/0/words", at(best, "words"))
        ]
        if not words and isinstance(at(best, "transcript"), str):
            words = [
                (False, word)
                for word in in_segment(
                    text(source, f"{pointer}/alternatives/0/transcript", best["transcript"], longest=MAX_PROSE),
                    None,
                    None,
                    channel=channel,
                )
            ]
        chunks.append(words)
    if chunks and all(tagged for tagged, _ in chunks[-1]) and not all(tag for chunk in chunks for tag, _ in chunk):
        chunks = chunks[-1:]
    return assemble(source, [word for chunk in chunks for _, word in chunk], NAME, language=language)


def _results(data: Mapping[str, Any]) -> tuple[Any, str]:
    """Return the list of results and its place: the answer itself, an operation's, or a v2 batch's for one file."""
    files = at(data, "response", "results")
    for batch, place in ((files, "/response/results"), (data.get("results"), "/results")):
        if isinstance(batch, dict) and len(batch) == 1:
            key, inner = next(iter(batch.items()))
            for path in (("transcript",), ("inlineResult", "transcript")):
                found = at(inner, *path, "results")
                if found is not None:
                    return found, f"{place}/{key.replace('~', '~0').replace('/', '~1')}/{'/'.join(path)}/results"
    return (files, "/response/results") if files is not None else (data.get("results"), "/results")


def _any(item: Any, keys: tuple[str, ...]) -> Any:
    return next((item[key] for key in keys if key in item), None)


def _word(
    source: Source, pointer: str, item: Mapping[str, Any], channel: str | None, *, first: bool
) -> tuple[bool, Heard]:
    """Return whether the word is tagged with a speaker, and the word."""
    start, end = (_milliseconds(source, pointer, item, keys) for keys in (_STARTS, _ENDS))
    # Protocol buffers leave zero out: the first word of all may start without saying so.
    start = 0 if first and start is None and end is not None else start
    tag = name(_any(item, _TAGS) or None)
    said = text(source, f"{pointer}/word", item.get("word"))
    # 0 stands for "not set".
    sure = confidence(item.get("confidence") or None)
    return tag is not None, Heard(said, start, end, sure, tag, channel)


def _milliseconds(source: Source, pointer: str, item: Mapping[str, Any], keys: tuple[str, ...]) -> int | None:
    """Return a duration, "1.400s" or {seconds, nanos}, in milliseconds."""
    key = next((key for key in keys if key in item), keys[0])
    value, place = item.get(key), f"{pointer}/{key}"
    if not isinstance(value, dict):
        return milliseconds(source, place, value)
    seconds = milliseconds(source, f"{place}/seconds", value.get("seconds", 0)) or 0
    return seconds + (milliseconds(source, f"{place}/nanos", value.get("nanos", 0), "ns") or 0)
