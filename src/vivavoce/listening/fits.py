"""How well each sound fits its place, and what is heard when any sound may follow any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from vivavoce.listening.acoustics import Acoustics, Segments
from vivavoce.transcript.forced.model import STATES, Floats, load_model
from vivavoce.transcript.forced.result import NOISE, SILENCE, VOICE

FILLERS = (SILENCE, NOISE, VOICE)
LOWEST_FIT = -25.0


@dataclass(frozen=True, slots=True)
class Fit:
    """How well each sound fits its place, of one hearing: by sound, and by any phone in its stead (sounds, phones)."""

    score: Floats
    own: Floats
    margin: Floats
    rank: Floats
    start: Floats
    middle: Floats
    end: Floats
    by_phone: Floats
    frames: Floats


def fit_of(heard: Acoustics) -> Fit:
    """Return the fit of each aligned sound.

    own = mean over its frames of log p(frame | the sound's best state) - log p(frame | any sound's best state);
    margin = own - the best of the other sounds over the same frames (goodness of pronunciation, Witt and Young 2000).
    """
    model = load_model()
    keep = [index for name, index in model.phones.items() if name not in FILLERS]
    column = np.full(len(model.phones), -1)
    column[keep] = np.arange(len(keep))
    states = heard.fit.reshape(len(heard.fit), -1, STATES)
    best = np.maximum(states.max(axis=2), LOWEST_FIT)
    total = np.concatenate([np.zeros((1, best.shape[1])), np.cumsum(best, axis=0, dtype=np.float64)])
    segments = heard.segments
    length = np.maximum(1, segments.end - segments.start)
    mean = (total[segments.end] - total[segments.start]) / length[:, None]
    by_phone = mean[:, keep]
    index = np.arange(len(segments))
    own = by_phone[index, column[segments.phone]] if len(segments) else np.zeros(0)
    others = by_phone.copy()
    if len(segments):
        others[index, column[segments.phone]] = -np.inf
    rival = others.max(axis=1) if len(segments) else np.zeros(0)
    thirds = [_third(heard, segments, place) for place in range(STATES)]
    rank = (others > own[:, None]).sum(axis=1)
    as_float = [np.asarray(x, np.float32) for x in (segments.score, own, own - rival, rank, *thirds, by_phone, length)]
    return Fit(*as_float)


def _third(heard: Acoustics, segments: Segments, place: int) -> Floats:
    """The mean fit of one third of each sound in the state that belongs there."""
    made = np.zeros(len(segments))
    length = segments.end - segments.start
    for index in range(len(segments)):
        first = segments.start[index] + length[index] * place // STATES
        last = max(first + 1, segments.start[index] + length[index] * (place + 1) // STATES)
        own = heard.fit[first:last, STATES * segments.phone[index] + place]
        made[index] = np.maximum(own, LOWEST_FIT).mean()
    return np.asarray(made, np.float32)


def phone_loop(heard: Acoustics, first: int, last: int, enter: float = -3.0) -> tuple[list[int], float]:
    """Return the sounds heard when any may follow any, and the mean fit of that path, frames first to last.

    Viterbi over all sounds of three states each; `enter` is the log cost of another sound.
    """
    fit = heard.fit[first:last]
    if not len(fit):
        return [], 0.0
    count = fit.shape[1]
    begin = np.arange(0, count, STATES)
    value = np.full(count, -1e9)
    value[begin] = 0.0
    value += fit[0]
    came = np.zeros((len(fit), count), np.int64)
    stay = np.arange(count)
    before = np.maximum(stay - 1, 0)
    for frame in range(1, len(fit)):
        forward = value[before]
        ends = value[STATES - 1 :: STATES]
        last_phone = int(ends.argmax())
        forward[begin] = ends[last_phone] + enter
        moved = forward > value
        came[frame] = np.where(moved, before, stay)
        came[frame, begin[moved[begin]]] = STATES * last_phone + STATES - 1
        value = np.where(moved, forward, value) + fit[frame]
    state = int(value[STATES - 1 :: STATES].argmax()) * STATES + STATES - 1
    score = float(value[state]) / len(fit)
    path = [state]
    for frame in range(len(fit) - 1, 0, -1):
        state = int(came[frame, state])
        path.append(state)
    path.reverse()
    sounds = [path[0] // STATES]
    for earlier, later in pairwise(path):
        if later // STATES != earlier // STATES or (later % STATES == 0 and earlier % STATES == STATES - 1):
            sounds.append(later // STATES)
    return sounds, score


def edit_distance(one: Sequence[int], other: Sequence[int]) -> int:
    """Return the least number of insertions, deletions and substitutions from one to the other (Levenshtein)."""
    row = list(range(len(other) + 1))
    for index, item in enumerate(one, 1):
        corner, row[0] = row[0], index
        for place, against in enumerate(other, 1):
            corner, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, corner + (item != against))
    return row[-1]
