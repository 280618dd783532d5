"""Why an estimate should not be trusted: each reason has a name, what was found, and what to do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from vivavoce.listening.ear import trained
from vivavoce.listening.evidence import Evidence, middle_pitch
from vivavoce.listening.parts import Stretch
from vivavoce.listening.result import TextSource
from vivavoce.notice import Notice
from vivavoce.transcript.forced.sound import FRAME_MS

LEAST_SPEECH_MS = 1_000
LEAST_OVER_ROOM_DB = 15.0
LEAST_CONFIDENCE = 0.5
# Of two sentences by one learner 0.9 % lie further apart, of two by different ones 32 % (bench/two_speakers.py).
SPEAKERS_APART_SEMITONES = 7.0


@dataclass(frozen=True, slots=True)
class Heard:
    """A stretch that was listened to, with the features of the whole by name."""

    evidence: Evidence
    whole: Mapping[str, float]
    stretch: Stretch


def doubts(
    heard: Sequence[Heard], text: TextSource, confidence: Sequence[float | None] | None = None
) -> tuple[Notice, ...]:
    """Return the reasons to doubt what was heard, the gravest first; none where all is well."""
    if not heard:
        return (_FAILED,)
    found = [_too_short(heard), _wrong_text(heard, text), _noise(heard), _two_speakers(heard)]
    if text == "recogniser":
        found.append(_unsure(confidence) or _OPEN)
    return tuple(notice for notice in found if notice is not None)


def _words(one: Heard) -> int:
    return one.stretch.last - one.stretch.first


def _too_short(heard: Sequence[Heard]) -> Notice | None:
    spoken_ms = sum(int((h.evidence.plain.segments.end - h.evidence.plain.segments.start).sum()) for h in heard)
    spoken_ms *= FRAME_MS
    if spoken_ms >= LEAST_SPEECH_MS:
        return None
    if sum(one.stretch.end_ms - one.stretch.start_ms for one in heard) >= 2 * LEAST_SPEECH_MS:
        return Notice(
            "listening_failed",
            f"the words were found in {spoken_ms / 1000:.1f} s of the recording only",
            "record again in a quieter place, and check that the text belongs to the recording",
        )
    return Notice(
        "listening_too_short",
        f"{spoken_ms / 1000:.1f} s of speech; under {LEAST_SPEECH_MS / 1000:.0f} s nothing can be said of it",
        "record a longer answer",
    )


def text_fits(facts: Mapping[str, Any], whole: Mapping[str, float]) -> float:
    """Return how likely it is that a stretch says its text, 0 to 1.

    1 / (1 + exp(-(bias + sum of weight * feature))), a logistic regression of right texts against exchanged ones.
    Parameters: `facts` bias and weights by feature; `whole` the features of a stretch by name.
    """
    total = facts["bias"] + sum(weight * whole[name] for name, weight in facts["weights"].items())
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, total))))


def _wrong_text(heard: Sequence[Heard], text: TextSource) -> Notice | None:
    facts = trained().facts["text"]
    fits = np.average([text_fits(facts, one.whole) for one in heard], weights=[_words(one) for one in heard])
    if fits >= facts["least"]:
        return None
    if text == "reference":
        return Notice(
            "listening_wrong_text",
            "what is heard hardly fits the text",
            "check that the text belongs to the recording; let a person listen",
        )
    return Notice(
        "listening_other_language",
        "what is heard hardly fits any English words: it may be another language, music or noise",
        "let a person listen, or record again in a quieter place",
    )


def _noise(heard: Sequence[Heard]) -> Notice | None:
    over = float(np.average([one.whole["level.over_room"] for one in heard], weights=[_words(one) for one in heard]))
    if over >= LEAST_OVER_ROOM_DB:
        return None
    return Notice(
        "listening_noise",
        f"the speech is {over:.0f} dB over the room; under {LEAST_OVER_ROOM_DB:.0f} dB sounds are lost",
        "record again in a quieter place or nearer to the microphone; let a person listen",
    )


def _two_speakers(heard: Sequence[Heard]) -> Notice | None:
    """Two groups of stretches whose voices lie far apart: the largest step between their pitches, in order."""
    voices = sorted(pitch for one in heard if (pitch := _pitch(one)) is not None)
    widest = max((high - low for low, high in pairwise(voices)), default=0.0)
    if widest < SPEAKERS_APART_SEMITONES:
        return None
    return Notice(
        "listening_two_speakers",
        f"voices that lie {widest:.0f} semitones apart: it may be more than one person",
        "let a person listen, and record one speaker at a time",
    )


def _pitch(one: Heard) -> float | None:
    """The middle pitch of a stretch, from its first sound to its last."""
    segments, evidence = one.evidence.plain.segments, one.evidence
    spoken = slice(int(segments.start[0]), int(segments.end[-1]))
    return middle_pitch(evidence.pitch_hz[spoken], evidence.periodic[spoken])


def _unsure(confidence: Sequence[float | None] | None) -> Notice | None:
    """Open speech of which the recogniser itself is not sure."""
    known = [value for value in confidence or () if value is not None]
    if not known or sum(known) / len(known) >= LEAST_CONFIDENCE:
        return None
    return Notice(
        "listening_open_speech",
        f"the recogniser is unsure of its own words ({sum(known) / len(known):.2f} on average), which served as text",
        "let a person listen, or give a transcript by a person",
    )


_FAILED = Notice(
    "listening_failed",
    "the words could not be found in the recording",
    "check that the text belongs to the recording; let a person listen",
)
_OPEN = Notice(
    "listening_open_speech",
    "nobody wrote down what is said: the recogniser's own words served as text, so sounds it misheard pass for right",
    "give a transcript by a person where it matters; trust the score less than one of a reading",
)
