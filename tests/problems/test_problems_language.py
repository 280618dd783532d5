"""A recording in another language is not scored for that reason; English, children's and learners' too, always is."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from problem_clips import AGES, learners
from problem_sounds import RATE, Samples

from vivavoce.audio.waveform import decode
from vivavoce.cli.main import main
from vivavoce.pipeline import Heard, force, hear
from vivavoce.timeline import Transcript, Word
from vivavoce.transcript.forced.text import align_text
from vivavoce.transcript.language import Fit, is_english_text, is_nonsense
from vivavoce.transcript.voice import BACKWARDS, rise_skewness

Ear = Callable[[Path], Heard]
Save = Callable[[str, Samples], Path]
Refusal = Callable[..., object]
SPANISH = "mfa_corpus/13697_11991_000000.opus"
ENGLISH = (
    "He was not an ill disposed young man, unless to be rather cold hearted and rather selfish is to be ill disposed."
)


def code(reason: object) -> str | None:
    return getattr(reason, "code", None)


def truth(folder: Path, name: str) -> str:
    with (folder / "2_audio" / "TRUTH.tsv").open(encoding="utf-8") as file:
        return next(row["transcript"] for row in csv.DictReader(file, delimiter="\t") if row["file"] == name)


def spread(text: str, duration_ms: int) -> Transcript:
    """A transcript whose words share the time."""
    words = text.split()
    step = duration_ms // len(words)
    return Transcript(tuple(Word(word, index * step, (index + 1) * step) for index, word in enumerate(words)))


@pytest.mark.parametrize("text", [None, ENGLISH])
def test_spanish_is_not_scored(shared_data: Path, ear: Ear, refusal: Refusal, text: str | None) -> None:
    heard = ear(shared_data / "2_audio" / SPANISH)
    assert len(heard.transcript.words) >= 10  # invented English, which stays as it was received
    assert code(refusal(heard, text)) == "language"


def test_half_of_it_is_no_reading_of_an_english_text(shared_data: Path, ear: Ear, save: Save, refusal: Refusal) -> None:
    """In the first half Kennedy's sentence fits better than in nine other orders by luck: all fit under -4.5."""
    samples = decode(shared_data / "2_audio" / SPANISH).samples[: int(7.425 * 16_000)]
    heard = ear(save("half of it", samples))
    assert code(refusal(heard, truth(shared_data, "faster_whisper/jfk.flac"))) == "language"
    assert code(refusal(heard)) == "language"


def test_a_transcript_in_spanish(shared_data: Path, refusal: Refusal) -> None:
    """By its words alone: the file does not say its language, and its times are right."""
    waveform = decode(shared_data / "2_audio" / SPANISH)
    assert code(refusal(Heard(waveform, spread(truth(shared_data, SPANISH), waveform.duration_ms)))) == "language"


def test_a_transcript_that_says_its_language(shared_data: Path, refusal: Refusal) -> None:
    reader = "mfa_corpus/61-70968-0000.flac"
    waveform = decode(shared_data / "2_audio" / reader)
    said = align_text(waveform.samples, truth(shared_data, reader), "text").words
    for language, expected in (("es", "language"), ("zh-CN", "language"), ("en-GB", None), (None, None)):
        assert code(refusal(Heard(waveform, Transcript(said, language=language)))) == expected


def test_learners_of_all_ages_by_what_they_said(shared_data: Path, refusal: Refusal) -> None:
    """Their words come from the data, so that the gates are tried and not the recogniser's mistakes."""
    clips = learners(shared_data, 30)
    assert all(sum(low <= clip.age <= high for clip in clips) == 6 for low, high in AGES)
    refused = []
    for clip in clips:
        waveform = decode(clip.path)
        transcript = spread(clip.text.lower(), waveform.duration_ms)
        heard = Heard(waveform, transcript, force(waveform, transcript))
        refused += [(clip.name, clip.age, text) for text in (None, clip.text) if refusal(heard, text) is not None]
    assert refused == []


def test_four_learners_by_ear(shared_data: Path, ear: Ear, refusal: Refusal) -> None:
    """bench/hearing_problems.py does the same with more."""
    clips = learners(shared_data, 4)
    assert sum(clip.age <= 12 for clip in clips) == 2
    refused = [
        (clip.name, clip.age, text)
        for clip in clips
        for text in (None, clip.text)
        if refusal(ear(clip.path), text) is not None
    ]
    assert refused == []


def test_a_reader_whom_the_recogniser_cannot_follow(shared_data: Path, ear: Ear, refusal: Refusal) -> None:
    """tiny.en writes "Thank you very much" four times; the text, laid on the sound, says that it was read."""
    clip = next(clip for clip in learners(shared_data, 50) if clip.name == "096130014")
    heard = ear(clip.path)
    assert refusal(heard, clip.text) is None
    assert code(refusal(heard, " ".join(reversed(clip.text.split())))) == "language"


