"""A quoted text is one line that its content cannot close, and reads back as it was (RFC 8259 is the other reader)."""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vivavoce.judging.fence import is_fenced, quoted

ANY = st.text(alphabet=st.characters(), max_size=200)
ATTACKS = [
    json.loads(line)["text"]
    for line in (Path(__file__).parent / "attacks.jsonl").read_text(encoding="utf-8").splitlines()
]
# Written out from the brief and Unicode, not from the code: what must never stand raw in a prompt.
NEVER_RAW = [
    *"<>`{}#\n\r\t\x00\x1b\x7f\x85\u2028\u2029\ufeff\u00ad\u200b\u200c\u200d\u2060\u180e\u061c\u200e\u200f",
    *"\u00a0\u3000\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufe0f\u034f\u115f\u3164\uffa0",
    *(chr(code) for code in (0xFFFF, 0xFDD0, 0xE000, 0xD800, 0xDFFF, 0xE0041, 0xE0100, 0x1FFFE, 0x10FFFF)),
]


@given(ANY)
@example("\ud83d\ude00")
@example("\U0001f600")
@example('\\"')
@example("\\u0041")
def test_a_quoted_text_reads_back(text: str) -> None:
    paired = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert json.loads(quoted(text)) == paired


@given(ANY)
def test_a_quoted_text_is_one_line_without_what_could_close_it(text: str) -> None:
    line = quoted(text)
    assert line.splitlines() == [line]
    assert not set(line) & set(NEVER_RAW)
    assert line[0] == line[-1] == '"'
    assert '"' not in line[1:-1].replace("\\\\", "").replace('\\"', "")
    line.encode("utf-8")


@pytest.mark.parametrize("char", NEVER_RAW, ids=lambda char: f"U+{ord(char):04X}")
def test_each_forbidden_character_is_an_escape(char: str) -> None:
    assert char not in quoted(f"a{char}b")
    assert json.loads(quoted(f"a{char}b")) == f"a{char}b"


@pytest.mark.parametrize("text", ATTACKS, ids=range(len(ATTACKS)))
def test_no_attack_leaves_its_line(text: str) -> None:
    prompt = f"before\n{quoted(text)}\nafter"
    lines = prompt.splitlines()
    assert len(lines) == 3
    assert json.loads(lines[1]) == text


@pytest.mark.parametrize("text", ["café", "¿Qué?", "我喜欢苹果。", "मेरा नाम", "привет", "قصة", "😀", "don't — “so”"])
def test_letters_of_every_script_stay_readable(text: str) -> None:
    assert quoted(text) == f'"{text}"'


def test_every_code_point_is_either_a_sign_that_shows_or_fenced() -> None:
    shows = {"L", "M", "N", "P", "S"}
    raw = {chr(code) for code in range(sys.maxunicode + 1) if not is_fenced(chr(code))}
    assert {unicodedata.category(char)[0] for char in raw - {" "}} == shows
    assert all(char.isprintable() for char in raw)
