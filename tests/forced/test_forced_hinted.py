"""The search with hints, in stretches, against times that others published and against the search of the whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from forced_truth import sphinx

from vivavoce.audio.waveform import decode
from vivavoce.timeline import Word
from vivavoce.transcript.forced import ForcedAlignment, align_words, hinted, lockstep, near, search, work
from vivavoce.transcript.forced.found import Again, around, found_of, spans
from vivavoce.transcript.forced.graph import Graph, build
from vivavoce.transcript.forced.model import Model, load_model
from vivavoce.transcript.forced.pronounce import pronounce
from vivavoce.transcript.forced.search import Limits
from vivavoce.transcript.forced.sound import Sound, listen
from vivavoce.transcript.forced.tables import Tables

pytest.importorskip("pocketsphinx")

Reading = tuple[np.ndarray, list[Word]]


@pytest.fixture(scope="module")
def reading(shared_data: Path) -> Reading:
    """The five librivox sentences one after another, with the words' published times."""
    parts, words, at_ms = [], [], 0
    for path, truth in sphinx(shared_data).items():
        samples = decode(path).samples
        parts.append(samples[: len(samples) // 160 * 160])
        words += [Word(word.text, word.start_ms + at_ms, word.end_ms + at_ms) for word in truth]
        at_ms += len(parts[-1]) // 16
    return np.concatenate(parts), words


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stretches of 2 s, so that 25 s are a dozen."""
    monkeypatch.setattr(hinted, "LENGTH", 200)


def late(words: list[Word], by_ms: int) -> list[Word]:
    return [Word(word.text, max(0, word.start_ms + by_ms), max(0, word.end_ms + by_ms)) for word in words]


def aligned(reading: Reading, by_ms: int) -> ForcedAlignment:
    samples, words = reading
    return align_words(samples, [word.text for word in words], hints=late(words, by_ms))


def off(found: ForcedAlignment, truth: list[Word]) -> np.ndarray:
    assert all(word.start_ms is not None for word in found.words)
    return np.abs([(a.start_ms - b.start_ms, a.end_ms - b.end_ms) for a, b in zip(found.words, truth, strict=True)])


def no_full_search(*_: Any) -> None:
    raise AssertionError("searched in full")


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("by_ms", [-900, 900])
def test_many_stretches_find_the_published_times(reading: Reading, by_ms: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Truth: test-align.matchseg, as for the full search; hints may be early or late by most of a second."""
    monkeypatch.setattr(near, "_full", no_full_search)
    found = off(aligned(reading, by_ms), reading[1])
    assert np.median(found) <= 10
    assert np.percentile(found, 90) <= 40


@pytest.mark.usefixtures("short")
def test_many_stretches_find_what_the_full_search_finds(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    """No word is more than 50 ms off, and 19 of 20 are at the same times."""
    quick = aligned(reading, 300)
    monkeypatch.setattr(hinted, "find", lambda *_: None)
    full = aligned(reading, 300)
    moved = off(quick, [Word(w.text, w.start_ms or 0, w.end_ms or 0) for w in full.words])
    assert moved.max() <= 50
    assert np.mean(moved.max(axis=1) == 0) >= 0.95


@pytest.fixture(scope="module")
def parts(reading: Reading) -> tuple[Model, Graph, Sound, Limits]:
    samples, words = reading
    model = load_model()
    return model, build(model, [pronounce(word.text).variants for word in words]), listen(samples), work._about(words)


@pytest.mark.usefixtures("short")
def test_the_rough_path_of_stretches_is_that_of_the_whole(parts: tuple[Model, Graph, Sound, Limits]) -> None:
    """`search` goes through the whole at once: another walk over the same likelihoods. Ties may fall otherwise."""
    model, graph, sound, hints = parts
    whole = search.search(model, graph, sound, hints, roughly=True)
    state, reached = hinted.rough_path(model, graph, sound, hints)
    assert whole is not None
    assert state is not None
    assert reached == whole.reached == len(graph.ends) - 1
    assert np.mean(state != whole.state) <= 0.002


@pytest.mark.usefixtures("short")
def test_where_stretches_never_meet_the_whole_is_walked(
    parts: tuple[Model, Graph, Sound, Limits], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, graph, sound, hints = parts
    state, reached = hinted.rough_path(model, graph, sound, hints)
    walked: list[int] = []
    walk = hinted.walk

    def counted(graph: Graph, stretches: list[lockstep.Stretch], *rest: Any) -> None:
        walked.append(len(stretches))
        walk(graph, stretches, *rest)

    monkeypatch.setattr(hinted, "walk", counted)
    monkeypatch.setattr(hinted, "joined", lambda some: lockstep.joined(some) if len(some) == 1 else None)
    alone, all_words = hinted.rough_path(model, graph, sound, hints)
    assert walked[-1] == 1 < walked[0]
    assert state is not None
    assert alone is not None
    assert all_words == reached
    assert np.mean(state != alone) <= 0.002


def stretch(start: int, states: list[int] | None) -> lockstep.Stretch:
    one = lockstep.Stretch(start, start + (len(states) if states else 4), (0, 1))
    one.path = None if states is None else np.array(states)
    return one


def test_two_paths_are_joined_where_they_meet_and_never_elsewhere() -> None:
    """Frames 2 and 3 are in both; they meet in frame 3, in state 7."""
    joined = lockstep.joined([stretch(0, [1, 2, 5, 7]), stretch(2, [6, 7, 8, 9])])
    assert joined is not None
    assert joined.tolist() == [1, 2, 5, 7, 8, 9]
    assert lockstep.joined([stretch(0, [1, 2, 5, 7]), stretch(2, [6, 6, 8, 9])]) is None
    assert lockstep.joined([stretch(0, [1, 2, 5, 7]), stretch(2, None)]) is None


def test_a_recording_is_parted_in_its_longest_gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirds of 6,000 frames: near the first a gap of 40 and one of 90 frames, near the other none."""
    monkeypatch.setattr(hinted, "LENGTH", 2000)
    quiet = np.zeros(6000, np.bool_)
    quiet[1900:1940] = quiet[2200:2290] = quiet[2900:3100] = True
    assert hinted.cuts_of(quiet) == [0, 2245, 4000, 6000]
    assert hinted.cuts_of(quiet[:900]) == [0, 900]


def test_words_in_the_wrong_place_are_looked_for_within_reach_and_then_anywhere(
    parts: tuple[Model, Graph, Sound, Limits],
) -> None:
    """Five words are put at the start of their stretch, a state a frame; the last is more than REACH frames off."""
    model, graph, sound, hints = parts
    right = hinted.find(model, graph, sound, hints)
    assert right is not None
    first, last = spans(graph, right.path.state)
    one = Again(10, 15, int(last[9]) + 1, int(first[15]))
    assert first[14] - one.start > 2 * hinted.REACH
    wrong = right.path.state.copy()
    said = [state for word in range(10, 15) for state in np.unique(wrong[first[word] : last[word] + 1])]
    wrong[one.start : one.stop] = graph.first_state[15]
    wrong[one.start : one.start + len(said)] = said
    spoilt = found_of(graph, replace(right.path, state=wrong), right.scores)
    tables = Tables(model, graph, sound, around(graph, wrong).states or (first, last), graph.word[wrong] >= 0)
    mended = hinted._mended(graph, tables, spoilt, [one])
    assert np.mean(mended.path.state != right.path.state) <= 0.002
    assert np.abs(mended.scores - right.scores).mean() <= 0.05
