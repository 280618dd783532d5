"""Where words do not fit the sound, the reason first says what the recording does to them, then asks for English."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest
from problem_clips import learners
from problem_sounds import RATE, Samples

from vivavoce.audio.waveform import decode
from vivavoce.measures.hard_to_hear import reasons
from vivavoce.notice import Notice
from vivavoce.pipeline import Heard, force
from vivavoce.timeline import Transcript, Word

Save = Callable[[str, Samples], Path]
Refusal = Callable[..., Notice | None]
WRONG = "seven yellow tigers jumped over forty windows because nobody gave them orange umbrellas yesterday morning"


def encoded(folder: Path, samples: Samples, codec: str, form: str, bits_per_s: int) -> Path:
    path, rate = folder / f"{codec}-{bits_per_s}", 48_000 if codec == "libopus" else RATE
    with av.open(str(path), "w", format=form) as container:
        stream = container.add_stream(codec, rate=rate, layout="mono")
        stream.bit_rate = bits_per_s
        frame = av.AudioFrame.from_ndarray(samples[None].astype(np.float32), format="fltp", layout="mono")
        frame.sample_rate = RATE
        convert = av.AudioResampler(stream.format, "mono", rate, stream.codec_context.frame_size or None)
        for piece in (*convert.resample(frame), *convert.resample(None)):
            container.mux(stream.encode(piece))
        container.mux(stream.encode(None))
    return path


@pytest.fixture
def voice(shared_data: Path) -> Samples:
    clip = next(clip for clip in learners(shared_data, 30) if clip.age <= 12)
    samples = decode(clip.path).samples.astype(np.float64)
    quiet = 1e-4 * np.random.default_rng(1).normal(size=RATE // 2)
    return np.concatenate((quiet, 0.5 * samples / np.abs(samples).max(), quiet))


def why(path: Path, refusal: Refusal) -> Notice:
    """The refusal of words that were not said, as a recogniser unsure of them would give them."""
    waveform = decode(path)
    words = WRONG.split()
    step = waveform.duration_ms // len(words)
    made = Transcript(tuple(Word(word, i * step, (i + 1) * step, 0.4) for i, word in enumerate(words)))
    reason = refusal(Heard(waveform, made, force(waveform, made)))
    assert reason is not None
    assert reason.code == "language"
    return reason


def test_a_good_recording_is_asked_for_in_english(voice: Samples, save: Save, refusal: Refusal) -> None:
    reason = why(save("good", voice), refusal)
    assert "recogniser cannot follow" in reason.found
    assert reason.remedy.startswith("if it is English, give a transcript of it, or record again in a quiet place")


def test_a_noisy_one_is_asked_for_in_a_quieter_place(voice: Samples, save: Save, refusal: Refusal) -> None:
    loud = np.sqrt(np.mean(voice**2))
    noisy = voice + 0.4 * loud * np.random.default_rng(2).normal(size=voice.size)
    reason = why(save("noisy", 0.5 * noisy), refusal)
    assert reason.found.startswith("the recogniser could not follow the recording, perhaps because it is noisy; or")
    assert reason.remedy.startswith(
        "record again in a quieter place, closer to the microphone; if it was not in English"
    )


def test_one_squeezed_to_16_kbit_s_is_asked_for_less_squeezed(voice: Samples, tmp_path: Path, refusal: Refusal) -> None:
    reason = why(encoded(tmp_path, voice, "libmp3lame", "mp3", 16_000), refusal)
    assert "perhaps because it is compressed to 16 kbit/s" in reason.found
    assert reason.remedy.startswith("record again compressed less strongly (MP3")


@pytest.mark.parametrize(
    ("codec", "form", "bits_per_s", "told"),
    [
        ("libmp3lame", "mp3", 16_000, True),
        ("libmp3lame", "mp3", 24_000, False),
        ("aac", "ipod", 12_000, True),
        ("aac", "ipod", 24_000, False),
        ("libopus", "webm", 8_000, True),
        ("libopus", "ogg", 16_000, False),
        ("pcm_s16le", "wav", 0, False),
    ],
)
def test_too_few_bits_are_told_by_coding(
    voice: Samples, tmp_path: Path, codec: str, form: str, bits_per_s: int, told: bool
) -> None:
    waveform = decode(encoded(tmp_path, voice, codec, form, bits_per_s))
    assert bool(reasons(waveform, ())) == told
    if codec != "pcm_s16le":
        assert waveform.source.bits_per_s == pytest.approx(bits_per_s, rel=0.3)


def test_all_reasons_are_told(voice: Samples, tmp_path: Path) -> None:
    waveform = decode(encoded(tmp_path, voice, "libopus", "ogg", 8_000))
    notices = [Notice(code, "", "") for code in ("narrow_band", "noisy", "clipped")]
    assert [why.split()[2] for why, _ in reasons(waveform, notices)] == ["noisy", "no", "compressed"]
