"""Odd contents: whatever stands in a place of a good file, the file is read or refused with our error."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from importers_samples import SAMPLES

from vivavoce.errors import TranscriptError
from vivavoce.timeline import Transcript
from vivavoce.transcript.importers import Source, read_transcript
from vivavoce.transcript.importers.language import language_code
from vivavoce.transcript.importers.prose import dress
from vivavoce.transcript.times import Heard

# Files of one JSON document; the others are text, or several documents one after another.
JSON_SAMPLES = [key for key in SAMPLES if re.match(r"\{(?!.*\}\s*\{)|\[(?!.*\}\s*\{)", SAMPLES[key].content, re.DOTALL)]
ODD: list[Any] = [None, True, -1, 10**30, 1.5, "", "\ud800", "x" * 300, [], {}, [[]], [{}], {"a": []}]


def places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every container of a tree with a key or position in it."""
    for key in list(tree) if isinstance(tree, dict) else range(len(tree)):
        yield tree, key
        if isinstance(tree[key], dict | list):
            yield from places(tree[key])


def read(content: str) -> Transcript:
    return read_transcript(Source("odd", content.encode("utf-8", "surrogatepass")))


@pytest.mark.parametrize("key", JSON_SAMPLES)
def test_nothing_but_our_error_comes_out_of_json(key: str) -> None:
    tree = json.loads(SAMPLES[key].content)
    for container, place in list(places(tree)):
        kept = container[place]
        for odd in ODD:
            container[place] = odd
            with suppress(TranscriptError):
                assert isinstance(read(json.dumps(tree)), Transcript)
        container[place] = kept
    assert read(json.dumps(tree)).words


@pytest.mark.parametrize("key", [key for key in SAMPLES if key not in JSON_SAMPLES])
def test_nothing_but_our_error_comes_out_of_text(key: str) -> None:
    """Each character left out, doubled, and the text cut short after it."""
    content = SAMPLES[key].content
    for at in range(0, len(content), 2):
        for odd in (content[:at] + content[at + 1 :], content[:at] + content[at] + content[at:], content[:at]):
            with suppress(TranscriptError):
                assert isinstance(read(odd), Transcript)


@given(st.text(alphabet=' \n:-->.,0123456789"<>*%@\x15abWEBVTT', max_size=200))
@settings(max_examples=100)
def test_nothing_but_our_error_comes_out_of_noise(noise: str) -> None:
    for head in ("", "WEBVTT\n\n", '"ooTextFile"\n"TextGrid"\n', "@Begin\n*A:\t", "1\n00:00:01,000 --> 00:00:02,000\n"):
        with suppress(TranscriptError):
            assert isinstance(read(head + noise), Transcript)


@pytest.mark.parametrize(
    ("key", "old", "new", "where"),
    [
        ("deepgram", '"start": 0.1', '"start": "soon"', "/results/channels/0/alternatives/0/words/0/start"),
        ("aws", '"0.52"', '"early"', "/results/items/2/start_time"),
        ("google_rest", '"1.400s"', '"1:40"', "/results/0/alternatives/0/words/0/endTime"),
        ("ibm", '["world", 1.0, 1.4]', '["world", 1.0]', "/results/0/alternatives/0/timestamps/2"),
        ("revai", '"value": "Hello"', '"value": 7', "/monologues/0/elements/0/value"),
        ("vosk_lines", '"start": 1.3', '"start": true', "line 2 /result/2/start"),
        ("ctm", "rec1 1 1.00 0.40 (", "rec1 1 1.00 (", "line 9"),
        ("own", '"recognizer": "a b"', '"recognizer": 5', "/recognizer"),
    ],
)
def test_the_place_is_named(key: str, old: str, new: str, where: str) -> None:
    content = SAMPLES[key].content
    assert old in content
    with pytest.raises(TranscriptError) as caught:
        read(content.replace(old, new, 1))
    assert (caught.value.code, caught.value.where) == ("transcript_shape", f"odd {where}")


def test_a_textgrid_that_is_cut_short_is_refused() -> None:
    with pytest.raises(TranscriptError) as caught:
        read(SAMPLES["textgrid_long"].content[:-40])
    assert caught.value.code == "transcript_shape"


def test_a_textgrid_without_a_tier_of_words_names_its_tiers() -> None:
    with pytest.raises(TranscriptError) as caught:
        read(SAMPLES["textgrid_long"].content.replace("ann - words", "ann - phones"))
    assert (caught.value.code, "phones" in caught.value.found) == ("transcript_tiers", True)


def test_azure_iso_durations() -> None:
    phrase = {
        "recognitionStatus": "Success",
        "nBest": [{"display": "Run.", "words": [{"word": "run", "offset": "PT1M0.52S", "duration": "PT0.5S"}]}],
    }
    (word,) = read(json.dumps({"recognizedPhrases": [phrase]})).words
    assert (word.text, word.start_ms, word.end_ms) == ("Run.", 60_520, 61_020)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("english", "en"), ("English", "en"), ("eng", "en"), ("en", "en"), ("en_us", "en-US"), ("en-us", "en-US"),
        ("en_uk", "en-GB"), ("EN-GB", "en-GB"), ("cmn-hans-cn", "zh-Hans-CN"), ("chinese", "zh"), ("haw", "haw"),
        ("auto", None), ("British English", None), ("", None), (None, None), (7, None),
    ],
)  # fmt: skip
def test_language_codes(given: Any, code: str | None) -> None:
    assert language_code(given) == code


@pytest.mark.parametrize(
    ("words", "prose", "dressed"),
    [
        ("hello world", "Hello, world.", "Hello, world."),
        ("in twenty nineteen it was", "In 2019, it was.", "In twenty nineteen, it was."),
        ("it costs five dollars", "It costs $5.", "It costs five dollars."),
        ("a well known man", "A well-known man.", "A well known man."),
        ("a b c", "", "a b c"),
        ("a b c", "x y z", "a b c"),
    ],
)
def test_punctuation_comes_from_the_running_text(words: str, prose: str, dressed: str) -> None:
    """Forms of equal words, and only the punctuation where the text writes numbers or joins words."""
    assert " ".join(word.text for word in dress([Heard(word) for word in words.split()], prose)) == dressed


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("WEBVTT\n\n00:00.000 --> 00:01.000\n" + "<u>" * 60_000, None),
        ("WEBVTT\n\n00:00.000 --> 00:01.000\n" + "<v " * 30_000 + "<00:00.500>", "transcript_without_times"),
        ("@Begin\n*A:\t" + "[" * 50_000 + "&" * 50_000 + "(." * 50_000, "transcript_without_times"),
        ('"ooTextFile"\n"TextGrid"\n' + '"' * 100_001, "transcript_shape"),
        (json.dumps({"text": "!" * 500_000 + "a", "words": [{"word": "a", "start": 0, "end": 1}]}), None),
    ],
    ids=["highlights", "voices", "codes", "quotes", "prose"],
)
def test_long_runs_of_signs_come_to_an_end(content: str, code: str | None) -> None:
    """Searches that run over the text again and again would take minutes to hours here."""
    if code is None:
        assert len(read(content).words) <= 1
        return
    with pytest.raises(TranscriptError) as caught:
        read(content)
    assert caught.value.code == code
