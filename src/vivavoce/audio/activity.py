"""Where there is speech: energy over an adaptive floor, band by band, in 10 ms frames.

The statistic of a frame is its energy over the noise floor, averaged over eight bands from 100 Hz to 7.6 kHz:
S = 10 log10(mean over bands of E_b / F_b). Each band has its own floor, so rumble, hum and hiss weigh nothing. Every
threshold is relative to the recording itself, so gain changes nothing (M8).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vivavoce.audio.levels import FRAME_MS
from vivavoce.audio.waveform import Waveform
from vivavoce.timeline import Segment

OVER_FLOOR_DB = 10.0
"""A frame this far over the floor is speech."""

LEAST_RANGE_DB = 12.0
"""Where not even 0.2 s of frames reach this far over the floor there is no speech: ten minutes of white or pink noise
reach 6 dB, speech in noise at a signal-to-noise ratio of 5 dB reaches 14 to 20."""

DEPTH_DB = 45.0
"""The floor is never taken to lie deeper under the loud frames than this: gates and digital silence have no floor."""

LONGEST_CLOSURE_FRAMES = 5
"""Shorter silences inside speech are closures of stops, not silence."""

LEAST_ISLAND_FRAMES = 8
"""Fewer active frames between silences are a click: one of 50 ms touches up to 7 frames."""

SILENT_DB = 60.0
"""Frames this far under the loud ones are digital silence, coded or not."""

UNDER_LOUD_DB = 26.0
"""A frame further than this under the loud frames is no speech, however deep the floor: breaths lie there."""

TAIL_FRAMES = 4
"""So far a word's soft beginning or end goes on under that."""

EDGE_MS, LATEST_MS = 30, 10
FADE_DB = 25.0
RISE_DB = 6.0
"""How edges are set finer than frames: see `_fine`."""

_MS = 16
_HOP = 160
_WINDOW = 320
_BAND_EDGES_HZ = (100, 300, 600, 1000, 1600, 2400, 3600, 5200, 7600)
_CHUNK = 4096
_FLOOR_WINDOW = 2000
_FLOOR_FRAMES = 30
_SMOOTH = 5


@dataclass(frozen=True, slots=True)
class Activity:
    """Which 10 ms frames are speech; frame k covers the time from 10 k to 10 (k + 1) ms.

    `edges`: the stretches of speech with their edges finer than the frames, where the recording was at hand.
    """

    speech: NDArray[np.bool_]
    edges: tuple[Segment, ...] | None = None

    def segments(self) -> tuple[Segment, ...]:
        """Return the stretches of speech in milliseconds, in order."""
        if self.edges is not None:
            return self.edges
        starts, ends = _runs(self.speech)
        return tuple(Segment(int(a) * FRAME_MS, int(b) * FRAME_MS) for a, b in zip(starts, ends, strict=True))


def detect(waveform: Waveform) -> Activity:
    """Return which frames of the recording are speech.

    A frame is speech where S (see above) is at least OVER_FLOOR_DB and within UNDER_LOUD_DB of the loud frames, or goes
    on up to TAIL_FRAMES from such a frame over OVER_FLOOR_DB; silences of up to 50 ms inside speech are closed and
    islands of fewer than 8 active frames dropped. The floor of a band is the mean of its 30 quietest frames (energies
    smoothed over 50 ms) in the 20 s around. Edges are set to 1 ms (`_fine`). Digital silence, a constant and steady
    noise are no speech; a loud breath, a cough or applause is: energy cannot tell.

    Measured against Silero, WebRTC's detector and both together on 30 readings, half of them held out: docs/pauses.md.
    Source: M2a, M8; the parameters are chosen on the other half.
    """
    heard = waveform.frames.energies() > 0
    if not heard.any():
        return Activity(np.zeros(heard.size, np.bool_))
    over = _over_floor(_band_energies(waveform.samples, heard.size), heard)
    loud = np.sort(over)[-min(20, over.size) :][0]
    if loud < LEAST_RANGE_DB:
        return Activity(np.zeros(heard.size, np.bool_))
    sound = close_gaps(over >= OVER_FLOOR_DB, LONGEST_CLOSURE_FRAMES)
    speech = _grow(over >= max(OVER_FLOOR_DB, loud - UNDER_LOUD_DB), sound)
    speech = _drop_islands(close_gaps(speech, LONGEST_CLOSURE_FRAMES), speech)
    return Activity(speech, tuple(_fine(waveform, speech)))


