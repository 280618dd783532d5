"""Captions whose times cannot be read: refused with the line and the words, never passed over in silence."""

from __future__ import annotations

import pytest

from vivavoce.errors import TranscriptError
from vivavoce.timeline import Transcript
from vivavoce.transcript.importers import Source, read_transcript
from vivavoce.transcript.importers.source import MAX_WORDS

VTT = "WEBVTT\n\n00:01.000 --> 00:01.500\none\n\n{bad}\ntwo words\n\n00:03.000 --> 00:03.500\nthree\n"
SRT = "1\n00:00:01,000 --> 00:00:01,500\none\n\n2\n{bad}\ntwo words\n\n3\n00:00:03,000 --> 00:00:03,500\nthree\n"
MALFORMED = [
    "00:02.000 -> 00:02.500",
    "00:02;000 --> 00:02.500",
    "00-00-02 --> 00-00-03",
    "00:00:02,000 - 00:00:02,500",
    "00:00:02,000 → 00:00:02,500",
    "00:99:99.999 --> 00:99:99.999",
    "00:02.000 -->",
    "--> 00:02.500",
    "00:02 --> 00:03",
    "-00:02.000 --> 00:02.500",
]


def read(content: str) -> Transcript:
    return read_transcript(Source("cues", content.encode()))


def refused(content: str) -> TranscriptError:
    with pytest.raises(TranscriptError) as caught:
        read(content)
    return caught.value


@pytest.mark.parametrize("bad", MALFORMED)
@pytest.mark.parametrize(("template", "line"), [(VTT, 6), (SRT, 6)], ids=["vtt", "srt"])
def test_a_line_of_times_that_cannot_be_read_is_named_with_its_words(template: str, line: int, bad: str) -> None:
    error = refused(template.format(bad=bad))
    assert (error.code, error.where) == ("transcript_shape", f"cues line {line}")
    assert bad in error.found
    assert "two words" in error.found
    assert "00:00:01.000 --> 00:00:02.500" in error.allowed


@pytest.mark.parametrize("bad", MALFORMED)
def test_it_is_named_without_empty_lines_between_too(bad: str) -> None:
    error = refused(f"WEBVTT\n00:01.000 --> 00:01.500\none\n{bad}\ntwo\n00:03.000 --> 00:03.500\nthree\n")
    assert (error.code, error.where) == ("transcript_shape", "cues line 4")


@pytest.mark.parametrize("bad", ["00:02.000 -> 00:02.500", "00:99:99.999 --> 00:99:99.999"])
@pytest.mark.parametrize("head", ["WEBVTT\n\n", "WEBVTT\n", "1\n"])
def test_the_first_cue_of_all_is_named(head: str, bad: str) -> None:
    error = refused(f"{head}{bad}\nhello\n")
    assert (error.code, "hello" in error.found) == ("transcript_shape", True)


@pytest.mark.parametrize("head", ["WEBVTT\n\n", "1\n"])
def test_words_that_belong_to_no_cue_are_named(head: str) -> None:
    error = refused(f"{head}00:00:01.000 --> 00:00:01.500\none\n\ntwo\n\n00:00:03.000 --> 00:00:03.500\nthree\n")
    assert (error.code, error.where) == ("transcript_shape", f"cues line {head.count(chr(10)) + 4}")
    assert "“two”" in error.found
    error = refused(f"{head}00:00:01.000 --> 00:00:01.500\none\n\ntwo")
    assert (error.code, error.where) == ("transcript_shape", f"cues line {head.count(chr(10)) + 4}")


@pytest.mark.parametrize("mark", ["<00:01;200>", "<00:00:99.200>", "<-00:00:01.200>"])
def test_a_mark_that_cannot_be_read_is_named(mark: str) -> None:
    error = refused(f"WEBVTT\n\n00:01.000 --> 00:02.000\none <00:00:01.100>two {mark}three\n")
    assert (error.code, error.where, mark in error.found) == ("transcript_shape", "cues line 4", True)


def test_what_is_no_cue_is_passed_over() -> None:
    found = read(
        "WEBVTT - a title\nKind: captions\n\nNOTE\nover two\nlines\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:a\n\n"
        "first\n00:01.000 --> 00:01.500\none\n\n\nNOTE end\n\n7\n00:02.000 --> 00:02.500\ntwo\n\n8\n"
    )
    assert [word.text for word in found.words] == ["one", "two"]


def test_a_number_that_is_said_is_no_number_of_a_cue() -> None:
    """Without empty lines "5" is the word, and 2 the next cue's number."""
    vtt = read("WEBVTT\n\n00:01.000 --> 00:01.500\n5\n00:02.000 --> 00:02.500\nmen\n")
    srt = read("1\n00:00:01,000 --> 00:00:01,500\n5\n2\n00:00:02,000 --> 00:00:02,500\nmen\n")
    assert [word.text for word in vtt.words] == [word.text for word in srt.words] == ["5", "men"]
    mixed = read("1\n00:00:01,000 --> 00:00:01,500\n5\n00:00:02,000 --> 00:00:02,500\nmen\n")
    assert [word.text for word in mixed.words] == ["5", "men"]


def cues(*lines: tuple[str, int, int]) -> str:
    return "\n\n".join(
        f"{number}\n00:00:0{start / 1000:.3f} --> 00:00:0{end / 1000:.3f}\n{text}".replace(".", ",")
        for number, (text, start, end) in enumerate(lines, 1)
    )


def test_highlighted_words_have_the_times_of_their_cues() -> None:
    """stable-ts writes <font>, Whisper <u>; the plain cue fills the time between. The sentence is said twice."""
    for begin, end in (("<u>", "</u>"), ('<font color="#00ff00">', "</font>")):
        once = [(f"{begin}go{end} on", 1000, 1200), ("go on", 1200, 1500), (f"go {begin}on{end}", 1500, 1800)]
        again = [(f"{begin}go{end} on", 2000, 2200), (f"go {begin}on{end}", 2200, 2500)]
        found = read(cues(*once, *again))
        assert [(word.text, word.start_ms, word.end_ms) for word in found.words] == [
            ("go", 1000, 1200),
            ("on", 1500, 1800),
            ("go", 2000, 2200),
            ("on", 2200, 2500),
        ]


def test_a_highlight_that_is_an_ornament_loses_no_word() -> None:
    """Only one of three words stands out: the cue is a phrase, and its words have no times of their own."""
    error = refused(cues(("I <u>really</u> mean", 1000, 2000), ("it", 2000, 2200)))
    assert (error.code, error.found.startswith("3 of 4 words without times")) == ("transcript_without_times", True)
    assert "segments or cues" in error.found


def test_a_marked_line_that_is_said_again_is_kept() -> None:
    cue = "no <00:00:0{at}.200>no\n"
    found = read(
        "WEBVTT\n\n00:01.000 --> 00:01.500\n" + cue.format(at=1) + "\n00:02.000 --> 00:02.500\n" + cue.format(at=2)
    )
    assert [word.start_ms for word in found.words] == [1000, 1200, 2000, 2200]


def test_too_many_cues_are_refused() -> None:
    error = refused("WEBVTT\n\n" + "00:01.000 --> 00:01.500\na\n\n" * (MAX_WORDS + 1))
    assert (error.code, str(MAX_WORDS) in error.allowed) == ("transcript_too_long", True)
