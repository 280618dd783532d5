"""Pace: response, speaking and speech time, words per minute, pace variation, rates of breaks (M1, M4, M5).

All times are whole milliseconds and all arithmetic is in whole numbers and fractions, so that every machine
gives the same numbers. Three times, longest first (M4):

    response time   first word's start to last word's end
    speaking time   response time less its hesitations: pace is taken over this, since the cut charges hesitations
    speech time     response time less all its pauses: pace variation, and "ten seconds of actual speech"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from vivavoce.measurement import Measurement, measured
from vivavoce.measures.pauses import per_minute, total_ms
from vivavoce.measures.pauses import response as response_of
from vivavoce.timeline import Pause, Segment, Word

MIN_WORDS = 9
MIN_SPEECH_MS = 3000
WINDOWS_AT_LEAST = 3
WORDS_A_WINDOW = 15
STEPS_A_WINDOW = 10


@dataclass(frozen=True, slots=True)
class Pace:
    """What the words' times say about pace; each on its grid (A2), None where it could not be measured."""

    response_s: Measurement
    speaking_s: Measurement
    speech_s: Measurement
    word_count: Measurement
    words_per_minute: Measurement
    pace_variation: Measurement
    choppy_breaks_per_minute: Measurement
    hesitations_per_minute: Measurement


def pace(
    words: Sequence[Word], found: Sequence[Pause], counted: Sequence[bool], response: Segment | None = None
) -> Pace:
    """Return all measures of pace of one response.

    words_per_minute = counted words * 60,000 / speaking_ms; times and rates as the module's head says.

    Parameters: `words` in order, edges corrected, fillers included; `found` their pauses (`pauses.pauses`);
    `counted[i]` whether word i is a word for pace (a filled pause is not, unless the reference has it: M1); `response`
    where more was said than the words (`pauses.response`), None: first word's start to last word's end.
    Returns a `Pace`; with no words, all but the count are None. Raises ValueError where there is not one entry a word.
    Source: M1, M4, M5.
    """
    _same_length(words, counted)
    whole = response or response_of(words)
    response_ms = whole.length_ms
    speaking_ms = response_ms - total_ms(found, "hesitation")
    speech_ms = response_ms - total_ms(found)
    count = sum(counted)
    return Pace(
        _seconds("response_s", response_ms, words),
        _seconds("speaking_s", speaking_ms, words),
        _seconds("speech_s", speech_ms, words),
        measured("word_count", count, "words", "M1"),
        _words_per_minute(count, speaking_ms),
        pace_variation(words, found, counted, whole),
        per_minute("choppy_breaks_per_minute", found, "choppy", response_ms),
        per_minute("hesitations_per_minute", found, "hesitation", response_ms),
    )


def _seconds(name: str, length_ms: int, words: Sequence[Word]) -> Measurement:
    if not words:
        return measured(name, None, "s", "M4", "no words")
    return measured(name, Fraction(length_ms, 1000), "s", "M4")


def _words_per_minute(count: int, speaking_ms: int) -> Measurement:
    if speaking_ms <= 0:
        return measured("words_per_minute", None, "wpm", "M4", "no speaking time")
    return measured("words_per_minute", Fraction(count * 60_000, speaking_ms), "wpm", "M4")


@dataclass(frozen=True, slots=True)
class PaceWindows:
    """What pace variation is made from, in speech time: milliseconds since the response's start, pauses taken out.

    `spans`: start and end of each counted word; `windows`: how many windows would lie side by side in `speech_ms`;
    `counts`: words in each sliding window, which is `speech_ms / windows` long and begins a tenth of that after the
    one before.
    """

    speech_ms: int
    windows: int
    spans: tuple[tuple[int, int], ...]
    counts: tuple[Fraction, ...]


