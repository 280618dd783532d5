"""Bands from graduated checks: the mapping as a trace, the floored mean, and K judgements by majority (V1-V3, V6)."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_evaluator import evaluate
from vivavoce.arithmetic import OPERATIONS, parse, replay, to_json
from vivavoce.rubric.graduated import Criterion, part
from vivavoce.scoring.graduated import CriterionBand, allowed_bands, band_of, majority, overall_band
from vivavoce.trace import Node, leaf

FLUENCY, LEXICAL, PRONUNCIATION, GRAMMAR = part(1).criteria
Sample = tuple[Sequence[bool], int]


def sample(marks: str, band: int) -> Sample:
    """A judgement: a letter a check, T passed, F failed."""
    return [mark == "T" for mark in marks], band


def decided(criterion: Criterion, *samples: Sample) -> tuple[str, int]:
    """What the judgements decide together: a letter a check, and the band."""
    found = majority(criterion, samples, "judge")
    assert isinstance(found.band.value, int)
    return "".join("T" if passed else "F" for passed in found.checks.values()), found.band.value


# --- the majority, worked out by hand


def test_one_judgement_decides_as_it_stands() -> None:
    for marks, band in (("TTFTF", 7), ("FFFFF", 2), ("TTTTT", 9), ("FFFFT", 5)):
        assert decided(FLUENCY, sample(marks, band)) == (marks, band)
    for marks, band in (("TTT", 8), ("TTT", 9), ("TFF", 5), ("TFF", 6), ("FTF", 5), ("FFF", 0), ("FFF", 4)):
        assert decided(PRONUNCIATION, sample(marks, band)) == (marks, band)


def test_each_check_is_decided_by_more_than_half() -> None:
    # Passed by 3, 2, 2, 1 and 0 of 3: the first three pass.
    three = (sample("TTTFF", 7), sample("TTFFF", 6), sample("TFTTF", 7))
    assert decided(GRAMMAR, *three) == ("TTTFF", 7)
    # By 1, 2, 2, 2 and 0 of 3: a pattern that none of the three gave.
    assert decided(GRAMMAR, sample("TTTFF", 7), sample("FTFTF", 6), sample("FFTTF", 6)) == ("FTTTF", 7)


def test_a_tie_fails() -> None:
    assert decided(LEXICAL, sample("TTTTT", 9), sample("TTTFF", 7)) == ("TTTFF", 7)
    assert decided(LEXICAL, sample("TTFFF", 6), sample("FFTTF", 6)) == ("FFFFF", 4)
    four = (sample("TTTTT", 9), sample("TTTTF", 8), sample("TTTFF", 7), sample("TTFFF", 6))
    assert decided(LEXICAL, *four) == ("TTTFF", 7)


def test_the_default_of_eight_or_nine_counts_unless_more_than_half_chose_nine() -> None:
    eight, nine, seven = sample("TTT", 8), sample("TTT", 9), sample("TTF", 7)
    assert decided(PRONUNCIATION, nine, nine, eight) == ("TTT", 9)
    assert decided(PRONUNCIATION, nine, eight, eight) == ("TTT", 8)
    assert decided(PRONUNCIATION, nine, eight) == ("TTT", 8)
    assert decided(PRONUNCIATION, nine, nine, eight, eight) == ("TTT", 8)
    assert decided(PRONUNCIATION, nine, nine, nine, eight) == ("TTT", 9)
    # Two of five chose nine and three pass all: all pass, but two is not more than half of five.
    assert decided(PRONUNCIATION, nine, nine, eight, seven, seven) == ("TTT", 8)
    # Three of five did.
    assert decided(PRONUNCIATION, nine, nine, nine, seven, seven) == ("TTT", 9)
    # Nine cannot be had from nines where the decided checks do not allow it.
    assert decided(PRONUNCIATION, nine, nine, seven, seven) == ("TTF", 7)


def test_the_default_of_five_or_six_counts_unless_more_than_half_chose_six() -> None:
    five, six, seven = sample("TFF", 5), sample("TFF", 6), sample("TTF", 7)
    assert decided(PRONUNCIATION, six, six, five) == ("TFF", 6)
    assert decided(PRONUNCIATION, six, five, five) == ("TFF", 5)
    assert decided(PRONUNCIATION, six, five) == ("TFF", 5)
    assert decided(PRONUNCIATION, six, six, seven) == ("TFF", 6)
    assert decided(PRONUNCIATION, six, six, seven, seven) == ("TFF", 5)
    assert decided(PRONUNCIATION, six, seven) == ("TFF", 5)


def test_six_is_out_where_word_clarity_is_the_one_that_passes() -> None:
    """Two sixes are no majority, and whoever gave six failed WORD_CLARITY: where it passes, sixes never are one.

    The second row, by check: passed by 2, 3 and 2 of five.
    """
    assert decided(PRONUNCIATION, sample("FTF", 5), sample("FTF", 5), sample("TFF", 6)) == ("FTF", 5)
    five = (sample("TFF", 6), sample("FFT", 6), sample("FTF", 5), sample("TTF", 7), sample("FTT", 7))
    assert decided(PRONUNCIATION, *five) == ("FTF", 5)


def test_with_no_check_passed_the_band_is_the_median_the_lower_of_two() -> None:
    def none(*bands: int) -> tuple[str, int]:
        return decided(GRAMMAR, *(sample("FFFFF", band) for band in bands))

    assert none(4, 0, 2) == ("FFFFF", 2)
    assert none(3, 1) == ("FFFFF", 1)
    assert none(4, 4, 0, 3) == ("FFFFF", 3)
    assert none(0, 4, 2, 3) == ("FFFFF", 2)
    assert none(1, 1, 4, 4, 4) == ("FFFFF", 4)
    assert none(0) == ("FFFFF", 0)


def test_a_median_over_four_is_held_at_four() -> None:
    """Each judgement passes another check, so none is decided; their bands 5, 5 and 6 give the median 5."""
    assert decided(LEXICAL, sample("TFFFF", 5), sample("FTTFF", 6), sample("FFFTF", 5)) == ("FFFFF", 4)
    # Median 5 of two that passed and one that did not; then the one with 3 in the middle.
    assert decided(LEXICAL, sample("TFFFF", 5), sample("FTFFF", 5), sample("FFFFF", 1)) == ("FFFFF", 4)
    assert decided(LEXICAL, sample("TFFFF", 5), sample("FFFFF", 3), sample("FFFFF", 1)) == ("FFFFF", 3)


def test_the_trace_shows_the_median_that_was_held() -> None:
    found = majority(LEXICAL, [sample("TFFFF", 5), sample("FTTFF", 6), sample("FFFTF", 5)], "judge")
    assert found.band.find("given_band").value == 5
    assert json.loads(to_json(found.band))["expression"] == "min(4, 5)"


def test_agreement_is_told_of_each_check() -> None:
    found = majority(GRAMMAR, [sample("TTTFF", 7), sample("TTFFF", 6), sample("TFFTF", 6), sample("TFFFF", 5)], "judge")
    notes = [node.note for node in found.band.walk() if node.op == "judged" and node.unit == "check"]
    assert notes == ["4 of 4 agree", "2 of 4 agree", "3 of 4 agree", "3 of 4 agree", "4 of 4 agree"]


def test_what_passed_after_a_failed_check_and_what_comes_next() -> None:
    found = band_of(FLUENCY, [True, False, True, False, True], 7)
    assert found.non_monotone == ("SPEAKS_AT_LENGTH", "FULL_FLUENCY")
    assert (found.passed, found.next_check) == (3, "WILLING_TO_SPEAK")
    best = band_of(FLUENCY, [True] * 5, 9)
    assert (best.non_monotone, best.passed, best.next_check) == ((), 5, None)
    assert band_of(FLUENCY, [False] * 5, 3).next_check == "MAINTAINS_FLOW"


# --- properties over random judgements


@st.composite
def judgements(draw: st.DrawFn) -> tuple[Criterion, list[Sample]]:
    criterion = draw(st.sampled_from(part(1).criteria))
    size = len(criterion.checks)
    rows = draw(st.lists(st.lists(st.booleans(), min_size=size, max_size=size), min_size=1, max_size=7))
    return criterion, [(row, draw(st.sampled_from(allowed_bands(criterion, row)))) for row in rows]


@given(judgements())
def test_checks_and_band_follow_from_the_judgements(made: tuple[Criterion, list[Sample]]) -> None:
    criterion, samples = made
    found = majority(criterion, samples, "judge")
    for at, passed in enumerate(found.checks.values()):
        for_it = [results[at] for results, _ in samples]
        assert passed is (for_it.count(True) > for_it.count(False))
    assert found.band.value in allowed_bands(criterion, list(found.checks.values()))


@given(judgements(), st.randoms(use_true_random=False))
def test_the_order_of_the_judgements_does_not_matter(made: tuple[Criterion, list[Sample]], rng: random.Random) -> None:
    criterion, samples = made
    other = rng.sample(samples, len(samples))
    assert to_json(majority(criterion, samples, "j").band) == to_json(majority(criterion, other, "j").band)


@given(judgements())
def test_a_judgement_repeated_decides_like_itself(made: tuple[Criterion, list[Sample]]) -> None:
    criterion, samples = made
    results, band = samples[0]
    found = majority(criterion, [(results, band)] * len(samples), "judge")
    assert (list(found.checks.values()), found.band.value) == (list(results), band)


@given(judgements())
def test_a_judgement_with_more_passed_never_lowers_the_checks(made: tuple[Criterion, list[Sample]]) -> None:
    criterion, samples = made
    best = ([True] * len(criterion.checks), allowed_bands(criterion, [True] * len(criterion.checks))[0])
    before = majority(criterion, samples, "judge")
    after = majority(criterion, [best, *samples[1:]], "judge")
    assert all(after.checks[name] >= passed for name, passed in before.checks.items())


def holds(node: Node) -> None:
    """What a trace promises: it replays, each expression gives its node's value, sources of numbers resolve."""
    assert replay(node) == node.value
    for step in node.walk():
        if step.op == "parameter":
            assert part(1).lookup(step.source)
        if step.op in OPERATIONS:
            assert step.source
    whole = json.loads(to_json(node))
    assert json.loads(to_json(parse(whole))) == whole
    waiting = [whole]
    while waiting:
        step = waiting.pop()
        assert abs(evaluate(step["expression"]) - Fraction(str(step["value"]))) <= Fraction(1, 10**6)
        waiting.extend(step["operands"])


