"""Broken word times: what is done to each, worked out by hand, and told in a notice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.errors import TranscriptError
from vivavoce.timeline import Segment, Transcript, Word
from vivavoce.transcript.stretched import expected_ms, is_stretched
from vivavoce.transcript.times import Heard, fit_within, mend

Times = tuple[str, int | None, int | None]
# Ten sound words from 10 s on, so that a fault or two stay under a fifth.
TAIL: list[Times] = [("word", 10_000 + 300 * at, 10_300 + 300 * at) for at in range(10)]


def mended(words: list[Times], duration_ms: int | None = None) -> tuple[list[Times], dict[str, str]]:
    found, notices = mend([Heard(*word) for word in [*words, *TAIL]], duration_ms)
    assert [(word.text, word.start_ms, word.end_ms) for word in found[len(words) :]] == TAIL
    told = {notice.code: notice.found for notice in notices}
    assert all(notice.remedy for notice in notices)
    return [(word.text, word.start_ms, word.end_ms) for word in found[: len(words)]], told


def refused(words: list[Times], duration_ms: int | None = None) -> TranscriptError:
    with pytest.raises(TranscriptError) as caught:
        mend([Heard(*word) for word in words], duration_ms)
    return caught.value


def test_expected_lengths() -> None:
    """60 ms and 70 ms a letter; a digit is read as about four letters; punctuation takes no time."""
    assert [expected_ms(text) for text in ("a", "hello,", "5", "20%")] == [130, 410, 340, 620]


def test_sound_times_stay() -> None:
    words: list[Times] = [("one", 0, 300), ("two", 300, 500), ("three", 2000, 2400)]
    assert mended(words) == (words, {})


def test_words_without_times_fill_the_gap_by_length() -> None:
    """Gap 500-1500; "to" 200, "20" 620, expected 820 in all: 500 + 1000 * 200 / 820 = 743."""
    found, told = mended([("from", 0, 500), ("to", None, None), ("20", None, None), ("men", 1500, 1800)])
    assert found == [("from", 0, 500), ("to", 500, 743), ("20", 743, 1500), ("men", 1500, 1800)]
    assert told == {
        "words_without_times": "of 14 words, 2 without times, spread between their neighbours "
        "(“to” at 0.50 s, “20” at 0.74 s)"
    }


def test_a_long_gap_is_filled_whole_and_makes_no_pause() -> None:
    found, told = mended([("from", 0, 500), ("20", None, None), ("men", 4500, 4800)])
    assert found[1] == ("20", 500, 4500)
    assert set(told) == {"words_without_times", "words_stretched"}


def test_without_a_gap_the_word_before_shares_its_time() -> None:
    """From 0 to 800: "four" and "a" expect 340 and 130 of 470, so "four" ends at 800 * 340 / 470 = 578."""
    found, _ = mended([("four", 0, 800), ("a", None, None), ("men", 800, 1100)])
    assert found == [("four", 0, 578), ("a", 578, 800), ("men", 800, 1100)]


def test_at_the_beginning_the_word_after_shares_its_time() -> None:
    """From 100 to 1100: "a" 130, "men" 270 of 400."""
    found, _ = mended([("a", None, None), ("men", 100, 1100)])
    assert found == [("a", 100, 425), ("men", 425, 1100)]


def test_at_the_end_the_word_before_shares_its_time() -> None:
    heard = [Heard(*word) for word in [*TAIL, ("word", None, None)]]
    words, _ = mend(heard)
    assert [(word.start_ms, word.end_ms) for word in words[-2:]] == [(12_700, 12_850), (12_850, 13_000)]


def test_a_segment_bounds_its_words() -> None:
    """A cue from 2000 to 3000 with "to be": pauses before and after it are the file's own."""
    cue = Segment(2000, 3000)
    heard = [Heard("or", 0, 500), Heard("to", within=cue), Heard("be", within=cue), *(Heard(*word) for word in TAIL)]
    words, notices = mend(heard)
    assert [(word.start_ms, word.end_ms) for word in words[1:3]] == [(2000, 2500), (2500, 3000)]
    assert [notice.code for notice in notices] == ["words_without_times"]


