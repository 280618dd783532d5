"""docs/measurements.md: a section of four parts for every name that `vivavoce measure` prints."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from vivavoce.audio.levels import LevelMeter
from vivavoce.audio.waveform import ANALYSIS_RATE, AudioSource, Waveform
from vivavoce.cli.recordings import measures_json
from vivavoce.measures.recording import Reading, measure
from vivavoce.pipeline import Heard
from vivavoce.timeline import Transcript

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "measurements.md").read_text(encoding="utf-8")
OVERVIEW, *PARTS = PAGE.split("## Overview")[1].split("\n## ")
SECTIONS = {part.split("\n")[0]: part for part in PARTS}
MEASURED = [name for name in SECTIONS if name != "Works cited"]


def printed() -> tuple[set[str], set[str]]:
    """What `vivavoce measure` prints, and all that was measured: of a second of silence, read as a twister."""
    meter = LevelMeter(ANALYSIS_RATE)
    meter.add(np.zeros(ANALYSIS_RATE))
    source = AudioSource("wav", "pcm_f32le", ANALYSIS_RATE, 1, "")
    waveform = Waveform(np.zeros(ANALYSIS_RATE, np.float32), ANALYSIS_RATE, 1000, meter.finish(), source)
    heard, reading = Heard(waveform, Transcript(())), Reading("she sells sea shells", 3)
    found = measure(waveform, heard.transcript, reading)
    return set(measures_json(heard, found, reading)), set(found.measurements)


def rows() -> dict[str, str]:
    """Each name of the overview with the anchor of the section that its row links to."""
    found = {}
    for row in re.findall(r"^\| (`.*)\|$", OVERVIEW, re.MULTILINE):
        cells = row.split(" | ")
        (anchor,) = re.findall(r"\]\(#([^)]*)\)", cells[4])
        found |= dict.fromkeys(re.findall(r"`(\w+)`", cells[0]), anchor)
    return found


def anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


def test_the_overview_has_every_name_and_no_other() -> None:
    keys, measured = printed()
    assert {"response_s", "pauses", "recovery_s", "fade_db", "warnings"} <= keys
    only_in_reports = {"alignment", "not_scored"}
    assert set(rows()) == keys | measured | only_in_reports


def test_every_name_stands_in_its_section() -> None:
    by_anchor = {anchor(title): text for title, text in SECTIONS.items()}
    for name, target in rows().items():
        assert target in by_anchor, f"{name}: no section #{target}"
        if name not in ("alignment", "not_scored", "warnings"):
            assert re.search(rf"\b{name}\b", by_anchor[target]), f"{name} is not explained in #{target}"


@pytest.mark.parametrize("title", MEASURED)
def test_each_section_has_the_four_parts_in_order(title: str) -> None:
    text = SECTIONS[title]
    labels = re.findall(r"^\*\*(\w[\w ]*)\.\*\*", text, re.MULTILINE)
    assert labels == ["Formula", "Picture", "Error here", "Source"]
    picture = text.split("**Picture.**")[1].split("**Error here.**")[0]
    assert re.fullmatch(r"\s*!\[[^\]]{20,}\]\(pictures/[\w-]+\.svg\)\s*", picture), "one picture with words for it"


def test_every_measurement_is_in_a_section() -> None:
    assert {anchor(title) for title in MEASURED} == set(rows().values())


def test_works_are_cited_and_cited_works_are_listed() -> None:
    """Each year in a Source stands in the list with the name before it, and each listed work is used."""
    listed = SECTIONS["Works cited"]
    sources = " ".join(text.split("**Source.**")[1] for name, text in SECTIONS.items() if name in MEASURED)
    sources = " ".join(sources.split())
    for name, year in re.findall(r"([A-Z][\w-]+)(?: et al\.)?,? \(?((?:19|20)\d\d)\)?", sources):
        assert re.search(rf"{name}[^\n]*\({year}\)", listed), f"{name} {year}"
    for names, year in re.findall(r"^- (.*?) \((\d{4})\)", listed, re.MULTILINE):
        first = re.split(r"[ ,]", names.removeprefix("de "))[0]
        assert first in sources, f"{first} {year} is cited nowhere"
        assert year in sources + PAGE.split("## Overview")[0], f"{first} {year} is cited nowhere"
