"""The strict parser: what breaks V33 is rejected by its rule and place (V4), and only that."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ielts_recheck import RejectedError, recheck
from ielts_samples import ACCEPTED, BASES, REJECTED, edited, raw_of

from vivavoce.errors import RequestError
from vivavoce.judging.interview.contract import Reply, read_reply
from vivavoce.rubric.graduated import part
from vivavoce.scoring.graduated import band_of, overall_band

SHAPE = {"request_shape", "key_unknown", "key_missing"}


def refused(raw: str | bytes) -> RequestError:
    with pytest.raises(RequestError) as caught:
        read_reply(part(1), raw)
    return caught.value


def read(raw: str | bytes) -> Reply:
    return read_reply(part(1), raw)


@pytest.mark.parametrize("row", REJECTED, ids=lambda row: row["name"])
def test_a_reply_that_breaks_one_rule_is_rejected(row: dict[str, Any]) -> None:
    error = refused(raw_of(row))
    assert (error.code, error.where) == (row["code"], row["where"])
    assert error.found
    assert error.allowed
    assert "nothing is repaired" in error.remedy
    assert str(error).startswith(f"{error.code} at {error.where}: found {error.found}; ")
    json.dumps(error.as_dict(), ensure_ascii=False).encode("utf-8")  # lone surrogates would not be written


@pytest.mark.parametrize("row", REJECTED, ids=lambda row: row["name"])
def test_bytes_are_rejected_like_text(row: dict[str, Any]) -> None:
    error = refused(raw_of(row).encode("utf-8"))
    assert (error.code, error.where) == (row["code"], row["where"])


def test_the_independent_reader_rejects_them_too() -> None:
    for row in REJECTED:
        with pytest.raises(RejectedError):
            recheck(raw_of(row))


@pytest.mark.parametrize("row", [row for row in REJECTED if "mend" in row], ids=lambda row: row["name"])
def test_mending_the_one_rule_makes_the_reply_valid(row: dict[str, Any]) -> None:
    mended = edited(raw_of(row), row["mend"])
    read(mended)
    recheck(mended)


def test_there_are_replies_enough() -> None:
    assert len({raw_of(row) for row in REJECTED}) == len(REJECTED) >= 170
    assert len({row["code"] for row in REJECTED}) >= 20


@pytest.mark.parametrize("row", ACCEPTED, ids=lambda row: row["name"])
@pytest.mark.parametrize("as_bytes", [False, True])
def test_other_spellings_of_the_same_values_are_accepted(row: dict[str, Any], as_bytes: bool) -> None:
    raw = raw_of(row)
    reply = read(raw.encode("utf-8") if as_bytes else raw)
    found = [
        band_of(criterion, list(results), band)
        for criterion, (results, band) in zip(part(1).criteria, reply.criteria, strict=True)
    ]
    assert [one.band.value for one in found] == [band for _, band in reply.criteria] == row["bands"]
    assert overall_band([one.band for one in found]).number == row["overall"]
    assert [name for one in found for name in one.non_monotone] == row["non_monotone"]
    again = recheck(raw)
    assert (again.results, again.bands) == tuple(zip(*reply.criteria, strict=True))
    assert again.overall == row["overall"]


def test_the_first_sample_is_the_guides_own_example(guides: Path) -> None:
    guide = next(guides.glob("001_*.txt")).read_text(encoding="utf-8")
    assert f"### JSON Output Format\n{BASES['guide']}\n**Closed" in guide


VALID = BASES["guide"].encode("utf-8")
NAME = b"Lexical Resource"
BYTES: dict[str, bytes] = {
    "bom": b"\xef\xbb\xbf" + VALID,
    "utf_16_with_mark": BASES["guide"].encode("utf-16"),
    "utf_16_le": BASES["guide"].encode("utf-16-le"),
    "utf_16_be": BASES["guide"].encode("utf-16-be"),
    "utf_32": BASES["guide"].encode("utf-32"),
    "latin_1": VALID.replace(NAME, b"L\xe9xical Resource"),
    "overlong_slash": VALID.replace(NAME, b"Lexical\xc0\xafResource"),
    "overlong_nul": VALID.replace(NAME, b"Lexical\xc0\x80Resource"),
    "surrogate_in_utf_8": VALID.replace(NAME, b"Lexical \xed\xa0\x80Resource"),
    "beyond_unicode": VALID.replace(NAME, b"Lexical \xf4\x90\x80\x80Resource"),
    "cut_in_a_letter": VALID.replace(NAME, b"Lexical \xe2\x80Resource"),
    "lone_continuation_at_the_end": VALID + b"\x80",
    "ff": b"\xff" + VALID,
    "nul_bytes": b"\0" * 20,
    "nul_after": VALID + b"\0",
}


@pytest.mark.parametrize("name", BYTES)
def test_bytes_that_are_no_plain_utf_8_are_rejected(name: str) -> None:
    error = refused(BYTES[name])
    assert (error.code, error.where) == ("json_invalid", "/")
    with pytest.raises(RejectedError):
        recheck(BYTES[name])


def test_a_lone_surrogate_in_the_text_is_rejected() -> None:
    assert refused(BASES["guide"] + "\udc80").code == "json_invalid"
    error = refused(BASES["guide"].replace("IELTS", "IELTS\ud800"))
    assert (error.code, error.where) == ("test_unknown", "/testBased/test")


TEN_MB = 10_000_000
LARGE: dict[str, Callable[[], str]] = {
    "white_space": lambda: BASES["guide"] + " " * TEN_MB,
    "text": lambda: BASES["guide"].replace("IELTS", "I" * TEN_MB),
    "digits": lambda: BASES["guide"].replace("8.5", "8.5" + "0" * TEN_MB),
    "whole_digits": lambda: BASES["guide"].replace('"band": 8', '"band": ' + "8" * TEN_MB),
    "many_keys": lambda: "{" + ",".join(f'"{at}": 0' for at in range(TEN_MB // 12)) + "}",
    "prose": lambda: "I think that " * (TEN_MB // 13),
    "backslashes": lambda: '"' + "\\" * TEN_MB,
    "quotes": lambda: '"' * TEN_MB,
    "lists_100_000_deep": lambda: "[" * 100_000 + "]" * 100_000,
    "objects_100_000_deep": lambda: '{"testBased":' * 100_000 + "1" + "}" * 100_000,
    "open_lists_10_mb": lambda: "[" * TEN_MB,
}


@pytest.mark.parametrize("name", LARGE)
def test_a_reply_of_10_mb_is_refused_by_its_length(name: str) -> None:
    raw = LARGE[name]()
    for given in (raw, raw.encode("utf-8")):
        error = refused(given)
        assert (error.code, error.where) == ("reply_too_long", "/")
        assert len(error.found) < 100


DEEP = {
    "lists": "[" * 49_000 + "]" * 49_000,
    "open_lists": "[" * 99_000,
    "objects": '{"a":' * 16_000 + "1" + "}" * 16_000,
    "in_the_observations": BASES["guide"].replace("[]", "[" * 40_000 + "]" * 40_000),
    "in_the_band": BASES["guide"].replace('"band": 8', '"band": ' + '{"band":' * 10_000 + "8" + "}" * 10_000),
}


@pytest.mark.parametrize("name", DEEP)
def test_deep_nesting_is_refused(name: str) -> None:
    """A reader of unlimited depth would find another rule broken; either way it is a named rejection."""
    assert refused(DEEP[name]).code in {"json_too_deep", "json_invalid", "value_type", *SHAPE}


def test_broken_json_that_others_repair_is_rejected(shared_data: Path) -> None:
    """json_repair's cases: the 184 that are not strict JSON by their syntax, the others only by their shape."""
    folder = shared_data / "8_malformed_json/json_repair"
    cases = [json.loads(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    broken = [case["raw"] for case in cases if not case["raw_is_strict_json"]]
    strict = [case["raw"] for case in cases if case["raw_is_strict_json"]]
    assert (len(broken), len(strict)) == (184, 35)
    for raw in broken:
        error = refused(raw)
        assert error.code in {"json_invalid", "json_not_finite"}, raw
    for raw in strict:
        assert refused(raw).code in {*SHAPE, "json_duplicate_key"}, raw
    assert refused((folder / "invalid.json").read_bytes()).code == "json_invalid"
    assert refused((folder / "valid.json").read_bytes()).code in SHAPE
