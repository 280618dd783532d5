"""The edition's tables against a transcription typed by hand from the guide, and spoilt editions, which are refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from vivavoce.errors import RubricError
from vivavoce.rubric.graduated import PART_1, load_graduated, part
from vivavoce.rubric.load import EDITIONS

# The guide's four criteria: name, title of the section, and its checks with their thresholds.
GUIDE: list[tuple[str, str, list[tuple[str, str]]]] = [
    (
        "Fluency and Coherence",
        "Fluency and Coherence",
        [
            ("MAINTAINS_FLOW", "Band 5+"),
            ("WILLING_TO_SPEAK", "Band 6+"),
            ("SPEAKS_AT_LENGTH", "Band 7+"),
            ("FLUENT_SPEECH", "Band 8+"),
            ("FULL_FLUENCY", "Band 9"),
        ],
    ),
    (
        "Lexical Resource",
        "Lexical Resource",
        [
            ("ADEQUATE_VOCAB", "Band 5+"),
            ("TOPIC_VOCAB", "Band 6+"),
            ("FLEXIBLE_VOCAB", "Band 7+"),
            ("WIDE_RANGE", "Band 8+"),
            ("FULL_FLEXIBILITY", "Band 9"),
        ],
    ),
    (
        "Pronunciation (Transcript-Based)",
        "Pronunciation (Transcript-Based Assessment)",
        [("INTELLIGIBILITY", "Band 5+"), ("WORD_CLARITY", "Band 7+"), ("FULL_CLARITY", "Band 8+")],
    ),
    (
        "Grammatical Range and Accuracy",
        "Grammatical Range and Accuracy",
        [
            ("BASIC_STRUCTURES", "Band 5+"),
            ("MIXED_STRUCTURES", "Band 6+"),
            ("RANGE_WITH_FLEXIBILITY", "Band 7+"),
            ("WIDE_RANGE", "Band 8+"),
            ("FULL_RANGE", "Band 9"),
        ],
    ),
]
# The guide's questions, in the order of the checks.
QUESTIONS = [
    "Does the transcript show connected progression of ideas?",
    "Does the response provide enough connected development for its question?",
    "Does the supplied response sustain relevant development across its content?",
    "Is the dominant transcript pattern coherent, relevant, well developed, and flexibly linked?",
    "Does the transcript show fully appropriate development and cohesion without a recurring repair pattern?",
    "Does the response show enough vocabulary for familiar topics?",
    "Does the response use topic-appropriate vocabulary with some variety?",
    "Does the response use vocabulary flexibly and appropriately across its ideas?",
    "Is the dominant lexical pattern broad in range, flexible, and precise?",
    "Does the response show full flexibility and precision in word choice?",
    "Does the transcript's recognizable wording support generally clear meaning?",
    "Are word forms transcribed consistently without confusion patterns?",
    "Is the transcript consistently clear without unresolved ambiguity?",
    "Does the response show basic forms with reasonable accuracy?",
    "Does the response use a mix of simple and complex forms?",
    "Does the response use a range of complex forms with some flexibility?",
    "Is the dominant grammatical pattern broad, flexible, and generally controlled?",
    "Does the response sustain full, natural, flexible, and accurate structural control?",
]
NOTE = (
    "Pronunciation, intonation, and stress patterns cannot be assessed from transcript alone. "
    "This score reflects only word clarity, transcription consistency, and intelligibility."
)


def test_criteria_and_checks_are_the_guides_in_their_order() -> None:
    found = [
        (criterion.name, criterion.title, [(check.id, check.threshold) for check in criterion.checks])
        for criterion in part(1).criteria
    ]
    assert found == GUIDE
    assert [check.question for criterion in part(1).criteria for check in criterion.checks] == QUESTIONS


def test_bands_by_passed_checks_are_the_guides() -> None:
    """From none passed (that band or below) to all; Pronunciation alone leaves a choice: 8 or 9, and 5 or 6."""
    fluency, lexical, pronunciation, grammar = part(1).criteria
    for criterion in (fluency, lexical, grammar):
        assert [band.value for band in criterion.bands] == [4, 5, 6, 7, 8, 9]
        assert (criterion.all_choice, criterion.one_choice) == (None, None)
    assert [band.value for band in pronunciation.bands] == [4, 5, 7, 8]
    assert pronunciation.all_choice is not None
    assert pronunciation.one_choice is not None
    assert (pronunciation.all_choice.value, pronunciation.one_choice.value) == (9, 6)
    assert pronunciation.one_missed == "WORD_CLARITY"


def test_the_boundary_note_is_exact_and_belongs_to_pronunciation() -> None:
    edition = part(1)
    assert edition.boundary_note == NOTE
    [criterion] = [criterion for criterion in edition.criteria if criterion.id == edition.note_criterion]
    assert criterion.name == "Pronunciation (Transcript-Based)"
    assert edition.texts["pronunciation_note"].endswith(f'"{NOTE}"')
    assert edition.texts["closed"].endswith(f'"{NOTE}"')


def test_the_edition_says_what_it_is() -> None:
    edition = part(1)
    assert (edition.id, edition.version, edition.part, edition.test) == (PART_1, "V33", 1, "IELTS")
    assert edition.answers_highest == 12


def test_what_the_guide_prints_is_published_and_the_rest_is_marked() -> None:
    entries = part(1).entries
    marked = {path: entry.provenance for path, entry in entries.items() if entry.provenance != "published"}
    assert marked == {
        "edition.title": "inferred",
        "edition.values_as_of": "chosen",
        "edition.answers_highest": "chosen",
    }
    assert all(part(1).lookup(path).note for path in marked)


# --- spoilt editions: file, what stands there once, what is put there instead, the code, the end of the place
WORD_CLARITY = 'id = "WORD_CLARITY"'
LAST = 'failed = "Recurring inappropriacies, basic errors, or range limitations prevent full control"\n'
P_BANDS = "value = [4, 5, 7, 8]"
P = "criteria.criteria.pronunciation"
G = "criteria.criteria.grammatical_range_and_accuracy"
SPOILT: list[tuple[str, str, str, str, str]] = [
    (
        "criteria",
        'name = "Lexical Resource"',
        'name = "Lexical Resource"\ncolour = "red"',
        "rubric_key_unknown",
        "colour",
    ),
    ("criteria", LAST, f"{LAST}weight = 2\n", "rubric_key_unknown", f"{G}.checks.FULL_RANGE.weight"),
    ("criteria", LAST, "", "rubric_key_missing", f"{G}.checks.FULL_RANGE.failed"),
    ("criteria", 'name = "Lexical Resource"\n', "", "rubric_key_missing", "criteria.lexical_resource.name"),
    ("criteria", 'name = "Lexical Resource"', 'name = ""', "rubric_type", "criteria.lexical_resource.name"),
    ("criteria", 'name = "Lexical Resource"', "name = 2", "rubric_type", "criteria.lexical_resource.name"),
    ("criteria", WORD_CLARITY, 'id = "INTELLIGIBILITY"', "rubric_row_id", f"{P}.checks"),
    ("criteria", WORD_CLARITY, 'id = ""', "rubric_row_id", f"{P}.checks"),
    ("criteria", WORD_CLARITY, "", "rubric_row_id", f"{P}.checks"),
    ("criteria", WORD_CLARITY, 'id = "CLEAR_WORDS"', "rubric_value", f"{P}.one_passed_missed"),
    ("criteria", 'id = "lexical_resource"', 'id = "fluency_and_coherence"', "rubric_row_id", "criteria.criteria"),
    ("criteria", P_BANDS, "value = [4, 7, 5, 8]", "rubric_bands", f"{P}.bands"),
    ("criteria", P_BANDS, "value = [4, 5, 5, 8]", "rubric_bands", f"{P}.bands"),
    ("criteria", P_BANDS, "value = [8, 7, 5, 4]", "rubric_bands", f"{P}.bands"),
    ("criteria", P_BANDS, "value = [5, 7, 8]", "rubric_bands", f"{P}.bands"),
    ("criteria", P_BANDS, "value = [4, 5, 6, 7, 8]", "rubric_bands", f"{P}.bands"),
    ("criteria", P_BANDS, "value = [4, 5, 7, 10]", "rubric_range", f"{P}.bands"),
    ("criteria", P_BANDS, "value = [-1, 5, 7, 8]", "rubric_range", f"{P}.bands"),
    ("criteria", P_BANDS, "value = [4, 5, 7, 8.5]", "rubric_type", f"{P}.bands"),
    ("criteria", P_BANDS, 'value = [4, 5, 7, "8"]', "rubric_type", f"{P}.bands"),
    ("criteria", P_BANDS, "value = [false, 5, 7, 8]", "rubric_type", f"{P}.bands"),
    ("criteria", P_BANDS, "value = 8", "rubric_type", f"{P}.bands"),
    ("criteria", P_BANDS, "value = []", "rubric_type", f"{P}.bands"),
    ("criteria", P_BANDS, f'{P_BANDS}, provenance = "guessed"', "rubric_provenance", f"{P}.bands.provenance"),
    ("criteria", P_BANDS, f'{P_BANDS}, source = "guide"', "rubric_key_unknown", f"{P}.bands.source"),
    ("criteria", "all_passed_choice = 9", "all_passed_choice = 10", "rubric_range", f"{P}.all_passed_choice"),
    ("criteria", "all_passed_choice = 9", "all_passed_choice = 8.5", "rubric_type", f"{P}.all_passed_choice"),
    ("criteria", "all_passed_choice = 9", "all_passed_choice = true", "rubric_type", f"{P}.all_passed_choice"),
    ("criteria", 'one_passed_missed = "WORD_CLARITY"\n', "", "rubric_key_missing", f"{P}.one_passed_missed"),
    (
        "criteria",
        "one_passed_choice = { value = 6,",
        "one_choice = { value = 6,",
        "rubric_key_unknown",
        f"{P}.one_choice",
    ),
    ("criteria", 'provenance = "published"\n', 'provenance = "official"\n', "rubric_provenance", "criteria.provenance"),
    (
        "criteria",
        'provenance = "published"\n',
        'provenance = "published"\nextra = 1\n',
        "rubric_key_unknown",
        "criteria.extra",
    ),
    ("edition", 'id = "ielts-part1-v33"', 'id = "ielts-part1-v34"', "rubric_value", "edition.id"),
    ("edition", "part = 1", "part = 0", "rubric_range", "edition.part"),
    ("edition", "part = 1", 'part = "1"', "rubric_type", "edition.part"),
    ("edition", 'test = "IELTS"\n', "", "rubric_key_missing", "edition.test"),
    ("edition", 'test = "IELTS"\n', 'test = "IELTS"\ntest_name = "IELTS"\n', "rubric_key_unknown", "edition.test_name"),
    ("edition", f'boundary_note = "{NOTE}"', 'boundary_note = ""', "rubric_type", "edition.boundary_note"),
    ("edition", "{ value = 12,", "{ value = 0,", "rubric_range", "edition.answers_highest"),
    ("edition", "[prompt]", "[prompts]", "rubric_key_missing", "edition.prompt"),
    ("edition", "topic_again = ", "topic_twice = ", "rubric_key_missing", "edition.prompt.topic_again"),
    ("edition", "[prompt]\n", '[prompt]\ncoaching = "Be kind."\n', "rubric_key_unknown", "edition.prompt.coaching"),
    ("edition", "part = 1", "part = 1\npart = 2", "rubric_toml", "edition.toml"),
    ("edition", "[prompt]", "[prompt", "rubric_toml", "edition.toml"),
    ("edition", "[prompt]", 'criteria_of = "nowhere"\n[prompt]', "rubric_file_missing", "nowhere/criteria.toml"),
]


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The published edition in a folder of the test's own."""
    folder = tmp_path / PART_1
    shutil.copytree(EDITIONS / PART_1, folder)
    return folder


