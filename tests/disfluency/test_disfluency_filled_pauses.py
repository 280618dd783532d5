"""Filled pauses taken over from a prompted hearing: cases by hand, after what the recogniser really wrote."""

from __future__ import annotations

from itertools import pairwise

from vivavoce.measures.filled_pauses import with_filled_pauses
from vivavoce.timeline import Transcript, Word


def heard(*words: tuple[str, int, int] | tuple[str, int, int, float]) -> Transcript:
    return Transcript(tuple(Word(*word) for word in words), False, "en", "test")


def texts(transcript: Transcript) -> list[str]:
    return [word.text for word in transcript.words]


PLAIN = heard(("but", 7060, 7200), ("cares", 7200, 7640), ("this", 7640, 8820), ("is", 8820, 9080))


def test_a_pause_between_shared_neighbours_is_taken_over() -> None:
    prompted = heard(
        ("But", 7060, 7200), ("cares.", 7200, 7640), ("Um,", 8100, 8500, 0.3), ("this", 8600, 8820), ("is", 8820, 9080)
    )
    merged = with_filled_pauses(PLAIN, prompted)
    assert texts(merged) == ["but", "cares", "Um,", "this", "is"]
    # "this" was stretched from 7640 on; it now begins where the filled pause ends.
    assert [(word.start_ms, word.end_ms) for word in merged.words[2:4]] == [(8100, 8500), (8500, 8820)]
    assert merged.verbatim is False
    assert [notice.code for notice in merged.warnings] == ["filled_pauses_heard"]


def test_a_pause_before_the_first_word_is_taken_over() -> None:
    prompted = heard(("Um,", 6000, 6400, 0.9), ("but", 7060, 7200), ("cares", 7200, 7640))
    assert texts(with_filled_pauses(PLAIN, prompted))[:2] == ["Um,", "but"]


def test_a_word_before_that_was_stretched_over_it_is_cut() -> None:
    plain = heard(("we", 0, 200), ("lower", 200, 1500), ("it", 1500, 1700))
    prompted = heard(("we", 0, 200), ("lower", 200, 700), ("uh", 900, 1300, 0.5), ("it", 1500, 1700))
    merged = with_filled_pauses(plain, prompted)
    assert [(word.text, word.start_ms, word.end_ms) for word in merged.words] == [
        ("we", 0, 200),
        ("lower", 200, 900),
        ("uh", 900, 1300),
        ("it", 1500, 1700),
    ]


def test_what_replaces_a_word_is_not_taken_over() -> None:
    # A learner's "like they were" became "like er the": the hearing did not understand, nobody said "er".
    prompted = heard(("but", 7060, 7200), ("er", 7200, 7640, 0.9), ("this", 7640, 8820), ("is", 8820, 9080))
    assert with_filled_pauses(PLAIN, prompted) is PLAIN


def test_an_unlikely_one_and_one_at_the_end_are_not_taken_over() -> None:
    unlikely = heard(("but", 7060, 7200), ("cares", 7200, 7640), ("um", 8100, 8500, 0.01), ("this", 8600, 8820))
    trailing = heard(*((w.text, w.start_ms, w.end_ms) for w in PLAIN.words), ("uh", 9500, 9600, 0.9))
    assert with_filled_pauses(PLAIN, unlikely) is PLAIN
    assert with_filled_pauses(PLAIN, trailing) is PLAIN


def test_what_the_first_hearing_has_already_is_not_added_again() -> None:
    plain = heard(("we", 0, 200), ("um", 300, 600, 0.7), ("go", 700, 900))
    prompted = heard(("we", 0, 200), ("um", 300, 600, 0.8), ("um", 600, 650, 0.5), ("go", 700, 900))
    assert with_filled_pauses(plain, prompted) is plain


def test_times_stay_in_order() -> None:
    prompted = heard(
        ("but", 7060, 7200), ("cares", 7200, 7640), ("um", 7100, 9900, 0.5), ("this", 9000, 9100), ("is", 9100, 9200)
    )
    words = with_filled_pauses(PLAIN, prompted).words
    assert all(word.start_ms <= word.end_ms for word in words)
    assert all(a.end_ms <= b.start_ms for a, b in pairwise(words))
