"""Level, consistency and fade of the voice, in dB on the loudness scale (M7); only level moves with gain (M8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vivavoce.audio.activity import Activity
from vivavoce.audio.levels import FRAME_MS, FRAMES_PER_S, LevelFrames
from vivavoce.audio.loudness import decibels, level_db, window_levels
from vivavoce.audio.waveform import Waveform
from vivavoce.measurement import Measurement, measured
from vivavoce.notice import Notice
from vivavoce.timeline import Pause, Segment

FadeMethod = Literal["phrase", "whole"]

WINDOW_FRAMES = FRAMES_PER_S // 2
SPEECH_SHARE = 0.5
GATE_DB = 20.0
"""Windows this far under the energy mean are breath or noise that activity took for speech, not voice: the relative
gate of EBU Tech 3342. Without it one breath more or less moved consistency by 2.3 dB."""
GATE_SHARE = 0.1
"""Breath is rare: where more of the speech than this lies under the gate, it is a voice that drops, and it counts."""
PHRASE_PAUSE_MS = 500
LEAST_PHRASE_MS = 1000
ALLOWANCE_DB = 2.0
"""The natural fall of a voice towards the end of a phrase (M7, chosen)."""
SHORT_CLIP_S = 20


@dataclass(frozen=True, slots=True)
class PhraseFade:
    """One phrase: from and to in milliseconds, the levels of its first and its second half in dB."""

    start_ms: int
    end_ms: int
    first_db: float
    second_db: float

    @property
    def signed_db(self) -> float:
        """How much the phrase falls: level of its first half less level of its second, negative where it rises."""
        return self.first_db - self.second_db


@dataclass(frozen=True, slots=True)
class Fade:
    """How the voice trails off: the measurement after the allowance, and what it was made from.

    `signed_db`: the mean fall before the allowance (negative: the voice rises), None where there is none to measure;
    `phrases`: those that counted, none for the whole-clip method.
    """

    measurement: Measurement
    signed_db: float | None
    method: FadeMethod
    phrases: tuple[PhraseFade, ...] = ()
    notices: tuple[Notice, ...] = ()


def level(waveform: Waveform, activity: Activity) -> Measurement:
    """Return `level_db`: the energy mean over speech frames.

    20 log10 of their RMS in 16-bit sample units about the mean of the recording, windows of 0.5 s that lie GATE_DB or
    more under it left out. None without speech. Source: M7; the gate EBU Tech 3342.
    """
    value = level_db(waveform.frames, voice_frames(waveform.frames, activity.speech))
    return measured("level_db", value, "dB", "M7", "" if value is not None else "no speech was found")


def consistency(waveform: Waveform, activity: Activity) -> Measurement:
    """Return `consistency_db`: the population standard deviation, in dB, of the levels of 0.5 s windows.

    The windows follow each other from the first speech frame on, so that silence before it changes nothing; those at
    least half speech count, by the energy mean of their speech frames, save those GATE_DB or more under that of all.
    None with fewer than two. Source: M7; the gate EBU Tech 3342.
    """
    voice = voice_frames(waveform.frames, activity.speech)
    start = _first(activity.speech)
    levels = window_levels(waveform.frames, voice, start=start, length=WINDOW_FRAMES, share=SPEECH_SHARE)
    if levels.size < 2:
        note = f"{levels.size} windows of 0.5 s are at least half speech; two are needed"
        return measured("consistency_db", None, "dB", "M7", note)
    return measured("consistency_db", float(np.std(levels)), "dB", "M7", f"{levels.size} windows of 0.5 s")


def _first(speech: NDArray[np.bool_]) -> int:
    return int(np.argmax(speech)) if speech.any() else 0


def voice_frames(levels: LevelFrames, speech: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the speech frames but those in windows of 0.5 s that lie GATE_DB or more under the energy mean of all.

    Where these are more than GATE_SHARE of the speech, none is left out. Source: the relative gate of EBU Tech 3342.
    """
    mean = level_db(levels, speech)
    if mean is None:
        return speech
    energies, counts = np.where(speech, levels.energies(), 0), np.where(speech, levels.counts, 0)
    voice = speech.copy()
    for start in range(_first(speech), speech.size, WINDOW_FRAMES):
        window = slice(start, start + WINDOW_FRAMES)
        found = decibels(float(energies[window].sum()), int(counts[window].sum()))
        if found is None or found <= mean - GATE_DB:
            voice[window] = False
    dropped = int(speech.sum()) - int(voice.sum())
    return voice if dropped <= GATE_SHARE * int(speech.sum()) else speech


