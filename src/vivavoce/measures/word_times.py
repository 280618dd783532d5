"""Word times that pauses can rest on: forced alignment where there is one, then voice activity at the silences (M2a).

The forced alignment says which word is where and which gaps there are; voice activity says where exactly a silence
begins and ends. Where the alignment failed, or fits the words hardly better than the same sounds backwards, the words
keep the times they came with and voice activity is alone. docs/measurements.md, "Word times", has the comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from vivavoce.measures.edges import CLOSURE_MS, MOVED_MS, correct_edges
from vivavoce.measures.pauses import PAUSE_MS
from vivavoce.notice import Notice
from vivavoce.timeline import Segment, Word
from vivavoce.transcript.forced import VOICE, ForcedAlignment

Ground = Literal["forced_alignment", "voice_activity"]
SNAP_MS = 100
VOICE_MS = 150
LEAST_GAP_MS = 100
BAD_SCORE = -2.0
# Of no use to who reads a card: where a guess went wrong, the alignment is poor.
UNTOLD = frozenset({"pronunciation_guessed"})
UNTRUSTED = frozenset({"alignment_failed", "alignment_poor"})


@dataclass(frozen=True, slots=True)
class WordTimes:
    """The words, as many and in the same order; what their times rest on; what was noticed."""

    words: tuple[Word, ...]
    ground: Ground
    notices: tuple[Notice, ...] = ()


def word_times(
    words: Sequence[Word], forced: ForcedAlignment | None, speech: Sequence[Segment], duration_ms: int
) -> WordTimes:
    """Return the words with the best times there are: forced alignment, then voice activity at the edges of silences.

    Parameters: `words` as they were heard; `forced` the alignment of the same words, None: not made; `speech` the
    stretches of voice activity; `duration_ms` of the recording.
    Raises ValueError where `forced` has not as many words. Source: issue 3, point 0; M2a.
    """
    if forced is not None and trusted(forced):
        placed = at_silences(timed(words, forced), forced, speech, duration_ms)
        notices = [notice for notice in forced.notices if notice.code not in UNTOLD]
        return WordTimes(placed, "forced_alignment", (*notices, *_moved(words, placed, _ALIGNED)))
    corrected = correct_edges(words, speech, duration_ms).words
    failed = () if forced is None else forced.notices
    return WordTimes(corrected, "voice_activity", (*failed, *_moved(words, corrected, _CORRECTED)))


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
    words: Sequence[Word], forced: ForcedAlignment, speech: Sequence[Segment], duration_ms: int
) -> tuple[Word, ...]:
    """Return forced words with the edges of the silences between them put where the voice ends and begins.

    A gap between two words is a silence, but for a voice of VOICE_MS or more in it that is no word of the transcript
    (an "um" that was not written down): that goes to the words beside it, the longest rest stays. A silence that voice
    activity finds inside words is believed where they fit the sound badly, under BAD_SCORE: quiet speech is not cut.
    Each edge goes to that of the silence that voice activity finds there, where it is within SNAP_MS (a pause
    may grow by CLOSURE_MS); no pause is lost by that.
    """
    edges = [Segment(0, 0), *speech, Segment(duration_ms, duration_ms)]
    quiet = [Segment(a.end_ms, b.start_ms) for a, b in pairwise(edges) if b.start_ms > a.end_ms]
    voices = [
        Segment(one.start_ms, one.end_ms)
        for one in forced.between
        if one.name == VOICE and one.end_ms - one.start_ms >= VOICE_MS
    ]
    spans = [Segment(0, 0), *(Segment(word.start_ms, word.end_ms) for word in words), edges[-1]]
    gaps = [_longest(Segment(a.end_ms, b.start_ms), voices) for a, b in pairwise(spans)]
    gaps = [gap for gap in gaps if gap.length_ms >= LEAST_GAP_MS]
    silences = [_snapped(gap, quiet) for gap in gaps]
    silences += [
        one
        for one in quiet
        if one.length_ms >= PAUSE_MS
        and all(_shared(one, gap) <= 0 for gap in gaps)
        and _score_in(one, forced) < BAD_SCORE
    ]
    silences.sort(key=lambda one: one.start_ms)
    rest = [Segment(0, 0), *silences, edges[-1]]
    sounds = [Segment(a.end_ms, b.start_ms) for a, b in pairwise(rest) if b.start_ms > a.end_ms]
    return correct_edges(words, sounds, duration_ms).words


def _shared(one: Segment, other: Segment) -> int:
    return min(one.end_ms, other.end_ms) - max(one.start_ms, other.start_ms)


def _score_in(silence: Segment, forced: ForcedAlignment) -> float:
    """The mean score of the phones over a stretch of time, by their share of it; 0 where there are none."""
    phones = [phone for word in forced.words for phone in word.phones]
    shares = [(max(0, _shared(Segment(phone.start_ms, phone.end_ms), silence)), phone.score) for phone in phones]
    return sum(share * score for share, score in shares) / max(1, sum(share for share, _ in shares))


def _longest(gap: Segment, voices: Sequence[Segment]) -> Segment:
    inside = [voice for voice in voices if gap.start_ms <= voice.start_ms and voice.end_ms <= gap.end_ms]
    edges = [Segment(gap.start_ms, gap.start_ms), *inside, Segment(gap.end_ms, gap.end_ms)]
    parts = [Segment(before.end_ms, after.start_ms) for before, after in pairwise(edges)]
    return max(parts, key=lambda part: part.length_ms)


def _snapped(gap: Segment, quiet: Sequence[Segment]) -> Segment:
    best = max(quiet, key=lambda one: _shared(one, gap), default=gap)
    if _shared(best, gap) <= 0:
        return gap
    # A pause may take in the closure of a stop beside it; what is no pause is not made one by that.
    wider = CLOSURE_MS if gap.length_ms >= PAUSE_MS else SNAP_MS
    start = best.start_ms if -SNAP_MS <= gap.start_ms - best.start_ms <= wider else gap.start_ms
    end = best.end_ms if -SNAP_MS <= best.end_ms - gap.end_ms <= wider else gap.end_ms
    lost = gap.length_ms >= PAUSE_MS > end - start
    return gap if lost or start >= end else Segment(start, end)


_ALIGNED = "word_times_aligned", "to where the acoustic model and the voice put them"
_CORRECTED = "word_times_corrected", "to where the voice is"


def _moved(before: Sequence[Word], after: Sequence[Word], how: tuple[str, str]) -> tuple[Notice, ...]:
    moves = [max(abs(b.start_ms - a.start_ms), abs(b.end_ms - a.end_ms)) for a, b in zip(before, after, strict=True)]
    count, largest_ms = sum(move >= MOVED_MS for move in moves), max(moves, default=0)
    if not count:
        return ()
    found = f"the times of {count} words were moved {how[1]}, by up to {largest_ms / 1000:.2f} s"
    return (Notice(how[0], found, "nothing to do: recognisers stretch words over pauses"),)
