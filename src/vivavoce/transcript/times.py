"""Word times as recognisers give them, made fit to measure; everything done to them is told in a `Notice`.

What others write is not always in order: words without times (WhisperX gives numbers none), of no length, overlapping,
running backward or past the end. The rules, in this order:

    backward, ends before its start, outside the recording   its times are dropped: a word without times
    overlap     a word ends where the next begins, and the last of an overlap where the overlapped one ended:
                what was covered by words stays covered, so no pause is made or lost
    no times    a share, by length, of its segment or cue where the file gives one, else of the whole gap between its
                neighbours; where there is no gap, of the word before (at the beginning: after)
    no length   up to its expected length from the gap after (or before) it, else a share of the word before

Where more than a fifth of the words (and more than one) are faulty, or more than half overlap, nothing is mended:
`times_broken`; where less than half have times at all: `transcript_without_times`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise, takewhile
from typing import Literal

from vivavoce.errors import TranscriptError
from vivavoce.notice import Notice
from vivavoce.timeline import Segment, Transcript, Word
from vivavoce.transcript.stretched import expected_ms, told_stretched

BROKEN_SHARE = 0.2
OVERLAP_SHARE = 0.5
TIMED_SHARE = 0.5
ROUNDING_MS = 1
EDGE_MS = 50
_SHOWN = 3

Fault = Literal["missing", "backward", "beyond", "empty", "overlap"]


@dataclass(frozen=True, slots=True)
class Heard:
    """A word, or a piece of punctuation, as a file gives it; times in milliseconds, None where there are none.

    `speaker`, `channel`: as the file names them; the words of one channel are in order. `within`: the segment or cue
    that the word lies in, where that is known. `attach`: the side to which punctuation is joined without a space.
    """

    text: str
    start_ms: int | None = None
    end_ms: int | None = None
    confidence: float | None = None
    speaker: str | None = None
    channel: str | None = None
    within: Segment | None = None
    attach: Literal["before", "after", "both"] | None = None


@dataclass(slots=True)
class _Spoken:
    """A word while its times are mended."""

    heard: Heard
    start: int = 0
    end: int = 0
    timed: bool = False
    faults: set[Fault] = field(default_factory=set)

    @property
    def text(self) -> str:
        return self.heard.text

    def drop(self, fault: Fault) -> None:
        self.timed = False
        self.faults.add(fault)

    def set(self, start: int, end: int) -> None:
        self.start, self.end, self.timed = start, end, True


class TimesError(TranscriptError):
    """Words whose times cannot be used: `texts` are the words, for whoever needs no times."""

    def __init__(
        self, code: str, *, where: str, found: str, allowed: str, remedy: str, texts: Iterable[str] = ()
    ) -> None:
        super().__init__(code, where=where, found=found, allowed=allowed, remedy=remedy)
        self.texts = tuple(texts)

    @classmethod
    def of(cls, error: TranscriptError, texts: Iterable[str], prefix: str = "") -> TimesError:
        """Return an error of a transcript's times with its words, `prefix` put before its place."""
        where = f"{prefix} {error.where}".strip()
        told = {"found": error.found, "allowed": error.allowed, "remedy": error.remedy}
        return cls(error.code, where=where, **told, texts=texts)

    def at(self, prefix: str) -> TimesError:
        """Return the same error, with its words, with `prefix` put before its place."""
        return TimesError.of(self, self.texts, prefix)


def mend(heard: Sequence[Heard], duration_ms: int | None = None) -> tuple[tuple[Word, ...], tuple[Notice, ...]]:
    """Return the words in order of time, none overlapping, and what was done to their times.

    Parameters: `heard` words and punctuation, in order within each channel; `duration_ms` of the recording if known.
    Raises TimesError `transcript_without_times`, `times_broken`.
    """
    words = [_Spoken(word) for word in heard]
    channels = [list(channel) for _, channel in groupby(sorted(words, key=_channel), key=_channel)]
    for channel in channels:
        _check(channel, duration_ms)
    _refuse_broken(words, duration_ms)
    for channel in channels:
        _fit(channel, duration_ms)
    merged = sorted(words, key=lambda word: word.start)
    _uncover(merged, count=False)
    result = tuple(Word(word.text, word.start, word.end, word.heard.confidence) for word in merged)
    return result, (*_told(merged), *told_stretched(result))


def _channel(word: _Spoken) -> str:
    return word.heard.channel or ""


