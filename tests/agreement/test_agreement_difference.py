"""Errors and kappa: by hand and against Cohen's own form, the table of pairs, in exact fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.agreement.difference import mean_absolute_error, quadratic_weighted_kappa, rounded, signed_error


def kappa_of_table(pairs: list[tuple[int, int]]) -> Fraction | None:
    """Cohen (1968): one less the weighted disagreement seen over that of the margins, weights (i - j)^2."""
    n = len(pairs)
    seen, rows, columns = Counter(pairs), Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    observed = Fraction(sum((a - b) ** 2 * count for (a, b), count in seen.items()), n)
    chance = sum(
        ((a - b) ** 2 * Fraction(rows[a] * columns[b], n * n) for a in rows for b in columns), start=Fraction(0)
    )
    return 1 - observed / chance if chance else None


def test_errors_by_hand() -> None:
    assert mean_absolute_error([5, 7, 9], [6, 7, 5]) == pytest.approx(5 / 3)
    assert signed_error([5, 7, 9], [6, 7, 5]) == pytest.approx(1)
    assert signed_error([6, 7, 5], [5, 7, 9]) == pytest.approx(-1)


def test_no_pairs_have_no_error() -> None:
    assert mean_absolute_error([], []) is None
    assert signed_error([], []) is None


def test_halves_go_up() -> None:
    """The last is the float below a half, which half added first would carry to 1."""
    assert list(rounded([0.5, 1.5, 2.5, -0.5, 7.49, 0.49999999999999994])) == [1, 2, 3, 0, 7, 0]


def test_kappa_by_hand() -> None:
    """Pairs (1,1) (2,3) (3,3) (3,1): squares 0, 1, 0, 4, mean 5/4. By chance: variances 11/16 and 1, means 9/4 and 2,
    so 11/16 + 1 + 1/16 = 7/4. Kappa 1 - (5/4)/(7/4) = 2/7."""
    assert quadratic_weighted_kappa([1, 2, 3, 3], [1, 3, 3, 1]) == pytest.approx(2 / 7)


def test_kappa_rounds_both_sides_first() -> None:
    assert quadratic_weighted_kappa([1.4, 1.6, 3.2, 2.8], [0.9, 3.1, 2.7, 1.3]) == pytest.approx(2 / 7)


def test_kappa_falls_where_the_level_differs() -> None:
    """A rater two points severe: correlation 1, kappa 1 - 4 / (2 + 2 + 4) = 1/2 (variance of 1 to 5 is 2)."""
    assert quadratic_weighted_kappa([1, 2, 3, 4, 5], [3, 4, 5, 6, 7]) == pytest.approx(0.5)


@pytest.mark.parametrize("pairs", [([], []), ([3], [3]), ([7, 7, 7], [7, 7, 7])])
def test_undefined_kappa_is_none(pairs) -> None:
    assert quadratic_weighted_kappa(*pairs) is None


def test_a_constant_rater_agrees_no_better_than_chance() -> None:
    assert quadratic_weighted_kappa([7, 7, 7, 7], [5, 6, 8, 9]) == pytest.approx(0)


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=2, max_size=30))
def test_kappa_is_cohens(pairs) -> None:
    expected = kappa_of_table(pairs)
    found = quadratic_weighted_kappa([a for a, _ in pairs], [b for _, b in pairs])
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert found == pytest.approx(float(expected), abs=1e-9)