def test_a_segment_gives_way_to_the_times_of_words() -> None:
    cue = Segment(2000, 3000)
    heard = [Heard("or", 0, 2400), Heard("be", within=cue), *(Heard(*word) for word in TAIL)]
    words, _ = mend(heard)
    assert (words[1].start_ms, words[1].end_ms) == (2400, 3000)


def test_an_overlap_is_cut_where_the_next_word_begins() -> None:
    found, told = mended([("one", 0, 500), ("two", 400, 700)])
    assert found == [("one", 0, 400), ("two", 400, 700)]
    assert told["times_overlapping"].startswith("of 12 words, 1 reaching into the next word")


def test_an_overlap_of_a_rounding_millisecond_is_not_told() -> None:
    assert mended([("one", 0, 500), ("two", 499, 700)]) == ([("one", 0, 499), ("two", 499, 700)], {})


def test_words_inside_a_word_leave_no_new_gap() -> None:
    """The first word covers 0-1600; the last word inside it is drawn to 1600, so no pause appears."""
    found, told = mended([("one", 0, 1600), ("two", 500, 800), ("three", 800, 1200), ("four", 1700, 2000)])
    assert found == [("one", 0, 500), ("two", 500, 800), ("three", 800, 1600), ("four", 1700, 2000)]
    assert set(told) == {"times_overlapping"}


def test_a_word_of_no_length_takes_from_the_gap_after() -> None:
    """ "to" expects 200 ms; the gap is 1000, so 800 of pause are left."""
    found, told = mended([("one", 0, 500), ("to", 500, 500), ("three", 1500, 1900)])
    assert found == [("one", 0, 500), ("to", 500, 700), ("three", 1500, 1900)]
    assert told["times_zero_length"].startswith("of 13 words, 1 of no length")


def test_a_word_of_no_length_takes_from_the_gap_before() -> None:
    found, _ = mended([("one", 0, 500), ("to", 1500, 1500), ("three", 1500, 1900)])
    assert found == [("one", 0, 500), ("to", 1300, 1500), ("three", 1500, 1900)]


def test_a_word_of_no_length_between_neighbours_shares_the_word_before() -> None:
    """From 0 to 470: "one" 270, "to" 200."""
    found, _ = mended([("one", 0, 470), ("to", 470, 470), ("three", 470, 900)])
    assert found == [("one", 0, 270), ("to", 270, 470), ("three", 470, 900)]


def test_several_of_no_length_share() -> None:
    """ "to" and "to" at one place, gap of 300 after: 150 each."""
    found, told = mended([("one", 0, 500), ("to", 500, 500), ("to", 500, 500), ("three", 800, 900)])
    assert found == [("one", 0, 500), ("to", 500, 650), ("to", 650, 800), ("three", 800, 900)]
    assert "2 of no length" in told["times_zero_length"]


def test_the_word_that_jumps_is_the_one_that_moves() -> None:
    """0, 5000, 600, 900: the fewest starts to drop is one, 5000; it is put between its neighbours."""
    found, told = mended([("one", 0, 300), ("two", 5000, 5300), ("three", 600, 900), ("four", 900, 1200)])
    assert found == [("one", 0, 300), ("two", 300, 600), ("three", 600, 900), ("four", 900, 1200)]
    assert "1 running backward" in told["times_backward"]


def test_an_end_before_the_start_is_backward() -> None:
    found, told = mended([("one", 0, 300), ("two", 600, 400), ("three", 700, 900)])
    assert found == [("one", 0, 300), ("two", 300, 700), ("three", 700, 900)]
    assert set(told) == {"times_backward"}


def test_a_negative_start_is_cut() -> None:
    found, told = mended([("one", -200, 300), ("two", 300, 600)])
    assert found == [("one", 0, 300), ("two", 300, 600)]
    assert "1 outside the recording" in told["times_beyond_end"]


