"""A reading against its reference: every word labelled, and the counts that adherence needs (L3-L5).

The alignment is minimal under substitution 4, insertion 3, omission 3; among equals it has the most matches, and among
those it lies earliest in the reference, so that a student who stopped early gets trailing omissions. `lattice` finds
it, `equality` says what matches; docs/alignment.md explains both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from vivavoce.errors import TranscriptError, need
from vivavoce.strict import refuse
from vivavoce.transcript.equality import Accepted, How, find_matches, how_matched, values_differ
from vivavoce.transcript.words import Token, tokenize

LabelName = Literal["matched", "substitution", "insertion", "trailing_omission", "internal_omission", "uncertain"]
MAX_TOKENS = 20_000
MAX_ALTERNATIVE = 10


@dataclass(frozen=True, slots=True)
class Opinions:
    """The two opinions of a reference token on which recogniser and acoustics disagree, and the label that counts.

    `recogniser`: its own label; `read_correctly`: the probability by the acoustics, 0 to 1, that the token was read
    correctly, between `start_ms` and `end_ms`; `counted`: which label counts.
    """

    recogniser: LabelName
    read_correctly: float
    start_ms: int
    end_ms: int
    counted: LabelName


@dataclass(frozen=True, slots=True)
class Label:
    """What became of one reference token, or one inserted token of the reading.

    `reference_position` counts through the repeated reference, `repetition` the repetition, both from 0; None for an
    insertion. `hypothesis`: the tokens that were heard, with their positions: none for an omission, several where
    a word was read as several; reference words read as one share it. `how`: why they match ("none" where nothing does).
    `opinions`: both, where the label is "uncertain" (`measures/reread.py`).
    """

    label: LabelName
    how: How
    reference: Token | None
    reference_position: int | None
    repetition: int | None
    hypothesis: tuple[Token, ...]
    hypothesis_positions: tuple[int, ...]
    note: str = ""
    opinions: Opinions | None = None

    @property
    def counted(self) -> LabelName:
        """The label that counts: its own, of an uncertain one the better founded."""
        return self.label if self.opinions is None else self.opinions.counted

    @property
    def by_recogniser(self) -> LabelName:
        """The label by the recognised words alone."""
        return self.label if self.opinions is None else self.opinions.recogniser

    @property
    def first_heard(self) -> int | None:
        """Index of the first recognised word that was heard here, None for an omission."""
        return self.hypothesis[0].word_indices[0] if self.hypothesis else None

    @property
    def last_heard(self) -> int | None:
        """Index of the last recognised word that was heard here, None for an omission."""
        return self.hypothesis[-1].word_indices[-1] if self.hypothesis else None

    def as_dict(self) -> dict[str, Any]:
        """Return the label as JSON shows it; of several heard tokens the text is joined, the position the first.

        Only an uncertain one has `opinions`.
        """
        heard = " ".join(token.surface for token in self.hypothesis)
        opinions = {} if self.opinions is None else {"opinions": _opinions_dict(self.opinions)}
        return {
            "label": self.label,
            "how": self.how,
            "reference": self.reference and {"text": self.reference.surface, "position": self.reference_position},
            "hypothesis": {"text": heard, "position": self.hypothesis_positions[0]} if heard else None,
            "note": self.note,
            **opinions,
        }


def _opinions_dict(opinions: Opinions) -> dict[str, Any]:
    return {
        "recogniser": opinions.recogniser,
        "read_correctly": round(opinions.read_correctly, 3),
        "start_s": opinions.start_ms / 1000,
        "end_s": opinions.end_ms / 1000,
        "counted": opinions.counted,
    }


@dataclass(frozen=True, slots=True)
class Alignment:
    """The labels in reading order and their counts, which are those of the reference (all repetitions together).

    matched + substitutions + trailing_omissions + internal_omissions == reference_words; an uncertain label counts as
    its `counted` says.
    """

    labels: tuple[Label, ...]
    reference_words: int
    matched: int
    substitutions: int
    insertions: int
    trailing_omissions: int
    internal_omissions: int

    def counts(self) -> dict[str, int]:
        """Return the six counts by name."""
        return {
            "reference_words": self.reference_words,
            "matched": self.matched,
            "substitutions": self.substitutions,
            "insertions": self.insertions,
            "trailing_omissions": self.trailing_omissions,
            "internal_omissions": self.internal_omissions,
        }

    def as_dict(self) -> dict[str, Any]:
        """Return the counts and the labels as `vivavoce align` and the report show them."""
        return {**self.counts(), "labels": [label.as_dict() for label in self.labels]}

    def boundaries(self) -> frozenset[int]:
        """Return the recognised words after which the reference ends a phrase (M3, closed tasks).

        A word read for a reference word has its boundary. Where words of the reference were left out or others put in
        before the next reference word heard, a boundary anywhere on the way counts for each gap on the way.
        """
        found: set[int] = set()
        waiting: list[int] = []
        boundary = False
        for label in self.labels:
            if label.reference is not None and label.hypothesis and label.last_heard not in waiting:
                found.update(waiting if boundary else ())
                waiting, boundary = [], False
            if label.last_heard is not None:
                waiting.append(label.last_heard)
            boundary = boundary or (label.reference is not None and label.reference.boundary_after)
        return frozenset(found.union(waiting if boundary else ()))


def align(
    reference: Sequence[Token],
    hypothesis: Sequence[Token],
    *,
    repeat: int = 1,
    accepted: Mapping[str, Sequence[str]] | None = None,
) -> Alignment:
    """Return the minimal alignment of a reading with its reference, said `repeat` times over (L3-L5).

    cost = 4 substitutions + 3 insertions + 3 omissions; then most matches; then earliest in the reference.

    Parameters: `reference`, `hypothesis` tokens of `words.tokenize` and `tokenize_words`; `repeat` 3 for a tongue
    twister; `accepted` alternatives that count as read correctly, by reference word.
    Raises TranscriptError `reference_empty`, `text_too_long` (over 20,000 tokens a side), RequestError
    `accepted_word`, MissingError without NumPy.
    """
    repeated = _checked(reference, hypothesis, repeat)
    alternatives = _alternatives(accepted or {})
    try:
        from vivavoce.transcript.lattice import minimal_path
    except ModuleNotFoundError as error:
        raise need("text", "numpy") from error
    steps = minimal_path(find_matches(repeated, hypothesis, alternatives), len(hypothesis))
    aligned = [step.i for step in steps if step.a and step.b]
    last = max(aligned, default=0)
    labels: list[Label] = []
    for step in steps:
        heard = tuple(range(step.j - step.b, step.j))
        tokens = tuple(hypothesis[position] for position in heard)
        if not step.a:
            labels.append(Label("insertion", "none", None, None, None, tokens, heard))
            continue
        for position in range(step.i - step.a, step.i):
            token = repeated[position]
            name, how, note = _judge(token, tokens, step.how, alternatives, position < last)
            labels.append(Label(name, how, token, position, position // len(reference), tokens, heard, note))
    return count_labels(labels)


def _judge(
    token: Token, heard: Sequence[Token], how: How, accepted: Accepted, inside: bool
) -> tuple[LabelName, How, str]:
    if not heard:
        return ("internal_omission" if inside else "trailing_omission"), "none", ""
    if how == "substitution":
        return "substitution", "none", ""
    if how != "exact":
        return "matched", how, ""
    return "matched", how_matched(token, heard[0], accepted), values_differ(token, heard[0])


def count_labels(labels: Sequence[Label]) -> Alignment:
    """Return labels, one a token in reading order, with their counts."""
    counts = Counter(label.counted for label in labels)
    return Alignment(
        tuple(labels),
        reference_words=len(labels) - counts["insertion"],
        matched=counts["matched"],
        substitutions=counts["substitution"],
        insertions=counts["insertion"],
        trailing_omissions=counts["trailing_omission"],
        internal_omissions=counts["internal_omission"],
    )


def _checked(reference: Sequence[Token], hypothesis: Sequence[Token], repeat: int) -> Sequence[Token]:
    if repeat < 1:
        raise ValueError(f"repeat is {repeat}, it must be 1 or more")
    if not reference:
        raise TranscriptError(
            "reference_empty",
            where="reference",
            found="no words",
            allowed="a text with words in it",
            remedy="give the text that was to be read",
        )
    for where, count in (("reference", len(reference) * repeat), ("transcript", len(hypothesis))):
        if count > MAX_TOKENS:
            raise TranscriptError(
                "text_too_long",
                where=where,
                found=f"{count} words",
                allowed=f"at most {MAX_TOKENS} words (the reference with its repetitions)",
                remedy="split the text and the recording",
            )
    return tuple(reference) * repeat


def _alternatives(accepted: Mapping[str, Sequence[str]]) -> Accepted:
    """Return the alternatives by token key. A reference word here is one token; an alternative may be several."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for word, others in accepted.items():
        place, keys = f"/accepted/{word}", tokenize(word)
        if len(keys) != 1:
            raise refuse("accepted_word", place, f"{len(keys)} words", "one word of the reference")
        for number, other in enumerate(others):
            tokens = tuple(token.key for token in tokenize(other))
            if not 1 <= len(tokens) <= MAX_ALTERNATIVE:
                allowed = f"1 to {MAX_ALTERNATIVE} words"
                raise refuse("accepted_word", f"{place}/{number}", f"{len(tokens)} words", allowed)
            found.setdefault(keys[0].key, []).append(tokens)
    return found
