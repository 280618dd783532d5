"""Forced alignment against times that others published, another decoder, and what must happen by construction."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from forced_truth import FREE_SPEECH, LIBRIVOX, free_speech, sphinx

from vivavoce.audio.waveform import decode
from vivavoce.errors import MissingError
from vivavoce.timeline import Word
from vivavoce.transcript import sphinx as files
from vivavoce.transcript.forced import VOICE, ForcedAlignment, align_words, near, search, work
from vivavoce.transcript.forced import model as acoustic
from vivavoce.transcript.language import reads_in_order

pytest.importorskip("pocketsphinx")

SENTENCE = f"{LIBRIVOX}/sense_and_sensibility_01_austen_64kb-0920.wav"
TEXT = "had he married a more a amiable woman he might have been made still more respectable than he was"
SPOKEN = TEXT.split()


def codes(alignment: ForcedAlignment) -> list[str]:
    return [notice.code for notice in alignment.notices]


def times(alignment: ForcedAlignment) -> list[tuple[int | None, int | None]]:
    return [(word.start_ms, word.end_ms) for word in alignment.words]


def errors(alignment: ForcedAlignment, truth: list[Word]) -> np.ndarray:
    """Differences of starts and ends in milliseconds, one row a word."""
    return np.array(
        [(a.start_ms - b.start_ms, a.end_ms - b.end_ms) for a, b in zip(alignment.words, truth, strict=True)]
    )


@pytest.fixture(scope="module")
def sentence(shared_data: Path) -> np.ndarray:
    return decode(shared_data / SENTENCE).samples


def test_the_librivox_sentences_agree_with_sphinx_own_aligner(shared_data: Path) -> None:
    """Truth: test-align.matchseg, 71 words. Another search over the same model: within a frame or two."""
    off = np.abs(
        np.concatenate(
            [
                errors(align_words(decode(path).samples, [word.text for word in words]), words)
                for path, words in sphinx(shared_data).items()
            ]
        )
    )
    assert len(off) == 71
    assert np.median(off) <= 10
    assert np.percentile(off, 90) <= 40


def test_the_near_search_finds_what_the_full_one_finds(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The full search is the other implementation: no word of the read sentences is over 50 ms off."""
    searched_in_full: list[int] = []
    full = near._full

    def counted(*given: Any) -> Any:
        searched_in_full.append(1)
        return full(*given)

    monkeypatch.setattr(near, "_full", counted)
    readings = [(decode(path).samples, [word.text for word in words]) for path, words in sphinx(shared_data).items()]
    quick = [times(align_words(*reading)) for reading in readings]
    assert len(searched_in_full) < len(readings), "nothing was found by the near search"
    monkeypatch.setattr(work, "find", partial(near.find, near=False))
    slow = [times(align_words(*reading)) for reading in readings]
    assert len(searched_in_full) >= len(readings)
    off = np.abs(np.concatenate([np.array(a) - np.array(b) for a, b in zip(quick, slow, strict=True)]))
    assert off.shape == (71, 2)
    assert off.max() <= 50


@pytest.mark.parametrize(("score", "searched"), [(-1.74, 0), (-1.76, 1)])
def test_words_that_the_near_search_has_at_a_poor_score_are_searched_in_full(
    sentence: np.ndarray, monkeypatch: pytest.MonkeyPatch, score: float, searched: int
) -> None:
    """Under -1.75, as docs/evidence/word-times.md says: the thresholds of a bad fit rest on the full search."""
    usual, full, calls = near._near, near._full, list[int]()
    monkeypatch.setattr(near, "_near", lambda *arguments: replace(usual(*arguments), score=score))
    monkeypatch.setattr(near, "_full", lambda *arguments: (calls.append(1), full(*arguments))[1])
    assert (align_words(sentence, SPOKEN).score == score) is (not searched)
    assert len(calls) == searched


