"""One thing changed in a copy of the edition: the loader refuses it, with a stable code, the file and the key."""

from __future__ import annotations

import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from edition_copy import FILES, EditionCopy, stem

from vivavoce.errors import RubricError
from vivavoce.rubric.load import load, published

D = Decimal
SHARED_FILES = [file for file in FILES if "/" not in file]


@pytest.fixture
def edition(tmp_path: Path) -> EditionCopy:
    return EditionCopy(tmp_path)


def _file(path: str) -> str:
    """The file that a path of the edition stands in."""
    return next(file for file in FILES if path.startswith(f"{stem(file)}."))


# path, other value, code, and the end of the place that the error names ("" for the path itself)
WEIGHTS: list[tuple[str, Any, str, str]] = [
    ("modules.poem_recitation.weights.fluency", D("0.17"), "rubric_weights", "modules.poem_recitation.weights"),
    # A sum that binary floats may round to 1, and one that they may not.
    (
        "modules.poem_recitation.weights.fluency",
        D("0.160000000001"),
        "rubric_weights",
        "modules.poem_recitation.weights",
    ),
    ("speaking_rate.open.weights.choppiness", D("0.41"), "rubric_weights", "speaking_rate.open.weights"),
    ("speaking_rate.closed.weights.consistency", D("0.34"), "rubric_weights", "speaking_rate.closed.weights"),
    (
        "modules.tongue_twister.speaking_rate.weights.words_per_minute",
        0,
        "rubric_weights",
        "modules.tongue_twister.speaking_rate.weights",
    ),
    ("fluency.open.weights.middle.recovery", D("0.31"), "rubric_weights", "fluency.open.weights.middle"),
    ("fluency.closed.weights.high.recovery", D("0.21"), "rubric_weights", "fluency.closed.weights.high"),
    ("fluency.twister.weights.high.smoothness", D("0.29"), "rubric_weights", "fluency.twister.weights.high"),
    ("volume_control.weights.fade", D("0.11"), "rubric_weights", "volume_control.weights"),
    ("adherence.weights.accuracy", D("0.50"), "rubric_weights", "adherence.weights"),
    (
        "modules.story_building.adherence.story_weight",
        D("0.40"),
        "rubric_weights",
        "modules.story_building.adherence.story_weight",
    ),
]
ROWS = "edition.tiers.rows"
TIERS: list[tuple[str, Any, str, str]] = [
    (f"{ROWS}.good.quality_low", D("0.73"), "rubric_tiers", f"{ROWS}.adequate.quality_high"),
    (f"{ROWS}.good.quality_low", D("0.71"), "rubric_tiers", f"{ROWS}.adequate.quality_high"),
    (f"{ROWS}.poor.quality_high", D("0.239999"), "rubric_tiers", f"{ROWS}.poor.quality_high"),
    (f"{ROWS}.poor.quality_high", D("0.240001"), "rubric_tiers", f"{ROWS}.poor.quality_high"),
    (f"{ROWS}.poor.quality_low", D("0.01"), "rubric_tiers", ROWS),
    (f"{ROWS}.excellent.quality_high", D("0.99"), "rubric_tiers", ROWS),
    (f"{ROWS}.excellent.quality_high", D("1.01"), "rubric_range", ""),
    (f"{ROWS}.excellent.interpolate_to", D("0.99"), "rubric_tiers", f"{ROWS}.excellent"),
    (f"{ROWS}.excellent.score_high", 96, "rubric_tiers", ROWS),
    (f"{ROWS}.poor.score_low", 1, "rubric_tiers", ROWS),
    (f"{ROWS}.good.score_high", 91, "rubric_tiers", f"{ROWS}.good.score_high"),
    (f"{ROWS}.good.score_low", 77, "rubric_tiers", f"{ROWS}.adequate.score_high"),
    (f"{ROWS}.good.score_low", D("76.5"), "rubric_type", ""),
    (f"{ROWS}.good.id", "great", "rubric_value", f"{ROWS}.great.id"),
    (f"{ROWS}.good.id", "excellent", "rubric_row_id", ROWS),
    (f"{ROWS}.good.id", "", "rubric_row_id", ROWS),
    ("edition.scale.ceiling", 90, "rubric_tiers", ROWS),
    ("edition.scale.lowest", 5, "rubric_tiers", ROWS),
    ("edition.scale.judged_highest", 94, "rubric_range", ""),
    ("edition.scale.ceiling", 101, "rubric_range", ""),
]
FALSE_STARTS, FILLERS = "fluency.closed.false_starts.high", "fluency.open.fillers.high"
LEVELS: list[tuple[str, Any, str, str]] = [
    (f"{FILLERS}.poor", [11], "rubric_levels", ""),
    (f"{FILLERS}.below_average", [7, 9], "rubric_levels", ""),
    (f"{FILLERS}.excellent", [1, 2], "rubric_levels", ""),
    (f"{FILLERS}.poor", [10, 20], "rubric_levels", f"{FILLERS}.excellent"),
    (f"{FILLERS}.adequate", [4, 5, 6], "rubric_levels", ""),
    (f"{FILLERS}.adequate", [5, 4], "rubric_levels", ""),
    (f"{FILLERS}.adequate", [3, 5], "rubric_levels", f"{FILLERS}.ambiguous"),
    (f"{FILLERS}.ambiguous", [3], "rubric_levels", ""),
    (f"{FILLERS}.ambiguous", [2, 3], "rubric_levels", ""),
    (f"{FILLERS}.good", [3, 3], "rubric_levels", f"{FILLERS}.ambiguous"),
    (f"{FALSE_STARTS}.excellent", [0, 1], "rubric_levels", f"{FALSE_STARTS}.ambiguous"),
    ("fluency.open.fillers.middle.good", [1, 4], "rubric_levels", "fluency.open.fillers.middle.ambiguous"),
    ("fluency.open.fillers.middle.ambiguous", [1], "rubric_levels", ""),
]
EDGES: list[tuple[str, Any, str, str]] = [
    ("speaking_rate.open.pace.high.zero_low", 110, "rubric_edges", "speaking_rate.open.pace.high"),
    ("speaking_rate.open.pace.high.full_low", 191, "rubric_edges", "speaking_rate.open.pace.high"),
    ("speaking_rate.open.pace.high.zero_high", 190, "rubric_edges", "speaking_rate.open.pace.high"),
    ("speaking_rate.closed.choppiness.high.zero", 2, "rubric_edges", "speaking_rate.closed.choppiness.high"),
    ("volume_control.level.full_high", 90, "rubric_edges", "volume_control.level"),
    ("volume_control.consistency.middle.full", 15, "rubric_edges", "volume_control.consistency.middle"),
    ("volume_control.fade.high.zero", 1, "rubric_edges", "volume_control.fade.high"),
    ("adherence.completion.high.zero", D("0.98"), "rubric_edges", "adherence.completion.high"),
    ("adherence.accuracy.middle.full", D("0.50"), "rubric_edges", "adherence.accuracy.middle"),
    ("modules.audio_postcard.steadiness.low", D("0.28"), "rubric_edges", ""),
    ("modules.audio_postcard.steadiness.low", 0, "rubric_edges", ""),
    ("modules.rapid_fire_qa.steadiness.ceiling", 0, "rubric_edges", ""),
]
RANGES: list[tuple[str, Any, str, str]] = [
    ("speaking_rate.open.pace.high.zero_low", -5, "rubric_range", ""),
    ("modules.poem_recitation.weights.fluency", D("1.16"), "rubric_range", ""),
    ("modules.poem_recitation.weights.fluency", D("-0.16"), "rubric_range", ""),
    ("speaking_rate.open.hesitation.middle.rate_at_max", 0, "rubric_range", ""),
    ("speaking_rate.open.hesitation.middle.max_cut", 25, "rubric_range", ""),
    ("speaking_rate.steadiness.quality_at_zero", D("1.01"), "rubric_range", ""),
    ("speaking_rate.steadiness.zero_at_factor", 1, "rubric_range", ""),
    ("fluency.counting.window_s", 0, "rubric_range", ""),
    ("modules.tongue_twister.adherence.repetitions", 0, "rubric_range", ""),
    ("modules.tongue_twister.speaking_rate.acceleration.rising", 2, "rubric_range", ""),
    ("modules.audio_postcard.adherence.guardrails.substance.cap", 101, "rubric_range", ""),
    ("modules.audio_postcard.adherence.guardrails.substance.cap", D("75.5"), "rubric_type", ""),
    ("edition.rounding.quality_decimals", 5, "rubric_range", ""),
    ("speaking_rate.open.pace.high.zero_high", 10**30, "rubric_range", ""),
]
WORDS: list[tuple[str, Any, str, str]] = [
    ("edition.note", "", "rubric_type", ""),
    ("edition.rounding.rule", "half_even", "rubric_value", ""),
    ("edition.markers.fluency.route", "listener", "rubric_value", ""),
    ("edition.markers.fluency.route", "code", "rubric_value", ""),
    ("edition.grade_bands.middle.grades", [6, 7], "rubric_grades", "edition.grade_bands"),
    ("edition.grade_bands.middle.grades", [6, 7, 8, 9], "rubric_grades", "edition.grade_bands"),
    ("fluency.twister_shift.amount", D("0.05"), "rubric_shift", "fluency.twister_shift.elementary"),
    ("fluency.twister_shift.to", "filler_control", "rubric_shift", "fluency.twister_shift.elementary"),
    ("fluency.twister_shift.from", "pace", "rubric_value", ""),
    ("speaking_rate.short_speech.drops", ["pauses"], "rubric_value", ""),
    ("speaking_rate.components.choppiness.rule", "at_least", "rubric_value", ""),
    ("volume_control.components.level.rule", "at_most", "rubric_value", ""),
    ("volume_control.components.level.table", "fade", "rubric_value", ""),
    ("adherence.components.accuracy.rule", "at_most", "rubric_value", ""),
    ("modules.poem_recitation.id", "poem", "rubric_value", ""),
    ("modules.poem_recitation.kind", "half open", "rubric_value", ""),
    ("modules.poem_recitation.kind", "open", "rubric_value", "modules.poem_recitation.adherence.rule"),
    ("modules.poem_recitation.steadiness.rule", "steady", "rubric_value", ""),
    ("modules.poem_recitation.fade.method", "word", "rubric_value", ""),
    ("modules.poem_recitation.adherence.rule", "reading", "rubric_value", ""),
    ("modules.poem_recitation.adherence.route", "model", "rubric_value", ""),
    ("modules.silly_topics_debate.adherence.route", "code", "rubric_value", ""),
    ("modules.tongue_twister.fluency.weights", "closed", "rubric_value", ""),
    ("history.changes.fade_by_phrase.modules", ["poem"], "rubric_modules", ""),
]
PROVENANCE: list[tuple[str, Any, str, str]] = [
    ("edition.provenance", "guessed", "rubric_provenance", ""),
    ("fluency.open.provenance", "Published", "rubric_provenance", ""),
    ("fluency.open.provenance", 7, "rubric_provenance", ""),
    ("conflicts.conflicts.debate_fade_method.provenance", "", "rubric_provenance", ""),
    (
        "edition.scale.ceiling",
        {"value": 95, "provenance": "hearsay"},
        "rubric_provenance",
        "edition.scale.ceiling.provenance",
    ),
]
CASES = WEIGHTS + TIERS + LEVELS + EDGES + RANGES + WORDS + PROVENANCE


