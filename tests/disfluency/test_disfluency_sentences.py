"""Sentences written by hand: what must be found, and clean ones in which nothing may be."""

from __future__ import annotations

import pytest
from disfluency_data import said

from vivavoce.measures.disfluency.find import find_disfluencies

# Sentence -> (kind, what is left behind or the filler).
BROKEN = {
    "um I went to the shop": [("filled_pause", "um")],
    "I went to the, uh, shop.": [("filled_pause", "uh,")],
    "the dog was ummm really big": [("filled_pause", "ummm")],
    "&-um i like beans": [("filled_pause", "&-um")],
    "It was, like, really cold.": [("filler", "like,")],
    "and like he went home": [("filler", "like")],
    "he went to the like big shop": [("filler", "like")],
    "we were in like the park": [("filler", "like")],
    "she was like really tired": [("filler", "like")],
    "I like went to the park": [("filler", "like")],
    "You know, it was a long day.": [("filler", "You know,")],
    "It was hard, you know, and then it got worse.": [("filler", "you know,")],
    "it was you know really hard": [("filler", "you know")],
    "It was yknow strange": [("filler", "yknow")],
    "I mean, it was my best day.": [("filler", "I mean,")],
    "It was, sort of, over.": [("filler", "sort of,")],
    "it was kind of um cold": [("filler", "kind of"), ("filled_pause", "um")],
    "I I want that": [("repetition", "I")],
    "I, I want that.": [("repetition", "I,")],
    "the the dog ran": [("repetition", "the")],
    "I want I want that": [("repetition", "I want")],
    "we went to the we went to the shop": [("repetition", "we went to the")],
    "I went to um to school": [("repetition", "to"), ("filled_pause", "um")],
    "he took took the ball": [("repetition", "took")],
    "and and and then he left": [("repetition", "and and")],
    "mon- montreal is cold": [("cut_off", "mon-")],
    "<cutoff-montreal> montreal": [("cut_off", "<cutoff-montreal>")],
    "the &+fr frog jumped": [("cut_off", "&+fr")],
    "the mon— montreal game": [("cut_off", "mon—")],
    "s-s-segment two": [("cut_off", "s-s-segment")],
    "I saw a b-ball": [("cut_off", "b-ball")],
    "m m m montreal": [("cut_off", "m"), ("cut_off", "m"), ("cut_off", "m")],
    "I want no I need that": [("false_start", "I want")],
    "who did I mean what did the government want": [("false_start", "who did")],
    "the dog the cat ran": [("false_start", "the dog")],
    "the dog the cat ate the fish": [("false_start", "the dog")],
    "When was Zhu Shijie die no sorry when was he born?": [("false_start", "When was Zhu Shijie die")],
    "It was in Paris no wait in London.": [("false_start", "in Paris")],
    "I was I went to the park": [("false_start", "I was")],
    "I'm I was going home": [("false_start", "I'm")],
    "what is who is the king": [("false_start", "what is")],
    "I saw the they went home": [("false_start", "the")],
    "She has two, sorry, three cats.": [("false_start", "two,")],
    "it was red or rather blue": [("false_start", "red")],
    "turn left scratch that turn right": [("false_start", "turn left")],
    "I want to the — I need a pen": [("false_start", "I want to the")],
    "When was it no in what year was it made?": [("false_start", "When was it")],
    "Why does or what happens to the sun?": [("false_start", "Why does")],
    "How many lakes no high hills are in Spain?": [("false_start", "lakes")],
    "What is it called, actually what can it do?": [("false_start", "What is it called,")],
    "Besides Spain ugh France where did they go?": [("false_start", "Spain")],
}

CLEAN = """
I like dogs.
You know the answer.
She had had enough.
I know that that is true.
It was very very good.
one one two
nine nine nine
He has no money and no friends.
There is no one here.
She said no, I won't.
It was a cold, cold night.
Never, never give up.
I would like to go home.
He looks like his father.
It tastes like honey.
Do what you like.
They are like brothers.
and like I said he left
I feel like a bird
It was like two different worlds.
She was like, no.
Do you know what I mean?
That is what I mean.
I mean it.
I mean to go.
If you know the way, go.
As you know, we lost.
Did you know her?
I want you to know the truth.
What kind of dog is it?
It is a sort of bread.
This kind of day is rare.
He was kind of tall.
I think I know.
I said I would.
He says he is ill.
We know we can.
The dog the cat chased ran away.
The man the police want escaped.
The more the merrier.
The day the music died.
I came, I saw, I conquered.
I like apples, I like pears.
Again and again and again he tried.
Day by day by day it grew.
New York New York is far away.
He lives in Walla Walla.
Knock knock.
Row row row your boat.
Come with me, come with me.
I know, I know.
Tea or coffee?
When or where did it happen?
I would rather stay.
It is rather cold today.
He went to bed instead of me.
I am sorry for the mess.
I'm so sorry I lost it.
Please wait for me.
It is a t-test.
pre- and post-war
a well-known man
He re-read the re-record.
the 5 mm screw
mm hmm
uh huh
uh-oh
It is what it is is what she says.
Can you make that cake?
Why does she know the way?
I do not know who did it.
He read the first and the second book.
The boy, the girl and the dog ran.
Was it a no or a yes?
We had no way to go home.
I have no idea.
He can no longer walk.
No, I did not.
Oh no, the cake fell.
You like me and I like you.
We need no help from you.
The old man found no gold.
He was the boy who was the king.
Read the part that that boy read.
She gave her her book back.
He was cold and rather selfish.
If no bird sings, we wait.
Give it back, or no bird will sing.
We saw birds and no birds sang.
It is actually the same.
The story will actually be told.
He did not stay; instead, he left.
The wait was long.
They came one by one, by the door.
We stood back to back to see.
He stood at the top, the top of the world.
He drew a C-shaped line.
It was a no-go area.
This is no worse than that.
a hole of 3 mm in it
Which people eat no meat?
What dogs eat no meat when they are sick?
How many rooms with no light are there?
Who is or was the king?
What is or what was the rule?
Ask what they are, actually, what can go wrong.
Where is no one in what house?
""".strip().splitlines()


@pytest.mark.parametrize("sentence", BROKEN)
def test_a_disruption_is_found_with_its_kind_and_words(sentence: str) -> None:
    found = [(event.kind, " ".join(event.words)) for event in find_disfluencies(said(sentence))]
    assert found == BROKEN[sentence]


@pytest.mark.parametrize("sentence", CLEAN)
def test_a_clean_sentence_counts_nothing(sentence: str) -> None:
    # A name is known by its capital.
    for text in (sentence, sentence if "Walla" in sentence else sentence.lower()):
        assert [(event.kind, event.words) for event in find_disfluencies(said(text))] == []


@pytest.mark.parametrize("sentence", [line for line in CLEAN if "," not in line and "?" not in line])
def test_the_same_sentence_without_its_full_stop_counts_nothing(sentence: str) -> None:
    bare = sentence.rstrip(".")
    assert [(event.kind, event.words) for event in find_disfluencies(said(bare))] == []
