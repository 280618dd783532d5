"""What SubRip and WebVTT share: cues, and the ways in which cues carry word times.

    one word a cue                          its times
    times inside a cue, <00:00:01.000>      each word from its mark to the next; the first from the cue's start
    one word of a cue highlighted, <u>      the cue's times are that word's (Whisper's highlight_words)

Several words in a cue without marks have no times of their own. YouTube's rolling captions show each line twice: the
second showing has no marks and is passed over.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vivavoce.transcript.importers.assemble import in_segment
from vivavoce.transcript.times import Heard

_CLOCK = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
_TIMING = re.compile(rf"\s*{_CLOCK}\s+-->\s+{_CLOCK}(?:\s.*)?", re.ASCII)
_INSIDE = re.compile(rf"<{_CLOCK}>", re.ASCII)
# A tag holds no other, so that no search runs over the text more than once.
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|\{\\[^{}]*\}")
_HIGHLIGHT = re.compile(r"<u>([^<]*)</u>")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^\s<>][^<>]*)>")


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue: its line in the file, its stretch in milliseconds, and its lines of text."""

    line: int
    start_ms: int
    end_ms: int
    lines: tuple[str, ...]


def is_timing(line: str) -> bool:
    """Return whether a line is "start --> end"."""
    return bool(_TIMING.fullmatch(line))


def cues(content: str) -> Iterator[Cue]:
    """Yield the cues of a SubRip or WebVTT text; what is not a cue (notes, styles, numbers) is passed over."""
    lines = content.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    at = 0
    while at < len(lines):
        match = _TIMING.fullmatch(lines[at])
        at += 1
        if match:
            first = at
            while at < len(lines) and lines[at] and not is_timing(lines[at]):
                at += 1
            shown = lines[first:at]
            if at < len(lines) and is_timing(lines[at]) and shown and shown[-1].strip().isdigit():
                shown = shown[:-1]
            yield Cue(first, _milliseconds(match.groups()[:4]), _milliseconds(match.groups()[4:]), tuple(shown))


def words(found: Sequence[Cue]) -> list[Heard]:
    """Return the words of the cues, with times where the cues give them."""
    if any(_INSIDE.search(line) for cue in found for line in cue.lines):
        return list(_marked(found))
    if any(_HIGHLIGHT.search("\n".join(cue.lines)) for cue in found):
        return list(_highlighted(found))
    return [word for cue in found for word in _plain_cue(cue)]


def _milliseconds(clock: Sequence[str | None]) -> int:
    hours, minutes, seconds, part = clock
    whole = int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return whole * 1000 + int((part or "0").ljust(3, "0"))


def _clean(text: str) -> str:
    return html.unescape(_TAG.sub("", text)).strip()


def _speaker(cue: Cue) -> str | None:
    voice = _VOICE.search("\n".join(cue.lines))
    return voice[1].strip() if voice else None


def _plain_cue(cue: Cue) -> list[Heard]:
    return in_segment(_clean(" ".join(cue.lines)), cue.start_ms, cue.end_ms, speaker=_speaker(cue))


def _highlighted(found: Sequence[Cue]) -> Iterator[Heard]:
    """Yield the highlighted words; cues without one fill the time between, repeating the text."""
    for cue in found:
        for part in _HIGHLIGHT.findall("\n".join(cue.lines)):
            yield from in_segment(_clean(part), cue.start_ms, cue.end_ms)


def _marked(found: Sequence[Cue]) -> Iterator[Heard]:
    """Yield words between marks; a line that the cue before showed already is passed over."""
    before: set[str] = set()
    for cue in found:
        new = [line for line in cue.lines if _clean(_INSIDE.sub("", line)) not in before]
        before = {_clean(_INSIDE.sub("", line)) for line in cue.lines}
        pieces = _INSIDE.split("\n".join(new))
        starts = [cue.start_ms, *(_milliseconds(pieces[at : at + 4]) for at in range(1, len(pieces), 5))]
        texts = pieces[0::5]
        for text, start, end in zip(texts, starts, [*starts[1:], cue.end_ms], strict=True):
            yield from in_segment(_clean(text), start, end, speaker=_speaker(cue))