def fit_within(transcript: Transcript, duration_ms: int) -> Transcript:
    """Return a transcript whose words lie within its recording, with a notice of what was cut or moved.

    Parameters: `duration_ms` of the decoded recording; 50 ms past it are cut without a word.
    Raises TimesError `times_beyond_end` where over a fifth of the words (and more than one) are outside.
    """
    outside = [word for word in transcript.words if word.end_ms > duration_ms]
    late = [word for word in outside if word.end_ms > duration_ms + EDGE_MS]
    if len(late) > max(1, BROKEN_SHARE * len(transcript.words)) or len(late) == len(transcript.words) > 0:
        raise TimesError(
            "times_beyond_end",
            where=f"word {transcript.words.index(late[0]) + 1} of the transcript",
            found=f"{len(late)} of {len(transcript.words)} words after the end of the recording at {duration_ms} ms, "
            f"the first “{late[0].text}” from {late[0].start_ms} to {late[0].end_ms} ms",
            allowed=f"at most {BROKEN_SHARE:.0%} of the words",
            remedy="check that transcript and recording belong together, and that the times are in the format's unit",
            texts=[word.text for word in transcript.words],
        )
    if not outside:
        return transcript
    words, told = mend(
        [Heard(word.text, word.start_ms, word.end_ms, word.confidence) for word in transcript.words], duration_ms
    )
    cut = tuple(notice for notice in told if notice.code == "times_beyond_end")
    return replace(transcript, words=words, warnings=transcript.warnings + cut)


# --- one channel


def _check(words: Sequence[_Spoken], duration_ms: int | None) -> None:
    """Take the times that hold, cut overlaps, and note the faults."""
    for word in words:
        _take_times(word, duration_ms)
    _drop_backward([word for word in words if word.timed])
    timed = [word for word in words if word.timed]
    _uncover(timed, count=True)
    for word in timed:
        if word.end == word.start:
            word.faults.add("empty")


def _fit(words: list[_Spoken], duration_ms: int | None) -> None:
    """Give every word some time."""
    _fill_segments(words)
    for missing, run in _runs(words, lambda word: not word.timed):
        if missing:
            _fill(words, run)
    for empty, run in _runs(words, lambda word: word.end == word.start):
        if empty:
            _lengthen(words, run, duration_ms)


def _take_times(word: _Spoken, duration_ms: int | None) -> None:
    start, end = word.heard.start_ms, word.heard.end_ms
    if start is None:
        word.drop("missing")
        return
    end = start if end is None else end
    limit = end if duration_ms is None else duration_ms
    if end < start:
        word.drop("backward")
    elif end < 0 or start > limit:
        word.drop("beyond")
    else:
        if start < 0 or end > limit + EDGE_MS:
            word.faults.add("beyond")
        word.set(max(0, start), max(0, min(end, limit)))


def _drop_backward(words: Sequence[_Spoken]) -> None:
    """Drop the times of the fewest words such that the starts of the others never go back."""
    tails: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for index, word in enumerate(words):
        at = bisect_right(tails, word.start)
        before.append(places[at - 1] if at else -1)
        tails[at : at + 1] = [word.start]
        places[at : at + 1] = [index]
    kept = set()
    at = places[-1] if places else -1
    while at >= 0:
        kept.add(at)
        at = before[at]
    for index, word in enumerate(words):
        if index not in kept:
            word.drop("backward")


def _uncover(words: Sequence[_Spoken], *, count: bool) -> None:
    """Take overlaps off words in order of their starts; the time that they cover together stays the same."""
    covered = 0
    for word, following in pairwise(words):
        covered = max(covered, word.end)
        if count and following.start < word.end - ROUNDING_MS and word.heard.speaker == following.heard.speaker:
            word.faults.add("overlap")
        word.end = min(covered, following.start)
    if words:
        words[-1].end = max(covered, words[-1].end)


def _runs(words: Sequence[_Spoken], key: Callable[[_Spoken], bool]) -> Iterable[tuple[bool, range]]:
    at = 0
    for value, group in groupby([key(word) for word in words]):
        length = len(list(group))
        yield value, range(at, at + length)
        at += length


def _spread(words: Sequence[_Spoken], start: int, end: int) -> None:
    """Give the words the stretch from start to end, by their expected lengths, without a gap."""
    total = sum(expected_ms(word.text) for word in words)
    so_far, reached = 0, start
    for word in words:
        so_far += expected_ms(word.text)
        until = start + (end - start) * so_far // total
        word.set(reached, until)
        reached = until


def _fill_segments(words: Sequence[_Spoken]) -> None:
    """Spread words without times over the segment that they lie in, as far as their neighbours leave it free."""
    limits: list[int | None] = []
    for word in reversed(words):
        limits.append(word.start if word.timed else (limits[-1] if limits else None))
    reached, at = 0, 0
    for segment, group in groupby(words, key=lambda word: None if word.timed else word.heard.within):
        run = list(group)
        limit, at = limits[-1 - at], at + len(run)
        if segment is None:
            reached = max([reached, *(word.end for word in run if word.timed)])
            continue
        start, end = max(reached, segment.start_ms), segment.end_ms if limit is None else min(limit, segment.end_ms)
        if end > start:
            _spread(run, start, end)
            reached = end


def _fill(words: list[_Spoken], run: range) -> None:
    """Give words without times the gap between their neighbours, or a share of the word before (or after)."""
    group = words[run.start : run.stop]
    before = words[run.start - 1] if run.start else None
    after = words[run.stop] if run.stop < len(words) else None
    if before and after and after.start > before.end:
        _spread(group, before.end, after.start)
    elif before:
        _spread([before, *group], before.start, before.end)
    elif after:
        _spread([*group, after], after.start, after.end)


