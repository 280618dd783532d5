"""Times, recovery, counts and the reference: expected values worked out by hand."""

from __future__ import annotations

from disfluency_data import said
from hypothesis import given, settings
from hypothesis import strategies as st

from vivavoce.measures.disfluency.counts import (
    FLUENCY,
    NOTHING_TO_RECOVER,
    count_restarts,
    counts,
    floor_notice,
    measure_disfluency,
)
from vivavoce.measures.disfluency.find import find_disfluencies
from vivavoce.timeline import Transcript, Word
from vivavoce.transcript.alignment import Alignment, align
from vivavoce.transcript.words import tokenize, tokenize_words


def timed(*words: tuple[str, int, int]) -> list[Word]:
    return [Word(text, start, end) for text, start, end in words]


def reading(text: str, heard: str, repeat: int = 1) -> Alignment:
    return align(tokenize(text), tokenize_words(heard.split()), repeat=repeat)


def test_a_false_start_has_its_parts_and_its_times() -> None:
    words = timed(
        ("I", 0, 100),
        ("want", 100, 400),
        ("no", 900, 1100),
        ("I", 1200, 1300),
        ("need", 1300, 1600),
        ("a", 1600, 1700),
        ("pen", 1700, 2000),
    )
    (event,) = find_disfluencies(words)
    assert (event.kind, event.words, event.editing, event.repaired) == (
        "false_start",
        ("I", "want"),
        ("no",),
        ("I", "need"),
    )
    assert (event.start_ms, event.end_ms, event.first_word, event.last_word) == (0, 1100, 0, 2)
    # Broken off at 400 (the end of "want"); "I need a" begins at 1200.
    assert event.recovery_ms == 800


def test_recovery_waits_for_three_words_without_a_pause() -> None:
    words = timed(
        ("um", 1000, 1300),
        ("the", 1400, 1500),
        # A pause of 0.3 s: speech is not fluent yet.
        ("big", 1800, 2000),
        ("dog", 2100, 2400),
        ("ran", 2500, 2800),
    )
    (event,) = find_disfluencies(words)
    assert event.recovery_ms == 1800 - 1000


def test_without_words_after_it_there_is_no_recovery() -> None:
    (event,) = find_disfluencies(timed(("yes", 0, 200), ("um", 400, 800)))
    assert event.recovery_ms is None


def test_fewer_than_three_words_at_the_end_suffice() -> None:
    (event,) = find_disfluencies(timed(("um", 0, 300), ("good", 400, 700), ("night", 700, 1000)))
    assert event.recovery_ms == 400


def test_a_refrain_that_the_reference_has_counts_nothing() -> None:
    text = "The rain the rain came down. Ah, the dog the cat ran."
    heard = "the rain the rain came down ah the dog the cat ran"
    assert find_disfluencies(said(heard)) != ()
    assert find_disfluencies(said(heard), reading(text, heard)) == ()


def test_a_repetition_that_the_reference_does_not_have_counts() -> None:
    heard = "the rain the rain came down"
    (event,) = find_disfluencies(said(heard), reading("The rain came down.", heard))
    assert (event.kind, event.words) == ("repetition", ("the", "rain"))


def test_a_wrong_word_mended_at_once_counts_in_a_reading_only() -> None:
    heard = "she saw the cot cat run"
    assert find_disfluencies(said(heard)) == ()
    # "cot" and "cat" share one letter only.
    assert find_disfluencies(said(heard), reading("She saw the cat run.", heard)) == ()
    heard = "she wanted wandered home"
    (event,) = find_disfluencies(said(heard), reading("She wandered home.", heard))
    assert (event.kind, event.words, event.repaired) == ("false_start", ("wanted",), ("wandered",))


def test_a_twister_said_three_times_counts_nothing() -> None:
    heard = " ".join(["she sells sea shells"] * 3)
    assert find_disfluencies(said(heard), reading("She sells sea shells.", heard, 3)) == ()


def test_a_cut_off_inside_a_repetition_is_one_restart() -> None:
    events = find_disfluencies(said("I wa- I want that"))
    assert sorted(event.kind for event in events) == ["cut_off", "repetition"]
    assert count_restarts(events) == 1


def test_counts_by_kind_and_per_30_s() -> None:
    events = find_disfluencies(said("um I I went to, like, the shop and uh mon- montreal"))
    found = {m.name: m.number for m in counts(events, 20.0, verbatim=True) if not m.name.endswith("recovery_s")}
    assert found == {
        "filled_pauses": 2,
        "fillers": 1,
        "false_starts": 0,
        "repetitions": 1,
        "cut_offs": 1,
        # Under 30 s: the count itself (A13).
        "disruptive_fillers_per_30_s": 3,
        "false_starts_per_30_s": 2,
    }
    # 3 * 30 / 36 = 2.5 -> 3; 2 * 30 / 36 = 1.67 -> 2; 3 * 30 / 90 = 1; 2 * 30 / 90 = 0.67 -> 1.
    at_36 = {m.name: m.number for m in counts(events, 36.0, verbatim=True)}
    at_90 = {m.name: m.number for m in counts(events, 90.0, verbatim=True)}
    assert (at_36["disruptive_fillers_per_30_s"], at_36["false_starts_per_30_s"]) == (3, 2)
    assert (at_90["disruptive_fillers_per_30_s"], at_90["false_starts_per_30_s"]) == (1, 1)


