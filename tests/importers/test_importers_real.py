"""Every real file that is at hand: its format is found by content, and its words are those of a plain walk through it.

First and last words and their times were read from the files by hand; numbers of words come from `importers_walks`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from importers_walks import walk

from vivavoce.errors import TranscriptError
from vivavoce.timeline import Transcript
from vivavoce.transcript.importers import FORMATS, Source, load_transcript

ASR = "1_asr_json"

# First and last word with start and end in ms, language, verbatim, file; above them their format and recogniser.
BY_HAND = """
AWS Transcribe | AWS Transcribe
  There 13030 13220 | you 705785 705995 | - | - | aws_transcribe/amazonTranscribe.sample.json
Google Speech-to-Text | Google Speech-to-Text
  there 12900 13300 | you 705900 706000 | - | - | google_stt/gcpStt.sample.json
  There 12900 13300 | you. 705900 706000 | - | - | google_stt/gcpSttPunctuation.sample.json
  There 12900 13300 | you. 705800 706000 | en-US | - | google_stt/gcpSttSpeakerDiarization.sample.json
IBM Watson Speech to Text | IBM Watson Speech to Text
  there 13040 13230 | you 705770 705940 | - | - | ibm_watson/ibmTedTalkTranscript.sample.json
Speechmatics v1 | Speechmatics v1
  There 13050 13230 | you. 705800 705920 | en | - | speechmatics/speechmatics_v1_TedTalk.json
Speechmatics | Speechmatics standard
  Now, 2940 3270 | that. 52920 53190 | en | - | speechmatics/sm-transcript.json
Speechmatics | Speechmatics
  Tidy 1410 1830 | Whyalla. 11740 12300 | en | - | speechmatics/batch-job-transcript.json
  Two 8442 8760 | cents. 9660 10169 | en | - | speechmatics/convert_entity.json
  That's 30 270 | amazing. 1560 2040 | en | - | speechmatics/convert_simple_case.json
BBC Kaldi | BBC Kaldi
  There 13020 13170 | humanity. 703630 704340 | - | - | kaldi/kaldiTedTalkTranscript.sample.json
autoEdit 2 | autoEdit 2
  There 13050 13210 | humanity. 703640 704330 | - | - | other_editors/autoEdit2TedTalkTranscript.sample.json
Digital Paper Edit | Digital Paper Edit
  There 13020 13170 | groom's. 700610 701370 | - | - | other_editors/digitalPaperEdit.sample.json