def pace_variation(
    words: Sequence[Word], found: Sequence[Pause], counted: Sequence[bool], response: Segment | None = None
) -> Measurement:
    """Return how much the pace changes over the response: a coefficient of variation, 0 is perfectly even.

    Windows of speech time / n, n = max(3, floor(words / 15)), sliding by a tenth of a window over speech time (pauses
    taken out); population standard deviation of their words per minute over the mean. A word that straddles an edge
    counts in proportion. All windows are equally long, so counts stand for words per minute.

    Parameters: as in `pace`. Returns a ratio to 0.001, exactly rounded half up; None, with the reason, under 9 words
    or 3 s of speech. Raises ValueError where there is not one entry a word. Source: M5.
    """
    made = pace_windows(words, found, counted, response)
    if made is None:
        note = f"needs {MIN_WORDS} words and {MIN_SPEECH_MS // 1000} s of speech"
        return measured("pace_variation", None, "ratio", "M5", note)
    return measured("pace_variation", _variation(made.counts), "ratio", "M5")


def pace_windows(
    words: Sequence[Word], found: Sequence[Pause], counted: Sequence[bool], response: Segment | None = None
) -> PaceWindows | None:
    """Return the sliding windows of `pace_variation` with the words in each; None under 9 words or 3 s of speech.

    Parameters: as in `pace`. Raises ValueError where there is not one entry a word. Source: M5.
    """
    _same_length(words, counted)
    whole = response or response_of(words)
    speech_ms = whole.length_ms - total_ms(found)
    count = sum(counted)
    if count < MIN_WORDS or speech_ms < MIN_SPEECH_MS:
        return None
    windows = max(WINDOWS_AT_LEAST, count // WORDS_A_WINDOW)
    spans = _speech_spans([word for word, counts in zip(words, counted, strict=True) if counts], found, whole.start_ms)
    return PaceWindows(speech_ms, windows, tuple(spans), tuple(_window_counts(spans, speech_ms, windows)))


def _speech_spans(words: Sequence[Word], found: Sequence[Pause], start_ms: int) -> list[tuple[int, int]]:
    """Each word's start and end in speech time: milliseconds since the response's start, pauses taken out.

    A pause lies between words, so both edges of a word have the same pauses before them.
    """
    spans: list[tuple[int, int]] = []
    taken, passed = start_ms, 0
    for word in words:
        while passed < len(found) and found[passed].end_ms <= word.start_ms:
            taken += found[passed].length_ms
            passed += 1
        spans.append((word.start_ms - taken, word.end_ms - taken))
    return spans


def _window_counts(spans: Sequence[tuple[int, int]], speech_ms: int, windows: int) -> list[Fraction]:
    """Words in each sliding window. Times are scaled by 10 n, so that a step is `speech_ms` and a window ten of it.

    A word without length belongs to the windows that begin at or before it and end after it (the last: or at it).
    """
    scale, step = STEPS_A_WINDOW * windows, speech_ms
    length, last = STEPS_A_WINDOW * step, STEPS_A_WINDOW * (windows - 1)
    whole = [0] * (last + 1)
    parts = [Fraction(0)] * (last + 1)
    for start, end in ((start * scale, end * scale) for start, end in spans):
        first_touched = max(0, (start - length) // step + 1)
        last_touched = min(last, max(start, end - 1) // step)
        for index in range(min(first_touched, last), last_touched + 1):
            low = index * step
            if low <= start and end <= low + length:
                whole[index] += 1
            else:
                parts[index] += Fraction(min(end, low + length) - max(start, low), end - start)
    return [count + part for count, part in zip(whole, parts, strict=True)]


def _variation(counts: Sequence[Fraction]) -> Fraction:
    """Population standard deviation over mean, rounded half up to 0.001 by whole-number square root.

    floor(1000 r + 1/2) = floor((floor(2000 r) + 1) / 2), and floor(2000 r) = isqrt(floor(4,000,000 r^2)).
    """
    mean = sum(counts, Fraction(0)) / len(counts)
    squared = sum(((count - mean) ** 2 for count in counts), Fraction(0)) / len(counts) / mean**2
    doubled = isqrt(4_000_000 * squared.numerator // squared.denominator)
    return Fraction((doubled + 1) // 2, 1000)


def _same_length(words: Sequence[Word], counted: Sequence[bool]) -> None:
    if len(counted) != len(words):
        raise ValueError(f"{len(words)} words but {len(counted)} entries of counted")
