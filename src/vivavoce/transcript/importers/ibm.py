"""IBM Watson Speech to Text: `timestamps` lists of word, start and end; alone, or as the answer of a job.

Older models write %HESITATION where a filled pause was said: it is taken as "uh",
and the transcript as verbatim.
"""

from __future__ import annotations

from typing import Any

from vivavoce.strict import shown
from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import HESITATION, assemble, in_segment
from vivavoce.transcript.importers.shape import MAX_PROSE, at, confidence, each, milliseconds, name, root, text
from vivavoce.transcript.importers.source import Source
from vivavoce.transcript.times import Heard

NAME = "IBM Watson Speech to Text"


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    data = root(source)
    if isinstance(data, str):
        return data
    results = data.get("results")
    inner = at(results, 0, "results")
    for result in [*(results if isinstance(results, list) else ()), *(inner if isinstance(inner, list) else ())]:
        if isinstance(at(result, "alternatives", 0, "timestamps"), list):
            return None
    return "its results have no alternatives with timestamps"


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the JSON pointer."""
    data = source.json
    parts: list[tuple[str, Any]] = [("", data)]
    if at(data, "results", 0, "results") is not None:
        parts = list(each(source, "/results", data["results"]))
    heard: list[Heard] = []
    for place, part in parts:
        speakers = _speakers(source, place, part)
        for pointer, result in each(source, f"{place}/results", part.get("results")):
            if result.get("final") is not False:
                heard.extend(_words(source, f"{pointer}/alternatives/0", at(result, "alternatives", 0), speakers))
    verbatim = True if any(word.text == HESITATION for word in heard) else None
    return assemble(source, heard, NAME, verbatim=verbatim)


def _words(source: Source, pointer: str, best: Any, speakers: dict[int | None, str | None]) -> list[Heard]:
    stamps = at(best, "timestamps")
    if stamps is None:
        return in_segment(text(source, f"{pointer}/transcript", at(best, "transcript"), longest=MAX_PROSE), None, None)
    if not isinstance(stamps, list):
        raise source.refuse("transcript_shape", f"{pointer}/timestamps", shown(stamps), "a list")
    words = []
    for index, item in enumerate(stamps):
        place = f"{pointer}/timestamps/{index}"
        if not isinstance(item, list) or len(item) != 3:
            raise source.refuse("transcript_shape", place, shown(item), "a list of word, start and end")
        start, end = (milliseconds(source, f"{place}/{number}", item[number]) for number in (1, 2))
        sure = confidence(at(best, "word_confidence", index, 1))
        words.append(Heard(text(source, f"{place}/0", item[0]), start, end, sure, speakers.get(start)))
    return words


def _speakers(source: Source, place: str, part: Any) -> dict[int | None, str | None]:
    """Return the speaker of each word by its start in milliseconds (the labels carry the same times as the words)."""
    labels = each(source, f"{place}/speaker_labels", part.get("speaker_labels"))
    return {
        milliseconds(source, f"{where}/from", label.get("from")): name(label.get("speaker")) for where, label in labels
    }
