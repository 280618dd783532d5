"""Pictures of pace: the three times, its variation, and its rise over the repetitions of a twister."""

from __future__ import annotations

from fractions import Fraction

from drawing.canvas import (
    BLUE,
    GREY,
    INK,
    KIND_COLOURS,
    LEFT,
    MUTED,
    ORANGE,
    RIGHT,
    RULE,
    Picture,
    Scale,
)
from drawing.material import READER, sonnet
from drawing.words import whole_level
from vivavoce.measures.rate import PaceWindows, pace_windows
from vivavoce.measures.reading import RISE, STRETCH_MS, Repetition, pace_rises, repetitions_from, stretches
from vivavoce.timeline import Word
from vivavoce.transcript.alignment import align
from vivavoce.transcript.words import tokenize, tokenize_words

THIRD_EDGES_MS = (0, 18, 18, -24, -24, 10, 10, -20, -20, 26, 26, -14, -14, 140)
"""How far each edge of the third repetition is off: a recogniser's errors by hand, and a last word that ends late."""


def times() -> Picture:
    """Response, speaking and speech time of the whole recording as bars over each other."""
    made = sonnet()
    picture = Picture(
        462,
        "Response, speaking and speech time",
        "Over the whole recording: its level, and three bars. Response time runs from the first word to the last. "
        "Speaking time leaves out the hesitations, speech time all pauses.",
    )
    picture.subtitle(f"{READER}.")
    across = Scale(0, 54, LEFT + 58, RIGHT - 70)
    whole_level(picture, across, Scale(20, 80, 136, 76))
    picture.text(LEFT + 48, 118, "level", anchor="end", size=12.5, colour=MUTED)
    whole = made.response
    rows = (
        ("response", "response_s", ()),
        ("speaking", "speaking_s", ("hesitation",)),
        ("speech", "speech_s", ("hesitation", "phrase", "choppy")),
    )
    for place, (name, measure, out) in enumerate(rows):
        y = 150 + 46 * place
        picture.text(LEFT + 48, y + 21, name, anchor="end", weight=600)
        picture.box(across(whole.start_ms / 1000), y, across(whole.end_ms / 1000), y + 32, "#9cc1e2", round_by=2)
        for pause in made.measured.pauses:
            if pause.kind in out:
                x, x_end = across(pause.start_ms / 1000), across(pause.end_ms / 1000)
                picture.box(x, y - 1, x_end, y + 33, "#fff")
                picture.box(x, y + 13, x_end, y + 19, KIND_COLOURS[pause.kind])
        picture.text(RIGHT, y + 21, f"{made.value(measure):.2f} s", anchor="end", weight=600)
    for edge in (whole.start_ms / 1000, whole.end_ms / 1000):
        picture.line([(across(edge), 76), (across(edge), 288)], GREY, width=0.8, dash="4 3")
    picture.across(across, 296, range(0, 51, 10), "time, s")
    picture.legend(
        LEFT + 58, 352, [("#9cc1e2", "counts"), *((KIND_COLOURS[k], f"left out: {k}") for k in KIND_COLOURS)]
    )
    _rates(picture)
    return picture


def _rates(picture: Picture) -> None:
    """Write the rates with their numbers."""
    made = sonnet()
    count, response, speaking = (made.value(name) for name in ("word_count", "response_s", "speaking_s"))
    choppy = sum(one.kind == "choppy" for one in made.measured.pauses)
    pace, breaks = made.value("words_per_minute"), made.value("choppy_breaks_per_minute")
    picture.text(20, 394, "words per minute", weight=600)
    picture.text(210, 394, f"words × 60 / speaking time = {count:g} × 60 / {speaking:.2f} s = {pace:.1f}")
    picture.text(20, 418, "choppy breaks per minute", weight=600)
    picture.text(210, 418, f"choppy breaks × 60 / response time = {choppy} × 60 / {response:.2f} s = {breaks:.2f}")
    hesitations = sum(one.kind == "hesitation" for one in made.measured.pauses)
    waits = made.value("hesitations_per_minute")
    picture.text(20, 442, "hesitations per minute", weight=600)
    picture.text(210, 442, f"hesitations × 60 / response time = {hesitations} × 60 / {response:.2f} s = {waits:.2f}")