@pytest.mark.parametrize(("path", "value", "code", "place"), CASES, ids=[f"{case[0]}={case[1]}" for case in CASES])
def test_a_changed_value_is_refused(edition: EditionCopy, path: str, value: Any, code: str, place: str) -> None:
    file = _file(path)
    error = edition.refused(file, edition.with_value(file, path, value))
    assert (error.code, error.where) == (code, edition.where(file, place or path))
    assert error.found
    assert error.allowed
    assert error.remedy


def test_a_gap_and_an_overlap_of_tiers_are_called_so(edition: EditionCopy) -> None:
    for low, word in ((D("0.73"), "a gap"), (D("0.71"), "an overlap")):
        data = edition.with_value("edition.toml", f"{ROWS}.good.quality_low", low)
        assert edition.refused("edition.toml", data).found.startswith(word)


def test_an_unnamed_overlap_of_levels_is_refused(edition: EditionCopy) -> None:
    for path in ("fluency.open.fillers.high", FALSE_STARTS, "fluency.closed.fillers.high"):
        error = edition.refused("fluency.toml", edition.without("fluency.toml", f"{path}.ambiguous"))
        assert (error.code, error.where) == ("rubric_levels", edition.where("fluency.toml", f"{path}.ambiguous"))


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([], "rubric_key_missing"),
        ([0, 0, 1, 2, 3, 4], "rubric_row_id"),
        ([1, 0, 2, 3, 4], "rubric_tiers"),
        ([0, 1, 2, 3], "rubric_tiers"),
    ],
    ids=["none", "one twice", "two exchanged", "one missing"],
)
def test_tiers_that_are_not_the_five_in_order_are_refused(edition: EditionCopy, rows: list[int], code: str) -> None:
    data = edition.data("edition.toml")
    data["tiers"]["rows"] = [data["tiers"]["rows"][index] for index in rows]
    error = edition.refused("edition.toml", data)
    assert (error.code, error.where) == (code, edition.where("edition.toml", ROWS))