def test_recovery_is_the_mean_and_the_longest() -> None:
    # A word every 300 ms, 280 ms long. "um" from 0 to "I" at 300; "to" broken off at 1780, said again at 1800.
    events = find_disfluencies(said("um I went home now to to bed it was late"))
    found = {m.name: m.number for m in counts(events, 3.3, verbatim=True)}
    assert (found["recovery_s"], found["longest_recovery_s"]) == (0.16, 0.3)


def test_disruptions_before_one_return_to_fluency_are_recovered_from_once() -> None:
    # "um" at 0, "uh" at 300, fluent from 600: 0.6 s, not the mean of 0.6 and 0.3.
    found = {m.name: m.number for m in counts(find_disfluencies(said("um uh I went home")), 1.5, verbatim=True)}
    assert (found["recovery_s"], found["longest_recovery_s"]) == (0.6, 0.6)


def test_no_return_to_fluency_is_told() -> None:
    found = {m.name: m for m in counts(find_disfluencies(said("I went home um")), 1.2, verbatim=True)}
    assert found["recovery_s"].value is None
    assert "1 of 1" in found["recovery_s"].note


def test_what_fluency_is_judged_by() -> None:
    made = {m.name: m for m in counts(find_disfluencies(said("um I I went home with them")), 36.0, verbatim=True)}
    # 1 * 30 / 36 rounds to 1. "um" from 0, "I" broken off at 580, fluent from 600: one recovery of 0.6 s.
    assert {name: made[name].number for name in FLUENCY} == {
        "false_starts_per_30_s": 1,
        "disruptive_fillers_per_30_s": 1,
        "recovery_s": 0.6,
        "longest_recovery_s": 0.6,
    }


def test_counts_of_a_transcript_that_is_not_verbatim_are_a_floor() -> None:
    for verbatim in (False, None):
        notice = floor_notice(verbatim)
        assert notice is not None
        assert notice.code == "filler_counts_are_a_floor"
        assert all(m.note.startswith("at least") for m in counts((), 10.0, verbatim=verbatim)[:7])
    assert floor_notice(True) is None
    assert all(m.note == "" for m in counts((), 10.0, verbatim=True)[:7])


def test_nothing_said_is_nothing_found() -> None:
    assert find_disfluencies([]) == ()
    assert find_disfluencies(said("[laughter] <unk> &=coughs (.)")) == ()
    assert [m.number for m in counts((), 0.0, verbatim=True)] == [0] * 7 + [None] * 2
    assert {m.note for m in counts((), 0.0, verbatim=True)[7:]} == {NOTHING_TO_RECOVER}


def test_a_recording_is_measured_with_its_notice() -> None:
    words = said("um I went home")
    events, made, notices = measure_disfluency(Transcript(tuple(words), None, "en-GB"), words, None, 1.18)
    assert [event.kind for event in events] == ["filled_pause"]
    assert {m.name: m.number for m in made}["filled_pauses"] == 1
    assert [notice.code for notice in notices] == ["filler_counts_are_a_floor"]


def test_another_language_is_not_counted() -> None:
    words = said("no no la la")
    events, made, notices = measure_disfluency(Transcript(tuple(words), True, "es"), words, None, 1.18)
    assert (events, notices) == ((), ())
    assert len(made) == 9
    assert all(m.value is None and "es" in m.note for m in made)


VOCABULARY = ["um", "uh", "I", "like", "you", "know", "no", "sorry", "wait", "the", "dog", "mon-", "<cutoff-x>", "or"]
VOCABULARY += ["rather", "what", "is", "was", ".", "[laughter]", "two,", "—"]


@settings(deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(VOCABULARY), max_size=30))
def test_any_words_give_events_inside_the_transcript_and_in_order(texts: list[str]) -> None:
    words = said(" ".join(texts))
    events = find_disfluencies(words)
    assert events == find_disfluencies(words)
    assert [event.start_ms for event in events] == sorted(event.start_ms for event in events)
    for event in events:
        assert 0 <= event.first_word <= event.last_word < len(words)
        assert words[event.first_word].start_ms == event.start_ms <= event.end_ms <= words[-1].end_ms
        assert event.words
        assert event.recovery_ms is None or event.recovery_ms >= 0
