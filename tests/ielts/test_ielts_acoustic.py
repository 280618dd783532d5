"""Acoustic evidence: pooled by hand, told with its limits, and never part of a band."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from ielts_report_samples import INTERVIEW, MIXED, bands
from jsonschema import Draft202012Validator

from vivavoce.arithmetic import on_grid, parse, replay
from vivavoce.audio.waveform import decode
from vivavoce.measurement import STEPS, Measurement, measured
from vivavoce.measures.disfluency.find import find_disfluencies
from vivavoce.measures.recording import Measured, measure
from vivavoce.report.interview.acoustic import LIMITS, acoustic_evidence
from vivavoce.report.interview.document import part_document
from vivavoce.report.schemas import schema
from vivavoce.rubric.graduated import part
from vivavoce.timeline import Pause, Word
from vivavoce.transcript.importers import load_transcript

CHECK = Draft202012Validator(json.loads(schema("interview")))
UNITS = {
    "response_s": "s",
    "speaking_s": "s",
    "word_count": "words",
    "pace_variation": "ratio",
    "words_per_minute": "wpm",
}
FLOOR = "at least this many: the transcript may have dropped some"


def words(text: str, confidence: float | None = None) -> tuple[Word, ...]:
    return tuple(Word(word, 400 * at, 400 * at + 300, confidence) for at, word in enumerate(text.split()))


def recording(
    said: str,
    values: Mapping[str, float | None],
    kinds: str = "",
    confidence: float | None = None,
    note: str = "",
    fillers: int | None = 0,
) -> Measured:
    """A measured recording: `kinds` a letter a pause: p phrase, c choppy, h hesitation."""
    made: dict[str, Measurement] = {
        name: measured(name, values.get(name), unit, "M4", "" if values.get(name) is not None else "too short")
        for name, unit in UNITS.items()
    }
    for name in ("filled_pauses", "fillers", "false_starts"):
        made[name] = measured(name, fillers, "count", "A13", note)
    named: Any = {"p": "phrase", "c": "choppy", "h": "hesitation"}
    heard = words(said, confidence)
    return Measured(
        words=heard,
        pauses=tuple(Pause(0, 1000, named[kind]) for kind in kinds),
        measurements=made,
        fade_method="phrase",
        boundaries="punctuation",
        alignment=None,
        notices=(),
        has_speech=bool(heard),
        disfluencies=find_disfluencies(heard),
    )


ONE = recording(
    "so I I live there",
    {"response_s": 40, "speaking_s": 30, "word_count": 60, "pace_variation": 0.1, "words_per_minute": 120},
    kinds="pcch",
    confidence=0.5,
    fillers=1,
)
TWO = recording(
    "and it is warm",
    {"response_s": 20, "speaking_s": 20, "word_count": 45, "pace_variation": 0.2, "words_per_minute": 135},
    kinds="p",
    confidence=1.0,
    fillers=2,
)
SILENT = recording("", {"word_count": 0})


def values(found: dict[str, Any]) -> dict[str, Any]:
    return {row["name"]: row["value"] for row in found["values"]}


def test_two_recordings_by_hand() -> None:
    """60 s of response, 50 s of speaking: 105 words / (50/60 min) = 126; 4 pauses and 1 hesitation in 1 min.

    Fillers: (1 + 2) of each of two kinds, 6 in 60 s, 3 in 30 s. Restarts: "I I" is one, 0.5 in 30 s, half up 1.
    Confidence: (5 * 0.5 + 4 * 1.0) / 9 = 0.722. Variation: (0.1 + 0.2) / 2 = 0.15.
    """
    assert values(acoustic_evidence([ONE, TWO])) == {
        "response_s": 60,
        "words_per_minute": 126,
        "pace_variation": 0.15,
        "pauses_per_minute": 4,
        "hesitations_per_minute": 1,
        "fillers_per_30_s": 3,
        "restarts_per_30_s": 1,
        "word_confidence": 0.722,
    }


def test_each_recording_by_itself() -> None:
    """The first: 60 words / 0.5 min; 3 pauses and 1 hesitation in 40 s, 4.5 and 1.5 a minute; 2 fillers in 40 s: 2."""
    first, silent = acoustic_evidence([ONE, SILENT])["recordings"]
    assert (first["number"], first["speech"], silent["number"], silent["speech"]) == (1, True, 2, False)
    assert first["values"]["words_per_minute"] == 120
    assert first["values"]["pauses_per_minute"] == 4.5
    assert first["values"]["hesitations_per_minute"] == 1.5
    assert first["values"]["fillers_per_30_s"] == 2
    assert set(silent["values"].values()) == {None}


def test_values_follow_from_their_steps() -> None:
    for row in acoustic_evidence([ONE, TWO, SILENT])["values"]:
        exact = replay(parse(row["trace"]))
        assert float(on_grid(Fraction(exact), STEPS[row["unit"]])) == row["value"], row["name"]


def test_a_silent_recording_changes_no_value() -> None:
    assert values(acoustic_evidence([ONE, SILENT, TWO])) == values(acoustic_evidence([ONE, TWO]))


def test_without_speech_there_is_no_value_and_a_reason() -> None:
    for found in (acoustic_evidence([]), acoustic_evidence([SILENT])):
        assert set(values(found).values()) == {None}
        assert {row["note"] for row in found["values"]} == {"no words in any recording"}


def test_what_is_missing_is_told() -> None:
    short = recording("yes", {"response_s": 1, "speaking_s": 1, "word_count": 1, "words_per_minute": 60}, fillers=None)
    rows = {row["name"]: row for row in acoustic_evidence([ONE, short])["values"]}
    assert rows["pace_variation"]["value"] == 0.1
    assert rows["pace_variation"]["note"] == "measured in 1 of 2 recordings; too short"
    assert rows["fillers_per_30_s"]["value"] is None
    alone = {row["name"]: row for row in acoustic_evidence([short])["values"]}
    assert (alone["word_confidence"]["value"], alone["word_confidence"]["note"]) == (
        None,
        "the transcripts give no confidence",
    )


def test_counts_that_are_floors_say_so() -> None:
    some = recording("and so", {"response_s": 30, "speaking_s": 30, "word_count": 2}, note=FLOOR)
    rows = {row["name"]: row for row in acoustic_evidence([some])["values"]}
    assert rows["fillers_per_30_s"]["note"] == rows["restarts_per_30_s"]["note"] == FLOOR


def test_it_says_that_it_enters_no_band_and_what_it_does_not_say() -> None:
    found = acoustic_evidence([ONE])
    assert "no band" in found["statement"]
    assert found["limits"] == list(LIMITS)
    assert any("accents" in limit for limit in LIMITS)


@pytest.mark.parametrize("found", [[ONE], [ONE, TWO, SILENT], [SILENT], []])
def test_bands_are_the_same_with_and_without_it(found: list[Measured]) -> None:
    edition, decided = part(1), bands(MIXED, [7, 7, 6, 6])
    plain = part_document(edition, decided, interview=INTERVIEW)
    beside = part_document(edition, decided, interview=INTERVIEW, acoustic=acoustic_evidence(found))
    assert CHECK.is_valid(beside)
    assert {key: value for key, value in beside.items() if key != "acoustic"} == {
        key: value for key, value in plain.items() if key != "acoustic"
    }
    used = json.dumps([beside["trace"], *[row["trace"] for row in beside["criteria"]]])
    assert '"measured"' not in used


def test_a_real_monologue(shared_data: Path) -> None:
    """Of one recording the pooled values are that recording's own; of the same twice, the rates do not move."""
    waveform = decode(shared_data / "2_audio/mfa_corpus/acoustic_corpus.wav")
    folder = shared_data / "1_asr_json/faster_whisper_tiny_en"
    found = measure(waveform, load_transcript(next(folder.glob("*acoustic_corpus.wav.json"))))
    own = {name: one.number for name, one in found.measurements.items()}
    once, twice = values(acoustic_evidence([found])), values(acoustic_evidence([found, found]))
    # Times on a grid of 0.01 s, of some 20 s: 0.05 % of the rate.
    assert once["words_per_minute"] == pytest.approx(own["words_per_minute"], rel=0.001)
    assert once["hesitations_per_minute"] == pytest.approx(own["hesitations_per_minute"], rel=0.001, abs=0.01)
    assert once["response_s"] == own["response_s"] > 15
    assert once["pace_variation"] == own["pace_variation"]
    pauses = sum(pause.kind != "hesitation" for pause in found.pauses)
    assert pauses > 3
    assert once["pauses_per_minute"] == pytest.approx(60 * pauses / own["response_s"], abs=0.01)
    assert 0.5 < once["word_confidence"] <= 1
    for name in (
        "words_per_minute",
        "pace_variation",
        "pauses_per_minute",
        "hesitations_per_minute",
        "word_confidence",
    ):
        assert twice[name] == pytest.approx(once[name], abs=0.1 if name == "words_per_minute" else 0.01)
    assert twice["response_s"] == pytest.approx(2 * once["response_s"])
