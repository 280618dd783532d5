"""How likely each senone makes each frame: exactly, or roughly with one Gaussian a senone.

log p(frame | senone) = sum over the three streams of log sum over g  weight[senone, g] N(x; mean[g], variance[g])
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.transcript.forced.graph import DEAD, GAP_COSTS
from vivavoce.transcript.forced.model import STATES, Floats, Model
from vivavoce.transcript.forced.sound import Sound, streams

Indices = NDArray[np.int64]
RIVALS = 5
"""In the near search, the best context-free senone of a frame is looked for in so many phones, the roughly likeliest,
and in those that are searched."""
_LEAST = np.float32(1e-30)


@dataclass(frozen=True, slots=True)
class Frames:
    """Some frames of a recording as the Gaussians take them: [x*x, x, 1] by stream, and of all streams at once."""

    parts: tuple[Floats, ...]
    whole: Floats

    def __len__(self) -> int:
        return int(self.whole.shape[1])


def frames_of(sound: Sound, start: int, stop: int) -> Frames:
    """Return the frames start to stop of a recording."""
    parts = [np.ascontiguousarray(part.T) for part in streams(sound.cepstrum, start, stop)]
    ones = np.ones((1, stop - start), np.float32)
    squares = [part * part for part in parts]
    each = tuple(np.concatenate([square, part, ones]) for square, part in zip(squares, parts, strict=True))
    return Frames(each, np.concatenate([*squares, *parts, ones]))


def rough(model: Model, frames: Frames, senones: Indices) -> Floats:
    """Return the log likelihood of each frame in each of `senones`, each taken for one Gaussian: (senones, frames)."""
    made: Floats = model.rough[senones] @ frames.whole
    return made


def mixed(model: Model, frames: Frames, phone: int, senones: Indices, places: Indices | None = None) -> Floats:
    """Return the log likelihood of some frames (None: of all) in some senones of one phone: (senones, places)."""
    made = np.zeros((len(senones), len(frames) if places is None else len(places)), np.float32)
    for part, stream in zip(frames.parts, model.streams, strict=True):
        density = stream.weight[phone] @ (part if places is None else part.take(places, axis=1))
        top = np.maximum.reduce(density, axis=0)
        density -= top
        np.exp(density, out=density)
        share = stream.mixture[senones] @ density
        np.maximum(share, _LEAST, out=share)
        np.log(share, out=share)
        made += share
        made += top
    return made


def exact(
    model: Model, frames: Frames, senones: Indices, searched: NDArray[np.bool_] | None = None
) -> tuple[Floats, Floats]:
    """Return the log likelihood of each frame in each of `senones` (sorted), and in its best context-free senone.

    `searched`, of shape (phones, frames): where a phone's senones are wanted; elsewhere they may be DEAD, and the best
    is that of the phones searched and of the likeliest RIVALS. None: everywhere, and the best of all.
    Returns arrays of shape (senones, frames) and (frames,).
    """
    wanted = np.full((len(senones), len(frames)), DEAD, np.float32)
    best = np.full(len(frames), DEAD, np.float32)
    owners = model.phone_of[senones]
    order = np.argsort(owners, kind="stable")
    edges = np.searchsorted(owners[order], np.arange(len(model.phones) + 1))
    needed = None if searched is None else searched | _rivals(model, frames)
    for phone in range(len(model.phones)):
        rows = order[edges[phone] : edges[phone + 1]]
        places = None if needed is None else np.flatnonzero(needed[phone])
        if places is not None and not len(places):
            continue
        free = np.arange(STATES * phone, STATES * (phone + 1))
        made = mixed(model, frames, phone, np.concatenate((free, senones[rows])), places)
        if places is None:
            np.maximum(best, made[:STATES].max(axis=0), out=best)
            wanted[rows] = made[STATES:]
        else:
            best[places] = np.maximum(best[places], made[:STATES].max(axis=0))
            wanted[rows[:, None], places] = made[STATES:]
    return wanted, best


def _rivals(model: Model, frames: Frames) -> NDArray[np.bool_]:
    """By phone and frame, whether the phone is among the roughly likeliest; those of gaps always are."""
    likely = rough(model, frames, np.arange(model.context_free)).reshape(-1, STATES, len(frames)).max(axis=1)
    least = np.partition(likely, len(likely) - RIVALS, axis=0)[len(likely) - RIVALS]
    found: NDArray[np.bool_] = likely >= least
    found[[model.phones[name] for name in GAP_COSTS]] = True
    return found
