"""Documents for the tests of the interview report: scored, sampled, waiting, hostile; built as the flow builds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vivavoce.interview import Exchange, Interview
from vivavoce.notice import Notice
from vivavoce.report.interview.document import agreement_of, part_document
from vivavoce.rubric.graduated import part
from vivavoce.scoring.graduated import CriterionBand, band_of, majority

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}\u202e\x1b[31m\"'&"
Results = Sequence[Sequence[bool]]
Y, N = True, False

INTERVIEW = Interview(
    "Your home town",
    (
        Exchange("Where do you come from?", "I come from Porto, it is a city on the coast, and I really love it."),
        Exchange("Is it a good place for young people?", "Yes."),
        Exchange("Would you like to move?", ""),
    ),
)


def bands(results: Results, given: Sequence[int], number: int = 1) -> list[CriterionBand]:
    edition = part(number)
    return [
        band_of(criterion, list(row), band, "a judge")
        for criterion, row, band in zip(edition.criteria, results, given, strict=True)
    ]


def reply(**changes: Any) -> dict[str, Any]:
    return {
        "raw": '{"testBased": {}}',
        "accepted": True,
        "error": None,
        "sample": 1,
        "model": "a model",
        "at": "2026-11-30T12:00:00Z",
        "seconds": 1.5,
        "input_tokens": 10,
        "output_tokens": 20,
        "cost": None,
        "cached": False,
        **changes,
    }


def judgement(**changes: Any) -> dict[str, Any]:
    return {
        "judge": "openai:a-model",
        "samples": 1,
        "accepted": 1,
        "prompt_digest": "0" * 64,
        "replies": [reply()],
        **changes,
    }


def guide() -> dict[str, Any]:
    """The guide's own example: every check passed, bands 9, 9, 8, 9, overall 8.5."""
    results = [[Y] * 5, [Y] * 5, [Y] * 3, [Y] * 5]
    return part_document(part(1), bands(results, [9, 9, 8, 9]), interview=INTERVIEW, judgement=judgement())


MIXED = [[Y, Y, Y, N, N], [Y, Y, N, Y, N], [Y, N, N], [Y, Y, N, N, N]]


def mixed(number: int = 1) -> dict[str, Any]:
    """Bands 7, 7 (a higher check passed after a failed one), 6 (chosen: WORD_CLARITY missed), 6; two warnings."""
    return part_document(
        part(number),
        bands(MIXED, [7, 7, 6, 6], number),
        interview=INTERVIEW,
        warnings=[
            Notice("answer_missing", "question 3 was not answered", "ask it again"),
            Notice("short_answers", "two answers are shorter than five words, which is normal in Part 1", ""),
        ],
    )


# Three judgements; by hand: FC 2:1 on SPEAKS_AT_LENGTH; PR one says INTELLIGIBILITY only; GRA all agree.
SAMPLED: list[list[tuple[list[bool], int]]] = [
    [([Y, Y, Y, N, N], 7), ([Y, Y, N, N, N], 6), ([Y, Y, Y], 9), ([Y, N, N, N, N], 5)],
    [([Y, Y, Y, Y, N], 8), ([Y, Y, Y, N, N], 7), ([Y, Y, Y], 9), ([Y, N, N, N, N], 5)],
    [([Y, Y, N, N, N], 6), ([Y, N, N, N, N], 5), ([Y, N, N], 6), ([Y, N, N, N, N], 5)],
]


def sampled() -> dict[str, Any]:
    """Decided by three judgements, one reply refused on the way."""
    edition = part(1)
    decided = [
        majority(criterion, [sample[at] for sample in SAMPLED], "openai:a-model")
        for at, criterion in enumerate(edition.criteria)
    ]
    error = {"code": "band_mismatch", "where": "/testBased", "found": "3", "allowed": "7", "remedy": "ask again"}
    replies = [reply(accepted=False, error=error, raw="{"), *(reply(sample=number) for number in (1, 2, 3))]
    return part_document(
        edition,
        decided,
        interview=INTERVIEW,
        judgement=judgement(samples=3, accepted=3, replies=replies),
        agreement=agreement_of(decided, SAMPLED),
    )


def lowest() -> dict[str, Any]:
    """No check passed anywhere: bands as given, 4, 3, 0, 4."""
    results = [[N] * 5, [N] * 5, [N] * 3, [N] * 5]
    return part_document(part(1), bands(results, [4, 3, 0, 4]))


def pending() -> dict[str, Any]:
    reason = Notice("judge_missing", "no judge was named", "name one with --judge")
    return part_document(part(1), (), interview=INTERVIEW, state="pending", reason=reason)


def not_scored() -> dict[str, Any]:
    reason = Notice("no_english", "the answers have no English words", "answer in English")
    return part_document(part(1), (), interview=INTERVIEW, state="not_scored", reason=reason)


def hostile() -> dict[str, Any]:
    """Every text that comes from outside tries to be markup, a template, or a terminal command."""
    spoken = Interview(HOSTILE, (Exchange(HOSTILE, HOSTILE), Exchange("x" * 3000, "y" * 3000)))
    answer = reply(raw=HOSTILE, model=HOSTILE, at=HOSTILE)
    return part_document(
        part(1),
        bands(MIXED, [7, 7, 5, 6]),
        interview=spoken,
        judgement=judgement(judge=HOSTILE, replies=[answer]),
        warnings=[Notice("odd", HOSTILE, HOSTILE)],
    )


PARTS = {
    "guide": guide,
    "mixed": mixed,
    "sampled": sampled,
    "lowest": lowest,
    "pending": pending,
    "not_scored": not_scored,
    "hostile": hostile,
}


def part_of(number: int, judge: str = "openai:a-model") -> dict[str, Any]:
    """A part of a whole test: bands 7, 7, 6, 6 by that judge."""
    return part_document(
        part(number), bands(MIXED, [7, 7, 6, 6], number), interview=INTERVIEW, judgement=judgement(judge=judge)
    )
