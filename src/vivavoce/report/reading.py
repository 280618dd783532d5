"""The labelled words of a reading: what differs, and the reference text laid out again with its own lines.

The alignment knows tokens; the reference knows how they were written. `lines` walks both together, so that the text is
shown with its punctuation and line breaks, and each token with its label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from vivavoce.report.moments import SLIPS, Span, heard_words, label_times
from vivavoce.report.view import Report, number

COUNTS = {
    "reference_words": "Words in the text",
    "matched": "Read correctly",
    "substitutions": "Misread",
    "internal_omissions": "Left out",
    "trailing_omissions": "Not reached",
    "insertions": "Added",
}
TITLES = {
    "substitution": "Misread",
    "internal_omission": "Left out",
    "insertion": "Added",
    "trailing_omission": "Not reached",
    "uncertain": "Uncertain",
    "counted": "Counted as read correctly",
}
# The kinds that carry a remark above the word.
REMARKED = frozenset({"substitution", "internal_omission", "insertion", "uncertain"})
# How a word can match that was not heard letter for letter.
HOWS = {
    "number": "any number counts for any number",
    "spelling": "another spelling",
    "abbreviation": "an abbreviation and its reading",
    "homophone": "sounds the same",
    "compound": "written together or apart",
    "year": "a year, read in pairs",
    "accepted": "accepted for this task",
}
_APOSTROPHES = "['’‘ʼ`´]"
# How far a token is searched for in the reference before it is shown as the alignment has it, in characters.
_REACH = 60


@dataclass(frozen=True, slots=True)
class Difference:
    """A token that differs: as in the text, as heard, where it stands (from 1), and a note."""

    text: str
    said: str
    position: int
    note: str = ""

    @property
    def place(self) -> str:
        """Where it stands: in the text, or, where the text does not have it, in what was heard."""
        return f"word {self.position}" if self.text else f"heard as word {self.position}"


@dataclass(slots=True)
class Piece:
    """A token as it is shown: `kind` a key of TITLES or "matched"; what stands around it; what was said instead.

    `tight`: no space stands before it in the text ("self-substantial"). `time`: when it was said, None where it was
    not, or where that is not known.
    """

    kind: str
    text: str
    said: str = ""
    note: str = ""
    before: str = ""
    after: str = ""
    tight: bool = False
    time: Span | None = None


@dataclass(slots=True)
class Line:
    """A line of the text: its pieces, and whether a stanza or paragraph begins with it."""

    pieces: list[Piece] = field(default_factory=list)
    opens: bool = False

    @property
    def marked(self) -> bool:
        """Whether a word of it carries a remark above it, which needs room."""
        return any(piece.kind in REMARKED for piece in self.pieces)


def kind_of(label: Report) -> str:
    """Return the kind of a label; a match that was not letter for letter, and says so, is "counted"."""
    kind = str(label["label"])
    return "counted" if kind == "matched" and (label["how"] in HOWS or label["note"]) else kind


def _text(label: Report, side: str) -> str:
    token = label[side]
    return "" if token is None else str(token["text"])


def _note(label: Report) -> str:
    if label.get("opinions"):
        return "; ".join(filter(None, (_opinions(label["opinions"]), label["note"])))
    if label["note"]:
        return str(label["note"])
    return HOWS.get(label["how"] or "", "") if label["label"] == "matched" else ""


def _opinions(opinions: Report) -> str:
    """Both opinions of a word, when it was said, and what was counted."""
    recogniser, counted = (TITLES.get(opinions[name], "Read correctly").lower() for name in ("recogniser", "counted"))
    return (
        f"recogniser: {recogniser}; acoustics: read correctly with a probability of "
        f"{number(opinions['read_correctly'])}, from {number(opinions['start_s'])} to {number(opinions['end_s'])} s; "
        f"counted as {counted}"
    )


def differences(report: Report) -> dict[str, list[Difference]]:
    """Return the tokens that differ, by title, each with its place in the text (an addition: in what was said)."""
    found: dict[str, list[Difference]] = {title: [] for title in TITLES.values()}
    alignment = report["alignment"]
    for label in alignment["labels"] if alignment is not None else ():
        title = TITLES.get(kind_of(label))
        if title is None:
            continue
        position = (label["reference"] or label["hypothesis"])["position"] + 1
        found[title].append(Difference(_text(label, "reference"), _text(label, "hypothesis"), position, _note(label)))
    return {title: items for title, items in found.items() if items}


def lines(report: Report) -> list[Line]:
    """Return the reference text, line by line, with every token labelled; additions stand where they were said."""
    alignment, reference = report["alignment"], report["task"]["reference"] or ""
    laid = [Line()]
    walker = _Walker(reference)
    labels = alignment["labels"] if alignment is not None else ()
    for label, time in zip(labels, label_times(report), strict=True):
        kind, said = kind_of(label), _text(label, "hypothesis")
        if label["reference"] is None:
            laid[-1].pieces.append(Piece(kind, "", said, _note(label), time=time))
            continue
        piece = Piece(kind, _text(label, "reference"), said, _note(label), time=time)
        between = walker.take(piece)
        if between is not None:
            _lay(laid, between, piece)
        elif kind in ("matched", "counted", "trailing_omission"):
            # A token that is written once with another ("$20.50" is read as four): the text has it already.
            continue
        laid[-1].pieces.append(piece)
    _close(laid, walker.rest())
    return [line for line in laid if line.pieces]


def _lay(laid: list[Line], between: str, piece: Piece) -> None:
    """Put what stands before a piece: signs to the tokens beside them, a line end as a new line."""
    head, *tail = between.split("\n")
    _close(laid, head)
    if tail:
        laid.extend(Line([Piece("matched", part.strip())]) for part in tail[:-1] if part.strip())
        laid.append(Line(opens=any(not part.strip() for part in tail[:-1])))
        piece.before = tail[-1].lstrip() + piece.before


def _close(laid: list[Line], signs: str) -> None:
    """Give closing signs to the last token of the text on this line, additions looked past."""
    last = next((piece for piece in reversed(laid[-1].pieces) if piece.text), None)
    if last is not None:
        last.after += signs.rstrip()


class _Walker:
    """Finds each token in the reference, in order; a reference read several times is walked several times."""

    def __init__(self, reference: str) -> None:
        self._reference = reference.replace("\r\n", "\n")
        self._at = 0

    def take(self, piece: Piece) -> str | None:
        """Move past the piece's token, give it the spelling of the text, and return what stands before it.

        None where the text does not have the token; nothing is moved then.
        """
        if not re.search(r"\w", self._reference[self._at :]) and re.search(r"\w", self._reference):
            closing, self._at = self._reference[self._at :], 0
            found = self._find(piece.text)
            between = f"{closing.strip()}\n\n" + ("" if found is None else self._reference[: found.start()])
        else:
            found = self._find(piece.text)
            between = "" if found is None else self._reference[self._at : found.start()]
        if found is None:
            return None
        piece.tight = self._at > 0 and not re.search(r"\s", between)
        if not piece.tight:
            between, piece.before = _opening(between)
        piece.text = found.group()
        self._at = found.end()
        return between

    def rest(self) -> str:
        """Return the signs that close the text."""
        return re.split(r"\w", self._reference[self._at :], maxsplit=1)[0]

    def _find(self, token: str) -> re.Match[str] | None:
        parts = [re.escape(part).replace("'", _APOSTROPHES) for part in re.split(r"[\s-]+", token) if part]
        if not parts:
            return None
        pattern = re.compile(r"[\W_]+".join(parts), re.IGNORECASE)
        return pattern.search(self._reference, self._at, self._at + len(token) + _REACH)


def _opening(between: str) -> tuple[str, str]:
    """Split what stands between two tokens: what closes the first or is empty, and what opens the second."""
    match = re.search(r"(?<!\S)[^\w\s]+\Z", between)
    if match is None:
        return between, ""
    return between[: match.start()], match.group()


@dataclass(frozen=True, slots=True)
class Saying:
    """Words as they were heard, each with its time; `label` what they are where they disrupt the speech, else ""."""

    words: tuple[tuple[str, Span | None], ...]
    kind: str = ""
    label: str = ""


def spoken(report: Report) -> Iterator[str]:
    """Yield the words of the transcript, as heard."""
    for word in heard_words(report):
        yield str(word["text"])


def sayings(report: Report) -> Iterator[Saying]:
    """Yield the words of the transcript as heard, those of one disruption together."""
    words = list(heard_words(report))
    at = 0
    for event in [*report["disfluencies"], None]:
        first = len(words) if event is None else _first(words, at, event["start_s"])
        last = first if event is None else _first(words, first, event["end_s"])
        for word in words[at:first]:
            yield Saying((_said(word),))
        if event is not None and last > first:
            yield Saying(tuple(_said(word) for word in words[first:last]), event["kind"], SLIPS[event["kind"]].lower())
        at = max(at, last)


def _first(words: Sequence[Report], at: int, when: float) -> int:
    """The first word from `at` on that begins at a moment or later."""
    while at < len(words) and words[at]["start_s"] < when:
        at += 1
    return at


def _said(word: Report) -> tuple[str, Span | None]:
    known = word["end_s"] > word["start_s"]
    return str(word["text"]), Span(word["start_s"], word["end_s"]) if known else None
