"""docs/transcripts.md says what the code does."""

from __future__ import annotations

import json
import re
from pathlib import Path

from vivavoce.timeline import Word
from vivavoce.transcript import stretched, times
from vivavoce.transcript.importers import FORMATS, Source, read_transcript

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "transcripts.md").read_text(encoding="utf-8")


def test_the_table_lists_every_format() -> None:
    listed = re.findall(r"^\| ([^|]+?) \| [●○] \|", PAGE, re.MULTILINE)
    assert sorted(["vivavoce words", *listed]) == sorted(known.name for known in FORMATS)


def test_its_examples_are_read() -> None:
    own, whisperx = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert [word.text for word in read_transcript(Source("own", own.encode())).words] == ["Hello,", "world."]
    assert json.loads(own)["recognizer"] == read_transcript(Source("own", own.encode())).recognizer
    found = read_transcript(Source("x", whisperx.encode()))
    assert found.words[2] == Word("20", 700, 1500)
    assert f"`{found.warnings[0].found}`" in PAGE


def test_its_numbers_are_those_of_the_code() -> None:
    assert (times.BROKEN_SHARE, times.OVERLAP_SHARE, times.TIMED_SHARE) == (0.2, 0.5, 0.5)
    assert (stretched.STRETCHED_MS, stretched.STRETCHED_TIMES, times.EDGE_MS, times.ROUNDING_MS) == (1000, 2.5, 50, 1)
    assert (stretched.WORD_MS, stretched.LETTER_MS, stretched.DIGIT_LETTERS) == (60, 70, 4)
    for said in ("over 1 s, and over 2.5 times", "60 ms and 70 ms a letter, a digit counting as four", "over a fifth"):
        assert said in PAGE


def test_every_notice_and_refusal_is_explained() -> None:
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in [
            Path(times.__file__),
            Path(stretched.__file__),
            *Path(times.__file__).parent.joinpath("importers").glob("*.py"),
        ]
    )
    codes = set(re.findall(r'"((?:words|times|several)_[a-z_]+)"', source)) - {"times_negative", "words_empty"}
    assert {"words_stretched", "times_broken", "several_recordings", "several_speakers"} <= codes
    for code in codes - {"word_segments"}:
        assert f"`{code}`" in PAGE, code
