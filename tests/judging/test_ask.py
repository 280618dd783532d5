"""Asking a model: afresh when a reply breaks its contract, the median of K samples, named states, the cache."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from judging_samples import GOOD, ScriptedModel, brief, changed

from vivavoce.errors import ModelError
from vivavoce.judging.ask import ModelJudge
from vivavoce.judging.cache import Cache
from vivavoce.judging.judge import Verdict
from vivavoce.judging.recorded import recorded_from_json

CARD = json.dumps(GOOD["audio_postcard", "task_adherence"])
QUICK = GOOD["rapid_fire_qa", "task_adherence"]


def story(score: int) -> str:
    return json.dumps({"story": score, "reason": "A story."})


def failing(code: str) -> ModelError:
    return ModelError(code, where="server", found="trouble", allowed="an answer", remedy="try later", raw="half")


def ask(model: ScriptedModel, module: str = "story_building", marker: str = "task_adherence", **more: Any) -> Verdict:
    return ModelJudge(model, **more).judge(brief(module, marker))


def test_a_fitting_reply_counts_and_says_who_judged() -> None:
    model = ScriptedModel(story(62))
    verdict = ask(model)
    assert verdict.values == {"story": 62}
    assert (verdict.judge, verdict.scores, verdict.samples) == ("scripted:one", (62,), 1)
    [reply] = verdict.replies
    assert (reply.raw, reply.accepted, reply.model, reply.input_tokens) == (story(62), True, "scripted-1", 100)
    assert len(verdict.prompt_digest) == 64
    [request] = model.asked
    assert request.temperature == 0
    assert request.schema is not None


def test_a_rejected_reply_is_asked_afresh_two_more_times_and_all_are_kept() -> None:
    model = ScriptedModel("Good story!", '{"story": 62.5, "reason": "x"}', story(62))
    verdict = ask(model)
    assert verdict.values == {"story": 62}
    assert [reply.raw for reply in verdict.replies] == ["Good story!", '{"story": 62.5, "reason": "x"}', story(62)]
    codes = [reply.error and reply.error["code"] for reply in verdict.replies]
    assert codes == ["json_invalid", "value_type", None]
    assert len({(request.system, request.user) for request in model.asked}) == 1
    assert len({request.seed for request in model.asked}) == 3


def test_three_broken_replies_leave_the_marker_pending_with_what_was_received() -> None:
    verdict = ask(ScriptedModel("a", "b", "c", story(62)))
    assert (verdict.state, verdict.values) == ("pending", None)
    assert verdict.reason is not None
    assert verdict.reason.code == "judge_unreadable"
    assert [reply.raw for reply in verdict.replies] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("code", "state"),
    [
        ("model_no_key", "judge_no_key"),
        ("model_key_refused", "judge_key_refused"),
        ("model_no_server", "judge_no_server"),
        ("model_timeout", "judge_timeout"),
        ("model_rate_limited", "judge_rate_limited"),
        ("model_refused", "judge_refused"),
        ("model_server_error", "judge_failed"),
    ],
)
def test_what_goes_wrong_is_a_named_state_and_nothing_is_lost(code: str, state: str) -> None:
    model = ScriptedModel("prose first", failing(code), story(62))
    verdict = ask(model)
    assert (verdict.state, verdict.values) == ("pending", None)
    assert verdict.reason is not None
    assert verdict.reason.code == state
    assert [reply.raw for reply in verdict.replies] == ["prose first", "half"]
    assert len(model.asked) == 2


def test_a_reply_that_was_cut_off_is_asked_again() -> None:
    verdict = ask(ScriptedModel(failing("model_cut_off"), story(62)))
    assert verdict.values == {"story": 62}
    assert verdict.replies[0].error is not None
    assert verdict.replies[0].error["code"] == "model_cut_off"


def test_the_median_of_the_samples_counts_and_the_spread_is_told() -> None:
    verdict = ask(ScriptedModel(*map(story, (70, 61, 66, 64, 68))), samples=5)
    assert verdict.values == {"story": 66}
    assert verdict.scores == (70, 61, 66, 64, 68)
    assert verdict.as_dict()["spread"] == 9
    assert verdict.needs_person is None


def test_of_two_in_the_middle_the_lower_counts() -> None:
    assert ask(ScriptedModel(*map(story, (60, 62, 66, 70))), samples=4).values == {"story": 62}


def test_a_spread_over_ten_is_for_a_person() -> None:
    at_limit = ask(ScriptedModel(*map(story, (60, 65, 70))), samples=3)
    over = ask(ScriptedModel(*map(story, (60, 65, 71))), samples=3)
    assert at_limit.needs_person is None
    assert over.needs_person is not None
    assert over.needs_person.code == "judgements_spread"
    assert over.values == {"story": 65}


def test_the_parts_are_those_of_the_median_sample() -> None:
    """The anchor and the quotes that are kept belong to the score that counts."""
    worse = {**QUICK, "anchor": "adequate", "score": 70}
    better = {**QUICK, "anchor": "excellent", "score": 94}
    model = ScriptedModel(*map(json.dumps, (worse, QUICK, better)))
    verdict = ask(model, "rapid_fire_qa", samples=3)
    assert verdict.accepted is not None
    assert (verdict.accepted["score"], verdict.accepted["anchor"]) == (88, "good")


def test_samples_are_independent_questions() -> None:
    model = ScriptedModel(*map(story, (60, 61, 62)))
    ask(model, samples=3)
    assert {request.temperature for request in model.asked} == {0.7}
    assert len({request.seed for request in model.asked}) == 3


def test_half_of_the_samples_unreadable_is_no_judgement() -> None:
    verdict = ask(ScriptedModel(story(60), "a", "b", "c"), samples=2)
    assert (verdict.state, verdict.values) == ("pending", None)
    assert len(verdict.replies) == 4
    most = ask(ScriptedModel(story(60), "a", "b", "c", story(62)), samples=3)
    assert (most.values, most.scores, most.samples) == ({"story": 60}, (60, 62), 3)


def test_a_judge_that_does_not_hear_is_not_asked_for_pronunciation() -> None:
    model = ScriptedModel(hears=False)
    verdict = ask(model, "audio_postcard", "pronunciation")
    assert (verdict.state, verdict.values, model.asked) == ("not_scored", None, [])
    assert verdict.reason is not None
    assert verdict.reason.code == "no_audio"


def test_the_recording_goes_to_a_judge_that_hears() -> None:
    hears, deaf = ScriptedModel(CARD), ScriptedModel(CARD, hears=False)
    ask(hears, "audio_postcard")
    ask(deaf, "audio_postcard")
    assert (hears.asked[0].audio_wav, deaf.asked[0].audio_wav) == (b"RIFF", None)


def test_the_same_submission_gets_the_same_score(tmp_path: Path) -> None:
    model = ScriptedModel("broken", story(62), story(80))
    first = ask(model, cache=Cache(tmp_path))
    again = ask(model, cache=Cache(tmp_path))
    assert (first.values, again.values) == ({"story": 62}, {"story": 62})
    assert len(model.asked) == 2
    assert [reply.cached for reply in again.replies] == [True, True]
    assert [reply.raw for reply in again.replies] == ["broken", story(62)]
    fresh = ask(model, cache=Cache(tmp_path), fresh=True)
    assert fresh.values == {"story": 80}
    assert ask(model, cache=Cache(tmp_path)).values == {"story": 80}


def test_another_prompt_is_another_question(tmp_path: Path) -> None:
    model = ScriptedModel(story(62), story(70))
    judge = ModelJudge(model, cache=Cache(tmp_path))
    assert judge.judge(brief("story_building", "task_adherence")).values == {"story": 62}
    assert judge.judge(brief("story_building", "task_adherence", "another story")).values == {"story": 70}


def test_what_was_not_accepted_is_not_kept(tmp_path: Path) -> None:
    model = ScriptedModel("a", "b", "c", story(62))
    assert ask(model, cache=Cache(tmp_path)).values is None
    assert ask(model, cache=Cache(tmp_path)).values == {"story": 62}


def test_the_cache_holds_replies_only_and_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    ask(ScriptedModel(story(62)), cache=Cache(folder))
    [kept] = folder.iterdir()
    assert (folder.stat().st_mode & 0o777, kept.stat().st_mode & 0o777) == (0o700, 0o600)
    assert "harbour" not in kept.read_text(encoding="utf-8")


def test_a_damaged_cache_is_asked_again(tmp_path: Path) -> None:
    model = ScriptedModel(story(62), story(63), story(64), story(65))
    ask(model, cache=Cache(tmp_path))
    [kept] = tmp_path.iterdir()
    # What was accepted once and does not fit any more is no reply to keep a marker pending with.
    broken = kept.read_text(encoding="utf-8").replace("story", "tale")
    for value, damage in ((63, "{"), (64, '{"replies": [{"unknown": 1}]}'), (65, broken)):
        kept.write_text(damage, encoding="utf-8")
        verdict = ask(model, cache=Cache(tmp_path))
        assert verdict.values == {"story": value}


def test_a_recording_of_replies_gives_the_same_verdict() -> None:
    asked = brief("story_building", "task_adherence")
    live = ModelJudge(ScriptedModel("broken", story(62))).judge(asked)
    markers = {"task_adherence": {"judgement": live.as_dict()}, "fluency": {"judgement": None}}
    report = json.loads(json.dumps({"schema": "vivavoce-report-3", "markers": markers}))
    replayed = recorded_from_json(report, "recorded:r.json", "r.json ").judge(asked)
    assert (replayed.values, replayed.scores) == (live.values, live.scores)
    assert [reply.raw for reply in replayed.replies] == ["broken", story(62)]


def test_a_recording_without_the_marker_leaves_it_pending() -> None:
    judge = recorded_from_json({"fluency": ["{}"]}, "recorded:r.json", "r.json ")
    verdict = judge.judge(brief("story_building", "task_adherence"))
    assert verdict.reason is not None
    assert (verdict.state, verdict.reason.code) == ("pending", "judge_no_reply")


def test_a_reply_that_contradicts_its_parts_is_asked_again() -> None:
    contradicting = json.dumps(changed(QUICK, "/score", 95))
    verdict = ask(ScriptedModel(contradicting, json.dumps(QUICK)), "rapid_fire_qa")
    assert verdict.replies[0].error is not None
    assert verdict.replies[0].error["code"] == "score_contradicts_anchor"
    assert verdict.scores == (88,)
