"""What SubRip and WebVTT share: cues, and the ways in which cues carry word times.

    one word a cue                          its times
    times inside a cue, <00:00:01.000>      each word from its mark to the next; the first from the cue's start
    one word of a cue highlighted           the cue's times are that word's: <u> (Whisper's highlight_words) or <font>

Several words in a cue without marks have no times of their own. YouTube's rolling captions show each line twice: the
second showing has no marks and is passed over.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from vivavoce.errors import TranscriptError
from vivavoce.transcript.importers.assemble import in_segment
from vivavoce.transcript.importers.source import MAX_WORDS, Source
from vivavoce.transcript.times import Heard

_CLOCK = r"(?:(\d{1,3}):)?([0-5]?\d):([0-5]\d)[.,](\d{1,3})"
_TIMING = re.compile(rf"\s*{_CLOCK}\s*-->\s*{_CLOCK}(?:\s.*)?", re.ASCII)
_INSIDE = re.compile(rf"<{_CLOCK}>", re.ASCII)
# What was meant as a line of times or as a mark, so that its words must not be lost or misplaced with it.
_MEANT = re.compile(
    r"-->|\s*-?[\d:;.,]+\s*[-=]+>\s*-?[\d:;.,]+|\s*-?\d+(?:[:;.,-]\d+){2,3}\s*\S{1,3}\s*-?\d+(?:[:;.,-]\d+){2,3}",
    re.ASCII,
)
_MEANT_INSIDE = re.compile(r"<[-:;.,\s\d]{4,40}>", re.ASCII)
# A tag holds no other, so that no search runs over the text more than once.
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|\{\\[^{}]*\}")
_HIGHLIGHT = re.compile(r"<(u|font)\b[^<>]*>([^<]*)</\1>")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^\s<>][^<>]*)>")
# WebVTT's blocks that are no cues; its header is the first block.
_BLOCK = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s.*)?")
_EXAMPLE = "00:00:01.000 --> 00:00:02.500"
_SHOWN = 60


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


def is_meant(line: str) -> bool:
    """Return whether a line is "start --> end", or was meant to be."""
    return is_timing(line) or "-->" in line or bool(_MEANT.match(line))


def cues(source: Source, *, webvtt: bool) -> list[Cue]:
    """Return the cues of a file; `webvtt`: its header, notes, styles and regions are passed over.

    Raises TranscriptError `transcript_shape` where words stand without readable times, `transcript_too_long`.
    """
    found = list(_Reader(source).cues(webvtt))
    if len(found) > MAX_WORDS:
        raise source.refuse("transcript_too_long", "", f"over {MAX_WORDS} cues", f"at most {MAX_WORDS} words")
    return found


class _Reader:
    """The lines of a file, read once from the first to the last."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lines = (source.text or "").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self.at = 0

    def cues(self, webvtt: bool) -> Iterator[Cue]:
        """Yield the cues. Raises TranscriptError where anything else stands that is not passed over."""
        passed = webvtt
        before: list[int] = []
        number: int | None = None
        count = 0
        while self.at < len(self.lines) and count <= MAX_WORDS:
            line = self.lines[self.at]
            if is_timing(line):
                self._refuse_strays(before[:-1], number)
                number = self._number(before[-1]) if before else None
                yield self._cue(number)
                passed, before, count = False, [], count + 1
                continue
            if not line.strip():
                self._refuse_strays(before, number)
                passed, before = False, []
            elif not before and not passed and webvtt and _BLOCK.fullmatch(line):
                passed = True
            elif is_meant(line) and (not passed or "-->" in line or not count):
                raise self._unreadable()
            elif not passed:
                before.append(self.at)
            self.at += 1
        self._refuse_strays(before, number)

    def _cue(self, number: int | None) -> Cue:
        match = _TIMING.fullmatch(self.lines[self.at])
        clocks = match.groups() if match else ()
        self.at += 1
        first = self.at
        while self.at < len(self.lines) and self.lines[self.at] and not is_timing(self.lines[self.at]):
            if is_meant(self.lines[self.at]) or self._has_bad_mark():
                raise self._unreadable()
            self.at += 1
        last = self.at
        # Without an empty line between, the next cue's number would be taken for a word of this one.
        follows = last < len(self.lines) and is_timing(self.lines[last])
        if follows and last > first and number is not None and self._number(last - 1) == number + 1:
            last = self.at = last - 1
        return Cue(first, _milliseconds(clocks[:4]), _milliseconds(clocks[4:]), tuple(self.lines[first:last]))

    def _number(self, at: int) -> int | None:
        line = self.lines[at].strip()
        return int(line) if line.isascii() and line.isdigit() and len(line) < 10 else None

    def _has_bad_mark(self) -> bool:
        marks = _MEANT_INSIDE.findall(self.lines[self.at])
        return any(not _INSIDE.fullmatch(mark) and re.search(r"\d[:;.,-]", mark) for mark in marks)

    def _unreadable(self) -> TranscriptError:
        end = self.at + 1
        while end < len(self.lines) and self.lines[end].strip() and not is_meant(self.lines[end]):
            end += 1
        said = " ".join(self.lines[self.at + 1 : end]).strip()
        over = f" over the words “{_short(said)}”" if said else ""
        return self._refuse(self.at, f"times that cannot be read, “{_short(self.lines[self.at])}”,{over}".rstrip(","))

    def _refuse_strays(self, strays: Sequence[int], number: int | None) -> None:
        """Refuse words outside of all cues; the number of a next cue that is not there says nothing."""
        if not strays or (len(strays) == 1 and self._number(strays[0]) == (number or 0) + 1):
            return
        said = " ".join(self.lines[at] for at in strays)
        raise self._refuse(strays[0], f"a text that belongs to no cue, “{_short(said)}”")

    def _refuse(self, at: int, found: str) -> TranscriptError:
        allowed = f"cues: a line of times as {_EXAMPLE}, their words under it, an empty line after them"
        return self.source.refuse("transcript_shape", f"line {at + 1}", found, allowed)


