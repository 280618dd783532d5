"""The examples of docs/alignment.md are run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from vivavoce.transcript.alignment import align
from vivavoce.transcript.words import tokenize

PAGE = Path(__file__).resolve().parents[2] / "docs" / "alignment.md"
ROW = re.compile(r"^\| (.+?) \| (.*?) \| (\d+ \d+ \d+ \d+ \d+ \d+) \|", re.MULTILINE)
EXAMPLES = ROW.findall(PAGE.read_text(encoding="utf-8"))


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) >= 8


@pytest.mark.parametrize(("reference", "read", "counts"), EXAMPLES)
def test_example(reference: str, read: str, counts: str) -> None:
    found = align(tokenize(reference), tokenize(read))
    assert " ".join(map(str, found.counts().values())) == counts
