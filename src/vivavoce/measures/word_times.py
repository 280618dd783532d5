"""Word times that pauses can rest on: forced alignment where there is one, then voice activity at the silences (M2a).

The forced alignment says which word is where and which gaps there are; voice activity says where exactly a silence
begins and ends. Where the alignment failed, or fits the words hardly better than the same sounds backwards, the words
keep the times they came with and voice activity is alone. docs/evidence/word-times.md has the comparison.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from vivavoce.measures.edges import CLOSURE_MS, MOVED_MS, Correction, correct_edges
from vivavoce.measures.pauses import HESITATION_MS, PAUSE_MS, joined, parted
from vivavoce.measures.unwritten import IsVoice, nobody
from vivavoce.notice import Notice
from vivavoce.timeline import Segment, Word
from vivavoce.transcript.forced import VOICE, ForcedAlignment, ForcedPhone

Ground = Literal["forced_alignment", "voice_activity"]
SNAP_MS = 100
VOICE_MS = 150
LEAST_GAP_MS = 100
TOUCHING_MS = 1
IN_SILENCE_MS = 600
"""No word lies in a hesitation for so long (chosen; no word of the tuning recordings does for more than 528 ms)."""
BAD_SCORE = -2.0
# Of no use to who reads a card: where a guess went wrong, the alignment is poor.
UNTOLD = frozenset({"pronunciation_guessed"})
UNTRUSTED = frozenset({"alignment_failed", "alignment_poor"})


@dataclass(frozen=True, slots=True)
class WordTimes:
    """The words, as many and in the same order; what their times rest on; what was noticed.

    `unwritten`: speech between two pauses that is no word of the transcript, in order.
    """

    words: tuple[Word, ...]
    ground: Ground
    notices: tuple[Notice, ...] = ()
    unwritten: tuple[Segment, ...] = ()


def word_times(
    words: Sequence[Word],
    forced: ForcedAlignment | None,
    speech: Sequence[Segment],
    duration_ms: int,
    is_voice: IsVoice = nobody,
) -> WordTimes:
    """Return the words with the best times there are: forced alignment, then voice activity at the edges of silences.

    Parameters: `words` as they were heard; `forced` the alignment of the same words, None: not made; `speech` the
    stretches of voice activity; `duration_ms` of the recording; `is_voice` says of a stretch of sound without words
    whether somebody speaks (`unwritten`).
    Raises ValueError where `forced` has not as many words. Source: issue 3, point 0; M2a.
    """
    if forced is not None and trusted(forced):
        placed = at_silences(timed(words, forced), forced, speech, duration_ms, is_voice)
        notices = [notice for notice in forced.notices if notice.code not in UNTOLD]
        notices += _moved(words, placed.words, _ALIGNED)
        return WordTimes(placed.words, "forced_alignment", tuple(notices), placed.unwritten)
    corrected = correct_edges(words, speech, duration_ms, is_voice)
    failed = () if forced is None else forced.notices
    notices = [*failed, *_moved(words, corrected.words, _CORRECTED)]
    return WordTimes(corrected.words, "voice_activity", tuple(notices), corrected.unwritten)


def trusted(forced: ForcedAlignment) -> bool:
    """Return whether an alignment may be the ground for times."""
    return forced.aligned and not any(notice.code in UNTRUSTED for notice in forced.notices)


def timed(words: Sequence[Word], forced: ForcedAlignment) -> list[Word]:
    """Return the words with their forced times; one without keeps its own, held between its neighbours'."""
    made: list[Word] = []
    later = [word.start_ms for word in forced.words]
    before = 0
    for index, (word, found) in enumerate(zip(words, forced.words, strict=True)):
        if found.start_ms is not None and found.end_ms is not None:
            made.append(replace(word, start_ms=found.start_ms, end_ms=found.end_ms))
        else:
            end = next((start for start in later[index + 1 :] if start is not None), max(before, word.end_ms))
            start_ms = min(max(word.start_ms, before), end)
            made.append(replace(word, start_ms=start_ms, end_ms=min(max(word.end_ms, start_ms), end)))
        before = made[-1].end_ms
    return made


def at_silences(
    words: Sequence[Word],
    forced: ForcedAlignment,
    speech: Sequence[Segment],
    duration_ms: int,
    is_voice: IsVoice = nobody,
) -> Correction:
    """Return forced words with the edges of the silences between them put where the voice ends and begins.

    A gap between two words is a silence, but for a voice in it that is no word of the transcript (an "um" that was not
    written down): one of VOICE_MS or more by the alignment, or a stretch of sound for which `is_voice` holds. Every
    pause beside it stays, or else the longest rest. A silence that voice
    activity finds inside words is believed where they fit the sound badly, under BAD_SCORE: quiet speech is not cut.
    Each edge goes to that of the silence that voice activity finds there, where it is within SNAP_MS (a pause
    may grow by CLOSURE_MS); no pause is lost by that.
    """
    edges = [Segment(0, 0), *speech, Segment(duration_ms, duration_ms)]
    quiet = [Segment(a.end_ms, b.start_ms) for a, b in pairwise(edges) if b.start_ms > a.end_ms]
    voices = [voice for one in forced.between if one.name == VOICE for voice in _sounding(one, speech)]
    waits = [one for one in quiet if one.length_ms >= HESITATION_MS]
    spans = [Segment(0, 0), *(_cut(Segment(word.start_ms, word.end_ms), waits) for word in words), edges[-1]]
    between = [Segment(a.end_ms, b.start_ms) for a, b in pairwise(spans)]
    gaps = [
        part for gap in between for part in _silent(gap, joined([*voices, *_heard(gap, speech, is_voice)], TOUCHING_MS))
    ]
    silences = [_snapped(_without_ends(gap, speech, is_voice), quiet) for gap in gaps]
    silences += [
        one
        for one in quiet
        if one.length_ms >= PAUSE_MS
        and all(_shared(one, gap) <= 0 for gap in _touching(gaps, one))
        and _score_in(one, forced) < BAD_SCORE
    ]
    silences.sort(key=lambda one: one.start_ms)
    rest = [Segment(0, 0), *silences, edges[-1]]
    sounds = [Segment(a.end_ms, b.start_ms) for a, b in pairwise(rest) if b.start_ms > a.end_ms]
    return correct_edges(words, sounds, duration_ms, is_voice, blip_ms=0)


