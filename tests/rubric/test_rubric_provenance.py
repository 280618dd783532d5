"""Where each value comes from: the guide, what follows from it, or a choice of decisions.md; and what stays absent."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest
from guide_reader import flat, guide_text

from vivavoce.rubric.load import published
from vivavoce.rubric.model import Rubric

# From decisions.md, by hand: value, provenance, and the decision that the note must name ("" for a name of ours).
SETTLED = {
    "edition.title": ("Student speech rubric", "chosen", ""),
    "edition.scale.judged_highest": (100, "inferred", "A9"),
    "edition.rounding.rule": ("half_up", "chosen", "A1"),
    "edition.rounding.quality_decimals": (6, "chosen", "A2"),
    "speaking_rate.steadiness.zero_at_factor": (2, "chosen", "A4"),
    "speaking_rate.steadiness.quality_at_zero": (Decimal("0.70"), "chosen", "A4"),
    "speaking_rate.components.words_per_minute.title": ("Pace", "chosen", ""),
    "fluency.counting.text": (
        "round_half_up(count * 30 / response_s); under 30 s of response the count itself",
        "chosen",
        "A13",
    ),
    "fluency.open.fillers.high.ambiguous": ([2], "chosen", "A11"),
    "fluency.closed.false_starts.high.ambiguous": ([0], "chosen", "A11"),
    "fluency.closed.fillers.high.ambiguous": ([0], "chosen", "A11"),
    "volume_control.fade.counts_from": (0, "inferred", "A15"),
    "modules.audio_postcard.adherence.specific_detail.cap": (75, "inferred", "A10"),
}


@pytest.fixture(scope="module")
def rubric() -> Rubric:
    return published()


def test_every_entry_has_one_of_three_provenances(rubric: Rubric) -> None:
    assert {entry.provenance for entry in rubric.entries.values()} == {"published", "inferred", "chosen"}


# Files that the guide has nothing of: written here whole, every value chosen.
OURS = ("choices.", "judging.", "local_judge.", "feedback_wording.")


def test_files_of_our_own_are_chosen_throughout(rubric: Rubric) -> None:
    ours = {path: entry.provenance for path, entry in rubric.entries.items() if path.startswith(OURS)}
    assert any(path.startswith("judging.") for path in ours)
    assert set(ours.values()) == {"chosen"}


def test_what_is_not_published_is_what_the_decisions_settle(rubric: Rubric) -> None:
    held = {
        path: (entry.value, entry.provenance)
        for path, entry in rubric.entries.items()
        if entry.provenance != "published" and not path.startswith(OURS)
    }
    assert held == {path: (value, provenance) for path, (value, provenance, _) in SETTLED.items()}


@pytest.mark.parametrize("path", SETTLED)
def test_a_settled_value_says_why(rubric: Rubric, path: str) -> None:
    entry, decision = rubric.lookup(path), SETTLED[path][2]
    assert entry.note
    assert re.search(rf"\b{decision}\b", entry.note)


def test_the_excellent_tier_interpolates_to_a_published_number(rubric: Rubric) -> None:
    entry = rubric.lookup("edition.tiers.rows.excellent.interpolate_to")
    assert (entry.value, entry.provenance) == (Decimal("1.01"), "published")
    assert "conflicts.excellent_interpolates_against_1_01" in entry.note


def test_choices_are_all_chosen_and_cite_a_decision(rubric: Rubric, guides: Path) -> None:
    decisions = (guides / "decisions.md").read_text(encoding="utf-8")
    defined = set(re.findall(r"^- ([AML]\d+a?)\. ", decisions, re.MULTILINE))
    named = {choice["decision"] for choice in rubric.choices if not choice["id"].startswith("found_")}
    assert named <= defined
    assert {choice["provenance"] for choice in rubric.choices} == {"chosen"}


def test_decisions_of_the_arithmetic_marked_chosen_are_shown(rubric: Rubric, guides: Path) -> None:
    decisions = (guides / "decisions.md").read_text(encoding="utf-8")
    items = re.findall(r"^- (A\d+)\. ((?:.+\n)(?:  .+\n)*)", decisions, re.MULTILINE)
    chosen = {name for name, text in items if re.search(r"\bchosen\.", text)}
    assert chosen == {"A4", "A5", "A13", "A14"}  # so that the pattern above is known to find them
    assert chosen <= {choice["decision"] for choice in rubric.choices}


def test_no_published_number_is_missing_from_the_text(rubric: Rubric, guides: Path) -> None:
    """A plain search for the digits, beside the parser: also ten, in words, and shares given in percent."""
    text = guide_text(guides)
    numbers = {Decimal(digits) for digits in re.findall(r"\d+(?:\.\d+)?", text)}
    shares = {Decimal(digits).scaleb(-2) for digits in re.findall(r"(\d+)%", text)}
    words = {Decimal(10)} if "Under ten seconds" in text else set()
    missing = [
        path
        for path, value, provenance in flat(rubric.entries)
        if provenance == "published"
        and type(value) in (int, Decimal)
        and value not in numbers | words | (shares if path.endswith(".max_cut") else set())
    ]
    assert missing == []


def test_no_number_is_a_binary_float(rubric: Rubric) -> None:
    assert [path for path, value, _ in flat(rubric.entries) if type(value) not in (str, int, Decimal)] == []


def test_rapid_fire_has_no_fluency_note(rubric: Rubric) -> None:
    without = [module.id for module in rubric.modules.values() if "fluency" not in module.notes]
    assert without == ["rapid_fire_qa"]
    assert "modules.rapid_fire_qa.notes.fluency" not in rubric.entries


def test_only_twister_and_rapid_fire_have_a_mastery_note(rubric: Rubric) -> None:
    assert [module.id for module in rubric.modules.values() if "mastery" in module.notes] == [
        "tongue_twister",
        "rapid_fire_qa",
    ]


def test_no_marker_has_a_note_for_what_code_scores(rubric: Rubric) -> None:
    assert {name for module in rubric.modules.values() for name in module.notes} == {
        "pronunciation",
        "fluency",
        "mastery",
    }


def test_the_time_limit_is_held_as_dormant(rubric: Rubric) -> None:
    dormant = {path: entry.value for path, entry in rubric.entries.items() if "dormant" in path.split(".")}
    assert dormant == {
        "modules.rapid_fire_qa.dormant.RAPID_FIRE_LIMIT_S.answer_over_s": 10,
        "modules.rapid_fire_qa.dormant.RAPID_FIRE_LIMIT_S.text": "answer over 10 seconds",
    }
