"""A text without times made a transcript with them, by forced alignment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vivavoce.errors import TranscriptError
from vivavoce.timeline import Transcript, Word
from vivavoce.transcript.forced import ALIGNER, ForcedAlignment, align_words
from vivavoce.transcript.words import tokenize_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def align_text(samples_16k: NDArray[np.float32], text: str, where: str) -> Transcript:
    """Return the words of a text with the times at which they are said in a recording.

    Parameters: `samples_16k` mono, 16 kHz; `text` what was said, with its punctuation; `where` its name, for errors.
    Returns a Transcript; words that could not be aligned are left out, and its warnings name them.
    Raises TranscriptError `text_empty`, `alignment_failed`; MissingError without pocketsphinx.
    Source: issue 3, points 0 and 6.
    """
    words = words_of(text)
    if not words:
        raise TranscriptError(
            "text_empty",
            where=where,
            found="no words",
            allowed="a text with words in it",
            remedy="give the text that is said in the recording",
        )
    return transcript_of(align_words(samples_16k, words), where)


def words_of(text: str) -> list[str]:
    """Return the words of a text as written; lone punctuation goes to the word before, whose phrase it may end."""
    words: list[str] = []
    for part in text.split():
        if tokenize_words([part]):
            words.append(part)
        elif words:
            words[-1] += part
    return words


def transcript_of(alignment: ForcedAlignment, where: str) -> Transcript:
    """Return the aligned words as a transcript. Raises TranscriptError `alignment_failed` where there are none."""
    words = tuple(
        Word(word.text, word.start_ms, word.end_ms)
        for word in alignment.words
        if word.start_ms is not None and word.end_ms is not None
    )
    if not words:
        reason = next((word.reason for word in alignment.words if word.reason), "no words")
        raise TranscriptError(
            "alignment_failed",
            where=where,
            found=f"no word that could be aligned: {reason}",
            allowed="a text that is said in the recording, in English",
            remedy="check that text and recording belong together, or let the words be heard: vivavoce transcribe",
        )
    return Transcript(words, None, "en", ALIGNER, alignment.notices)
