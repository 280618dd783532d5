"""Formats without a real file here: samples written from their documentation give the words that it says they hold."""

from __future__ import annotations

import pytest
from importers_samples import SAMPLES, Sample

from vivavoce.transcript.importers import Source, read_transcript

each_sample = pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES.keys())


@each_sample
def test_a_sample_gives_its_words(sample: Sample) -> None:
    found = read_transcript(Source("sample", sample.content.encode()))
    assert [(word.text, word.start_ms, word.end_ms) for word in found.words] == sample.words
    assert (found.language, found.verbatim) == (sample.language, sample.verbatim)
    assert tuple(notice.code for notice in found.warnings) == sample.codes


@each_sample
def test_line_ends_and_byte_order_mark_do_not_matter(sample: Sample) -> None:
    source = Source("sample", b"\xef\xbb\xbf" + sample.content.replace("\n", "\r\n").encode())
    assert [word.text for word in read_transcript(source).words] == [text for text, _, _ in sample.words]


@each_sample
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_every_format_may_be_utf_16(sample: Sample, encoding: str) -> None:
    """Windows' shells and editors write it, with or without a mark at the beginning."""
    found = read_transcript(Source("sample", sample.content.encode(encoding)))
    assert [word.text for word in found.words] == [text for text, _, _ in sample.words]


def test_confidence_is_taken() -> None:
    """whisper.cpp: the least sure token of the word; ElevenLabs: e to the log probability."""
    tokens = read_transcript(Source("x", SAMPLES["whisper_cpp"].content.encode())).words
    assert [word.confidence for word in tokens[:2]] == [0.8, 0.7]
    scribe = read_transcript(Source("x", SAMPLES["elevenlabs"].content.encode())).words
    assert scribe[0].confidence == 1.0
    assert scribe[1].confidence == pytest.approx(0.904837, abs=1e-6)


def test_the_recogniser_is_named_with_its_model() -> None:
    names = {key: read_transcript(Source("x", SAMPLES[key].content.encode())).recognizer for key in SAMPLES}
    assert names["own"] == "a b"
    assert names["deepgram"] == "Deepgram n v"
    assert names["speechmatics"] == "Speechmatics enhanced"
    assert names["whisper_cpp"] == "whisper.cpp base"
    assert names["google_rest"] == "Google Speech-to-Text"