def pace_variation() -> Picture:
    """Windows that slide over speech time, the words a minute in each, and their mean and deviation."""
    made = sonnet()
    found = pace_windows(made.words, made.measured.pauses, made.counted, made.response)
    assert found is not None
    length = found.speech_ms / found.windows / 1000
    picture = Picture(
        470,
        "Pace variation: words a minute in windows that slide over speech time",
        f"On an axis of speech time, pauses taken out: the words, some of the {len(found.counts)} windows of "
        f"{length:.2f} s, and a curve of the words a minute in each window, with their mean and one standard deviation "
        f"on either side. Deviation over mean is {made.value('pace_variation'):.3f}.",
    )
    picture.subtitle(
        f"{READER}.",
        f"{made.value('word_count'):g} words, so n = {found.windows}: windows of {found.speech_ms / 1000:.2f} s / "
        f"{found.windows} = {length:.2f} s, {len(found.counts)} of them.",
    )
    across = Scale(0, found.speech_ms / 1000, LEFT, RIGHT)
    for start, end in found.spans:
        picture.box(across(start / 1000) + 0.3, 78, across(end / 1000) - 0.3, 92, "#9cc1e2")
    picture.text(LEFT - 7, 90, "words", anchor="end", size=12, colour=MUTED)
    shown = (0, 1, 2, 3, 24, len(found.counts) - 1)
    _windows(picture, across, found, shown)
    _curve(picture, across, found, shown)
    picture.across(across, 400, range(0, 41, 5), "speech time (pauses taken out), s")
    picture.legend(
        LEFT, 456, [("#9cc1e2", "word"), (ORANGE, "window"), (BLUE, "words a minute in a window, at its middle")]
    )
    return picture


def _windows(picture: Picture, across: Scale, found: PaceWindows, shown: tuple[int, ...]) -> None:
    """Draw some windows as bars under each other."""
    length, step = found.speech_ms / found.windows / 1000, found.speech_ms / found.windows / 10_000
    for row, place in enumerate(shown):
        y = 104 + 11 * row
        picture.box(across(place * step), y, across(place * step + length), y + 7, ORANGE, opacity=0.75, round_by=2)
        picture.dot(across(place * step + length / 2), y + 3.5, "#fff", 2)
    picture.text(across(9 * step + length), 128, "each begins a tenth of a window after the one before", size=12)


def _curve(picture: Picture, across: Scale, found: PaceWindows, shown: tuple[int, ...]) -> None:
    """Draw words a minute over the windows' middles, with their mean and the deviation measured."""
    length, step = found.speech_ms / found.windows / 1000, found.speech_ms / found.windows / 10_000
    paces = [float(count) * 60 / length for count in found.counts]
    mean = float(sum(found.counts, Fraction(0))) / len(paces) * 60 / length
    spread = sonnet().value("pace_variation") * mean
    upright = Scale(100, 220, 400, 190)
    picture.box(LEFT, upright(mean + spread), RIGHT, upright(mean - spread), "#dcebf7")
    picture.upright(upright, LEFT, (100, 130, 160, 190, 220), "words a minute")
    picture.line([(LEFT, upright(mean)), (RIGHT, upright(mean))], INK, dash="6 4")
    points = [(across(place * step + length / 2), upright(pace)) for place, pace in enumerate(paces)]
    picture.line(points, BLUE, width=2)
    for place in shown:
        picture.dot(*points[place], ORANGE, 4)
    told = f"mean {mean:.1f}, standard deviation {spread:.1f}"
    picture.text(LEFT + 8, upright(109), told, weight=600)
    told = f"variation = deviation / mean = {sonnet().value('pace_variation'):.3f}"
    picture.text(RIGHT - 6, upright(109), told, anchor="end", weight=600, colour=BLUE)


def twister() -> tuple[Repetition, ...]:
    """Return a line of the sonnet three times: as read, 4 % faster, 10 % faster with edges that are off."""
    line = [word for word in sonnet().words if 5_800 <= word.start_ms < 8_500]
    begin, words, at = line[0].start_ms, [], 0
    for place, tempo in enumerate((1.0, 1.04, 1.1)):
        for index, word in enumerate(line):
            off = THIRD_EDGES_MS[2 * index : 2 * index + 2] if place == 2 else (0, 0)
            start, end = (at + (edge - begin) / tempo for edge in (word.start_ms, word.end_ms))
            words.append(Word(word.text, round(start) + off[0], round(end) + off[1]))
        at = words[-1].end_ms + 350
    text = " ".join(word.text for word in line)
    alignment = align(tokenize(text), tokenize_words([word.text for word in words]), repeat=3)
    return repetitions_from(alignment.labels, words)


