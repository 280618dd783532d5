"""One talk, heard by six systems (2018 and 2019): they must agree on how fast it was spoken."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path

import pytest

from vivavoce.timeline import Transcript
from vivavoce.transcript.importers import load_transcript
from vivavoce.transcript.stretched import is_stretched
from vivavoce.transcript.words import is_filled_pause, tokenize_words

FILES = {
    "AWS": "aws_transcribe/amazonTranscribe.sample.json",
    "IBM": "ibm_watson/ibmTedTalkTranscript.sample.json",
    "Google": "google_stt/gcpStt.sample.json",
    "Google, punctuation": "google_stt/gcpSttPunctuation.sample.json",
    "Google, diarisation": "google_stt/gcpSttSpeakerDiarization.sample.json",
    "Speechmatics": "speechmatics/speechmatics_v1_TedTalk.json",
}


def words_per_minute(transcript: Transcript) -> float:
    """Words (L1 tokens, filled pauses left out: M1) over response time (M4)."""
    tokens = [
        token for token in tokenize_words([word.text for word in transcript.words]) if not is_filled_pause(token.key)
    ]
    return len(tokens) * 60_000 / (transcript.words[-1].end_ms - transcript.words[0].start_ms)


@pytest.fixture(scope="module")
def talk(shared_data: Path) -> dict[str, Transcript]:
    return {name: load_transcript(shared_data / "1_asr_json" / path) for name, path in FILES.items()}


def test_four_services_agree_within_two_percent(talk: dict[str, Transcript]) -> None:
    rates = {name: words_per_minute(transcript) for name, transcript in talk.items()}
    for (one, first), (other, second) in combinations(rates.items(), 2):
        assert abs(first - second) <= 0.02 * min(first, second), (one, first, other, second)


def test_they_hear_the_same_stretch(talk: dict[str, Transcript]) -> None:
    """All begin within 0.15 s at "There" and end within 0.1 s at "you"."""
    for edge, spread in (("start", 150), ("end", 100)):
        times = [
            transcript.words[0].start_ms if edge == "start" else transcript.words[-1].end_ms
            for transcript in talk.values()
        ]
        assert max(times) - min(times) <= spread


def test_stretched_words_are_found_where_they_are(talk: dict[str, Transcript]) -> None:
    """Google ends a word where the next begins, over the pauses; AWS, IBM and Speechmatics do not.

    Of Google's stretched words most reach over a gap of 0.25 s or more that AWS hears inside them.
    """
    warned = {name for name, transcript in talk.items() if "words_stretched" in {n.code for n in transcript.warnings}}
    assert warned == {"Google", "Google, punctuation", "Google, diarisation"}
    gaps = [(a.end_ms, b.start_ms) for a, b in pairwise(talk["AWS"].words) if b.start_ms - a.end_ms >= 250]
    stretched = [word for word in talk["Google"].words if is_stretched(word)]
    hiding = [
        word
        for word in stretched
        if any(min(word.end_ms, end) - max(word.start_ms, start) >= 250 for start, end in gaps)
    ]
    assert len(stretched) >= 20
    assert len(hiding) >= 0.9 * len(stretched)