@pytest.mark.parametrize(("clip", "text"), [("22058264", "no"), ("22058267", "six"), ("22058266", "Fire fox")])
def test_one_word_is_scored_where_one_word_was_asked(
    shared_data: Path, ear: Ear, refusal: Refusal, clip: str, text: str
) -> None:
    heard = ear(shared_data / "2_audio" / "mfa_corpus" / f"common_voice_en_{clip}.mp3")
    assert refusal(heard, text) is None
    assert code(refusal(heard)) == "too_little_speech"
    assert code(refusal(heard, ENGLISH)) == "too_little_speech"


def test_a_short_reading_is_scored(shared_data: Path, ear: Ear, refusal: Refusal) -> None:
    """Four words in a second: under ten seconds of speech the guide drops choppiness and keeps the rest."""
    heard = ear(shared_data / "2_audio" / "azure_samples" / "whatstheweatherlike.wav")
    assert len(heard.transcript.words) == 4
    assert refusal(heard) is None
    assert refusal(heard, "What's the weather like?") is None


def test_report_and_command_say_so(
    shared_data: Path, tmp_path: Path, ear: Ear, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Heard once for all tests: its loops take the recogniser longest.
    monkeypatch.setattr("vivavoce.cli.score.hear", lambda path, **_: ear(path))
    audio, report, text = shared_data / "2_audio" / SPANISH, tmp_path / "report.json", tmp_path / "text.txt"
    text.write_text(ENGLISH, encoding="utf-8")
    arguments = ["--module", "paragraph_reading", "--grade", "6", "--reference", str(text), "--json", str(report)]
    assert main(["score", str(audio), *arguments]) == 3
    assert "not_scored: language" in capsys.readouterr().out
    made = json.loads(report.read_text(encoding="utf-8"))
    for outcome in (made["overall"], *made["markers"].values()):
        assert (outcome["state"], outcome["score"], outcome["reason"]["code"]) == ("not_scored", None, "language")
    assert len(made["transcript"]["words"]) >= 10
    assert "recognizer_loop" in {warning["code"] for warning in made["warnings"]}
    words = tmp_path / "words.json"
    listed = [{"text": w["text"], "start": w["start_s"], "end": w["end_s"]} for w in made["transcript"]["words"]]
    words.write_text(json.dumps({"words": listed}), encoding="utf-8")
    assert main(["measure", str(audio), "--transcript", str(words)]) == 0
    assert "language" in {warning["code"] for warning in json.loads(capsys.readouterr().out)["warnings"]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I wandered lonely as a cloud that floats on high o'er vales and hills", True),
        ("la sorpresa y el disgusto que produjo a wentworth la substitución de una cuñada por otra", False),
        ("Meine Familie wohnt in einem kleinen Dorf am Meer und am Sonntag gehen wir an den Strand", False),
        ("Моя семья живёт в маленькой деревне у моря по воскресеньям мы ходим на пляж", False),
        ("one two three four five six seven eight nine ten eleven", True),
        (
            "the froobly zax did not want to go up to the gleeb with him",
            True,
        ),  # a nonsense poem is English by its small words
        ("hola amigo", None),
        ("3 5 1 2 2 7 3 4 5 6 7 8", None),
    ],
)
def test_words_by_dictionary(text: str, expected: bool | None) -> None:
    assert is_english_text(text.split()) is expected


def test_when_words_do_not_fit_the_sound() -> None:
    """The thresholds of docs/evidence/not-scored.md, at their edges."""
    assert not Fit(-3.75, 8, poor=False, placed=8).unfit()
    assert Fit(-3.76, 8, poor=False, placed=8).unfit()
    assert not Fit(-3.76, 7, poor=False, placed=7).unfit()
    assert Fit(-3.41, 16, poor=False, placed=16).unfit()
    assert not Fit(-3.41, 15, poor=False, placed=15).unfit()
    assert not Fit(-3.4, 3, poor=True, placed=3).unfit()
    assert Fit(-3.41, 3, poor=True, placed=3).unfit()
    assert not Fit(-3.0, 90, poor=False, placed=90).unfit(looped=True)
    assert Fit(-3.01, 90, poor=False, placed=90).unfit(looped=True)
    assert not Fit(-3.01, 90, poor=False, placed=90).unfit()
    assert not Fit(-4.5, 90, poor=True, placed=90).unfit(by_person=True)
    assert Fit(-4.51, 90, poor=True, placed=90).unfit(by_person=True)
    assert not Fit(-4.51, 90, poor=False, placed=90).unfit(by_person=True)


def test_words_that_have_no_place_in_the_sound_were_made_up() -> None:
    """A third of four words or more have one otherwise; a person may have written down more than was recorded."""
    assert Fit(0.0, 21, poor=False, placed=6).unfit()
    assert not Fit(0.0, 21, poor=False, placed=7).unfit()
    assert not Fit(0.0, 3, poor=False, placed=1).unfit()
    assert not Fit(0.0, 20, poor=False, placed=2).unfit(by_person=True)


