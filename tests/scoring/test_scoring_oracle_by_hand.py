"""The oracle itself, against numbers that the guide prints or that were worked out on paper."""

from __future__ import annotations

from fractions import Fraction

import pytest
from scoring_oracle import (
    FLUENCY_WEIGHTS,
    RATE_PARTS,
    WEIGHTS,
    expect,
    half_up,
    rate_cut,
    steadiness,
    tier_score,
)
from scoring_requests import dump, request


def test_the_guide_s_own_two_interpolations() -> None:
    """0.80 lands on 82, 0.9625 has frac 0.568 and lands on 93, a perfect quality on 95."""
    assert tier_score(Fraction("0.80")) == 82
    assert half_up((Fraction("0.9625") - Fraction("0.90")) / (Fraction("1.01") - Fraction("0.90")), 3) == Fraction(
        "0.568"
    )
    assert tier_score(Fraction("0.9625")) == 93
    assert tier_score(Fraction(1)) == 95


def test_the_change_log_s_old_middle_numbers_give_81() -> None:
    """A5: with 8 a minute and 15 % a linear cut leaves 81 of 95 (95 * 0.85 = 80.75)."""
    assert half_up(95 * (1 - Fraction("0.15") * min(1, Fraction(8, 8)))) == 81


def test_every_row_of_weights_sums_to_one() -> None:
    assert all(sum(row) == 100 for row in (*WEIGHTS.values(), *FLUENCY_WEIGHTS.values()))
    assert all(sum(parts.values()) == 1 for parts in RATE_PARTS.values())


@pytest.mark.parametrize(("value", "rounded"), [("2.5", 3), ("12.5", 13), ("-0.5", 0), ("2.4999999", 2)])
def test_rounding_is_half_up(value: str, rounded: int) -> None:
    assert half_up(Fraction(value)) == rounded


def test_steadiness_by_hand() -> None:
    """Poem 0.15-0.30: 0.05 is a third of the way from 0.70 to 1; 0.45 is half way from 0.30 to 0.60."""
    assert steadiness("poem_recitation", Fraction("0.05")) == Fraction("0.8")
    assert steadiness("poem_recitation", Fraction("0")) == Fraction("0.7")
    assert steadiness("poem_recitation", Fraction("0.45")) == Fraction("0.5")
    assert steadiness("paragraph_reading", Fraction("0")) == 1


def test_a_cut_by_hand() -> None:
    """Middle, open: 4 a minute take 25 %, so 1 a minute takes 6.25 %; nothing is taken under ten seconds."""
    given = {"hesitations_per_minute": 1, "speech_seconds": 10}
    assert rate_cut("rapid_fire_qa", "middle", given) == Fraction("0.0625")
    assert rate_cut("rapid_fire_qa", "middle", given | {"speech_seconds": Fraction("9.99")}) == 0


def test_a_whole_request_by_hand() -> None:
    """Everything at full credit, judged 84 and 71, read 54 of 60 words to the end with no insertion.

    Accuracy 54 / 60 = 0.9; (0.9 - 0.55) / (0.97 - 0.55) = 0.833333; 0.4 * 1 + 0.6 * 0.833333 = 0.8999998, to six
    decimals 0.9: the edge belongs to Excellent, 91. Overall 0.25 * 84 + 0.15 * 71 + 0.15 * 95 + 0.20 * 95 + 0.25 * 91
    = 87.65, 88.
    """
    perfect = request(
        "paragraph_reading",
        "middle",
        speaking_rate={
            "words_per_minute": 130,
            "pace_variation": 0,
            "choppy_breaks_per_minute": 3,
            "hesitations_per_minute": 0,
            "speech_seconds": 30,
        },
        volume_control={"level_db": 60, "consistency_db": 6, "fade_db": -3},
        task_adherence={"reference_words": 60, "trailing_omissions": 0, "matched": 54, "insertions": 0},
    )
    expected = expect(dump(perfect))
    assert expected.scores["speaking_rate"] == expected.scores["volume_control"] == 95
    assert expected.qualities["task_adherence"] == Fraction("0.9")
    assert expected.scores["task_adherence"] == 91
    assert expected.overall == 88
