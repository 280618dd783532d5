"""Silence, noise, claps, tones and music are not scored, and what a recogniser invents on them is dropped and listed.

What must come out is the issue's: none of these is scored. Sounds made by code, a real piano, rooms of recordings.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from problem_sounds import RATE, Samples, made_sounds, silences_of

from vivavoce.audio.waveform import decode
from vivavoce.notice import Notice
from vivavoce.pipeline import Heard, hear
from vivavoce.timeline import Word
from vivavoce.transcript.invented import LEAST_BELIEF, drop_invented, dropped_notice

Ear = Callable[[Path], Heard]
Save = Callable[[str, Samples], Path]
ROOMS = {
    "jfk": "faster_whisper/jfk.flac",
    "sonnet": "librivox_sonnets/sonnet_p001.mp3",
    "acoustic_corpus": "mfa_corpus/acoustic_corpus.wav",
    "breaths": "mfa_disfluent/mfa_breaths.flac",
}
READER = "mfa_corpus/61-70968-0000.flac"


def codes(heard: Heard) -> set[str]:
    return {notice.code for notice in heard.transcript.warnings}


def test_there_are_enough_of_them() -> None:
    assert len(made_sounds(0.5)) + len(ROOMS) >= 20


@pytest.mark.parametrize("name", list(made_sounds(0.5)))
def test_a_sound_made_by_code(ear: Ear, save: Save, refusal: Callable[..., Notice | None], name: str) -> None:
    heard = ear(save(name, made_sounds(5)[name]))
    reason = refusal(heard)
    assert reason is not None
    assert reason.code == "no_speech"
    # tiny.en hears "do do do" in the buzz: what is not dropped is listed in the reason.
    assert heard.transcript.words == () or f"“{heard.transcript.words[0].text}” at " in reason.found


@pytest.mark.parametrize("name", list(ROOMS))
def test_the_room_of_a_real_recording(
    shared_data: Path, ear: Ear, save: Save, refusal: Callable[..., object], name: str
) -> None:
    room = silences_of(decode(shared_data / "2_audio" / ROOMS[name]), 6)
    heard = ear(save(f"room {name}", room))
    assert getattr(refusal(heard), "code", None) in {"no_speech", "too_little_speech"}  # breaths are in it


def test_a_real_piano(shared_data: Path, ear: Ear, refusal: Callable[..., object]) -> None:
    heard = ear(shared_data / "6_levels" / "pyloudnorm" / "piano.wav")
    assert getattr(refusal(heard), "code", None) == "no_speech"


@pytest.mark.parametrize(
    ("file", "start_s", "end_s"),
    [("mfa_breaths", 0.0, 4.0), ("mfa_laughter", 9.0, 11.5)],
)
def test_breath_and_laughter_alone(
    shared_data: Path,
    ear: Ear,
    save: Save,
    refusal: Callable[..., object],
    file: str,
    start_s: float,
    end_s: float,
) -> None:
    """The first word of the one begins after 4 s, the last of the other ends before 9 s (a phoneme aligner's times)."""
    samples = decode(shared_data / "2_audio" / "mfa_disfluent" / f"{file}.flac").samples
    heard = ear(save(f"{file} alone", samples[int(start_s * RATE) : int(end_s * RATE)]))
    assert getattr(refusal(heard), "code", None) in {"no_speech", "too_little_speech"}


def test_words_invented_on_a_melody_are_listed(ear: Ear, save: Save) -> None:
    """tiny.en writes "you" on this melody, which passes for a voice, and believes it to one in a hundred."""
    heard = ear(save("music: melody", made_sounds(5)["music: melody"]))
    assert codes(heard) == {"words_without_speech", "no_words_heard"}
    notice = next(notice for notice in heard.transcript.warnings if notice.code == "words_without_speech")
    assert "“you” at " in notice.found.lower()


def plain(heard: Heard) -> list[str]:
    """The words without the commas and capitals that hang on what is heard around them."""
    return [word.text.lower().strip(".,;:?!") for word in heard.transcript.words]


@pytest.mark.parametrize("name", ["claps: applause"])
def test_nothing_is_invented_between_two_readings(shared_data: Path, ear: Ear, save: Save, name: str) -> None:
    reading = decode(shared_data / "2_audio" / READER).samples
    alone = plain(ear(shared_data / "2_audio" / READER))
    both = ear(save(f"between {name}", np.concatenate([reading, made_sounds(4)[name], reading])))
    assert plain(both) == alone + alone


def test_a_run_that_the_recogniser_does_not_believe_is_dropped() -> None:
    voice = np.ones(400, np.float32)  # 12.8 s
    said = [Word("Good", 0, 300, 0.2), Word("morning.", 350, 900, 0.1)]
    invented = [Word("Thank", 5000, 5200, LEAST_BELIEF / 2), Word("you.", 5200, 5500, LEAST_BELIEF / 2)]
    kept, dropped = drop_invented(said + invented, voice)
    assert kept == tuple(said)
    assert dropped == tuple(invented)
    notice = dropped_notice(dropped)
    assert notice is not None
    assert "“Thank” at 5.00 s, “you.” at 5.20 s" in notice.found


def test_a_word_that_is_doubted_among_others_stays() -> None:
    voice = np.ones(400, np.float32)
    said = [Word("the", 0, 300, 0.9), Word("zyzzyva", 300, 900, 0.001), Word("sleeps", 900, 1400, 0.9)]
    assert drop_invented(said, voice) == (tuple(said), ())


def test_words_without_confidence_are_not_doubted() -> None:
    voice = np.ones(400, np.float32)
    said = [Word("the", 0, 300), Word("end", 300, 900)]
    assert drop_invented(said, voice) == (tuple(said), ())


def test_words_of_a_file_over_claps_are_not_believed(
    save: Save, tmp_path: Path, refusal: Callable[..., object]
) -> None:
    from vivavoce.pipeline import hear

    words = ["the", "cat", "sat", "on", "the", "mat", "and", "it", "was", "warm"]
    listed = ", ".join(
        f'{{"text": "{text}", "start": {0.3 + index / 2}, "end": {0.7 + index / 2}}}'
        for index, text in enumerate(words)
    )
    transcript = tmp_path / "words.json"
    transcript.write_text(f'{{"words": [{listed}]}}', encoding="utf-8")
    heard = hear(save("claps: one person", made_sounds(5)["claps: one person"]), transcript=transcript)
    assert len(heard.transcript.words) == 10
    assert getattr(refusal(heard), "code", None) == "no_speech"


def test_an_empty_transcript_over_clear_speech_says_that_it_is_empty(
    shared_data: Path, tmp_path: Path, refusal: Callable[..., object]
) -> None:
    """The microphone was on: what is missing is in the file."""
    empty = tmp_path / "words.json"
    empty.write_text('{"words": []}', encoding="utf-8")
    reason = refusal(hear(shared_data / "2_audio" / READER, transcript=empty))
    assert getattr(reason, "code", None) == "no_speech"
    assert getattr(reason, "found", "") == "the transcript has no words"
