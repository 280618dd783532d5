"""Links and exports of the Lab over plain HTTP: one link a state, hostile query strings, JSON and pictures."""

from __future__ import annotations

import json
import re
import struct
from html import unescape
from urllib.parse import parse_qsl, quote, urlencode

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from web_lab_tools import BANDS, MODULES, get
from web_tools import Site

NAMES = [
    "module",
    "grade_band",
    "pronunciation",
    "fluency",
    "words_per_minute",
    "pace_variation",
    "choppy_breaks_per_minute",
    "speech_seconds",
    "hesitations_per_minute",
    "pace_rises",
    "level_db",
    "consistency_db",
    "fade_db",
    "reference_words",
    "trailing_omissions",
    "matched",
    "insertions",
    "keywords_required",
    "keywords_present",
    "story",
    "task_adherence",
    "specific_detail",
    "guardrails",
    "broken_order_rules",
    "smoothness",
    "filler_control",
    "recovery",
    "unmeasured",
    "pending",
]

NUMBERS = ("NaN", "Infinity", "1e9", "1e-400", "-0", "0", "95.5", "10000000000", "٣", "0x10")
ODD = ("", "none", "yes", "\u0000", "\ud83d", "<script>alert(1)</script>", "../../etc", "9" * 5000, "1." + "0" * 5000)
VALUES = st.one_of(
    st.sampled_from([*NUMBERS, *ODD, *MODULES, *BANDS, "fade_db", "pronunciation", "groundedness", "excellent"]),
    st.integers(-(10**12), 10**12).map(str),
    st.decimals(-1000, 1000, allow_nan=False).map(lambda number: format(number, "f")),
    st.text(max_size=30),
)
FIELD = st.tuples(
    st.one_of(st.sampled_from(NAMES), st.sampled_from(NAMES).map("kept.".__add__), st.text(max_size=10)), VALUES
)


def link_in(body: bytes) -> str:
    """The link that a page says its state has."""
    found = re.search(r'data-link="([^"]+)"', body.decode())
    assert found is not None
    return unescape(found.group(1))


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(FIELD, max_size=25))
@example([("kept.module", "audio_postcard"), ("kept.specific_detail", "no")])
def test_no_query_string_breaks_the_lab(site: Site, fields: list[tuple[str, str]]) -> None:
    """A page (200), whose own link leads to the same state, or an error with its fields (422)."""
    query = urlencode(fields, errors="surrogatepass")
    status, _, body = get(site, "/lab?" + query)
    assert status in (200, 422), query
    if status == 422:
        assert b"What to do" in body
        return
    link = link_in(body)
    again, _, second = get(site, link)
    assert (again, link_in(second)) == (200, link)


@pytest.mark.parametrize(
    "query",
    [
        "%",
        "%ff%fe",
        "&&&&",
        "=&=&=",
        "module",
        "a=b" * 2000,
        "&".join(["a=b"] * 500),
        "module[]=x",
        "module=poem_recitation;x",
    ],
)
def test_broken_query_strings(site: Site, query: str) -> None:
    assert get(site, "/lab?" + query)[0] in (200, 422)


@pytest.mark.parametrize(
    ("query", "code", "found"),
    [
        ("module=sonnet", "value_unknown", "sonnet"),
        ("module=poem_recitation&grade_band=tertiary", "value_unknown", "tertiary"),
        ("&".join(f"x{number}=1" for number in range(300)), "query_too_long", "more fields"),
    ],
)
def test_what_cannot_be_guessed_is_an_error_with_its_fields(site: Site, query: str, code: str, found: str) -> None:
    status, _, body = get(site, "/lab?" + query, Accept="application/json")
    error = json.loads(body)["error"]
    assert (status, error["code"]) == (422, code)
    assert found in error["found"]
    assert error["where"]
    assert error["allowed"]
    assert error["remedy"]


def test_what_is_not_understood_is_told_and_left_out(site: Site) -> None:
    query = "module=poem_recitation&tempo=3&pending=nobody&unmeasured=level_db&kept.module=sonnet"
    status, _, body = get(site, "/lab?" + query)
    told = unescape(re.sub(r"<[^>]+>", "", body.decode().split('class="leftout"')[1].split("</p>")[0]))
    assert status == 200
    for word in ("tempo", "nobody", "level_db", "sonnet"):
        assert word in told
    assert "kept." not in link_in(body)
    told = get(site, "/lab?kept.module=poem_recitation&kept.tempo=3")[2].decode()
    assert "kept.tempo" in told.split('class="leftout"')[1].split("</p>")[0]


@pytest.mark.parametrize("module", MODULES)
def test_one_state_has_one_link(site: Site, module: str) -> None:
    """The page's own link leads to the same link; order, repeats and trailing zeros do not matter."""
    link = link_in(get(site, f"/lab?module={module}")[2])
    assert link_in(get(site, link)[2]) == link
    pairs = parse_qsl(link.partition("?")[2])
    assert len(link) < 420
    turned = [("words_per_minute", "1"), *reversed(pairs)]
    turned = [(name, value + "0" if name == "level_db" and "." in value else value) for name, value in turned]
    assert link_in(get(site, "/lab?" + urlencode(turned))[2]) == link


