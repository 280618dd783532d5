"""One request of `vivavoce align --jsonl`."""

from __future__ import annotations

from typing import Any

import pytest

from vivavoce.errors import InputError, RequestError, TranscriptError
from vivavoce.transcript.lines import align_request

COUNTS = ["reference_words", "matched", "substitutions", "insertions", "trailing_omissions", "internal_omissions"]


def repeat_of(module: str | None) -> int:
    return 3 if module == "tongue_twister" else 1


def test_the_answer_has_the_counts_and_the_labels() -> None:
    answer = align_request({"reference": "Their cat sat.", "transcript": "there um cat"}, repeat_of)
    assert answer == {
        "reference_words": 3,
        "matched": 2,
        "substitutions": 0,
        "insertions": 1,
        "trailing_omissions": 1,
        "internal_omissions": 0,
        "labels": [
            {"label": "matched", "how": "homophone", "reference": {"text": "Their", "position": 0},
             "hypothesis": {"text": "there", "position": 0}, "note": ""},
            {"label": "insertion", "how": "none", "reference": None,
             "hypothesis": {"text": "um", "position": 1}, "note": ""},
            {"label": "matched", "how": "exact", "reference": {"text": "cat", "position": 1},
             "hypothesis": {"text": "cat", "position": 2}, "note": ""},
            {"label": "trailing_omission", "how": "none", "reference": {"text": "sat", "position": 2},
             "hypothesis": None, "note": ""},
        ],
    }  # fmt: skip
    assert list(answer) == [*COUNTS, "labels"]


def test_the_module_says_how_often_the_reference_is_repeated() -> None:
    request: dict[str, Any] = {"reference": "red lorry", "transcript": ""}
    assert align_request(request, repeat_of)["trailing_omissions"] == 2
    assert align_request({**request, "module": None}, repeat_of)["trailing_omissions"] == 2
    assert align_request({**request, "module": "tongue_twister"}, repeat_of)["trailing_omissions"] == 6


def test_accepted_alternatives() -> None:
    request = {"reference": "the TV", "transcript": "the telly", "accepted": {"TV": ["telly"]}}
    assert align_request(request, repeat_of)["matched"] == 2


@pytest.mark.parametrize(
    ("request_", "code", "where"),
    [
        (None, "request_shape", ""),
        ([], "request_shape", ""),
        ({"reference": "a"}, "key_missing", "/transcript"),
        ({"reference": "a", "transcript": "a", "extra": 1}, "key_unknown", "/extra"),
        ({"reference": 1, "transcript": "a"}, "value_type", "/reference"),
        ({"reference": "a", "transcript": None}, "value_type", "/transcript"),
        ({"reference": "a", "transcript": "a", "module": 3}, "value_type", "/module"),
        ({"reference": "a", "transcript": "\udc00"}, "text_not_unicode", "/transcript"),
        ({"reference": "a", "transcript": "a" * 400_001}, "text_too_long", "/transcript"),
        ({"reference": "a", "transcript": "a", "accepted": []}, "request_shape", "/accepted"),
        ({"reference": "a", "transcript": "a", "accepted": {"a": "b"}}, "request_shape", "/accepted/a"),
        ({"reference": "a", "transcript": "a", "accepted": {"a": [1]}}, "value_type", "/accepted/a/0"),
        ({"reference": "a", "transcript": "a", "accepted": {"a b": ["c"]}}, "accepted_word", "/accepted/a b"),
    ],
)
def test_a_request_that_breaks_its_contract(request_: Any, code: str, where: str) -> None:
    with pytest.raises(RequestError) as caught:
        align_request(request_, repeat_of)
    assert (caught.value.code, caught.value.where) == (code, where)


@pytest.mark.parametrize(
    ("reference", "transcript", "code"),
    [("", "a", "reference_empty"), (" ... ", "a", "reference_empty"), ("a", "a " * 20_001, "text_too_long")],
)
def test_texts_that_cannot_be_aligned(reference: str, transcript: str, code: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        align_request({"reference": reference, "transcript": transcript}, repeat_of)
    assert caught.value.code == code


def test_an_unknown_module_is_refused_by_whoever_knows_them() -> None:
    def unknown(module: str | None) -> int:
        raise RequestError("value_unknown", where="/module", found="x", allowed="y", remedy="z")

    with pytest.raises(InputError):
        align_request({"reference": "a", "transcript": "a", "module": "x"}, unknown)
