"""Rule by rule: sentences that it must take, with the words that are left behind, and such as it must not take."""

from __future__ import annotations

from pathlib import Path

import pytest
from disfluency_data import said

from vivavoce.measures.disfluency.find import find_disfluencies
from vivavoce.transcript.alignment import align
from vivavoce.transcript.words import tokenize, tokenize_words

TAKEN = {
    "an article before a mark, no noun after it": """
        They are going to the, to a party. | to the,
        She put it on a, on the table. | on a,
        I went to my, to our garden. | to my,
        What is the, where is the library? | What is the,
        I like the... I love the rain. | I like the...
        There was a, there were two boys. | There was a,
        They gave us a, they gave us two. | They gave us a,
        We saw our — they went home. | We saw our
        Because the, because it was late, we left. | Because the,
        It was the, um, they were late. | It was the,""",
    "a clause begun again after a mark": """
        He can, he could swim. | He can,
        You should, you must be careful. | You should,
        Then she was, she is late now. | she was,
        My mother is, my mother works in a bank. | My mother is,
        The children were, the children are happy. | The children were,
        The old man had, the old man has a dog. | The old man had,""",
    "the same without marks": """
        he can he could swim | he can
        you should you must be careful | you should
        there was there were two boys | there was
        my dad is my dad works in a bank | my dad is
        the teacher has the teacher had a book | the teacher has
        what is the where is the library | what is the
        we went to the to a party | to the
        because the because it was late we left | because the
        the girl has a the girl had a bag | a
        there are the there is a dog | the
        you can see the you can hear the birds | the
        he is an they are old | an""",
    "is said twice where grammar has room for one": """
        My name is is Tom. | is
        The dogs are are in the garden. | are""",
    "like before a count or a verb": """
        there were like twenty people | like
        we had like three tests that day | like
        it takes like ten minutes | like
        he was like ten years old | like
        he like never listens | like
        they like always win it | like
        there is like one shop | like
        she like just left | like
        we like really wanted to win | like
        I'm like really scared | like""",
    "you know before an opinion or a hedge": """
        you know I think we should stop | you know
        and you know we guess it is true | you know
        you know maybe he is right | you know""",
    "I mean before a whole sentence": """
        i mean it was fine | i mean
        but I mean it is not his fault | I mean
        I mean you can see the sea | I mean
        I mean this is bad | I mean
        I mean they left early | I mean
        I mean it took an hour | I mean
        I mean where's the bus | I mean
        I mean well it was late | I mean
        I mean the food was good | I mean
        I mean they could have called | I mean
        I mean what did they want | I mean
        I mean is it open | I mean
        I mean if you want we go | I mean
        What was the public I mean private park? | I mean""",
}

