"""Phrase boundaries restored where a transcript has none (M3): the rule worked by hand, and its limits stated."""

from __future__ import annotations

import pytest

from vivavoce.timeline import Word
from vivavoce.transcript.boundaries import is_unpunctuated, log_odds, restore


def said(*parts: tuple[str, int]) -> list[Word]:
    """Words of 300 ms, each followed by a pause of the given length."""
    words, at = [], 0
    for text, pause_ms in parts:
        words.append(Word(text, at, at + 300))
        at += 300 + pause_ms
    return words


def test_log_odds_by_hand() -> None:
    """-0.7 + 1.1 * log2(1000 / 250) = 1.5 after a noun, less 2.0 after an article."""
    assert log_odds("dog", 1000) == pytest.approx(1.5)
    assert log_odds("The", 1000) == pytest.approx(-0.5)
    assert log_odds("dog", 250) == pytest.approx(-0.7)


def test_a_longer_pause_is_a_boundary_and_one_after_an_article_is_not() -> None:
    words = said(("we", 0), ("saw", 0), ("the", 600), ("dog", 600), ("and", 300), ("it", 0), ("ran", 300), ("off", 0))
    assert restore(words) == [False, False, False, True, False, False, False, True]


def test_running_speech_has_no_boundary_but_its_end() -> None:
    assert restore(said(("one", 249), ("two", 0), ("three", 0))) == [False, False, True]
    assert restore([]) == []


def test_a_pause_begins_at_the_latest_end_so_far() -> None:
    """As in M2's pauses: the second word lies within the first, which ends 100 ms before the third."""
    words = [Word("dog", 0, 1900), Word("ran", 300, 600), Word("home", 2000, 2300)]
    assert restore(words) == [False, False, True]


def test_case_and_curly_apostrophes_do_not_matter() -> None:
    assert log_odds("It\N{RIGHT SINGLE QUOTATION MARK}s", 500) == log_odds("it's", 500) < log_odds("its", 500)


@pytest.mark.parametrize(
    ("words", "boundaries", "none"),
    [(1780, 1, True), (73, 1, True), (55, 0, True), (1, 0, True), (9, 1, False), (1767, 116, False), (0, 0, False)],
)
def test_as_good_as_no_punctuation(words: int, boundaries: int, none: bool) -> None:
    """Counts of real transcripts: IBM's talk, Pocketsphinx, tiny.en's monologue; a single sentence; Google's talk."""
    assert is_unpunctuated(words, boundaries) is none