@given(judgements())
def test_traces_replay_and_their_expressions_give_their_values(made: tuple[Criterion, list[Sample]]) -> None:
    criterion, samples = made
    holds(majority(criterion, samples, "judge").band)


def test_the_trace_of_the_overall_has_everything_under_it() -> None:
    """(9 + 9 + 8 + 9) / 4 = 8.75, floored to 8.5, as the guide's example has it."""
    found: list[CriterionBand] = [
        band_of(criterion, [True] * len(criterion.checks), 8 if criterion is PRONUNCIATION else 9)
        for criterion in part(1).criteria
    ]
    overall = overall_band([one.band for one in found])
    holds(overall)
    assert overall.value == Fraction(17, 2)
    mean = overall.find("mean_band")
    assert mean.value == Fraction(35, 4)
    assert json.loads(to_json(mean))["expression"] == "(9 + 9 + 8 + 9) / 4"
    assert json.loads(to_json(overall))["expression"] == "floor(8.75 / 0.5) * 0.5"
    assert sum(node.unit == "check" for node in overall.walk()) == 18


@pytest.mark.parametrize(
    ("bands", "wanted"),
    [
        ((9, 9, 9, 9), "9"),
        ((9, 9, 8, 9), "8.5"),
        ((7, 7, 7, 6), "6.5"),
        ((6, 6, 5, 6), "5.5"),
        ((5, 5, 5, 4), "4.5"),
        ((5, 5, 5, 6), "5"),
        ((4, 5, 6, 7), "5.5"),
        ((0, 0, 1, 1), "0.5"),
        ((0, 0, 0, 1), "0"),
        ((0, 0, 0, 0), "0"),
    ],
)
def test_the_mean_is_rounded_down_to_a_half(bands: tuple[int, ...], wanted: str) -> None:
    node = overall_band([leaf("given", "band", band) for band in bands])
    assert node.text == wanted
    holds(node)