Azure Speech | Azure Speech
  Good 50 320 | morning. 330 880 | - | - | azure_speech/*syllables.json
  Good 50 320 | morning. 330 880 | - | - | azure_speech/*ipa-format.json
Azure batch transcription | Azure batch transcription
  Run 40 520 | nine 6900 7460 | - | - | azure_speech/transcriptSample.json
Deepgram | Deepgram general-nova-3 2024-12-20.0
  Yep. 5520 6240 | it. 15271 15511 | - | no | deepgram/rest_a23137_29e7c8_response.json
  We, 320 800 | America. 18193 18593 | - | no | deepgram/rest_a23137_a17f48_response.json
Deepgram | Deepgram 2-general-nova 2024-01-09.29447
  Yep. 5520 6020 | it. 17281 17566 | - | no | deepgram/rest_b00dc1_29e7c8_response.json
  We, 320 640 | America. 18075 18575 | - | no | deepgram/rest_b00dc1_a17f48_response.json
Deepgram | Deepgram general-nova 2023-05-31.0
  Yep. 5520 6020 | it. 15201 15701 | - | no | deepgram/mock_response_prerecorded.json
Deepgram | Deepgram general-nova-3 2025-07-31.0
  Yeah. 0 480 | today. 25035 25355 | - | no | ruby_llm_vcr/deepgram*_url.json
  Ruby 160 560 | happiness. 2960 3520 | - | no | ruby_llm_vcr/deepgram*general_can_transcribe_audio.json
  Ruby 160 560 | happiness. 2960 3520 | - | no | ruby_llm_vcr/deepgram*language_hint.json
  Ruby 160 560 | happiness. 2960 3520 | - | no | ruby_llm_vcr/deepgram*local_file*.json
xAI | xAI
  Ruby 121 442 | happiness. 3016 3539 | en | - | ruby_llm_vcr/xai*can_transcribe_audio.json
  Ruby 121 442 | happiness. 3016 3539 | en | - | ruby_llm_vcr/xai*language_hint.json
  Ruby 121 442 | happiness. 3016 3539 | en | - | ruby_llm_vcr/xai*speakers*.json
Whisper | faster-whisper
  And 0 740 | country. 10240 10500 | en | no | faster_whisper_tiny_en/faster_whisper__jfk.flac.json
  Mrs. 0 780 | white. 13220 13520 | en | no | faster_whisper_tiny_en/*198-209-0000.ogg.json
PocketSphinx | PocketSphinx
  and 200 370 | them 6610 6790 | - | - | pocketsphinx/*0870.json
  and 200 370 | them 6610 6790 | - | - | pocketsphinx/*0870.phone.json
  had 220 440 | was 5210 5830 | - | - | pocketsphinx/*0920.json
  mr 310 630 | himself 23710 24380 | - | - | pocketsphinx/test-main.json
"""


@dataclass(frozen=True)
class Case:
    path: str
    kind: str
    recognizer: str
    first: str
    last: str
    language: str | None
    verbatim: bool | None


def cases() -> Iterator[Case]:
    kind = recognizer = ""
    for line in BY_HAND.strip().splitlines():
        parts = [part.strip() for part in line.split("|")]
        if len(parts) == 2:
            kind, recognizer = parts
            continue
        first, last, language, verbatim, path = parts
        spoken = {"no": False, "yes": True, "-": None}[verbatim]
        yield Case(path, kind, recognizer, first, last, None if language == "-" else language, spoken)


CASES = list(cases())
each_file = pytest.mark.parametrize("case", CASES, ids=[case.path for case in CASES])


def only(folder: Path, pattern: str) -> Path:
    (path,) = folder.glob(pattern)
    return path


def formats_that_fit(path: Path) -> list[str]:
    source = Source(path.name, path.read_bytes())
    return [known.name for known in FORMATS if known.misfit(source) is None]


@each_file
def test_a_file_gives_its_words(shared_data: Path, case: Case) -> None:
    path = only(shared_data / ASR, case.path)
    assert formats_that_fit(path) == [case.kind]
    found = load_transcript(path)
    assert len(found.words) == len(walk(path, case.kind))
    ends = [f"{word.text} {word.start_ms} {word.end_ms}" for word in (found.words[0], found.words[-1])]
    assert ends == [case.first, case.last]
    assert (found.language, found.recognizer, found.verbatim) == (case.language, case.recognizer, case.verbatim)


def letters(text: str) -> str:
    return re.sub(r"\(\d+\)$|[\W_]", "", text).lower()


@each_file
def test_words_and_times_are_those_of_the_file(shared_data: Path, case: Case) -> None:
    """Each word keeps its letters and its times; those that move (no length, overlaps) are told by a notice."""
    path = only(shared_data / ASR, case.path)
    found = load_transcript(path)
    moved = 0
    for word, (text, start, end) in zip(found.words, walk(path, case.kind), strict=True):
        assert letters(word.text) == letters(text)
        moved += abs(word.start_ms - start * 1000) > 1 or abs(word.end_ms - end * 1000) > 1
    told = sum(
        int(count)
        for notice in found.warnings
        if notice.code.startswith("times_")
        for count in re.findall(r"words, (\d+) ", notice.found)
    )
    # A word of no length takes from one neighbour, so at most two words move for each that is told.
    assert moved <= 2 * told


def test_every_recording_heard_by_tiny_en(shared_data: Path) -> None:
    """All 61 files: the words of the walk, or a refusal where over a fifth of them have no length."""
    folder = shared_data / ASR / "faster_whisper_tiny_en"
    files = sorted(folder.glob("*.json"))
    assert len(files) == 61
    refused = []
    for path in files:
        assert formats_that_fit(path) == ["Whisper"]
        expected = walk(path, "Whisper")
        empty = sum(start == end for _, start, end in expected)
        if empty > max(1, 0.2 * len(expected)):
            refused.append(path.name)
            with pytest.raises(TranscriptError) as caught:
                load_transcript(path)
            assert caught.value.code == "times_broken"
            continue
        found = load_transcript(path)
        assert len(found.words) == len(expected)
        assert (found.verbatim, found.recognizer, found.language) == (False, "faster-whisper", "en")
    # Loops: on Spanish, on cut-off words, on "uh-uh-uh".
    assert [name.split("__")[1].split(".")[0] for name in refused] == ["13697_11991_000000", "mfa_cutoff", "mfa_uhuh"]


def test_punctuation_comes_from_the_display_form(shared_data: Path) -> None:
    """Azure's timed words are bare and lexical; "0030" and "669" are other words, so "zero" stays."""
    found = load_transcript(shared_data / ASR / "azure_speech/transcriptSample.json")
    assert (
        " ".join(word.text for word in found.words) == "Run Alabama drivers license. zero zero three zero six six nine"
    )
    assert [notice.code for notice in found.warnings] == ["several_speakers"]


def test_diarised_words_are_not_counted_twice(shared_data: Path) -> None:
    """Google's last result repeats all words with speakers: 1766 of 3530, among them two that the others lack."""
    path = shared_data / ASR / "google_stt/gcpSttSpeakerDiarization.sample.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    lists = [result["alternatives"][0]["words"] for result in data["results"]]
    assert (sum(map(len, lists[:-1])), len(lists[-1])) == (1764, 1766)
    found = load_transcript(path)
    assert len(found.words) == 1766
    assert [word.text for word in found.words[-2:]] == ["Thank", "you."]
    assert "several_speakers" in [notice.code for notice in found.warnings]


def test_punctuation_is_joined_as_the_service_says(shared_data: Path) -> None:
    """Speechmatics' `attaches_to`: previous, next, both and none; its own text output is the expected one."""
    found = load_transcript(shared_data / ASR / "speechmatics/convert_punctuation.json")
    expected = (shared_data / ASR / "speechmatics/convert_punctuation.txt").read_text(encoding="utf-8").strip()
    assert " ".join(word.text for word in found.words) == expected == "Yes, *great for-sure & stuff"


def test_entities_are_taken_as_they_were_spoken(shared_data: Path) -> None:
    found = load_transcript(shared_data / ASR / "speechmatics/convert_entity.json")
    assert [word.text for word in found.words] == ["Two", "dollars", "five", "cents."]


def test_silence_is_an_empty_transcript(shared_data: Path) -> None:
    found = load_transcript(shared_data / ASR / "speechmatics/convert_empty.json")
    assert found == Transcript((), recognizer="Speechmatics")


WITHOUT_TIMES = [
    ("1_asr_json/ruby_llm_vcr/cohere*_audio.json", "9 of 9"),
    ("1_asr_json/ruby_llm_vcr/gemini*_audio.json", "9 of 9"),
    ("1_asr_json/ruby_llm_vcr/vertexai*_audio_1.json", "9 of 9"),
    ("1_asr_json/ruby_llm_vcr/mistral*_audio.json", "9 of 9"),
    ("1_asr_json/ruby_llm_vcr/mistral*speakers*.json", "9 of 9"),
    ("1_asr_json/ruby_llm_vcr/openai_gpt*_audio.json", "9 of 9"),
    ("1_asr_json/ruby_llm_vcr/openai_gpt*speakers.txt", "stream"),
    ("1_asr_json/ruby_llm_vcr/openai_gpt*deltas*.txt", "stream"),
    ("1_asr_json/ruby_llm_vcr/openai_whisper*_audio.json", "9 of 9"),
    ("1_asr_json/ruby_llm_vcr/openrouter*_audio.json", "9 of 9"),
    ("1_asr_json/azure_speech/realtimeresult.json", "2 of 3"),
    ("2_audio/librivox_sonnets/syncmaps/sonnet001.srt", "106 of 107"),
    ("2_audio/librivox_sonnets/syncmaps/sonnet001.vtt", "106 of 107"),
    ("2_audio/librivox_sonnets/syncmaps/sonnet001.textgrid", "106 of 107"),
    ("2_audio/librivox_sonnets/syncmaps/sonnet001.json", "106 of 107"),
    ("3_disfluency/batchalign2/*utterance.TextGrid", "79 of 80"),
    ("3_disfluency/talkbank_chat/core_basic-conversation.cha", "16 of 16"),
    ("3_disfluency/talkbank_chat/content_pauses-timed.cha", "14 of 14"),
]


@pytest.mark.parametrize(("path", "found"), WITHOUT_TIMES)
def test_a_transcript_without_word_times_is_refused(shared_data: Path, path: str, found: str) -> None:
    """The sonnet's maps time its lines (one of them, "1", is one word); so do utterances and segments."""
    full = only(shared_data, path)
    assert len(formats_that_fit(full)) == 1
    with pytest.raises(TranscriptError) as caught:
        load_transcript(full)
    assert (caught.value.code, caught.value.where) == ("transcript_without_times", full.name)
    assert found in caught.value.found
    assert "vivavoce align-audio" in caught.value.remedy
    assert "leave --transcript out" in caught.value.remedy
