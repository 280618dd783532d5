"""The work of `align_words`: pronounce, search, and read times and scores off the path."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from vivavoce.notice import Notice
from vivavoce.timeline import Word
from vivavoce.transcript.forced.found import Found
from vivavoce.transcript.forced.graph import GAP, Graph
from vivavoce.transcript.forced.model import STATES, Floats, Model, load_model
from vivavoce.transcript.forced.near import find
from vivavoce.transcript.forced.pronounce import Phones, Pronunciation, pronounce
from vivavoce.transcript.forced.result import ForcedAlignment, ForcedPhone, ForcedWord
from vivavoce.transcript.forced.search import Limits, limits_of
from vivavoce.transcript.forced.sound import FRAME_MS, Sound, listen

SUSPECT_SCORE = -2.0
"""Under this mean score the words are compared with a decoy: the same phones backwards."""

DECOY_MARGIN = 0.5
"""Words that fit better than their decoy by less than this, a frame, are hardly what was said (chosen): of 154
learners' sentences with an accent 10 % fall under it with their own text, of 132 that are hardly English 48 %
(bench/forced_fit.py)."""

_UNSAID = "nothing in it can be said in English"
_FAILED = "no way through the words was found"
_SILENT = "the recording is silent"
_NOT_REACHED = "the speech is over by then"
_SHOWN = 5
SLACK_MS = 5000
"""How far off a hint may be."""


def align(
    samples: Floats, words: Sequence[str], hints: Sequence[Word] | None, *, judged: bool = True
) -> ForcedAlignment:
    """Return the alignment of known words with a recording; see `align_words`."""
    model = load_model()
    said = [pronounce(word) for word in words]
    places = [index for index, one in enumerate(said) if one.variants]
    if not places or not len(samples):
        why = "there are no words" if not places else "the recording is empty"
        return ForcedAlignment(tuple(_unaligned(w, p, why) for w, p in zip(words, said, strict=True)), None, ())
    sound = listen(np.asarray(samples, np.float32))
    variants = [said[index].variants for index in places]
    near = None if hints is None else _about([hints[index] for index in places])
    graph, found = find(model, variants, sound, near) if sound.heard.any() else (None, None)
    if graph is None or found is None:
        why = _FAILED if sound.heard.any() else _SILENT
        made = [_unaligned(word, one, why) for word, one in zip(words, said, strict=True)]
        return ForcedAlignment(tuple(made), None, (_failed(len(places), len(sound)),))
    score = found.score
    stretches = _stretches(model, graph, found, len(samples) // 16)
    phones: dict[int, list[ForcedPhone]] = {}
    for number, phone in stretches:
        if number != GAP:
            phones.setdefault(places[number], []).append(phone)
    made = [
        _said(word, one, phones[index]) if index in phones else _unaligned(word, one, _NOT_REACHED)
        for index, (word, one) in enumerate(zip(words, said, strict=True))
    ]
    suspect = judged and score < SUSPECT_SCORE
    poor = suspect and float(found.scores.mean()) - _decoy(model, variants, sound) < DECOY_MARGIN
    between = tuple(phone for number, phone in stretches if number == GAP)
    return ForcedAlignment(tuple(made), score, tuple(_notices(made, score if poor else None)), between)


def _decoy(model: Model, words: Sequence[Sequence[Phones]], sound: Sound) -> float:
    """The mean score over all frames of the same phones backwards."""
    backwards = [[phones[::-1] for phones in variants] for variants in reversed(words)]
    _, found = find(model, backwards, sound, None, near=False)
    return -np.inf if found is None else float(found.scores.mean())


def _about(hints: Sequence[Word]) -> Limits:
    """The frames within SLACK_MS of the hints."""
    first = np.array([hint.start_ms - SLACK_MS for hint in hints]) // FRAME_MS
    return limits_of(first, np.array([hint.end_ms + SLACK_MS for hint in hints]) // FRAME_MS)


def _stretches(model: Model, graph: Graph, found: Found, duration_ms: int) -> list[tuple[int, ForcedPhone]]:
    """The phones and gaps that the path goes through, in order, each with its word (or GAP)."""
    path, names = found.path, list(model.phones)
    chain = path.state // STATES
    # A gap that follows one of its own kind, or a phone one of another word, begins with its chain's first state.
    fresh = (np.diff(chain) != 0) | ((path.state[1:] % STATES == 0) & (path.state[:-1] % STATES == STATES - 1))
    cuts = np.concatenate(([0], np.flatnonzero(fresh) + 1, [len(chain)])).tolist()
    made = []
    for first, last in pairwise(cuts):
        name = names[int(graph.phone[path.state[first]])]
        score = float(found.scores[first:last].mean())
        phone = ForcedPhone(name, first * FRAME_MS, min(last * FRAME_MS, duration_ms), score)
        made.append((int(graph.word[path.state[first]]), phone))
    return made


def _said(word: str, said: Pronunciation, phones: Sequence[ForcedPhone]) -> ForcedWord:
    lengths = [phone.end_ms - phone.start_ms for phone in phones]
    total = sum(phone.score * length for phone, length in zip(phones, lengths, strict=True))
    score = total / max(1, sum(lengths))
    return ForcedWord(word, phones[0].start_ms, phones[-1].end_ms, score, said.source, tuple(phones))


def _unaligned(word: str, said: Pronunciation, reason: str) -> ForcedWord:
    return ForcedWord(word, None, None, None, said.source, (), reason if said.variants else _UNSAID)


def _failed(words: int, frames: int) -> Notice:
    return Notice(
        "alignment_failed",
        f"no alignment of {words} words with {frames * FRAME_MS / 1000:.1f} s of sound",
        "check that the text belongs to the recording; word times now rest on voice activity alone",
    )


def _notices(words: Sequence[ForcedWord], poor: float | None) -> list[Notice]:
    notices = []
    if poor is not None:
        notices.append(
            Notice(
                "alignment_poor",
                f"the words hardly fit what is heard: probably something else was said (mean score {poor:.2f}; about 0 "
                "where they fit)",
                "check that the text is what was said, and in English; the word times may be wrong",
            )
        )
    missing = [word for word in words if word.start_ms is None]
    if missing:
        reasons = "; ".join(dict.fromkeys(word.reason for word in missing))
        was = "word was" if len(missing) == 1 else "words were"
        found = f"{len(missing)} {was} not found in the recording: {_listed(missing)} ({reasons})"
        notices.append(Notice("words_not_aligned", found, "check these words against the recording"))
    guessed = [word for word in words if word.pronunciation == "letters" and word.start_ms is not None]
    if guessed:
        notices.append(
            Notice(
                "pronunciation_guessed",
                f"the dictionary does not have {_listed(guessed)}: the sounds were guessed from the letters",
                "nothing to do: their times may be less exact",
            )
        )
    return notices


def _listed(words: Sequence[ForcedWord]) -> str:
    shown = ", ".join(f'"{word.text}"' for word in words[:_SHOWN])
    return f"{shown}, ..." if len(words) > _SHOWN else shown