def pace_rises_note() -> tuple[float, float, float]:
    """Return how many times as fast the last repetition is by the median, by the stopwatch, and its limit."""
    said = twister()
    by_median = pace_rises(said).note.split(": ")[1].split(" %")[0]
    by_watch = pace_rises([one.words for one in said]).note.split(": ")[1].split(" %")[0]
    return 1 + float(by_median) / 100, 1 + float(by_watch) / 100, float(RISE)


def pace_rises_picture() -> Picture:
    """Three repetitions, the edges that the first and the last have in common, and the ratio of every stretch."""
    said = twister()
    median, watch, limit = pace_rises_note()
    found = stretches(said[0], said[-1]) or []
    picture = Picture(
        616,
        "Pace rises: the median of all stretches, not the stopwatch",
        "Above, three repetitions of a line by their words, with lines from the edges of words in the first to the "
        "same edges in the last. Below, each stretch between two such edges as a dot: how many times as fast it is in "
        f"the last repetition, over its length. The weighted median is {median:.3f}, over the limit of {limit:.2f}; "
        f"the ratio of the two whole lengths is {watch:.3f}, for the last word ends late.",
    )
    picture.subtitle(
        "Made material: the words of a line of the sonnet as read (first), 4 % faster (second) and 10 % faster (last);",
        "in the last the edges are off by up to 26 ms, and the last word, as one that fades may, ends 140 ms late.",
    )
    across = Scale(0, 2.8, LEFT, RIGHT)
    _edges(picture, across, said)
    for name, one, y in zip(("first", "second", "last"), said, (92, 142, 192), strict=True):
        picture.text(LEFT - 7, y + 19, name, anchor="end", size=12.5, colour=MUTED)
        for word in one.words:
            x, x_end = (across((edge - one.words[0].start_ms) / 1000) for edge in (word.start_ms, word.end_ms))
            fill = "#f1f3f5" if name == "second" else "#cfe1f1"
            picture.box(x + 0.5, y, x_end - 0.5, y + 30, fill, stroke=GREY, round_by=2)
            size = min(13.0, 1.7 * (x_end - x) / len(word.text))
            picture.text((x + x_end) / 2, y + 20, word.text, anchor="middle", size=size)
    picture.across(across, 230, (0, 0.5, 1, 1.5, 2, 2.5), "time since the repetition's first word, s")
    _ratios(picture, found, (median, watch, limit))
    return picture


def _edges(picture: Picture, across: Scale, said: tuple[Repetition, ...]) -> None:
    """Draw lines from the edges of the first repetition to the same edges of the last."""
    first, last = said[0].words, said[-1].words
    for one, other in zip(first, last, strict=True):
        for early, late in ((one.start_ms, other.start_ms), (one.end_ms, other.end_ms)):
            start, end = across((early - first[0].start_ms) / 1000), across((late - last[0].start_ms) / 1000)
            picture.line([(start, 122), (end, 192)], GREY, width=0.8, dash="3 3")


def _ratios(picture: Picture, found: list[tuple[Fraction, int]], lines: tuple[float, float, float]) -> None:
    """Draw the ratio of each stretch over its weight, with the median, the limit and the stopwatch."""
    median, watch, limit = lines
    across, upright = Scale(0, 6, LEFT, RIGHT), Scale(0.75, 1.3, 560, 316)
    picture.text(
        20, 298, f"{len(found)} stretches between two edges that both have (many dots fall on each other)", weight=600
    )
    picture.upright(upright, LEFT, (0.8, 0.9, 1, 1.1, 1.2, 1.3), "time in first / time in last", ".1f")
    for ratio, weight in found:
        assert upright.low <= ratio <= upright.high
        picture.dot(across(weight / 1000), upright(float(ratio)), "#5b9bd0", 3.5)
    for value, colour, dash, told, down in (
        (limit, INK, "6 4", f"limit {limit:.2f}", -5),
        (median, BLUE, "", f"median {median:.3f}: rises", -6),
        (watch, ORANGE, "2 3", f"stopwatch {watch:.3f}", 14),
    ):
        picture.line([(LEFT, upright(value)), (RIGHT, upright(value))], colour, width=1.8, dash=dash)
        picture.text(RIGHT, upright(value) + down, told, anchor="end", weight=600, colour=colour)
    picture.line([(across(STRETCH_MS / 1000), 316), (across(STRETCH_MS / 1000), 560)], RULE)
    picture.across(across, 560, range(7), "length of the stretch in both repetitions together (its weight), s")