def fade(waveform: Waveform, pauses: Sequence[Pause], response: Segment, method: FadeMethod) -> Fade:
    """Return `fade_db`: how much the voice falls, less 2.0 dB for the natural fall, 0 if negative.

    By phrase: the mean over phrases of (level of the first half - level of the second); a phrase is a stretch of the
    response between pauses of 0.5 s or more, at least 1 s long. Whole: the level of the first quarter of the speech
    less the level of the last. Speech is M4's: the response less its pauses. A mask that follows the voice down would
    drop its weakest frames where it is lowered, and so hide a part of the fall (of 6 dB up to 1.4 by phrase, all of
    it by quarters). `pauses` in order of time; `response` from the first word's start to the last word's end. None,
    with a note, where there is nothing to measure. Source: M7, M4.
    """
    count = waveform.frames.counts.size
    speech = np.zeros(count, np.bool_)
    speech[_during(response.start_ms, response.end_ms)] = True
    for pause in pauses:
        speech[_during(pause.start_ms, pause.end_ms)] = False
    if method == "phrase":
        return _by_phrase(waveform.frames, speech, pauses, response)
    return _whole(waveform.frames, speech, response)


def _by_phrase(levels: LevelFrames, speech: NDArray[np.bool_], pauses: Sequence[Pause], response: Segment) -> Fade:
    phrases = []
    for phrase in _phrases(pauses, response):
        middle = (phrase.start_ms + phrase.end_ms) // 2
        first = _level_in(levels, speech, _during(phrase.start_ms, middle))
        second = _level_in(levels, speech, _during(middle, phrase.end_ms))
        if first is not None and second is not None:
            phrases.append(PhraseFade(phrase.start_ms, phrase.end_ms, first, second))
    if not phrases:
        return Fade(_unmeasured("no phrase of 1 s or more with speech in both halves"), None, "phrase")
    signed = sum(phrase.signed_db for phrase in phrases) / len(phrases)
    how = f"by phrase, {len(phrases)} phrase{'' if len(phrases) == 1 else 's'}"
    return Fade(_allowed(signed, how), signed, "phrase", tuple(phrases))


def _phrases(pauses: Sequence[Pause], response: Segment) -> list[Segment]:
    """Return the stretches of the response between pauses of 0.5 s or more that are at least 1 s long."""
    phrases, start = [], response.start_ms
    for pause in pauses:
        if pause.length_ms >= PHRASE_PAUSE_MS:
            phrases.append(Segment(start, pause.start_ms))
            start = pause.end_ms
    phrases.append(Segment(start, response.end_ms))
    return [phrase for phrase in phrases if phrase.length_ms >= LEAST_PHRASE_MS]


def _whole(levels: LevelFrames, speech: NDArray[np.bool_], response: Segment) -> Fade:
    heard = np.flatnonzero(speech)
    quarter = heard.size // 4
    if not quarter:
        return Fade(_unmeasured("no speech was found"), None, "whole")
    first = level_db(levels, _only(heard[:quarter], speech.size))
    last = level_db(levels, _only(heard[-quarter:], speech.size))
    if first is None or last is None:
        return Fade(_unmeasured("a quarter of the speech is digital silence"), None, "whole")
    notices = (_short(response),) if response.length_ms < SHORT_CLIP_S * 1000 else ()
    return Fade(_allowed(first - last, "whole clip, first quarter less last"), first - last, "whole", (), notices)


def _during(start_ms: int, end_ms: int) -> slice:
    """Return the frames whose middle lies from `start_ms` up to `end_ms`."""
    first, last = (max(0, -(-(at_ms - FRAME_MS // 2) // FRAME_MS)) for at_ms in (start_ms, end_ms))
    return slice(first, last)


def _level_in(levels: LevelFrames, speech: NDArray[np.bool_], frames: slice) -> float | None:
    """Return the level over the speech frames of a stretch, in dB; None where there are none."""
    spoken = speech[frames]
    return decibels(float(levels.energies()[frames][spoken].sum()), int(levels.counts[frames][spoken].sum()))


def _only(frames: NDArray[np.intp], count: int) -> NDArray[np.bool_]:
    mask = np.zeros(count, np.bool_)
    mask[frames] = True
    return mask


def _allowed(signed_db: float, how: str) -> Measurement:
    note = f"{how}; {signed_db:.2f} dB less {ALLOWANCE_DB} dB for the natural fall"
    return measured("fade_db", max(0.0, signed_db - ALLOWANCE_DB), "dB", "M7", note)


def _unmeasured(why: str) -> Measurement:
    return measured("fade_db", None, "dB", "M7", why)


def _short(response: Segment) -> Notice:
    return Notice(
        "fade_short_clip",
        f"the response lasts {response.length_ms / 1000:.1f} s; a whole-clip fade under {SHORT_CLIP_S} s says little",
        "read the fade with care, or record a longer response",
    )
