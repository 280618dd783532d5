"""Where a sentence may end, by its words alone: to the language model a sentence's end is a word that nobody hears.

    log odds = log p(</s> | h2 h1) p(w1 | <s>) p(w2 | <s> w1)  -  log p(w1 | h2 h1) p(w2 | h1 w1)

h2 h1 are the two words before a place, w1 w2 the two after it. The model is the trigram of US English that the package
pocketsphinx carries. It counts in whole numbers, so every machine gets the same.

Source: Stolcke and Shriberg 1996, "Automatic linguistic segmentation of conversational speech" (ICSLP).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import Protocol, cast

from vivavoce.transcript.sphinx import model_path
from vivavoce.transcript.words import is_filled_pause

LANGUAGE_MODEL = "en-us.lm.bin"
BEGIN, END, UNKNOWN = "<s>", "</s>", "<UNK>"
LOG_BASE = log(1.0001)
LEAST_KNOWN = -200.0
"""The words of the model have -17 and more on their own, all others -53,684."""
STRANGE = -12.0
"""What a word that the model lacks counts, whatever stands before it: the same in both readings, so it says nothing."""


class LanguageModel(Protocol):
    """What is asked of pocketsphinx's NGramModel."""

    def prob(self, words: list[str]) -> int:
        """Return log p(the first word | the others, the nearest first), to the base 1.0001."""


def sentence_end_log_odds(before: Sequence[str], after: Sequence[str]) -> float:
    """Return the log odds that a sentence ends between two runs of words: above 0 where that is likelier than not.

    The formula at the head of this file, natural logarithms. Filled pauses are passed over, since the model was made
    of writing; a run without words is the beginning, or the end, of everything.

    Parameters: `before`, `after` words as they were written; a few on either side are enough.
    Raises MissingError `extra_missing` where pocketsphinx is not installed, `acoustic_model_changed` where its model
    is another.
    """
    h1, h2 = [*reversed(_known(before)), BEGIN, BEGIN][:2]
    w1, w2 = [*_known(after), END, END][:2]
    ends = _log_p(END, h1, h2) + _log_p(w1, BEGIN) + _log_p(w2, w1, BEGIN)
    return ends - _log_p(w1, h1, h2) - _log_p(w2, w1, h1)


def mean_log_p(texts: Sequence[str]) -> float:
    """Return how likely words are in their order: mean over the words and the end of log p(word | the two before it).

    About -4 for plain English, under -8 for words in no order. 0 where there are none.

    Parameters: `texts` words as they were written. Raises as `sentence_end_log_odds` does.
    """
    words = _known(texts)
    before = [BEGIN, *words]
    logs = [_log_p(word, *reversed(before[max(0, place - 1) : place + 1])) for place, word in enumerate([*words, END])]
    return sum(logs) / len(logs) if words else 0.0


def _known(texts: Sequence[str]) -> list[str]:
    """The words as the model writes them; one with hyphens that it does not know is the words that it is made of."""
    found: list[str] = []
    for text in texts:
        plain = text.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").strip("'\"“”‘.,;:?!()[]-–— ")
        if plain and not is_filled_pause(plain):
            parts = [plain] if _has(plain) else plain.split("-")
            found += [part if _has(part) else UNKNOWN for part in parts if part]
    return found


def _has(word: str) -> bool:
    return _model().prob([word]) * LOG_BASE >= LEAST_KNOWN


def _log_p(word: str, *before: str) -> float:
    """Return log p(word | the words before it, the nearest first)."""
    return STRANGE if word == UNKNOWN else _model().prob([word, *before]) * LOG_BASE


@lru_cache(maxsize=1)
def _model() -> LanguageModel:
    path = model_path(LANGUAGE_MODEL)
    from pocketsphinx import NGramModel

    return cast(LanguageModel, NGramModel.readfile(str(path)))
