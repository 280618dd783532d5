"""M4 to M6 a second time, slowly, from the decisions' words: millisecond by millisecond, ratio by ratio."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

from vivavoce.timeline import Word


def rounded(value: Fraction | Decimal, digits: int) -> float:
    """Half up, by the decimal module."""
    with localcontext() as context:
        context.prec = 60
        number = value if isinstance(value, Decimal) else Decimal(value.numerator) / Decimal(value.denominator)
        return float(number.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def silences(words: Sequence[Word]) -> list[tuple[int, int]]:
    """Runs of milliseconds in which no word sounds, cut where a word without length stands; 250 ms or longer."""
    start, end = words[0].start_ms, max(word.end_ms for word in words)
    sounding = [any(word.start_ms <= ms < word.end_ms for word in words) for ms in range(start, end)]
    cuts = {word.start_ms for word in words} | {word.end_ms for word in words} | {end}
    runs, begin = [], None
    for ms in range(start, end + 1):
        quiet = ms < end and not sounding[ms - start]
        if begin is not None and (not quiet or ms in cuts):
            runs.append((begin, ms))
            begin = None
        if quiet and begin is None:
            begin = ms
    return [(a, b) for a, b in runs if b - a >= 250]


def times(words: Sequence[Word], counted: Sequence[bool]) -> dict[str, float | None]:
    """Response, speaking and speech time in seconds, words a minute, hesitations a minute (M4)."""
    response = max(word.end_ms for word in words) - words[0].start_ms
    lengths = [b - a for a, b in silences(words)]
    speaking = response - sum(length for length in lengths if length >= 1200)
    waits = sum(length >= 1200 for length in lengths)
    return {
        "response_s": rounded(Fraction(response, 1000), 2),
        "speaking_s": rounded(Fraction(speaking, 1000), 2),
        "speech_s": rounded(Fraction(response - sum(lengths), 1000), 2),
        "words_per_minute": rounded(Fraction(60_000 * sum(counted), speaking), 1) if speaking else None,
        "hesitations_per_minute": rounded(Fraction(60_000 * waits, response), 2) if response else None,
    }


def variation(words: Sequence[Word], counted: Sequence[bool]) -> float | None:
    """M5 by the count of words up to each moment: a window's words are the difference between its ends."""
    origin, quiet = words[0].start_ms, silences(words)

    def speech_time(ms: int) -> int:
        return ms - origin - sum(min(ms, b) - a for a, b in quiet if a < ms)

    total = speech_time(max(word.end_ms for word in words))
    if sum(counted) < 9 or total < 3000:
        return None
    spans = [
        (speech_time(word.start_ms), speech_time(word.end_ms))
        for word, is_one in zip(words, counted, strict=True)
        if is_one
    ]

    def said_before(moment: Fraction) -> Fraction:
        return sum(
            (
                Fraction(start < moment)
                if start == end
                else min(max((moment - start) / Fraction(end - start), Fraction(0)), Fraction(1))
                for start, end in spans
            ),
            Fraction(0),
        )

    count = max(3, sum(counted) // 15)
    window = Fraction(total, count)
    rates = []
    for step in range(10 * (count - 1) + 1):
        low = step * window / 10
        high = low + window if step < 10 * (count - 1) else Fraction(total + 1)
        rates.append(said_before(high) - said_before(low))
    mean = statistics.mean(rates)
    variance = statistics.pvariance(rates, mean)
    with localcontext() as context:
        context.prec = 60
        root = (Decimal(variance.numerator) / Decimal(variance.denominator)).sqrt()
        return rounded(root * mean.denominator / mean.numerator, 3)


def times_as_fast(first: Sequence[tuple[int, int]], last: Sequence[tuple[int, int]]) -> Fraction:
    """The median ratio of all stretches between two edges, each taken as often as it has milliseconds."""
    early, late = ([edge for span in spans for edge in span] for spans in (first, last))
    often: list[Fraction] = []
    for one in range(len(early)):
        for other in range(one + 1, len(early)):
            a, b = early[other] - early[one], late[other] - late[one]
            if a > 0 and b > 0 and a + b >= 300:
                often += [Fraction(a, b)] * (a + b)
    return statistics.median_low(often)
