"""From what was heard to numbers: a row of features for each sound, and one row for the stretch as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.listening.evidence import Evidence, by_word, mean_over, semitones
from vivavoce.listening.fits import Fit, fit_of
from vivavoce.listening.recognition import FRAME_MS as TOKEN_FRAME_MS
from vivavoce.listening.whole import whole_features
from vivavoce.transcript.forced.model import Floats
from vivavoce.transcript.forced.sound import FRAME_MS


@dataclass(frozen=True, slots=True)
class Features:
    """`sounds` (sounds, columns), `word_of` the word of each, `encoded` (sounds, encoder width), `whole` (columns,)."""

    sounds: Floats
    word_of: NDArray[np.int64]
    phone_of: NDArray[np.int64]
    encoded: Floats
    whole: Floats


def features(evidence: Evidence) -> tuple[Features, Mapping[str, float]]:
    """Return the features of a stretch, and those of the whole by name."""
    plain, lowered = fit_of(evidence.plain), fit_of(evidence.lowered)
    sounds = _sounds(evidence, plain, lowered)
    named = whole_features(evidence, plain, lowered)
    whole = np.array(list(named.values()), np.float32)
    segments = evidence.plain.segments
    return Features(sounds, segments.word, segments.phone, _encoded(evidence), whole), named


def _encoded(evidence: Evidence) -> Floats:
    """The encoder's output over each sound's frames, its mean."""
    segments, hidden = evidence.plain.segments, evidence.recognition.encoded
    total = np.concatenate([np.zeros((1, hidden.shape[1])), np.cumsum(hidden, axis=0, dtype=np.float64)])
    step = TOKEN_FRAME_MS // FRAME_MS
    first = np.minimum(segments.start // step, len(hidden) - 1)
    last = np.clip(-(-segments.end // step), first + 1, len(hidden))
    return np.asarray((total[last] - total[first]) / (last - first)[:, None], np.float32)


def _matched(evidence: Evidence, lowered: Fit, count: int) -> Fit:
    """The lowered hearing's fit for the sounds of the plain one; where they said a word another way, its mean."""
    plain, other = evidence.plain.segments, evidence.lowered.segments
    if len(plain) == len(other) and (plain.phone == other.phone).all():
        return lowered
    fields = [np.asarray(getattr(lowered, name)) for name in Fit.__dataclass_fields__]
    made = [np.zeros((count, *field.shape[1:]), np.float32) for field in fields]
    for word in np.unique(plain.word):
        mine, theirs = np.flatnonzero(plain.word == word), np.flatnonzero(other.word == word)
        if not len(theirs):
            continue
        rows = theirs[np.minimum(np.arange(len(mine)) * len(theirs) // len(mine), len(theirs) - 1)]
        for target, field in zip(made, fields, strict=True):
            target[mine] = field[rows]
    return Fit(*made)


def _sounds(evidence: Evidence, plain: Fit, lowered: Fit) -> Floats:
    segments = evidence.plain.segments
    count = len(segments)
    if not count:
        return np.zeros((0, 0), np.float32)
    other = _matched(evidence, lowered, count)
    words = by_word(evidence)[segments.word]
    frames = np.maximum(1, segments.end - segments.start)
    level, hertz, periodic = (
        mean_over(segments, x) for x in (evidence.level_db, semitones(evidence), evidence.periodic)
    )
    before = np.concatenate(([0], segments.start[1:] - segments.end[:-1]))
    after = np.concatenate((segments.start[1:] - segments.end[:-1], [0]))
    place = _places(segments.word)
    columns = [plain.score, plain.own, plain.margin, plain.rank, plain.start, plain.middle, plain.end]
    columns += [other.score, other.own, other.margin, other.rank, other.start, other.middle, other.end]
    columns += [np.log(frames), frames / max(1.0, float(np.median(frames))), np.log1p(other.frames)]
    columns += [
        level - float(np.mean(level)),
        hertz,
        periodic,
        np.log1p(np.maximum(before, 0)),
        np.log1p(np.maximum(after, 0)),
    ]
    columns += [*place, *words.T]
    return np.concatenate([np.stack(columns, axis=1), plain.by_phone, other.by_phone], axis=1).astype(np.float32)


def _places(word_of: NDArray[np.int64]) -> list[Floats]:
    """Of each sound: whether first and last in its word, and how many the word has."""
    first = np.concatenate(([True], np.diff(word_of) != 0))
    last = np.concatenate((np.diff(word_of) != 0, [True]))
    size = np.bincount(word_of)[word_of]
    return [np.asarray(x, np.float32) for x in (first, last, size)]