def _touching(ordered: Sequence[Segment], stretch: Segment) -> Sequence[Segment]:
    """Those of some stretches, in order and none over another, that share a time with another stretch, or touch it."""
    low = bisect_left(ordered, stretch.start_ms, key=lambda one: one.end_ms)
    high = bisect_right(ordered, stretch.end_ms, lo=low, key=lambda one: one.start_ms)
    return ordered[low:high]


def _cut(word: Segment, waits: Sequence[Segment]) -> Segment:
    """The longer part of a word, before or after a hesitation that it lies in for IN_SILENCE_MS or more."""
    for one in waits:
        before, after = one.start_ms - word.start_ms, word.end_ms - one.end_ms
        if _shared(one, word) >= IN_SILENCE_MS and max(before, after) > 0:
            word = Segment(word.start_ms, one.start_ms) if before >= after else Segment(one.end_ms, word.end_ms)
    return word


def _shared(one: Segment, other: Segment) -> int:
    return min(one.end_ms, other.end_ms) - max(one.start_ms, other.start_ms)


def _span(phone: ForcedPhone) -> Segment:
    return Segment(phone.start_ms, phone.end_ms)


def _score_in(silence: Segment, forced: ForcedAlignment) -> float:
    """The mean score of the phones over a stretch of time, by their share of it; 0 where there are none."""
    phones = [phone for word in forced.words for phone in word.phones]
    shares = [(max(0, _shared(_span(phone), silence)), phone.score) for phone in phones]
    return sum(share * score for share, score in shares) / max(1, sum(share for share, _ in shares))


def _sounding(voice: ForcedPhone, speech: Sequence[Segment]) -> list[Segment]:
    """The parts of a voice, by the alignment, that sound, VOICE_MS or more: the model hears voices in silence too."""
    parts = [
        Segment(max(voice.start_ms, one.start_ms), min(voice.end_ms, one.end_ms))
        for one in _touching(speech, _span(voice))
    ]
    return [part for part in parts if part.length_ms >= VOICE_MS]


def _heard(gap: Segment, speech: Sequence[Segment], is_voice: IsVoice) -> list[Segment]:
    """The stretches of voice activity inside a gap that hold a voice; asked only where they part it into pauses."""
    inside = [one for one in _touching(speech, gap) if gap.start_ms <= one.start_ms and one.end_ms <= gap.end_ms]
    return [one for one in inside if any(part.length_ms >= PAUSE_MS for part in parted(gap, [one])) and is_voice(one)]


def _silent(gap: Segment, voices: Sequence[Segment]) -> list[Segment]:
    """The pauses of a gap between the voices in it; where there is none, its longest silence, unless it is short."""
    parts = parted(gap, voices)
    pauses = [part for part in parts if part.length_ms >= PAUSE_MS]
    longest = max(parts, key=lambda part: part.length_ms)
    return pauses or ([longest] if longest.length_ms >= LEAST_GAP_MS else [])


def _without_ends(gap: Segment, speech: Sequence[Segment], is_voice: IsVoice) -> Segment:
    """The gap without the voice that goes on into it from a word, or begins in it, by more than snapping mends."""
    start, end = gap.start_ms, gap.end_ms
    for one in _touching(speech, gap):
        if one.start_ms < start < one.end_ms - SNAP_MS and is_voice(Segment(start, one.end_ms)):
            start = one.end_ms
        if one.start_ms + SNAP_MS < end < one.end_ms and is_voice(Segment(one.start_ms, end)):
            end = one.start_ms
    return Segment(start, end) if end - start >= PAUSE_MS else gap


def _snapped(gap: Segment, quiet: Sequence[Segment]) -> Segment:
    best = max(_touching(quiet, gap), key=lambda one: _shared(one, gap), default=None)
    if best is None or _shared(best, gap) <= 0:
        return gap
    # A pause may take in the closure of a stop beside it; what is no pause is not made one by that.
    wider = CLOSURE_MS if gap.length_ms >= PAUSE_MS else SNAP_MS
    start = best.start_ms if -SNAP_MS <= gap.start_ms - best.start_ms <= wider else gap.start_ms
    end = best.end_ms if -SNAP_MS <= best.end_ms - gap.end_ms <= wider else gap.end_ms
    lost = gap.length_ms >= PAUSE_MS > end - start
    return gap if lost else Segment(start, end)


_ALIGNED = "word_times_aligned", "to where the acoustic model and the voice put them"
_CORRECTED = "word_times_corrected", "to where the voice is"


def _moved(before: Sequence[Word], after: Sequence[Word], how: tuple[str, str]) -> tuple[Notice, ...]:
    moves = [max(abs(b.start_ms - a.start_ms), abs(b.end_ms - a.end_ms)) for a, b in zip(before, after, strict=True)]
    count, largest_ms = sum(move >= MOVED_MS for move in moves), max(moves, default=0)
    if not count:
        return ()
    found = (
        f"the times of {count} words were moved {how[1]}, by up to {largest_ms / 1000:.2f} s, since recognisers "
        "stretch words over pauses"
    )
    return (Notice(how[0], found, ""),)
