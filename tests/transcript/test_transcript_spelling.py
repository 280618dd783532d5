"""L1's spellings and L2's homophones: what is one word, and what must stay two."""

from __future__ import annotations

from importlib.resources import files

import pytest

from vivavoce.transcript.equality import how_matched
from vivavoce.transcript.spelling import american
from vivavoce.transcript.words import tokenize


def how(reference: str, read: str) -> str:
    (first,), (second,) = tokenize(reference), tokenize(read)
    assert how_matched(first, second, {}) == how_matched(second, first, {})
    return how_matched(first, second, {})


def pairs(text: str) -> list[tuple[str, ...]]:
    return [tuple(pair.split()) for pair in text.split(";")]


BRITISH = pairs("""colour color; colours colors; colour's color's; realise realize; realised realized; organisation
    organization; travelled traveled; traveller traveler; centre center; centred centered; theatre theater; metre meter;
    litres liters; catalogue catalog; defence defense; licence license; practise practice; grey gray; mould mold; plough
    plow; sceptical skeptical; jewellery jewelry; programme program; pyjamas pajamas; fulfil fulfill; skilful skillful;
    analyse analyze; anaemia anemia; oestrogen estrogen; manoeuvre maneuver; judgement judgment; ageing aging;
    axe ax; moustache mustache; sulphur sulfur; gaol jail; neighbourhood neighborhood; favourite favorite; honour
    honor; apologise apologize; cosy cozy; tyre tire; cheque check; kerb curb""")
TWO_WORDS = pairs("""aluminium aluminum; aeroplane airplane; learnt learned; mum mom; fillet filet; analyses analyzes;
    our or; hour or; rise rice; prise price; advise advice; wise wide; story stories; lift elevator; maths math;
    theatre there; centre sent; color colored; gray grey's; saint street; doctor drive""")
HOMOPHONES = pairs("""their there; there they're; knight night; which witch; wizard's wizards; wizards' wizard's;
    lady's ladies; boss's bosses; sea see; four for; 4 for; 8 ate; one won; its it's; flour flower; whose who's;
    storey story; hour our; two too""")
DIFFERENT_SOUNDS = pairs("""a uh; are or; differ defer; below billow; um am; him hem; deserted dessert; insight incite;
    then than; a the; cat cut; ship sheep; wizard's wizard; an in; are er""")
ABBREVIATIONS = pairs(
    "Mr mister; Mrs. missus; Dr. doctor; St. Saint; St. street; Prof. professor; kg kilograms; Sept. September"
)


@pytest.mark.parametrize(("british", "spelled"), BRITISH)
def test_british_and_american_are_one_word(british: str, spelled: str) -> None:
    assert how(british, spelled) == "spelling"


@pytest.mark.parametrize(("first", "second"), TWO_WORDS)
def test_words_of_different_sound_or_meaning_stay_two(first: str, second: str) -> None:
    assert how(first, second) == "substitution"


@pytest.mark.parametrize(("written", "read"), ABBREVIATIONS)
def test_abbreviations(written: str, read: str) -> None:
    assert how(written, read) == "abbreviation"


@pytest.mark.parametrize(("first", "second"), HOMOPHONES)
def test_homophones_match(first: str, second: str) -> None:
    assert how(first, second) == "homophone"


@pytest.mark.parametrize(("first", "second"), DIFFERENT_SOUNDS)
def test_words_that_sound_different_do_not(first: str, second: str) -> None:
    """Stress counts in words of several syllables; weak forms and filled pauses make no homophones."""
    assert how(first, second) == "substitution"


DATA = files("vivavoce.transcript") / "data"


def test_the_spelling_table_never_chains() -> None:
    """No American form is itself respelled, so asking once is enough and equality is the same both ways."""
    lines = (DATA / "spellings.tsv").read_text(encoding="utf-8").splitlines()
    table = dict(line.split("\t") for line in lines)
    assert len(table) == len(lines) > 2000
    assert not table.keys() & set(table.values())
    assert all(american(british) == spelled == american(spelled) for british, spelled in table.items())


def test_the_homophone_table_has_no_filled_pauses() -> None:
    groups = [set(line.split()) for line in (DATA / "homophones.txt").read_text(encoding="utf-8").splitlines()]
    assert all(len(group) > 1 for group in groups)
    assert not set().union(*groups) & {"um", "uh", "uhm", "er", "erm", "hmm", "mm", "ah"}


def test_marks_and_drawn_out_fillers_are_spelling() -> None:
    assert how("café", "cafe") == "exact"
    assert how("um", "ummm") == "spelling"
    assert how("21", "twenty-one") == "number"
    assert how("one", "one") == "exact"