def words(found: Sequence[Cue]) -> list[Heard]:
    """Return the words of the cues, with times where the cues give them."""
    if any(_INSIDE.search(line) for cue in found for line in cue.lines):
        return list(_marked(found))
    return [word for text, cues_ in groupby(found, key=_text) for word in _shown(text, list(cues_))]


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def _milliseconds(clock: Sequence[str | None]) -> int:
    hours, minutes, seconds, part = clock
    whole = int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return whole * 1000 + int((part or "0").ljust(3, "0"))


def _clean(text: str) -> str:
    return html.unescape(_TAG.sub("", text)).strip()


def _text(cue: Cue) -> str:
    return _clean(" ".join(cue.lines))


def _speaker(cue: Cue) -> str | None:
    voice = _VOICE.search("\n".join(cue.lines))
    return voice[1].strip() if voice else None


def _shown(text: str, run: Sequence[Cue]) -> list[Heard]:
    """Return the words of neighbouring cues with the same text.

    Where their highlighted words are, together, the words of the text (as often as it is said), each has its cue's
    times, and cues without a highlight fill the time between. Else a highlight is an ornament.
    """
    marked: list[Heard] = []
    for cue in run:
        parts = _HIGHLIGHT.findall("\n".join(cue.lines))
        who = _speaker(cue) if parts else None
        for _, part in parts:
            marked.extend(in_segment(_clean(part), cue.start_ms, cue.end_ms, speaker=who))
    letters, whole = "".join(word.text for word in marked), "".join(text.split())
    if letters and letters == whole * (len(letters) // len(whole)):
        return marked
    return [word for cue in run for word in in_segment(text, cue.start_ms, cue.end_ms, speaker=_speaker(cue))]


def _marked(found: Sequence[Cue]) -> Iterator[Heard]:
    """Yield words between marks; a line that the cue before showed already is passed over."""
    before: set[str] = set()
    for cue in found:
        shown = [_clean(_INSIDE.sub("", line)) for line in cue.lines]
        lines = zip(cue.lines, shown, strict=True)
        new = [line for line, text in lines if _INSIDE.search(line) or text not in before]
        before = set(shown)
        pieces = _INSIDE.split("\n".join(new))
        starts = [cue.start_ms, *(_milliseconds(pieces[at : at + 4]) for at in range(1, len(pieces), 5))]
        texts = pieces[0::5]
        who = _speaker(cue)
        for text, start, end in zip(texts, starts, [*starts[1:], cue.end_ms], strict=True):
            yield from in_segment(_clean(text), start, end, speaker=who)
