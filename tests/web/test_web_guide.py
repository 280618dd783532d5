"""The rubric guide against the published guide, the edition's data and itself, without a browser.

What the published guide states is read by the parser of `tests/rubric`, which never opens the edition's files.
"""

from __future__ import annotations

import asyncio
import re
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from guide_pages import Asker, Page, flat, read

from vivavoce.rubric.load import published
from vivavoce.web.guide.book import catalog, chapters, uses
from vivavoce.web.guide.meaning import meaning

sys.path.append(str(Path(__file__).resolve().parents[1] / "rubric"))
from guide_reader import Guide, guide_text, read_guide

RUBRIC = published()
MODULES = [f"/rubric/modules/{name}" for name in RUBRIC.modules]
CHAPTERS = [chapter.url for chapter in chapters().values() if chapter.url != "/rubric/rows"] + MODULES
LETTERS = {"p": "published", "i": "inferred", "c": "chosen"}


@pytest.fixture(scope="module")
def pages(asker: Asker) -> dict[str, Page]:
    return asker.pages(CHAPTERS)


@pytest.fixture(scope="module")
def text(pages: dict[str, Page]) -> str:
    return " | ".join(page.text for page in pages.values())


@pytest.fixture(scope="module")
def guide(guides: Path) -> Guide:
    return read_guide(guide_text(guides))


def _number(shown: str) -> list[Decimal]:
    """The numbers that a link shows; a percentage as a share."""
    found = [Decimal(digits) for digits in re.findall(r"\d+(?:\.\d+)?", shown)]
    return [number.scaleb(-2) for number in found] if shown.strip().endswith("%") else found


def test_every_number_of_the_published_guide_is_shown_and_linked(guide: Guide, pages: dict[str, Page]) -> None:
    shown: dict[str, list[list[Decimal]]] = {}
    for page in pages.values():
        for path, link in page.rows():
            shown.setdefault(path, []).append(_number(link.text))
    wrong, tried = [], 0
    for claim in guide.claims:
        if not isinstance(claim.value, Decimal) or claim.path.endswith((".chapter", ".ambiguous")):
            continue
        path, _, place = claim.path.partition("[")
        at = int(place.rstrip("]")) if place else 0
        tried += 1
        # A level of one count alone is printed once ("2" for 2 to 2).
        found = [numbers for numbers in shown.get(path, []) if numbers]
        if not found or any((numbers[at] if at < len(numbers) else numbers[-1]) != claim.value for numbers in found):
            wrong.append((claim.line, claim.path, claim.value, found))
    assert tried > 350
    assert wrong == []


def test_every_text_of_the_published_guide_is_shown(guide: Guide, text: str) -> None:
    # Words of ours for what the guide prints otherwise: names of rules and routes, dates in the reader's form.
    ours = re.compile(
        r".*\.(rule|route|method|date|modules\[\d\]|drops\[\d\]|twister_shift\.\w+)|modules\.\w+\.fluency\.weights"
    )
    wanted = {claim.path: claim.value for claim in guide.claims if isinstance(claim.value, str)}
    missing = [path for path, value in wanted.items() if not ours.fullmatch(path) and flat(value) not in text]
    assert len(wanted) > 200
    assert missing == []


def test_every_cell_of_the_published_tables_is_shown_as_it_is_printed(guides: Path, text: str) -> None:
    """ "90 – 180 wpm", "below 65 / above 220", "0.92 / 0.45": a second way, from the lines with tabs themselves."""
    heads = ("Band\t", "Marker\t", "Module\t", "Weighted quality\t", "Sub-marker\t")
    rows = [line for line in guide_text(guides).split("\n") if "\t" in line and not line.startswith(heads)]
    cells = [cell for row in rows for cell in row.split("\t")]
    cells = [re.sub(r"(open|closed)$", "", cell) for cell in cells]
    assert len(rows) == 5 + 3 + 5 + 2 * 3 * 6 + 3 + 3 + 3 + 3 + 8
    assert [cell for cell in cells if flat(cell) not in text] == []


def test_every_row_of_the_edition_stands_in_a_chapter(pages: dict[str, Page]) -> None:
    linked = {path for page in pages.values() for path, link in page.rows() if link.letter}
    assert linked == set(RUBRIC.entries)


def test_every_mark_is_the_rows_own(pages: dict[str, Page]) -> None:
    seen = set()
    for page in pages.values():
        for path, link in page.rows():
            # A step of a trace cites its source without a mark; a number or a text of the page never does.
            assert bool(link.letter) == bool({"num", "cite"} & set(link.classes)), path
            if not link.letter:
                continue
            provenance = RUBRIC.entries[path].provenance
            assert LETTERS[link.letter] == provenance, path
            assert provenance in link.hidden, path
            seen.add(provenance)
    assert seen == {"published", "inferred", "chosen"}