LEFT = {
    "an article before a mark": """
        The, as you know, red house is ours.
        It was a, shall we say, sad day.
        My, what a day it was!
        Oh my, they are late.
        Write a, the or an before it.
        It begins with the, and a, and my.
        He wants an "a", the best mark.
        We drank vitamin A, the red one.
        Take the number closest to a, in order.
        Set the value of a, if there is one.
        an' I had none
        We saw the, big dog.
        It is in the, um, garden.""",
    "a clause after a mark": """
        My mother is, my father says, a good cook.
        He can, he said, do it alone.
        I can, I hope, help you.
        I can, I really can.
        No, I will, I always will.
        As far as he can, he helps.
        Where he was, he is still.
        The teacher will, the teacher says, come back.
        My mother can, my mother really can.
        I know who she is, she is my aunt.
        She is taller than he is, he is older.
        There you are, there it is.
        The problem is, the problem never ends.
        If you can, you should.
        They are, they have always been.""",
    "a clause without marks": """
        the problem is the problem never ends
        what they are they are for good
        the problem is the problem has no end
        my hope is my hope
        there is there
        you said you would
        he made plan a they liked it
        the man in the in crowd""",
    "is said twice": """
        What it is is this.
        What he does is is up to him.
        The thing is is that he left.
        The question is is it true.
        My first guess was was it you.""",
    "like that works": """
        I like two of them.
        It looks like three people live here.
        She is like one big sister.
        It was the like-for-like swap.
        It was like two different worlds.
        I like never having to wait.
        Children like always being first.
        We like really good books.
        I like really crowded places.
        I like being alone.
        I kind of like it.
        It is sort of like living by the sea.
        We cannot go on like this for long.
        I don't like like-minded people.
        They like always.""",
    "you know that works": """
        You know I love you.
        You know I think of you.
        You know the shop is closed.
        You know it is true.
        And you know two heads are better.""",
    "I mean that works": """
        I mean what I say.
        I mean the red one.
        I mean the boy who is in the hat.
        I mean the one you know.
        I mean my older sister.
        I mean no harm.
        I mean well, but I fail.
        I mean it when I say it.
        I mean you, not him.
        By winter I mean the cold months.
        When I say home I mean this house.
        When I say home I mean our house.
        I mean what is best for you.
        The place I mean is far away.
        The sea, you know the one I mean, is cold.""",
    "kind of that works": """
        Is it a kind of, um, bird?
        What sort of um dog is it?
        I kind of cried when it ended, kind of.""",
    "said again on purpose": """
        Half a league, half a league, half a league onward.
        half a league half a league half a league onward
        Into the night, into the night he rode.
        I have a dream, I have a dream today.
        The bells, the bells, the bells of evening rang.
        London Bridge is falling down, falling down, falling down.
        Down the lane we go, down the lane we go, down the lane we go.
        a wide wide sea
        It was a cold cold winter.""",
    "another speaker's words": """
        Ann: No, the bus is late.
        Ann asked, "Excuse me, what is it?"
        He said to the cook, "Sorry, we are late."
        "I'm sorry, sir, we are late."
        Letters which hold no news are dull.
        I would much rather have a dog.""",
}


def lines(table: dict[str, str]) -> list[str]:
    return [line.strip() for text in table.values() for line in text.strip().splitlines()]


@pytest.mark.parametrize("line", lines(TAKEN))
def test_the_rule_takes_it(line: str) -> None:
    sentence, left = line.split(" | ")
    found = [" ".join(event.words) for event in find_disfluencies(said(sentence)) if event.kind != "filled_pause"]
    assert found == [left]


@pytest.mark.parametrize("sentence", lines(LEFT))
def test_the_rule_leaves_it(sentence: str) -> None:
    found = [(event.kind, event.words) for event in find_disfluencies(said(sentence))]
    assert [event for event in found if event[0] != "filled_pause"] == []


def test_sentences_written_after_the_rules_count_as_they_must() -> None:
    folder = Path(__file__).parent / "written"
    counted = {
        path.stem: sum(bool(find_disfluencies(said(line))) for line in path.read_text(encoding="utf-8").splitlines())
        for path in folder.glob("*.txt")
    }
    # Of 60, 154, 15 and 20; see docs/evidence/disfluency.md. Floors and ceilings: a change that loses more is noticed.
    assert counted["clean"] == 0
    assert counted["clean_developed_on"] <= 3
    assert counted["fillers"] == 15
    assert counted["restarts"] >= 18


def test_what_comes_once_too_often_in_a_twister_counts() -> None:
    text = "Red lorry, yellow lorry."
    for heard, said_again in (
        ("red lorry red lorry yellow lorry", [("red", "lorry")]),
        ("red lorry yellow lorry " * 3, []),
        ("red lorry yellow lorry " * 2, []),
    ):
        alignment = align(tokenize(text), tokenize_words(heard.split()), repeat=3)
        assert [event.words for event in find_disfluencies(said(heard), alignment)] == said_again


def test_a_word_left_out_of_a_reading_makes_no_repetition() -> None:
    text = "He picked a peck of peppers. A peck of peppers he picked."
    heard = "he picked a peck of peppers peck of peppers he picked"
    assert find_disfluencies(said(heard)) != ()
    assert find_disfluencies(said(heard), align(tokenize(text), tokenize_words(heard.split()))) == ()
