"""Labels and counts (L1-L5). Expected values are derived by hand from decisions.md."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.errors import RequestError, TranscriptError
from vivavoce.transcript.alignment import Alignment, align
from vivavoce.transcript.words import tokenize, tokenize_words

COUNTS = ("reference_words", "matched", "substitutions", "insertions", "trailing_omissions", "internal_omissions")


def aligned(reference: str, read: str, **options: object) -> Alignment:
    return align(tokenize(reference), tokenize(read), **options)  # type: ignore[arg-type]


def counts(reference: str, read: str, **options: object) -> tuple[int, ...]:
    found = aligned(reference, read, **options).counts()
    assert tuple(found) == COUNTS
    return tuple(found.values())


@pytest.mark.parametrize(
    ("reference", "read", "expected"),
    [
        # reference words, matched, substitutions, insertions, trailing, internal
        ("the cat sat", "The cat sat.", (3, 3, 0, 0, 0, 0)),
        ("the cat sat", "", (3, 0, 0, 0, 3, 0)),
        ("the cat sat on the mat", "the cat", (6, 2, 0, 0, 4, 0)),
        ("the cat sat on the mat", "the cat on the mat", (6, 5, 0, 0, 0, 1)),
        ("the cat sat on the mat", "cat on", (6, 2, 0, 0, 2, 2)),
        ("the cat sat", "the um cat sat sat", (3, 3, 0, 2, 0, 0)),
        ("the cat sat", "the dog sat", (3, 2, 1, 0, 0, 0)),
        ("the cat sat down", "the cat ran", (4, 2, 1, 0, 1, 0)),  # after the last substituted word
        ("a b c d e a", "a a b", (6, 2, 0, 1, 4, 0)),
        # Counts stay those of the reference.
        ("every day", "everyday", (2, 2, 0, 0, 0, 0)),
        ("everyday", "every day", (1, 1, 0, 0, 0, 0)),
        ("self-substantial fuel", "selfsubstantial fuel", (3, 3, 0, 0, 0, 0)),
        ("never the less", "nevertheless", (3, 3, 0, 0, 0, 0)),
        ("in as much", "in as much as", (3, 3, 0, 1, 0, 0)),
        ("C. S. Lewis", "CS Lewis", (3, 3, 0, 0, 0, 0)),
        ("50 per cent", "50%", (3, 3, 0, 0, 0, 0)),
        # Any number matches any number; separate numbers stay separate.
        ("twenty-one cows", "12 cows", (2, 2, 0, 0, 0, 0)),
        ("the 21st day", "the first day", (3, 3, 0, 0, 0, 0)),
        ("one two three", "123", (3, 1, 0, 0, 2, 0)),
        ("123", "one two three", (1, 1, 0, 2, 0, 0)),
        ("in 1984 we", "in nineteen eighty-four we", (3, 3, 0, 0, 0, 0)),
        ("in nineteen eighty-four we", "in 1984 we", (4, 4, 0, 0, 0, 0)),
        ("in 1905", "in nineteen oh five", (2, 2, 0, 0, 0, 0)),
        ("1984", "nineteen eighty-five", (1, 1, 0, 1, 0, 0)),  # not that year: 19 is any number, 85 inserted
        ("two thousand and five", "2005", (1, 1, 0, 0, 0, 0)),
        ("it cost $5", "it cost five dollars", (4, 4, 0, 0, 0, 0)),
        # Spelling, abbreviations, homophones.
        ("Mr. Brown's grey colour", "mister browns gray color", (4, 4, 0, 0, 0, 0)),
        ("their two knights", "there too nights", (3, 3, 0, 0, 0, 0)),
        # A filled pause is an insertion, unless the reference has it.
        ("so I went", "so um I uh went", (3, 3, 0, 2, 0, 0)),
        ("so um I went", "so umm I went", (4, 4, 0, 0, 0, 0)),
        ("a dog", "uh dog", (2, 1, 1, 0, 0, 0)),
    ],
)
def test_counts(reference: str, read: str, expected: tuple[int, ...]) -> None:
    assert counts(reference, read) == expected


def test_labels_say_what_and_why() -> None:
    found = aligned("Mr. Fox's colour was 21 everyday", "mister foxes color um is twelve every day")
    assert [(label.label, label.how) for label in found.labels] == [
        ("matched", "abbreviation"),
        ("matched", "homophone"),
        ("matched", "spelling"),
        ("insertion", "none"),
        ("substitution", "none"),
        ("matched", "number"),
        ("matched", "compound"),
    ]
    assert found.labels[5].note == "value differs: 21 in the reference, 12 read"
    assert found.labels[6].hypothesis_positions == (6, 7)
    assert found.labels[6].as_dict() == {
        "label": "matched",
        "how": "compound",
        "reference": {"text": "everyday", "position": 5},
        "hypothesis": {"text": "every day", "position": 6},
        "note": "",
    }
    assert found.labels[3].as_dict()["reference"] is None
    assert aligned("a b", "a").labels[1].as_dict()["hypothesis"] is None


def test_repetitions_of_a_tongue_twister() -> None:
    """L5: the reference three times; positions count on, the repetition is named, what is missing at the end trails."""
    found = aligned("red lorry", "red lorry red red lorry", repeat=3)
    assert found.counts() == dict(zip(COUNTS, (6, 5, 0, 0, 0, 1), strict=True))
    assert [label.repetition for label in found.labels] == [0, 0, 1, 1, 2, 2]
    assert [label.reference_position for label in found.labels] == [0, 1, 2, 3, 4, 5]
    assert counts("red lorry", "red lorry red", repeat=3) == (6, 3, 0, 0, 3, 0)
    with pytest.raises(ValueError, match="repeat"):
        aligned("red", "red", repeat=0)


def test_accepted_alternatives() -> None:
    accepted = {"TV": ["telly", "television set"], "Siobhan": ["shove on"]}
    assert counts("the TV of Siobhan", "the telly of shove on", accepted=accepted) == (4, 4, 0, 0, 0, 0)
    found = aligned("the TV on", "the television set on", accepted=accepted)
    assert [label.how for label in found.labels] == ["exact", "accepted", "exact"]
    assert counts("the TV on", "the telly on") == (3, 2, 1, 0, 0, 0)
    for wrong in ({"New York": ["x"]}, {"TV": [""]}, {"...": ["x"]}):
        with pytest.raises(RequestError) as caught:
            aligned("a", "a", accepted=wrong)
        assert caught.value.code == "accepted_word"


def test_an_empty_reference_is_refused() -> None:
    with pytest.raises(TranscriptError) as caught:
        aligned(" — ", "words")
    assert caught.value.code == "reference_empty"


def test_recognised_words_of_a_label() -> None:
    found = align(
        tokenize("It has 302 self-made parts"), tokenize_words(["it", "has", "three", "hundred", "two", "self-made"])
    )
    assert [(label.first_heard, label.last_heard) for label in found.labels] == [
        (0, 0),
        (1, 1),
        (2, 4),
        (5, 5),
        (5, 5),
        (None, None),
    ]


@pytest.mark.parametrize(
    ("reference", "read", "ends"),
    [
        ("so, we went home", ["so", "we", "went", "home"], {0, 3}),
        ("so, we went home", ["so", "um", "we", "went", "home"], {0, 1, 4}),  # both gaps lie at the comma
        ("so we, then went home", ["so", "then", "went", "home"], {0, 3}),  # the comma's word was left out
        ("in 1984, we", ["in", "nineteen", "eighty", "four", "we"], {3, 4}),
        ("every day, yes", ["everyday", "yes"], {0, 1}),
        ("a b c d.", ["a", "b"], {1}),
        ("a b", [], set()),
    ],
)
def test_phrase_ends_of_the_reading_come_from_the_reference(reference: str, read: list[str], ends: set[int]) -> None:
    assert align(tokenize(reference), tokenize_words(read)).boundaries() == ends


MIXED = [
    "the",
    "a",
    "cat",
    "cats'",
    "two",
    "2",
    "21",
    "every",
    "day",
    "everyday",
    "colour",
    "color",
    "um",
    "19",
    "84",
    "1984",
]
WORDS = st.lists(st.sampled_from(MIXED), max_size=12)


@given(WORDS.filter(bool), WORDS, st.integers(1, 3))
def test_counts_add_up(reference: list[str], read: list[str], repeat: int) -> None:
    """Every reference token and every heard token is accounted for, in order."""
    expected, heard = tokenize(" ".join(reference)), tokenize(" ".join(read))
    found = align(expected, heard, repeat=repeat)
    assert found.reference_words == len(expected) * repeat
    sums = found.matched + found.substitutions + found.trailing_omissions + found.internal_omissions
    assert sums == found.reference_words
    positions = [label.reference_position for label in found.labels if label.reference]
    assert positions == list(range(found.reference_words))
    spoken = [position for label in found.labels for position in label.hypothesis_positions]
    assert sorted(set(spoken)) == list(range(len(heard)))
    assert spoken == sorted(spoken)


@given(WORDS.filter(bool))
def test_a_text_matches_itself(words: list[str]) -> None:
    found = aligned(" ".join(words), " ".join(words))
    assert found.matched == found.reference_words == len(found.labels)
    assert {label.how for label in found.labels} <= {"exact", "compound", "year"}