@pytest.mark.parametrize("file", FILES)
def test_a_missing_file_is_refused(edition: EditionCopy, file: str) -> None:
    (edition.folder / file).unlink()
    with pytest.raises(RubricError) as caught:
        load(edition.folder)
    if file in SHARED_FILES:
        assert (caught.value.code, caught.value.where) == ("rubric_file_missing", f"student-speech-v1/{file}")
    else:  # the chapters have a hole, or the change log names a module that is gone
        assert caught.value.code == "rubric_modules"


def test_an_edition_without_modules_is_refused(edition: EditionCopy) -> None:
    shutil.rmtree(edition.folder / "modules")
    with pytest.raises(RubricError) as caught:
        load(edition.folder)
    assert (caught.value.code, caught.value.where) == ("rubric_modules", "student-speech-v1/modules")


@pytest.mark.parametrize(
    "file",
    ["notes.toml", "edition.toml.bak", "README.md", "more/edition.toml", "modules/more/poem.toml", "modules/poem.txt"],
)
def test_an_unknown_file_is_refused(edition: EditionCopy, file: str) -> None:
    (edition.folder / file).parent.mkdir(exist_ok=True)
    (edition.folder / file).write_text('provenance = "published"\n', encoding="utf-8")
    with pytest.raises(RubricError) as caught:
        load(edition.folder)
    assert (caught.value.code, caught.value.where) == ("rubric_file_unknown", f"student-speech-v1/{file}")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("title = ", "rubric_toml"),
        ("a = 1\na = 2", "rubric_toml"),
        ("a = 2026-13-45", "rubric_toml"),
        (b"\xff\xfe", "rubric_toml"),
        ("\ufeffa = 1", "rubric_toml"),
        ("a = " + "1" * 5000, "rubric_toml"),
        ("a = " + "[" * 5000, "rubric_toml"),
        ("", "rubric_file_empty"),
        ("# nothing but a comment\n", "rubric_file_empty"),
    ],
    ids=["no value", "twice", "no date", "no utf-8", "byte order mark", "5000 digits", "5000 deep", "empty", "comment"],
)
@pytest.mark.parametrize("file", ["feedback.toml", "modules/poem_recitation.toml"])
def test_a_file_that_is_no_toml_is_refused(edition: EditionCopy, file: str, text: str | bytes, code: str) -> None:
    error = edition.refused_text(file, text)
    assert error.code == code
    assert error.where == f"student-speech-v1/{file}"


