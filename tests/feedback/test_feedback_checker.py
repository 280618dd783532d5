"""The checker on 160 sentences written before it, on all built-in wording, and the splitter on hard ends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from feedback_samples import SENTENCES

from vivavoce.feedback.checker import RULES, check
from vivavoce.feedback.lexicon import LEXICONS
from vivavoce.feedback.model import Finding
from vivavoce.feedback.prompt import setting_of
from vivavoce.feedback.sentences import is_whole, split_sentences
from vivavoce.rubric.load import published
from vivavoce.rubric.model import FindingWording
from vivavoce.rubric.wording import FINDINGS

ROWS: list[dict[str, Any]] = [json.loads(line) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
TUNED = [row for row in ROWS if row["part"] == "tune"]
HELD_OUT = [row for row in ROWS if row["part"] == "held_out"]
WORDINGS = [wording for marker in published().wording.findings.values() for wording in marker.values()]

# Adherence findings belong to the modules whose rule can give them; the others can come up in any.
ONLY_IN = {
    "audio_postcard": ("substance", "groundedness", "over_vagueness", "reversal", "no_detail", "vivid_detail"),
    "short_informative_presentation": ("end_with_last", "introduced_before_referenced", "points_covered"),
    "story_building": ("keywords_missing", "story_weak", "story_thin", "keywords_used", "story_told"),
    "rapid_fire_qa": ("answers_near", "answers_partly", "answers_off", "answers_on_topic"),
    "silly_topics_debate": ("case_near", "case_partly", "case_weak", "case_made"),
}
CHECKLIST = {"points_missing", "thin"}
TWISTER_ONLY = {"no_speed_up", "speeds_up"}


def finding_of(identity: str) -> Finding:
    marker, name = identity.split(".")
    return Finding(marker, name, published().wording.findings[marker][name].kind)


def modules_of(marker: str, name: str) -> list[str]:
    """The modules in which a finding can come up."""
    modules = published().modules
    if name in CHECKLIST:
        return ["audio_postcard", "short_informative_presentation"]
    if name in TWISTER_ONLY:
        return ["tongue_twister"]
    if marker == "task_adherence":
        own = [module for module, names in ONLY_IN.items() if name in names]
        return own or [module.id for module in modules.values() if module.kind == "closed"]
    if name == "too_even":
        texts = {module.id: module.texts["steadiness"] for module in modules.values()}
        return [module for module, text in texts.items() if text.startswith("band")]
    paced = name not in ("too_slow", "too_fast", "good_pace")
    return [module for module in modules if paced or module != "tongue_twister"]


def rules_of(row: dict[str, Any]) -> list[str]:
    return sorted(violation.rule for violation in check(row["text"], finding_of(row["finding"]), row["module"]))


def test_the_set_is_large_and_knows_its_origin() -> None:
    assert len(ROWS) == len({row["text"] for row in ROWS}) == 160
    assert all(row["origin"] for row in ROWS)
    assert {rule for row in ROWS for rule in row["expect"]} == set(RULES) - {"too_long"}
    assert len(HELD_OUT) == 75
    assert sum(not row["expect"] for row in ROWS) == 83


@pytest.mark.parametrize("row", TUNED, ids=lambda row: row["text"][:40])
def test_sentences_that_the_rules_were_tuned_on(row: dict[str, Any]) -> None:
    assert rules_of(row) == row["expect"]


def test_no_bad_sentence_that_was_held_out_passes() -> None:
    assert [row["text"] for row in HELD_OUT if row["expect"] and not rules_of(row)] == []


def test_held_out_sentences_are_judged_as_measured() -> None:
    """On the first run 73 of 75 came out as written down before; one good one of 37 was refused (docs/feedback.md)."""
    exact = sum(rules_of(row) == row["expect"] for row in HELD_OUT)
    refused = sum(bool(rules_of(row)) for row in HELD_OUT if not row["expect"])
    assert exact >= 73
    assert refused <= 1


@pytest.mark.parametrize(("marker", "name"), [(m, n) for m, names in FINDINGS.items() for n in names])
def test_all_built_in_wording_passes_wherever_it_can_be_told(marker: str, name: str) -> None:
    rubric = published()
    wording: FindingWording = rubric.wording.findings[marker][name]
    modules = modules_of(marker, name)
    assert modules
    told = set()
    for module in modules:
        for band in rubric.grade_bands:
            pair = wording.built_in(setting_of(rubric.modules[module]), band)
            told.add(pair)
            assert check(pair, Finding(marker, name, wording.kind), module) == [], (module, pair)
    # Nothing is worded that is never told.
    assert told == {pair for bands in wording.sentences.values() for pair in bands.values()}


def test_no_two_findings_or_grade_bands_share_a_wording() -> None:
    firsts = [pair[0] for wording in WORDINGS for bands in wording.sentences.values() for pair in bands.values()]
    assert len(firsts) == len(set(firsts)) == 267
    seconds = [pair[1] for wording in WORDINGS for bands in wording.sentences.values() for pair in bands.values()]
    assert len(seconds) == len(set(seconds))


def test_every_finding_has_a_lexicon_and_no_other() -> None:
    assert set(LEXICONS) == {f"{marker}.{name}" for marker, names in FINDINGS.items() for name in names}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Mr. Lee would hear it. Try again.", 2),
        ("It was soft, e.g. at the end. Try again.", 2),
        ("You said um... and then went on. Try again.", 2),
        ("You said um… Then you went on.", 2),
        ('Ask yourself, "Is this clear?" and go on.', 1),
        ('You said "Stop. Wait." too softly. Try again.', 2),
        ("You wrote (see the page. Again) and stopped. Try it.", 2),
        ("The pause was 3.5 long. Try again.", 2),
        ("Really?! Yes. Try again.", 3),
        ("It was soft.Next time speak up.", 2),
        ("It was soft, next time speak up.", 1),
        ("“It was soft.” Next time, speak up.", 2),
        ("", 0),
    ],
)
def test_sentences_end_where_they_end(text: str, count: int) -> None:
    assert len(split_sentences(text)) == count


def test_a_text_without_an_end_is_no_whole_sentence() -> None:
    assert not is_whole("Speak up next time")
    assert is_whole('Say "now."')
    quiet = finding_of("volume_control.too_quiet")
    assert [v.rule for v in check("Your voice was quiet. Next time, speak up", quiet, "poem_recitation")] == [
        "not_two_sentences"
    ]


@pytest.mark.parametrize("digit", ["7", "½", "²", "٣", "Ⅳ", "①"])
def test_digits_of_every_writing_are_found(digit: str) -> None:
    text = f"Your voice was quiet {digit} times. Next time, speak up."
    assert "digits" in [v.rule for v in check(text, finding_of("volume_control.too_quiet"), "poem_recitation")]


@pytest.mark.parametrize(
    "odd", ["\u200b", "\n", "<b>", "😀", "http://x", "{", "\x07", "$", "€", "+", "≈", "´", "\u2028", "\u2029"]
)
def test_what_is_not_plain_is_found(odd: str) -> None:
    text = f"Your voice was quiet{odd} today. Next time, speak up."
    assert "not_plain" in [v.rule for v in check(text, finding_of("volume_control.too_quiet"), "poem_recitation")]


def test_a_long_sentence_is_refused() -> None:
    text = f"Your voice was quiet {'and quiet ' * 20}today. Next time, speak up."
    assert [v.rule for v in check(text, finding_of("volume_control.too_quiet"), "poem_recitation")] == ["too_long"]


def test_the_modules_own_activity_may_be_named() -> None:
    text = "Your voice was quiet. Fill the next debate with a bigger sound."
    quiet = finding_of("volume_control.too_quiet")
    assert check(text, quiet, "silly_topics_debate") == []
    assert [v.rule for v in check(text, quiet, "poem_recitation")] == ["other_activity"]


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("You never shouted, but your voice was quiet.", "You shouted a little."),
        ("Your voice was not loud enough, so it was hard to hear.", "Your voice was loud."),
        ("A quiet voice hid your wonderful poem, but it was there.", "Your quiet voice was perfect."),
    ],
)
def test_a_negation_or_a_turn_is_no_contradiction(good: str, bad: str) -> None:
    quiet = finding_of("volume_control.too_quiet")
    assert check((good, "Next time, speak up."), quiet, "poem_recitation") == []
    assert [v.rule for v in check((bad, "Next time, speak up."), quiet, "poem_recitation")] == ["contradiction"]


def test_faults_of_another_marker_are_not_claimed_in_passing() -> None:
    """They may not be so: nobody chose them from the trace."""
    quiet = finding_of("volume_control.too_quiet")
    step = "Next time, speak up."
    for first in ("Your voice was quiet because you rushed.", "Your voice was quiet and you mumbled."):
        assert [v.rule for v in check((first, step), quiet, "poem_recitation")] == ["off_finding"]
    assert check(("Your voice was quiet, though you never rushed.", step), quiet, "poem_recitation") == []


def test_keep_it_up_is_no_next_step_for_a_weakness() -> None:
    quiet, level = finding_of("volume_control.too_quiet"), finding_of("volume_control.good_level")
    assert [v.rule for v in check("Your voice was quiet. Keep it up.", quiet, "poem_recitation")] == ["contradiction"]
    assert check("Your voice was easy to hear. Keep it up.", level, "poem_recitation") == []
