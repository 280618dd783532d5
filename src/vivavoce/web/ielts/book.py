"""The IELTS guide as a book: its chapters, a catalogue for each edition, and where each row is shown and used."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from vivavoce.errors import RequestError
from vivavoce.rubric.graduated import PART_1, PARTS, Graduated, part
from vivavoce.rubric.whole_test import WHOLE_TEST, whole_test
from vivavoce.web.guide.book import Chapter
from vivavoce.web.guide.catalog import Catalog

PART_TITLES = {1: "Part 1", 2: "Part 2", 3: "Part 3"}
# The prompt's texts by what they are, in the order in which a judge reads them.
TEXT_TITLES = {
    "opening": "How the prompt opens",
    "recording": "What it is a recording of",
    "topic": "The topic",
    "answers": "What the answers are",
    "question": "A question",
    "answer": "An answer",
    "feedback": "Heading",
    "topic_again": "The topic again",
    "method": "How to evaluate",
    "calibration": "Calibration of this part",
    "high_bands": "Calibration of the high bands",
    "criteria": "Heading of the criteria",
    "pronunciation_boundary": "Pronunciation: what a transcript cannot show",
    "pronunciation_note": "Pronunciation: the note that code attaches",
    "pronunciation_rationale": "Pronunciation: the rationale",
    "pronunciation_distinction": "Pronunciation: band 8 or 9",
    "distinction": "Band 8 or band 9",
    "overall": "The overall",
    "observations": "Observations",
    "shape": "The strict shape",
    "format": "Heading of the format",
    "closed": "The closed contract",
    "closing": "How the prompt closes",
}
# Texts that each part words itself.
OWN_TEXTS = ("opening", "recording", "topic", "answers", "topic_again", "calibration")


@lru_cache(maxsize=1)
def chapters() -> dict[str, Chapter]:
    """The chapters of the IELTS guide by name, in order."""
    return {
        "built": Chapter(
            "How a band comes about",
            "/ielts",
            "Four criteria of yes-no checks; bands by how many pass; an overall that is rounded down.",
            {criterion.id: criterion.name for criterion in part(1).criteria}
            | {"overall": "The overall band", "decisions": "What the guide leaves open", "editions": "The editions"},
        ),
        "contract": Chapter(
            "What the prompt says",
            "/ielts/contract",
            "The words that a judge of Part 1 reads, and the closed contract that its reply must keep.",
            {
                "before": "Before the criteria",
                "criteria": "The criteria",
                "after": "After the criteria",
                "reply": "The reply",
            },
        ),
        "parts": Chapter(
            "Parts 2 and 3",
            "/ielts/parts",
            "Beyond the guide: the same checks with texts of our own.",
            {"differ": "What the parts word themselves", "why": "Why these texts"},
        ),
        "test": Chapter(
            "The whole test",
            "/ielts/test",
            "Beyond the guide: how three parts make one result.",
            {"rule": "The rule", "worked": "Worked by the engine", "cost": "What the two roundings cost"},
        ),
        "lab": Chapter("IELTS lab", "/ielts/lab", "Flip checks; see the bands and the overall."),
        "rows": Chapter(
            "All rows", "/ielts/rows", "Every value of the four editions: search, filter, read one by one."
        ),
    }


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision on what the guide leaves open: its name, what it settles, and how."""

    id: str
    title: str
    text: str


DECISIONS = (
    Decision(
        "V1",
        "Whole bands, and 4 or below",
        "Where no check passed, the band is a whole number from 0 to 4, given by the judge. Whole-number fields of a "
        "reply are JSON integers (no 5.0, no true); the overall is a number.",
    ),
    Decision(
        "V2",
        "Pronunciation with one check",
        "Band 6 may be given only where WORD_CLARITY is among the missed checks. If WORD_CLARITY is the one that "
        "passed, the band is 5.",
    ),
    Decision(
        "V3",
        "A higher check passed after a lower one failed",
        "The reply is accepted: the number of passed checks counts. It is reported as non_monotone, a note for "
        "reviewers.",
    ),
    Decision(
        "V4",
        "Rejected, never repaired",
        "Anything around the one JSON root but white space, code fences, doubled keys, NaN, comments, unknown or "
        "missing keys, another order, look-alike letters, a count, band or overall that does not follow. The error "
        "names the rule and the place.",
    ),
    Decision(
        "V5",
        "One to twelve answers, as data",
        "Question and answer pairs stand in order. A candidate's text cannot close its own quotation in the prompt, "
        "and a placeholder inside an answer is not filled in.",
    ),
    Decision(
        "V6",
        "Several judgements",
        "A check passes when more than half of the judgements pass it; a tie fails. With no check passed, the band is "
        "the median of the judgements' bands, the lower one of two.",
    ),
)


