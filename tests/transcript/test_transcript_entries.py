"""Entries that hold several words, by hand: 10 letters in 1000 ms are 100 ms a letter."""

from vivavoce.timeline import Transcript, Word
from vivavoce.transcript.entries import split_entries


def test_the_words_of_an_entry_share_its_time_by_their_letters() -> None:
    told = split_entries(Transcript((Word("he was notso.", 500, 1600, 0.5), Word("yes", 2000, 2300))))
    assert told.words == (
        Word("he", 500, 700, 0.5),
        Word("was", 700, 1000, 0.5),
        Word("notso.", 1000, 1600, 0.5),
        Word("yes", 2000, 2300),
    )
    assert [notice.code for notice in told.warnings] == ["entries_of_several_words"]
    assert told.warnings[0].found.startswith("1 entries")


def test_a_sign_that_stands_alone_is_no_word() -> None:
    transcript = Transcript((Word("Hello, \u2014", 0, 400),))
    assert split_entries(transcript) is transcript


def test_a_transcript_of_single_words_is_left_alone() -> None:
    transcript = Transcript((Word("well-known", 0, 400),))
    assert split_entries(transcript) is transcript
