"""Places on the picture, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from report_dom import parse
from report_samples import SAMPLES

from vivavoce.report.page import page_html, tier_places
from vivavoce.report.picture import clock, level_y, picture


def report_with(duration_s: int, pauses: list[tuple[float, float, str]]) -> dict[str, Any]:
    report = SAMPLES["full"]()
    report["pauses"] = [{"start_s": start, "end_s": end, "kind": kind} for start, end, kind in pauses]
    report["picture"] = {
        "columns": [
            {"start_s": float(s), "end_s": s + 1.0, "low": -0.5, "high": 1.0, "level_db": 55.0}
            for s in range(duration_s)
        ]
    }
    return report


def test_a_pause_is_drawn_where_it_is() -> None:
    """Of 20 s: a pause from 5 s to 6 s begins at 25 % and is 5 % wide."""
    found = picture(report_with(20, [(5.0, 6.0, "choppy")]))
    assert found is not None
    (row,) = found.rows
    (mark,) = row.pauses
    assert (mark.left, mark.width, mark.middle) == ("25%", "5%", "27.5%")
    assert mark.text == "Choppy break, 1 s, from 5 s to 6 s"
    assert (row.start, row.end, row.extent) == ("0:00", "0:20", "100%")


def test_long_recordings_have_rows_and_a_pause_over_the_end_is_on_both() -> None:
    """50 s are two rows of 25 s; a pause from 24 s to 26 s is the last 4 % of one and the first 4 % of the other."""
    found = picture(report_with(50, [(24.0, 26.0, "hesitation")]))
    assert found is not None
    assert [(row.start, row.end) for row in found.rows] == [("0:00", "0:25"), ("0:25", "0:50")]
    assert [(p.left, p.width) for row in found.rows for p in row.pauses] == [("96%", "4%"), ("0%", "4%")]


@pytest.mark.parametrize(("duration", "rows"), [(1, 1), (30, 1), (31, 2), (240, 8), (3600, 8)])
def test_rows_are_few(duration: int, rows: int) -> None:
    found = picture(report_with(duration, []))
    assert found is not None
    assert len(found.rows) == rows
    assert all(2 <= len(row.ticks) <= 8 for row in found.rows)


def test_the_wave_runs_from_high_to_low() -> None:
    """High 1 is the top (0 of 100), low -0.5 three quarters down; the middles of two columns are at 250 and 750."""
    found = picture(report_with(2, []))
    assert found is not None
    assert found.rows[0].wave == "M250.0 0.0L750.0 0.0L750.0 75.0L250.0 75.0Z"


def test_levels_are_held_to_what_is_drawn() -> None:
    """The lane runs from 90 dB at the top to 20 dB at the bottom: 55 dB is half way."""
    assert [level_y(level) for level in (90, 55, 20, -5, 120)] == [0, 50, 100, 100, 0]


def test_the_comfortable_band_comes_from_the_trace() -> None:
    """The guide: full credit between 45 and 75 dB."""
    found = picture(SAMPLES["full"]())
    assert found is not None
    assert found.band is not None
    assert found.band.text == "45–75 dB"
    waiting = picture(SAMPLES["bare"]() | {"picture": SAMPLES["full"]()["picture"]})
    assert waiting is not None
    assert waiting.band is None


def test_a_silent_recording_has_no_loudness() -> None:
    found = picture(SAMPLES["no_speech"]())
    assert found is not None
    assert found.lanes.level == 0
    assert found.rows[0].levels == ()


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0:00"), (5, "0:05"), (83.5, "1:23.5"), (600, "10:00"), (59.96, "1:00")]
)
def test_clock(seconds: float, shown: str) -> None:
    assert clock(seconds) == shown


def test_tiers_lie_on_the_scale_where_the_guide_has_them() -> None:
    """The guide's lower edges 0, 26, 51, 76 and 91 on a scale that ends at 95."""
    places = tier_places(SAMPLES["full"]())
    assert [place["low"] for place in places] == ["0", "26", "51", "76", "91"]
    for place, low in zip(places, (0, 26, 51, 76, 91), strict=True):
        assert float(place["left"].rstrip("%")) == pytest.approx(low / 95 * 100, abs=0.001)
    assert sum(float(place["width"].rstrip("%")) for place in places) == pytest.approx(100, abs=0.005)


def test_bars_end_at_the_score() -> None:
    bar = parse(page_html(SAMPLES["full"]())).by_id("m-pronunciation").one("svg", "bar").one("rect", "fill")
    assert float(bar.attributes["width"].rstrip("%")) == pytest.approx(84 / 95 * 100, abs=0.001)
