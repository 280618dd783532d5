"""A second hearing where the first went wrong: in a loop, or with words that the recogniser hardly believes.

The sound is heard again in other ways, always the same ones in the same order. A new hearing is kept only if it does
not loop, fits the sound well (the best of several fits another language better than one does), and
explains more of it than the first did; so what was really said three times stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vivavoce.notice import Notice
from vivavoce.timeline import Word
from vivavoce.transcript.forced import align_words, is_installed
from vivavoce.transcript.invented import belief
from vivavoce.transcript.language import LOOPED_SCORE, POOR_SCORE, Fit, fit_of, mean_score
from vivavoce.transcript.loops import find_loop

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Way = Mapping[str, Any]
Hear = Callable[[Way], Sequence[Word]]

WAYS: tuple[Way, ...] = ({"no_repeat_ngram_size": 3}, {"no_repeat_ngram_size": 3, "beam_size": 1})
"""Options of faster-whisper: no three tokens twice in a window, with a beam of 5, then with none."""
DOUBTED = 0.5
"""A window of less mean confidence is laid on the sound (chosen): 20 % of children's clips."""


FAINT_BELIEF = 0.4
"""What is heard where there is only a trace of voice is believed from here (chosen): whispers 0.45 and 0.87, rooms and
noises that fit up to 0.27."""


@dataclass(frozen=True, slots=True)
class Change:
    """A window that was heard again: the words of both hearings, and whether the first was a loop."""

    before: tuple[Word, ...]
    after: tuple[Word, ...]
    looped: bool


def hear_again(samples_16k: NDArray[np.float32], first: Sequence[Word], hear: Hear) -> Change | None:
    """Return a better hearing of a window whose first one loops or does not fit, None where there is none.

    Parameters: `samples_16k` the window's sound, mono, 16 kHz; `first` its words; `hear` hears it in one of WAYS.
    Without pocketsphinx nothing says which hearing is better, and the first stays. Source: issue 3, point 7.
    """
    looped = find_loop(first) is not None
    believed = belief(first)
    doubted = believed is not None and believed < DOUBTED
    if not (looped or doubted) or not is_installed():
        return None
    fit, explained = _laid(samples_16k, first)
    if not looped and not (fit is None or fit.unfit()):
        return None
    least = LOOPED_SCORE if looped else POOR_SCORE
    for way in WAYS:
        heard = tuple(hear(way))
        if not heard or find_loop(heard):
            continue
        new_fit, new_explained = _laid(samples_16k, heard)
        if new_fit and new_fit.score >= least and not new_fit.poor and new_explained > explained:
            return Change(tuple(first), heard, looped)
    return None


def whispered(samples_16k: NDArray[np.float32], words: Sequence[Word]) -> bool:
    """Return whether words heard without a voice were said: no loop, believed, and they fit the sound.

    mean confidence at least 0.4, mean score a frame at least -3.0 and not poor. Without pocketsphinx False.
    Parameters: `samples_16k` mono, 16 kHz; `words` with times and confidences. Source: docs/evidence/word-times.md.
    """
    if not words or not is_installed() or find_loop(words) or (belief(words) or 0) < FAINT_BELIEF:
        return False
    fit, _ = _laid(samples_16k, words)
    return fit is not None and not fit.poor and fit.score >= LOOPED_SCORE


def _laid(samples_16k: NDArray[np.float32], words: Sequence[Word]) -> tuple[Fit | None, float]:
    """How well words fit the sound, and how well they explain all of it."""
    aligned = align_words(samples_16k, [word.text for word in words])
    return fit_of(aligned), mean_score(aligned)


def again_notice(changes: Sequence[Change]) -> Notice | None:
    """Return the notice that lists what was heard again, None where nothing was."""
    if not changes:
        return None
    first = changes[0]
    reason = "the recogniser was in a loop" if first.looped else "the words did not fit the sound"
    return Notice(
        "heard_again",
        f"heard again {len(changes)} times, first from {first.after[0].start_ms / 1000:.2f} s, since {reason}: "
        f"“{_shown(first.after)}” in place of “{_shown(first.before)}”",
        "listen there; give a transcript if other words were said",
    )


def _shown(words: Sequence[Word]) -> str:
    texts = [word.text for word in words[:8]]
    return " ".join(texts) + (" ..." if len(words) > len(texts) else "")
