"""Disruptions counted by kind, and per 30 seconds as the fluency tables want them (A13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from vivavoce.arithmetic import apply
from vivavoce.measurement import Measurement, measured
from vivavoce.measures.disfluency.draft import Kind
from vivavoce.measures.disfluency.find import FILLERS, Disfluency, find_disfluencies
from vivavoce.notice import Notice
from vivavoce.timeline import Transcript, Word
from vivavoce.trace import leaf
from vivavoce.transcript.alignment import Alignment
from vivavoce.transcript.language import is_english

WINDOW_S = 30
"""The fluency tables count per 30 seconds (published)."""

NOTHING_TO_RECOVER = "nothing to recover from"
_RECOVERY = "fluency, recovery"
FLUENCY = ("false_starts_per_30_s", "disruptive_fillers_per_30_s", "recovery_s", "longest_recovery_s")
"""What the levels of fluency are judged by: two for the level tables (A13), recovery, which has no table."""


def measure_disfluency(
    transcript: Transcript, words: Sequence[Word], alignment: Alignment | None, response_s: float
) -> tuple[tuple[Disfluency, ...], tuple[Measurement, ...], tuple[Notice, ...]]:
    """Return the disruptions of a recording, their counts, and the notice that the counts are a floor.

    Parameters: `transcript` says whether it is verbatim and in which language; `words` its words with corrected times;
    `alignment` of a reading; `response_s` the response time (M4). In another language than English nothing is counted.
    """
    if not is_english(transcript.language):
        note = f"the rules know English only, the transcript is in {transcript.language}"
        return (), tuple(measured(m.name, None, m.unit, m.source, note) for m in counts((), 0, verbatim=True)), ()
    events = find_disfluencies(words, alignment)
    notice = floor_notice(transcript.verbatim) if words else None
    notices = () if notice is None else (notice,)
    return events, counts(events, response_s, verbatim=transcript.verbatim), notices


def count_restarts(events: Sequence[Disfluency]) -> int:
    """Return the number of false starts, repetitions and cut-offs; a cut-off inside another of them is one with it."""
    larger = [event for event in events if event.kind in ("false_start", "repetition")]
    return len(larger) + sum(
        event.kind == "cut_off" and not any(other.first_word <= event.first_word <= other.last_word for other in larger)
        for event in events
    )


def counts(events: Sequence[Disfluency], response_s: float, *, verbatim: bool | None) -> tuple[Measurement, ...]:
    """Return the counts by kind and the two that the fluency tables want, per 30 seconds.

    per_30_s = round_half_up(count * 30 / response_s), the count itself under 30 s (A13).
    Parameters: `response_s` the response time (M4), 0 or more; `verbatim` whether the transcript keeps fillers.
    Returns `filled_pauses`, `fillers` (the others), `false_starts`, `repetitions`, `cut_offs`,
    `disruptive_fillers_per_30_s` (both kinds of fillers), `false_starts_per_30_s` (all restarts), `recovery_s` (mean),
    `longest_recovery_s`.
    """
    note = "" if verbatim else "at least this many: the transcript may have dropped some"
    kinds = Counter(event.kind for event in events)
    names: tuple[tuple[str, Kind], ...] = (
        ("filled_pauses", "filled_pause"),
        ("fillers", "filler"),
        ("false_starts", "false_start"),
        ("repetitions", "repetition"),
        ("cut_offs", "cut_off"),
    )
    made = [measured(name, kinds[kind], "count", "M1" if kind in FILLERS else "A13", note) for name, kind in names]
    rates = (
        ("disruptive_fillers_per_30_s", kinds["filled_pause"] + kinds["filler"]),
        ("false_starts_per_30_s", count_restarts(events)),
    )
    return (*made, *(_per_window(name, count, response_s, note) for name, count in rates), *_recovery(events))


def _recovery(events: Sequence[Disfluency]) -> tuple[Measurement, Measurement]:
    """The mean and the longest recovery; events before the same return to fluency are one, from the first of them."""
    longest: dict[int, int] = {}
    for event in events:
        if event.resumed_ms is not None and event.recovery_ms is not None:
            longest[event.resumed_ms] = max(event.recovery_ms, longest.get(event.resumed_ms, 0))
    lost = sum(event.resumed_ms is None for event in events)
    note = f"speech ends before it is fluent again after {lost} of {len(events)} disruptions" if lost else ""
    if not longest:
        note = note or NOTHING_TO_RECOVER
        return measured("recovery_s", None, "s", _RECOVERY, note), measured(
            "longest_recovery_s", None, "s", _RECOVERY, note
        )
    mean = Fraction(sum(longest.values()), 1000 * len(longest))
    most = Fraction(max(longest.values()), 1000)
    return measured("recovery_s", mean, "s", _RECOVERY, note), measured("longest_recovery_s", most, "s", _RECOVERY)


def _per_window(name: str, count: int, response_s: float, note: str) -> Measurement:
    operands = (
        ("count", count),
        ("response_s", measured("response_s", response_s, "s", "M4").value or 0),
        ("window", WINDOW_S),
    )
    node = apply("per_window", name, *(leaf("given", part, value) for part, value in operands))
    return measured(name, node.value, "count", "A13", note)


def floor_notice(verbatim: bool | None) -> Notice | None:
    """Return the notice that filler counts are a floor, unless the transcript is known to be verbatim."""
    if verbatim:
        return None
    found = (
        "the transcript is not verbatim" if verbatim is False else "it is not known whether the transcript is verbatim"
    )
    return Notice(
        "filler_counts_are_a_floor",
        f"{found}: recognisers drop um and uh, so there may be more fillers and restarts than counted",
        'give a verbatim transcript and say so ("verbatim": true), or let a person listen',
    )
