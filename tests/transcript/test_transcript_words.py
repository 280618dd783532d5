"""L1 and M3: what a token is. Expected values are read off decisions.md, case by case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.transcript.words import Token, is_filled_pause, tokenize, tokenize_words


def some(words: str) -> list[str]:
    return words.split()


def keys(text: str) -> list[str]:
    return [token.key for token in tokenize(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“Hello,” she SAID — softly…", ["hello", "she", "said", "softly"]),
        ("ﬁne ｗｉｄｅ", ["fine", "wide"]),
        ("self-substantial", ["self", "substantial"]),
        ("well–known north—south non‑breaking", ["well", "known", "north", "south", "non", "breaking"]),
        ("don’t don't don`t rock'n'roll o'clock", ["don't", "don't", "don't", "rock'n'roll", "o'clock"]),
        ("'tis the dogs' 'quoted'", ["tis", "the", "dogs", "quoted"]),
        ("Straße café naïve", ["strasse", "cafe", "naive"]),
        ("U.S.A. U.S. p.m. e.g. J.R.R. 5p.m.", ["usa", "us", "pm", "eg", "jrr", "5", "pm"]),
        ("and/or (aside) [note] *star* _low_", ["and", "or", "aside", "note", "star", "low"]),
        ("example.com wait...what", ["example", "com", "wait", "what"]),
        ("R&D bread & butter", ["r", "and", "d", "bread", "and", "butter"]),
        ("50% $5 $1 £2.50", some("50 percent 5 dollars 1 dollar 2 pounds 50 pence")),
        ("5 € ₹10 $0.20", some("5 euros 10 rupees 20 cents")),
        ("$5 million $2.5 million $1.01", some("5000000 dollars 2500000 dollars 1 dollar 1 cent")),
        ("10am 3D mp3 B2B covid-19", some("10 am 3 d mp 3 b 2 b covid 19")),
        ("½ cup, 3½ miles, ¾", some("half cup 3 and a half miles 3 quarters")),
        ("so\u00adft zero\u200bwidth \ufeffmark", ["soft", "zerowidth", "mark"]),
        ("I ❤️ you 👍🏽 1️⃣", ["i", "you", "1"]),
        ("नमस्ते दुनिया १२३", ["नमस्ते", "दुनिया", "123"]),
        ("... — ' ? -", []),
        ("", []),
    ],
)  # fmt: skip
def test_normalisation(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


def test_a_token_keeps_what_was_written_and_where() -> None:
    stop, mr, number, last = tokenize("“Stop!” Mr.\n twenty-one Dogs")
    assert (stop.surface, stop.word_indices, stop.line, stop.number) == ("Stop", (0,), 0, None)
    assert (mr.surface, mr.key) == ("Mr", "mr")
    assert (number.surface, number.key, number.number, number.line) == ("twenty-one", "21", 21, 1)
    assert (last.surface, last.key, last.word_indices) == ("Dogs", "dogs", (3,))


def test_tokens_point_at_recognised_words() -> None:
    tokens = tokenize_words(["Three", "hundred", "two", "self-substantial", "uh", "Dr."])
    found = [(token.key, token.word_indices) for token in tokens]
    assert found == [("302", (0, 1, 2)), ("self", (3,)), ("substantial", (3,)), ("uh", (4,)), ("dr", (5,))]
    assert [token.key for token in tokenize_words(["twenty", "-one", "New York"])] == ["21", "new", "york"]
    assert tokenize_words(["twenty", "-one", "New York"])[-1].word_indices == (2,)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("one, two. three; four: five? six! seven", "1 1 1 1 1 1 1"),
        ("a b\nc d", "0 1 0 1"),
        ("he said “stop,” and (maybe.) left", "0 0 1 0 1 1"),
        ("a (b) “c” d", "0 0 0 1"),
        ("yes – no — maybe -- so - and", "1 1 1 1 1"),
        ("well-known twenty-one th- the", "0 0 0 0 1"),
        ("wait… then ...go", "1 1 1"),
        ("Mr. Fox and Dr. Who met.", "0 0 0 0 0 1"),
        ("at 10:30 it was 3.5 or 1,000 of example.com now", "0 0 0 0 0 0 0 0 0 0 0 1"),
        ("$5, then 50%.", "0 1 0 0 1"),
        ("north—south", "1 1"),
    ],
)
def test_phrase_boundaries(text: str, ends: str) -> None:
    """M3: . , ; : ? ! ... or a dash, closing quotes and brackets looked through, or a line end."""
    assert [str(int(token.boundary_after)) for token in tokenize(text)] == ends.split()


def test_recognised_words_end_no_line() -> None:
    assert [token.boundary_after for token in tokenize_words(["So,", "well"])] == [True, False]
    assert [token.boundary_after for token in tokenize_words(["so", "—", "well"])] == [True, False]


@pytest.mark.parametrize("key", some("um uh uhm er erm hmm mm ah ummm uhhh uuum errr hm hmmmm mmm ahh aah"))
def test_filled_pauses(key: str) -> None:
    assert is_filled_pause(key)
    assert is_filled_pause(tokenize(f"{key.upper()},")[0].key)


@pytest.mark.parametrize("key", some("a err her ham hum mum am m h u uhuh umbrella ahem oh eh i the"))
def test_words_that_are_no_filled_pause(key: str) -> None:
    assert not is_filled_pause(key)


@given(st.text(max_size=60))
def test_any_text_gives_tokens_that_stay_themselves(text: str) -> None:
    """Tokens have keys, point at white-space separated words in order, and their keys are already normal."""
    tokens = tokenize(text)
    words = text.split()
    indices = [index for token in tokens for index in token.word_indices]
    assert indices == sorted(indices)
    assert all(index < len(words) for index in indices)
    assert all(token.key and not any(char.isspace() for char in token.key) for token in tokens)
    assert all(isinstance(token, Token) and token.surface for token in tokens)


@given(st.text("aBcDé'’,.-— 019%$\n", max_size=30))
def test_case_does_not_matter(text: str) -> None:
    assert keys(text.upper()) == keys(text.lower())
