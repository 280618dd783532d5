"""Pictures of words and silences: forced alignment, pauses, disruptions."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from drawing.canvas import (
    BLUE,
    GREEN,
    GREY,
    INK,
    KIND_COLOURS,
    LEFT,
    MUTED,
    ORANGE,
    PALE,
    PURPLE,
    RIGHT,
    RULE,
    Picture,
    Scale,
    shown,
)
from drawing.material import READER, sonnet
from vivavoce.audio.loudness import frame_levels
from vivavoce.audio.picture import level_curve
from vivavoce.measures.disfluency.find import Disfluency, find_disfluencies
from vivavoce.measures.pauses import HESITATION_MS, PAUSE_MS
from vivavoce.measures.word_times import BAD_SCORE, SNAP_MS
from vivavoce.timeline import Pause, Word

SHADES = ("#dfe5ea", "#bcc8d2", "#92a4b3", "#667d90", "#3e566b", "#1c3246")


def level_area(picture: Picture, across: Scale, upright: Scale, colour: str = "#d5dce2") -> None:
    """Draw the level of the 10 ms frames of a stretch as an area."""
    levels = frame_levels(sonnet().waveform.frames)
    first, last = int(across.low * 100), int(across.high * 100)
    points = [(across.start, upright.start)]
    for frame in range(first, last):
        level = upright.low if np.isnan(levels[frame]) else max(upright.low, float(levels[frame]))
        points.append((across((frame + 0.5) / 100), upright(level)))
    picture.area([*points, (across.end, upright.start)], colour)


def whole_level(picture: Picture, across: Scale, upright: Scale) -> None:
    """Draw the level of the whole recording as an area, two pixels a column."""
    waveform = sonnet().waveform
    end = across(waveform.duration_ms / 1000)
    count = round((end - across(0)) / 2)
    step = (end - across(0)) / count
    points = [(across(0), upright.start)]
    for place, level in enumerate(level_curve(waveform, count)):
        points.append((across(0) + (place + 0.5) * step, upright(max(upright.low, level or upright.low))))
    picture.area([*points, (end, upright.start)], "#dde3e8")


def word_times() -> Picture:
    """The forced alignment of a line's end and the next line's beginning, and the voice at the silence."""
    picture = Picture(
        596,
        "Word times: a forced alignment, then the voice",
        "From top to bottom, over 2.6 seconds: the spectrogram of “increase, That thereby beauty's”; the phones that "
        "the forced alignment found; the score of each phone; the words; the level of the voice, with the silence "
        "between the lines. The edges of that silence by alignment are moved by less than 0.1 s to where the voice "
        "ends and begins.",
    )
    picture.subtitle(f"{READER}; the darker, the more energy.")
    across = Scale(4.6, 7.2, LEFT, RIGHT)
    _spectrogram(picture, across, Scale(0, 6000, 214, 76))
    _phones(picture, across)
    upright = Scale(20, 80, 500, 400)
    picture.upright(upright, LEFT, (20, 40, 60, 80), "level, dB")
    level_area(picture, across, upright)
    _silence(picture, across, upright)
    picture.across(across, 500, (5, 5.5, 6, 6.5, 7), "time, s")
    picture.line([(20, 553), (48, 553)], GREY, width=1.5, dash="4 3")
    picture.text(56, 557, "edge of a word by the alignment, in steps of 10 ms", size=12.5)
    picture.line([(384, 553), (412, 553)], BLUE, width=2)
    picture.text(420, 557, "where the voice ends and begins: what is measured by", size=12.5)
    picture.text(20, 580, f"An edge goes to that of the voice where the two are at most {SNAP_MS} ms apart.", size=12.5)
    return picture


def _spectrogram(picture: Picture, across: Scale, upright: Scale) -> None:
    """Draw the spectrogram in six shades, 12 dB each, of 20 ms Hann windows 10 ms apart."""
    samples = sonnet().waveform.samples
    starts = np.arange(int(across.low * 100), int(across.high * 100)) * 160 - 80
    pieces = np.lib.stride_tricks.sliding_window_view(samples, 320)[starts]
    power = np.abs(np.fft.rfft(pieces * np.hanning(320), axis=1)[:, 1:121]) ** 2
    bands = power.reshape(len(starts), 40, 3).mean(axis=2)
    shades = np.floor((10 * np.log10(bands / bands.max() + 1e-12) + 62) / 9).clip(-1, len(SHADES) - 1).astype(int)
    wide, high = (across.end - across.start) / len(starts), (upright.start - upright.end) / 40
    for shade, colour in enumerate(SHADES):
        boxes = []
        for band in range(40):
            row = np.concatenate(([False], shades[:, band] == shade, [False])).astype(int)
            edges = np.flatnonzero(np.diff(row)).reshape(-1, 2)
            y = upright.start - (band + 0.5) * high
            boxes += [(across.start + a * wide, y, (b - a) * wide) for a, b in edges]
        picture.strips(boxes, colour, high)
    picture.line([(LEFT, upright.start), (LEFT, upright.end)], MUTED)
    for kilo in (0, 2, 4, 6):
        picture.text(LEFT - 7, upright(1000 * kilo) + 4, str(kilo), anchor="end", size=12, colour=MUTED)
    picture.text(LEFT - 44, 145, "frequency, kHz", anchor="middle", size=12, colour=MUTED, turn=-90)


def _phones(picture: Picture, across: Scale) -> None:
    """Draw the tiers of phones, their scores, and words."""
    score = Scale(0, -4, 262, 322)
    picture.text(LEFT - 7, 242, "phone", anchor="end", size=12, colour=MUTED)
    picture.text(LEFT - 7, 357, "word", anchor="end", size=12, colour=MUTED)
    for value in (0, -2, -4):
        picture.line([(LEFT, score(value)), (RIGHT, score(value))], RULE, width=0.5)
        picture.text(LEFT - 7, score(value) + 4, shown(value), anchor="end", size=12, colour=MUTED)
    picture.text(LEFT - 44, 292, "score", anchor="middle", size=12, colour=MUTED, turn=-90)
    picture.line([(LEFT, score(BAD_SCORE)), (RIGHT, score(BAD_SCORE))], ORANGE, dash="5 4")
    picture.text(
        RIGHT, score(-3.4), "0: fits as well as any sound; under −2: fits badly", anchor="end", size=12, colour=ORANGE
    )
    for word in sonnet().forced.words:
        if word.start_ms is None or word.end_ms is None or not _inside(across, word.start_ms, word.end_ms):
            continue
        x, x_end = across(word.start_ms / 1000), across(word.end_ms / 1000)
        picture.box(x, 338, x_end, 368, "#e7f0f8", stroke=BLUE)
        picture.text((x + x_end) / 2, 358, word.text, anchor="middle", size=13.5, weight=600)
        for edge in (x, x_end):
            picture.line([(edge, 76), (edge, 338)], GREY, width=0.8, dash="4 3")
        for phone in word.phones:
            x, x_end = across(phone.start_ms / 1000), across(phone.end_ms / 1000)
            picture.box(x, 226, x_end, 250, PALE, stroke=MUTED)
            size = max(7.5, min(11.0, 1.35 * (x_end - x) / len(phone.name)))
            picture.text((x + x_end) / 2, 242, phone.name, anchor="middle", size=size)
            picture.box(x + 1, score(0), x_end - 1, score(max(-4, min(0, phone.score))), BLUE, opacity=0.75)


def _silence(picture: Picture, across: Scale, upright: Scale) -> None:
    """Mark the pause of the stretch: its edges by alignment, and those it is measured by."""
    pause = next(one for one in sonnet().measured.pauses if _inside(across, one.start_ms, one.end_ms))
    before, after = (
        next(w for w in sonnet().forced.words if w.end_ms and abs(w.end_ms - pause.start_ms) <= SNAP_MS),
        next(w for w in sonnet().forced.words if w.start_ms and abs(w.start_ms - pause.end_ms) <= SNAP_MS),
    )
    for edge in (before.end_ms or 0, after.start_ms or 0):
        picture.line([(across(edge / 1000), 368), (across(edge / 1000), 500)], GREY, width=1.5, dash="4 3")
    for edge in (pause.start_ms, pause.end_ms):
        picture.line([(across(edge / 1000), 384), (across(edge / 1000), 500)], BLUE, width=2)
    middle = across((pause.start_ms + pause.end_ms) / 2000)
    picture.text(middle, upright(68), f"{pause.length_ms / 1000:.2f} s", anchor="middle", weight=600, colour=BLUE)
    picture.text(middle, upright(68) + 16, "silence", anchor="middle", size=12, colour=BLUE)


def _inside(across: Scale, start_ms: int, end_ms: int) -> bool:
    return across.low * 1000 <= start_ms and end_ms <= across.high * 1000


def pauses() -> Picture:
    """Two stretches with their pauses by kind, and the length of every gap on one scale with the two limits."""
    found = sonnet().measured.pauses
    kinds = [sum(one.kind == kind for one in found) for kind in KIND_COLOURS]
    picture = Picture(
        632,
        "Pauses: every gap between two words, by length and place",
        f"Two stretches of the recording with their words and pauses, and below them the length of each gap between "
        f"two words of the whole recording. Under 0.25 s a gap is no pause. From 1.2 s on it is a hesitation "
        f"({kinds[2]} here). Between, it is a phrase pause after a word that ends a phrase ({kinds[0]}), else a choppy "
        f"break ({kinds[1]}).",
    )
    picture.subtitle(f"{READER}. Grey: the level of its frames, without a scale.")
    picture.legend(20, 84, [(KIND_COLOURS[kind], name) for kind, name in _NAMES.items()], step=(128, 128, 118))
    for top, start in ((72, 0.2), (240, 26.6)):
        _row(picture, top, Scale(start, start + 6.6, LEFT - 30, RIGHT))
    _lengths(picture, found, Scale(0, 2.2, LEFT + 40, RIGHT))
    return picture


_NAMES = {"phrase": "phrase pause", "choppy": "choppy break", "hesitation": "hesitation"}


def _row(picture: Picture, top: float, across: Scale) -> None:
    """Draw a stretch of words with the pauses between them."""
    level_area(picture, across, Scale(20, 80, top + 140, top + 110))
    for word in sonnet().between(across.low, across.high):
        x, x_end = across(word.start_ms / 1000), across(word.end_ms / 1000)
        picture.box(x + 0.5, top + 84, x_end - 0.5, top + 108, "#f6f8fa", stroke=GREY, round_by=2)
        picture.text((x + x_end) / 2 - 4, top + 80, word.text, size=12, turn=-40)
    for pause in sonnet().measured.pauses:
        if _inside(across, pause.start_ms, pause.end_ms):
            colour = KIND_COLOURS[pause.kind]
            x, x_end = across(pause.start_ms / 1000), across(pause.end_ms / 1000)
            picture.box(x, top + 84, x_end, top + 108, colour, round_by=2)
            picture.text(
                (x + x_end) / 2, top + 101, f"{pause.length_ms / 1000:.2f}", anchor="middle", weight=600, colour="#fff",
                size=12.5,
            )  # fmt: skip
    ticks = [tick for tick in range(60) if across.low <= tick <= across.high]
    picture.across(across, top + 140, ticks, "time, s (lengths in the boxes in s)")


def _lengths(picture: Picture, found: tuple[Pause, ...], across: Scale) -> None:
    """Draw the length of every gap between two words, and the limits between kinds."""
    words = sonnet().words
    short = [b.start_ms - a.end_ms for a, b in pairwise(words)]
    rows = {"hesitation": 480, "choppy": 512, "phrase": 544}
    picture.text(20, 448, "Every gap of the recording, by length", weight=600)
    for limit, name in ((PAUSE_MS, "0.25 s: a pause from here"), (HESITATION_MS, "1.2 s: a hesitation from here")):
        x = across(limit / 1000)
        picture.line([(x, 456), (x, 582)], INK, dash="5 4")
        picture.text(x + 6, 467, name, size=12)
    for kind, y in rows.items():
        picture.text(across.start - 10, y + 4, kind, anchor="end", size=12.5, colour=KIND_COLOURS[kind])
        picture.line([(across.start, y), (across.end, y)], RULE, width=0.5)
    picture.text(across.start - 10, 574, "no pause", anchor="end", size=12.5, colour=MUTED)
    for gap in short:
        if 0 < gap < PAUSE_MS:
            picture.dot(across(gap / 1000), 570, GREY, 4, hollow=True)
    for pause in found:
        picture.dot(across(pause.length_ms / 1000), rows[pause.kind], KIND_COLOURS[pause.kind], 5)
    picture.across(across, 584, (0, 0.5, 1, 1.5, 2), "length of the gap, s")


SAID = ("I", "want", "no", "I", "need", "a", "pen", "um", "and", "some", "paper")
STARTS_MS = (300, 420, 1000, 1450, 1560, 1960, 2080, 2900, 3500, 3800, 4140)
ENDS_MS = (420, 800, 1250, 1560, 1960, 2080, 2450, 3250, 3800, 4140, 4620)


def disfluency() -> Picture:
    """A false start with its parts and its recovery, and a filled pause with its own."""
    words = [Word(*one) for one in zip(SAID, STARTS_MS, ENDS_MS, strict=True)]
    found = find_disfluencies(words)
    picture = Picture(
        336,
        "A false start, a filled pause, and the recovery after each",
        "Words on a time line. “I want” is left behind, “no” is the editing word, “I need” is said instead: a false "
        "start. “um” is a filled pause. Recovery runs from where speech broke off to the first of three fluent words.",
    )
    picture.subtitle("Made material: eleven words with times by hand, read by the rules as any verbatim transcript.")
    picture.legend(
        20,
        84,
        [(ORANGE, "left behind"), (PURPLE, "editing word or filled pause"), (GREEN, "said instead"), (PALE, "fluent")],
        step=(120, 224, 124),
    )
    across = Scale(0, 5, 40, RIGHT)
    colours = _parts(found, len(words))
    for word, colour in zip(words, colours, strict=True):
        x, x_end = across(word.start_ms / 1000), across(word.end_ms / 1000)
        picture.box(x + 0.5, 176, x_end - 0.5, 210, colour, stroke=GREY if colour == PALE else "none", round_by=2)
        fits = 7.6 * len(word.text) + 2 < x_end - x
        shade = INK if colour == PALE else "#fff"
        picture.text(
            (x + x_end) / 2, 198, word.text, anchor="middle", weight=600, colour=shade, size=13 if fits else 11
        )
    for event in found:
        _event(picture, across, event, 246)
    picture.across(across, 284, range(6), "time, s")
    return picture


def _parts(found: tuple[Disfluency, ...], count: int) -> list[str]:
    """The colour of each word: what part of a disruption it is."""
    colours = [PALE] * count
    for event in found:
        if event.kind == "filled_pause":
            colours[event.first_word] = PURPLE
            continue
        left, editing = len(event.words), len(event.editing)
        parts = [ORANGE] * left + [PURPLE] * editing + [GREEN] * len(event.repaired)
        colours[event.first_word : event.first_word + len(parts)] = parts
    return colours


def _event(picture: Picture, across: Scale, event: Disfluency, y: float) -> None:
    """Draw the extent of an event over the words, and its recovery under them."""
    x, x_end = across(event.start_ms / 1000), across(event.end_ms / 1000)
    picture.line([(x, 164), (x, 156), (x_end, 156), (x_end, 164)], INK, width=1.5)
    name = event.kind.replace("_", " ")
    picture.text((x + x_end) / 2, 146, f"{name}, {(event.end_ms - event.start_ms) / 1000:.2f} s", anchor="middle")
    assert event.recovery_ms is not None
    assert event.resumed_ms is not None
    broke, fluent = across((event.resumed_ms - event.recovery_ms) / 1000), across(event.resumed_ms / 1000)
    for edge in (broke, fluent):
        picture.line([(edge, 212), (edge, y + 6)], BLUE, width=0.8, dash="3 3")
    picture.arrow((broke, y), (fluent, y), BLUE, width=2)
    told = f"recovery {event.recovery_ms / 1000:.2f} s"
    picture.text(fluent + 8, y + 4, told, colour=BLUE, weight=600)
    picture.text(broke - 6, y + 4, "broken off", anchor="end", size=12, colour=MUTED)
