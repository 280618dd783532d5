"""Transcript files: what fits is read as it stands, what does not is refused with its place."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.errors import TranscriptError
from vivavoce.timeline import Transcript, Word
from vivavoce.transcript.importers import FORMATS, Source, load_transcript, read_transcript

HELLO = {"text": "Hello,", "start": 0.12, "end": 0.48, "confidence": 0.98}
WORLD = {"text": "world", "start": 0.5, "end": 1, "confidence": None}


def read(data: Any) -> Transcript:
    text = data if isinstance(data, str) else json.dumps(data)
    return read_transcript(Source("reading.json", text.encode()))


def refused(data: Any) -> TranscriptError:
    with pytest.raises(TranscriptError) as caught:
        read(data)
    return caught.value


def test_our_own_format(tmp_path: Path) -> None:
    path = tmp_path / "reading.json"
    path.write_text(json.dumps({"words": [HELLO, WORLD], "verbatim": True, "language": "en"}), encoding="utf-8-sig")
    assert load_transcript(path) == Transcript(
        (Word("Hello,", 120, 480, 0.98), Word("world", 500, 1000)), verbatim=True, language="en", recognizer="file"
    )


def test_little_is_enough() -> None:
    assert read({"words": []}) == Transcript(())
    assert read({"words": [{"text": "a", "start": 0, "end": 0}]}).words == (Word("a", 0, 0),)


def word(**changes: Any) -> dict[str, Any]:
    return {"words": [HELLO, {**WORLD, **changes}]}


@pytest.mark.parametrize(
    ("data", "code", "where"),
    [
        ('{"words": [', "transcript_json", ""),
        ('{"words": [], "words": []}', "transcript_json", "/words"),
        ('{"words": [{"text": "a", "start": NaN, "end": 1}]}', "transcript_json", "/words/0/start"),
        ('{"words": [{"text": "a", "start": 0, "end": Infinity}]}', "transcript_json", "/words/0/end"),
        ('{"words": [], }', "transcript_json", ""),
        ({"words": [], "extra": 1}, "transcript_shape", "/extra"),
        ({"words": [], "verbatim": "yes"}, "transcript_shape", "/verbatim"),
        ({"words": [], "verbatim": 1}, "transcript_shape", "/verbatim"),
        ({"words": [], "language": 3}, "transcript_shape", "/language"),
        ({"words": [HELLO, "world"]}, "transcript_shape", "/words/1"),
        (word(speaker=1), "transcript_shape", "/words/1/speaker"),
        (word(text=None), "transcript_shape", "/words/1/text"),
        (word(text="x" * 201), "transcript_shape", "/words/1/text"),
        (word(text="\ud800"), "transcript_shape", "/words/1/text"),
        (word(start="0.5"), "transcript_shape", "/words/1/start"),
        (word(start=True), "transcript_shape", "/words/1/start"),
        (word(end=None), "transcript_shape", "/words/1/end"),
        (word(end=1e9), "transcript_shape", "/words/1/end"),
        (word(confidence=1.01), "confidence_range", "/words/1/confidence"),
        (word(confidence=-0.1), "confidence_range", "/words/1/confidence"),
        (word(confidence=True), "transcript_shape", "/words/1/confidence"),
        (word(start=-0.1), "times_negative", "/words/1/start"),
        (word(start=1.5), "times_backward", "/words/1/end"),
        (word(start=0.1), "times_backward", "/words/1/start"),  # before the word before
        (word(start=0.4), "times_backward", "/words/1/start"),  # inside the word before
        ([HELLO], "transcript_format", ""),
        ({"segments": []}, "transcript_format", ""),
        ({"words": [{"word": "a"}]}, "transcript_format", ""),
        ("1\n00:00:01,000 to 00:00:02,000\nHello", "transcript_shape", "line 2"),
        ("  ", "transcript_format", ""),
    ],
)
def test_what_does_not_fit_is_refused(data: Any, code: str, where: str) -> None:
    error = refused(data)
    assert (error.code, error.where) == (code, f"reading.json {where}".strip())
    assert error.found
    assert error.allowed
    assert error.remedy


def test_an_unknown_file_is_told_why_it_is_none_of_the_formats() -> None:
    found = refused({"segments": []}).found
    assert all(known.name in found for known in FORMATS)
    assert 'it has no list "words"' in found


def test_one_millisecond_of_rounding_is_taken_off() -> None:
    words = read(word(start=0.479)).words
    assert (words[0].end_ms, words[1].start_ms) == (480, 480)
    assert refused(word(start=0.478)).code == "times_backward"


def test_words_without_letters_are_left_out_and_named() -> None:
    data = {"words": [HELLO, {"text": "—", "start": 0.49, "end": 0.5}, {"text": " ", "start": 0.5, "end": 0.5}, WORLD]}
    found = read(data)
    assert [spoken.text for spoken in found.words] == ["Hello, —", "world"]
    (notice,) = found.warnings
    assert notice.code == "words_empty"
    assert '/words/1 "—"' in notice.found


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.json", tmp_path):
        with pytest.raises(TranscriptError) as caught:
            load_transcript(path)
        assert caught.value.code == "transcript_unreadable"
    broken = tmp_path / "latin.json"
    broken.write_bytes(b'{"words": [{"text": "caf\xe9", "start": 0, "end": 1}]}')
    with pytest.raises(TranscriptError) as caught:
        load_transcript(broken)
    assert caught.value.code == "transcript_json"


def test_malformed_json_of_others_is_never_read(shared_data: Path) -> None:
    """Broken JSON that a repairer would mend (json_repair's cases) is refused, whatever it would mean."""
    lines = (shared_data / "8_malformed_json/json_repair/cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if not case["raw_is_strict_json"]]
    assert len(cases) == 184
    for case in cases:
        error = refused(case["raw"])
        begun = case["raw"].lstrip()[:1] in ("{", "[")
        assert error.code == ("transcript_json" if begun else "transcript_format"), case["raw"]


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["words", "text", "start", "end", "x"]), inner),
)


@given(JSON, st.sampled_from(["text", "start", "end", "confidence"]))
def test_nothing_but_our_error_comes_out(data: Any, key: str) -> None:
    """Whatever stands in a file, or in one place of a good file, is read or refused."""
    for content in (data, {"words": data}, {"words": [data]}, word(**{key: data})):
        with suppress(TranscriptError):
            assert isinstance(read(json.dumps(content)), Transcript)
