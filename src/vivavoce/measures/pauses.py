"""Pauses between words (M2, M3) and their rates (M4).

Convention: words are in order of their start; a filled pause (um, uh) is a word here, since it is speech, not
silence. Times are whole milliseconds, so an edge is exact. Give words whose edges were corrected (`edges`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from vivavoce.measurement import Measurement, measured
from vivavoce.timeline import Pause, PauseKind, Word

PAUSE_MS = 250
HESITATION_MS = 1200


def pauses(words: Sequence[Word], boundary_after: Sequence[bool]) -> tuple[Pause, ...]:
    """Return the silences of 250 ms or more between consecutive words, each with its kind.

    kind = hesitation where the gap is 1,200 ms or more, wherever it is; else phrase at a phrase boundary; else choppy.

    Parameters: `words` in order, fillers included; `boundary_after[i]` whether a phrase ends after word i (M3), one
    entry a word (the last is not used). A gap starts at the latest end so far, so that a word within another's time
    makes no pause. Silence before the first and after the last word is no pause.
    Returns the pauses in order. Raises ValueError where there is not one boundary entry a word.
    Source: M2, M3.
    """
    if len(boundary_after) != len(words):
        raise ValueError(f"{len(words)} words but {len(boundary_after)} boundary entries")
    found: list[Pause] = []
    reached = words[0].end_ms if words else 0
    for index, word in enumerate(words[1:]):
        if word.start_ms - reached >= PAUSE_MS:
            found.append(Pause(reached, word.start_ms, _kind(word.start_ms - reached, boundary_after[index])))
        reached = max(reached, word.end_ms)
    return tuple(found)


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
