"""What is taken for what was said: the listener scores how it sounds, so it has to know the words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vivavoce.listening.result import TextSource
from vivavoce.timeline import Transcript, Word
from vivavoce.transcript.alignment import Alignment, Label
from vivavoce.transcript.words import tokenize, tokenize_words, written

SKIPPED = 3
"""So many words of a text in a row that were not heard count as not said: a skipped line (chosen). Fewer may have been
said and not been heard."""


@dataclass(frozen=True, slots=True)
class SpokenText:
    """The words to listen for, one entry a written word.

    `said`: the transcript's words that stand for each, "" where none does; `ends`: whether a phrase ends after it;
    `hints`: about when it was said, as the recogniser heard it (None: not known); `confidence`: the recogniser's, in
    open speech.
    """

    words: tuple[str, ...]
    source: TextSource
    said: tuple[str, ...]
    ends: tuple[bool, ...]
    hints: tuple[Word, ...] | None = None
    confidence: tuple[float | None, ...] | None = None


def whole_text(text: str, repetitions: int = 1) -> SpokenText:
    """Return the whole of a text, as often as it was to be said, whatever was heard of it (words as `sought` has)."""
    parts = [(part, token.boundary_after) for token in tokenize(text) for part in written(token)] * repetitions
    words = tuple(part for part, _ in parts)
    return SpokenText(words, "reference", ("",) * len(words), tuple(end for _, end in parts))


@dataclass(frozen=True, slots=True)
class _Entry:
    text: str
    ends: bool
    heard: tuple[int, ...]


def spoken_text(words: Sequence[Word], alignment: Alignment | None, transcript: Transcript) -> SpokenText:
    """Return what is taken for what was said.

    Parameters: `words` the recognised words with their times; `alignment` of a reading with its text, None for open
    speech; `transcript` says where the words come from. A reading is its text: a word that was heard as another may
    have been said badly or heard badly, so the text's word is looked for. Words that the text does not have are kept
    where all around them was read as written: elsewhere they may be a word of the text, heard wrongly. Left out is
    what was not reached, and a skipped line (SKIPPED). Open speech is its transcript, a person's text only where it is
    verbatim.
    """
    if alignment is None:
        given = transcript.recognizer == "file" and transcript.verbatim is True
        ends = {
            token.word_indices[-1] for token in tokenize_words([word.text for word in words]) if token.boundary_after
        }
        return SpokenText(
            tuple(word.text for word in words),
            "reference" if given else "recogniser",
            tuple(word.text for word in words),
            tuple(index in ends for index in range(len(words))),
            tuple(words),
            tuple(word.confidence for word in words),
        )
    entries = list(_entries(alignment.labels))
    return SpokenText(
        tuple(entry.text for entry in entries),
        "reference",
        tuple(" ".join(words[index].text for index in entry.heard) for entry in entries),
        tuple(entry.ends for entry in entries),
        _hints(entries, words),
    )


def _entries(labels: Sequence[Label]) -> Iterator[_Entry]:
    """The words of a reading in order, those that count as not said left out."""
    skipped = _skipped(labels)
    for place, label in enumerate(labels):
        heard = tuple(dict.fromkeys(index for token in label.hypothesis for index in token.word_indices))
        if label.reference is None:
            if _between_matches(labels, place):
                for token in label.hypothesis:
                    yield from (_Entry(part, False, token.word_indices) for part in written(token))
        elif heard or label.counted == "matched" or (label.label == "internal_omission" and place not in skipped):
            ends = label.reference.boundary_after
            yield from (_Entry(part, ends, heard) for part in written(label.reference))


def _skipped(labels: Sequence[Label]) -> frozenset[int]:
    """The places of omitted words that stand in a row of SKIPPED or more; words put in do not break a row."""
    found: set[int] = set()
    row: list[int] = []
    for place, label in enumerate(labels):
        if label.label == "internal_omission":
            row.append(place)
        elif label.reference is not None:
            found.update(row if len(row) >= SKIPPED else ())
            row = []
    return frozenset(found)


def _between_matches(labels: Sequence[Label], place: int) -> bool:
    """Whether the nearest words of the text before and after an insertion were heard as written, or there are none.

    Beside a word that only the acoustics found, what was put in may be that word, heard wrongly.
    """
    before = next((label for label in reversed(labels[:place]) if label.reference is not None), None)
    after = next((label for label in labels[place + 1 :] if label.reference is not None), None)
    return all(label is None or label.label in ("matched", "trailing_omission") for label in (before, after))


def _hints(entries: Sequence[_Entry], words: Sequence[Word]) -> tuple[Word, ...]:
    """About when each was said; a word that was not heard lies between its neighbours."""
    made: list[Word] = []
    last = 0
    for place, entry in enumerate(entries):
        if entry.heard:
            start, end = words[entry.heard[0]].start_ms, words[entry.heard[-1]].end_ms
        else:
            following = next((other.heard[0] for other in entries[place + 1 :] if other.heard), None)
            start, end = last, max(last, last if following is None else words[following].start_ms)
        made.append(Word(entry.text, start, end))
        last = end
    return tuple(made)
