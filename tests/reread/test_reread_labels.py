"""Recogniser and acoustics: which label counts, and what follows. Expected values by hand from issue 6 and L3-L5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.measures.reread import LIMITS, Limits, reread, sought
from vivavoce.timeline import Segment, Word
from vivavoce.transcript.alignment import Alignment, align
from vivavoce.transcript.words import tokenize, tokenize_words

WORD_MS = 300


@dataclass(frozen=True)
class Found:
    """The least that the listener must say of a word."""

    read_correctly: float | None
    start_ms: int | None
    end_ms: int | None
    phones: Sequence[object] = ("P", "P", "P")


def found(*chances: float | None) -> list[Found]:
    """Words found one after another, each as long as the next."""
    return [
        Found(None, None, None, ()) if chance is None else Found(chance, at * WORD_MS, (at + 1) * WORD_MS)
        for at, chance in enumerate(chances)
    ]


def heard(text: str, *starts: int, length: int = WORD_MS, confidence: float | None = 0.5) -> list[Word]:
    """Recognised words, not sure; without `starts` one after another."""
    places = starts or [at * WORD_MS for at in range(len(text.split()))]
    return [Word(word, start, start + length, confidence) for word, start in zip(text.split(), places, strict=True)]


def both(
    reference: str, words: Sequence[Word], listened: Sequence[Found], *, repeat: int = 1, limits: Limits = LIMITS
) -> Alignment:
    alignment = align(tokenize(reference), tokenize_words([word.text for word in words]), repeat=repeat)
    return reread(alignment, listened, words, [Segment(0, 100_000)], limits)


def shown(alignment: Alignment) -> str:
    """Each label with the one that counts, an initial each."""
    return " ".join(
        label.label[0] if label.opinions is None else f"{label.opinions.recogniser[0]}>{label.counted[0]}"
        for label in alignment.labels
    )


def counted(alignment: Alignment) -> tuple[int, ...]:
    return tuple(alignment.counts().values())


def test_a_misheard_word_that_was_read_counts_and_knows_both_opinions() -> None:
    alignment = both("the cat sat", heard("the cut sat"), found(0.9, 0.75, 0.9))
    assert shown(alignment) == "m s>m m"
    assert counted(alignment) == (3, 3, 0, 0, 0, 0)
    label = alignment.labels[1]
    assert label.label == "uncertain"
    assert label.as_dict()["opinions"] == {
        "recogniser": "substitution",
        "read_correctly": 0.75,
        "start_s": 0.3,
        "end_s": 0.6,
        "counted": "matched",
    }
    assert "opinions" not in alignment.labels[0].as_dict()


@pytest.mark.parametrize(
    ("confidence", "chance", "labels"),
    [
        (0.69, 0.4, "m s>m m"),
        (0.69, 0.399, "m s m"),
        (0.7, 0.7, "m s>m m"),
        (0.7, 0.699, "m s m"),
        (None, 0.699, "m s m"),  # not known: a transcript that somebody may have checked
    ],
)
def test_the_surer_the_recogniser_the_surer_the_acoustics_must_be(
    confidence: float | None, chance: float, labels: str
) -> None:
    words = heard("the cut sat", confidence=confidence)
    assert shown(both("the cat sat", words, found(0.9, chance, 0.9))) == labels


def test_a_word_not_heard_at_all_must_be_sure() -> None:
    assert shown(both("the cat sat", heard("the sat"), found(0.9, 0.7, 0.9))) == "m i>m m"
    assert shown(both("the cat sat", heard("the sat"), found(0.9, 0.699, 0.9))) == "m i m"


def test_the_acoustics_take_no_word_away() -> None:
    """A word that the recogniser has and the acoustics do not is listed, and stays read."""
    limits = Limits(read=0.6, unread=0.1)
    alignment = both("the cat sat", heard("the cat sat"), found(0.9, 0.1, 0.101), limits=limits)
    assert shown(alignment) == "m m>m m"
    assert counted(alignment) == (3, 3, 0, 0, 0, 0)


def test_where_the_acoustics_found_nothing_the_recogniser_decides() -> None:
    alignment = both("the cat sat down", heard("the cut sat"), found(0.9, None, None, None))
    assert shown(alignment) == "m s m t"


def test_a_word_squeezed_in_or_in_silence_was_not_heard() -> None:
    """Three sounds in 90 ms, the least an alignment can give them, are no word; nor is what lies outside speech."""
    words = heard("the sat")
    squeezed = [Found(0.9, 0, 300), Found(0.9, 300, 390), Found(0.9, 390, 690)]
    assert shown(both("the cat sat", words, squeezed)) == "m i m"
    assert shown(both("the cat sat", words, found(0.9, 0.9, 0.9))) == "m i>m m"
    alignment = align(tokenize("the cat sat"), tokenize_words(["the", "sat"]))
    silent = [Segment(0, 300), Segment(520, 900)]
    assert shown(reread(alignment, found(0.9, 0.9, 0.9), words, silent)) == "m i m"


def test_a_skipped_line_stays_skipped() -> None:
    """Two of six words that seem to have been read do not make a run of omissions read; five of six do, but for one."""
    text, words = "one fine day the big old fat cat sat", heard("one fine day")
    ends = [*words, *heard("sat", 2400)]
    assert shown(both(text, ends, found(0.9, 0.9, 0.9, 0.9, 0.2, 0.2, 0.9, 0.2, 0.9))) == "m m m i i i i i m"
    assert shown(both(text, ends, found(0.9, 0.9, 0.9, 0.9, 0.9, 0.2, 0.9, 0.9, 0.9))) == "m m m i>m i>m i i>m i>m m"


def test_a_reader_who_stopped_has_stopped() -> None:
    """Of the words after the last one heard those read next count as reached; one far off does not (L4)."""
    text, words = "the cat sat on the mat all day long", heard("the cat")
    stopped = both(text, words, found(0.9, 0.9, 0.9, 0.9, 0.1, 0.1, 0.1, None, None))
    assert shown(stopped) == "m m t>m t>m t t t t t"
    assert counted(stopped) == (9, 4, 0, 0, 5, 0)
    stray = both(text, words, found(0.9, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.9))
    assert counted(stray) == (9, 2, 0, 0, 7, 0)
    assert shown(both(text, words, found(0.9, 0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.1, 0.9))) == "m m t>m t>m t t t t t"


def test_what_was_left_out_before_the_last_word_reached_is_inside() -> None:
    alignment = both("the cat sat on", heard("the"), found(0.9, 0.9, 0.3, 0.9))
    assert shown(alignment) == "m t>m i t>m"
    assert counted(alignment) == (4, 3, 0, 0, 0, 1)


def test_a_word_heard_as_two_is_no_addition() -> None:
    """ "thirty-five" is one number; "dirty fire" is where it was read, so none of it was added."""
    words = heard("I have dirty fire cows", 0, 300, 600, 800, 1000, length=200)
    listened = [Found(0.9, at, at + 200) for at in (0, 300)] + [Found(0.9, 600, 1000), Found(0.9, 1000, 1200)]
    alignment = both("I have thirty-five cows", words, listened)
    assert counted(alignment) == (4, 4, 0, 0, 0, 0)
    assert [token.surface for token in alignment.labels[2].hypothesis] == ["dirty", "fire"]
    assert alignment.labels[2].hypothesis_positions == (2, 3)


def test_a_word_added_beside_stays_added() -> None:
    """The same words, but the number was read while "dirty" was heard: "fire" was said besides, and so was an "um"."""
    words = heard("I have dirty fire cows", 0, 300, 600, 800, 1000, length=200)
    listened = [Found(0.9, at, at + 200) for at in (0, 300, 600, 1000)]
    assert counted(both("I have thirty-five cows", words, listened)) == (4, 4, 0, 1, 0, 0)
    pause = heard("I have um dirty cows", 0, 300, 600, 800, 1000, length=200)
    whole = [Found(0.9, at, at + 200) for at in (0, 300)] + [Found(0.9, 600, 1000), Found(0.9, 1000, 1200)]
    assert counted(both("I have thirty-five cows", pause, whole)) == (4, 4, 0, 1, 0, 0)


def test_a_misheard_stretch_is_paired_by_time() -> None:
    """Five words heard for four that were read: none is an addition; where nothing was read the fifth is one."""
    words = heard("I'm gonna hit the phone", 0, 150, 300, 600, 900, length=150)
    read = both("bro is from home", words, found(0.9, 0.9, 0.9, 0.9))
    assert counted(read) == (4, 4, 0, 0, 0, 0)
    later = [Found(0.9, at, at + length) for at, length in ((0, 150), (300, 300), (600, 300), (900, 300))]
    apart = both("bro is from home", words, later)
    assert counted(apart) == (4, 4, 0, 1, 0, 0)
    assert [token.surface for label in apart.labels if label.label == "insertion" for token in label.hypothesis] == [
        "gonna"
    ]


def test_what_is_put_in_between_words_heard_as_written_was_added() -> None:
    """ "to a" for "to", the words around as written: the reader of clip 0920 says "a more a amiable" so."""
    words = heard("went to a washroom", 0, 300, 500, 600, length=100)
    listened = [Found(0.9, 0, 300), Found(0.9, 300, 600), Found(0.9, 600, 900)]
    alignment = both("went to washroom", words, listened)
    assert shown(alignment) == "m m i m"
    assert counted(alignment) == (3, 3, 0, 1, 0, 0)


def test_a_word_said_three_times_was_added_twice() -> None:
    """The recogniser has the last one as the text's word, the acoustics the first."""
    assert counted(both("a cat", heard("a a a cat"), [Found(0.9, 0, 300), Found(0.9, 900, 1200)])) == (2, 2, 0, 2, 0, 0)


