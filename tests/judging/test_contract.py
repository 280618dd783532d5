"""Closed contracts: what fits is taken over, each broken rule is refused by its code at its JSON pointer."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from judging_samples import GOOD, TASKS, brief, changed, read, refusal, without

from vivavoce.errors import RequestError
from vivavoce.rubric.load import published
from vivavoce.submission import ChecklistItem


@pytest.mark.parametrize(("module", "marker"), GOOD)
def test_a_fitting_reply_is_accepted_and_fits_its_schema(module: str, marker: str) -> None:
    reply = GOOD[module, marker]
    schema = brief(module, marker).contract().schema()
    Draft202012Validator.check_schema(schema)
    assert Draft202012Validator(schema).is_valid(reply)
    accepted = read(module, marker, json.dumps(reply))
    for key in ("score", "story", "anchor", "levels", "counts", "reason"):
        if key in reply:
            assert accepted[key] == reply[key]


def test_rows_keep_the_order_of_their_ids_whatever_the_order_of_the_reply() -> None:
    reply = GOOD["audio_postcard", "task_adherence"]
    turned = reply | {"guardrails": dict(reversed(reply["guardrails"].items()))}
    accepted = read("audio_postcard", "task_adherence", json.dumps(turned))
    assert [row["id"] for row in accepted["guardrails"]] == ["substance", "groundedness", "over_vagueness", "reversal"]


def test_what_scoring_takes_of_a_reply() -> None:
    reply = GOOD["audio_postcard", "task_adherence"]
    reply = changed(reply, "/guardrails/reversal", {"fired": True, "words": "I miss you"})
    asked = brief("audio_postcard", "task_adherence")
    accepted = read("audio_postcard", "task_adherence", json.dumps(reply))
    assert asked.contract().scoring_values(accepted) == {
        "score": 93,
        "specific_detail": True,
        "guardrails": ["reversal"],
    }


PLAIN = GOOD["audio_postcard", "pronunciation"]
FLUENT = GOOD["audio_postcard", "fluency"]
CARD = GOOD["audio_postcard", "task_adherence"]
TALK = GOOD["short_informative_presentation", "task_adherence"]
QUICK = GOOD["rapid_fire_qa", "task_adherence"]
SIDE = GOOD["silly_topics_debate", "task_adherence"]
STORY = GOOD["story_building", "task_adherence"]
P, F, T = "pronunciation", "fluency", "task_adherence"

BROKEN: list[tuple[str, str, dict[str, Any], str, str]] = [
    # shape: keys, kinds, ranges
    ("audio_postcard", P, without(PLAIN, "/score"), "key_missing", "/score"),
    ("audio_postcard", P, PLAIN | {"band": "good"}, "key_unknown", "/band"),
    ("audio_postcard", P, changed(PLAIN, "/score", 84.5), "value_type", "/score"),
    ("audio_postcard", P, changed(PLAIN, "/score", "84"), "value_type", "/score"),
    ("audio_postcard", P, changed(PLAIN, "/score", True), "value_type", "/score"),
    ("audio_postcard", P, changed(PLAIN, "/score", None), "value_type", "/score"),
    ("audio_postcard", P, changed(PLAIN, "/score", 101), "value_range", "/score"),
    ("audio_postcard", P, changed(PLAIN, "/score", -1), "value_range", "/score"),
    ("audio_postcard", P, changed(PLAIN, "/reason", ""), "text_length", "/reason"),
    ("audio_postcard", P, changed(PLAIN, "/reason", "x" * 1001), "text_length", "/reason"),
    ("audio_postcard", P, changed(PLAIN, "/unclear_words", {}), "value_type", "/unclear_words"),
    (
        "audio_postcard",
        P,
        changed(PLAIN, "/unclear_words", PLAIN["unclear_words"] * 6),
        "list_length",
        "/unclear_words",
    ),
    ("audio_postcard", P, changed(PLAIN, "/unclear_words/0/word", "Cochin"), "words_not_said", "/unclear_words/0/word"),
    ("audio_postcard", F, changed(FLUENT, "/levels/smoothness", "Good"), "value_unknown", "/levels/smoothness"),
    ("audio_postcard", F, changed(FLUENT, "/counts/false_starts", -1), "value_range", "/counts/false_starts"),
    ("audio_postcard", F, without(FLUENT, "/levels/recovery"), "key_missing", "/levels/recovery"),
    ("audio_postcard", F, without(FLUENT, "/counts"), "key_missing", "/counts"),
    # the levels follow the counts: 4 false starts are Adequate, 2 fillers are Good (Middle, open)
    ("audio_postcard", F, changed(FLUENT, "/counts/false_starts", 4), "level_contradicts_count", "/levels/smoothness"),
    (
        "audio_postcard",
        F,
        changed(FLUENT, "/levels/smoothness", "excellent"),
        "level_contradicts_count",
        "/levels/smoothness",
    ),
    (
        "audio_postcard",
        F,
        changed(FLUENT, "/counts/disruptive_fillers", 2),
        "level_contradicts_count",
        "/levels/filler_control",
    ),
    # A14: 80 to 91 with good, excellent, good
    ("audio_postcard", F, changed(FLUENT, "/score", 79), "score_contradicts_levels", "/score"),
    ("audio_postcard", F, changed(FLUENT, "/score", 92), "score_contradicts_levels", "/score"),
    # nothing to recover from is Excellent
    (
        "audio_postcard",
        F,
        {
            "counts": {"false_starts": 0, "disruptive_fillers": 0},
            "levels": {"smoothness": "excellent", "filler_control": "excellent", "recovery": "good"},
            "score": 90,
            "reason": "Smooth.",
        },
        "recovery_without_stumble",
        "/levels/recovery",
    ),
    ("audio_postcard", T, without(CARD, "/guardrails/reversal"), "key_missing", "/guardrails/reversal"),
    (
        "audio_postcard",
        T,
        changed(CARD, "/guardrails/humour", {"fired": False, "words": ""}),
        "key_unknown",
        "/guardrails/humour",
    ),
    ("audio_postcard", T, changed(CARD, "/guardrails/reversal/fired", 1), "value_type", "/guardrails/reversal/fired"),
    (
        "audio_postcard",
        T,
        changed(CARD, "/guardrails/reversal/fired", True),
        "words_not_said",
        "/guardrails/reversal/words",
    ),
    (
        "audio_postcard",
        T,
        changed(CARD, "/guardrails/reversal/words", "I flew"),
        "words_not_said",
        "/guardrails/reversal/words",
    ),
    ("audio_postcard", T, changed(CARD, "/specific_detail/words", ""), "words_not_said", "/specific_detail/words"),
    (
        "audio_postcard",
        T,
        changed(CARD, "/specific_detail/words", "mango my drop"),
        "words_not_said",
        "/specific_detail/words",
    ),
    (
        "audio_postcard",
        T,
        changed(CARD, "/guardrails/substance", {"fired": True, "words": "I miss you"}),
        "parts_contradict",
        "/guardrails/substance/fired",
    ),
    ("audio_postcard", T, changed(CARD, "/checklist/point_1/words", ""), "words_not_said", "/checklist/point_1/words"),
    (
        "audio_postcard",
        T,
        changed(CARD, "/checklist/point_4", {"covered": True, "words": "Kochi"}),
        "key_unknown",
        "/checklist/point_4",
    ),
    ("audio_postcard", T, without(CARD, "/checklist/point_2"), "key_missing", "/checklist/point_2"),
    (
        "audio_postcard",
        T,
        changed(CARD, "/checklist/point_2", {"covered": False, "words": ""}),
        "score_contradicts_checklist",
        "/score",
    ),
    (
        "short_informative_presentation",
        T,
        changed(TALK, "/order_rules/end_with_last", {"broken": True, "words": ""}),
        "words_not_said",
        "/order_rules/end_with_last/words",
    ),
    (
        "short_informative_presentation",
        T,
        without(TALK, "/order_rules/end_with_last"),
        "key_missing",
        "/order_rules/end_with_last",
    ),
    ("rapid_fire_qa", T, changed(QUICK, "/score", 91), "score_contradicts_anchor", "/score"),
    ("rapid_fire_qa", T, changed(QUICK, "/score", 75), "score_contradicts_anchor", "/score"),
    (
        "rapid_fire_qa",
        T,
        changed(QUICK, "/questions/question_1/words", ""),
        "words_not_said",
        "/questions/question_1/words",
    ),
    (
        "rapid_fire_qa",
        T,
        changed(QUICK, "/questions/question_3", {"answered": False, "words": ""}),
        "key_unknown",
        "/questions/question_3",
    ),
    (
        "rapid_fire_qa",
        T,
        {
            **changed(QUICK, "/questions/question_2", {"answered": False, "words": ""}),
            "anchor": "excellent",
            "score": 92,
        },
        "anchor_contradicts_answers",
        "/anchor",
    ),
    (
        "rapid_fire_qa",
        T,
        {**QUICK, "questions": {name: {"answered": False, "words": ""} for name in QUICK["questions"]}},
        "anchor_contradicts_answers",
        "/anchor",
    ),
    (
        "rapid_fire_qa",
        T,
        {**QUICK, "anchor": "poor", "score": 20},
        "anchor_contradicts_answers",
        "/anchor",
    ),
    ("audio_postcard", P, changed(PLAIN, "/score", 91), "score_contradicts_words", "/score"),
    ("silly_topics_debate", T, changed(SIDE, "/anchor", "average"), "value_unknown", "/anchor"),
    ("story_building", T, {"score": 62, "reason": "A story."}, "key_unknown", "/score"),
    ("story_building", T, STORY | {"keywords_present": 2}, "key_unknown", "/keywords_present"),
]


@pytest.mark.parametrize(("module", "marker", "reply", "code", "where"), BROKEN)
def test_a_broken_rule_is_refused_at_its_place(module: str, marker: str, reply: Any, code: str, where: str) -> None:
    error = refusal(module, marker, json.dumps(reply))
    assert (error.code, error.where) == (code, where)
    assert error.found
    assert error.allowed
    assert "afresh" in error.remedy


# Of six points, which tiers may go with how many covered: judging.texts.done, counted by hand.
FITTING = {
    0: {"poor"},
    1: {"below_average", "poor"},
    2: {"below_average", "poor"},
    3: {"adequate", "below_average", "poor"},
    4: {"adequate", "below_average"},
    5: {"good", "adequate", "below_average"},
    6: {"excellent", "good", "adequate", "below_average"},
}
SCORES = {"excellent": 93, "good": 80, "adequate": 60, "below_average": 30, "poor": 10}


@pytest.mark.parametrize("covered", FITTING)
def test_the_tier_must_fit_the_points_that_are_covered(covered: int) -> None:
    asked = brief("short_informative_presentation", T)
    task = replace(asked.material.task, checklist=(ChecklistItem("a point"),) * 6)
    asked = replace(asked, material=replace(asked.material, task=task))
    facts = asked.material.facts(asked.rubric, asked.module, asked.grade_band)
    rows = {
        f"point_{n}": {"covered": n <= covered, "words": "at the harbour" if n <= covered else ""} for n in range(1, 7)
    }
    order = {name: {"broken": False, "words": ""} for name in TALK["order_rules"]}
    accepted, codes = set(), set()
    for tier, score in SCORES.items():
        reply = {"checklist": rows, "order_rules": order, "score": score, "reason": "So."}
        try:
            asked.contract().read(json.dumps(reply), facts)
        except RequestError as error:
            codes.add(error.code)
        else:
            accepted.add(tier)
    assert accepted == FITTING[covered]
    assert codes == {"score_contradicts_checklist"}


def test_counts_are_brought_to_thirty_seconds_before_the_levels() -> None:
    """61 s: round(4 * 30 / 61) = 2, which is Good; 4 in 20 s would be Adequate (A13)."""
    reply = changed(FLUENT, "/counts/false_starts", 4)
    assert read("audio_postcard", "fluency", json.dumps(reply), response_s=61.0)["counts"]["false_starts"] == 4


def test_a_count_that_two_levels_claim_gives_the_better_one() -> None:
    """High, open, two fillers: Excellent 0-2, Good 2-3 (A11)."""
    reply = {
        "counts": {"false_starts": 1, "disruptive_fillers": 2},
        "levels": {"smoothness": "excellent", "filler_control": "excellent", "recovery": "excellent"},
        "score": 93,
        "reason": "Smooth.",
    }
    assert read("audio_postcard", "fluency", json.dumps(reply), grade_band="high")["score"] == 93
    worse = changed(reply, "/levels/filler_control", "good")
    assert refusal("audio_postcard", "fluency", json.dumps(worse), grade_band="high").code == "level_contradicts_count"


def test_quotes_are_compared_without_case_and_punctuation() -> None:
    said = "So - I can't say: \N{LEFT DOUBLE QUOTATION MARK}Kochi\N{RIGHT DOUBLE QUOTATION MARK}, "
    said += "it\N{RIGHT SINGLE QUOTATION MARK}s hard"
    for quote, fits in (
        ("i can't say kochi", True),
        ("KOCHI, it's hard!", True),
        ("kochi is hard", False),
        ("can", False),
    ):
        reply = changed(PLAIN, "/unclear_words/0/word", quote)
        if fits:
            assert read("audio_postcard", "pronunciation", json.dumps(reply), said=said)["score"] == 84
        else:
            code = refusal("audio_postcard", "pronunciation", json.dumps(reply), said=said).code
            assert code == "words_not_said"


def test_a_measured_marker_has_no_contract() -> None:
    with pytest.raises(RequestError, match="marker_is_measured"):
        brief("poem_recitation", "task_adherence").contract()
    with pytest.raises(RequestError, match="marker_is_measured"):
        brief("poem_recitation", "speaking_rate").contract()


@pytest.mark.parametrize("module", TASKS)
def test_every_module_has_contracts_for_all_that_is_judged(module: str) -> None:
    rubric = published()
    for band in rubric.grade_bands:
        for marker, rules in rubric.modules[module].rules.items():
            if rules[band].route != "code":
                asked = brief(module, marker, grade_band=band)
                schema = asked.contract().schema()
                assert schema["additionalProperties"] is False
                assert schema["required"] == list(schema["properties"])
