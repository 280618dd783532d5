"""Listen to a recording, once for each text, when that is first asked for; what stands in the way is a named state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vivavoce.errors import InputError, MissingError
from vivavoce.judging.local.text import SpokenText
from vivavoce.listening import Listening, listen
from vivavoce.notice import Notice
from vivavoce.transcript.language import is_english

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
    on_listen: Callable[[], object] | None = None

    def __call__(self, samples: Samples, spoken: SpokenText) -> Listening:
        """Return what the listener makes of 16 kHz samples and the words that were said in them."""
        from vivavoce.transcript.weights import find_weights

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
    """One recording to listen to: what is asked for a second time is not listened for again.

    Parameters: `listen` the listener; `samples` mono at 16 kHz; `language` of the words, None where it is not known.
    """

    def __init__(self, listen: Listen, samples: Samples, language: str | None = None) -> None:
        self._listen = listen
        self._samples = samples
        self._language = language
        self._heard: dict[tuple[str, tuple[str, ...]], Listening | Notice] = {}

    def hear(self, spoken: SpokenText) -> Listening | Notice:
        """Return what the listener says of the recording with these words, or why it cannot listen."""
        key = (spoken.source, spoken.words)
        if key not in self._heard:
            self._heard[key] = self._hear(spoken)
        return self._heard[key]

    def _hear(self, spoken: SpokenText) -> Listening | Notice:
        if not is_english(self._language):
            return Notice(
                MISSING, f"the local judge hears English only, the words are in {self._language}", "let a person judge"
            )
        if not spoken.words:
            return Notice("listening_failed", "no word of the text was heard", "let a person judge")
        try:
            return self._listen(self._samples, spoken)
        except (MissingError, InputError) as error:
            return Notice(MISSING, f"the local judge cannot listen: {error.found}", error.remedy)