def _band_energies(samples: NDArray[np.float32], frames: int) -> NDArray[np.float32]:
    """Return the energies of shape (frames, bands): 20 ms Hann windows centred on the frames.

    The first difference is taken before, so that what lies under 100 Hz does not leak into the bands; beyond its
    ends the recording is thought to go on as it began and ended.
    """
    taper = np.hanning(_WINDOW).astype(np.float32)
    edges = [edge * _WINDOW // (_HOP * 100) for edge in _BAND_EDGES_HZ]
    result = np.empty((frames, len(edges) - 1), np.float32)
    for start in range(0, frames, _CHUNK):
        stop = min(frames, start + _CHUNK)
        first = start * _HOP - (_WINDOW - _HOP) // 2 - 1
        last = first + 1 + (stop - start - 1) * _HOP + _WINDOW
        piece = samples[max(0, first) : last]
        slope = np.diff(np.pad(piece, (max(0, -first), max(0, last - samples.size)), mode="edge"))
        spectrum = np.fft.rfft(np.lib.stride_tricks.sliding_window_view(slope, _WINDOW)[::_HOP] * taper)
        result[start:stop] = np.add.reduceat(spectrum.real**2 + spectrum.imag**2, edges, axis=1)[:, :-1]
    return result


def _over_floor(energies: NDArray[np.float32], heard: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return S per frame in dB; minus 100 where nothing is heard, and such frames set no floor."""
    result = np.full(heard.size, -100.0)
    loud = _loud(energies[heard].astype(np.float64))
    heard = heard & (energies.sum(axis=1) > loud.sum() * 10 ** (-SILENT_DB / 10))
    if not heard.any():
        return result
    kept = energies[heard].astype(np.float64)
    least = np.maximum(loud * 10 ** (-DEPTH_DB / 10), loud.max() * 1e-10)
    ratio = (kept / np.maximum(_floor(kept), least)).mean(axis=1)
    result[heard] = 10 * np.log10(np.maximum(ratio, 1e-10))
    return result


def _loud(energies: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what each band reaches in its loudest half second (or quarter of a short recording)."""
    loudest: NDArray[np.float64] = np.sort(energies, axis=0)[-min(50, -(-len(energies) // 4))]
    return loudest


def _floor(energies: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the floor of every band at every frame: windows of 20 s, half overlapping, joined by straight lines."""
    smooth = energies
    if len(energies) > 4 * _SMOOTH:
        totals = np.cumsum(np.vstack((np.zeros(energies.shape[1]), energies)), axis=0)
        smooth = (totals[_SMOOTH:] - totals[:-_SMOOTH]) / _SMOOTH
    hop = _FLOOR_WINDOW // 2
    starts = range(0, max(1, len(smooth) - hop), hop)
    floors = np.array([_quietest(smooth[start : start + _FLOOR_WINDOW]) for start in starts])
    centres = np.array([start + hop for start in starts])
    places = np.arange(len(energies))
    return np.stack([np.interp(places, centres, band) for band in floors.T], axis=1)


def _quietest(energies: NDArray[np.float64]) -> NDArray[np.float64]:
    count = max(1, min(_FLOOR_FRAMES, len(energies) // 4))
    quiet: NDArray[np.float64] = np.partition(energies, count - 1, axis=0)[:count].mean(axis=0)
    return quiet


def _runs(mask: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the starts and ends (exclusive) of the stretches where `mask` is true."""
    steps = np.diff(np.concatenate(([0], mask.astype(np.int8), [0])))
    return np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)


def close_gaps(mask: NDArray[np.bool_], longest: int) -> NDArray[np.bool_]:
    """Return the mask with its gaps of up to `longest` frames filled; what lies before and after it stays."""
    closed = mask.copy()
    starts, ends = _runs(mask)
    for end, start in zip(ends[:-1], starts[1:], strict=True):
        if start - end <= longest:
            closed[end:start] = True
    return closed


def _grow(core: NDArray[np.bool_], sound: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the core and the sound that goes on beside it, up to TAIL_FRAMES on either side: soft ends of words."""
    grown = core
    for _ in range(TAIL_FRAMES):
        beside = grown.copy()
        beside[1:] |= grown[:-1]
        beside[:-1] |= grown[1:]
        grown = core | (beside & sound)
    return grown


def _fine(waveform: Waveform, speech: NDArray[np.bool_]) -> Iterator[Segment]:
    """Yield the stretches of speech with their edges cut, by up to 10 ms, to where sound is.

    The window of a frame reaches over it by 5 ms on both sides and sound in a part of it makes all of it speech, so by
    frames alone silences come out 10 to 20 ms too short.
    """
    for start, end in zip(*_runs(speech), strict=True):
        first, last = int(start) * FRAME_MS, min(int(end) * FRAME_MS, waveform.duration_ms)
        begins, ends = _late(_around(waveform.samples, first)), _late(_around(waveform.samples, last)[::-1])
        yield Segment(first + begins, max(last - ends, first + begins + 1))


def _around(samples: NDArray[np.float32], edge_ms: int) -> NDArray[np.float64]:
    """Return the energies of the 1 ms blocks from EDGE_MS before the edge to EDGE_MS after it; 0 beyond the ends.

    They are those of the first difference, which is 0 at the first sample.
    """
    first, last = (edge_ms - EDGE_MS) * _MS, (edge_ms + EDGE_MS) * _MS
    before = samples[max(0, first - 1) : max(0, first)] if first > 0 else samples[:1]
    piece = np.diff(samples[max(0, first) : max(0, last)], prepend=before).astype(np.float64)
    left = min(max(0, -first), last - first)
    piece = np.pad(piece, (left, last - first - left - piece.size))
    energies: NDArray[np.float64] = np.square(piece).reshape(-1, _MS).sum(axis=1)
    return energies


def _late(energies: NDArray[np.float64]) -> int:
    """Return how many milliseconds inside the edge, in the middle of `energies`, sound begins: 0 to 10.

    Sound is within FADE_DB of the loudest block inside the edge and RISE_DB over the median outside. The first such
    block goes to the silence, so that a silence of exactly 1.2 s is not 1,199 ms for lack of a finer grid.
    """
    outside, inside = np.split(energies, 2)
    least = max(float(inside.max()) * 10 ** (-FADE_DB / 10), float(np.median(outside)) * 10 ** (RISE_DB / 10))
    sounding = np.flatnonzero(inside[:LATEST_MS] >= least)
    return int(sounding[0]) + 1 if sounding.size else LATEST_MS


def _drop_islands(mask: NDArray[np.bool_], active: NDArray[np.bool_]) -> NDArray[np.bool_]:
    kept = mask.copy()
    for start, end in zip(*_runs(mask), strict=True):
        if np.count_nonzero(active[start:end]) < LEAST_ISLAND_FRAMES:
            kept[start:end] = False
    return kept
