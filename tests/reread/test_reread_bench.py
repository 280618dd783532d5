"""The bench counts as its docs say, and changes texts as it says. Expected values by hand."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "bench"))

from reading_words import Judged, Kept, changes, rates


def word(median: float, *, flagged: bool) -> Judged:
    return Judged("adults", "0001", median, {"both": flagged}, 0.5)


def test_precision_recall_and_correct_words_flagged() -> None:
    """Of 10 words 4 are wrong (3 and less, one 2 and less); 3 of these are flagged, and one of the 6 others."""
    words = [word(1, flagged=True), word(3, flagged=True), word(2.5, flagged=True), word(3, flagged=False)]
    words += [word(3.5, flagged=True), *[word(10, flagged=False)] * 5]
    assert rates(words, "both") == {
        "words": 10,
        "wrong": 4,
        "flagged": 4,
        "precision": 0.75,
        "recall": 0.75,
        "correct_flagged": 0.1667,
    }
    strict = rates(words, "both", 2)
    assert (strict["wrong"], strict["precision"], strict["recall"]) == (1, 0.25, 1.0)
    assert strict["correct_flagged"] == 0.1667  # of the words that are not wrong at all
    assert rates([], "both")["precision"] is None


def test_changed_texts_say_which_words_nobody_said() -> None:
    said, vocabulary = (
        ["we", "call", "it", "bear"],
        ["we", "call", "it", "bear", "mark", "is", "going", "to", "see", "elephant"],
    )
    for seed in range(40):
        for kind, text, foreign in changes(said, vocabulary, random.Random(seed)):
            rest = [one for place, one in enumerate(text) if place not in foreign]
            if kind.startswith("put in"):
                assert rest == said
                assert len(foreign) <= int(kind.split()[-1])
            else:
                assert len(rest) == 3
                assert len(text) == (4 if kind == "replaced" else 3)
            assert not {text[place] for place in foreign} & set(said)


def test_what_was_heard_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "heard.jsonl"
    assert Kept(path).get("a", lambda: {"words": [1]}) == {"id": "a", "words": [1]}
    assert json.loads(path.read_text(encoding="utf-8")) == {"id": "a", "words": [1]}
    assert Kept(path).get("a", lambda: {"words": [2]})["words"] == [1]