def test_a_word_of_two_is_read_where_both_are() -> None:
    """A number of two written words, and two tokens of one written word."""
    words = heard("bird cows")
    assert shown(both("three hundred cows", words, found(0.9, 0.2, 0.9))) == "s m"
    assert shown(both("three hundred cows", words, found(0.9, 0.8, 0.9))) == "s>m m"
    assert shown(both("well-known cows", heard("wall bone cows"), found(0.9, 0.9, 0.9))) == "s>m s>m m"


def test_a_twister_is_listened_to_as_often_as_it_is_said() -> None:
    alignment = both("red lorry", heard("red lorry red sorry red lorry"), found(*[0.9] * 6), repeat=3)
    assert shown(alignment) == "m m m s>m m m"
    assert alignment.labels[3].opinions is not None
    assert (alignment.labels[3].repetition, alignment.labels[3].opinions.start_ms) == (1, 900)


@pytest.mark.parametrize("count", [8, 10])
def test_what_was_listened_for_must_be_the_text(count: int) -> None:
    with pytest.raises(ValueError, match=f"{count} words listened for, of a text of 9"):
        both("the cat sat", heard("the cat"), found(*[0.9] * count), repeat=3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("“Stop!” he said - twice.", "Stop he said twice"),
        ("It cost $20.50, 50% more.", "It cost 20 dollars 50 cents 50 percent more"),
        ("three hundred and two well-known men", "three hundred and two well known men"),
        ("the 21st & last", "the 21st and last"),
    ],
)
def test_what_is_listened_for_is_what_is_said(text: str, words: str) -> None:
    assert sought(text) == tuple(words.split())
    assert sought(text, 2) == tuple(words.split()) * 2


