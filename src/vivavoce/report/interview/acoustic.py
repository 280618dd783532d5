"""What recordings of an interview show by ear: pace, pauses, fillers, restarts, how sure the recogniser was.

It stands beside the transcript's criteria and enters no band: V33 judges text alone (the guide: "do not infer sound or
delivery from text"), and no published table leads from these numbers to a band.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from vivavoce.arithmetic import apply
from vivavoce.measurement import Measurement, measured
from vivavoce.report.interview.document import trace_dict
from vivavoce.trace import Exact, Node, leaf

if TYPE_CHECKING:
    from vivavoce.measures.recording import Measured

    Steps = Callable[[Sequence[Measured]], Node | None]

STATEMENT = (
    "Heard in the recordings, and shown beside the bands: no band above is made from any of it, and none may be "
    "read off it."
)
LIMITS = (
    "The recogniser's confidence is a hint at how easily a machine told the words apart, not a measure of "
    "pronunciation: it falls with noise, a poor microphone, rare words and names, and with accents that the "
    "recogniser heard little of; it is compared fairly only between recordings of one device and one recogniser.",
    "Hesitations, fillers and restarts are floors unless the transcript is verbatim: recognisers leave out um and uh.",
    "A pause is silence between two words; whether it was thinking, breathing or searching for a word is not heard.",
    "Pace and pauses have no right value: fluent adult readers come to 130 to 231 words a minute by this measure (M4).",
)
MINUTE_S = leaf("parameter", "seconds_per_minute", 60, unit="s", source="M4")
WINDOW_S = leaf("parameter", "window_s", 30, unit="s", source="A13")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A value as it is told: its title, what it means, its unit."""

    title: str
    meaning: str
    unit: str


KINDS: Mapping[str, _Kind] = {
    "response_s": _Kind("Response", "first word's start to last word's end, summed over the recordings", "s"),
    "words_per_minute": _Kind("Pace", "words over speaking time: response less hesitations", "wpm"),
    "pace_variation": _Kind(
        "Pace variation", "how much the pace swings around its mean, mean of the recordings", "ratio"
    ),
    "pauses_per_minute": _Kind("Pauses", "silences of 0.25 to 1.2 s between words, a minute of response", "1/min"),
    "hesitations_per_minute": _Kind("Hesitations", "silences of 1.2 s and more, a minute of response", "1/min"),
    "fillers_per_30_s": _Kind("Fillers", "um, uh, you know and their like, in 30 s of response", "count"),
    "restarts_per_30_s": _Kind("Restarts", "false starts, repetitions and cut-off words, in 30 s of response", "count"),
    "word_confidence": _Kind(
        "Word confidence", "the recogniser's own, mean over words, 0 to 1: a hint, no more", "ratio"
    ),
}
# The measurement whose note says what a reader must know of a value.
NOTED = {
    "words_per_minute": "words_per_minute",
    "pace_variation": "pace_variation",
    "fillers_per_30_s": "filled_pauses",
    "restarts_per_30_s": "false_starts",
}


def acoustic_evidence(found: Sequence[Measured]) -> dict[str, Any]:
    """Return what the recordings of one part show, over all of them and each by itself.

    Rates are sums over sums: words_per_minute = sum of words / (sum of speaking_s / 60); pauses and hesitations a
    minute likewise over response_s; fillers and restarts in 30 s as A13 has it, over all recordings together;
    word_confidence = sum of confidences / number of words that have one; pace_variation is the mean of the recordings
    in which it could be measured. Each value is rounded half up once (A2) and carries its steps.
    Parameters: `found` what was measured of each recording, in order. Source: M1-M5, A13; pooling chosen.
    """
    heard = [one for one in found if one.has_speech]
    return {
        "statement": STATEMENT,
        "recordings": [
            {
                "number": number,
                "speech": one.has_speech,
                "values": {
                    name: _rounded(name, _STEPS[name]([one] if one.has_speech else [])).number for name in KINDS
                },
            }
            for number, one in enumerate(found, 1)
        ],
        "values": [_value(name, heard) for name in KINDS],
        "limits": list(LIMITS),
    }


def _value(name: str, heard: Sequence[Measured]) -> dict[str, Any]:
    kind, step = KINDS[name], _STEPS[name](heard)
    shown = _rounded(name, step)
    return {
        "name": name,
        "title": kind.title,
        "meaning": kind.meaning,
        "value": shown.number,
        "unit": kind.unit,
        "note": _note(name, heard),
        "trace": None if step is None else trace_dict(step),
    }


def _rounded(name: str, step: Node | None) -> Measurement:
    return measured(name, None if step is None else step.value, KINDS[name].unit, "acoustic")