def test_every_row_has_a_page_that_says_what_it_is(asker: Asker) -> None:
    """One in four answers; one in twenty is read: mark, path, what it means, and that its neighbours are there."""
    targets = {path: f"/rubric/row/{quote(path)}" for path in list(RUBRIC.entries)[::4]}
    answers = asyncio.run(asker._all(list(targets.values()), "text/html"))
    assert {status for status, _, _ in answers} == {200}
    for path, (_, _, body) in list(zip(targets, answers, strict=True))[::5]:
        html, entry = body.decode(), RUBRIC.entries[path]
        for other, _ in read(html).rows():
            assert catalog().require(other) == other
        assert f"<code>{path}</code>" in html
        assert f"<b>{entry.provenance}</b>" in html
        assert meaning(path)


def test_every_row_is_explained() -> None:
    assert [path for path in RUBRIC.entries if not meaning(path)] == []


def test_numbers_have_units_where_they_have_one() -> None:
    bare = [
        path
        for path, entry in RUBRIC.entries.items()
        if not isinstance(entry.value, str | list) and not catalog()[path].unit and not path.endswith(".chapter")
    ]
    assert bare == []


# By hand, from the guide: where a row counts.
OPEN = ("audio_postcard", "short_informative_presentation", "story_building", "rapid_fire_qa", "silly_topics_debate")
READ = ("poem_recitation", "paragraph_reading")
ALL = ("elementary", "middle", "high")
USED = {
    "speaking_rate.open.pace.middle.full_low": {("speaking_rate", OPEN, ("middle",))},
    # The tongue twister never penalises pace and has weights of its own.
    "speaking_rate.closed.pace.high.zero_high": {("speaking_rate", READ, ("high",))},
    "speaking_rate.closed.weights.consistency": {("speaking_rate", READ, ALL)},
    "speaking_rate.closed.choppiness.high.full": {("speaking_rate", (*READ, "tongue_twister"), ("high",))},
    "modules.tongue_twister.speaking_rate.weights.acceleration": {("speaking_rate", ("tongue_twister",), ALL)},
    "fluency.twister.weights.middle.recovery": {("fluency", ("tongue_twister",), ("middle",))},
    "fluency.closed.weights.middle.recovery": {("fluency", READ, ("middle",))},
    "fluency.open.fillers.high.good": {("fluency", OPEN, ("high",))},
    "volume_control.fade.elementary.full": {("volume_control", None, ("elementary",))},
    "volume_control.level.full_low": {("volume_control", None, ALL)},
    "adherence.accuracy.high.zero": {("task_adherence", (*READ, "tongue_twister"), ("high",))},
    "modules.audio_postcard.adherence.guardrails.reversal.cap": {("task_adherence", ("audio_postcard",), ALL)},
    "modules.story_building.adherence.weak_story_cap": {("task_adherence", ("story_building",), ALL)},
    "modules.poem_recitation.weights.fluency": {("overall", ("poem_recitation",), ALL)},
    "judging.story.lead": {("task_adherence", ("story_building",), ALL)},
    "judging.band_anchors.lead": {("task_adherence", ("rapid_fire_qa", "silly_topics_debate"), ALL)},
    "feedback_wording.findings.fluency.fillers.closed.high": {("fluency", (*READ, "tongue_twister"), ("high",))},
    "feedback_wording.findings.task_adherence.story_weak.any.middle": {
        ("task_adherence", ("story_building",), ("middle",))
    },
    "modules.rapid_fire_qa.dormant.RAPID_FIRE_LIMIT_S.answer_over_s": set(),
    "conflicts.conflicts.how_many_markers.said": set(),
}


@pytest.mark.parametrize("path", USED)
def test_where_a_row_is_used(path: str) -> None:
    found = {(line.marker, line.modules, line.grade_bands) for line in uses().of(path)}
    wanted = {(marker, tuple(RUBRIC.modules) if m is None else m, bands) for marker, m, bands in USED[path]}
    # A row may have more than one role there, never another place.
    assert {(marker, frozenset(m), bands) for marker, m, bands in found} == {
        (marker, frozenset(m), bands) for marker, m, bands in wanted
    }


