"""Prompts come from the rubric's data; what a student says changes nothing in them but the data."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from judging_samples import SAID, TASKS, brief, material

from vivavoce.errors import RequestError
from vivavoce.judging.material import Material
from vivavoce.judging.prompt import BEGIN, END, Prompt, render
from vivavoce.rubric.load import published
from vivavoce.submission import Task

ATTACKS = [
    json.loads(line)
    for line in (Path(__file__).parent / "attacks.jsonl").read_text(encoding="utf-8").splitlines()
    if line.strip()
]
TEXTS = [row["text"] for row in ATTACKS if row.get("kind") or row.get("attack")]


def judged() -> list[tuple[str, str, str]]:
    rubric = published()
    return [
        (module.id, marker, band)
        for module in rubric.modules.values()
        for marker, rules in module.rules.items()
        for band in rubric.grade_bands
        if rules[band].route != "code"
    ]


def rendered(module: str, marker: str, said: str = SAID, *, grade_band: str = "middle", hears: bool = False) -> Prompt:
    asked = brief(module, marker, said, grade_band=grade_band)
    return render(asked.rubric, asked.module, grade_band, marker, asked.material, hears=hears)


@pytest.mark.parametrize(("module", "marker", "band"), judged())
def test_every_prompt_has_what_the_judge_needs(module: str, marker: str, band: str) -> None:
    prompt = rendered(module, marker, grade_band=band)
    rubric = published()
    found = rubric.modules[module]
    assert f"grade band {rubric.grade_bands[band].title}" in prompt.user
    assert str(rubric.lookup("edition.scale.text").value) in prompt.user
    note = found.notes.get("mastery" if marker == "task_adherence" else marker)
    if note is not None:
        assert f"\N{LEFT DOUBLE QUOTATION MARK}{note}\N{RIGHT DOUBLE QUOTATION MARK}\n" in prompt.user
    assert json.dumps(prompt.schema, ensure_ascii=False) in prompt.user
    if marker == "fluency":
        assert str(rubric.lookup("fluency.recovery_text").value) in prompt.user
        for name, weight in found.fluency[band].weights.items():
            assert f"- {name}: {weight.text}\n" in prompt.user
    assert "None" not in prompt.user


def test_the_notes_are_the_guides_to_the_letter(guides: Path) -> None:
    """Each note in the guide's text, `marker "note"`, stands in the prompt of its module and marker."""
    text = next(guides.glob("000_*.txt")).read_text(encoding="utf-8")
    chapters = re.split(r"\nChapter \d · ", text)[1:]
    notes = [
        dict(re.findall(r"^(pronunciation|fluency|mastery) (“.+”)$", chapter, re.MULTILINE)) for chapter in chapters
    ]
    assert sum(map(len, notes)) == 17
    for module, own in zip(published().modules, notes, strict=True):
        for marker, note in own.items():
            if marker != "mastery":
                assert note in rendered(module, marker).user
            elif published().modules[module].rules["task_adherence"]["middle"].route != "code":
                assert note in rendered(module, "task_adherence").user


def test_a_fluency_prompt_has_the_published_rows() -> None:
    """Middle, open: the guide's rows, typed by hand; 20 s are not scaled up, so the second line is the same."""
    user = rendered("audio_postcard", "fluency").user
    assert (
        "Per 30 seconds: excellent 0 to 1; good 2 to 3; adequate 4 to 6; below_average 7 to 9; poor 10 or more." in user
    )
    assert (
        "Per 30 seconds: excellent 0 to 1; good 2 to 4; adequate 5 to 7; below_average 8 to 11; poor 12 or more."
        in user
    )
    assert "(response time 20 s), false_starts give smoothness: excellent 0 to 1; good 2 to 3;" in user


def test_the_rows_for_a_long_recording_are_scaled() -> None:
    """60 s: n restarts are round(n / 2) per 30 s, half up: 0-2 Excellent, 3-6 Good, 7-12 Adequate (by hand)."""
    asked = brief("audio_postcard", "fluency", response_s=60.0)
    user = render(asked.rubric, asked.module, "middle", "fluency", asked.material, hears=False).user
    wanted = "excellent 0 to 2; good 3 to 6; adequate 7 to 12; below_average 13 to 18; poor 19 or more."
    assert f"(response time 60 s), false_starts give smoothness: {wanted}" in user


def test_guardrails_are_shown_without_their_caps() -> None:
    user = rendered("audio_postcard", "task_adherence").user
    assert "- groundedness: The answer describes something that cannot physically happen" in user
    for cap in ("75 if", "caps at", "≤ 60", "cap 50"):
        assert cap not in user


