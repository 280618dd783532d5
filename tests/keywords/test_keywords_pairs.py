"""Keywords by inflection (M9) against pairs that others listed; how the list was made is in docs/keywords.md.

The expected answer of each row is its source's: an exception list, a test table, an example sentence, or the
dictionary that has two words as different ones. Rows `held_out` were not looked at while the matcher was mended.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.transcript.keywords import present

pytest.importorskip("lemminflect")

_LINES = (Path(__file__).parent / "pairs.tsv").read_text(encoding="utf-8").splitlines()
_HEAD = _LINES[0].split("\t")
PAIRS = [dict(zip(_HEAD, line.split("\t"), strict=True)) for line in _LINES[1:]]
# Where we differ from the source, and why.
RARE = "a plural of Latin, Italian or an old form that neither dictionary has"
VERBED = "both dictionaries have the verb (to skill, to timber), WordNet has not"
DIFFERENT = {
    ("prima donna", "prime donne"): RARE,
    ("intima", "intimae"): RARE,
    ("lat", "latu"): RARE,
    ("lustre", "lustra"): RARE,
    ("pea", "pease"): RARE,
    ("soprano", "soprani"): RARE,
    ("nimble will", "nimblewill"): "will is a function word, which no compound is made of",
    ("one-time", "onetime"): "one is a number, which no compound is made of",
    ("inn", "inning"): "one dictionary has inning as a form of the verb to inn",
    ("skill", "skilled"): VERBED,
    ("timber", "timbered"): VERBED,
}


def said(keyword: str, text: str) -> bool:
    return present([keyword], text.split())[0]


def test_the_list_is_as_large_as_it_says() -> None:
    assert len(PAIRS) == 491
    assert sum(pair["match"] == "no" for pair in PAIRS) == 172
    assert sum(pair["part"] == "held_out" for pair in PAIRS) == 229
    assert set(DIFFERENT) <= {(pair["keyword"], pair["spoken"]) for pair in PAIRS}


@pytest.mark.parametrize("kind", sorted({pair["kind"] for pair in PAIRS}))
def test_pairs_match_as_their_source_says(kind: str) -> None:
    pairs = [pair for pair in PAIRS if pair["kind"] == kind]
    wrong = {
        (pair["keyword"], pair["spoken"])
        for pair in pairs
        if said(pair["keyword"], pair["spoken"]) != (pair["match"] == "yes")
    }
    assert wrong == {key for key in DIFFERENT if key in {(pair["keyword"], pair["spoken"]) for pair in pairs}}


@pytest.mark.parametrize(
    ("keyword", "text"),
    [
        # Forms of two words at once (any dictionary): each reading counts.
        ("see", "then I saw it"),
        ("saw", "he saws the plank"),
        ("leave", "she left early"),
        ("leaf", "the leaves fell"),
        ("leave", "she leaves early"),
        ("find", "we found it"),
        ("found", "he founded a club"),
        ("lay", "they laid a table"),
        ("lie", "he lay down"),
        ("wind", "the clock was wound"),
        ("axis", "two axes"),
        ("axe", "two axes"),
        ("person", "many people came"),
        # The keyword inflected, the speaker not.
        ("wolves", "a wolf came"),
        ("running", "they run"),
        ("children's", "a child sat"),
        # Compounds and phrases (brief of the issue).
        ("ice cream", "ice-cream"),
        ("ice-cream", "two ice creams"),
        ("icecream", "an ice cream"),
        ("run out of time", "and then we ran out of time"),
        ("mother-in-law", "both mothers-in-law"),
        ("mother-in-law", "my mother-in-law's house"),
        ("colour", "the colors"),
        ("travelling", "we traveled"),
        # Words that no dictionary has inflect regularly.
        ("Zorble", "the zorbles' ship"),
        ("grobbit", "three grobbits"),
        ("florp", "they florped and florped"),
        ("blenk", "blenking"),
        ("snib", "it snibbed"),
    ],
)
def test_said(keyword: str, text: str) -> None:
    assert said(keyword, text)


@pytest.mark.parametrize(
    ("keyword", "text"),
    [
        ("lie", "he laid the table"),
        ("find", "he founded a club"),
        ("teacher", "she teaches"),
        ("happy", "happily"),
        ("time out", "out of time"),
        ("ice cream", "cream with ice"),
        ("ice cream", "ice and cream"),
        ("run out of time", "ran out of some time"),
        # Words that only stand side by side are no compound.
        ("notable", "I was not able to come"),
        ("along", "it was a long road"),
        ("maybe", "it may be late"),
        ("nowhere", "we are now here"),
        ("zorble", "zorblette"),
        ("clue", ""),
        ("", "clue"),
        ("!", "clue"),
    ],
)
def test_not_said(keyword: str, text: str) -> None:
    assert not said(keyword, text)


WORDS = st.lists(st.sampled_from(["ice", "cream", "ran", "out", "of", "time", "leaves", "the", "twenty-one", "don't"]))


@given(WORDS, WORDS)
def test_a_keyword_stays_said_when_more_is_said(words: list[str], more: list[str]) -> None:
    keywords = ["run", "leaf", "ice cream", "out of time", "21"]
    before, after = present(keywords, words), present(keywords, [*words, *more])
    assert all(later or not earlier for earlier, later in zip(before, after, strict=True))


@given(st.text(max_size=20), st.lists(st.text(max_size=12), max_size=8))
def test_any_text_can_be_asked_for(keyword: str, words: list[str]) -> None:
    assert present([keyword], words) in ([True], [False])


@given(st.lists(st.sampled_from(["Leaf", "mother-in-law", "zorble", "ice cream", "run"]), min_size=1))
def test_a_keyword_said_as_written_is_said(keywords: list[str]) -> None:
    assert present(keywords, " then ".join(keywords).split()) == [True] * len(keywords)