def test_the_weight_table_sums_and_names_the_heaviest(asker: Asker, guides: Path) -> None:
    """Worked out anew from the published table's own lines."""
    lines = guide_text(guides).split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith("Module\t"))
    weights = [[Fraction(cell) for cell in line.split("\t")[1:]] for line in lines[start + 1 : start + 9]]
    assert all(sum(row) == 1 for row in weights)
    _, _, body = asker.raw("/rubric/modules")
    table = re.search(r"<table class=\"plain data weighttable\">(.*?)</table>", body.decode(), re.DOTALL)
    assert table is not None
    rows = re.findall(r"<tr><th scope=\"row\">(.*?)</tr>", table[1], re.DOTALL)
    assert len(rows) == 8
    for at, row in enumerate(rows):
        cells = re.findall(r"<td class=\"n[^\"]*\">(.*?)</td>", row, re.DOTALL)
        assert cells[-1] == "1.00"
        for column, cell in enumerate(cells[:-1]):
            value = weights[at][column]
            assert Fraction(re.findall(r">(0\.\d\d)<", cell)[0]) == value
            assert ("most of row" in cell) == (value == max(weights[at]))
            assert ("most of column" in cell) == (value == max(line[column] for line in weights))


def test_the_worked_figure_is_the_guides(pages: dict[str, Page]) -> None:
    """0.9625 gives frac 0.568 against 1.01, and 93 (the guide's own conflict on the Excellent tier)."""
    found = pages["/rubric"].text
    assert "(0.9625 - 0.9) / (1.01 - 0.9) → ≈ 0.568182" in found
    assert "Score round_half_up(91 + (25/44) * (95 - 91)) → 93" in found
    assert round(Fraction(625, 10000) / Fraction(11, 100), 3) == Fraction("0.568")


def test_no_link_of_the_chapters_is_dead(asker: Asker, pages: dict[str, Page]) -> None:
    rows = {f"/rubric/row/{quote(path)}" for path in RUBRIC.entries}
    wanted: dict[str, set[str]] = {}
    for address, page in pages.items():
        assert page.status == 200, address
        assert len(page.ids) == len(set(page.ids)), address
        for link in page.links:
            path, _, fragment = link.href.partition("#")
            if (path or address) not in rows:
                wanted.setdefault(path or address, set()).add(fragment)
    others = asker.pages([target for target in wanted if target not in pages and target != "/"])
    for target, fragments in wanted.items():
        if target == "/":
            continue
        page = pages.get(target) or others[target]
        assert page.status == 200, target
        assert fragments - {""} <= set(page.ids), target


def test_rows_under_a_path_are_listed(asker: Asker) -> None:
    page = asker.page("/rubric/row/speaking_rate.open.pace")
    found = {path for path, link in page.rows() if path.startswith("speaking_rate.open.pace.")}
    assert found >= {
        f"speaking_rate.open.pace.{band}.{edge}"
        for band in ALL
        for edge in ("zero_low", "full_low", "full_high", "zero_high")
    }
    assert "12 rows under" in page.text


def test_a_row_shows_its_place_in_the_data_and_its_neighbours(asker: Asker) -> None:
    page = asker.page("/rubric/row/modules.audio_postcard.steadiness.low")
    assert "rubrics/student-speech-v1/modules/audio_postcard.toml, table [steadiness], key low" in page.text
    assert {path.rpartition(".")[2] for path, _ in page.rows() if ".steadiness." in path} == {"rule", "text", "high"}
    assert "0.12 a share of 1" in page.text


@pytest.mark.parametrize(
    ("query", "count", "first"),
    [
        ("pace middle full_low", 2, "speaking_rate.open.pace.middle.full_low"),
        ("1.01", None, "edition.tiers.rows.excellent.interpolate_to"),
        ("RAPID_FIRE", None, ""),
        ("nothing-has-this-word", 0, ""),
    ],
)
def test_the_search(asker: Asker, query: str, count: int | None, first: str) -> None:
    page = asker.page("/rubric/rows?q=" + quote(query))
    found = [path for path, _ in page.rows()]
    assert count is None or len(found) == count
    assert f"{len(found)} row" in page.text
    assert not first or first in found


def test_the_filter_by_mark(asker: Asker) -> None:
    page = asker.page("/rubric/rows?provenance=inferred")
    wanted = {path for path, entry in RUBRIC.entries.items() if entry.provenance == "inferred"}
    assert {path for path, _ in page.rows()} == wanted


