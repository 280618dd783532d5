"""Correlations: against published examples, hand derivation and the standard library; undefined is None, never nan."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.agreement.correlation import average_ranks, pearson, pearson_between, pearson_within, spearman

# Anscombe (1973), "Graphs in statistical analysis": four sets with nearly the same correlation.
ANSCOMBE_X = (10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5)
ANSCOMBE = {
    "I": (ANSCOMBE_X, (8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68), 0.81642),
    "II": (ANSCOMBE_X, (9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74), 0.81624),
    "III": (ANSCOMBE_X, (7.46, 6.77, 12.74, 7.11, 7.81, 8.84, 6.08, 5.39, 8.15, 6.42, 5.73), 0.81629),
    "IV": ((8,) * 7 + (19,) + (8,) * 3, (6.58, 5.76, 7.71, 8.84, 8.47, 7.04, 5.25, 12.50, 5.56, 7.91, 6.89), 0.81652),
}


@pytest.mark.parametrize("name", ANSCOMBE)
def test_pearson_of_anscombes_quartet(name: str) -> None:
    x, y, published = ANSCOMBE[name]
    assert pearson(x, y) == pytest.approx(published, abs=5e-6)


def test_spearman_of_the_published_example() -> None:
    """IQ against hours of television, the worked example of many textbooks: sum of d^2 = 194, rho = -29/165."""
    iq = (106, 100, 86, 101, 99, 103, 97, 113, 112, 110)
    hours = (7, 27, 2, 50, 28, 29, 20, 12, 6, 17)
    assert spearman(iq, hours) == pytest.approx(-29 / 165, abs=1e-12)


def test_equal_numbers_share_the_mean_of_their_ranks() -> None:
    assert list(average_ranks([30, 10, 20, 20, 30, 30])) == [5, 1, 2.5, 2.5, 5, 5]
    assert list(average_ranks([])) == []


def test_spearman_with_ties_by_hand() -> None:
    """Ranks 1, 2.5, 2.5, 4 and 2, 1, 3, 4: products about 2.5 sum to 0.75 + 0 + 0 + 2.25 = 3; squares to 4.5 and 5."""
    assert spearman([1, 5, 5, 9], [2, 1, 3, 4]) == pytest.approx(3 / math.sqrt(4.5 * 5))


def test_within_and_between_by_hand() -> None:
    """Two speakers. Within, one rises and the other falls less; between, the higher mean goes with the higher mean.

    Speaker a: x 1, 3, y 1, 5; centred -1, 1 and -2, 2. Speaker b: x 10, 12, y 11, 9; centred -1, 1 and 1, -1.
    Products 2 + 2 - 1 - 1 = 2; squares 4 and 4 + 4 + 1 + 1 = 10. Two means always lie on a line.
    """
    x, y, who = [1, 3, 10, 12], [1, 5, 11, 9], ["a", "a", "b", "b"]
    assert pearson_within(x, y, who) == pytest.approx(2 / math.sqrt(40))
    assert pearson_between(x, y, who) == pytest.approx(1)


def test_between_weights_the_means_by_size() -> None:
    """Means (0, 0), (1, 1), (2, 0) with sizes 1, 1, 2: weighted means 1.25 and .25.

    Sums: xy 1*(-1.25)(-.25) + 1*(-.25)(.75) + 2*(.75)(-.25) = -.25; xx 2.75; yy .75.
    """
    found = pearson_between([0, 1, 1.5, 2.5], [0, 1, -1, 1], ["a", "b", "c", "c"])
    assert found == pytest.approx(-0.25 / math.sqrt(2.75 * 0.75))


def test_within_ignores_how_speakers_differ() -> None:
    x, y, who = [1.0, 2, 4, 7, 3, 9], [2.0, 1, 5, 6, 6, 7], ["a", "a", "a", "b", "b", "b"]
    shifted = [value + (100 if speaker == "b" else 0) for value, speaker in zip(x, who, strict=True)]
    assert pearson_within(shifted, y, who) == pytest.approx(pearson_within(x, y, who))
    assert pearson(shifted, y) != pytest.approx(pearson(x, y))


@pytest.mark.parametrize("statistic", [pearson, spearman])
@pytest.mark.parametrize("pairs", [([], []), ([1.0], [2.0]), ([0.1] * 7, range(7)), (range(7), [0.1] * 7)])
def test_undefined_is_none(statistic, pairs) -> None:
    """Too few, or one side constant (seven tenths, whose mean is no tenth in binary)."""
    assert statistic(*pairs) is None


def test_undefined_by_group_is_none() -> None:
    assert pearson_within([1, 2, 3], [3, 1, 2], "abc") is None
    assert pearson_within([0.1] * 3 + [0.7] * 3, range(6), "aaabbb") is None
    assert pearson_between([1, 2, 3], [3, 1, 2], "aaa") is None
    assert pearson_between([0.1] * 3 + [0.1] * 7, range(10), "aaabbbbbbb") is None


@pytest.mark.parametrize("bad", [[1.0, math.nan], [1.0, math.inf]])
def test_what_is_no_number_is_refused(bad) -> None:
    with pytest.raises(ValueError, match="finite"):
        pearson(bad, [1, 2])
    with pytest.raises(ValueError, match="3 numbers against 2"):
        pearson([1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="2 groups for 3 pairs"):
        pearson_within([1, 2, 3], [1, 2, 3], "ab")


scores = st.lists(st.tuples(st.integers(-500, 500), st.integers(-500, 500)), min_size=2, max_size=40)


@given(scores)
def test_pearson_is_the_standard_librarys(pairs) -> None:
    x, y = zip(*pairs, strict=True)
    found = pearson(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(statistics.correlation(x, y), abs=1e-9)


@given(scores)
def test_spearman_asks_for_the_order_only(pairs) -> None:
    x, y = zip(*pairs, strict=True)
    assert spearman([value**3 for value in x], y) == spearman(x, y)
    turned = spearman([-value for value in x], y)
    assert turned is None if spearman(x, y) is None else turned == pytest.approx(-(spearman(x, y) or 0), abs=1e-12)


@given(st.lists(st.floats(-1e308, 1e308), min_size=2, max_size=8), st.randoms(use_true_random=False))
def test_no_finite_numbers_give_nan(values, random) -> None:
    """The largest and the smallest numbers too: squares neither overflow nor vanish."""
    other = [random.choice(values) for _ in values]
    found = pearson(values, other)
    assert found is None or -1 <= found <= 1
    assert (found is None) == (len(set(values)) == 1 or len(set(other)) == 1)