def _lengthen(words: list[_Spoken], run: range, duration_ms: int | None) -> None:
    """Give words of no length some of the gap beside them, or a share of the word before (or after)."""
    at = run.start
    while at < run.stop:
        word = words[at]
        same = list(takewhile(lambda other, start=word.start: other.start == start, words[at : run.stop]))  # type: ignore[misc]
        before = words[at - 1] if at else None
        after = words[at + len(same)] if at + len(same) < len(words) else None
        at += len(same)
        needed = sum(expected_ms(other.text) for other in same)
        limit = after.start if after else duration_ms or word.start
        earliest = before.end if before else 0
        if limit > word.start:
            _spread(same, word.start, min(limit, word.start + needed))
        elif earliest < word.start:
            _spread(same, max(earliest, word.start - needed), word.start)
        elif before:
            _spread([before, *same], before.start, before.end)
        elif after and after.end > after.start:
            _spread([*same, after], after.start, after.end)


# --- what is told


def _refuse_broken(words: Sequence[_Spoken], duration_ms: int | None) -> None:
    if not words:
        return
    untimed = [word for word in words if "missing" in word.faults]
    if len(words) - len(untimed) < TIMED_SHARE * len(words):
        bound = any(word.heard.within for word in untimed)
        of_segments = ": only the segments or cues that they stand in have times" if bound else ""
        found = f"{len(untimed)} of {len(words)} words without times{of_segments}"
        raise without_times(found, [word.text for word in words])
    broken = sum(bool(word.faults - {"overlap"}) for word in words)
    overlaps = sum("overlap" in word.faults for word in words)
    most, most_overlaps = max(1, BROKEN_SHARE * len(words)), max(1, OVERLAP_SHARE * len(words))
    if broken > most or overlaps > most_overlaps or not any(word.timed for word in words):
        end = "on" if duration_ms is None else f"to {duration_ms / 1000:.2f} s"
        raise TimesError(
            "times_broken",
            where="",
            found=f"of {len(words)} words, " + ", ".join(_refused(words)),
            allowed=f"faults in at most {BROKEN_SHARE:.0%} of the words, overlaps in {OVERLAP_SHARE:.0%}; "
            f"times from 0 {end}",
            remedy="align it with the audio (vivavoce align-audio), or leave --transcript out",
            texts=[word.text for word in words],
        )


def without_times(found: str, texts: Iterable[str] = ()) -> TimesError:
    """Return the refusal of a transcript that does not say when its words (`texts`, where known) were spoken."""
    return TimesError(
        "transcript_without_times",
        where="",
        found=found,
        allowed="words with their start and end (pace and pauses are measured from them)",
        remedy="align it with the audio (vivavoce align-audio), export it with word times, or leave --transcript out",
        texts=texts,
    )


# Each fault: the code of its notice, what it is, what is done about it.
_MEANING: dict[Fault, tuple[str, str, str]] = {
    "missing": ("words_without_times", "without times", "spread between their neighbours"),
    "backward": ("times_backward", "running backward", "given times between their neighbours"),
    "beyond": (
        "times_beyond_end",
        "outside the recording",
        "cut at its edge or given times between their neighbours",
    ),
    "empty": ("times_zero_length", "of no length", "given some of the gap beside them or of the word before"),
    "overlap": ("times_overlapping", "reaching into the next word", "cut where that begins"),
}


def _faulty(words: Sequence[_Spoken]) -> Iterable[tuple[Fault, list[_Spoken]]]:
    for fault in _MEANING:
        found = [word for word in words if fault in word.faults]
        if found:
            yield fault, found


def _refused(words: Sequence[_Spoken]) -> Iterable[str]:
    """Yield each kind of fault with the first words that have it and the times that the file gives them."""
    for fault, found in _faulty(words):
        # A word is also left without time where the next begins with it.
        meaning = _MEANING[fault][1] + (" or beginning with the next word" if fault == "empty" else "")
        yield f"{len(found)} {meaning} ({_examples(found, _as_given)})"


def _as_given(word: _Spoken) -> str:
    start, end = word.heard.start_ms, word.heard.end_ms
    if start is None:
        return f"“{word.text}”"
    until = "" if end is None else f" to {end / 1000:.2f} s"
    return f"“{word.text}” from {start / 1000:.2f}{until or ' s'}"


def _as_mended(word: _Spoken) -> str:
    return f"“{word.text}” at {word.start / 1000:.2f} s"


def _examples(words: Sequence[_Spoken], shown: Callable[[_Spoken], str]) -> str:
    return ", ".join(map(shown, words[:_SHOWN])) + (", ..." if len(words) > _SHOWN else "")


def _told(words: Sequence[_Spoken]) -> Iterable[Notice]:
    for fault, found in _faulty(words):
        code, meaning, done = _MEANING[fault]
        yield Notice(
            code,
            f"of {len(words)} words, {len(found)} {meaning}, {done} ({_examples(found, _as_mended)})",
            "pauses and pace near these words are less sure; align the transcript with the audio if it matters",
        )
