"""The words of a text sought in the sound, to back up the recogniser (issue 6, point 5).

A recogniser writes the likeliest words, and a child's voice or an accent makes others likelier than those that were
said. The listener asks the other way round: of each word of the text, how probable is it that it was read correctly
here? Where the two disagree the label says `uncertain`, knows both opinions, and counts as the better founded one:

recogniser: misread or left out, acoustics: read      counts as read
recogniser: read, acoustics: not read                 counts as read
anything in between                                   as the recogniser says, and is not uncertain

So the acoustics never take a word away from a reader: calling a right word wrong is the worse error. What was heard
where the acoustics hear a word of the text is that word, and no addition. docs/alignment.md has the rules,
docs/measurements.md ("Words read correctly") what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Protocol

from vivavoce.timeline import Segment, Word
from vivavoce.transcript.alignment import Alignment, Label, Opinions, count_labels
from vivavoce.transcript.words import is_filled_pause


class Listened(Protocol):
    """What this module needs to know of a written word of the text that was looked for in the sound.

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
    """From when the acoustics are believed (chosen and measured: docs/measurements.md, "Words read correctly").

    `read`: probability from which a word counts as read that the recogniser does not have. `unread`: probability up to
    which a word that it has is listed. `phone_ms`: mean length of a word's sounds under which it was squeezed into a
    place where it was not said. `in_speech`: share of its time that is speech. `of_run`: share of the words of a run of
    omissions that must have been read for any of them to count, so that a skipped line stays skipped. `overlap`: share
    of what was heard beyond the text that lies in words of the text which were read there, for it to be no addition.
    """

    read: float = 0.5
    unread: float = 0.05
    phone_ms: float = 40
    in_speech: float = 0.5
    of_run: float = 2 / 3
    overlap: float = 0.5


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class _Found:
    """A token of the text as the acoustics have it: probability, time, and whether it has room and speech there."""

    probability: float
    start_ms: int
    end_ms: int
    plausible: bool


def reread(
    alignment: Alignment,
    listened: Sequence[Listened],
    words: Sequence[Word],
    speech: Sequence[Segment],
    limits: Limits = LIMITS,
) -> Alignment:
    """Return the alignment with the acoustics' opinion: labels `uncertain` where the two disagree, and their counts.

    Parameters: `listened` one entry a written word of the text, repetitions and all; `words` the recognised words that
    the alignment points into, with times; `speech` where there is speech.
    Returns: an Alignment of as many reference words, that lists the labels in the same order; an insertion that is no
    addition is part of the label whose word was read there. Raises ValueError where `listened` is not of this text.
    Source: issue 6, point 5; L3-L5.
    """
    labels = list(alignment.labels)
    found = _by_label(labels, listened, speech, limits)
    read = [one is not None and one.plausible and one.probability >= limits.read for one in found]
    rescued = _rescued(labels, read, limits)
    for place, (label, one) in enumerate(zip(labels, found, strict=True)):
        doubted = label.label == "matched" and one is not None and one.probability <= limits.unread
        if one is not None and (rescued[place] or doubted):
            opinions = Opinions(label.label, one.probability, one.start_ms, one.end_ms, "matched")
            labels[place] = replace(label, label="uncertain", opinions=opinions)
    return count_labels(_reached(_absorbed(labels, found, rescued, words, limits)))


def _by_label(
    labels: Sequence[Label], listened: Sequence[Listened], speech: Sequence[Segment], limits: Limits
) -> list[_Found | None]:
    """What the acoustics say of each label's token; a token of several written words is read where all of them are."""
    tokens = [label for label in labels if label.reference is not None]
    repetitions = 1 + max((label.repetition or 0 for label in tokens), default=0)
    written = len(listened) // repetitions
    last = max((label.reference.word_indices[-1] for label in tokens if label.reference is not None), default=-1)
    if len(listened) % repetitions or last >= written:
        raise ValueError(f"{len(listened)} words listened for, of a text of {last + 1} words said {repetitions} times")
    found: list[_Found | None] = []
    for label in labels:
        indices = () if label.reference is None else label.reference.word_indices
        offset = (label.repetition or 0) * written
        found.append(_joined([listened[offset + index] for index in indices], speech, limits))
    return found


def _joined(parts: Sequence[Listened], speech: Sequence[Segment], limits: Limits) -> _Found | None:
    chances = [part.read_correctly for part in parts if part.read_correctly is not None]
    starts = [part.start_ms for part in parts if part.start_ms is not None]
    ends = [part.end_ms for part in parts if part.end_ms is not None]
    if not parts or min(len(chances), len(starts), len(ends)) < len(parts):
        return None
    length = sum(end - start for start, end in zip(starts, ends, strict=True))
    spoken = sum(_shared(start, end, speech) for start, end in zip(starts, ends, strict=True))
    roomy = length >= limits.phone_ms * sum(len(part.phones) for part in parts)
    return _Found(min(chances), min(starts), max(ends), length > 0 and roomy and spoken >= limits.in_speech * length)