def _note(name: str, heard: Sequence[Measured]) -> str:
    """What a reader must know of a value: why there is none, that it is a floor, that some recordings lack it."""
    if not heard:
        return "no words in any recording"
    if name == "word_confidence" and _confidence(heard) is None:
        return "the transcripts give no confidence"
    having = [one for one in heard if _STEPS[name]([one]) is not None]
    told = {one.measurements[NOTED[name]].note for one in heard} if name in NOTED else set()
    if having and len(having) < len(heard):
        told.add(f"measured in {len(having)} of {len(heard)} recordings")
    return "; ".join(sorted(note for note in told if note))


def _leaf(one: Measured, name: str) -> Node | None:
    found = one.measurements.get(name)
    return None if found is None else found.node()


def _sum(heard: Sequence[Measured], name: str) -> Node | None:
    """The sum of a measurement over the recordings; None where one of them has none, or there is none."""
    leaves = [_leaf(one, name) for one in heard]
    known = [node for node in leaves if node is not None]
    if not known or len(known) < len(leaves):
        return None
    return apply("sum", name, *known, unit=known[0].unit, source=known[0].source)


def _counted(name: str, counts: Sequence[Exact], source: str) -> Node:
    """The sum of what was counted in each recording."""
    leaves = [
        leaf("measured", f"{name}_{at}", count, unit="count", source=source) for at, count in enumerate(counts, 1)
    ]
    return apply("sum", name, *leaves, unit="count", source=source)


def _per_minute(name: str, count: Node | None, seconds: Node | None) -> Node | None:
    if count is None or seconds is None or seconds.value == 0:
        return None
    minutes = apply("ratio", "minutes", seconds, MINUTE_S, unit="min", source="M4")
    return apply("ratio", name, count, minutes, unit=KINDS[name].unit, source="M4")


def _pace(heard: Sequence[Measured]) -> Node | None:
    return _per_minute("words_per_minute", _sum(heard, "word_count"), _sum(heard, "speaking_s"))


def _pauses(name: str, hesitations: bool) -> Steps:
    def steps(heard: Sequence[Measured]) -> Node | None:
        counts = [sum((pause.kind == "hesitation") == hesitations for pause in one.pauses) for one in heard]
        return _per_minute(name, _counted(name.removesuffix("_per_minute"), counts, "M2"), _sum(heard, "response_s"))

    return steps


def _per_window(name: str, count: Node | None, heard: Sequence[Measured]) -> Node | None:
    response = _sum(heard, "response_s")
    if count is None or response is None or response.value == 0:
        return None
    return apply("per_window", name, count, response, WINDOW_S, unit="count", source="A13")


def _fillers(heard: Sequence[Measured]) -> Node | None:
    known = [node for kind in ("filled_pauses", "fillers") if (node := _sum(heard, kind)) is not None]
    count = apply("sum", "fillers", *known, unit="count", source="A13") if len(known) == 2 else None
    return _per_window("fillers_per_30_s", count, heard)


def _restarts(heard: Sequence[Measured]) -> Node | None:
    """Restarts as the fluency tables count them: a cut-off inside another restart is one with it."""
    from vivavoce.measures.disfluency.counts import count_restarts

    if _sum(heard, "false_starts") is None:
        return None
    counts = [count_restarts(one.disfluencies) for one in heard]
    return _per_window("restarts_per_30_s", _counted("restarts", counts, "A13"), heard)


def _variation(heard: Sequence[Measured]) -> Node | None:
    known = [node for one in heard if (node := _leaf(one, "pace_variation")) is not None]
    return apply("mean", "pace_variation", *known, unit="ratio", source="M5") if known else None


def _confidence(heard: Sequence[Measured]) -> Node | None:
    """Sum over count of the words that have a confidence; each recording's sum rounded to 0.001."""
    sums, counts = [], []
    for one in heard:
        known = [Fraction(word.confidence) for word in one.words if word.confidence is not None]
        if known:
            total = measured("confidence_sum", sum(known, Fraction()), "ratio", "recogniser").node()
            assert total is not None
            sums.append(total)
            counts.append(leaf("measured", "words_with_confidence", len(known), unit="words", source="recogniser"))
    if not sums:
        return None
    whole = apply("sum", "confidence_sum", *sums, unit="ratio", source="recogniser")
    words = apply("sum", "words_with_confidence", *counts, unit="words", source="recogniser")
    return apply("ratio", "word_confidence", whole, words, unit="ratio", source="recogniser")


_STEPS: Mapping[str, Steps] = {
    "response_s": lambda heard: _sum(heard, "response_s"),
    "words_per_minute": _pace,
    "pace_variation": _variation,
    "pauses_per_minute": _pauses("pauses_per_minute", hesitations=False),
    "hesitations_per_minute": _pauses("hesitations_per_minute", hesitations=True),
    "fillers_per_30_s": _fillers,
    "restarts_per_30_s": _restarts,
    "word_confidence": _confidence,
}