def test_where_nobody_asks_whether_words_fit_no_decoy_is_searched_for(
    sentence: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words backwards fit badly: judged they are poor; other orders of a text are only compared by their scores."""
    backwards = SPOKEN[::-1]
    judged = align_words(sentence, backwards)
    assert "alignment_poor" in codes(judged)
    monkeypatch.delattr(work, "_decoy")
    plain = align_words(sentence, backwards, judged=False)
    assert (plain.words, plain.score, plain.between) == (judged.words, judged.score, judged.between)
    assert reads_in_order(sentence, SPOKEN)
    assert not reads_in_order(sentence, backwards)


def test_free_speech_agrees_with_the_published_grid(shared_data: Path) -> None:
    """Truth: MFA's TextGrid of 58 words with changes of pace and two drawn-out "um"s."""
    truth = free_speech(shared_data)
    samples = decode(shared_data / FREE_SPEECH).samples
    aligned = align_words(samples, [word.text for word in truth])
    off = np.abs(errors(aligned, truth))
    assert np.median(off) <= 20
    assert np.percentile(off, 90) <= 80
    ums = [(index, word) for index, word in enumerate(truth) if word.text == "um"]
    assert len(ums) == 2
    for index, word in ums:
        assert abs((aligned.words[index].end_ms or 0) - word.end_ms) <= 60


def test_an_um_that_is_not_in_the_text_is_a_voice_between_words(shared_data: Path) -> None:
    """Truth: the grid has "um" from 8.02 to 8.57 s; the text here has none."""
    truth = [word for word in free_speech(shared_data) if word.text != "um"]
    aligned = align_words(decode(shared_data / FREE_SPEECH).samples, [word.text for word in truth])
    voices = [(one.start_ms, one.end_ms) for one in aligned.between if one.name == VOICE]
    assert any(abs(start - 8020) <= 60 and abs(end - 8570) <= 60 for start, end in voices)


def test_pocketsphinx_own_decoder_puts_the_words_there_too(shared_data: Path) -> None:
    from pocketsphinx import Decoder

    folder = shared_data / "2_audio" / "mfa_corpus"
    words = (folder / "61-70968-0000.lab").read_text(encoding="utf-8").lower().split()
    samples = decode(folder / "61-70968-0000.flac").samples
    decoder = Decoder(lm=None, loglevel="FATAL", bestpath=False)
    decoder.set_align_text(" ".join(words))
    decoder.start_utt()
    decoder.process_raw((samples * 32767).astype("<i2").tobytes(), full_utt=True)
    decoder.end_utt()
    theirs = [(part.word, part.start_frame * 10) for part in decoder.seg()]
    theirs = [(re.sub(r"\(\d+\)", "", word), start) for word, start in theirs if word[0] not in "<(["]
    assert [word for word, _ in theirs] == words
    ours = [word.start_ms for word in align_words(samples, words).words]
    off = np.abs(np.array(ours) - np.array([start for _, start in theirs]))
    assert np.median(off) <= 10
    assert off.max() <= 60


def test_the_same_twice_and_at_any_level(sentence: np.ndarray) -> None:
    """M8: gain changes nothing; neither does a constant."""
    aligned = align_words(sentence, SPOKEN)
    assert align_words(sentence, SPOKEN) == aligned
    assert times(align_words(sentence * np.float32(0.1), SPOKEN)) == times(aligned)
    off = np.array(times(align_words(sentence + np.float32(0.05), SPOKEN))) - np.array(times(aligned))
    assert np.abs(off).max() <= 10


def test_the_moving_window_finds_what_the_whole_search_finds(
    shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """27 s taken a second at a time, and at once without any pruning: within 50 ms."""
    words = [word.text for word in free_speech(shared_data)]
    samples = decode(shared_data / FREE_SPEECH).samples
    piecewise = align_words(samples, words)
    monkeypatch.setattr(search, "BLOCK", 10**6)
    whole = align_words(samples, words)
    assert np.abs(np.array(times(piecewise)) - np.array(times(whole))).max() <= 50


def test_hints_change_nothing_even_where_they_are_wrong(sentence: np.ndarray) -> None:
    aligned = times(align_words(sentence, SPOKEN))
    near = [
        Word(text, (start or 0) + 700, (end or 0) + 900) for text, (start, end) in zip(SPOKEN, aligned, strict=True)
    ]
    assert times(align_words(sentence, SPOKEN, hints=near)) == aligned
    far = [Word(text, 60_000, 61_000) for text in SPOKEN]
    assert times(align_words(sentence, SPOKEN, hints=far)) == aligned
    with pytest.raises(ValueError, match="19 words"):
        align_words(sentence, SPOKEN, hints=near[1:])


def test_words_are_inside_the_recording_and_in_order(sentence: np.ndarray) -> None:
    aligned = align_words(sentence, SPOKEN)
    flat = [value for pair in times(aligned) for value in pair if value is not None]
    assert len(flat) == 2 * len(SPOKEN)
    assert flat == sorted(flat)
    assert flat[0] >= 0
    assert flat[-1] <= len(sentence) // 16
    for word in aligned.words:
        assert [word.phones[0].start_ms, word.phones[-1].end_ms] == [word.start_ms, word.end_ms]


@pytest.mark.parametrize("text", ["wumman", "WOOMEN", "womann!"])
def test_a_word_of_no_dictionary_is_found_by_its_letters(sentence: np.ndarray, text: str) -> None:
    """In place of "woman", whose times the alignment file gives: 2.01 to 2.49 s."""
    aligned = align_words(sentence, [text if word == "woman" else word for word in SPOKEN])
    word = aligned.words[SPOKEN.index("woman")]
    assert word.pronunciation in ("parts", "letters")
    assert abs((word.start_ms or 0) - 2010) <= 60
    assert abs((word.end_ms or 0) - 2490) <= 60


def test_what_cannot_be_said_is_left_without_times_and_the_rest_aligned(sentence: np.ndarray) -> None:
    words = [*SPOKEN[:3], "—", *SPOKEN[3:], "日本"]
    aligned = align_words(sentence, words)
    missing = [word for word in aligned.words if word.start_ms is None]
    assert [word.text for word in missing] == ["—", "日本"]
    assert all(word.reason and word.pronunciation == "none" and word.score is None for word in missing)
    (told,) = [notice.found for notice in aligned.notices if notice.code == "words_not_aligned"]
    assert told == '2 words were not found in the recording: "—", "日本" (nothing in it can be said in English)'
    (told,) = [n.found for n in align_words(sentence, [*SPOKEN, "日本"]).notices if n.code == "words_not_aligned"]
    assert told == '1 word was not found in the recording: "日本" (nothing in it can be said in English)'
    rest = [(word.start_ms, word.end_ms) for word in aligned.words if word.start_ms is not None]
    assert rest == times(align_words(sentence, SPOKEN))


def test_a_reader_who_stops_early_leaves_the_rest_without_times(sentence: np.ndarray) -> None:
    """The first 2.49 s end with "woman" (alignment file)."""
    aligned = align_words(sentence[: 2490 * 16], SPOKEN)
    said = [word.text for word in aligned.words if word.start_ms is not None]
    assert said == SPOKEN[:8]
    assert {word.reason for word in aligned.words[8:]} == {"the speech is over by then"}
    (told,) = [notice.found for notice in aligned.notices if notice.code == "words_not_aligned"]
    last = SPOKEN[8:]
    assert told.startswith(f'{len(last)} words were not found in the recording: "{last[0]}", "{last[1]}"')
    assert told.endswith(", ... (the speech is over by then)" if len(last) > 5 else " (the speech is over by then)")


def test_another_text_is_noticed_and_the_right_one_is_not(sentence: np.ndarray) -> None:
    other = "it was the best of times and it was the worst of times in the city of london and paris"
    wrong, right = align_words(sentence, other.split()), align_words(sentence, SPOKEN)
    (told,) = [notice.found for notice in wrong.notices if notice.code == "alignment_poor"]
    assert told.startswith("the words hardly fit what is heard: probably something else was said (mean score -")
    assert codes(right) == []
    assert right.score is not None
    assert wrong.score is not None
    assert right.score - wrong.score > 2


@pytest.mark.parametrize(
    "samples", [np.zeros(32_000, np.float32), np.zeros(1, np.float32), np.full(8000, 0.3, np.float32)]
)
def test_silence_has_no_words(samples: np.ndarray) -> None:
    aligned = align_words(samples, ["hello", "world"])
    assert times(aligned) == [(None, None)] * 2
    assert all(word.reason for word in aligned.words)
    assert codes(aligned) == ["alignment_failed"]


def test_nothing_to_align(sentence: np.ndarray) -> None:
    assert align_words(sentence, []).words == ()
    assert times(align_words(sentence, ["..."])) == [(None, None)]
    empty = align_words(np.zeros(0, np.float32), ["hello"])
    assert not empty.aligned
    assert empty.words[0].reason == "the recording is empty"


def test_more_words_than_fit_never_raise(sentence: np.ndarray) -> None:
    aligned = align_words(sentence[:4800], SPOKEN * 5)
    assert len(aligned.words) == 95
    assert aligned.words[-1].start_ms is None
    assert aligned.words[-1].reason


def test_a_missing_or_changed_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    acoustic.load_model.cache_clear()
    monkeypatch.setattr(files, "find_spec", lambda name: None)
    with pytest.raises(MissingError) as caught:
        align_words(np.ones(1600, np.float32), ["hello"])
    assert caught.value.code == "extra_missing"
    monkeypatch.undo()
    monkeypatch.setitem(files.SHA256, "en-us/means", "0" * 64)
    with pytest.raises(MissingError) as caught:
        align_words(np.ones(1600, np.float32), ["hello"])
    assert caught.value.code == "acoustic_model_changed"