def _shared(start_ms: int, end_ms: int, others: Sequence[Segment]) -> int:
    """Milliseconds of a stretch that lie in others, which do not overlap."""
    return sum(max(0, min(end_ms, other.end_ms) - max(start_ms, other.start_ms)) for other in others)


def _rescued(labels: Sequence[Label], read: Sequence[bool], limits: Limits) -> list[bool]:
    """Which labels count as read though the recogniser does not have them."""
    rescued = [label.label == "substitution" and good for label, good in zip(labels, read, strict=True)]
    for name, members in groupby(range(len(labels)), lambda place: labels[place].label):
        run = list(members)
        if name == "internal_omission":
            ends = [len(run)]
        elif name == "trailing_omission":
            # Where the reader stopped is not known: what lies behind the last word read says nothing of those before.
            ends = [index for index in range(len(run), 0, -1) if read[run[index - 1]]]
        else:
            continue
        for place in run[: next((end for end in ends if _mostly(read, run[:end], limits)), 0)]:
            rescued[place] = read[place]
    return rescued


def _mostly(read: Sequence[bool], places: Sequence[int], limits: Limits) -> bool:
    return sum(read[place] for place in places) >= limits.of_run * len(places)


def _absorbed(
    labels: Sequence[Label],
    found: Sequence[_Found | None],
    rescued: Sequence[bool],
    words: Sequence[Word],
    limits: Limits,
) -> list[Label]:
    """The labels, insertions that were heard where a rescued word beside them was read made part of its label."""
    kept = dict(enumerate(labels))
    spans: dict[int, Segment] = {}
    for place, one in enumerate(found):
        if rescued[place] and one is not None:
            span = Segment(one.start_ms, one.end_ms)
            # Where the word heard for it lies elsewhere, it may be the one that was added.
            if not labels[place].hypothesis or _inside(labels[place], words, [span], limits):
                spans[place] = span
    for added, members in groupby(range(len(labels)), lambda place: labels[place].label == "insertion"):
        gap = list(members)
        for owner, outward in ((gap[0] - 1, gap), (gap[-1] + 1, gap[::-1])) if added else ():
            beside = {at: spans[at] for at in (gap[0] - 1, gap[-1] + 1) if at in spans}
            for place in outward:
                # What stands behind a word that was added is not the owner's.
                if place not in kept or not _is_part(labels[place], owner, beside, words, limits):
                    break
                kept[owner] = _with_heard(kept[owner], kept.pop(place))
    return [kept[place] for place in sorted(kept)]


def _is_part(label: Label, owner: int, spans: Mapping[int, Segment], words: Sequence[Word], limits: Limits) -> bool:
    """Whether an insertion was heard where the words beside it were read, and more in the owner's than in the other."""
    if owner not in spans or any(is_filled_pause(token.key) for token in label.hypothesis):
        return False
    shares = {at: _shared(*_heard_at(label, words), [span]) for at, span in spans.items()}
    return _inside(label, words, [*spans.values()], limits) and shares[owner] == max(shares.values())


def _heard_at(label: Label, words: Sequence[Word]) -> tuple[int, int]:
    first, last = label.first_heard or 0, label.last_heard or 0
    return words[first].start_ms, words[last].end_ms


def _inside(label: Label, words: Sequence[Word], spans: Sequence[Segment], limits: Limits) -> bool:
    """Whether what was heard lies, for a large enough part, in some stretches."""
    start_ms, end_ms = _heard_at(label, words)
    return _shared(start_ms, end_ms, spans) >= limits.overlap * (end_ms - start_ms)


def _with_heard(owner: Label, heard: Label) -> Label:
    """The label, the tokens heard before or after it part of what was heard for its word."""
    before, after = sorted((owner, heard), key=lambda label: label.hypothesis_positions)
    return replace(
        owner,
        hypothesis=before.hypothesis + after.hypothesis,
        hypothesis_positions=before.hypothesis_positions + after.hypothesis_positions,
    )


def _reached(labels: Sequence[Label]) -> list[Label]:
    """The labels, omissions before the last word that was reached made internal (L4)."""
    reached = max(
        (place for place, label in enumerate(labels) if label.counted in ("matched", "substitution")), default=-1
    )
    return [
        replace(label, label="internal_omission") if label.label == "trailing_omission" and place < reached else label
        for place, label in enumerate(labels)
    ]
