"""L3's optimum against all alignments, enumerated by a recursion written from its words alone."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vivavoce.errors import TranscriptError
from vivavoce.transcript import lattice
from vivavoce.transcript.alignment import Alignment, align
from vivavoce.transcript.words import Token

Words = Sequence[str]


def tokens(words: Words) -> tuple[Token, ...]:
    return tuple(Token(word, word, None, (i,), False, 0, word) for i, word in enumerate(words))


class Way(NamedTuple):
    """One alignment: costs, matched reference words, and for each reference word whether it was aligned."""

    cost: int
    matched: int
    aligned: tuple[bool, ...]


def ways(reference: Words, read: Words) -> Iterator[Way]:
    """Every way to omit (3), insert (3), substitute (4) or match (0), words written together included."""
    if not reference and not read:
        yield Way(0, 0, ())
    if reference:
        for way in ways(reference[1:], read):
            yield Way(way.cost + 3, way.matched, (False, *way.aligned))
    if read:
        for way in ways(reference, read[1:]):
            yield Way(way.cost + 3, way.matched, way.aligned)
    if reference and read and reference[0] != read[0]:
        for way in ways(reference[1:], read[1:]):
            yield Way(way.cost + 4, way.matched, (True, *way.aligned))
    for a, b in ((1, 1), (1, 2), (1, 3), (2, 1), (3, 1)):
        if len(reference) >= a and len(read) >= b and "".join(reference[:a]) == "".join(read[:b]):
            for way in ways(reference[a:], read[b:]):
                yield Way(way.cost, way.matched + a, (True,) * a + way.aligned)


def best(reference: Words, read: Words) -> Way:
    """Least cost, then most matches, then earliest: from the end, each word left out if it can be."""
    return min(ways(reference, read), key=lambda way: (way.cost, -way.matched, way.aligned[::-1]))


def of(found: Alignment) -> Way:
    cost = 4 * found.substitutions + 3 * (found.insertions + found.trailing_omissions + found.internal_omissions)
    aligned = tuple(bool(label.hypothesis) for label in found.labels if label.reference)
    return Way(cost, found.matched, aligned)


def trailing(way: Way) -> int:
    return len(way.aligned) - max((i + 1 for i, aligned in enumerate(way.aligned) if aligned), default=0)


def check(reference: Words, read: Words) -> None:
    found, expected = align(tokens(reference), tokens(read)), best(reference, read)
    assert of(found) == expected
    assert found.trailing_omissions == trailing(expected)
    assert (
        found.matched + found.substitutions + found.trailing_omissions + found.internal_omissions
        == found.reference_words
        == len(reference)
    )


def test_every_pair_of_short_texts_of_two_words() -> None:
    texts = [text for length in range(5) for text in product("ab", repeat=length)]
    for reference in texts[1:]:
        for read in texts:
            check(reference, read)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=7),
    st.lists(st.sampled_from(["a", "b", "c", "x"]), max_size=5),
)
def test_any_short_texts(reference: list[str], read: list[str]) -> None:
    check(reference, read)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "b", "ab", "aab", "ba"]), min_size=1, max_size=6),
    st.lists(st.sampled_from(["a", "b", "ab", "aab", "aa"]), max_size=5),
)
def test_any_short_texts_with_words_written_together(reference: list[str], read: list[str]) -> None:
    check(reference, read)


@pytest.mark.parametrize(
    ("reference", "read", "aligned_at"),
    [
        ("a b c d e a", "a a b", [0, 1]),  # stopped after "b", restarted at first
        ("a b c a b c", "a b", [0, 1]),  # the first time, not the last
        ("a b a c", "a c", [0, 3]),  # "c" was read; the first "a" is the earlier one
        ("the cat and the dog", "the dog", [0, 4]),
        ("a b c", "x", [0]),  # one substitution instead of an insertion and an omission
    ],
)
def test_where_it_lies(reference: str, read: str, aligned_at: list[int]) -> None:
    found = align(tokens(reference.split()), tokens(read.split()))
    assert [label.reference_position for label in found.labels if label.reference and label.hypothesis] == aligned_at


def test_of_a_word_said_twice_the_second_counts() -> None:
    found = align(tokens(["a", "b"]), tokens(["a", "a", "b"]))
    assert [(label.label, label.hypothesis_positions) for label in found.labels] == [
        ("insertion", (0,)),
        ("matched", (1,)),
        ("matched", (2,)),
    ]


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows let go and computed again give the same labels as all rows kept."""
    rng = random.Random(7)
    reference = tokens([rng.choice(["a", "b", "ab", "c", "bc"]) for _ in range(400)])
    read = tokens([rng.choice(["a", "b", "ab", "c", "abc"]) for _ in range(380)])
    whole = align(reference, read)
    monkeypatch.setattr(lattice, "CELLS_AT_ONCE", 1)
    assert align(reference, read) == whole


def test_a_long_text_of_one_word_is_answered() -> None:
    """The worst case for ties: everything matches everything."""
    found = align(tokens(["a"] * 1500), tokens(["a"] * 1000))
    assert (found.matched, found.trailing_omissions, found.internal_omissions) == (1000, 500, 0)


def test_longer_texts_are_refused() -> None:
    with pytest.raises(TranscriptError) as caught:
        align(tokens(["a"] * 7000), tokens(["a"]), repeat=3)
    assert caught.value.code == "text_too_long"
