"""The local judge on listenings made by hand: contract, trust, findings, replay."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from local_samples import LISTENER, TEXT, Ear, brief, listening, word

from vivavoce.arithmetic import parse, to_json
from vivavoce.errors import InputError, MissingError
from vivavoce.evidence import judged_evidence
from vivavoce.judging.judge import Brief, Reply, Verdict
from vivavoce.judging.local.judge import LocalJudge, contract_for
from vivavoce.judging.recorded import RecordedJudge
from vivavoce.listening.result import Estimate
from vivavoce.rubric.load import published
from vivavoce.scoring.rules import RULES

RULE = published().local


def judged(marker: str, gives: Any, **more: Any) -> Verdict:
    return LocalJudge().judge(brief(marker, Ear(gives), **more))


def scored(asked: Brief, verdict: Verdict) -> Any:
    """The marker as scoring makes it of the verdict."""
    judgement = verdict.judgement()
    assert judgement is not None
    task, words = asked.material.task, asked.material.words
    evidence = judged_evidence(asked.rubric, asked.module, asked.grade_band, task, words, [judgement])[asked.marker]
    assert evidence is not None
    rule = asked.module.rules[asked.marker][asked.grade_band]
    return RULES[rule.rule](asked.marker, rule, evidence, asked.rubric)


def test_the_trace_opens_to_the_estimate() -> None:
    for marker, scale in (("pronunciation", "accuracy"), ("fluency", "fluency")):
        asked = brief(marker, Ear(listening(7.5, 7.75)))
        verdict = LocalJudge().judge(asked)
        outcome = scored(asked, verdict)
        assert outcome.score == verdict.scores[0] == outcome.trace.value
        found = outcome.trace.find(f"predicted_{scale}")
        assert (found.op, found.unit, found.source) == ("judged", "experts' points", LISTENER)
        assert parse(json.loads(to_json(outcome.trace))).value == outcome.score


def test_pronunciation_by_hand() -> None:
    """7.5 is 83.5 -> 84; 7 is 79.75 -> 80; 8 is 87.25 -> 87."""
    verdict = judged("pronunciation", listening(7.5))
    assert verdict.scores == (84,)
    assert verdict.interval is not None
    assert (verdict.interval.low, verdict.interval.high, float(verdict.interval.coverage)) == (80, 87, 0.8)
    assert verdict.needs_person is None
    assert (verdict.judge, verdict.samples, verdict.at, verdict.replies[0].cost) == ("local", 1, "", None)


def test_an_interval_holds_its_score() -> None:
    """Experts may be found to lie above what is estimated; by hand 6.5 is 76, 7.5 is 84."""
    made = {"accuracy": Estimate(6.5, 7.0, 7.5)}
    verdict = judged("pronunciation", listening(estimates=made))
    assert verdict.interval is not None
    assert (verdict.scores, verdict.interval.low, verdict.interval.high) == ((76,), 76, 84)


def test_what_is_accepted_keeps_the_contract_of_every_judge() -> None:
    for marker in ("pronunciation", "fluency"):
        asked = brief(marker, Ear(listening(7.5, 7.75)), counts={"false_starts": 1})
        verdict = LocalJudge().judge(asked)
        facts = asked.material.facts(asked.rubric, asked.module, asked.grade_band)
        assert asked.contract().read(json.dumps(verdict.accepted), facts) == verdict.accepted


def test_a_floor_of_counts_only_lowers_levels() -> None:
    asked = brief("fluency", Ear(listening(fluency=6.0)), verbatim=False)
    verdict = LocalJudge().judge(asked)
    assert verdict.accepted is not None
    assert set(verdict.accepted["levels"].values()) == {"adequate"}
    better = {**verdict.accepted, "levels": dict.fromkeys(verdict.accepted["levels"], "excellent"), "score": 92}
    asked = brief("fluency", Ear(listening()), verbatim=False, counts={"false_starts": 3})
    facts = asked.material.facts(asked.rubric, asked.module, asked.grade_band)
    claimed = {**better, "counts": {"false_starts": 3, "disruptive_fillers": 0}}
    with pytest.raises(Exception, match="level_contradicts_count"):
        contract_for(asked).read_values(claimed, facts)


@pytest.mark.parametrize("code", RULE.not_scored)
def test_what_cannot_be_trusted_is_a_state(code: str) -> None:
    for marker in ("pronunciation", "fluency"):
        verdict = judged(marker, listening(doubts=[code]))
        assert (verdict.state, verdict.values) == ("pending", None)
        assert verdict.reason is not None
        assert verdict.reason.code == code
        assert verdict.replies[0].raw


@pytest.mark.parametrize("code", RULE.needs_person)
def test_what_is_doubtful_is_scored_and_for_a_person(code: str) -> None:
    verdict = judged("pronunciation", listening(doubts=[code]))
    assert verdict.state == "scored"
    assert verdict.needs_person is not None
    assert (verdict.needs_person.code, verdict.needs_person.found) == (code, f"found {code}")


def test_open_speech_is_told_and_needs_nobody() -> None:
    verdict = judged("fluency", listening(doubts=["listening_open_speech"]))
    assert (verdict.needs_person, verdict.remarks) == (None, ("found listening_open_speech",))


@pytest.mark.parametrize(("half", "alert"), [(0.99, False), (1.05, True)])
def test_an_interval_wider_than_a_tier_is_for_a_person(half: float, alert: bool) -> None:
    """At 5.5: 12.5 points a point of the experts; 4.51 to 6.49 is 51 to 76, 4.45 to 6.55 is 50 to 76 -> 26."""
    verdict = judged("pronunciation", listening(5.5, half=half))
    assert verdict.interval is not None
    assert (verdict.interval.high - verdict.interval.low > 25) is alert
    assert (verdict.needs_person is not None) is alert


def test_nothing_is_guessed_where_nobody_can_listen() -> None:
    missing = MissingError("extra_missing", where="x", found="x is not installed", allowed="x", remedy="install x")
    changed = InputError("listener_changed", where="x", found="another digest", allowed="x", remedy="install again")
    found = {
        "package": judged("fluency", missing),
        "weights": judged("fluency", changed),
        "language": judged("fluency", listening(), language="es"),
    }
    for verdict in found.values():
        assert verdict.reason is not None
        assert (verdict.state, verdict.reason.code) == ("pending", "local_judge_missing")
    assert judged("fluency", listening(), said="").reason.code == "listening_failed"
    asked = brief("fluency", Ear(listening()))
    deaf = replace(asked, material=replace(asked.material, ears=None))
    assert LocalJudge().judge(deaf).reason.code == "no_audio"
    without = listening(estimates={})
    assert judged("fluency", without).reason.code == "listening_failed"


@pytest.mark.parametrize(
    ("value", "fillers", "ends"), [(8.0, 10, "lowers it."), (5.0, 0, "raises it."), (9.0, 0, "flows.")]
)
def test_the_reason_says_where_counts_moved_the_score(value: float, fillers: int, ends: str) -> None:
    verdict = judged("fluency", listening(fluency=value), counts={"disruptive_fillers": fillers})
    assert verdict.accepted is not None
    assert verdict.accepted["reason"].endswith(ends)


def test_a_recording_is_listened_to_once() -> None:
    ear = Ear(listening())
    asked = brief("pronunciation", ear)
    LocalJudge().judge(asked)
    LocalJudge().judge(replace(asked, marker="fluency"))
    assert len(ear.asked) == 1


HARD = (
    word("I", 0),
    word("think", 1, 3.0, 0.1, TH=0.2, IH=1.9),
    word("that", 2, 4.5, 0.4, DH=1.8),
    word("three", 3, 8.0, 0.9, TH=0.6, R=1.7),
    word("boys", 4, 4.0, 0.9, B=1.9),
    word("ran", 5, 2.0, 0.2, R=0.3),
    word("home", 6, None, None),
)


def test_findings_are_few_and_careful() -> None:
    """Of the words those low on both counts, lowest first; of the sounds the one that recurs; the contract's list."""
    verdict = judged("pronunciation", listening(6.0, words=HARD))
    assert [(f["kind"], [p["word"] for p in f["places"]]) for f in verdict.findings] == [
        ("word", ["ran"]),
        ("sound", ["think", "three"]),
        ("word", ["think"]),
    ]
    assert all(" may " in finding["text"] for finding in verdict.findings)
    sound = verdict.findings[1]
    assert sound["sound"] == {"name": "TH", "ipa": "θ", "example": "th as in think"}
    assert sound["places"][0] == {"word": "think", "start_s": 0.5, "end_s": 0.55}
    assert verdict.accepted is not None
    assert [row["word"] for row in verdict.accepted["unclear_words"]] == ["ran", "think", "that"]


