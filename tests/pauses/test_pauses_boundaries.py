"""Phrase boundaries restored where a transcript has none (M3): the rules worked by hand, and what they find."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from pathlib import Path
from typing import ClassVar

import pytest

from vivavoce.errors import MissingError
from vivavoce.timeline import Word
from vivavoce.transcript import boundaries, hidden_events, sphinx
from vivavoce.transcript.boundaries import is_unpunctuated, log_odds, restore
from vivavoce.transcript.hidden_events import sentence_end_log_odds
from vivavoce.transcript.importers import load_transcript
from vivavoce.transcript.words import tokenize_words


def said(*parts: tuple[str, int]) -> list[Word]:
    """Words of 300 ms, each followed by a pause of the given length."""
    words, at = [], 0
    for text, pause_ms in parts:
        words.append(Word(text, at, at + 300))
        at += 300 + pause_ms
    return words


class Counted:
    """A language model of five words, whose log probabilities stand here; what is not listed is not known."""

    LISTED: ClassVar = {
        ("</s>", "ran", "dog"): 0.5,
        ("</s>", "the", "saw"): 0.01,
        ("we", "<s>"): 0.2,
        ("saw", "we", "<s>"): 0.5,
        ("dog", "<s>"): 0.02,
        ("ran", "dog", "<s>"): 0.25,
        ("we", "ran", "dog"): 0.04,
        ("saw", "we", "ran"): 0.25,
        ("dog", "the", "saw"): 0.4,
        ("ran", "dog", "the"): 0.1,
    }

    def prob(self, words: list[str]) -> int:
        if len(words) == 1:
            return round(log(0.1) / log(1.0001)) if words[0] in ("we", "saw", "the", "dog", "ran") else -536870912
        return round(log(self.LISTED[tuple(words)]) / log(1.0001))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden_events, "_model", Counted)
    monkeypatch.setattr(boundaries, "is_installed", lambda: True)


@pytest.mark.usefixtures("counted")
def test_odds_of_a_sentence_end_by_hand() -> None:
    """Of "the dog ran | we saw": 0.5 x 0.2 x 0.5 over 0.04 x 0.25, 5 to 1; of "we saw the | dog ran": 1 to 800."""
    assert exp(sentence_end_log_odds(["the", "dog", "ran"], ["we", "saw"])) == pytest.approx(5, rel=1e-3)
    assert exp(sentence_end_log_odds(["we", "saw", "the"], ["dog", "ran"])) == pytest.approx(1 / 800, rel=1e-3)


@pytest.mark.usefixtures("counted")
def test_marks_and_filled_pauses_say_nothing() -> None:
    plain = sentence_end_log_odds(["the", "dog", "ran"], ["we", "saw"])
    assert (
        sentence_end_log_odds(["The", "Dog", "ran,", "um"], ["uh", "\N{LEFT DOUBLE QUOTATION MARK}We", "saw."]) == plain
    )
    assert sentence_end_log_odds(["the", "dog-ran"], ["we", "saw"]) == plain


@pytest.mark.usefixtures("counted")
def test_log_odds_of_a_pause_by_hand() -> None:
    """0.5 + log2(1000 / 250) + 0.7 ln 5 = 3.627; at 250 ms inside a phrase 0.5 + 0 - 0.7 ln 800 = -4.179."""
    assert log_odds(["dog", "ran"], 1000, ["we", "saw"]) == pytest.approx(3.627, abs=1e-3)
    assert log_odds(["saw", "the"], 250, ["dog", "ran"]) == pytest.approx(-4.179, abs=1e-3)


@pytest.mark.usefixtures("counted")
def test_words_decide_where_pauses_are_alike() -> None:
    """-4.179 + log2(800 / 250) = -2.5 at "the | dog", 0.5 + 0.7 ln 5 = 1.6 at "ran | we"."""
    words = said(("we", 0), ("saw", 0), ("the", 800), ("dog", 0), ("ran", 250), ("we", 0), ("saw", 0))
    assert restore(words) == ([False, False, False, False, True, False, True], "restored_by_words")
    assert restore(words, english=False) == ([False, False, True, False, False, False, True], "restored_by_pauses")


@pytest.mark.parametrize(("pause_ms", "ends"), [(499, False), (500, True)])
def test_without_a_language_model_half_a_second_ends_a_phrase(
    monkeypatch: pytest.MonkeyPatch, pause_ms: int, ends: bool
) -> None:
    monkeypatch.setattr(boundaries, "is_installed", lambda: False)
    assert restore(said(("ran", pause_ms), ("we", 0))) == ([ends, True], "restored_by_pauses")


def test_running_speech_has_no_boundary_but_its_end() -> None:
    assert restore(said(("one", 249), ("two", 0), ("three", 0)))[0] == [False, False, True]
    assert restore([])[0] == []


def test_a_pause_begins_at_the_latest_end_so_far() -> None:
    """As in M2's pauses: the second word lies within the first, which ends 100 ms before the third."""
    words = [Word("dog", 0, 1900), Word("ran", 300, 600), Word("home", 2000, 2300)]
    assert restore(words)[0] == [False, False, True]


