"""The closed classes of English that the rules of this package read: no model, no part-of-speech tagger."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


WH = words("what who whom whose which when where why how what's who's where's how's when's why's")
DET = words("the a an my your our their his her its this these those every each")
# After one of these no pronoun, article or finite auxiliary can follow: what follows starts anew.
OPEN_DET = words("the my your our their")
ARTICLES = OPEN_DET | {"a", "an"}
SUBJECT = words("i he she we they it you i'm he's she's we're they're it's you're i've we've they've i'd i'll we'll")
OBJECTS = words("it him her them me us")
BE = words("is are was were am be been being isn't aren't wasn't weren't")
AUX = BE | words(
    "do does did has have had can could will would shall should may might must don't doesn't didn't hasn't haven't "
    "hadn't can't couldn't won't wouldn't shouldn't cannot"
)
# Of one family, so that one is said instead of the other: "he can he could".
AUX_FAMILIES = (
    BE,
    words("do does did don't doesn't didn't"),
    words("have has had haven't hasn't hadn't"),
    words("can could will would shall should may might must can't cannot couldn't won't wouldn't shouldn't"),
)
PREP = words(
    "of in on at to from for with by about into onto over under between through during without within against "
    "among towards toward after before since until near behind beside besides"
)
CONJ = words("and but or so because if that than as nor while though although then")
FUNCTION = WH | DET | SUBJECT | AUX | PREP | CONJ
# What cannot end a clause, so that a break after it leaves it open.
DANGLING = (
    WH | AUX | words("the a an my your our their of in to from for with by at into and or but because if than as")
)

# Said again on purpose: emphasis, calls, sounds, and pairs that grammar allows ("had had", "that that").
EMPHASIS = words(
    "very really so too much many more most less far long big little great good bad old hard never ever always no yes "
    "yeah yep nope ok okay please wait come go run walk row stop look now there here hello hi hey bye well knock ha he "
    "ho la na tick tock hip hooray quack moo woof oink choo beep again all only just quite super way blah boo night "
    "tut hush jolly tiny huge deep dark high low slowly slowly quickly fast round over on up down in out by "
    "twinkle ring drip drop clap buzz had that is was were are do did her you it what why who still sorry thanks "
    "mama papa dada bang boom pop splash wow help days years miles ding dong not"
)
# Of these only the unmistakable stay: a determiner, a subject or a preposition twice is no emphasis.
TWICE_IS_BROKEN = words(
    "i the a an and to of we they she with for from at my your our their this but because if or i'm he's she's it's "
    "we're they're has have will would could should can how where when which as into about be been some any these those"
)
# Whole phrases that are said twice on purpose.
SET_PHRASES = frozenset(
    tuple(phrase.split())
    for phrase in (
        "i know",
        "i see",
        "thank you",
        "oh no",
        "of course",
        "all right",
        "come on",
        "let's go",
        "my my",
        "oh dear",
        "good night",
        "yes sir",
        "you know",
        "i mean",
        "sort of",
        "kind of",
        "hip hip",
        "new york",
        "once more",
        "come here",
        "hear hear",
        "not now",
    )
)
# A word that joins two equal ones: "again and again and again", "day by day by day".
LINKS = words("and or by to after in upon on for of")

# Verbs that take a clause of their own: "I think I know" is whole.
CLAUSE_VERBS = words(
    "think know thought knew hope hoped wish wished guess guessed feel felt believe believed say says said suppose "
    "supposed mean meant bet swear find found see saw hear heard remember forgot imagine pretend pretended told tell "
    "promise promised thinks knows hopes feels believes understand understood realise realize realised realized "
    "decided learned learnt dreamed dreamt noticed admit agree agreed wonder wondered doubt fear feared assume like "
    "liked love loved explained showed reckon wishes guesses claims claimed"
)
KIND = words("sort kind")
# After one of these, "is" may begin what it is: "the problem is the bus never comes", "the thing is is that".
SHELL_NOUNS = words("problem thing fact point question truth trouble answer reason idea rule trick secret issue all")
SPEECH_VERBS = words(
    "say says said saying answer answered answers told tell tells whispered shouted cried replied vote"
)

# Finite verbs that a sentence about school and home often has; with auxiliaries, enough to count clauses.
VERBS = AUX | words(
    "ran went saw came took got made ate sat said gave had found kept left fell felt told knew threw began broke "
    "brought built bought caught chose drank drew drove flew forgot grew heard held hid hit hurt let led lost met paid "
    "put read rode rose sang sent shot shook slept spoke spent stood stole swam swung taught thought understood woke "
    "won wore wrote cut bit blew dug fought froze hung knelt laid lay rang sank shone shut slid spread sprang stuck "
    "struck swept tore wept wound bent bled fed fled meant sold sought "
    "goes comes takes gets makes eats sits gives finds keeps leaves falls feels tells knows says wants needs likes "
    "loves runs sees looks lives plays works helps thinks jumps walks talks starts stops uses tries asks calls "
    "want need like love live look know think say go come take get make give see find keep use"
)

NO_OBJECT = words("ran went came sat fell is was are were slept died jumped walked cried laughed barked")


def is_verb(key: str) -> bool:
    """Whether the word is taken for a finite verb: one of the list, or ending in -ed."""
    return key in VERBS or (len(key) > 4 and key.endswith("ed"))