def test_excellent_names_no_word() -> None:
    verdict = judged("pronunciation", listening(9.5, words=HARD))
    assert verdict.accepted is not None
    assert (verdict.findings, verdict.accepted["unclear_words"]) == ((), [])


def test_words_are_named_as_the_transcript_has_them() -> None:
    """The text's word may have been heard as another: the contract quotes what stands in the transcript."""
    asked = brief("pronunciation", Ear(listening(6.0, words=HARD)), said=TEXT.replace("think", "sink"))
    verdict = LocalJudge().judge(asked)
    assert verdict.accepted is not None
    assert "sink" in [row["word"] for row in verdict.accepted["unclear_words"]]
    assert any("“think”" in finding["text"] for finding in verdict.findings)


def test_a_recorded_listening_gives_the_same_again() -> None:
    for marker in ("pronunciation", "fluency"):
        asked = brief(marker, Ear(listening(6.0, 6.0, words=HARD)), counts={"false_starts": 1})
        first = LocalJudge().judge(asked)
        again = RecordedJudge("recorded:f", {marker: first.replies}).judge(asked)
        assert (again.accepted, again.interval, again.findings) == (first.accepted, first.interval, first.findings)
        assert first.steps is not None
        assert again.steps is not None
        assert again.steps.value == first.steps.value


@pytest.mark.parametrize(
    ("find", "put", "code"),
    [
        ('"value": 6,', '"value": 60,', "value_range"),
        ('"high": 6.5', '"high": 5.4', "interval_reversed"),
        ('"coverage": 0.8', '"coverage": "much"', "value_type"),
        ('"doubts": []', '"doubts": 0', "request_shape"),
        ('"text": "reference"', '"text": "rumour"', "value_unknown"),
        ('"said": "ran"', '"said": "swam"', "words_not_said"),
        ('"parts": []', '"parts": [], "more": 1', "key_unknown"),
    ],
)
def test_a_recording_that_was_edited_is_refused(find: str, put: str, code: str) -> None:
    asked = brief("pronunciation", Ear(listening(6.0, words=HARD)))
    raw = LocalJudge().judge(asked).replies[0].raw
    assert find in raw
    reply = Reply(raw.replace(find, put), accepted=False)
    verdict = RecordedJudge("recorded:f", {"pronunciation": (reply,)}).judge(asked)
    assert (verdict.state, verdict.values) == ("pending", None)
    assert verdict.replies[0].error is not None
    assert verdict.replies[0].error["code"] == code