HOSTILE = [
    "/rubric/row/",
    "/rubric/row/no.such.path",
    "/rubric/row/edition.scale.ceiling.more",
    "/rubric/row/..%2f..%2fetc%2fpasswd",
    "/rubric/row/%00",
    "/rubric/row/edition%2Escale%2Eceiling%00",
    "/rubric/row/" + "a" * 5000,
    "/rubric/row/%3Cscript%3Ealert(1)%3C/script%3E",
    "/rubric/row/{{7*7}}",
    "/rubric/row/__class__",
    "/rubric/row/%ED%A0%80",
    "/rubric/row/.",
    "/rubric/row/...",
    "/rubric/modules/no_such_module",
    "/rubric/modules/__init__",
    "/rubric/modules/%F0%9F%92%A5",
    "/rubric/no_such_chapter",
]


@pytest.mark.parametrize("target", HOSTILE)
def test_what_is_not_there_is_not_found(asker: Asker, target: str) -> None:
    status, headers, body = asker.raw(target)
    assert status == 404
    assert "text/html" in headers["content-type"]
    assert "<script>alert" not in body.decode()
    assert ("rubric_path_unknown" in body.decode()) == target.startswith("/rubric/row/")


@pytest.mark.parametrize(
    "query",
    [
        "q=" + "a" * 201,
        "provenance=guessed",
        "q=%00%ff%ed%a0%80",
        "q=%F0%9F%92%A5",
        "q[]=1&q=2&q=3",
        "q=((((",
        "q=%25s%25n",
        "&&&=&=",
    ],
)
def test_hostile_queries_never_break_the_search(asker: Asker, query: str) -> None:
    status, _, _ = asker.raw(f"/rubric/rows?{query}")
    assert status == (422 if query.startswith(("q=aaa", "provenance")) else 200)


def test_programs_get_the_error_as_json(asker: Asker) -> None:
    status, headers, body = asker.raw("/rubric/row/no.such.path", "application/json")
    assert status == 404
    assert headers["content-type"].startswith("application/json")
    assert b'"code":"rubric_path_unknown"' in body


def test_sources_of_a_real_trace_lead_to_rows(asker: Asker) -> None:
    page = asker.page("/rubric")
    sources = {path for path, link in page.rows() if link.text.strip() == path}
    assert {"edition.tiers.rows.excellent.interpolate_to", "volume_control.consistency.elementary.full"} <= sources
    assert all(urlsplit(link.href).scheme == "" for link in page.links)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        # Straight between the edges, 1 from the lower to the upper one: read off the guide's table.
        (
            "speaking_rate.open.pace.middle.full_low",
            "Pace: quality 0 at 65 words/min; quality 1 at 110 words/min; quality 1 at 190 words/min; quality 0 at 230",
        ),
        ("adherence.accuracy.high.zero", "Accuracy: quality 0 at 0.65; quality 1 at 0.99"),
        # A4: 0.70 at no variation, 1 from 0.15 to 0.30, 0 at twice 0.30.
        (
            "modules.poem_recitation.steadiness.low",
            "Consistency: quality 0.7 at 0; quality 1 at 0.15; quality 1 at 0.3; quality 0 at 0.6",
        ),
        (
            "speaking_rate.closed.hesitation.high.max_cut",
            "the cut grows straight from 0 to 25 % at 3 hesitations a minute",
        ),
    ],
)
def test_a_row_draws_its_curve_and_says_it(asker: Asker, path: str, said: str) -> None:
    _, _, body = asker.raw(f"/rubric/row/{path}")
    labels = re.findall(r'role="img" aria-label="([^"]+)"', body.decode())
    assert len(labels) == 1
    assert said in labels[0]


def test_curves_stand_where_their_numbers_say(asker: Asker) -> None:
    """The trapezoid of High, closed: its bends lie on one line with the labels, in proportion to 80, 110, 190, 230."""
    _, _, body = asker.raw("/rubric/row/speaking_rate.closed.pace.high.full_low")
    svg = re.search(r"<svg viewBox.*?</svg>", body.decode(), re.DOTALL)
    assert svg is not None
    points = re.search(r'<polyline class="curve" points="([^"]+)"', svg[0])
    assert points is not None
    places = [tuple(map(float, pair.split(","))) for pair in points[1].split()]
    ticks = {text: float(x) for x, text in re.findall(r'<text x="([\d.]+)"[^>]*>(\d+)</text>', svg[0])}
    assert set(ticks) == {"80", "110", "190", "230"}
    scale = (ticks["230"] - ticks["80"]) / 150
    assert ticks["110"] - ticks["80"] == pytest.approx(30 * scale, abs=0.02)
    assert ticks["190"] - ticks["80"] == pytest.approx(110 * scale, abs=0.02)
    top, base = min(y for _, y in places), max(y for _, y in places)
    for label, height in (("80", base), ("110", top), ("190", top), ("230", base)):
        assert any(x == pytest.approx(ticks[label], abs=0.02) and y == height for x, y in places), label
