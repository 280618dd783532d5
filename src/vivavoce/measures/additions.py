"""What was heard beyond the text: an addition, or a part of a word of the text that was read there (issue 6, point 5).

Where a recogniser mishears, which of its words stands against which word of the text is chance, and it often writes
more words than were said. So they are paired again by time: what was heard while a word of the text was read is part
of that word. Only what lies in no such word is an addition, as is every filled pause.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from vivavoce.timeline import Segment, Word
from vivavoce.transcript.alignment import Label, Opinions
from vivavoce.transcript.words import Token, is_filled_pause

_NO_ADDITION = "what was heard besides lies within it and is no addition"


def without_false_additions(
    labels: Sequence[Label],
    read: Mapping[int, Opinions],
    words: Sequence[Word],
    speech: Sequence[Segment],
    overlap: float,
) -> list[Label]:
    """Return the labels, insertions that were heard where a word of the text was read made part of its label.

    Parameters: `labels` with the words that the acoustics rescued marked uncertain; `read` by the place of its label
    each word of the text that the acoustics found read, with its time; `words` the recognised words with times;
    `speech` where there is speech, for recognisers stretch words over silence; `overlap` the share of a word's speech
    that must lie in words that were read there, for it to be no addition.
    Returns: no more insertions than there were, the same reference words in the same order.
    """
    kept = list(labels)
    settled: dict[int, list[Label]] = {}
    for free, members in groupby(range(len(labels)), lambda place: _is_free(labels[place])):
        run = list(members)
        # Between words that were heard as written nothing is in doubt: what was put in there is an addition.
        if free and len({labels[place].label == "insertion" for place in run}) == 2:
            laid = _settle(kept, run, _heard(kept, run, read, words, speech, overlap), read)
            settled |= {place: [] for place in run} | {run[0]: laid}
    return [label for place, label in enumerate(kept) for label in settled.get(place, [label])]


def _is_free(label: Label) -> bool:
    """Whether what was heard may be paired again: it is not as the text has it, nor clearly misread."""
    return label.counted != "substitution" and label.by_recogniser != "matched"


@dataclass(frozen=True, slots=True)
class _Heard:
    """A token of a run: its label's place, the milliseconds it shares with words read, by place, and if it is apart."""

    token: Token
    position: int
    place: int
    shares: Mapping[int, int]
    apart: bool


def _settle(
    kept: list[Label], run: Sequence[int], heard: Sequence[_Heard], read: Mapping[int, Opinions]
) -> list[Label]:
    """Return a run of labels with what was heard paired again; the words beside the run, in `kept`, may take of it."""
    apart = sorted((one for one in heard if one.apart), key=lambda one: kept[one.place].label != "insertion")
    # What the recogniser has for a word of the text is an addition only in the place of another.
    added = apart[: sum(kept[place].label == "insertion" for place in run)]
    taken: dict[int, list[_Heard]] = {}
    latest = -1
    for one in heard:
        if one not in added:
            # Times are in order, but for a millisecond here or there.
            latest = max(
                latest, max(one.shares, key=lambda at: one.shares[at]) if any(one.shares.values()) else one.place
            )
            taken.setdefault(latest, []).append(one)
    for place in {run[0] - 1, run[-1] + 1}.intersection(taken):
        kept[place] = _with_more(kept[place], taken[place], read[place])
    laid = [_with(kept[place], taken.get(place, [])) for place in run if kept[place].label != "insertion"]
    for one in added:
        label = Label("insertion", "none", None, None, None, (one.token,), (one.position,))
        behind = (at for at, other in enumerate(laid) if other.hypothesis_positions[:1] > (one.position,))
        laid.insert(next(behind, len(laid)), label)
    return laid


def _heard(
    labels: Sequence[Label],
    run: Sequence[int],
    read: Mapping[int, Opinions],
    words: Sequence[Word],
    speech: Sequence[Segment],
    overlap: float,
) -> list[_Heard]:
    def inside(token: Token, owners: Sequence[int]) -> tuple[dict[int, int], bool]:
        start_ms, end_ms = words[token.word_indices[0]].start_ms, words[token.word_indices[-1]].end_ms
        whole = Segment(start_ms, max(end_ms, start_ms + 1))
        shares = {at: shared(whole, [Segment(read[at].start_ms, read[at].end_ms)], speech) for at in owners}
        return shares, sum(shares.values()) >= overlap * max(1, shared(whole, speech))

    # A word beside the run that the recogniser heard elsewhere than the acoustics was said twice.
    beside = [place for place in (run[0] - 1, run[-1] + 1) if place in read]
    owners = [place for place in run if place in read]
    owners += [at for at in beside if all(inside(token, [at])[1] for token in labels[at].hypothesis)]
    heard: list[_Heard] = []
    for place in run:
        for token, position in zip(labels[place].hypothesis, labels[place].hypothesis_positions, strict=True):
            shares, lies_there = inside(token, sorted(owners))
            heard.append(_Heard(token, position, place, shares, is_filled_pause(token.key) or not lies_there))
    return heard


def shared(one: Segment, others: Sequence[Segment], third: Sequence[Segment] | None = None) -> int:
    """Return the milliseconds of a stretch that lie in others, and where given in thirds; none overlap themselves."""
    cut = [Segment(max(one.start_ms, other.start_ms), min(one.end_ms, other.end_ms)) for other in others]
    lengths = (part.length_ms if third is None else shared(part, third) for part in cut if part.length_ms > 0)
    return sum(lengths)


def _with(label: Label, heard: Sequence[_Heard]) -> Label:
    return replace(
        label,
        hypothesis=tuple(one.token for one in heard),
        hypothesis_positions=tuple(one.position for one in heard),
    )


def _with_more(label: Label, heard: Sequence[_Heard], opinions: Opinions) -> Label:
    """A label beside a run with what was heard before or behind it; so recogniser and acoustics disagree on it, too."""
    own = list(zip(label.hypothesis, label.hypothesis_positions, strict=True))
    both = sorted([*own, *((one.token, one.position) for one in heard)], key=lambda pair: pair[1])
    return replace(
        label,
        label="uncertain",
        opinions=opinions,
        hypothesis=tuple(token for token, _ in both),
        hypothesis_positions=tuple(position for _, position in both),
        note="; ".join(dict.fromkeys(filter(None, [*label.note.split("; "), _NO_ADDITION]))),
    )
