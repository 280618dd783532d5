"""Pictures of decisions: whether a word counts as read, and whether a recording is scored."""

from __future__ import annotations

from dataclasses import dataclass

from drawing.canvas import GREEN, INK, MUTED, ORANGE, PALE, RIGHT, Picture, Scale
from vivavoce.audio.conditions import BEYOND_USE_SHARE
from vivavoce.measures.hearing import LEAST_SPEECH_S, LEAST_WORDS, READ_WORDS, SURE
from vivavoce.measures.reread import LIMITS, reread
from vivavoce.timeline import Segment, Word
from vivavoce.transcript.alignment import align
from vivavoce.transcript.language import (
    COMMON_SHARE,
    DICTIONARY_SHARE,
    DICTIONARY_WORDS,
    LOOPED_SCORE,
    LOW_SCORES,
    ORDER_MARGIN,
    ORDERS,
    POOR_SCORE,
)
from vivavoce.transcript.voice import BACKWARDS, FRAME_MS, VOICE_FRAMES, VOICE_FROM
from vivavoce.transcript.words import tokenize, tokenize_words

TEXT = ("the", "cat", "sat", "down")
READ, NOT_READ = "#bfe0cd", "#f6cfb4"


@dataclass(frozen=True, slots=True)
class Sought:
    """A word of the text as the listener found it: times, sounds, and the probability that it was read correctly."""

    start_ms: int
    end_ms: int
    read_correctly: float
    phones: tuple[object, ...] = ()


def counted(heard: str | None, confidence: float, chance: float) -> tuple[str, bool]:
    """Return as what the second word of TEXT counts, and whether it is listed as uncertain.

    `heard`: the recogniser's word in its place, None: none; `confidence` in it; `chance` by the listener.
    """
    said = [TEXT[0], *([] if heard is None else [heard]), *TEXT[2:]]
    places = {0: 0, **({} if heard is None else {1: 1}), 2: 2 - (heard is None), 3: 3 - (heard is None)}
    words = [Word(said[at], 400 * place, 400 * place + 400, confidence) for place, at in places.items()]
    alignment = align(tokenize(" ".join(TEXT)), tokenize_words(said))
    listened = [Sought(400 * place, 400 * place + 400, chance if place == 1 else 0.95) for place in range(len(TEXT))]
    label = next(
        one
        for one in reread(alignment, listened, words, [Segment(0, 400 * len(TEXT))]).labels
        if one.reference is not None and one.reference.key == TEXT[1]
    )
    return label.counted, label.label == "uncertain"


LANES = (
    ("the same word", "cat", 0.5),
    ("another word, not sure of it (confidence under 0.7)", "bat", 0.5),
    ("another word, sure of it (0.7 or more)", "bat", 0.9),
    ("no word in its place", None, 0.5),
)


def changes(heard: str | None, confidence: float) -> list[tuple[float, float, tuple[str, bool]]]:
    """Return the stretches of the listener's probability, in hundredths, over which the answer is the same."""
    found: list[tuple[float, float, tuple[str, bool]]] = []
    for step in range(101):
        answer = counted(heard, confidence, step / 100)
        if found and found[-1][2] == answer:
            found[-1] = (found[-1][0], step / 100, answer)
        else:
            found.append((step / 100, step / 100, answer))
    return found


def words_read() -> Picture:
    """As what a word of the text counts, by what the recogniser has and by the listener's probability."""
    picture = Picture(
        400,
        "Words read correctly: the recogniser and the listener together",
        f"Four bars over the probability, by the listener, that a word was read correctly. Where the recogniser has "
        f"the same word it counts as read. Where it has another and is not sure, from {LIMITS.read} on; where it is "
        f"sure of another, or has none, from {LIMITS.read_against} on. Where the two disagree the word is listed as "
        "uncertain.",
    )
    picture.subtitle(f"Made material: the text “{' '.join(TEXT)}”, of which “{TEXT[1]}” is asked; another word: “bat”.")
    picture.legend(20, 84, [(READ, "counts as read"), (NOT_READ, "counts as not read")], step=(140, 170))
    picture.text(330, 85, "hatched: listed as uncertain, with both opinions", size=12.5)
    across = Scale(0, 1, 40, RIGHT)
    for place, (name, heard, confidence) in enumerate(LANES):
        y = 124 + 60 * place
        picture.text(40, y - 5, f"recogniser: {name}", weight=600)
        _lane(picture, across, y, changes(heard, confidence))
    picture.across(
        across, 344, (0, 0.2, 0.4, 0.6, 0.8, 1), "probability that the word was read correctly, by the listener"
    )
    return picture


