"""Numbers as they are said and words as phones, against what is said and the dictionary by hand."""

from __future__ import annotations

import pytest

from vivavoce.transcript.forced.spoken import spoken

pytest.importorskip("pocketsphinx")

from vivavoce.transcript.forced.model import load_model
from vivavoce.transcript.forced.pronounce import pronounce


@pytest.mark.parametrize(
    ("digits", "ways"),
    [
        ("0", ["zero"]),
        ("13", ["thirteen"]),
        ("80", ["eighty"]),
        ("21", ["twenty one"]),
        ("110", ["one hundred ten"]),
        ("1984", ["one thousand nine hundred eighty four", "nineteen eighty four"]),
        ("1905", ["one thousand nine hundred five", "nineteen oh five"]),
        ("1900", ["one thousand nine hundred", "nineteen hundred"]),
        ("2000", ["two thousand"]),
        ("1000001", ["one million one"]),
        ("007", ["zero zero seven"]),
        ("3.14", ["three point one four"]),
    ],
)
def test_numbers_are_spelled_out(digits: str, ways: list[str]) -> None:
    assert [" ".join(way) for way in spoken(digits)] == ways


@pytest.mark.parametrize(
    ("digits", "word"), [("1", "first"), ("12", "twelfth"), ("20", "twentieth"), ("8", "eighth"), ("104", "fourth")]
)
def test_ordinals(digits: str, word: str) -> None:
    assert spoken(digits, ordinal=True)[0][-1] == word


def test_decades() -> None:
    assert spoken("1980", plural=True)[1] == ["nineteen", "eighties"]


@pytest.mark.parametrize(
    ("word", "source", "phones"),
    [
        ("Woman,", "dictionary", "W UH M AH N"),
        ("“don't”", "dictionary", "D OW N T"),
        ("twenty-one", "dictionary", "T W EH N T IY W AH N"),
        ("$5", "dictionary", "F AY V D AA L ER Z"),
        ("$1.05", "dictionary", "W AH N D AA L ER Z F AY V S EH N T S"),
        ("21st", "dictionary", "T W EH N T IY F ER S T"),
        ("U.S.A.", "parts", "Y UW EH S EY"),
        ("catcat", "parts", "K AE T K AE T"),
        ("zwitsch", "letters", "Z W IH T S K"),
        ("shrobble", "letters", "SH R AA B L"),
    ],
)
def test_words_as_phones(word: str, source: str, phones: str) -> None:
    said = pronounce(word)
    assert said.source == source
    assert phones in [" ".join(variant) for variant in said.variants]


@pytest.mark.parametrize("word", ["—", "...", "日本", "", "'"])
def test_what_has_no_letter_of_ours_cannot_be_said(word: str) -> None:
    assert pronounce(word).source == "none"
    assert pronounce(word).variants == ()


@pytest.mark.parametrize("word", ["um", "Ummm,", "uh", "hmm", "erm", "mm"])
def test_a_filled_pause_may_be_any_voice(word: str) -> None:
    assert ("+SPN+",) in pronounce(word).variants


@pytest.mark.parametrize(
    "word",
    ["xyzzy", "Qwrtp", "naïveté", "O'Shaughnessy's", "MP3", "10am", "½", "rhythm-and-blues", "123456789012345678"],
)
def test_every_phone_is_the_models(word: str) -> None:
    said = pronounce(word)
    assert said.variants
    assert {phone for variant in said.variants for phone in variant} <= set(load_model().phones)