def test_words_that_make_no_english() -> None:
    """What tiny.en wrote for Mandarin, and a learner's sentence; both with the score that the Mandarin has."""
    mandarin = "for if I'm too powerful to show 1 1 3 if reading 1 1 2 5 2 3 3 warm and fine now 3 4 if I're too high"
    assert is_nonsense(mandarin.split(), Fit(-2.8, 24, poor=False, placed=24))
    assert not is_nonsense(mandarin.split(), Fit(-1.9, 24, poor=False, placed=24))
    assert not is_nonsense(mandarin.split()[:7], Fit(-2.8, 7, poor=False, placed=7))
    english = "I could not find the way so I asked an old man"
    assert not is_nonsense(english.split(), Fit(-2.8, 12, poor=False, placed=12))


def test_a_persons_words_over_what_is_no_voice(shared_data: Path, save: Save, refusal: Refusal) -> None:
    """Three notes have room for a word or two of twenty: nobody speaks, so nothing was read."""
    time = np.arange(6 * RATE) / RATE
    notes = np.sin(2 * np.pi * np.choose((time // 2).astype(int), (262, 330, 392)) * time) * np.exp(-(time % 2))
    waveform = decode(save("notes", notes.astype(np.float32)))
    said = spread(f"{ENGLISH} {ENGLISH} {ENGLISH}", waveform.duration_ms)
    assert code(refusal(Heard(waveform, said, force(waveform, said)), ENGLISH)) == "no_speech"


def test_speech_played_backwards_is_not_scored(shared_data: Path, ear: Ear, save: Save, refusal: Refusal) -> None:
    """tiny.en finds English words in it, which even fit; but it swells slowly and breaks off."""
    jfk = decode(shared_data / "2_audio" / "faster_whisper" / "jfk.flac").samples
    heard = ear(save("backwards", jfk[::-1].copy()))
    assert heard.transcript.words
    reason = refusal(heard)
    assert code(reason) == "backwards"
    assert f"skewness of the rises of level {rise_skewness(jfk[::-1]):.2f}" in getattr(reason, "found", "")


def test_how_fast_sounds_rise_and_fall() -> None:
    """A tone that starts at once and dies away, and its mirror image; in noise too they are opposites."""
    time = np.arange(4 * RATE) / RATE
    strikes = np.sin(2 * np.pi * 300 * time) * np.exp(-(time % 0.5) / 0.1)
    assert rise_skewness(strikes.astype(np.float32)) > 1
    assert rise_skewness(strikes[::-1].astype(np.float32)) < -1
    # Gain moves no difference of levels.
    assert rise_skewness((0.25 * strikes).astype(np.float32)) == pytest.approx(
        rise_skewness(strikes.astype(np.float32)), abs=0.01
    )
    noise = np.random.default_rng(1).normal(0, 0.1, 4 * RATE).astype(np.float32)
    assert rise_skewness(noise) == pytest.approx(-rise_skewness(noise[::-1]), abs=0.02)
    assert rise_skewness(np.zeros(RATE, np.float32)) == 0
    assert rise_skewness(np.zeros(100, np.float32)) == 0


def test_no_learner_sounds_played_backwards(shared_data: Path) -> None:
    clips = [decode(clip.path).samples for clip in learners(shared_data, 100)]
    assert min(rise_skewness(samples) for samples in clips) > BACKWARDS
    assert sum(rise_skewness(samples[::-1]) < BACKWARDS for samples in clips) >= 90


def test_without_the_acoustic_model_nothing_is_refused_for_its_sound(
    shared_data: Path, ear: Ear, refusal: Refusal
) -> None:
    heard = ear(shared_data / "2_audio" / SPANISH)
    assert refusal(Heard(heard.waveform, heard.transcript)) is None


def test_a_whisper_is_scored_with_its_transcript_and_without(
    shared_data: Path, tmp_path: Path, refusal: Refusal
) -> None:
    """There is no voice in it, for the recogniser neither; the words that it hears fit, and so do a person's."""
    audio = shared_data / "2_audio" / "mfa_disfluent" / "whisper.flac"
    samples = decode(audio).samples
    words = align_text(samples, "this is all very whispered", "text").words
    path = tmp_path / "words.json"
    listed = [{"text": word.text, "start": word.start_ms / 1000, "end": word.end_ms / 1000} for word in words]
    path.write_text(json.dumps({"words": listed}), encoding="utf-8")
    assert refusal(hear(audio, transcript=path)) is None
    alone = hear(audio)
    assert "whispered" in {notice.code for notice in alone.transcript.warnings}
    assert [word.text.lower() for word in alone.transcript.words][:4] == ["this", "is", "all", "very"]
    assert refusal(alone) is None
