"""Pictures of loudness and of the recording: level and consistency, fade, noise and clipping."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from drawing.canvas import BLUE, GREY, INK, LEFT, MUTED, ORANGE, RIGHT, Picture, Scale
from drawing.material import READER, sonnet
from drawing.words import whole_level
from vivavoce.audio.conditions import CLIPPED_SHARE, NOISY_DB, clipped_share
from vivavoce.audio.levels import FRAMES_PER_S
from vivavoce.audio.loudness import frame_levels, window_levels
from vivavoce.audio.spectra import signal_to_noise_db, voice_and_noise
from vivavoce.audio.wav import wav_16k
from vivavoce.audio.waveform import Waveform, decode
from vivavoce.measures.volume import (
    ALLOWANCE_DB,
    SPEECH_SHARE,
    WINDOW_FRAMES,
    Fade,
    fade,
    voice_frames,
)


def windows() -> list[tuple[float, float]]:
    """Return each window of 0.5 s that counts for consistency: where it begins in seconds, and its level in dB."""
    frames = sonnet().waveform.frames
    voice = voice_frames(frames, sonnet().activity.speech)
    found = []
    for start in range(int(np.argmax(sonnet().activity.speech)), voice.size, WINDOW_FRAMES):
        only = np.zeros_like(voice)
        only[start : start + WINDOW_FRAMES] = voice[start : start + WINDOW_FRAMES]
        levels = window_levels(frames, only, start=start, length=WINDOW_FRAMES, share=SPEECH_SHARE)
        found += [(start / FRAMES_PER_S, float(one)) for one in levels]
    return found


def level() -> Picture:
    """The levels of 10 ms frames, which of them are speech, their mean; then the windows of 0.5 s and their spread."""
    found, made = windows(), sonnet()
    mean, spread = float(np.mean([one for _, one in found])), made.value("consistency_db")
    picture = Picture(
        596,
        "Level and consistency",
        f"Above, ten seconds: the level of each frame of 10 ms, speech apart from the rest, with the energy mean over "
        f"speech of the whole recording, {made.value('level_db'):.2f} dB, and the levels of the windows of 0.5 s. "
        f"Below, the levels of all {len(found)} windows with their mean and one standard deviation, {spread:.2f} dB, "
        "on either side.",
    )
    picture.subtitle(f"{READER}.")
    _frames(picture, found)
    across, upright = Scale(0, 54, LEFT, RIGHT), Scale(50, 80, 544, 404)
    picture.text(20, 388, f"Consistency: all {len(found)} windows of 0.5 s that are at least half speech", weight=600)
    picture.box(LEFT, upright(mean + spread), RIGHT, upright(mean - spread), "#fbe6d8")
    picture.upright(upright, LEFT, (50, 60, 70, 80), "level, dB")
    picture.line([(LEFT, upright(mean)), (RIGHT, upright(mean))], ORANGE, dash="6 4")
    for start, value in found:
        picture.dot(across(start + 0.25), upright(value), ORANGE, 3)
    told = f"mean {mean:.1f} dB; standard deviation = consistency = {spread:.2f} dB"
    picture.text(RIGHT - 6, upright(52), told, anchor="end", weight=600, colour=ORANGE)
    picture.across(across, 544, range(0, 51, 10), "time, s")
    return picture


def _frames(picture: Picture, found: list[tuple[float, float]]) -> None:
    """Draw ten seconds of frames, the mean level, and their windows."""
    across, upright = Scale(2.4, 12.4, LEFT, RIGHT), Scale(20, 90, 320, 108)
    levels, speech = frame_levels(sonnet().waveform.frames), sonnet().activity.speech
    picture.legend(
        20, 84, [(BLUE, "frame of 10 ms, speech"), ("#aab4bd", "other frame"), (ORANGE, "window of 0.5 s")],
        step=(178, 116),
    )  # fmt: skip
    picture.upright(upright, LEFT, (20, 40, 60, 80), "level, dB")
    for spoken, colour in ((False, "#aab4bd"), (True, BLUE)):
        places = [k for k in range(240, 1240) if speech[k] == spoken and levels[k] >= upright.low]
        picture.bars(((across((k + 0.5) / 100) - 1, upright(levels[k]) - 1, 2, 2) for k in places), colour)
    for start, value in found:
        if across.low <= start and start + 0.5 <= across.high:
            picture.line([(across(start), upright(value)), (across(start + 0.5), upright(value))], ORANGE, width=2.5)
    mean = sonnet().value("level_db")
    picture.line([(LEFT, upright(mean)), (RIGHT, upright(mean))], INK, dash="6 4")
    told = f"level {mean:.2f} dB: energy mean over all speech frames of the recording"
    picture.text(RIGHT - 6, upright(85), told, anchor="end", weight=600)
    picture.line([(RIGHT - 30, upright(84)), (RIGHT - 30, upright(mean))], INK, width=0.8)
    picture.across(across, 320, range(3, 13), "time, s")


@cache
def fading() -> Fade:
    """Return the fade by phrase with the phrases that it was made from."""
    made = sonnet()
    return fade(made.waveform, made.measured.pauses, made.response, "phrase")


def fade_picture() -> Picture:
    """Each phrase with the levels of its halves, the fall of each, and what is left after the allowance."""
    found = fading()
    assert found.signed_db is not None
    picture = Picture(
        520,
        "Fade by phrase: the level of each phrase's first half less that of its second",
        f"Over the whole recording: its level, and for each of {len(found.phrases)} phrases the level of the first and "
        f"of the second half. Below, the fall of each phrase on one scale. Their mean is {found.signed_db:.2f} dB; "
        f"less {ALLOWANCE_DB:.1f} dB for the natural fall of a voice the fade is {found.measurement.number:g} dB.",
    )
    picture.subtitle(f"{READER}.", "A phrase runs between two pauses of 0.5 s or more and is at least 1 s long.")
    across, upright = Scale(0, 54, LEFT, RIGHT), Scale(30, 90, 320, 118)
    picture.legend(20, 96, [(BLUE, "level of the first half"), (ORANGE, "level of the second half")], step=(176,))
    picture.upright(upright, LEFT, (30, 50, 70, 90), "level, dB")
    whole_level(picture, across, upright)
    for phrase in found.phrases:
        start, middle, end = (
            across(t / 1000) for t in (phrase.start_ms, (phrase.start_ms + phrase.end_ms) // 2, phrase.end_ms)
        )
        picture.line([(start + 1, upright(phrase.first_db)), (middle, upright(phrase.first_db))], BLUE, width=3.5)
        picture.line([(middle, upright(phrase.second_db)), (end - 1, upright(phrase.second_db))], ORANGE, width=3.5)
        told = f"{phrase.signed_db:+.1f}".replace("-", "−")
        picture.text((start + end) / 2, upright(86.5), told, anchor="middle", size=12, weight=600)
        picture.line([(start, upright(84)), (start, upright(85.2)), (end, upright(85.2)), (end, upright(84))], MUTED)
    picture.across(across, 320, range(0, 51, 10), "time, s")
    _falls(picture, found)
    return picture


def _falls(picture: Picture, found: Fade) -> None:
    """Draw the fall of each phrase on one scale, with the mean and the allowance."""
    across = Scale(-4, 8, LEFT, RIGHT)
    mean = found.signed_db or 0
    picture.text(20, 388, "The fall of each phrase", weight=600)
    for phrase in found.phrases:
        picture.dot(across(phrase.signed_db), 440, GREY, 5)
    for value, colour, told, y, dash in (
        (mean, BLUE, f"mean {mean:.2f} dB", 408, ""),
        (ALLOWANCE_DB, INK, f"{ALLOWANCE_DB:.1f} dB, the natural fall: what lies over it is fade", 424, "5 4"),
    ):
        picture.line([(across(value), y - 8), (across(value), 462)], colour, width=2, dash=dash)
        picture.text(across(value) + 6, y, told, weight=600, colour=colour, size=12.5)
    told = f"fade = max(0, {mean:.2f} − {ALLOWANCE_DB:.1f}) = {found.measurement.number:g} dB"
    picture.text(RIGHT, 388, told, anchor="end", weight=600)
    picture.across(across, 468, range(-4, 9, 2), "first half less second half, dB (negative: the voice rises)")


CLIPPED_DB = 9
SHOWN_MS = 14


@cache
def clipped() -> tuple[Waveform, float]:
    """Return the recording raised until its peak lies CLIPPED_DB over full scale and cut there, and the factor."""
    samples = sonnet().waveform.samples
    factor = 10 ** (CLIPPED_DB / 20) / float(np.abs(samples).max())
    cut = np.clip(samples * np.float32(factor), -1, 1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cut.wav"
        path.write_bytes(wav_16k(replace(sonnet().waveform, samples=cut)))
        return decode(path), factor


def conditions() -> Picture:
    """How far the noise lies under the voice, and tops of waves that are cut off."""
    made = sonnet()
    ratio = signal_to_noise_db(made.waveform, made.activity)
    share = 100 * clipped_share(clipped()[0])
    picture = Picture(
        608,
        "Recording conditions: noise and clipping",
        f"Above, how many frames of speech and of the noise between have which energy: the noise lies {ratio:.1f} dB "
        f"under the voice, and the warning comes under {NOISY_DB:.0f} dB. Below, {SHOWN_MS} ms of the recording as it "
        f"is and raised until its peak lies {CLIPPED_DB} dB over full scale: flat tops, in which {share:.2f} % of all "
        f"samples lie; the warning comes from {100 * CLIPPED_SHARE:g} % on.",
    )
    picture.subtitle(f"{READER}.")
    _noise(picture, ratio or 0)
    _clipping(picture, share)
    return picture


def _noise(picture: Picture, ratio: float) -> None:
    """Draw how many frames of voice and of noise lie at which energy under the voice's mean."""
    voice, noise = voice_and_noise(sonnet().waveform, sonnet().activity)
    zero = 10 * np.log10(voice.mean())
    across, upright = Scale(-60, 12, LEFT, RIGHT), Scale(0, 34, 270, 120)
    picture.legend(20, 84, [("#aab4bd", "frames 50 ms or more from speech"), ("#7fb0da", "speech frames")], step=(238,))
    picture.upright(upright, LEFT, (0, 10, 20, 30), "share of frames, %")
    for energies, colour in ((noise, "#aab4bd"), (voice, "#7fb0da")):
        shares, edges = np.histogram(10 * np.log10(energies) - zero, bins=np.arange(-60, 13))
        wide = across(1) - across(0)
        boxes = [
            (across(edge) + 0.5, upright(100 * n / energies.size), wide - 1, 270 - upright(100 * n / energies.size))
            for n, edge in zip(shares, edges[:-1], strict=True)
            if n
        ]
        picture.bars(boxes, colour)
    for place, told, anchor in ((0.0, "voice", "start"), (-ratio, "noise", "end")):
        picture.line([(across(place), 100), (across(place), 270)], INK, width=1.5)
        picture.text(across(place) + (6 if anchor == "start" else -6), 110, told, anchor=anchor, weight=600)  # type: ignore[arg-type]
    picture.line([(across(-NOISY_DB), 112), (across(-NOISY_DB), 270)], ORANGE, width=1.5, dash="5 4")
    picture.text(across(-NOISY_DB) + 4, 140, f"{NOISY_DB:.0f} dB: noise to the", size=12, colour=ORANGE)
    picture.text(across(-NOISY_DB) + 4, 155, "right of it is warned of", size=12, colour=ORANGE)
    picture.arrow((across(-ratio) + 2, 106), (across(0) - 2, 106))
    picture.text((across(-ratio) + across(0)) / 2, 100, f"{ratio:.1f} dB", anchor="middle", weight=600)
    picture.across(
        across, 270, range(-60, 11, 10), "energy of a frame from 100 Hz to 8 kHz against the voice's mean, dB"
    )


