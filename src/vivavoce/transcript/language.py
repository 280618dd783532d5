"""Whether words are English, and whether they are what a recording says.

An English-only recogniser writes English whatever it hears. Two questions, neither of which needs a language model:
are the words in the English dictionary, and do their sounds fit the recording (forced alignment with an acoustic
model of English)? Both need pocketsphinx; without it there is no answer, and nothing is refused for it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vivavoce.transcript.forced import ForcedAlignment, align_words, is_installed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DICTIONARY_WORDS = 10
DICTIONARY_SHARE = 0.85
"""A transcript of 10 words or more with fewer than this in the dictionary is not English."""
COMMON_SHARE = 0.3

ORDERS, LEAST_ORDER_WORDS, ORDER_MARGIN = 9, 4, 0.13
"""A text is laid on the sound in so many other orders. Learners whom the recogniser failed: 0.20 to 0.45; other
languages under an English text: -0.37 to 0.07."""

LOOPED_SCORE, POOR_SCORE, LOW_SCORE, LOW_SCORE_WORDS, PERSON_SCORE = -3.0, -3.4, -3.75, 8, -4.5

_COMMONEST = (
    "the and of to a in is it you that he was for on are as with his they i at be this have from or one had by but "
    "not what all were we when your can said there an which she do how their if will up about out then them these so "
    "some her would him into has my me no our us did been who just like"
)
_COMMON = frozenset(_COMMONEST.split())


@dataclass(frozen=True, slots=True)
class Fit:
    """How well words fit the sound: mean score a frame (about 0: said; under -3: hardly), of how many words, and
    whether they fit hardly better than the same sounds backwards."""

    score: float
    words: int
    poor: bool

    def unfit(self, *, looped: bool = False, by_person: bool = False) -> bool:
        """Return whether something else was said than these words.

        looped and score < -3.0, or poor and score < -3.4, or 8 words or more and score < -3.75; of words that may be a
        person's, only poor and score < -4.5: what a recogniser writes is near in sound to a strong accent, the right
        words may not be (chosen; measured in docs/measurements.md, "What is not scored").
        """
        if by_person:
            return self.poor and self.score < PERSON_SCORE
        low = self.words >= LOW_SCORE_WORDS and self.score < LOW_SCORE
        return low or (looped and self.score < LOOPED_SCORE) or (self.poor and self.score < POOR_SCORE)


def fit_of(aligned: ForcedAlignment) -> Fit | None:
    """Return how well aligned words fit the recording; None where nothing was aligned."""
    if aligned.score is None:
        return None
    codes = {notice.code for notice in aligned.notices}
    return Fit(aligned.score, len(aligned.words), not codes.isdisjoint({"alignment_poor", "alignment_failed"}))


def reads_in_order(samples_16k: NDArray[np.float32], words: Sequence[str]) -> bool:
    """Return whether a recording fits a text better than the same words in any of nine other orders.

    mean score over all frames, text - best of the others, at least 0.13. Speaker, accent, microphone and words are the
    same on both sides: what is left is whether the text was read. Needs four words and pocketsphinx, else False.
    Parameters: `samples_16k` mono, 16 kHz; `words` as written.
    """
    if len(set(words)) < LEAST_ORDER_WORDS or not is_installed():
        return False
    order, others = random.Random(0), []
    for _ in range(ORDERS):
        shuffled = list(words)
        order.shuffle(shuffled)
        others.append(mean_score(align_words(samples_16k, shuffled, judged=False)))
    return mean_score(align_words(samples_16k, words, judged=False)) - max(others) >= ORDER_MARGIN


def mean_score(aligned: ForcedAlignment) -> float:
    """Return the mean score over all frames, those between words too: how well the words explain all that is heard."""
    phones = [phone for word in aligned.words for phone in word.phones] + list(aligned.between)
    total_ms = sum(phone.end_ms - phone.start_ms for phone in phones)
    scored = sum(phone.score * (phone.end_ms - phone.start_ms) for phone in phones)
    return scored / total_ms if total_ms else -math.inf


def is_english(language: str | None) -> bool:
    """Return whether a BCP 47 code is English, or none is known."""
    return language is None or language.lower().split("-")[0] in ("en", "eng")


def is_english_text(words: Sequence[str]) -> bool | None:
    """Return whether a transcript's words are English; None where there are too few of them to say.

    Not English: 10 words or more, under 85 % of them in the dictionary and under 30 % among the 71 commonest.
    Words are letters with their accents and apostrophes; numbers are no evidence.
    """
    plain = [part for word in words for part in _letters(word)]
    if len(plain) < DICTIONARY_WORDS or not is_installed():
        return None
    from vivavoce.transcript.forced.model import load_dictionary

    dictionary = load_dictionary()
    known = sum(word in dictionary for word in plain) / len(plain)
    common = sum(word in _COMMON for word in plain) / len(plain)
    return known >= DICTIONARY_SHARE or common >= COMMON_SHARE


def _letters(word: str) -> list[str]:
    """The parts of a written word that are made of letters, lower case, apostrophes straight."""
    straight = word.replace("’", "'").lower()
    kept = "".join(char if char.isalpha() or char == "'" else " " for char in straight)
    return [part.strip("'") for part in kept.split() if part.strip("'")]
