"""What a reader with a keyboard, a screen reader or poor sight needs of the page."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from report_dom import Element, parse
from report_samples import SAMPLES

from vivavoce.report.page import page_html


@pytest.fixture(params=sorted(SAMPLES))
def page(request: pytest.FixtureRequest) -> Element:
    return parse(page_html(SAMPLES[request.param]()))


def test_headings_come_in_order_and_landmarks_are_there(page: Element) -> None:
    levels = [int(e.tag[1]) for e in page.walk() if re.fullmatch(r"h[1-6]", e.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert [len(page.all(tag)) for tag in ("header", "main", "footer")] == [1, 1, 1]
    assert [e.tag for e in page.one("head").elements("title")] == ["title"]
    assert page.one("html").attributes["lang"] == "en"


def test_ids_are_unique_and_references_lead_somewhere(page: Element) -> None:
    ids = [e.attributes["id"] for e in page.walk() if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    wanted = [e.attributes["aria-labelledby"] for e in page.walk() if "aria-labelledby" in e.attributes]
    wanted += [e.attributes["href"][1:] for e in page.all("a")]
    patterns = [u for e in page.walk() for u in re.findall(r"url\(#(.*?)\)", e.attributes.get("fill", ""))]
    assert set(wanted + patterns) <= set(ids)
    assert all("aria-labelledby" in section.attributes for section in page.all("section"))


def test_tables_have_headers_and_pictures_have_words(page: Element) -> None:
    for table in page.all("table"):
        assert all("scope" in header.attributes for header in table.all("th"))
        assert all(row.all("th") for row in table.all("tr"))
    outer = [e for e in page.walk() if e.tag == "svg" and "viewbox" not in e.attributes]
    named = [svg for svg in outer if svg.attributes.get("role") == "img"]
    assert all(svg.attributes["aria-label"] for svg in named)
    inside = {id(e) for svg in outer for e in svg.walk() if e is not svg}
    for svg in outer:
        hidden = svg.attributes.get("aria-hidden") == "true"
        assert hidden or svg in named or id(svg) in inside


def test_everything_opens_by_keyboard(page: Element) -> None:
    assert all(details.elements()[0].tag == "summary" for details in page.all("details"))
    assert all(e.attributes["tabindex"] == "0" for e in page.walk() if "tabindex" in e.attributes)
    regions = [e for e in page.walk() if "tabindex" in e.attributes]
    assert all(e.attributes.get("role") == "region" and e.attributes.get("aria-label") for e in regions)


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    digits = colour.lstrip("#")
    digits = "".join(d * 2 for d in digits) if len(digits) == 3 else digits
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast ratio (WCAG 2.2)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def schemes() -> list[dict[str, str]]:
    """The colours of the light, the dark and the printed page."""
    css = parse(page_html(SAMPLES["bare"]())).one("style").raw
    blocks = re.findall(r":root \{(.*?)\}", css, re.DOTALL)
    return [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", block)) for block in blocks]


def test_contrast_is_enough_in_light_dark_and_print() -> None:
    """WCAG 2.2 AA: text 4.5 to 1, drawn parts that carry meaning 3 to 1. White on black is 21 to 1, by definition."""
    assert contrast("#fff", "#000000") == pytest.approx(21)
    assert len(schemes()) == 3
    for scheme in schemes():
        texts = ["ink", "soft", "wrong", "gone", "extra", "person", *(["link"] if "link" in scheme else [])]
        grounds = [scheme["paper"], scheme["ground"], scheme["track"]]
        for text in texts:
            for ground in grounds:
                assert contrast(scheme[text], ground) >= 4.5, f"{text} {scheme[text]} on {ground}"
        for drawn in ("fill", "wave", "level", "phrase", "choppy", "hesitation", "pin"):
            assert contrast(scheme[drawn], scheme["paper"]) >= 3, f"{drawn} {scheme[drawn]}"
        for kind in ("phrase", "choppy", "hesitation"):
            assert contrast(scheme["wave"], scheme[f"{kind}-tint"]) >= 3
        assert all(contrast(scheme["fill"], scheme[f"t{rank}"]) >= 3 for rank in range(1, 6))


def test_kinds_of_pause_differ_by_pattern_and_sign_not_by_colour_alone() -> None:
    page = parse(page_html(SAMPLES["full"]()))
    patterns = {p.attributes["id"]: [(e.tag, e.attributes) for e in p.walk()][1:] for p in page.all("pattern")}
    drawn = {
        kind: [tag for tag, _ in patterns[f"p-{kind}"]] + [str(a) for _, a in patterns[f"p-{kind}"]]
        for kind in ("phrase", "choppy", "hesitation")
    }
    assert len({str(value) for value in drawn.values()}) == 3
    groups = page.all("g", "pause")
    shapes = {
        next(iter(g.classes - {"pause"})): (g.one(klass="sign").tag, g.one(klass="sign").attributes.get("d"))
        for g in groups
    }
    assert len(set(shapes.values())) == len(shapes) == 3
    assert all(g.one("title").text for g in groups)
