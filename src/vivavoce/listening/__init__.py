"""The local listener: pronunciation and fluency as experts would score them, heard on one core without a network."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from vivavoce.errors import need
from vivavoce.listening.intervals import COVERAGE
from vivavoce.listening.result import (
    SCALES,
    Estimate,
    HeardPhone,
    HeardWord,
    Listening,
    Part,
    TextSource,
)
from vivavoce.timeline import Word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vivavoce.transcript.weights import Weights

__all__ = [
    "COVERAGE",
    "SCALES",
    "Estimate",
    "HeardPhone",
    "HeardWord",
    "Listening",
    "Part",
    "TextSource",
    "about",
    "is_installed",
    "listen",
    "listener_name",
]

_NEEDED = ("numpy", "pocketsphinx", "faster_whisper")


def listen(
    samples_16k: NDArray[np.float32],
    words: Sequence[str],
    *,
    text: TextSource,
    weights: Weights,
    ends: Sequence[bool] | None = None,
    hints: Sequence[Word] | None = None,
    confidence: Sequence[float | None] | None = None,
) -> Listening:
    """Estimate how experts would score the pronunciation and fluency of some known words.

    The words are aligned with the recording; how well sounds, words and times fit goes through a small network that
    was trained on five experts' scores of 2,180 read sentences (docs/listening.md).

    Parameters: `samples_16k` mono, -1 to 1, 16 kHz; `words` as written; `text` where they are from; `weights` of the
    recogniser; `ends` after which words a phrase ends; `hints` the same words with a recogniser's times, `confidence`
    its probabilities, 0 to 1.
    Returns a Listening, its words in the order of `words`; nothing that is said or not said raises.
    Raises MissingError where a package is not installed; InputError `listener_changed` for other weights of the ear.
    """
    for package in _NEEDED:
        if find_spec(package) is None:
            raise need("recognizer", package)
    from vivavoce.listening.work import listen_to

    return listen_to(samples_16k, words, text, ends, hints, confidence, weights)


def is_installed() -> bool:
    """Return whether all packages that listening needs are installed, without importing them."""
    return all(find_spec(package) is not None for package in _NEEDED)


def listener_name() -> str:
    """Return the listener's version with the digest of its weights, as reports name it."""
    from vivavoce.listening.work import name

    return name()


def about() -> str:
    """Return the model card: data, licence, how it was made, how good it is and for whom, and what it cannot do."""
    from vivavoce.listening.card import card

    return card()
