"""The judge that ships hears real recordings through the bench, in a process of its own: whole, timed, and the same."""

from __future__ import annotations

from pathlib import Path

from so762_corpus import SCALES, read_corpus
from so762_listen import hear, hear_all, with_recogniser, with_reference


def test_two_recordings_are_heard_whole(shared_data: Path) -> None:
    corpus = read_corpus(shared_data / "speechocean762_train")
    chosen = [corpus.utterances[0], corpus.utterances[-1]]
    found = list(hear_all(chosen, with_reference, 1))
    for utterance, prediction in zip(chosen, found, strict=True):
        assert prediction.error is None
        assert set(prediction.estimates) == set(SCALES)
        assert [text for text, *_ in prediction.words] == utterance.text.split()
        assert prediction.text == "reference"
        assert set(prediction.cpu_s) == {"decode", "listen"}
    again = hear(chosen[0], with_reference)
    assert (again.estimates, again.words) == (found[0].estimates, found[0].words)


def test_open_speech_has_the_recognisers_words(shared_data: Path) -> None:
    corpus = read_corpus(shared_data / "speechocean762_train")
    found = hear(corpus.utterances[-1], with_recogniser)
    assert (found.error, found.text) == (None, "recogniser")
    assert set(found.estimates) == set(SCALES)
    assert "listening_open_speech" in found.doubts