@pytest.mark.parametrize("number", ["1e999999", "1e-999999", "nan", "-inf", "1e7"])
def test_a_number_that_exact_arithmetic_cannot_take_is_refused(edition: EditionCopy, number: str) -> None:
    text = (edition.folder / "speaking_rate.toml").read_text(encoding="utf-8")
    assert "zero_high = 220" in text
    error = edition.refused_text("speaking_rate.toml", text.replace("zero_high = 220", f"zero_high = {number}", 1))
    assert error.code in ("rubric_type", "rubric_range")
    assert error.where == edition.where("speaking_rate.toml", "speaking_rate.open.pace.elementary.zero_high")


@pytest.mark.parametrize("chapter", [1, 3, 9, 0])
def test_chapters_count_from_one(edition: EditionCopy, chapter: int) -> None:
    file, path = "modules/silly_topics_debate.toml", "modules.silly_topics_debate.chapter"
    error = edition.refused(file, edition.with_value(file, path, chapter))
    assert error.code == ("rubric_modules" if chapter else "rubric_range")


def test_an_unknown_edition_names_those_there_are() -> None:
    with pytest.raises(RubricError) as caught:
        published("student-speech-v9")
    assert caught.value.code == "rubric_unknown"
    assert "student-speech-v1" in caught.value.allowed
