"""Where the recogniser loops or is not believed it hears again; what was really said several times stays.

The first hearings here are made up, the sound is a real reader's: which words are right is known from TRUTH.tsv.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from problem_sounds import RATE, Samples

from vivavoce.audio.waveform import decode
from vivavoce.pipeline import Heard
from vivavoce.timeline import Word
from vivavoce.transcript.again import WAYS, Way, again_notice, hear_again, whispered

SENTENCE = "he might even have been made amiable himself"
OTHER = "thank you for watching and see you"


def words(text: str, confidence: float = 0.9, step_ms: int = 300) -> list[Word]:
    return [Word(part, i * step_ms, i * step_ms + 250, confidence) for i, part in enumerate(text.split())]


def without_time(text: str) -> list[Word]:
    """As the recogniser writes a loop: ten milliseconds a word."""
    return [Word(part, i * 10, i * 10 + 10, 0.9) for i, part in enumerate(text.split())]


class Ear:
    """A recogniser that writes the given texts one after the other, and counts."""

    def __init__(self, *texts: Sequence[Word]) -> None:
        self.texts, self.ways = list(texts), list[Way]()

    def __call__(self, way: Way) -> Sequence[Word]:
        self.ways.append(way)
        return self.texts[len(self.ways) - 1]


@pytest.fixture(scope="module")
def sentence(shared_data: Path) -> Samples:
    folder = shared_data / "2_audio" / "pocketsphinx" / "librivox"
    return decode(folder / "sense_and_sensibility_01_austen_64kb-0930.wav").samples


def test_a_loop_is_replaced_by_what_was_said(sentence: Samples) -> None:
    first, right = without_time("thank you " * 8), words(SENTENCE)
    ear = Ear(right)
    change = hear_again(sentence, first, ear)
    assert change is not None
    assert (change.before, change.after, change.looped) == (tuple(first), tuple(right), True)
    assert ear.ways == [WAYS[0]]
    notice = again_notice([change])
    assert notice is not None
    assert f"“{SENTENCE}” in place of “thank you thank you thank you thank you ...”" in notice.found
    assert "in a loop" in notice.found


def test_another_loop_and_other_words_are_passed_over(sentence: Samples) -> None:
    first = without_time("thank you " * 8)
    change = hear_again(sentence, first, Ear(without_time("see you " * 8), words(SENTENCE)))
    assert change is not None
    assert " ".join(word.text for word in change.after) == SENTENCE
    assert hear_again(sentence, first, Ear(words(OTHER), ())) is None


def test_words_that_are_hardly_believed_and_do_not_fit_are_heard_again(sentence: Samples) -> None:
    wrong = "see you guys in the next video and thank you for watching"
    change = hear_again(sentence, words(wrong, confidence=0.4), Ear(words(SENTENCE)))
    assert change is not None
    assert not change.looped


def test_words_that_are_believed_or_fit_are_not_heard_again(sentence: Samples) -> None:
    ear = Ear()
    assert hear_again(sentence, words(OTHER, confidence=0.5), ear) is None
    assert hear_again(sentence, words(SENTENCE, confidence=0.2), ear) is None
    assert ear.ways == []


@pytest.mark.parametrize("heard", [SENTENCE, f"{SENTENCE} and then he went away"])
def test_what_was_said_three_times_stays(sentence: Samples, heard: str) -> None:
    """Three sayings without times look like a loop; a hearing that leaves two of them out explains less."""
    first = without_time(" ".join([SENTENCE] * 3))
    ear = Ear(words(heard), words(heard))
    assert hear_again(np.tile(sentence, 3), first, ear) is None
    assert len(ear.ways) == len(WAYS)


def test_what_is_heard_without_a_voice_is_taken_for_a_whisper_only_where_it_is_believed(sentence: Samples) -> None:
    """From a mean confidence of 0.4 on (docs/evidence/word-times.md, "whispers"), and only what fits the sound."""
    assert whispered(sentence, words(SENTENCE, confidence=0.41))
    assert not whispered(sentence, words(SENTENCE, confidence=0.39))
    assert not whispered(sentence, words(OTHER, confidence=0.9))
    assert not whispered(sentence, without_time(f"{SENTENCE} " * 3))
    assert not whispered(sentence, [])


def test_nothing_to_list() -> None:
    assert again_notice([]) is None


def test_a_child_who_says_a_word_three_times(shared_data: Path, ear: Callable[[Path], Heard]) -> None:
    """A child of 6 reads "anybody can bank bank bank"; tiny.en writes "bang, bang, bang" faster than it can be said.

    What it writes the second time depends on how many threads there are: "bank bank bank", or "bang bang back back".
    """
    heard = ear(shared_data / "speechocean762_train" / "audio" / "000560134.flac")
    said = [word.text.strip(".,").lower() for word in heard.transcript.words]
    assert said[:2] == ["anybody", "can"]
    assert 5 <= len(said) <= 6
    assert all(word.startswith("ba") for word in said[2:])
    assert {notice.code for notice in heard.transcript.warnings} >= {"heard_again"}
    assert len(heard.waveform.samples) / RATE < 10
