"""The PDF of a card: its numbers by an independent reader, foreign text as text, the same bytes, tagged."""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from report_samples import SAMPLES, full, no_speech, pending

from vivavoce.cli.main import main
from vivavoce.errors import MissingError
from vivavoce.report.pdf import card_pdf
from vivavoce.report.view import numbers_written

# Texts that would be markup, code, a file to read, or an end of what holds them, if they were run.
HOSTILE = (
    '#image("/etc/passwd")',
    '#read("card.typ")',
    '#panic("run")',
    '"); #panic("run"); ("',
    "$ 1/0 $ *bold* _thin_ `raw` \\ ] } ) // not a comment /* nor this",
    "<label> @reference = heading - item + item ~ --- '' \"\"",
)


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} (poppler-utils) is not installed: nothing else reads the file here")
    return found


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., str]:
    """Read a PDF by poppler, which shares no code with what wrote it."""

    def by(program: str, data: bytes, *arguments: str) -> str:
        path = tmp_path / "card.pdf"
        path.write_bytes(data)
        last = ["-"] if program == "pdftotext" else []
        done = subprocess.run([tool(program), *arguments, str(path), *last], capture_output=True, text=True, check=True)
        return done.stdout

    return by


def squeezed(text: str) -> str:
    """A text without white space and word joiners: where lines are broken is the layout's business."""
    return re.sub(r"[\s\u2060\u202f]+", "", text)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_the_scores_of_the_report_are_on_it(name: str, read: Callable[..., str]) -> None:
    report = SAMPLES[name]()
    text = read("pdftotext", card_pdf(report), "-layout")
    for marker in report["markers"].values():
        line = next(line for line in text.splitlines() if line.startswith(marker["title"][:24]))
        start = text.index(line)
        block = text[start : start + 900]
        if marker["score"] is None:
            assert {"pending": "Pending", "not_scored": "Not scored"}[marker["state"]] in block
        else:
            assert re.search(rf"\b{marker['score']} {marker['tier']['label']}", block), (name, marker["title"])
    title = read("pdfinfo", card_pdf(report)).split("Title:")[1].splitlines()[0]
    overall = report["overall"]["score"]
    assert str(overall) in title if overall is not None else any(word in title for word in ("Pending", "Not scored"))
    for part in (report["rubric"]["digest"], report["rubric"]["id"], f"vivavoce {report['vivavoce']}"):
        assert squeezed(part) in squeezed(text)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_it_fits_two_pages_of_a4(name: str, read: Callable[..., str]) -> None:
    facts = read("pdfinfo", card_pdf(SAMPLES[name]()))
    pages = int(re.findall(r"Pages:\s+(\d+)", facts)[0])
    assert pages <= 2
    assert "(A4)" in facts


def test_the_text_has_its_labels_in_words(read: Callable[..., str]) -> None:
    text = squeezed(read("pdftotext", card_pdf(full())))
    for part in (
        "Norlandsaid“Northern”",
        "respectableleftout",
        "umadded",
        "notreachedfromhere:a",
        "Leftout1",
        "Added2",
    ):
        assert part in text


def test_what_is_pending_is_said(read: Callable[..., str]) -> None:
    report = pending()
    text = squeezed(read("pdftotext", card_pdf(report)))
    assert squeezed("The overall needs all five markers") in text
    assert squeezed(report["markers"]["fluency"]["reason"]["code"]) in text
    silent = squeezed(read("pdftotext", card_pdf(no_speech())))
    assert squeezed("No speech in the recording") in silent
    assert squeezed("check that the microphone is on") in silent


def texts(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a report that holds a text which the card may show, as its container and key."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    fixed = {
        "kind",
        "state",
        "label",
        "id",
        "op",
        "route",
        "code",
        "how",
        "module",
        "schema",
        "judge",
        "source",
        "name",
    }
    for key, inner in list(pairs):
        if isinstance(inner, dict | list):
            yield from texts(inner)
        elif isinstance(inner, str) and key not in fixed:
            yield value, key


@pytest.mark.parametrize("text", HOSTILE)
def test_foreign_text_is_shown_and_never_run(text: str, read: Callable[..., str]) -> None:
    """Every text of the report is replaced: `#panic` would end the making, a file read would be in the file."""
    report = full()
    for holder, key in texts(report):
        if holder is not report["rubric"] and holder is not report["overall"]:
            holder[key] = text
    shown = squeezed(read("pdftotext", card_pdf(report)))
    assert shown.count(squeezed(text)) > 10
    assert "root:" not in shown
    assert "sys.inputs" not in shown