def test_a_link_keeps_all_that_can_be_switched(site: Site) -> None:
    fields = [
        ("module", "audio_postcard"),
        ("grade_band", "high"),
        ("guardrails", "reversal"),
        ("guardrails", "substance"),
        ("specific_detail", "no"),
        ("smoothness", "good"),
        ("unmeasured", "fade_db"),
        ("pending", "volume_control"),
        ("kept.module", "tongue_twister"),
        ("kept.pace_rises", "no"),
    ]
    pairs = parse_qsl(link_in(get(site, "/lab?" + urlencode(fields))[2]).partition("?")[2])
    assert set(fields) <= set(pairs)


def test_the_exported_request_holds_six_decimals(site: Site) -> None:
    """A2: values by hand keep up to six decimals, rounded half up."""
    body = get(site, "/lab/export.json?module=poem_recitation&words_per_minute=92.12345650001&level_db=58.600000")[2]
    found = json.loads(body)["request"]["inputs"]
    assert found["speaking_rate"]["words_per_minute"] == 92.123457
    assert found["volume_control"]["level_db"] == 58.6


@pytest.mark.parametrize(("typed", "read"), [(".5", 0.5), ("12.", 12), ("1e2", 100), ("-0", 0), ("007.50", 7.5)])
def test_a_number_is_read_in_every_way_that_a_box_holds_it(site: Site, typed: str, read: float) -> None:
    """HTML's number boxes keep what was typed, if it is a number at all."""
    body = get(site, f"/lab/export.json?module=poem_recitation&words_per_minute={typed}")[2]
    assert json.loads(body)["request"]["inputs"]["speaking_rate"]["words_per_minute"] == read


@pytest.mark.parametrize("kind", ["json", "png", "svg"])
def test_a_refused_state_is_not_exported(site: Site, kind: str) -> None:
    path = f"/lab/export.{kind}?module=poem_recitation&matched=85"
    status, _, body = get(site, path, Accept="application/json")
    assert (status, json.loads(body)["error"]["code"]) == (422, "counts_contradict")


def test_there_is_no_other_export(site: Site) -> None:
    status, _, body = get(site, "/lab/export.docx", Accept="application/json")
    assert (status, json.loads(body)["error"]["code"]) == (422, "export_unknown")


def png_pixels(body: bytes) -> tuple[int, int]:
    """Width and height of a PNG."""
    assert body[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", body[16:24])
    return wide, high


def test_the_picture_is_1280_by_800(site: Site) -> None:
    status, headers, body = get(site, "/lab/export.png?module=poem_recitation")
    assert (status, headers["content-type"]) == (200, "image/png")
    assert "poem_recitation-elementary.png" in headers["content-disposition"]
    assert png_pixels(body) == (1280, 800)
    assert len(body) > 20_000
    assert body != get(site, "/lab/export.png?module=poem_recitation&pronunciation=20")[2]


@pytest.mark.parametrize("extra", ["", "&pending=fluency", "&speech_seconds=0", "&unmeasured=fade_db"])
def test_every_state_has_a_picture(site: Site, extra: str) -> None:
    status, headers, body = get(site, "/lab/export.svg?module=tongue_twister" + extra)
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert body.startswith(b"<svg")
    assert body.count(b"<use") > 200


FULLEST = (
    "module=audio_postcard&words_per_minute=9999.123456&pace_variation=999.123456&level_db=-399.123456"
    "&guardrails=substance&guardrails=groundedness&guardrails=over_vagueness&guardrails=reversal",
    "module=short_informative_presentation&broken_order_rules=end_with_last"
    "&broken_order_rules=introduced_before_referenced&fade_db=-399.123456",
    "module=tongue_twister&reference_words=1000000&matched=1000000&insertions=1000000&speech_seconds=359999.123456",
)


@pytest.mark.parametrize("query", FULLEST)
def test_the_fullest_state_is_one_picture(site: Site, query: str) -> None:
    """What does not fit is drawn smaller; it once made a second page, and no picture at all."""
    status, _, body = get(site, f"/lab/export.png?{query}")
    assert status == 200
    assert png_pixels(body) == (1280, 800)


def test_the_picture_loads_nothing(site: Site) -> None:
    body = get(site, "/lab/export.svg?module=audio_postcard")[2].decode()
    addresses = set(re.findall(r'(?:href|src)="(?!#)([^"]{1,80})', body))
    assert addresses == set()


@pytest.mark.parametrize("text", ["<script>x</script>", quote('"><img src=x>'), "%00", "a" * 5000])
def test_what_was_typed_is_escaped(site: Site, text: str) -> None:
    body = get(site, f"/lab?module=poem_recitation&words_per_minute={text}&{text}=1")[2].decode()
    assert "<script>x" not in body
    assert "<img" not in body


@pytest.mark.parametrize("module", MODULES)
def test_no_id_stands_twice(site: Site, module: str) -> None:
    """The page is renewed by ids: one that stood twice would close what is open, or move the wrong slider."""
    link = f"/lab?module={module}&smoothness=good&filler_control=good&recovery=good&kept.module={module}"
    ids = re.findall(r'\sid="([^"]+)"', get(site, link)[2].decode())
    assert sorted(ids) == sorted(set(ids))
