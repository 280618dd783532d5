"""Real CTM, TextGrid and CHAT files; counts by patterns of the raw text, written without the importers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from vivavoce.errors import TranscriptError
from vivavoce.timeline import Transcript
from vivavoce.transcript.importers import FORMATS, Source, load_transcript

BULLET = "\x15(\\d+)_(\\d+)\x15"


def kinds(path: Path) -> list[str]:
    return [known.name for known in FORMATS if known.misfit(Source(path.name, path.read_bytes())) is None]


def codes(found: Transcript) -> list[str]:
    return [notice.code for notice in found.warnings]


def test_a_textgrid_in_short_form(shared_data: Path) -> None:
    """The tier "words" has 71 intervals, 13 of them empty; the tier "phones" after it is not read."""
    path = shared_data / "2_audio/mfa_corpus/acoustic_corpus.TextGrid"
    lines = path.read_text(encoding="utf-8").splitlines()
    first, last = lines.index('"words"'), lines.index('"phones"')
    labels = [line for line in lines[first + 1 : last] if re.fullmatch(r'"[^"]+"', line) and line != '"IntervalTier"']
    found = load_transcript(path)
    assert kinds(path) == ["Praat TextGrid"]
    assert [word.text for word in found.words] == [label.strip('"') for label in labels]
    assert len(labels) == 58
    assert (found.words[0].start_ms, found.words[0].end_ms) == (1050, 1200)
    assert (found.words[-1].text, found.words[-1].start_ms, found.words[-1].end_ms) == ("thanks", 24950, 25250)


def test_a_textgrid_with_a_tier_a_speaker(shared_data: Path) -> None:
    path = shared_data / "3_disfluency/batchalign2/formats_textgrid_support_word.TextGrid"
    labels = re.findall(r'text = "([^"]+)"', path.read_text(encoding="utf-8"))
    found = load_transcript(path)
    assert sorted(word.text for word in found.words) == sorted(labels)
    assert (found.words[0].text, found.words[0].start_ms, found.words[0].end_ms) == ("hello", 0, 420)
    assert codes(found) == ["several_speakers"]
    assert "PAR0" in found.warnings[0].found
    assert "PAR1" in found.warnings[0].found


@pytest.mark.parametrize("name", ["audio_english-child-speech", "tiers_wor"])
def test_chat_with_timed_words(shared_data: Path, name: str) -> None:
    path = shared_data / f"3_disfluency/talkbank_chat/{name}.cha"
    tiers = "".join(re.findall(r"^%wor:(.*)$", path.read_text(encoding="utf-8"), re.MULTILINE))
    expected = [(int(start), int(end)) for start, end in re.findall(BULLET, tiers)]
    found = load_transcript(path)
    assert kinds(path) == ["CHAT"]
    assert [(word.start_ms, word.end_ms) for word in found.words] == expected
    assert (found.verbatim, found.language) == (True, "en")


def test_chat_punctuation_ends_the_word_before(shared_data: Path) -> None:
    found = load_transcript(shared_data / "3_disfluency/talkbank_chat/tiers_wor.cha")
    assert [word.text for word in found.words] == ["hello", "world.", "how", "are", "you?", "我."]
    assert codes(found) == ["several_speakers"]


def test_chat_with_one_utterance_untimed(shared_data: Path) -> None:
    """75 words of %wor tiers, and "this is a test of wake-up", which has only its bullet 985_2395: spread inside it."""
    path = shared_data / "3_disfluency/batchalign2/formats_chat_support_test.cha"
    content = path.read_text(encoding="utf-8")
    timed = re.findall(BULLET, "".join(re.findall(r"^%wor:(.*)$", content, re.MULTILINE)))
    found = load_transcript(path)
    assert len(found.words) == len(timed) + 6 == 81
    spread = found.words[1:7]
    assert [word.text for word in spread] == ["this", "is", "a", "test", "of", "wake-up."]
    assert (spread[0].start_ms, spread[-1].end_ms) == (985, 2395)
    assert [word.end_ms for word in spread[:-1]] == [word.start_ms for word in spread[1:]]
    assert codes(found) == ["words_without_times"]
    assert found.warnings[0].found.startswith("of 81 words, 6 without times")
    assert [word.text for word in found.words if word.text == "um"] == ["um", "um"]


@pytest.mark.parametrize(
    ("name", "words", "first", "last"),
    [
        ("fstalign/align_1.hyp.ctm", 11, ("a", 1000, 2000), ("j", 23000, 24000)),
        ("fstalign/align_1.hyp.punc_case.ctm", 11, ("A", 1000, 2000), ("J", 23000, 24000)),
        ("fstalign/align_2.hyp.ctm", 9, ("a", 1000, 2000), ("l", 17000, 18000)),
        ("fstalign/align_4.hyp1.ctm", 14, ("a", 1000, 2000), ("j", 23000, 24000)),
        ("fstalign/noise.hyp1.ctm", 10, ("a", 1000, 2000), ("j", 23000, 24000)),
        ("fstalign/syn_8.hyp.ctm", 8, ("we", 0, 360), ("accident", 1530, 2490)),
        ("sctk/lvc_hypm.ctm", 65, ("THEY", 50, 290), ("GUESS", 103210, 103530)),
    ],
)
def test_a_ctm(
    shared_data: Path, name: str, words: int, first: tuple[str, int, int], last: tuple[str, int, int]
) -> None:
    path = shared_data / "5_alignment" / name
    spoken = re.findall(r"^\S+ +\S+ +[\d.]+ +[\d.]+ +\S*\w\S*", path.read_text(encoding="utf-8"), re.MULTILINE)
    found = load_transcript(path)
    assert kinds(path) == ["CTM"]
    assert len(found.words) == len(spoken) == words
    assert [(word.text, word.start_ms, word.end_ms) for word in (found.words[0], found.words[-1])] == [first, last]


def test_a_ctm_overlap_is_cut_and_told(shared_data: Path) -> None:
    """see 0.48-0.78, that 0.75-1.70, that 1.05-1.26: two reach into the next; all they cover stays covered."""
    found = load_transcript(shared_data / "5_alignment/fstalign/syn_8.hyp.ctm")
    times = [(word.text, word.start_ms, word.end_ms) for word in found.words[2:7]]
    assert times == [
        ("see", 480, 750),
        ("that", 750, 1050),
        ("that", 1050, 1260),
        ("was", 1260, 1440),
        ("an", 1440, 1530),
    ]
    assert codes(found) == ["times_overlapping"]


def test_of_alternatives_the_first_is_taken(shared_data: Path) -> None:
    """All other words of NIST's reference; `awk` counts 24 lines of second alternatives."""
    path = shared_data / "5_alignment/sctk/tima_ref.ctm"
    words, alternative = 0, 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if "<ALT_BEGIN>" in line:
            alternative = 1
        elif "<ALT_END>" in line:
            alternative = 0
        elif "<ALT>" in line:
            alternative += 1
        elif line.strip() and alternative < 2 and line.split()[4] not in ("@",):
            words += 1
    assert len(load_transcript(path).words) == words