AUSTEN = """The family of Dashwood had long been settled in Sussex. Their estate was large, and their residence was at
Norland Park, in the centre of their property, where, for many generations, they had lived in so respectable a manner as
to engage the general good opinion of their surrounding acquaintance. The late owner of this estate was a single man,
who lived to a very advanced age, and who for many years of his life, had a constant companion and housekeeper in his
sister. But her death, which happened ten years before his own, produced a great alteration in his home."""


def test_the_real_model_tells_ends_from_middles() -> None:
    """Of a phrase end and another place in prose the end has the higher odds in 4 of 5 cases (chance: 1 of 2)."""
    pytest.importorskip("pocketsphinx")
    words = AUSTEN.split()
    odds = [sentence_end_log_odds(words[:at], words[at:]) for at in range(1, len(words))]
    ends = [value for word, value in zip(words, odds, strict=False) if word[-1] in ".,"]
    middles = [value for word, value in zip(words, odds, strict=False) if word[-1] not in ".,"]
    assert sum(end > middle for end in ends for middle in middles) > 0.8 * len(ends) * len(middles)


def test_words_that_the_model_lacks_leave_it_undecided() -> None:
    """It knows neither "vivavoce" nor "xyzzy", so what is left is how often anything ends a sentence."""
    pytest.importorskip("pocketsphinx")
    assert -6 < sentence_end_log_odds(["vivavoce", "xyzzy"], ["xyzzy", "vivavoce"]) < 0


def test_another_language_model_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pocketsphinx")
    hidden_events._model.cache_clear()
    monkeypatch.setitem(sphinx.SHA256, hidden_events.LANGUAGE_MODEL, "0" * 64)
    with pytest.raises(MissingError) as caught:
        restore(said(("ran", 300), ("home", 0)))
    assert caught.value.code == "acoustic_model_changed"
    hidden_events._model.cache_clear()


def wrong_kind(words: Sequence[Word], english: bool) -> float:
    """The share of pauses under 1.2 s that come back as another kind than the punctuation of a transcript says."""
    tokens = tokenize_words([word.text for word in words])
    true = {token.word_indices[-1] for token in tokens if token.boundary_after}
    bare = [Word(word.text.strip(".,;:?!-"), word.start_ms, word.end_ms) for word in words]
    found, _ = restore(bare, english)
    short = [
        index
        for index in range(len(words) - 1)
        if 250 <= words[index + 1].start_ms - max(word.end_ms for word in words[: index + 1]) < 1200
    ]
    return sum(found[index] != (index in true) for index in short) / len(short)


@pytest.mark.parametrize(
    "name", ["speechmatics/speechmatics_v1_TedTalk.json", "aws_transcribe/amazonTranscribe.sample.json"]
)
def test_the_talk_without_its_punctuation(shared_data: Path, name: str) -> None:
    """Two recognisers disagree at 28 % of its pauses (docs/pauses.md): by words it is no worse, and beats length."""
    pytest.importorskip("pocketsphinx")
    words = load_transcript(shared_data / "1_asr_json" / name).words
    by_words = wrong_kind(words, english=True)
    assert by_words < 0.28
    assert by_words < wrong_kind(words, english=False)


@pytest.mark.parametrize(
    ("words", "boundaries", "none"),
    [(1780, 1, True), (73, 1, True), (55, 0, True), (1, 0, True), (9, 1, False), (1767, 116, False), (0, 0, False)],
)
def test_as_good_as_no_punctuation(words: int, boundaries: int, none: bool) -> None:
    """Counts of real transcripts: IBM's talk, Pocketsphinx, tiny.en's monologue; a single sentence; Google's talk."""
    assert is_unpunctuated(words, boundaries) is none
