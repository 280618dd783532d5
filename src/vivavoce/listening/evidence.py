"""All that was heard of one stretch, and what several features need of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vivavoce.listening.acoustics import Acoustics, Segments
from vivavoce.listening.recognition import Recognition
from vivavoce.transcript.forced.model import Floats

VOICED_FROM = 0.5
_USUAL_PITCH_HZ = 150.0
LEAST_VOICED_FRAMES = 20


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was heard of one stretch: two hearings of the sounds, the recogniser, levels, pitch; lists by frame."""

    plain: Acoustics
    lowered: Acoustics
    recognition: Recognition
    level_db: Floats
    pitch_hz: Floats
    periodic: Floats
    words: int


def by_word(evidence: Evidence) -> Floats:
    """Return the log probability of each word's tokens: (words, 3): sum, mean, least."""
    made = np.zeros((evidence.words, 3), np.float32)
    for word in range(evidence.words):
        own = evidence.recognition.forced_log[evidence.recognition.forced_word == word]
        if len(own):
            made[word] = own.sum(), own.mean(), own.min()
    return made


def middle_pitch(pitch_hz: Floats, periodic: Floats) -> float | None:
    """Return the middle pitch of some frames in semitones over 1 Hz, or None where too few of them are voiced."""
    voiced = pitch_hz[periodic > VOICED_FROM]
    return 12 * math.log2(float(np.median(voiced))) if len(voiced) >= LEAST_VOICED_FRAMES else None


def semitones(evidence: Evidence) -> Floats:
    """Return the pitch of each frame in semitones from the middle of the stretch; 0 where nothing is voiced."""
    voiced = evidence.periodic > VOICED_FROM
    middle = float(np.median(evidence.pitch_hz[voiced])) if voiced.any() else _USUAL_PITCH_HZ
    return np.where(voiced, 12 * np.log2(np.maximum(evidence.pitch_hz, 1.0) / middle), 0).astype(np.float32)


def mean_over(segments: Segments, values: Floats) -> Floats:
    """Return the mean of some values by frame over the frames of each sound."""
    total = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
    first = np.minimum(segments.start, len(values) - 1)
    last = np.clip(segments.end, first + 1, len(values))
    return np.asarray((total[last] - total[first]) / (last - first), np.float32)