def test_code_applies_the_caps_of_both_kinds_of_rules() -> None:
    for module, words in (("audio_postcard", "it fired"), ("short_informative_presentation", "it was broken")):
        made = rendered(module, "task_adherence")
        assert f"Say of each whether {words}, with the words that show it." in made.user
        assert "Do not lower the score for it: code does." in made.user


def test_the_story_judge_is_told_not_to_count_keywords() -> None:
    assert "The model is explicitly told not to count keywords" in rendered("story_building", "task_adherence").user
    assert "Do not count keywords" in rendered("story_building", "task_adherence").user


@pytest.mark.parametrize("module", ["rapid_fire_qa", "silly_topics_debate"])
def test_band_anchors_come_in_five_tiers_with_an_example_each(module: str) -> None:
    user = rendered(module, "task_adherence").user
    part = published().judging.parts["band_anchors"]
    examples = published().judging.examples[module]
    for tier in published().tiers:
        assert part.anchors[tier.id] in user
        assert f"- {tier.id}: \N{LEFT DOUBLE QUOTATION MARK}{examples[tier.id]}" in user


def test_a_judge_is_told_whether_it_hears() -> None:
    texts = published().judging.texts
    assert texts["hears_audio"] in rendered("audio_postcard", "fluency", hears=True).user
    assert texts["no_audio"] in rendered("audio_postcard", "fluency").user


def test_the_digest_tells_prompts_apart_and_is_steady() -> None:
    one = rendered("audio_postcard", "fluency")
    assert rendered("audio_postcard", "fluency") == one
    others = [
        rendered("audio_postcard", "fluency", SAID + " so"),
        rendered("audio_postcard", "fluency", hears=True),
        rendered("audio_postcard", "fluency", grade_band="high"),
    ]
    assert len({one.digest, *(other.digest for other in others)}) == 4


def test_a_measured_marker_is_not_asked_for() -> None:
    with pytest.raises(RequestError, match="marker_is_measured"):
        rendered("poem_recitation", "task_adherence")


def split(prompt: Prompt) -> tuple[list[str], list[str]]:
    """The lines outside and inside the block of evidence; its two marks stand on lines of their own, once."""
    lines = prompt.user.split("\n")
    assert [line for line in lines if line.strip() in (BEGIN, END)] == [BEGIN, END]
    first, last = lines.index(BEGIN), lines.index(END)
    return [*lines[: first + 1], *lines[last:]], lines[first + 1 : last]


@pytest.mark.parametrize("text", TEXTS)
def test_an_attack_in_the_words_changes_nothing_but_the_data(text: str) -> None:
    for module, marker in (("audio_postcard", "task_adherence"), ("audio_postcard", "fluency")):
        plain, attacked = rendered(module, marker, "hello"), rendered(module, marker, text)
        outside, inside = split(plain)
        outside_attacked, inside_attacked = split(attacked)
        assert attacked.system == plain.system
        assert attacked.schema == plain.schema
        assert outside_attacked == outside
        changed = [line for line in inside_attacked if line not in inside]
        for line in changed:
            if not line.startswith("measured "):
                quoted = line[line.index('"') :]
                assert json.loads(quoted).split() == text.split()


@pytest.mark.parametrize("text", TEXTS)
def test_an_attack_in_the_task_changes_nothing_but_the_data(text: str) -> None:
    rubric = published()
    module = rubric.modules["audio_postcard"]
    lines = []
    for prompt in ("Write a postcard.", text):
        task = Task("audio_postcard", 7, prompt=prompt, checklist=TASKS["audio_postcard"].checklist)
        asked = render(rubric, module, "middle", "task_adherence", material(task), hears=False)
        outside, inside = split(asked)
        lines.append((outside, inside))
    assert lines[0][0] == lines[1][0]
    assert len(lines[0][1]) == len(lines[1][1])
    different = [(a, b) for a, b in zip(lines[0][1], lines[1][1], strict=True) if a != b]
    assert len(different) == 1
    assert json.loads(different[0][1].removeprefix("prompt: ")) == text


def test_there_are_attacks_enough() -> None:
    assert len(set(TEXTS)) >= 30


def test_a_task_without_a_submission_can_be_rendered() -> None:
    rubric = published()
    made = render(
        rubric, rubric.modules["audio_postcard"], "high", "fluency", Material(TASKS["audio_postcard"]), hears=False
    )
    assert "transcript: no words" in made.user
