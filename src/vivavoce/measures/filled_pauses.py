"""Filled pauses that a recogniser drops, kept by hearing the recording a second time with a prompt full of them.

Whisper writes what its prompt is like: after "Um, uh, er ..." it writes the um and uh that it leaves out otherwise. It
also loops more, and writes "er" for words that it does not understand, so the second hearing gives no words: only a
filled pause between two neighbours that both hearings share, heard with some probability, is taken over. Measured
against steady voiced stretches in the sound, which find fewer and raise many false alarms: docs/measurements.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from vivavoce.notice import Notice
from vivavoce.timeline import Transcript, Word
from vivavoce.transcript.words import is_filled_pause, tokenize_words

PROMPT = "Umm, let me think like, hmm... Okay, here's what I'm, like, thinking. Um, uh, er, I, I mean, uh..."
"""Text before the recording that makes Whisper keep filled pauses (faster-whisper: `initial_prompt`)."""

LEAST_CONFIDENCE = 0.1
"""Real ones were heard with 0.23 and more, invented ones between shared neighbours with 0.013 and less (chosen)."""


def with_filled_pauses(heard: Transcript, prompted: Transcript) -> Transcript:
    """Return the transcript with the filled pauses that only the prompted hearing of the same recording has.

    Taken over: a filled pause of `prompted`, confidence at least LEAST_CONFIDENCE, between two words that stand side by
    side in `heard` too (or between its first word and the beginning). It keeps its time, held between its neighbours; a
    word that was stretched over it is cut. All other words stay as they are in `heard`.
    Parameters: both transcripts with times in milliseconds. Returns a transcript that is still not verbatim, with
    the warning `filled_pauses_heard` where any was added. Source: issue 3, item 5; measured in docs/measurements.md.
    """
    plain = [word for word in heard.words if not _filled(word)]
    places = _neighbours(plain, [word for word in prompted.words if not _filled(word)])
    added: dict[int, list[Word]] = {}
    position = 0
    for word in prompted.words:
        if not _filled(word):
            position += 1
        elif (word.confidence is None or word.confidence >= LEAST_CONFIDENCE) and position in places:
            added.setdefault(places[position], []).append(word)
    words, count = _merge(heard.words, added)
    if not count:
        return heard
    return replace(heard, words=words, warnings=(*heard.warnings, _notice(count)))


def _filled(word: Word) -> bool:
    tokens = tokenize_words([word.text])
    return bool(tokens) and all(is_filled_pause(token.key) for token in tokens)


def _keys(words: Sequence[Word]) -> list[str]:
    return [" ".join(token.key for token in tokenize_words([word.text])) for word in words]


def _neighbours(heard: Sequence[Word], prompted: Sequence[Word]) -> dict[int, int]:
    """Return, for each gap before a prompted word whose neighbours both hearings share, the same gap in `heard`."""
    matcher = SequenceMatcher(None, _keys(heard), _keys(prompted), autojunk=False)
    places: dict[int, int] = {}
    for block in matcher.get_matching_blocks():
        first = 0 if block.a == block.b == 0 else 1
        places.update({block.b + step: block.a + step for step in range(first, block.size)})
    return places


def _merge(words: Sequence[Word], added: dict[int, list[Word]]) -> tuple[tuple[Word, ...], int]:
    """Put the filled pauses before the word of that number, unless `words` has some there already."""
    merged: list[Word] = []
    number = count = 0
    for word in words:
        if _filled(word):
            merged.append(word)
            continue
        here = [] if merged and _filled(merged[-1]) else added.get(number, [])
        for pause in here:
            before = merged[-1] if merged else None
            if before is not None and before.end_ms > pause.start_ms:
                # The word before was stretched over it.
                merged[-1] = before = replace(before, end_ms=max(before.start_ms, pause.start_ms))
            start = max(pause.start_ms, before.end_ms if before is not None else 0)
            end = min(max(pause.end_ms, start), max(word.end_ms, start))
            merged.append(replace(pause, start_ms=start, end_ms=end))
            word = replace(word, start_ms=max(word.start_ms, end), end_ms=max(word.end_ms, end))
            count += 1
        merged.append(word)
        number += 1
    return tuple(merged), count


def _notice(count: int) -> Notice:
    return Notice(
        "filled_pauses_heard",
        f"{count} filled pauses were found by hearing the recording a second time",
        "listen to them: the recogniser leaves them out otherwise, and may leave out more",
    )
