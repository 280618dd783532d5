"""Pauses between words (M2, M3) and their rates (M4).

Convention: words are in order of their start; a filled pause (um, uh) is a word here, since it is speech, not
silence. Times are whole milliseconds, so an edge is exact. Give words whose edges were corrected (`edges`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from vivavoce.measurement import Measurement, measured
from vivavoce.timeline import Pause, PauseKind, Segment, Word

PAUSE_MS = 250
HESITATION_MS = 1200


def pauses(
    words: Sequence[Word], boundary_after: Sequence[bool], unwritten: Sequence[Segment] = ()
) -> tuple[Pause, ...]:
    """Return the silences of 250 ms or more between consecutive words, each with its kind.

    kind = hesitation where the gap is 1,200 ms or more, wherever it is; else phrase at a phrase boundary; else choppy.

    Parameters: `words` in order, fillers included; `boundary_after[i]` whether a phrase ends after word i (M3), one
    entry a word (the last is not used); `unwritten` stretches of speech that nobody wrote down, in order: one in a gap
    parts it, since it is no silence, and one before the first or after the last word is parted from it by a pause. A
    gap starts at the latest end so far, so that a word within another's time makes no pause. Silence before the first
    and after the last sound is no pause. Between unwritten speech and the first word a phrase ends (chosen: nobody
    knows what was said).
    Returns the pauses in order. Raises ValueError where there is not one boundary entry a word.
    Source: M2, M3.
    """
    if len(boundary_after) != len(words):
        raise ValueError(f"{len(words)} words but {len(boundary_after)} boundary entries")
    if not words:
        return ()
    whole = response(words, unwritten)
    gaps = [(Segment(whole.start_ms, words[0].start_ms), True)]
    reached = words[0].end_ms
    for index, word in enumerate(words[1:]):
        gaps.append((Segment(reached, word.start_ms), boundary_after[index]))
        reached = max(reached, word.end_ms)
    gaps.append((Segment(reached, whole.end_ms), boundary_after[-1]))
    return tuple(
        Pause(part.start_ms, part.end_ms, _kind(part.length_ms, ends))
        for gap, ends in gaps
        for part in parted(gap, unwritten)
        if part.length_ms >= PAUSE_MS
    )


def response(words: Sequence[Word], unwritten: Sequence[Segment] = ()) -> Segment:
    """Return the response: first start to last end of the words and of what was said but not written down (M4)."""
    if not words:
        return Segment(0, 0)
    starts, ends = [words[0].start_ms], [word.end_ms for word in words]
    starts += [sound.start_ms for sound in unwritten]
    ends += [sound.end_ms for sound in unwritten]
    return Segment(min(starts), max(ends))


def parted(gap: Segment, sounds: Sequence[Segment]) -> list[Segment]:
    """Return what is left of a gap where the sounds inside it, in order, are taken out."""
    inside = [sound for sound in sounds if gap.start_ms <= sound.start_ms and sound.end_ms <= gap.end_ms]
    edges = [Segment(gap.start_ms, gap.start_ms), *inside, Segment(gap.end_ms, gap.end_ms)]
    return [Segment(before.end_ms, after.start_ms) for before, after in pairwise(edges)]


def joined(stretches: Iterable[Segment], least_ms: int) -> list[Segment]:
    """Return stretches in order of their start, those less than `least_ms` apart as one."""
    made: list[Segment] = []
    for one in sorted(stretches, key=lambda stretch: stretch.start_ms):
        if made and one.start_ms - made[-1].end_ms < least_ms:
            made[-1] = Segment(made[-1].start_ms, max(made[-1].end_ms, one.end_ms))
        else:
            made.append(one)
    return made


def _kind(gap_ms: int, at_boundary: bool) -> PauseKind:
    if gap_ms >= HESITATION_MS:
        return "hesitation"
    return "phrase" if at_boundary else "choppy"


def total_ms(found: Iterable[Pause], *kinds: PauseKind) -> int:
    """Return the summed length of the pauses of these kinds (of all, where none is named), in milliseconds."""
    return sum(pause.length_ms for pause in found if not kinds or pause.kind in kinds)


def per_minute(name: str, found: Iterable[Pause], kind: PauseKind, response_ms: int) -> Measurement:
    """Return how many pauses of that kind there are a minute of response time.

    count * 60,000 / response_ms, to 0.01 a minute.

    Parameters: `name` of the measurement; `response_ms` first word's start to last word's end (M4).
    Returns a measurement in 1/min, None where the response has no length. Source: M4.
    """
    if response_ms <= 0:
        return measured(name, None, "1/min", "M4", "the response has no length")
    count = sum(pause.kind == kind for pause in found)
    return measured(name, Fraction(count * 60_000, response_ms), "1/min", "M4")
