"""CTM, as Kaldi and NIST's tools write it: recording, channel, start, duration, word, and perhaps a confidence a line.

Of alternatives (<ALT_BEGIN> ... <ALT> ... <ALT_END>) the first is taken; <eps>, <sil> and @ are no words, (UH) is
one that scoring tools may leave out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers.assemble import assemble, refuse_many
from vivavoce.transcript.importers.shape import confidence, span, text
from vivavoce.transcript.importers.source import NOT_TEXT, Source
from vivavoce.transcript.times import Heard

NAME = "CTM"
_TIME = r"-?(?:\d+(?:\.\d*)?|\.\d+)"
_LINE = re.compile(rf"(\S+)\s+(\S+)\s+({_TIME}|\*)\s+({_TIME}|\*)\s+(\S+)(?:\s+(\S+))?(?:\s+\S+)*\s*", re.ASCII)
_NO_WORDS = frozenset(("<eps>", "<sil>", "sil", "<s>", "</s>", "@", "!sil"))


def misfit(source: Source) -> str | None:
    """Return why a file is not of this format, or None where it is."""
    if source.text is None:
        return NOT_TEXT
    for number, line in _lines(source):
        if not _LINE.fullmatch(line):
            return f"line {number} is not recording, channel, start, duration and word"
        return None
    return "it has no lines"


def read(source: Source) -> Transcript:
    """Return the transcript. Raises TranscriptError with the file's name and the line; `several_recordings`."""
    heard: list[Heard] = []
    recordings: dict[str, int] = {}
    alternative = 0
    for number, line in _lines(source):
        match = _LINE.fullmatch(line)
        if not match:
            raise source.refuse(
                "transcript_shape", f"line {number}", line[:60], "recording channel start duration word"
            )
        recording, channel, start, length, said, sure = match.groups()
        if said.upper() in ("<ALT_BEGIN>", "<ALT>", "<ALT_END>"):
            alternative = {"<ALT_BEGIN>": 1, "<ALT>": alternative + 1, "<ALT_END>": 0}[said.upper()]
            continue
        refuse_many(source, heard)
        recordings.setdefault(recording, number)
        if alternative > 1 or said.lower() in _NO_WORDS:
            continue
        times = {"start": None if start == "*" else start, "duration": None if length == "*" else length}
        begun, end = span(source, f"line {number}", times, "start", "duration", "s")
        word = text(source, f"line {number}", said)
        word = word[1:-1] if word.startswith("(") and word.endswith(")") else word
        heard.append(Heard(word, begun, end, confidence(sure), channel=channel))
    if len(recordings) > 1:
        raise source.refuse(
            "several_recordings",
            f"line {list(recordings.values())[1]}",
            f"words of {len(recordings)} recordings: {', '.join(list(recordings)[:3])}",
            "the words of one recording in a file",
        )
    return assemble(source, heard, NAME)


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers, comments and empty ones left out."""
    for number, line in enumerate((source.text or "").splitlines(), 1):
        if line.strip() and not line.startswith(";;"):
            yield number, line.strip()