def test_past_the_end_is_cut_or_moved() -> None:
    """The recording ends at 12,950: 50 ms are an edge; at 12,900 it is told; a word wholly past it shares."""
    heard = [Heard(*word) for word in TAIL]
    words, notices = mend(heard, 12_950)
    assert (words[-1].end_ms, notices) == (12_950, ())
    words, notices = mend(heard, 12_900)
    assert words[-1].end_ms == 12_900
    assert [notice.code for notice in notices] == ["times_beyond_end"]
    words, notices = mend([*heard, Heard("word", 14_000, 14_300)], 13_000)
    assert [(word.start_ms, word.end_ms) for word in words[-2:]] == [(12_700, 12_850), (12_850, 13_000)]
    assert [notice.code for notice in notices] == ["times_beyond_end"]


def test_more_than_a_fifth_is_refused() -> None:
    """Of 15 words, 3 are a fifth: mended. A fourth of 16 is too many."""
    three: list[Times] = [("a", None, None), ("b", 500, 400), ("c", 1000, 1000)]
    mended([("d", 0, 300), *three, ("e", 2300, 2600)])
    error = refused([("d", 0, 300), *three, ("e", 2300, 2600), ("f", None, None), *TAIL])
    assert error.code == "times_broken"
    for part in ("2 without times", "running backward", "of no length", "20%"):
        assert part in error.found + error.allowed
    assert "vivavoce align-audio" in error.remedy


def test_one_faulty_word_is_never_too_many() -> None:
    words, _ = mend([Heard("one", 0, 300), Heard("two", 600, 400)])
    assert [(word.start_ms, word.end_ms) for word in words] == [(0, 150), (150, 300)]


def test_more_than_half_overlapping_is_refused() -> None:
    assert refused([("word", 100 * at, 100 * at + 300) for at in range(10)]).code == "times_broken"


@pytest.mark.parametrize("timed", [0, 1])
def test_fewer_than_half_with_times_is_none(timed: int) -> None:
    error = refused([*TAIL[:timed], *[("word", None, None)] * 3])
    assert (error.code, error.found) == ("transcript_without_times", f"3 of {3 + timed} words without times")


@pytest.mark.parametrize(
    ("words", "duration_ms", "found", "allowed"),
    [
        ([("one", 500, 100), ("two", 900, 600)], None, "2 running backward (“one” from 0.50 to 0.10 s,", "from 0 on"),
        ([("one", 9000, 9500)], 8000, "1 outside the recording (“one” from 9.00 to 9.50 s)", "from 0 to 8.00 s"),
        ([("one", -900, -500)], None, "1 outside the recording (“one” from -0.90 to -0.50 s)", "from 0 on"),
        ([("one", 1, 9)] * 3, None, "2 of no length or beginning with the next word (“one” from 0.00", "from 0 on"),
    ],
)
def test_times_that_are_there_and_all_wrong_are_not_called_missing(
    words: list[Times], duration_ms: int | None, found: str, allowed: str
) -> None:
    error = refused(words, duration_ms)
    assert error.code == "times_broken"
    assert found in error.found
    assert allowed in error.allowed


def test_words_of_segments_are_told_from_words_without_any_time() -> None:
    with pytest.raises(TranscriptError) as caught:
        mend([Heard("to", within=Segment(0, 900)), Heard("be", within=Segment(0, 900))])
    assert caught.value.found == "2 of 2 words without times: only the segments or cues that they stand in have times"


def test_words_of_two_channels_are_merged_without_moving_starts() -> None:
    """While the other speaks, a word is cut; the time that both cover stays covered, and nothing is counted."""
    heard = [Heard("a", 0, 1000, channel="0"), Heard("c", 1000, 1400, channel="0"), Heard("b", 300, 600, channel="1")]
    words, notices = mend(heard)
    assert [(word.text, word.start_ms, word.end_ms) for word in words] == [
        ("a", 0, 300),
        ("b", 300, 1000),
        ("c", 1000, 1400),
    ]
    assert notices == ()