def _clipping(picture: Picture, share: float) -> None:
    """Draw a few milliseconds of the wave about its largest value, as it is and cut off."""
    cut, factor = clipped()
    samples = sonnet().waveform.samples
    start = int(np.argmax(np.abs(samples))) - SHOWN_MS * 8
    upright = Scale(-2.6, 3.8, 560, 360)
    told = f"Made material: the same, raised until its peak lies {CLIPPED_DB} dB over full scale and cut off there"
    picture.text(20, 342, told, weight=600)
    across = Scale(0, SHOWN_MS, LEFT, RIGHT)
    picture.upright(upright, LEFT, (-2, -1, 0, 1, 2), "full scale = 1")
    for edge in (-1, 1):
        picture.line([(LEFT, upright(edge)), (RIGHT, upright(edge))], INK, dash="6 4")
    whole, made = samples[start:][: SHOWN_MS * 16], cut.samples[start:][: SHOWN_MS * 16]
    for values, colour, width in ((whole * factor, GREY, 1.2), (made, ORANGE, 2.2)):
        picture.line([(across(k / 16), upright(float(value))) for k, value in enumerate(values)], colour, width=width)
    told = f"{share:.2f} % of all samples lie in the flat tops (warned from {100 * CLIPPED_SHARE:g} % on)"
    picture.text(RIGHT - 6, upright(3.3), told, anchor="end", weight=600, colour=ORANGE)
    picture.across(across, 560, range(0, SHOWN_MS + 1, 2), "time, ms (grey: the wave that was lost)")
