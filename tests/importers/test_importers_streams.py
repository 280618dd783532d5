"""Live messages and pieces: only final words count, none is lost in silence, and what is no word list is named."""

from __future__ import annotations

import json
from typing import Any

import pytest
from importers_samples import SAMPLES
from importers_samples_streams import BARE, hypothesis, results, turn

from vivavoce.errors import TranscriptError
from vivavoce.timeline import Transcript
from vivavoce.transcript.importers import Source, read_transcript


def read(data: Any) -> Transcript:
    return read_transcript(Source("live", json.dumps(data).encode()))


def refused(data: Any) -> TranscriptError:
    with pytest.raises(TranscriptError) as caught:
        read(data)
    return caught.value


@pytest.mark.parametrize(
    "interim",
    [
        results(BARE[:2], "hello world", final=False),
        turn(0, [("hello", 100, 500), ("world", 520, 900)], "", end=False, formatted=False),
        hypothesis("partial", ("hello", 0.1, 0.5), ("world", 0.52, 0.9)),
    ],
    ids=["Deepgram", "AssemblyAI", "Rev AI"],
)
def test_interim_results_alone_are_refused(interim: dict[str, Any]) -> None:
    error = refused([interim])
    assert (error.code, "hello world" in error.found) == ("transcript_shape", True)


def test_what_was_never_made_final_is_told() -> None:
    found = read([results(BARE[:1], "hello", final=True), results(BARE[1:2], "world", final=False)])
    assert [word.text for word in found.words] == ["Hello"]
    assert [(notice.code, "“world”" in notice.found) for notice in found.warnings] == [("words_interim", True)]


def test_channels_of_live_results_are_told_apart() -> None:
    messages = [
        {**results(BARE[at : at + 1], "x", final=True), "channel_index": [channel, 2]}
        for channel, at in ((0, 0), (1, 1))
    ]
    found = read(messages)
    assert [word.text for word in found.words] == ["Hello", "World"]
    assert [notice.code for notice in found.warnings] == ["several_speakers"]


def test_the_place_in_a_list_and_in_indented_documents_is_named() -> None:
    printed = SAMPLES["vosk_printed"].content.replace('"start": 1.3', '"start": "soon"')
    with pytest.raises(TranscriptError) as caught:
        read_transcript(Source("live", printed.encode()))
    line = printed[: printed.rindex('"partial"')].count("\n") + 3
    assert (caught.value.code, caught.value.where) == ("transcript_shape", f"live line {line} /result/2/start")
    listed = json.loads(SAMPLES["vosk_list"].content)
    listed[1]["result"][2]["start"] = "soon"
    assert refused(listed).where == "live /1/result/2/start"


def test_a_document_that_is_cut_short_is_named_by_its_line() -> None:
    printed = SAMPLES["vosk_printed"].content
    with pytest.raises(TranscriptError) as caught:
        read_transcript(Source("live", printed[:-3].encode()))
    assert (caught.value.code, caught.value.where.startswith("live line ")) == ("transcript_json", True)


def test_vosk_words_without_times_are_counted() -> None:
    """Without SetWords a result has a text only: its words are not lost."""
    timed = {"result": [{"word": f"w{at}", "start": at, "end": at + 0.5} for at in range(4)], "text": "x"}
    found = read([timed, {"text": "lost"}])
    assert [word.text for word in found.words][-1] == "lost"
    assert [notice.code for notice in found.warnings] == ["words_without_times"]


@pytest.mark.parametrize(
    ("chunks", "code", "found"),
    [
        ([{"text": " Hello, world.", "timestamp": [0.0, 2.0]}], "transcript_without_times", "only the segments"),
        ([{"text": char, "timestamp": [0.1, 0.2]} for char in "hello"], "transcript_shape", "5 chunks of single"),
        ([{"text": "Hello", "timestamp": 0.5}], "transcript_shape", "0.5"),
    ],
)
def test_chunks_that_are_no_words_are_named(chunks: list[Any], code: str, found: str) -> None:
    error = refused({"text": "Hello, world.", "chunks": chunks})
    assert (error.code, found in error.found) == (code, True)


def test_words_without_ends_are_named() -> None:
    error = refused({"text": "a b c", "words": [{"word": said, "start": at} for at, said in enumerate("abc")]})
    assert error.code == "times_broken"
    assert error.found.startswith("of 3 words, 3 of no length")
    assert "“a” from 0.00 s" in error.found


def test_milliseconds_are_not_taken_for_seconds() -> None:
    """Words of text, start, end and confidence alone are no format: xAI's are in seconds, AssemblyAI's in ms."""
    words = [{"text": "Hello", "start": 100, "end": 500, "confidence": 0.9}]
    assert refused({"text": "Hello", "words": words}).code == "transcript_format"