@pytest.mark.parametrize(
    ("text", "length_ms", "stretched"),
    [
        ("a", 1000, False),  # not over 1 s
        ("a", 1001, True),
        ("hello", 1025, False),  # 2.5 times 410
        ("hello", 1026, True),
        ("2026", 2950, False),  # 2.5 times 1180
        ("2026", 2951, True),
    ],
)
def test_stretched_words(text: str, length_ms: int, stretched: bool) -> None:
    assert is_stretched(Word(text, 0, length_ms)) is stretched


def test_stretched_words_are_told() -> None:
    _, told = mended([("so", 0, 1500)])
    assert told["words_stretched"].startswith("1 of 11 words take over 1 s and 2.5 times")
    assert "“so” 1.50 s long at 0.00 s" in told["words_stretched"]


def test_fit_within_a_recording() -> None:
    words = tuple(Word(text, start or 0, end or 0, 0.5) for text, start, end in TAIL)
    transcript = Transcript(words, True, "en", "x")
    assert fit_within(transcript, 13_000) is transcript
    cut = fit_within(transcript, 12_900)
    assert cut.words == (*words[:-1], Word("word", 12_700, 12_900, 0.5))
    assert ([n.code for n in cut.warnings], cut.verbatim, cut.recognizer) == (["times_beyond_end"], True, "x")
    with pytest.raises(TranscriptError) as caught:
        fit_within(transcript, 12_000)
    assert (caught.value.code, caught.value.where) == ("times_beyond_end", "word 7 of the transcript")
    assert caught.value.found.startswith("4 of 10 words")
    assert fit_within(Transcript(()), 0) == Transcript(())


TIME = st.none() | st.integers(-500, 8000)


@given(
    st.lists(st.tuples(st.sampled_from(["a", "word", "2026"]), TIME, TIME, st.sampled_from([None, "1"])), max_size=30),
    st.none() | st.integers(0, 9000),
)
def test_whatever_comes_is_in_order_or_refused(
    items: list[tuple[str, int | None, int | None, str | None]], duration: int | None
) -> None:
    """No word is lost, none overlaps or is negative, none is outside, and sound times come back unchanged."""
    heard = [Heard(text, start, end, channel=channel) for text, start, end, channel in items]
    try:
        words, notices = mend(heard, duration)
    except TranscriptError as error:
        assert error.code in ("times_broken", "transcript_without_times")  # noqa: PT017
        return
    assert sorted(word.text for word in words) == sorted(text for text, *_ in items)
    reached = 0
    for word in words:
        assert reached <= word.start_ms <= word.end_ms
        reached = word.end_ms
    assert duration is None or reached <= duration
    again, _ = mend([Heard(word.text, word.start_ms, word.end_ms) for word in words if word.end_ms > word.start_ms])
    assert again == tuple(word for word in words if word.end_ms > word.start_ms)
    starts = [start for _, start, *_ in items]
    if None in starts:
        assert "words_without_times" in {notice.code for notice in notices}


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(1, 400)), min_size=1, max_size=40), st.data())
def test_untimed_words_never_make_a_pause(steps: list[tuple[int, int]], data: st.DataObject) -> None:
    """Sound words with some times taken away: every gap that is left was there, and none is longer."""
    sound: list[Times] = []
    at = 0
    for gap, length in steps:
        at += gap
        sound.append(("word", at, at + length))
        at += length
    gone = data.draw(st.sets(st.integers(0, len(sound) - 1), max_size=max(1, len(sound) // 5)))
    if len(gone) == len(sound):
        return
    words, _ = mend([Heard("word") if index in gone else Heard(*word) for index, word in enumerate(sound)])
    for index in range(1, len(sound)):
        left = words[index].start_ms - words[index - 1].end_ms
        if index in gone or index - 1 in gone:
            assert left == 0
        else:
            assert left == (sound[index][1] or 0) - (sound[index - 1][2] or 0)