def test_the_same_report_gives_the_same_bytes(tmp_path: Path) -> None:
    """In another process, another time zone and another year, as far as a program can be told so."""
    report = full()
    (tmp_path / "report.json").write_text(json.dumps(report), encoding="utf-8")
    code = (
        "import json, pathlib, sys; from vivavoce.report.pdf import card_pdf; "
        "sys.stdout.buffer.write(card_pdf(json.loads(pathlib.Path(sys.argv[1]).read_text(encoding='utf-8'))))"
    )
    environment = {**os.environ, "TZ": "Asia/Kathmandu", "SOURCE_DATE_EPOCH": "2000000000", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "report.json")], capture_output=True, check=True, env=environment
    )
    assert done.stdout == card_pdf(copy.deepcopy(report))
    assert b"CreationDate" not in done.stdout


def test_it_is_tagged_for_screen_readers(read: Callable[..., str]) -> None:
    made = card_pdf(full())
    facts = read("pdfinfo", made)
    assert re.search(r"Tagged:\s+yes", facts)
    assert b"/Lang(en)" in made
    assert b"<pdfuaid:part>1</pdfuaid:part>" in made
    tree = read("pdfinfo", made, "-struct")
    for part in (
        'H1 "Paragraph Reading"',
        'H2 "Overall"',
        'H2 "The recording"',
        'H3 "Fluency & Fillers"',
        "Table",
        "TH",
    ):
        assert part in tree
    assert tree.count("Figure") >= 4


def test_letters_that_the_fonts_do_not_have_break_nothing(read: Callable[..., str]) -> None:
    report = full()
    report["recording"]["file"] = "名前 نام नाम 😀 \ud800\x00\u202ereading.wav"
    text = read("pdftotext", card_pdf(report))
    assert "reading.wav" in text
    assert squeezed("are drawn as empty boxes") in squeezed(text)
    report["recording"]["file"] = "Ζωή Жанна Žofie Müller.wav"
    text = read("pdftotext", card_pdf(report))
    assert "Ζωή Жанна Žofie Müller.wav" in text
    assert squeezed("are drawn as empty boxes") not in squeezed(text)


@pytest.mark.parametrize("letter", ["\U0001f3a4", "\U0001f469\u200d\U0001f467", "\uffff"])
def test_a_letter_that_no_font_has_leaves_the_rest_readable(letter: str, read: Callable[..., str]) -> None:
    """PDF/UA-1 forbids the box that stands for it: the file is tagged, and claims no more than that."""
    report = full()
    report["recording"]["file"] = f"my {letter} reading.wav"
    made = card_pdf(report, (f"Ada {letter}",))
    assert "reading.wav" in read("pdftotext", made)
    assert re.search(r"Tagged:\s+yes", read("pdfinfo", made))
    if letter == "\uffff":
        # A code point that is no letter has a glyph in no font, on any computer.
        assert b"pdfuaid" not in made


def test_numbers_can_be_written_in_the_readers_way(read: Callable[..., str]) -> None:
    with numbers_written(lambda value: format(value.normalize(), "f").replace(".", ",")):
        text = read("pdftotext", card_pdf(full()), "-layout")
    assert "193,4 words/min" in text
    assert "Weight 0,25" in text


def test_who_and_when_stand_at_the_head(read: Callable[..., str]) -> None:
    assert "Ada · 30 Nov 2026" in " ".join(read("pdftotext", card_pdf(full(), ("Ada", "30 Nov 2026"))).split())


def test_without_typst_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MissingError, match=r"vivavoce\[pdf\]"):
        card_pdf(full())


class TestCommandLine:
    """`--pdf`, on a command that needs no recording."""

    @pytest.fixture
    def saved(self, tmp_path: Path) -> Path:
        path = tmp_path / "report.json"
        path.write_text(json.dumps(full()), encoding="utf-8")
        return path

    @staticmethod
    def judge(saved: Path, pdf: Path) -> int:
        words = [
            "judge",
            str(saved),
            "--marker",
            "speaking_rate",
            "--score",
            "70",
            "--by",
            "Ms Ito",
            "--reason",
            "Heard",
        ]
        return main([*words, "--pdf", str(pdf)])

    def test_it_writes_the_card_with_the_new_score(
        self, saved: Path, tmp_path: Path, read: Callable[..., str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.judge(saved, tmp_path / "out" / "card.pdf") == 0
        assert "wrote" in capsys.readouterr().err
        made = (tmp_path / "out" / "card.pdf").read_bytes()
        text = read("pdftotext", made, "-layout")
        assert re.search(r"\b70 Adequate", text)
        assert "Judged by a person, Ms Ito" in text

    def test_it_is_checked_like_other_outputs(self, saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
        before = saved.read_bytes()
        assert self.judge(saved, saved) == 2
        assert "file_unwritable" in capsys.readouterr().err
        assert saved.read_bytes() == before

    def test_nothing_is_done_where_typst_is_missing(
        self, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setitem(sys.modules, "typst", None)
        monkeypatch.setattr("vivavoce.cli.files.makes_pdf", lambda: False)
        before = saved.read_bytes()
        assert self.judge(saved, tmp_path / "card.pdf") == 4
        assert "extra_missing" in capsys.readouterr().err
        assert saved.read_bytes() == before
