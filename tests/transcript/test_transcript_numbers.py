"""L1's numbers, against pairs written by others (text2num, NeMo) and a speller written here."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.transcript.words import tokenize


def keys(text: str) -> list[str]:
    return [token.key for token in tokenize(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # One phrase is one token, whichever way it is written (decisions.md L1).
        ("twenty-one", "21"),
        ("twenty one", "21"),
        ("21", "21"),
        ("21st", "21"),
        ("twenty-first", "21"),
        ("three hundred and two", "302"),
        ("one hundred twenty-third", "123"),
        ("two thousand and five", "2005"),
        ("two thousand five", "2005"),
        ("1,000 one thousand a thousand", "1000 1000 1000"),
        ("a hundred and one dalmatians", "101 dalmatians"),
        ("3.5 three point five", "3.5 3.5"),
        ("two point five million", "2500000"),
        ("5 million", "5000000"),
        ("nineteen hundred and four", "1904"),
        ("two hundred and three thousand and six", "203006"),
        ("1980s '80s 1990's the eighties", "1980 80 1990 the 80"),
        ("zero", "0"),
        # Separate numbers stay separate.
        ("one two three", "1 2 3"),
        ("two and three", "2 and 3"),
        ("twenty and five", "20 and 5"),
        ("twenty, five", "20 5"),
        ("twenty\nfive", "20 5"),
        ("nineteen eighty-four", "19 84"),
        ("one thousand two thousand", "1000 2000"),
        ("one hundred two hundred", "100 200"),
        ("a hundred and two hundred", "100 and 200"),
        ("ten twenty", "10 20"),
        ("21 5", "21 5"),
        ("10:30 1-2 1.2.3", "10 30 1 2 1 2 3"),
        # Words that only look like numbers.
        ("hundreds of thousands", "hundreds of thousands"),
        ("a point of order", "a point of order"),
        ("oh dear, a hundredth", "oh dear a 100"),
        ("two thirds", "2 thirds"),
    ],
)
def test_phrases(text: str, expected: str) -> None:
    assert keys(text) == expected.split()


def test_values_are_exact() -> None:
    assert [token.number for token in tokenize("3.5, zero point one, 21st, dog")] == [
        Fraction(7, 2),
        Fraction(1, 10),
        21,
        None,
    ]


def test_digits_without_end_are_a_word() -> None:
    (token,) = tokenize("9" * 10_000)
    assert token.number is None


def some(words: str) -> list[str]:
    return words.split()


ONES = some(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
TENS = some("_ _ twenty thirty forty fifty sixty seventy eighty ninety")


def spelled(value: int, conjunction: str, hyphen: str) -> str:
    """Spell a whole number in British ("and") or American style, written for this test alone."""
    if value < 20:
        return ONES[value]
    if value < 100:
        return TENS[value // 10] + (hyphen + ONES[value % 10] if value % 10 else "")
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if value >= size:
            rest = value % size
            head = f"{spelled(value // size, conjunction, hyphen)} {name}"
            joint = f" {conjunction} ".replace("  ", " ") if rest < 100 else " "
            return head + (joint + spelled(rest, conjunction, hyphen) if rest else "")
    raise AssertionError


@given(st.integers(0, 10**12 - 1) | st.integers(0, 9999), st.sampled_from(["and", ""]), st.sampled_from(["-", " "]))
def test_a_spelled_number_is_one_token_of_its_value(value: int, conjunction: str, hyphen: str) -> None:
    (token,) = tokenize(spelled(value, conjunction, hyphen))
    assert token.number == value
    assert keys(f"{value:,}") == keys(str(value)) == [token.key]


# Pairs that L1 does not make equal, by the first words of the input, with the reason.
TEXT2NUM_NOT_COVERED = {
    "zero eight": "separate numbers stay separate",
    "zero zero hundred": "separate numbers stay separate",
    "plus thirty-three": "separate numbers stay separate; a sign is punctuation, its word is a word",
    "zero nine sixty": "separate numbers stay separate",
    "o nine sixty": "separate numbers stay separate",
    "thirteen thousand zero ninety": "separate numbers stay separate",
    "point fifteen": "a number begins with a number",
    "We have plus twenty": "a sign is punctuation, its word is a word",
}


def text2num_rows(shared_data: Path) -> list[list[str]]:
    text = (shared_data / "7_normalisation/text2num/text2num_en_cases.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()[1:]]


def test_text2num_cases(shared_data: Path) -> None:
    covered = 0
    for _, spoken, written, *_ in text2num_rows(shared_data):
        reason = next((why for start, why in TEXT2NUM_NOT_COVERED.items() if spoken.startswith(start)), None)
        if written == "ERROR":
            assert len(keys(spoken)) > 1, f"{spoken}: no single number"
        elif reason is None:
            assert keys(spoken) == keys(written), spoken
            covered += 1
        else:
            assert keys(spoken) != keys(written), f"{spoken} is covered now: take it off the list"
    assert covered >= 29


NEMO_NOT_COVERED = {
    "cardinal": {"-2": "sign", "13000": "read digit by digit", "123000": "read digit by digit",
                 "1234567890123124": "read digit by digit", "004": "read digit by digit"},
    "ordinal": {**dict.fromkeys(("1th", "2th", "3th", "4rd", "11st", "12nd", "13rd", "21th"), "no ordinal in English"),
                "111st": "no ordinal in English"},
    "decimal": {".1665": "a number begins with a number", ".1 trillion": "a number begins with a number",
                "-0.1": "sign"},
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(NEMO_NOT_COVERED))
def test_nemo_pairs(shared_data: Path, kind: str) -> None:
    lines = (shared_data / f"7_normalisation/nemo_tn_en/test_cases_{kind}.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("~", 1) for line in lines if "~" in line]
    missed = {written for written, spoken in pairs if keys(written) != keys(spoken)}
    assert missed == NEMO_NOT_COVERED[kind].keys()