CHANCES = st.one_of(st.none(), st.floats(0, 1))


@given(
    text=st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), min_size=1, max_size=8),
    said=st.lists(st.sampled_from(["a", "b", "c", "x", "um", "y"]), max_size=8),
    chances=st.lists(CHANCES, min_size=16, max_size=16),
    repeat=st.integers(1, 2),
)
def test_what_holds_of_every_reading(
    text: list[str], said: list[str], chances: list[float | None], repeat: int
) -> None:
    """Nobody loses by it, every word stays in one label, and the counts add up (L4)."""
    words = heard(" ".join(said))
    before = align(tokenize(" ".join(text)), tokenize_words(said), repeat=repeat)
    after = reread(before, found(*chances[: len(text) * repeat]), words, [Segment(0, 100_000)])
    assert after.matched >= before.matched
    assert after.insertions <= before.insertions
    assert after.trailing_omissions <= before.trailing_omissions
    assert after.reference_words == before.reference_words == len(text) * repeat
    missed = after.trailing_omissions + after.internal_omissions
    assert after.matched + after.substitutions + missed == after.reference_words
    # An addition may stand between two words heard for one of the text; then it is listed beside that one.
    assert sorted(place for label in after.labels for place in label.hypothesis_positions) == list(range(len(said)))
    assert all(list(label.hypothesis_positions) == sorted(label.hypothesis_positions) for label in after.labels)
    counts = [label.counted for label in after.labels if label.reference is not None]
    reached = [place for place, name in enumerate(counts) if name in ("matched", "substitution")]
    assert counts.count("trailing_omission") == len(counts) - 1 - max(reached, default=-1)
    without = reread(before, found(*[None] * (len(text) * repeat)), words, [Segment(0, 100_000)])
    assert without == before