def refused(folder: Path) -> RubricError:
    with pytest.raises(RubricError) as caught:
        load_graduated(folder)
    return caught.value


@pytest.mark.parametrize(("file", "old", "new", "code", "where"), SPOILT)
def test_a_spoilt_edition_is_refused(copied: Path, file: str, old: str, new: str, code: str, where: str) -> None:
    path = copied / f"{file}.toml"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    error = refused(copied)
    assert error.code == code
    assert error.where.endswith(where)


def test_a_copy_loads_as_the_edition_it_is(copied: Path) -> None:
    assert load_graduated(copied).digest == part(1).digest


def test_another_word_is_another_digest(copied: Path) -> None:
    path = copied / "criteria.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("generally clear meaning?", "clear meaning?"), encoding="utf-8")
    assert load_graduated(copied).digest != part(1).digest


def test_files_that_do_not_belong_are_refused(copied: Path) -> None:
    (copied / "notes.toml").write_text("", encoding="utf-8")
    assert (refused(copied).code, refused(copied).where) == ("rubric_file_unknown", f"{PART_1}/notes.toml")


@pytest.mark.parametrize("file", ["edition.toml", "criteria.toml"])
def test_a_missing_file_and_bytes_that_are_no_text_are_refused(copied: Path, file: str) -> None:
    (copied / file).write_bytes(b"\xff\xfe")
    assert refused(copied).code == "rubric_toml"
    (copied / file).unlink()
    assert refused(copied).code == "rubric_file_missing"


def test_there_is_no_part_four() -> None:
    with pytest.raises(KeyError):
        part(4)
