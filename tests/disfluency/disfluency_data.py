"""Readers for the annotated data: Disfl-QA's halves, CHAT's retraces, MFA's tags; and words from a plain sentence."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vivavoce.timeline import Word

WORD_MS = 280
STEP_MS = 300


def said(text: str) -> list[Word]:
    """The words of a sentence, one each 0.3 s, without pauses."""
    return [Word(word, at * STEP_MS, at * STEP_MS + WORD_MS) for at, word in enumerate(text.split())]


def disfl_qa(folder: Path, half: int) -> Iterator[tuple[str, str]]:
    """Pairs (clean, disfluent) of one half of Disfl-QA's development set, by hash: 0 to develop on, 1 to report on.

    Rows without a question ("#VALUE!", "Question n/a") are left out; other rows whose two sides are equal stay.
    """
    rows = json.loads((folder / "3_disfluency" / "disfl_qa" / "dev.json").read_text(encoding="utf-8"))
    for key, row in rows.items():
        if hashlib.sha256(key.encode()).digest()[0] % 2 == half and len(row["disfluent"].split()) > 2:
            yield row["original"], row["disfluent"]


@dataclass(frozen=True)
class Utterance:
    """A CHAT main line as spoken, and its retraces: (kind, first word, last word)."""

    speaker: str
    text: str
    retraces: tuple[tuple[str, int, int], ...]


_MARKS = {"[/]": "repetition", "[//]": "false_start", "[///]": "false_start", "[/-]": "false_start"}
_PART = re.compile(r"\[[^\]]*\]|<(?!\s)|>|[^\s<>\[\]]+")


def chat(path: Path) -> Iterator[Utterance]:
    """The main lines of a CHAT file; enough of the format to read retraces, no importer."""
    text = re.sub(r"\n\t", " ", path.read_text(encoding="utf-8"))
    for line in text.splitlines():
        if line.startswith("*"):
            speaker, _, content = line[1:].partition(":")
            yield _utterance(speaker, re.sub("\x15[^\x15]*\x15|\\d+_\\d+", "", content))


def _utterance(speaker: str, content: str) -> Utterance:
    words: list[str] = []
    retraces: list[tuple[str, int, int]] = []
    opened: list[int] = []
    group: tuple[int, int] | None = None
    for part in _PART.findall(content):
        if part == "<":
            opened.append(len(words))
        elif part == ">":
            group = (opened.pop(), len(words) - 1)
        elif part in _MARKS:
            first, last = group if group is not None else (len(words) - 1, len(words) - 1)
            retraces.append((_MARKS[part], first, last))
        elif part.startswith("["):
            continue
        elif re.fullmatch(r"[.?!+/,„‡\"]+\.*", part):
            if words:
                words[-1] += part.strip("+/")[:1]
        elif word := _spoken(part):
            words.append(word)
            group = None
    return Utterance(speaker, " ".join(words), tuple(retraces))


def _spoken(part: str) -> str:
    """The word as it was said: codes off, noises gone, a filled pause as itself."""
    if part.startswith(("&=", "&*", "0", "(.", "(0", "(1", "(2", "(3")) or part in ("xxx", "yyy", "www"):
        return ""
    part = re.sub(r"@\S*$", "", part.replace("_", "-"))
    part = re.sub("↫([^↫]*)↫", r"\1-", part)
    return part if part.startswith("&") else re.sub(r"[():^ˈˌ]", "", part)
