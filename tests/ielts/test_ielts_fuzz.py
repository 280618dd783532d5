"""What the parser accepts is what an independent reader accepts: fuzzed, and exhaustively where that is possible."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from decimal import Decimal

import pytest
from ielts_mutations import RAW, TREE, mutated, some_bands, some_results, written
from ielts_recheck import CHECKS, Accepted, RejectedError, bands_allowed, overall_of, recheck, reply_of

from vivavoce.errors import RequestError
from vivavoce.judging.interview.contract import read_reply
from vivavoce.rubric.graduated import part
from vivavoce.scoring.graduated import allowed_bands, band_of, overall_band
from vivavoce.trace import leaf

MUTATIONS = 10_000


def ours(raw: str | bytes) -> tuple[tuple[tuple[bool, ...], ...], tuple[int, ...]] | None:
    """What our parser reads, None where it rejects."""
    try:
        reply = read_reply(part(1), raw)
    except RequestError:
        return None
    return tuple(results for results, _ in reply.criteria), tuple(band for _, band in reply.criteria)


def theirs(raw: str | bytes) -> Accepted | None:
    """What the independent reader reads, None where it rejects."""
    try:
        return recheck(raw)
    except RejectedError:
        return None


def agree(raw: str | bytes) -> bool:
    """Say whether both accept; fail where one does and the other does not, or where they read different things."""
    one, two = ours(raw), theirs(raw)
    assert (one is None) == (two is None), raw
    if one is None or two is None:
        return False
    assert one == (two.results, two.bands), raw
    bands = [
        band_of(criterion, list(results), band).band
        for criterion, results, band in zip(part(1).criteria, *one, strict=True)
    ]
    assert overall_band(bands).number == two.overall
    return True


def test_ten_thousand_mutations_are_accepted_by_both_readers_or_by_none() -> None:
    rng = random.Random(33)
    accepted: Counter[str] = Counter()
    rejected: Counter[str] = Counter()
    for _ in range(MUTATIONS):
        name, raw = mutated(rng)
        (accepted if agree(raw) else rejected)[name] += 1
    # Neither is trivial, and every kind of mutation was tried often.
    assert accepted.total() >= 2_000
    assert rejected.total() >= 4_000
    assert min((accepted + rejected).values()) >= 200
    assert len(accepted + rejected) == len(TREE) + len(RAW)
    # A reply in other words is always accepted; one that lost a value never.
    assert rejected["escape_letters"] == rejected["again"] == 0
    assert accepted["drop"] == accepted["repeat_key"] == accepted["look_alike"] == accepted["repeat_item"] == 0


def test_valid_replies_over_sampled_patterns_are_accepted() -> None:
    rng = random.Random(18)
    for _ in range(1_500):
        results = some_results(rng)
        bands = some_bands(rng, results)
        raw = written(rng, reply_of(results, bands))
        assert ours(raw) == (results, bands), raw


BEST = tuple((True,) * len(ids) for ids in CHECKS.values())


@pytest.mark.parametrize("at", range(4))
def test_every_pattern_with_every_band_is_judged_alike(at: int) -> None:
    """All 32, 32, 8 and 32 patterns of a criterion by all bands 0-9, the other criteria at their best.

    By hand: a criterion of five has 31 patterns with one band and one (none passed) with five, 36 in all;
    Pronunciation has 5 for none passed, 2 + 1 + 2 for one, 3 for two and 2 for three, 15 in all.
    """
    accepted = 0
    for row in itertools.product((True, False), repeat=len(BEST[at])):
        for band in range(10):
            results = (*BEST[:at], row, *BEST[at + 1 :])
            bands = [9, 9, 8, 9]
            bands[at] = band
            accepted += agree(json.dumps(reply_of(results, tuple(bands))))
    assert accepted == (15 if at == 2 else 36)


def test_allowed_bands_are_the_independent_readers_default_first() -> None:
    for criterion in part(1).criteria:
        for row in itertools.product((True, False), repeat=len(criterion.checks)):
            found = allowed_bands(criterion, row)
            assert set(found) == bands_allowed(criterion.name, row)
            assert len(set(found)) == len(found)
            # The default is the band that stands first in the guide: "4 or below", "8 by default", "otherwise 5".
            defaults = [4, 5, 7, 8] if criterion.id == "pronunciation" else [4, 5, 6, 7, 8, 9]
            assert found[0] == defaults[sum(row)]


def test_the_overall_of_every_four_bands_is_the_mean_floored_to_a_half() -> None:
    nodes = [leaf("given", f"band_{band}", band) for band in range(10)]
    for bands in itertools.product(range(10), repeat=4):
        # In whole quarters: the mean is the sum of quarters, a half is two of them.
        quarters = sum(bands) - sum(bands) % 2
        assert overall_band([nodes[band] for band in bands]).value * 4 == quarters
        assert overall_of(bands) * 4 == quarters


def with_bands(bands: tuple[int, ...]) -> list[tuple[bool, ...]]:
    """Results that allow these bands."""
    found = []
    for (name, ids), band in zip(CHECKS.items(), bands, strict=True):
        rows = itertools.product((True, False), repeat=len(ids))
        found.append(next(row for row in rows if band in bands_allowed(name, row)))
    return found


def test_only_one_overall_is_accepted_for_every_sum_of_bands() -> None:
    """Sums 0 to 36; of all quarters from 0 to 9 one overall follows."""
    for total in range(37):
        bands = tuple((total + at) // 4 for at in range(4))
        tree = reply_of(tuple(with_bands(bands)), bands)
        found = []
        for quarters in range(37):
            tree["testBased"]["overall"] = quarters / 4
            if agree(json.dumps(tree)):
                found.append(Decimal(quarters) / 4)
        assert found == [Decimal(total - total % 2) / 4]