def test_a_ctm_of_several_recordings_is_refused(shared_data: Path) -> None:
    with pytest.raises(TranscriptError) as caught:
        load_transcript(shared_data / "5_alignment/sctk/lvc_hyp.ctm")
    assert (caught.value.code, caught.value.where) == ("several_recordings", "lvc_hyp.ctm line 917")


def test_a_negative_duration_is_backward(shared_data: Path) -> None:
    """tima_hyp.ctm has -0.01 twice."""
    path = shared_data / "5_alignment/sctk/tima_hyp.ctm"
    assert len(re.findall(r"\s-0\.\d+\s", path.read_text(encoding="utf-8"))) == 2
    found = load_transcript(path)
    assert any(n.code == "times_backward" and "words, 2 running backward" in n.found for n in found.warnings)


@pytest.mark.parametrize(("given", "read"), [("eng", "en"), ("English", "en"), ("en_us", "en-US"), ("tlh", "tlh")])
def test_our_own_file_names_its_language_as_every_other_does(tmp_path: Path, given: str, read: str) -> None:
    """English by another name was refused as another language."""
    path = tmp_path / "words.json"
    path.write_text(json.dumps({"words": [{"text": "yes", "start": 0.1, "end": 0.5}], "language": given}), "utf-8")
    assert load_transcript(path).language == read


def test_stretched_words_of_our_own_file_are_told(tmp_path: Path) -> None:
    path = tmp_path / "words.json"
    words = [{"text": "so", "start": 0.0, "end": 1.5}, {"text": "far", "start": 1.6, "end": 2.0}]
    path.write_text(json.dumps({"words": words}), "utf-8")
    found = load_transcript(path)
    assert codes(found) == ["words_stretched"]
    assert "“so” 1.50 s long at 0.00 s" in found.warnings[0].found


def test_a_time_without_a_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "lost.json"
    words = [{"word": said, "start": at, "end": at + 0.5} for at, said in enumerate(("so", "", "far"))]
    path.write_text(json.dumps({"text": "so far", "words": words}), "utf-8")
    found = load_transcript(path)
    assert [word.text for word in found.words] == ["so", "far"]
    assert codes(found) == ["words_empty"]
