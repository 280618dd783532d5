"""Whether words are English, and whether they are what a recording says.

An English-only recogniser writes English whatever it hears. Three questions: are the words in the English dictionary,
do they make English sentences (a language model), and do their sounds fit the recording (forced alignment with an
acoustic model of English)? All need pocketsphinx; without it there is no answer, and nothing is refused for it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vivavoce.transcript.forced import ForcedAlignment, align_words, is_installed
from vivavoce.transcript.hidden_events import mean_log_p

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

LEAST_PLACED_WORDS = 4
NONSENSE_WORDS, NONSENSE_SCORE, NONSENSE_LOG_P = 8, -2.0, -8.0
LOOPED_SCORE, POOR_SCORE, PERSON_SCORE = -3.0, -3.4, -4.5
LOW_SCORES = ((8, -3.75), (16, -3.4))
"""From so many words on, the score under which they were not said."""

_COMMONEST = (
    "the and of to a in is it you that he was for on are as with his they i at be this have from or one had by but "
    "not what all were we when your can said there an which she do how their if will up about out then them these so "
    "some her would him into has my me no our us did been who just like"
)
_COMMON = frozenset(_COMMONEST.split())


@dataclass(frozen=True, slots=True)
class Fit:
    """How well words fit the sound: mean score a frame (about 0: said; under -3: hardly), of how many words, whether
    they fit hardly better than the same sounds backwards, and how many of them have a place in it."""

    score: float
    words: int
    poor: bool
    placed: int

    @property
    def mostly_unplaced(self) -> bool:
        """Whether less than a third of four words or more found room in the sound: they were made up."""
        return self.words >= LEAST_PLACED_WORDS and self.placed < self.words / 3

    def unfit(self, *, looped: bool = False, by_person: bool = False) -> bool:
        """Return whether something else was said than these words.

        looped and score < -3.0, or poor and score < -3.4, or 8 words or more and score < -3.75, or 16 or more and
        score < -3.4, or mostly unplaced; of words that may be a person's, only poor and score < -4.5: what a recogniser
        writes is near in sound to a strong accent, the right words may not be, and a person may have written more than
        was recorded (chosen; measured in docs/evidence/not-scored.md).
        """
        if by_person:
            return self.poor and self.score < PERSON_SCORE
        low = self.mostly_unplaced or any(self.words >= least and self.score < score for least, score in LOW_SCORES)
        return low or (looped and self.score < LOOPED_SCORE) or (self.poor and self.score < POOR_SCORE)


def is_nonsense(texts: Sequence[str], fit: Fit) -> bool:
    """Return whether a recogniser's words make no English and do not fit their sound well either.

    8 words or more, mean log probability < -8.0, and score < -2.0 (chosen: what learners say and are misheard to say
    has -7.4 and more in as many words, names in a list of words -9.0 but a score of -0.4; docs/evidence/not-scored.md).
    """
    return len(texts) >= NONSENSE_WORDS and fit.score < NONSENSE_SCORE and mean_log_p(texts) < NONSENSE_LOG_P


def fit_of(aligned: ForcedAlignment) -> Fit | None:
    """Return how well aligned words fit the recording; None where nothing was aligned."""
    if aligned.score is None:
        return None
    codes = {notice.code for notice in aligned.notices}
    placed = sum(word.start_ms is not None for word in aligned.words)
    return Fit(aligned.score, len(aligned.words), not codes.isdisjoint({"alignment_poor", "alignment_failed"}), placed)


def reads_in_order(samples_16k: NDArray[np.float32], words: Sequence[str]) -> bool:
    """Return whether a recording fits a text better than the same words in any of nine other orders.

    mean score over all frames, text - best of the others, at least 0.13; its own at least -4.5, since of nine orders
    one is the best by luck. Speaker, accent, microphone and words are the same on both sides: what is left is whether
    the text was read. Needs four words and pocketsphinx, else False.
    Parameters: `samples_16k` mono, 16 kHz; `words` as written.
    """
    if len(set(words)) < LEAST_ORDER_WORDS or not is_installed():
        return False
    own = mean_score(align_words(samples_16k, words, judged=False))
    if own < PERSON_SCORE:
        return False
    order, others = random.Random(0), []
    for _ in range(ORDERS):
        shuffled = list(words)
        order.shuffle(shuffled)
        others.append(mean_score(align_words(samples_16k, shuffled, judged=False)))
    return own - max(others) >= ORDER_MARGIN


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
