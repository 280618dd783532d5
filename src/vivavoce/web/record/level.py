"""How loud a microphone is now: the card's own measure (M7) on the last second or two of sound."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from numpy.typing import NDArray

from vivavoce.audio.activity import detect
from vivavoce.audio.conditions import CLIPPED_SHARE, clipped_share
from vivavoce.audio.levels import FRAMES_PER_S, LevelMeter
from vivavoce.audio.loudness import decibels
from vivavoce.audio.peaks import PeakMeter
from vivavoce.audio.waveform import ANALYSIS_RATE, AudioSource, Waveform
from vivavoce.errors import RequestError
from vivavoce.measures import volume
from vivavoce.rubric.load import published

RATES = (8_000, 192_000)
LONGEST_S = 4
# What the needle shows: the level of so many frames at the end.
NEEDLE_FRAMES = FRAMES_PER_S // 4
# The ends of the meter's scale in dB: full scale is 90.31, a quiet room lies at 20 to 35.
METER_LOW, METER_HIGH = 20.0, 90.0
WORDS = {
    "clipped": ("Too loud: the sound is cut off", "Move away from the microphone, or turn its input level down."),
    "loud": ("A little too loud", "Speak more softly, or move back a little."),
    "good": ("Good", "Your voice is in the comfortable range. You can record."),
    "quiet": ("A little too quiet", "Speak up, or move closer to the microphone."),
    "no_voice": ("No voice yet", "Read a line aloud, as you will when you record."),
    "dead": ("No sound arrives", "Is the microphone muted, unplugged, or another one than you think?"),
}


@dataclass(frozen=True, slots=True)
class Level:
    """What the meter shows.

    `state` a key of WORDS. `level_db` of the last quarter second, `voice_db` of the voice in all that came (M7); None
    for silence and where no voice was found. `place` of the needle in percent of the scale.
    """

    state: str
    level_db: float | None
    voice_db: float | None
    place: float


@dataclass(frozen=True, slots=True)
class Scale:
    """The meter's scale in percent: the comfortable range and the numbers that stand under it."""

    left: float
    width: float
    ticks: tuple[tuple[float, float], ...]
    low: float
    high: float


def comfortable() -> tuple[float, float]:
    """The levels of full credit in dB, from the edition."""
    entries = published().entries
    return float(entries["volume_control.level.full_low"].value), float(entries["volume_control.level.full_high"].value)


def scale() -> Scale:
    """Return the scale on which the meter is drawn."""
    low, high = comfortable()
    numbers = (METER_LOW, low, high, METER_HIGH)
    ticks = tuple((number, place_of(number)) for number in numbers)
    return Scale(place_of(low), place_of(high) - place_of(low), ticks, low, high)


def place_of(level_db: float | None) -> float:
    """Return where a level stands on the scale, 0 to 100; silence stands at its beginning."""
    if level_db is None:
        return 0.0
    return round(min(100.0, max(0.0, 100 * (level_db - METER_LOW) / (METER_HIGH - METER_LOW))), 1)


def level_of(sound: bytes, rate: int) -> Level:
    """Return the level of 16-bit little-endian mono samples.

    Raises RequestError `level_unfit` for another rate, no whole samples, or more than LONGEST_S.
    """
    if not RATES[0] <= rate <= RATES[1]:
        raise _unfit(f"{rate} samples a second", f"{RATES[0]} to {RATES[1]}")
    if not sound or len(sound) % 2 or len(sound) > 2 * rate * LONGEST_S:
        raise _unfit(f"{len(sound)} bytes", f"whole 16-bit samples, at most {LONGEST_S} s of them")
    waveform = _waveform(np.frombuffer(sound, "<i2").astype(np.float32) * np.float32(2**-15), rate)
    energies, counts = waveform.frames.energies()[-NEEDLE_FRAMES:], waveform.frames.counts[-NEEDLE_FRAMES:]
    now = decibels(float(energies.sum()), int(counts.sum()))
    voice = volume.level(waveform, detect(waveform)).value
    found = None if voice is None else float(voice)
    return Level(_state(waveform, now, found), None if now is None else round(now, 2), found, place_of(now))


def _state(waveform: Waveform, now: float | None, voice: float | None) -> str:
    low, high = comfortable()
    if clipped_share(waveform) >= CLIPPED_SHARE:
        return "clipped"
    if voice is None:
        return "dead" if now is None else "no_voice"
    return "quiet" if voice < low else "loud" if voice > high else "good"


def _waveform(samples: NDArray[np.float32], rate: int) -> Waveform:
    meter, peaks = LevelMeter(rate), PeakMeter(1)
    meter.add(samples.astype(np.float64))
    peaks.add(samples.reshape(1, -1))
    duration_ms = samples.size * 1000 // rate
    source = AudioSource("", "pcm_s16le", rate, 1, "")
    return Waveform(_at_16k(samples, rate), ANALYSIS_RATE, duration_ms, meter.finish(), source, (), peaks.finish())


def _at_16k(samples: NDArray[np.float32], rate: int) -> NDArray[np.float32]:
    if rate == ANALYSIS_RATE:
        return samples
    frame = AudioFrame.from_ndarray(samples.reshape(1, -1), format="fltp", layout="mono")
    frame.sample_rate, frame.time_base = rate, Fraction(1, rate)
    resampler = AudioResampler("fltp", "mono", ANALYSIS_RATE)
    made = [part.to_ndarray().ravel() for part in (*resampler.resample(frame), *resampler.resample(None))]
    return np.concatenate(made) if made else np.empty(0, np.float32)


def _unfit(found: str, allowed: str) -> RequestError:
    return RequestError(
        "level_unfit",
        where="POST /recorder/level",
        found=found,
        allowed=allowed,
        remedy="load the page again",
    )
