"""Files that are too long are refused before their words are built: a book must not take all memory and minutes."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from vivavoce.errors import TranscriptError
from vivavoce.transcript.importers import MAX_BYTES, Source, load_transcript, read_transcript
from vivavoce.transcript.importers.source import MAX_ENTRIES, MAX_RUNNING, MAX_WORDS

HEAD = '"ooTextFile"\n"TextGrid"\n0 11 <exists> 1 "IntervalTier" "words" 0 11 '


def refused(content: bytes) -> TranscriptError:
    with pytest.raises(TranscriptError) as caught:
        read_transcript(Source("long", content))
    return caught.value


def test_a_file_of_too_many_bytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "long.srt"
    with path.open("wb") as file:
        file.truncate(4 * MAX_BYTES)
    tracemalloc.start()
    with pytest.raises(TranscriptError) as caught:
        load_transcript(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (caught.value.code, caught.value.where) == ("transcript_too_long", "long.srt")
    assert str(MAX_BYTES) in caught.value.allowed
    assert peak < 3 * MAX_BYTES


@pytest.mark.parametrize(
    "content",
    [
        b"1\n00:00:01,000 --> 00:00:02,000\n" + b"a " * (MAX_RUNNING + 2),
        b'{"text": "' + rb"a\n" * (MAX_RUNNING + 2) + b'"}',
        b"rec 1 0.10 0.20 a\n" * (MAX_WORDS + 1),
        b"@Begin\n" + b"*A:\ta . \x151_2\x15\n" * (MAX_ENTRIES + 1),
        HEAD.encode() + b"%d " % (MAX_ENTRIES + 1) + b'0 1 "a" ' * 10,
        json.dumps({"text": "", "words": [{"word": "a", "start": 0, "end": 1}] * (MAX_ENTRIES + 1)}).encode(),
        json.dumps({"words": [{"text": "a", "start": 0, "end": 1}] * (MAX_WORDS + 1)}).encode(),
        b'{"partial": ""}\n' * (MAX_ENTRIES + 1),
    ],
    ids=["running", "escapes", "ctm", "chat", "textgrid", "entries", "own", "documents"],
)
def test_too_much_of_anything_is_refused_by_count(content: bytes) -> None:
    error = refused(content)
    assert error.code == "transcript_too_long"
    assert error.found
    assert error.allowed.startswith("at most ")


def test_a_long_list_is_refused_before_its_words_are_read() -> None:
    """Its first word is broken: that is not reached."""
    words = [{"word": 7, "start": 0, "end": 1}] + [{"word": "a", "start": 0, "end": 1}] * MAX_ENTRIES
    error = refused(json.dumps({"text": "", "words": words}).encode())
    assert (error.code, error.where) == ("transcript_too_long", "long /words")


def test_an_hour_of_fast_speech_is_taken() -> None:
    """400 words a minute for an hour, with much said beside each word, in the longest known form."""
    characters = [{"text": "a", "start": 0.5, "end": 0.6, "type": "character"}] * 5
    words = [
        {"text": "hello", "start": at * 0.15, "end": at * 0.15 + 0.1, "type": "word", "characters": characters}
        for at in range(24_000)
    ]
    content = json.dumps({"language_code": "eng", "text": "hello " * 24_000, "words": words}).encode()
    assert len(content) < MAX_BYTES
    assert len(read_transcript(Source("hour", content)).words) == 24_000
