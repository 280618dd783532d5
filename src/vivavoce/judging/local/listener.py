"""Listen once a recording, when the first marker asks for it; what stands in the way is a named state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vivavoce.errors import MissingError
from vivavoce.judging.local.text import SpokenText
from vivavoce.listening.result import Listening
from vivavoce.notice import Notice

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

Listen = Callable[["Samples", SpokenText], Listening]
MISSING = "local_judge_missing"


@dataclass(frozen=True, slots=True)
class Listener:
    """Listens with the installed model.

    Parameters: `weights` a folder of recogniser weights (None: where the recogniser finds its own); `on_listen` is
    called before it begins. Raises MissingError where packages or weights are missing.
    """

    weights: Path | None = None
    on_listen: Callable[[], None] | None = None

    def __call__(self, samples: Samples, spoken: SpokenText) -> Listening:
        """Return what the listener makes of 16 kHz samples and the words that were said in them."""
        from vivavoce.transcript.weights import find_weights

        listen = installed()
        weights = find_weights(self.weights)
        if self.on_listen is not None:
            self.on_listen()
        return listen(
            samples,
            spoken.words,
            text=spoken.source,
            ends=spoken.ends,
            hints=spoken.hints,
            confidence=spoken.confidence,
            weights=weights,
        )


class Ears:
    """One recording to listen to: `hear` listens at the first call, and gives the same at every other.

    Parameters: `listen` the listener; `samples` mono at 16 kHz; `spoken` what is taken for what was said; `language`
    of the words, None where it is not known.
    """

    def __init__(self, listen: Listen, samples: Samples, spoken: SpokenText, language: str | None = None) -> None:
        self.spoken = spoken
        self._listen = listen
        self._samples = samples
        self._language = language
        self._heard: Listening | Notice | None = None

    def hear(self) -> Listening | Notice:
        """Return what the listener says of the recording, or why it cannot listen."""
        if self._heard is None:
            self._heard = self._hear()
        return self._heard

    def _hear(self) -> Listening | Notice:
        if not is_english(self._language):
            return Notice(
                MISSING, f"the local judge hears English only, the words are in {self._language}", "let a person judge"
            )
        if not self.spoken.words:
            return Notice("listening_failed", "no word of the text was heard", "let a person judge")
        try:
            return self._listen(self._samples, self.spoken)
        except MissingError as error:
            return Notice(MISSING, f"the local judge cannot listen: {error.found}", error.remedy)


def is_english(language: str | None) -> bool:
    """Return whether a BCP 47 code is English, or none is known."""
    return language is None or language.lower().split("-")[0] in ("en", "eng")


def about() -> str:
    """Return what the listener is, how far it can be trusted, and what it was trained on."""
    from vivavoce import listening

    card: Callable[[], str] | None = getattr(listening, "about", None)
    if card is None:
        raise _missing()
    return card()


def installed() -> Callable[..., Listening]:
    """Return the installed listener. Raises MissingError where this version has none."""
    from vivavoce import listening

    found: Callable[..., Listening] | None = getattr(listening, "listen", None)
    if found is None:
        raise _missing()
    return found


def _missing() -> MissingError:
    return MissingError(
        MISSING, where="listening", found="no listener", allowed="one", remedy="install a version that has it"
    )
