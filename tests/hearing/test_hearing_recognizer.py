"""The built-in recogniser on real recordings and on what is no speech. Each file is heard once, off the network."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import jiwer
import numpy as np
import pytest
from hearing_audio import put_silence
from numpy.typing import NDArray

from vivavoce.audio.activity import detect
from vivavoce.audio.waveform import decode
from vivavoce.errors import MissingError, RequestError
from vivavoce.measures.edges import correct_edges
from vivavoce.measures.pauses import PAUSE_MS, pauses
from vivavoce.measures.word_times import word_times
from vivavoce.timeline import Transcript, Word
from vivavoce.transcript import recognizer
from vivavoce.transcript.forced import align_words
from vivavoce.transcript.loops import find_loop
from vivavoce.transcript.recognizer import transcribe
from vivavoce.transcript.voice import TRACE_FROM, stretches
from vivavoce.transcript.weights import find_weights

JFK = "faster_whisper/jfk.flac"
SONNET = "librivox_sonnets/sonnet_p001.mp3"
LOOP = "mfa_disfluent/mfa_cutoff.flac"
SPANISH = "mfa_corpus/13697_11991_000000.opus"
Hear = Callable[[str], Transcript]


def truth(folder: Path, name: str) -> str:
    with (folder / "2_audio" / "TRUTH.tsv").open(encoding="utf-8") as file:
        return next(row["transcript"] for row in csv.DictReader(file, delimiter="\t") if row["file"] == name)


def word_errors(reference: str, transcript: Transcript) -> float:
    plain = jiwer.Compose([jiwer.RemovePunctuation(), jiwer.ToLowerCase(), jiwer.RemoveMultipleSpaces(), jiwer.Strip()])
    heard = " ".join(word.text for word in transcript.words)
    return jiwer.wer(plain(reference), plain(heard))


def codes(transcript: Transcript) -> set[str]:
    return {notice.code for notice in transcript.warnings}


def test_a_clear_reading_is_heard_as_it_was_said(shared_data: Path, hear: Hear) -> None:
    transcript = hear(JFK)
    assert word_errors(truth(shared_data, JFK), transcript) <= 0.05
    assert transcript.language == "en"
    assert transcript.verbatim is False
    assert transcript.recognizer == "faster-whisper 1.2.1 / tiny.en 1a5afae06a4d"
    assert not transcript.warnings


def test_words_carry_their_punctuation_and_no_spaces(hear: Hear) -> None:
    texts = [word.text for word in hear(JFK).words]
    assert texts[-1] == "country."
    assert any(text.endswith(",") for text in texts)
    assert all(text == text.strip() for text in texts)


@pytest.mark.parametrize("name", [JFK, SONNET, LOOP, SPANISH])
def test_times_are_in_order_and_inside_the_recording(shared_data: Path, hear: Hear, name: str) -> None:
    words = hear(name).words
    assert words
    assert all(0 <= word.start_ms <= word.end_ms for word in words)
    assert all(first.end_ms <= second.start_ms for first, second in pairwise(words))
    assert words[-1].end_ms <= decode(shared_data / "2_audio" / name).duration_ms
    assert all(0 <= (word.confidence or 0) <= 1 for word in words)


def test_a_recited_poem(shared_data: Path, hear: Hear) -> None:
    assert word_errors(truth(shared_data, SONNET), hear(SONNET)) <= 0.15


def test_the_pauses_of_a_famous_sentence(shared_data: Path, hear: Hear) -> None:
    """Against the silences that a phoneme aligner (pocketsphinx 5.1) finds in the same clip, below in milliseconds."""
    recording = decode(shared_data / "2_audio" / JFK)
    words, speech = hear(JFK).words, detect(recording).segments()
    forced = align_words(recording.samples, [word.text for word in words], hints=words)
    after = word_times(words, forced, speech, recording.duration_ms).words
    # From 0.4 s: shorter silences turn on the edge of one frame, and tools differ there.
    found = [pause for pause in pauses(after, [False] * len(after)) if pause.length_ms >= 400]
    expected = [(2160, 3250), (4300, 5370), (7660, 8150)]
    assert len(found) == len(expected)
    for pause, (start, end) in zip(found, expected, strict=True):
        assert abs(pause.start_ms - start) <= 200
        assert abs(pause.end_ms - end) <= 60


def test_silence_put_into_a_reading_is_found_from_the_recognisers_own_words(shared_data: Path, tmp_path: Path) -> None:
    """M2a: 1.5 s of digital silence after "married" (0.98 s by the reading's own alignment file)."""
    name = "sense_and_sensibility_01_austen_64kb-0920.wav"
    samples = decode(shared_data / "2_audio" / "pocketsphinx" / "librivox" / name).samples
    put_silence(samples, 980, np.zeros(24_000, np.float32), tmp_path / "joined.wav")
    joined = decode(tmp_path / "joined.wav")
    heard = transcribe(joined.samples, weights=find_weights())
    after = correct_edges(heard.words, detect(joined).segments(), joined.duration_ms)
    found = [pause for pause in pauses(after.words, [False] * len(after.words)) if pause.start_ms < 1730 < pause.end_ms]
    assert len(found) == 1
    assert abs(found[0].length_ms - 1500) <= 60
    assert found[0].kind == "hesitation"
    # The recogniser alone stretches the words over it, by more than a pause: that is why edges are corrected.
    assert after.largest_ms >= PAUSE_MS


def test_a_recogniser_in_a_loop_is_noticed(hear: Hear) -> None:
    assert "heard_again" in codes(hear(LOOP))
    assert "recognizer_loop" not in codes(hear(LOOP))
    assert "recognizer_loop" in codes(hear(SPANISH))
    assert "recognizer_loop" not in codes(hear(SONNET))


def tones(seconds: float) -> dict[str, NDArray[np.float32]]:
    rate = 16_000
    time = np.arange(int(seconds * rate)) / rate
    noise = np.random.default_rng(1).normal(size=time.size)
    brown = np.cumsum(noise)
    clicks = np.zeros(time.size)
    clicks[::8000] = 0.9
    made = {
        "digital silence": np.zeros(time.size),
        "constant": np.full(time.size, 0.2),
        "quiet white noise": noise * 0.001,
        "loud white noise": (noise * 0.3).clip(-1, 1),
        "brown noise": 0.3 * brown / np.abs(brown).max(),
        "hum": 0.1 * np.sin(2 * np.pi * 50 * time) + 0.05 * np.sin(2 * np.pi * 150 * time),
        "beep": 0.3 * np.sin(2 * np.pi * 440 * time),
        "clicks": clicks,
    }
    return {name: samples.astype(np.float32) for name, samples in made.items()}


@pytest.mark.parametrize("name", list(tones(0.1)))
def test_what_is_no_voice_gives_no_words(name: str) -> None:
    # tiny.en by itself writes "You" into silence, rows of dots into white noise, and "Beep beep beep" at a sine.
    transcript = transcribe(tones(6)[name], weights=find_weights())
    assert transcript.words == ()
    assert codes(transcript) == {"no_voice"}


@pytest.mark.parametrize("samples", [0, 1, 511, 512, 800])
def test_very_short_recordings_give_no_words(shared_data: Path, samples: int) -> None:
    # 50 ms out of the middle of a word: no word can be heard in it.
    speech = decode(shared_data / "2_audio" / JFK).samples[16_000 : 16_000 + samples]
    assert transcribe(speech, weights=find_weights()).words == ()


def test_words_far_from_any_voice_are_dropped_and_listed() -> None:
    voice = np.zeros(400, np.float32)  # 12.8 s
    voice[:30] = 0.9  # voice to 0.96 s
    heard = [Word("Hello.", 100, 900), Word("Thank", 9000, 9200), Word("you.", 9200, 9500)]
    words, notices = recognizer._mend(heard, voice, 12_800, TRACE_FROM)
    assert [word.text for word in words] == ["Hello."]
    assert [notice.code for notice in notices] == ["words_without_speech"]
    assert "“Thank” at 9.00 s" in notices[0].found


def test_voice_without_a_word_is_said_to_be_so() -> None:
    words, notices = recognizer._mend([], np.ones(100, np.float32), 3200, TRACE_FROM)
    assert words == ()
    assert [notice.code for notice in notices] == ["no_words_heard"]


def test_impossible_times_are_mended_and_listed() -> None:
    voice = np.ones(100, np.float32)  # 3.2 s
    heard = [Word("a", 0, 800), Word("b", 700, 650), Word("c", 900, 1000), Word("d", 2900, 3500), Word("e", 3300, 3700)]
    words, notices = recognizer._mend(heard, voice, 3200, TRACE_FROM)
    assert [(word.start_ms, word.end_ms) for word in words] == [
        (0, 800),
        (800, 800),
        (900, 1000),
        (2900, 3200),
        (3200, 3200),
    ]
    assert [notice.code for notice in notices] == ["word_times_mended"]
    assert notices[0].found.startswith("3 words had times that ran backwards or past the end")


def test_who_repeats_himself_in_good_time_is_no_loop() -> None:
    said = [Word(text, 300 * index, 300 * index + 280) for index, text in enumerate(["red", "lorry,"] * 6)]
    assert find_loop(said) is None
    looped = [
        Word(word.text, word.start_ms, word.start_ms + (20 if index > 3 else 280)) for index, word in enumerate(said)
    ]
    loop = find_loop(looped)
    assert loop is not None
    assert "6 times" in loop.notice().found


def test_long_recordings_are_heard_in_stretches_cut_in_silence() -> None:
    frames = 20_000  # 640 s
    voice = np.full(frames, 0.9, np.float32)
    silence = range(1000, frames, 1000)
    for frame in silence:
        voice[frame : frame + 12] = 0
    parts = list(stretches(voice, frames * 32))
    assert parts[0].start_ms == 0
    assert parts[-1].end_ms == frames * 32
    assert all(before.end_ms == after.start_ms for before, after in pairwise(parts))
    assert all(part.length_ms <= 300_000 for part in parts)
    for part in parts[1:]:
        assert voice[part.start_ms // 32] == 0


def test_what_lies_around_the_voice_is_not_heard() -> None:
    voice = np.zeros(1000, np.float32)
    voice[100:200] = 0.9  # 3.2 to 6.4 s; half a second is left around it
    assert [(part.start_ms, part.end_ms) for part in stretches(voice, 32_000)] == [(2700, 6900)]


def test_progress_rises_to_one_and_the_words_are_the_same_again(shared_data: Path) -> None:
    shares: list[float] = []
    samples = decode(shared_data / "2_audio" / "azure_samples" / "whatstheweatherlike.wav").samples
    heard = transcribe(samples, weights=find_weights(), on_progress=shares.append)
    again = transcribe(samples, weights=find_weights())
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] == 1
    # The same samples, the same words, to the last digit.
    assert heard == again


def test_a_prompt_in_front_keeps_a_filled_pause_with_the_model_loaded_once(shared_data: Path) -> None:
    """The speaker says "uh, we're just saying some words" (TRUTH.tsv); the recogniser alone leaves it out."""
    from vivavoce.measures.filled_pauses import PROMPT

    samples = decode(shared_data / "2_audio" / "mfa_corpus" / "acoustic_corpus.wav").samples[int(13.5 * 16_000) :]
    part = samples[: 5 * 16_000]
    plain = transcribe(part, weights=find_weights())
    before = recognizer.loaded.cache_info().misses
    prompted = transcribe(part, weights=find_weights(), prompt=PROMPT)
    assert recognizer.loaded.cache_info().misses == before
    filled = [word for word in prompted.words if word.text.strip(".,").lower() in {"uh", "um"}]
    assert len(filled) == 1
    assert all(word.confidence is not None and 0 < word.confidence <= 1 for word in prompted.words)
    assert not any(word.text.strip(".,").lower() in {"uh", "um"} for word in plain.words)
    assert transcribe(part, weights=find_weights()) == plain


def test_another_language_than_the_weights_know_is_refused() -> None:
    samples = np.zeros(16_000, np.float32)
    model = recognizer.loaded(str(find_weights().path), find_weights().sha256, recognizer.THREADS)
    with pytest.raises(RequestError) as caught:
        recognizer._language(model, "es-MX")
    assert caught.value.code == "language_unsupported"
    assert recognizer._language(model, "en-GB") == "en"
    assert recognizer._language(model, None) == "en"
    assert transcribe(samples, weights=find_weights()).language == "en"


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    with pytest.raises(MissingError) as caught:
        transcribe(np.zeros(16_000, np.float32), weights=find_weights())
    assert caught.value.code == "extra_missing"
    assert "vivavoce[recognizer]" in caught.value.remedy


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    code = (
        "import sys; import vivavoce.transcript.recognizer, vivavoce.transcript.weights; "
        "sys.exit(any(name in sys.modules for name in ('numpy', 'faster_whisper', 'ctranslate2', 'onnxruntime')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_prompt_stands_before_every_window(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """31 s are two windows of Whisper's; what the model is given before it writes is read off at each."""
    samples = decode(shared_data / "2_audio" / SONNET).samples[: 31 * 16_000]
    model, given = recognizer.loaded(str(find_weights().path), find_weights().sha256, recognizer.THREADS), list[str]()
    made = model.get_prompt

    def noted(tokenizer: Any, *arguments: Any, **options: Any) -> list[int]:
        tokens = made(tokenizer, *arguments, **options)
        given.append(tokenizer.decode([token for token in tokens if token < tokenizer.eot]).strip())
        return list(tokens)

    monkeypatch.setattr(model, "get_prompt", noted)
    transcribe(samples, weights=find_weights(), prompt="Um, well, uh.")
    assert len(given) >= 2
    assert set(given) == {"Um, well, uh."}


def test_the_number_of_processors_moves_nothing(shared_data: Path) -> None:
    """With one thread numpy multiplies in another order than with two; no word, time or confidence may hang on that."""
    script = (
        "import sys; from pathlib import Path; from vivavoce.audio.waveform import decode;"
        "from vivavoce.transcript.recognizer import transcribe; from vivavoce.transcript.weights import find_weights;"
        "heard = transcribe(decode(Path(sys.argv[1])).samples, weights=find_weights());"
        "print([(word.text, word.start_ms, word.end_ms, word.confidence) for word in heard.words])"
    )

    def heard_with(threads: str) -> str:
        command = [sys.executable, "-c", script, str(shared_data / "2_audio" / JFK)]
        environment = {**os.environ, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads}
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    assert "country" in heard_with("1")
    assert heard_with("1") == heard_with("2")
