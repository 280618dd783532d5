"""All disruptions of a transcript, with their times and the recovery after each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vivavoce.measures.disfluency.draft import Draft, Kind
from vivavoce.measures.disfluency.fillers import find_fillers
from vivavoce.measures.disfluency.grammar import find_grammar_breaks
from vivavoce.measures.disfluency.marks import find_breaks_at_marks
from vivavoce.measures.disfluency.repeats import find_repetitions
from vivavoce.measures.disfluency.restarts import find_restarts
from vivavoce.measures.disfluency.units import Unit, read_units
from vivavoce.measures.pauses import PAUSE_MS
from vivavoce.timeline import Word
from vivavoce.transcript.alignment import Alignment

FLUENT_WORDS = 3
"""Speech is fluent again from the first of three words in a row without disruption or pause (chosen)."""

FILLERS: tuple[Kind, ...] = ("filled_pause", "filler")
RESTARTS: tuple[Kind, ...] = ("false_start", "repetition", "cut_off")


@dataclass(frozen=True, slots=True)
class Disfluency:
    """One disruption.

    `start_ms`, `end_ms`: from the first word that is left behind (or the filler) to the last editing word. `words`:
    what is left behind, or the filler; `editing`: the words between; `repaired`: what was said instead. `first_word`,
    `last_word`: their places in the transcript, both inclusive, `repaired` not among them. `recovery_ms`: from where
    speech broke off (the start of a filler, the end of the last word left behind) to the first of FLUENT_WORDS fluent
    words, which begins at `resumed_ms`; None where the recording ends before.
    """

    kind: Kind
    start_ms: int
    end_ms: int
    words: tuple[str, ...]
    editing: tuple[str, ...]
    repaired: tuple[str, ...]
    first_word: int
    last_word: int
    recovery_ms: int | None
    resumed_ms: int | None = None


def find_disfluencies(words: Sequence[Word], alignment: Alignment | None = None) -> tuple[Disfluency, ...]:
    """Return the disruptions in a verbatim transcript, in order of their start.

    Parameters: `words` in order, fillers included, times in milliseconds; `alignment` of a reading with its
    reference: what the reference has (a refrain, a repeated word, an "ah") is no disruption, and a wrong word mended
    at once is one. Deterministic, English only. Source: the fluency tables of the guide; M1; Shriberg 1994; rules
    chosen and measured in docs/evidence/disfluency.md.
    """
    units = read_units(words)
    drafts = find_restarts(units)
    held = {place for draft in drafts for place in range(draft.broken, draft.resumed)}
    fillers = find_fillers(units, held)
    held |= {place for draft in fillers for place in range(draft.start, draft.resumed)}
    drafts += [*fillers, *_fragments(units)]
    left = {place for draft in drafts if draft.kind in RESTARTS for place in range(draft.start, draft.broken)}
    drafts += _apart(find_repetitions(units, held), left)
    left |= {place for draft in drafts if draft.kind in RESTARTS for place in range(draft.start, draft.broken)}
    drafts += _apart(find_breaks_at_marks(units, held), left)
    left |= {place for draft in drafts if draft.kind in RESTARTS for place in range(draft.start, draft.broken)}
    drafts += _apart(find_grammar_breaks(units, held | left), left)
    if alignment is not None:
        matched = _matched(alignment)
        drafts = [draft for draft in drafts if not _in_reference(units, draft, matched)]
        drafts += _apart(_mended(units, alignment), {place for draft in drafts for place in _span(draft)})
    drafts.sort(key=lambda draft: (draft.start, draft.resumed))
    fluent = _fluent_places(units, drafts)
    return tuple(_event(units, draft, fluent) for draft in drafts)


def _span(draft: Draft) -> range:
    return range(draft.start, draft.resumed)


def _apart(drafts: list[Draft], left: Collection[int]) -> list[Draft]:
    """The drafts whose words no other event has left behind already."""
    return [draft for draft in drafts if not any(place in left for place in range(draft.start, draft.broken))]


def _fragments(units: list[Unit]) -> list[Draft]:
    return [
        Draft("cut_off", place, place + 1, place + 1, min(place + 2, len(units)))
        for place, unit in enumerate(units)
        if unit.sort == "fragment"
    ]


def _matched(alignment: Alignment) -> dict[int, tuple[int, int]]:
    """The words that were read as the reference has them: index -> the first and last reference word of it."""
    found: dict[int, tuple[int, int]] = {}
    for label in alignment.labels:
        at = label.reference_position
        if label.counted == "matched" and at is not None:
            for token in label.hypothesis:
                for index in token.word_indices:
                    found[index] = (found.get(index, (at, at))[0], at)
    return found


def _in_reference(units: list[Unit], draft: Draft, matched: Mapping[int, tuple[int, int]]) -> bool:
    """Whether all that was said, the repair included, stands in the reference."""
    end = draft.end if draft.kind in RESTARTS else draft.resumed
    if any(unit.sort == "fragment" or unit.index not in matched for unit in units[draft.start : end]):
        return False
    if draft.kind != "repetition":
        return True
    # As many words left out as said again: "red lorry [yellow lorry] red lorry" is one red lorry too many.
    read = [matched[unit.index] for unit in units[draft.start : end] if unit.sort == "word"]
    skipped = sum(max(0, after[0] - before[1] - 1) for before, after in pairwise(read))
    return skipped != draft.end - draft.resumed


def _mended(units: list[Unit], alignment: Alignment) -> list[Draft]:
    """A word that the reference does not have, begun like the right one that follows at once ("cot, cat")."""
    matched = _matched(alignment)
    drafts: list[Draft] = []
    for place, (unit, after) in enumerate(pairwise(units)):
        wrong = unit.sort == "word" and not unit.number and unit.index not in matched
        if wrong and after.index in matched and len(unit.key) > 2 and unit.key[:2] == after.key[:2]:
            drafts.append(Draft("false_start", place, place + 1, place + 1, place + 2))
    return drafts


def _fluent_places(units: list[Unit], drafts: Sequence[Draft]) -> list[int]:
    """The places from which speech is fluent: three words (fewer at the end) undisturbed, without a pause between."""
    disturbed = {place for draft in drafts for place in _span(draft)}
    found: list[int] = []
    for place in range(len(units)):
        run = range(place, min(place + FLUENT_WORDS, len(units)))
        if any(step in disturbed for step in run):
            continue
        if all(units[step + 1].start_ms - units[step].end_ms < PAUSE_MS for step in run[:-1]):
            found.append(place)
    return found


def _event(units: list[Unit], draft: Draft, fluent: Sequence[int]) -> Disfluency:
    left = units[draft.start : draft.broken]
    held = units[draft.start : draft.resumed]
    broke_off = left[0].start_ms if draft.kind in FILLERS else left[-1].end_ms
    following = bisect_left(fluent, draft.resumed)
    resumes = units[fluent[following]].start_ms if following < len(fluent) else None
    return Disfluency(
        draft.kind,
        left[0].start_ms,
        max(unit.end_ms for unit in held),
        tuple(unit.text for unit in left),
        tuple(unit.text for unit in units[draft.broken : draft.resumed]),
        tuple(unit.text for unit in units[draft.resumed : draft.end]),
        left[0].first,
        held[-1].index,
        None if resumes is None else max(0, resumes - broke_off),
        resumes,
    )