def _lane(picture: Picture, across: Scale, y: float, stretches: list[tuple[float, float, tuple[str, bool]]]) -> None:
    """Draw the answers over the probability, and where they change."""
    for place, (low, high, (answer, uncertain)) in enumerate(stretches):
        end = stretches[place + 1][0] if place + 1 < len(stretches) else high
        x, x_end = across(low), across(end)
        picture.box(x, y, x_end, y + 26, READ if answer == "matched" else NOT_READ)
        if uncertain:
            step = 10
            for start in range(int(x), int(x_end), step):
                high_x = min(start + step, x_end)
                picture.line([(max(start, x), y + 26), (high_x, y)], MUTED, width=0.7)
        if place:
            picture.line([(x, y - 3), (x, y + 29)], INK, width=1.5)
            if uncertain:
                picture.text(x - 6, y + 18, f"from {low:g}", anchor="end", weight=600)
            else:
                picture.text(x + 6, y + 18, f"up to {stretches[place - 1][1]:g}", weight=600)


def not_scored() -> Picture:
    """The questions that are asked of a recording, in their order, and what each answer leads to."""
    picture = Picture(
        668,
        "Is there English speech to score? The questions, in their order",
        "A ladder of eight questions. Each either decides, to the right, or leads to the next one below. Scored and "
        "not scored are named in words.",
    )
    picture.subtitle(
        "Each question is asked only where the one before did not decide; a clear reading is settled by the third.",
        "The limits are those of the code.",
    )
    questions = _questions()
    for place, (question, detail, answer, outcome) in enumerate(questions):
        y = 86 + 58 * place
        picture.box(20, y, 530, y + 46, PALE, stroke="#c9d0d6", round_by=5)
        picture.text(34, y + 19, f"{place + 1}. {question}", weight=600)
        picture.text(34, y + 37, detail, size=12, colour=MUTED)
        colour = GREEN if outcome == "scored" else ORANGE
        picture.arrow((530, y + 23), (596, y + 23), colour)
        picture.text(562, y + 17, answer, anchor="middle", size=12.5, colour=colour)
        picture.box(598, y + 6, RIGHT, y + 40, READ if outcome == "scored" else NOT_READ, round_by=5)
        picture.text((598 + RIGHT) / 2, y + 28, outcome, anchor="middle", weight=600, size=12.5)
        picture.arrow((50, y + 46), (50, y + 58), MUTED)
    end = 86 + 58 * len(questions)
    picture.box(20, end, 530, end + 34, READ, round_by=5)
    picture.text(34, end + 22, "scored", weight=600)
    picture.text(
        20,
        end + 56,
        f"* In closed tasks the text is laid on the sound first: scored where it fits better than in {ORDERS} other "
        f"orders, by {ORDER_MARGIN} a frame.",
        size=12,
        colour=MUTED,
    )
    picture.text(20, end + 74, "   Where nothing in it is a voice, no_speech.", size=12, colour=MUTED)
    return picture


def _questions() -> list[tuple[str, str, str, str]]:
    """Question, its limits, the answer that decides, and to what."""
    limits = ", ".join(f"{score} ({words})" for words, score in LOW_SCORES).replace(")", " words)", 1)
    return [
        (
            "Is there a voice, and are there words?",
            f"{VOICE_FRAMES} frames of {FRAME_MS} ms in a row with a probability of voice of {VOICE_FROM} or more",
            "no",
            "no_speech",
        ),
        (
            "Are so many tops cut off that loudness cannot be measured?",
            f"{100 * BEYOND_USE_SHARE:.0f} % of the samples or more",
            "yes",
            "clipped_beyond_use",
        ),
        (
            "Was the text that was to be read, read?",
            f"a third of the heard words and {READ_WORDS} of them are the text's, or all of the text's",
            "yes",
            "scored",
        ),
        (
            "Is there too little?",
            f"fewer than {LEAST_WORDS} words in less than {LEAST_SPEECH_S} s of speech",
            "yes",
            "too_little_speech",
        ),
        (
            "Are the words another language's?",
            f"it says so; or, of {DICTIONARY_WORDS} or more, under {100 * DICTIONARY_SHARE:.0f} % in the dictionary "
            f"and {100 * COMMON_SHARE:.0f} % common",
            "yes",
            "language",
        ),
        ("Is the recogniser sure?", f"mean confidence {SURE} or more, and no loop", "yes", "scored"),
        (
            "Do the words not fit the sound, or make no English?",
            (f"fit under {limits}, {POOR_SCORE} (poor), {LOOPED_SCORE} (loop); or few have a place").replace("-", "−"),
            "yes",
            "language *",
        ),
        (
            "Is it played backwards?",
            f"a voice whose level rises more slowly than it falls: skewness under {BACKWARDS}".replace("-", "−"),
            "yes",
            "backwards",
        ),
    ]