def editions() -> dict[str, str]:
    """Titles of the editions by id."""
    return {part(number).id: part(number).title for number in PARTS} | {whole_test().id: whole_test().title}


@lru_cache(maxsize=4)
def catalog(edition: str = PART_1) -> Catalog:
    """The catalogue of an edition. Raises RequestError `rubric_path_unknown` for no such edition."""
    if edition == WHOLE_TEST:
        found = whole_test()
        files = {"edition": f"rubrics/{edition}/edition.toml"}
        return Catalog(edition, found.title, f"/ielts/row/{edition}", "/ielts/rows", files, found.entries, {})
    number = next((number for number, name in PARTS.items() if name == edition), None)
    if number is None:
        raise RequestError(
            "rubric_path_unknown",
            where=edition[:160],
            found="no edition of this name",
            allowed=", ".join([*PARTS.values(), WHOLE_TEST]),
            remedy="look for the row under /ielts/rows, or follow a number's link",
        )
    loaded = part(number)
    files = {"edition": f"rubrics/{edition}/edition.toml", "criteria": f"rubrics/{PART_1}/criteria.toml"}
    return Catalog(edition, loaded.title, f"/ielts/row/{edition}", "/ielts/rows", files, loaded.entries, {})


def shown_at(edition: str, path: str) -> tuple[str, str]:
    """The title and the address of the place in the IELTS guide that shows a row."""
    steps = path.split(".")
    if edition == WHOLE_TEST:
        return chapters()["test"].title, "/ielts/test"
    if steps[0] == "criteria":
        name = steps[2] if len(steps) > 2 else ""
        title = chapters()["built"].headings.get(name, chapters()["built"].title)
        return title, "/ielts" + (f"#{name}" if name else "")
    if edition != PART_1:
        return chapters()["parts"].title, "/ielts/parts"
    if steps[:2] == ["edition", "prompt"]:
        return chapters()["contract"].title, "/ielts/contract"
    return chapters()["built"].title, "/ielts"


def uses(edition: str, path: str) -> list[str]:
    """Where a row is used, a sentence each; none where nothing reads it."""
    steps = path.split(".")
    if edition == WHOLE_TEST:
        said = {
            "parts": "The whole test is made of these parts.",
            "criterion_step": "Each criterion of the whole test is rounded down to this step.",
            "overall_step": "The overall of the whole test is rounded down to this step.",
        }
        return [said[steps[-1]]] if steps[-1] in said else []
    graduated = _graduated(edition)
    where = PART_TITLES[graduated.part]
    if steps[0] == "criteria":
        names = {criterion.id: criterion.name for criterion in graduated.criteria}
        name = names.get(steps[2], "") if len(steps) > 2 else ""
        found = [f"{name}, in the prompt of {where}."]
        if steps[-1] in ("bands", "one_passed_choice", "one_passed_missed", "all_passed_choice"):
            found.append(f"The band of {name} in {where}, and through it the overall.")
        return found
    if steps[:2] == ["edition", "prompt"]:
        return [f"The prompt of {where}, as “{TEXT_TITLES[steps[2]]}”."] if len(steps) > 2 else []
    if steps[-1] == "answers_highest":
        return [f"The most answers that an interview of {where} may have."]
    if steps[-1] == "boundary_note":
        return [f"Every report of {where}, beside Pronunciation."]
    return []


def _graduated(edition: str) -> Graduated:
    return next(part(number) for number, name in PARTS.items() if name == edition)
