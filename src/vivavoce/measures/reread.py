"""The words of a text sought in the sound, to back up the recogniser (issue 6, point 5).

A recogniser writes the likeliest words, and a child's voice or an accent makes others likelier than those that were
said. The listener asks the other way round: of each word of the text, how probable is it that it was read correctly
here? Where the two disagree the label says `uncertain`, knows both opinions, and counts as the better founded one:

recogniser: misread or left out, acoustics: read      counts as read; the surer the recogniser, the surer they must be
recogniser: read, acoustics: not read                 counts as read
anything in between                                   as the recogniser says, and is not uncertain

So the acoustics never take a word away from a reader: calling a right word wrong is the worse error. What was heard
where the acoustics hear a word of the text is that word, and no addition. docs/alignment.md has the rules,
docs/evidence/words-read.md what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Protocol

from vivavoce.measures.additions import shared, without_false_additions
from vivavoce.timeline import Segment, Word
from vivavoce.transcript.alignment import Alignment, Label, Opinions, count_labels
from vivavoce.transcript.words import tokenize, written


class Listened(Protocol):
    """What this module needs to know of a word of `sought` that was looked for in the sound.

    `read_correctly`: probability, 0 to 1, that it was read correctly; None, as its times, where it was not found.
    """

    @property
    def start_ms(self) -> int | None: ...
    @property
    def end_ms(self) -> int | None: ...
    @property
    def read_correctly(self) -> float | None: ...
    @property
    def phones(self) -> Sequence[object]: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """From when the acoustics are believed (chosen and measured: docs/evidence/words-read.md).

    `read`: probability from which a word counts as read that the recogniser heard as another without being sure.
    `read_against`: the same where it was sure (`confident`, its probability, or none is known) or heard nothing.
    `unread`: probability up to which a word that it has is listed. `phone_ms`: mean length of a word's sounds under
    which it was squeezed into a place where it was not said. `in_speech`: share of its time that is speech. `of_run`:
    share of the words of a run of omissions that must have been read for any of them to count, so that a skipped line
    stays skipped. `overlap`: share of what was heard beyond the text that lies in words of the text which were read
    there, for it to be no addition.
    """

    read: float = 0.4
    read_against: float = 0.7
    confident: float = 0.7
    unread: float = 0.05
    phone_ms: float = 40
    in_speech: float = 0.5
    of_run: float = 2 / 3
    overlap: float = 0.5


LIMITS = Limits()


def sought(text: str, repetitions: int = 1) -> tuple[str, ...]:
    """Return the words to listen for, in order: the text said so often, without punctuation, signs as they are said."""
    return tuple(part for token in tokenize(text) for part in written(token)) * repetitions


def reread(
    alignment: Alignment,
    listened: Sequence[Listened],
    words: Sequence[Word],
    speech: Sequence[Segment],
    limits: Limits = LIMITS,
) -> Alignment:
    """Return the alignment with the acoustics' opinion: labels `uncertain` where the two disagree, and their counts.

    Parameters: `listened` one entry a word of `sought`; `words` the recognised words that the alignment points into,
    with times; `speech` where there is speech.
    Returns: an Alignment of as many reference words, that lists the labels in the same order; an insertion that is no
    addition is part of the label whose word was read there. Raises ValueError where `listened` is not of this text.
    Source: issue 6, point 5; L3-L5.
    """
    labels = list(alignment.labels)
    found = _by_label(labels, listened, speech, limits)
    read = {
        place: opinions
        for place, (opinions, plausible) in enumerate(found)
        if opinions is not None and plausible and opinions.read_correctly >= _needed(labels[place], words, limits)
    }
    rescued = _rescued(labels, read, limits)
    for place, (opinions, _) in enumerate(found):
        doubted = opinions is not None and opinions.read_correctly <= limits.unread
        if place in rescued or (doubted and labels[place].label == "matched"):
            labels[place] = replace(labels[place], label="uncertain", opinions=opinions)
    return count_labels(_reached(without_false_additions(labels, read, words, speech, limits.overlap)))


def _needed(label: Label, words: Sequence[Word], limits: Limits) -> float:
    """The probability from which a word counts as read, by what the recogniser has in its place."""
    if label.label == "matched":
        return limits.read
    heard = [words[index].confidence for token in label.hypothesis for index in token.word_indices]
    doubted = [one for one in heard if one is not None and one < limits.confident]
    return limits.read if doubted else limits.read_against


def _by_label(
    labels: Sequence[Label], listened: Sequence[Listened], speech: Sequence[Segment], limits: Limits
) -> list[tuple[Opinions | None, bool]]:
    """What the acoustics say of each label's token, and whether it has room and speech where it was found.

    A token of several words is read where all of them are.
    """
    counts = [0 if label.reference is None else len(written(label.reference)) for label in labels]
    if sum(counts) != len(listened):
        raise ValueError(f"{len(listened)} words listened for, of a text of {sum(counts)}")
    found: list[tuple[Opinions | None, bool]] = []
    begin = 0
    for label, count in zip(labels, counts, strict=True):
        parts = listened[begin : begin + count]
        found.append((_opinions(label, parts), _plausible(parts, speech, limits)))
        begin += count
    return found


def _opinions(label: Label, parts: Sequence[Listened]) -> Opinions | None:
    chances = [part.read_correctly for part in parts if part.read_correctly is not None]
    spans = _spans(parts)
    if not parts or min(len(chances), len(spans)) < len(parts):
        return None
    start_ms, end_ms = min(span.start_ms for span in spans), max(span.end_ms for span in spans)
    return Opinions(label.label, min(chances), start_ms, end_ms, "matched")


def _spans(parts: Sequence[Listened]) -> list[Segment]:
    pairs = [(part.start_ms, part.end_ms) for part in parts]
    return [Segment(start, end) for start, end in pairs if start is not None and end is not None]


def _plausible(parts: Sequence[Listened], speech: Sequence[Segment], limits: Limits) -> bool:
    """Whether words have room for their sounds where they were found, and speech."""
    spans = _spans(parts)
    length = sum(span.length_ms for span in spans)
    spoken = sum(shared(span, speech) for span in spans)
    roomy = length >= limits.phone_ms * sum(len(part.phones) for part in parts)
    return roomy and spoken > 0 and spoken >= limits.in_speech * length


def _rescued(labels: Sequence[Label], read: Mapping[int, Opinions], limits: Limits) -> set[int]:
    """The labels that count as read though the recogniser does not have them."""
    rescued = {place for place, label in enumerate(labels) if label.label == "substitution" and place in read}
    for name, members in groupby(range(len(labels)), lambda place: labels[place].label):
        run = list(members)
        if name == "internal_omission":
            ends = [len(run)]
        elif name == "trailing_omission":
            # Where the reader stopped is not known: what lies behind the last word read says nothing of those before.
            ends = [index for index in range(len(run), 0, -1) if run[index - 1] in read]
        else:
            continue
        full = (end for end in ends if len(read.keys() & run[:end]) >= limits.of_run * end)
        rescued |= read.keys() & run[: next(full, 0)]
    return rescued


def _reached(labels: Sequence[Label]) -> list[Label]:
    """The labels, omissions before the last word that was reached made internal (L4)."""
    reached = max(
        (place for place, label in enumerate(labels) if label.counted in ("matched", "substitution")), default=-1
    )
    return [
        replace(label, label="internal_omission") if label.label == "trailing_omission" and place < reached else label
        for place, label in enumerate(labels)
    ]
