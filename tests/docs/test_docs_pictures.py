"""docs/pictures: each is used, can be read without seeing it, and shows what the measuring functions measure."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "bench"))

from drawing.deciding import LANES, changes
from drawing.loudness import fading, windows
from drawing.material import sonnet
from drawing.pace import twister
from drawing.words import ENDS_MS, STARTS_MS
from pictures import FOLDER, PICTURES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "measurements.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
OFF_PX = 0.3


def committed(name: str) -> str:
    return (FOLDER / f"{name}.svg").read_text(encoding="utf-8")


def words_in(picture: str) -> str:
    return "\n".join(re.findall(r"<text [^>]*>([^<]*)</text>", picture))


def test_every_picture_is_drawn_by_the_command_and_used() -> None:
    files = {path.stem for path in FOLDER.iterdir()}
    used = re.findall(r"\]\(pictures/([\w-]+)\.svg\)", PAGE)
    assert files == set(PICTURES) == set(used)
    assert len(used) == len(set(used))


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_can_be_read_aloud_and_has_its_own_ground(name: str) -> None:
    picture = committed(name)
    title, told = (re.findall(rf"<{tag} [^>]*>([^<]*)</{tag}>", picture) for tag in ("title", "desc"))
    assert 'role="img" aria-labelledby="t d"' in picture
    assert title[0] in words_in(picture)
    assert len(told[0]) > 100
    height = re.findall(r'viewBox="0 0 760 (\d+)"', picture)[0]
    assert f'<rect width="760" height="{height}" rx="6" fill="#fff"/>' in picture
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_the_command_draws(name: str) -> None:
    """The same words and shapes. Places may be off by a part of a pixel: other processors round otherwise."""
    drawn, kept = PICTURES[name]().svg(), committed(name)
    assert drawn == PICTURES[name]().svg()
    remedy = "draw the pictures again: python bench/pictures.py"
    assert words_in(drawn) == words_in(kept), remedy
    for now, then in zip(drawn.splitlines(), kept.splitlines(), strict=True):
        if "crispEdges" in now:  # A spectrogram's strips; one at the edge of a shade may fall on the other side.
            assert abs(len(now) - len(then)) <= 0.02 * len(then), remedy
            continue
        assert NUMBER.sub("", now) == NUMBER.sub("", then), remedy
        for one, other in zip(NUMBER.findall(now), NUMBER.findall(then), strict=True):
            assert abs(float(one) - float(other)) <= OFF_PX, f"{remedy}: {now} {then}"


def test_the_pauses_are_those_that_make_the_times() -> None:
    """Response less speech time is the sum of the pauses, less speaking time that of the hesitations (M4)."""
    made = sonnet()
    silent = sum(pause.length_ms for pause in made.measured.pauses) / 1000
    waits = sum(pause.length_ms for pause in made.measured.pauses if pause.kind == "hesitation") / 1000
    response, speaking, speech = (made.value(name) for name in ("response_s", "speaking_s", "speech_s"))
    assert response - speech == pytest.approx(silent, abs=0.011)
    assert response - speaking == pytest.approx(waits, abs=0.011)
    told = words_in(committed("times"))
    for value in (response, speaking, speech):
        assert f"{value:.2f} s" in told
    assert f"= {made.value('words_per_minute'):.1f}" in told


def test_the_windows_of_half_a_second_are_those_of_consistency() -> None:
    levels = [level for _, level in windows()]
    assert float(np.std(levels)) == pytest.approx(sonnet().value("consistency_db"), abs=0.005)
    assert f"consistency = {sonnet().value('consistency_db'):.2f} dB" in words_in(committed("level"))


def test_the_phrases_are_those_of_the_fade() -> None:
    assert fading().measurement == sonnet().measured.measurements["fade_db"]
    mean = sum(phrase.first_db - phrase.second_db for phrase in fading().phrases) / len(fading().phrases)
    assert f"max(0, {mean:.2f} − 2.0)" in words_in(committed("fade"))


def test_the_variation_is_the_one_measured() -> None:
    assert f"= {sonnet().value('pace_variation'):.3f}" in words_in(committed("pace-variation"))


def test_the_stopwatch_of_the_twister_by_hand() -> None:
    """Both repetitions have the same words, so the stopwatch is the ratio of their lengths."""
    first, last = (one.words[-1].end_ms - one.words[0].start_ms for one in (twister()[0], twister()[-1]))
    assert first / last < 1.05
    assert f"stopwatch {first / last:.3f}" in words_in(committed("pace-rises"))


def test_the_recoveries_by_hand() -> None:
    """From the end of "want" to the second "I", and from the start of "um" to "and"; both go on for three words."""
    assert (STARTS_MS[3] - ENDS_MS[1], STARTS_MS[8] - STARTS_MS[7]) == (650, 600)
    told = words_in(committed("disfluency"))
    assert "false start, 0.95 s" in told
    assert re.findall(r"recovery ([\d.]+) s", told) == ["0.65", "0.60"]


def test_the_limits_of_words_read_are_those_of_the_alignments_page() -> None:
    """docs/alignment.md: 0.4, 0.7 and 0.7 for a word that the recogniser lacks, 0.05 for one that it has."""
    lanes = {heard: changes(heard, confidence) for _, heard, confidence in LANES if heard != "bat"}
    assert [stretch[:2] for stretch in lanes["cat"]] == [(0, 0.05), (0.06, 1)]
    assert [stretch[:2] for stretch in lanes[None]] == [(0, 0.69), (0.7, 1)]
    unsure, sure = (changes("bat", confidence) for confidence in (0.5, 0.9))
    assert [stretches[1] for stretches in (unsure, sure)] == [
        (0.4, 1, ("matched", True)),
        (0.7, 1, ("matched", True)),
    ]
