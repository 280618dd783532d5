"""The work of `listen`: cut into stretches, hear each, and put together what they give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vivavoce.listening.acoustics import RATE, WARP, hear, levels, pitch
from vivavoce.listening.doubts import Heard, doubts
from vivavoce.listening.ear import trained
from vivavoce.listening.evidence import Evidence
from vivavoce.listening.features import features
from vivavoce.listening.intervals import interval
from vivavoce.listening.network import Prediction, predict
from vivavoce.listening.parts import LONGEST_MS, MOST_WORDS, Stretch, stretches
from vivavoce.listening.recognition import recognise
from vivavoce.listening.result import SCALES, Estimate, HeardPhone, HeardWord, Listening, Part, TextSource
from vivavoce.timeline import Word
from vivavoce.transcript.forced.model import Floats, load_model
from vivavoce.transcript.forced.sound import FRAME_MS
from vivavoce.transcript.forced.work import align
from vivavoce.transcript.weights import Weights

VERSION = 1
NOT_ALIGNED = "not found in the recording"


def name() -> str:
    """Return the listener's name: version and digest of its weights."""
    return f"local {VERSION} / {trained().sha256[:12]}"


def evidence_of(samples: Floats, words: Sequence[str], weights: Weights) -> Evidence:
    """Hear one stretch in every way that the features need.

    Parameters: `samples` mono at 16 kHz, at least one; `words` at least one; `weights` the recogniser's.
    """
    hertz, periodic = pitch(samples)
    return Evidence(
        hear(samples, words),
        hear(samples, words, WARP),
        recognise(samples, words, str(weights.path), weights.sha256),
        levels(samples),
        hertz,
        periodic,
        len(words),
    )


def listen_to(
    samples: Floats,
    words: Sequence[str],
    text: TextSource,
    ends: Sequence[bool] | None,
    hints: Sequence[Word] | None,
    confidence: Sequence[float | None] | None,
    weights: Weights,
) -> Listening:
    """Return what the listener makes of a recording; see `vivavoce.listening`."""
    heard = [HeardWord(word, None, None, None, None, (), NOT_ALIGNED) for word in words]
    parts: list[Part] = []
    kept: list[Heard] = []
    for stretch in _stretches(samples, words, ends, hints):
        first, last = (ms * RATE // 1000 for ms in (stretch.start_ms, stretch.end_ms))
        piece, own = samples[first:last], words[stretch.first : stretch.last]
        if not len(piece):
            continue
        evidence = evidence_of(piece, own, weights)
        if not len(evidence.plain.segments):
            continue
        found, named = features(evidence)
        made = predict(trained().ears[text], found, len(own))
        parts.append(_part(stretch, made))
        kept.append(Heard(evidence, named, stretch))
        _put(heard, stretch, evidence, made)
    return Listening(name(), text, _estimates(parts, text), tuple(heard), tuple(parts), doubts(kept, text, confidence))


def _stretches(
    samples: Floats, words: Sequence[str], ends: Sequence[bool] | None, hints: Sequence[Word] | None
) -> list[Stretch]:
    duration_ms = len(samples) * 1000 // RATE
    short = duration_ms <= LONGEST_MS + 1000 and len(words) <= MOST_WORDS
    alignment = None if short else align(samples, words, hints)
    return stretches(alignment, len(words), ends, duration_ms)


def _part(stretch: Stretch, made: Prediction) -> Part:
    values = {scale: round(float(value), 3) for scale, value in zip(SCALES, made.scales, strict=True)}
    return Part(stretch.start_ms, stretch.end_ms, (stretch.first, stretch.last), values)


def _estimates(parts: Sequence[Part], text: TextSource) -> dict[str, Estimate]:
    """The mean over the parts, each as heavy as it has words, and how far off it may be."""
    if not parts:
        return {}
    weight = np.array([part.words[1] - part.words[0] for part in parts], float)
    made = {}
    for scale in SCALES:
        value = float(np.average([part.values[scale] for part in parts], weights=weight))
        low, high = interval(trained().facts[text], scale, value, len(parts))
        made[scale] = Estimate(round(value, 2), round(low, 2), round(high, 2))
    return made


def _put(heard: list[HeardWord], stretch: Stretch, evidence: Evidence, made: Prediction) -> None:
    """Put the words of a stretch, with their sounds, into the list of all words."""
    names = list(load_model().phones)
    segments = evidence.plain.segments
    for place in range(stretch.last - stretch.first):
        chosen = np.flatnonzero(segments.word == place)
        if not len(chosen):
            continue
        sounds = tuple(
            HeardPhone(
                names[segments.phone[at]],
                stretch.start_ms + int(segments.start[at]) * FRAME_MS,
                stretch.start_ms + int(segments.end[at]) * FRAME_MS,
                round(float(made.sounds[at]), 3),
            )
            for at in chosen
        )
        word = heard[stretch.first + place]
        heard[stretch.first + place] = replace(
            word,
            start_ms=sounds[0].start_ms,
            end_ms=sounds[-1].end_ms,
            read_correctly=round(float(1 / (1 + np.exp(made.word_misread[place]))), 4),
            accuracy=round(float(made.word_accuracy[place]), 2),
            phones=sounds,
            reason="",
        )
