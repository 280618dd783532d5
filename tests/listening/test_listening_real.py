"""The listener on real recordings: what is well said, what is not, and what is no speech of the text at all."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files

import numpy as np
import pytest

from vivavoce.audio.waveform import decode
from vivavoce.errors import InputError
from vivavoce.listening import COVERAGE, SCALES, about, ear, listen, listener_name
from vivavoce.transcript.weights import find_weights

pytest.importorskip("pocketsphinx")
pytest.importorskip("faster_whisper")


@lru_cache(maxsize=1)
def weights():
    return find_weights()


def hear(samples, text, source="reference", **more):
    return listen(samples, text.split(), text=source, weights=weights(), **more)


@pytest.fixture(scope="module")
def sonnet():
    folder = files("vivavoce") / "demo"
    task = json.loads((folder / "task.json").read_text("utf-8"))
    return decode(folder / "sonnet_001.mp3").samples, task["reference"]


def codes(listening):
    return [doubt.code for doubt in listening.doubts]


def test_a_good_reading(sonnet):
    samples, text = sonnet
    found = hear(samples, text)
    assert codes(found) == []
    assert found.listener == listener_name()
    assert set(found.estimates) == set(SCALES)
    for estimate in found.estimates.values():
        # A practised reader: the experts' scale calls 7 and more good.
        assert 7 <= estimate.value <= 10
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 10
    assert len(found.words) == len(text.split())
    read = [word.read_correctly for word in found.words]
    assert sum(share is not None and share > 0.5 for share in read) >= 0.95 * len(read)
    starts = [word.start_ms for word in found.words if word.start_ms is not None]
    assert starts == sorted(starts)
    assert all(phone.start_ms < phone.end_ms and 0 <= phone.score <= 2 for word in found.words for phone in word.phones)
    assert next(part.words for part in found.parts)[0] == 0
    assert found.parts[-1].words[1] == len(found.words)


def test_the_same_recording_gives_the_same(sonnet):
    samples, text = sonnet
    piece, words = samples[: 9 * 16_000], " ".join(text.split()[:14])
    assert hear(piece, words) == hear(piece, words)


def test_another_text_is_doubted(sonnet):
    samples, _ = sonnet
    other = "we all had a good time at the farm and then the children went home by bus"
    found = hear(samples[: 9 * 16_000], other)
    assert "listening_wrong_text" in codes(found)
    assert np.mean([word.read_correctly or 0 for word in found.words]) < 0.5


@pytest.mark.parametrize(
    ("samples", "text", "code"),
    [
        (np.zeros(32_000, np.float32), "hello world", "listening_failed"),
        (np.zeros(100, np.float32), "hello world", "listening_failed"),
        (np.zeros(0, np.float32), "hello world", "listening_failed"),
        (np.full(32_000, 0.5, np.float32), "hello world", "listening_failed"),
        (np.random.default_rng(0).normal(0, 0.05, 32_000).astype(np.float32), "", "listening_failed"),
        (np.random.default_rng(0).normal(0, 0.05, 32_000).astype(np.float32), "?! ...", "listening_failed"),
    ],
)
def test_nothing_to_hear_is_a_state(samples, text, code):
    found = hear(samples, text)
    assert found.estimates == {}
    assert codes(found) == [code]
    assert all(word.read_correctly is None and word.reason for word in found.words)


def test_noise_is_doubted():
    noise = np.random.default_rng(0).normal(0, 0.05, 48_000).astype(np.float32)
    found = hear(noise, "the weather is nice today", "recogniser")
    assert {"listening_noise", "listening_other_language"} & set(codes(found))


def test_open_speech_says_so(sonnet):
    samples, text = sonnet
    piece, words = samples[: 9 * 16_000], " ".join(text.split()[:14])
    assert "listening_open_speech" in codes(hear(piece, words, "recogniser"))
    assert "listening_open_speech" not in codes(hear(piece, words))


def test_learners_are_ordered_as_by_the_experts(shared_data):
    """The experts' best and worst (which the listener knows: this guards the way, not the ear)."""
    folder = shared_data / "speechocean762_train"
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text("utf-8").splitlines()]
    rows.sort(key=lambda row: (np.mean(row["accuracy"]), row["id"]))
    worst, best = rows[5:11], rows[-6:]
    values = {
        name: [
            hear(decode(folder / "audio" / f"{row['id']}.flac").samples, row["text"].lower())
            .estimates["accuracy"]
            .value
            for row in chosen
        ]
        for name, chosen in (("worst", worst), ("best", best))
    }
    assert max(values["worst"]) < 6 < 8 < min(values["best"])


def test_changed_weights_are_refused(monkeypatch):
    monkeypatch.setattr(ear, "SHA256", "0" * 64)
    ear.trained.cache_clear()
    with pytest.raises(InputError) as caught:
        ear.trained()
    ear.trained.cache_clear()
    assert caught.value.code == "listener_changed"


def test_the_weights_are_small_and_plain():
    content = (files("vivavoce.listening") / ear.FILE).read_bytes()
    assert len(content) < 2_000_000
    with np.load(files("vivavoce.listening") / ear.FILE, allow_pickle=False) as arrays:
        assert {arrays[name].dtype.kind for name in arrays.files} <= {"f", "u"}


def test_the_card_says_what_must_be_known():
    card = about()
    for needed in (
        "speechocean762",
        "CC BY 4.0",
        ear.trained().sha256,
        "children",
        "female",
        "Limits",
        f"{COVERAGE:.0%}",
    ):
        assert needed in card
