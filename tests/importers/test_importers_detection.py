"""Which format a file has is decided by its content alone, and never twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from importers_samples import SAMPLES

from vivavoce.errors import TranscriptError
from vivavoce.transcript.importers import FORMATS, Source, read_transcript

PATTERNS = (
    "1_asr_json/*/*.json",
    "1_asr_json/*/*.txt",
    "2_audio/**/*.TextGrid",
    "2_audio/*/syncmaps/*",
    "3_disfluency/**/*.cha",
    "3_disfluency/**/*.TextGrid",
    "5_alignment/**/*.ctm",
)
# What is none of them: requests, error reports, plain text, and maps in formats that nobody asked for.
NOT_TRANSCRIPTS = {
    *("rest_a23137_29e7c8_options.json", "rest_a23137_a17f48_options.json", "rest_b00dc1_29e7c8_options.json"),
    *("rest_b00dc1_a17f48_options.json", "rest_a23137_a17f48_error.json", "empty.hyp.ctm", "convert_empty.txt"),
    *("convert_entity.txt", "convert_punctuation.txt", "convert_simple_case.txt", "convert_two_speakers.txt"),
    *("sonnet001.csv", "sonnet001.eaf", "sonnet001.tsv", "sonnet001.ttml"),
}


def fitting(source: Source) -> list[str]:
    return [known.name for known in FORMATS if known.misfit(source) is None]


def test_every_real_file_fits_one_format_or_none(shared_data: Path) -> None:
    files = sorted({path for pattern in PATTERNS for path in shared_data.glob(pattern)})
    assert len(files) > 150
    for path in files:
        found = fitting(Source("anonymous", path.read_bytes()))
        assert len(found) == (0 if path.name in NOT_TRANSCRIPTS else 1), (path.name, found)


@pytest.mark.parametrize("key", SAMPLES)
def test_every_sample_fits_its_format_alone(key: str) -> None:
    assert fitting(Source("anonymous", SAMPLES[key].content.encode())) == [SAMPLES[key].kind]


def test_every_format_is_met(shared_data: Path) -> None:
    """No format is without a file: a real one or a sample."""
    files = {path for pattern in PATTERNS for path in shared_data.glob(pattern)}
    met = {name for path in files for name in fitting(Source("x", path.read_bytes()))}
    met |= {sample.kind for sample in SAMPLES.values()}
    assert met == {known.name for known in FORMATS}


def test_names_are_different() -> None:
    assert len({known.name for known in FORMATS}) == len(FORMATS)


@pytest.mark.parametrize("content", ['{"a": 1}', "[1, 2]", "[]", "{}", "Hello, world.", "a b c d e", "\x00\x01", "WEB"])
def test_each_format_says_why_a_file_is_not_of_it(content: str) -> None:
    source = Source("odd", content.encode())
    for known in FORMATS:
        reason = known.misfit(source)
        assert reason, known.name
    with pytest.raises(TranscriptError) as caught:
        read_transcript(source)
    assert caught.value.code == "transcript_format"
    assert all(known.name in caught.value.found for known in FORMATS)


def test_bytes_that_are_no_text_are_named() -> None:
    with pytest.raises(TranscriptError) as caught:
        read_transcript(Source("odd", b"\xff\xfe\xfd"))
    assert caught.value.code == "transcript_format"
    assert "UTF-8" in caught.value.found


@pytest.mark.parametrize("bad", ['{"words": [', '{"results": NaN}', '{"text": "a", "text": "b"}', "[1, ]", "{'a': 1}"])
def test_what_is_not_strict_json_is_refused(bad: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        read_transcript(Source("odd", bad.encode()))
    assert caught.value.code == "transcript_json"


@pytest.mark.parametrize("key", [key for key in SAMPLES if SAMPLES[key].content.startswith("{")])
def test_not_a_number_is_refused_in_every_json_format(key: str) -> None:
    """Wherever a time stands as a number, NaN there is no JSON."""
    content = SAMPLES[key].content
    for number in ("0.1", "100", "0.5", "500"):
        spoiled = content.replace(f": {number}", ": NaN", 1)
        if spoiled != content:
            with pytest.raises(TranscriptError) as caught:
                read_transcript(Source("odd", spoiled.encode()))
            assert caught.value.code in ("transcript_json", "transcript_format")
            return
    assert key in (
        "aws",
        "aeneas_words",
        "ibm",
        "google_rest",
        "google_v2",
        "azure_miscue",
        "whisper_cpp_words",
        "huggingface",
    )


def test_several_documents_are_not_one() -> None:
    """One JSON object a line is Vosk's, PocketSphinx's and Speechmatics' way; of others it is not strict JSON."""
    line = json.dumps(json.loads(SAMPLES["deepgram"].content))
    with pytest.raises(TranscriptError) as caught:
        read_transcript(Source("odd", f"{line}\n{line}".encode()))
    assert caught.value.code == "transcript_format"
    assert "several JSON documents" in caught.value.found
