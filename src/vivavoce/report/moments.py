"""When what was said was said: phrases, fillers and restarts, and each word of a text, in seconds.

A report has times for the words that were heard; a label of the alignment names a token of them. Both are brought
together here, so that a word of the text can be heard.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vivavoce.report import view
from vivavoce.report.view import Report
from vivavoce.transcript.words import Token, tokenize_words

# What a disruption is called, by kind.
SLIPS = {
    "filled_pause": "Filled pause",
    "filler": "Filler",
    "repetition": "Said again",
    "cut_off": "Cut off",
    "false_start": "Begun anew",
}


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that was said: when, in seconds, a short label and a sentence on it."""

    start_s: float
    end_s: float
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Span:
    """From when to when a word was said, in seconds."""

    start_s: float
    end_s: float


def heard_words(report: Report) -> Sequence[Report]:
    """Return the words of the transcript with their times; none where there is no transcript."""
    transcript = report.get("transcript")
    found: Sequence[Report] = transcript["words"] if transcript is not None else ()
    return found


def phrases(report: Report) -> list[Moment]:
    """Return the phrases: stretches of words between phrase pauses and hesitations (a choppy break lies inside one)."""
    ends = iter([pause["start_s"] for pause in report["pauses"] if pause["kind"] != "choppy"])
    following = next(ends, None)
    groups: list[list[Report]] = []
    for word in heard_words(report):
        passed = False
        while following is not None and following < word["start_s"]:
            passed, following = True, next(ends, None)
        if passed or not groups:
            groups.append([])
        groups[-1].append(word)
    found = []
    for count, group in enumerate(groups, 1):
        start, end = group[0]["start_s"], group[-1]["end_s"]
        said = "1 word" if len(group) == 1 else f"{len(group)} words"
        found.append(Moment(start, end, str(count), f"Phrase {count}, {said}, {from_to(start, end)}"))
    return found


def slips(report: Report) -> list[Moment]:
    """Return fillers and restarts: when they were said and what they are."""
    found = []
    for event in report["disfluencies"]:
        words = " ".join(event["words"])
        text = f"{SLIPS[event['kind']]} “{words}”, {from_to(event['start_s'], event['end_s'])}"
        found.append(Moment(event["start_s"], event["end_s"], words, text))
    return found


def from_to(start: float, end: float) -> str:
    """Say from when to when."""
    return f"from {view.number(start)} s to {view.number(end)} s"


def label_times(report: Report) -> list[Span | None]:
    """Return, for each label of the alignment, when it was said; None where nothing of it was heard.

    A label names the first token that was heard and the text of all its tokens. Where the acoustics alone found a
    word, theirs are the times.
    """
    alignment, words = report["alignment"], heard_words(report)
    if alignment is None:
        return []
    tokens = tokenize_words([word["text"] for word in words])
    return [_time(label, tokens, words) for label in alignment["labels"]]


def _time(label: Report, tokens: Sequence[Token], words: Sequence[Report]) -> Span | None:
    opinions, heard = label.get("opinions"), label["hypothesis"]
    if heard is None:
        return None if opinions is None or opinions["end_s"] <= opinions["start_s"] else _span(opinions, opinions)
    first = last = heard["position"]
    text = ""
    # Tokens that the label does not tell of mean a transcript that is not the alignment's: no word is played then.
    while last < len(tokens):
        text = f"{text} {tokens[last].surface}".strip()
        if text == heard["text"]:
            return _span(words[tokens[first].word_indices[0]], words[tokens[last].word_indices[-1]])
        if not heard["text"].startswith(text):
            return None
        last += 1
    return None


def _span(first: Report, last: Report) -> Span | None:
    start, end = first["start_s"], last["end_s"]
    return Span(start, end) if end > start else None
