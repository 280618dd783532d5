"""Names of models, prices, waits, and what is not imported."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from vivavoce.errors import ModelError, RequestError, VivavoceError, need
from vivavoce.models import Retries, open_model, read_prices
from vivavoce.models.anthropic_chat import without_bounds
from vivavoce.models.failures import TryError, no_answer, of_status, retry_after
from vivavoce.models.prices import cost
from vivavoce.models.retry import with_retries
from vivavoce.models.spec import parse_spec


@pytest.mark.parametrize(
    ("text", "provider", "name", "address"),
    [
        ("openai:gpt-x", "openai", "gpt-x", "https://api.openai.com/v1"),
        ("openai:qwen2.5:7b@http://localhost:11434/v1/", "openai", "qwen2.5:7b", "http://localhost:11434/v1"),
        ("openai:org/m@v2@https://h.example/v1", "openai", "org/m@v2", "https://h.example/v1"),
        ("openai:m@http://[::1]:8080/v1", "openai", "m", "http://[::1]:8080/v1"),
        ("anthropic:claude-x", "anthropic", "claude-x", "https://api.anthropic.com"),
        ("google:gemini-x", "google", "gemini-x", "https://generativelanguage.googleapis.com"),
    ],
)
def test_a_spec_is_taken_apart(text: str, provider: str, name: str, address: str) -> None:
    spec = parse_spec(text)
    assert (spec.provider, spec.name, spec.base_url) == (provider, name, address)
    assert parse_spec(spec.text) == spec


@pytest.mark.parametrize(
    "text",
    [
        *("", "none", "gpt-x", "openai", "openai:", "openai:@http://localhost/v1", "azure:gpt", "OpenAI:gpt"),
        *("openai:m@http://", "openai:m@http://user:secret@h/v1", "openai:m@http://h/v1?key=secret"),
        *("openai:m@http://h/v1#secret", "openai:m@http://h:port/v1", "openai:m@http://h:99999/v1"),
        *("openai:m@http://h /v1", "openai: m", "openai:a\nb", "openai:m@https://hé/v1", "openai:m@http://[::1/v1"),
    ],
)
def test_a_spec_that_names_no_model(text: str) -> None:
    with pytest.raises(ModelError) as caught:
        open_model(text)
    assert caught.value.code == "model_unknown"
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("base", ["ftp://h/v1", "localhost:8080", "http://u:secret@h", ""])
def test_an_address_given_apart_is_checked_the_same(base: str) -> None:
    with pytest.raises(ModelError) as caught:
        open_model("openai:m", base_url=base)
    assert caught.value.code == "model_unknown"
    assert "secret" not in str(caught.value)


def test_one_address_only() -> None:
    with pytest.raises(ModelError, match="two addresses"):
        open_model("openai:m@http://localhost/v1", base_url="http://localhost/v1")


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        *(("localhost", True), ("127.0.0.1", True), ("127.9.9.9", True), ("[::1]", True)),
        *(("10.0.0.1", False), ("localhost.example", False), ("127.0.0.1.example", False), ("0.0.0.0", False)),
    ],
)
def test_this_machine_is_known(host: str, loopback: bool) -> None:
    assert parse_spec(f"openai:m@http://{host}:80/v1").loopback is loopback


@pytest.mark.parametrize(
    ("spec", "told", "hears"),
    [
        ("openai:m@http://localhost/v1", None, False),
        ("openai:m@http://localhost/v1", True, True),
        ("openai:gpt-audio@http://localhost/v1", None, True),
        ("openai:gpt-audio@http://localhost/v1", False, False),
        ("google:m@http://localhost", None, True),
        ("google:m@http://localhost", False, False),
        ("anthropic:m@http://localhost", None, False),
    ],
)
def test_who_hears(spec: str, told: bool | None, hears: bool) -> None:
    assert open_model(spec, hears=told).hears is hears


def test_anthropics_models_cannot_be_told_to_hear() -> None:
    with pytest.raises(ModelError) as caught:
        open_model("anthropic:m@http://localhost", hears=True)
    assert caught.value.code == "model_unknown"


@pytest.mark.parametrize(
    ("spec", "module", "extra"),
    [
        ("openai:m", "openai", "judge"),
        ("anthropic:m", "anthropic", "anthropic"),
        ("google:m", "google.genai", "google"),
    ],
)
def test_a_missing_sdk_names_its_extra(monkeypatch: pytest.MonkeyPatch, spec: str, module: str, extra: str) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == module else find(name))
    with pytest.raises(VivavoceError) as caught:
        open_model(spec)
    assert caught.value.code == "extra_missing"
    assert f"vivavoce[{extra}]" in caught.value.remedy


def test_naming_models_imports_no_sdk() -> None:
    code = (
        "import sys, vivavoce.models as m, vivavoce.models.spec as s; s.parse_spec('google:x');"
        "loaded = {n.split('.')[0] for n in sys.modules};"
        "print(sorted(loaded & {'openai', 'anthropic', 'google', 'httpx2', 'pydantic'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_prices_are_read_exactly(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text('{"m": {"input": 0.1, "output": 2}}')
    prices = read_prices(path)
    assert prices == {"m": {"input": Decimal("0.1"), "output": Decimal(2)}}
    # 3 * 0.1 / 1e6 and 0 * 2, no binary fraction in between.
    assert cost(prices, ("openai:m", "m"), 3, 0) == Decimal("0.0000003")
    assert cost(prices, ("m",), None, 5) is None


def test_the_more_exact_name_has_the_price() -> None:
    prices = {"m": {"input": Decimal(1), "output": Decimal(1)}, "openai:m": {"input": Decimal(9), "output": Decimal(9)}}
    assert cost(prices, ("openai:m", "m"), 1_000_000, 0) == Decimal(9)


@pytest.mark.parametrize(
    "text",
    [
        *("[]", "{", '{"m": 3}', '{"m": {"input": 1}}', '{"m": {"input": 1, "output": -1}}'),
        *('{"m": {"input": true, "output": 1}}', '{"m": {"input": "1", "output": 1}}'),
        *('{"m": {"input": NaN, "output": 1}}', '{"m": {"input": 1, "output": 1, "audio": 1}}'),
        '{"m": {"input": 1, "input": 2, "output": 1}}',
    ],
)
def test_prices_that_are_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "prices.json"
    path.write_text(text)
    with pytest.raises(RequestError) as caught:
        read_prices(path)
    assert caught.value.where.startswith("prices.json")


def test_a_price_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RequestError) as caught:
        read_prices(tmp_path / "none.json")
    assert caught.value.code == "price_file"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("1.5", 1.5),
        ("Mon, 30 Nov 2026 12:00:30 GMT", 30.0),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 0.0),
        *((text, None) for text in ("", "-5", "nan", "inf", "soon", "1e999", "Mon, 99 Nov 2026 12:00:30 GMT")),
    ],
)
def test_retry_after_is_read(value: str, seconds: float | None) -> None:
    # 1796040000 is 2026-11-30 12:00:00 UTC (date -u -d @1796040000).
    assert retry_after({"retry-after": value}, now=1_796_040_000) == seconds


def test_the_waits_are_drawn_from_nought_to_a_doubling_bound() -> None:
    largest = Retries(draw=lambda: 1.0)
    assert [largest.wait_s(tried, None) for tried in range(1, 9)] == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 20.0, 20.0]
    assert [Retries(draw=lambda: 0.0).wait_s(tried, None) for tried in (1, 5)] == [0.0, 0.0]
    assert Retries(draw=lambda: 0.5).wait_s(2, 10.0) == 10.5


def test_the_time_of_all_tries_together_is_bounded() -> None:
    """A clock that only sleeping and trying move: each try takes 3 s, each wait is at its largest."""
    now = [100.0]
    left: list[float] = []

    def sleep(seconds: float) -> None:
        now[0] += seconds

    def one_try(left_s: float) -> None:
        left.append(left_s)
        now[0] += 3.0
        raise no_answer("m", "no connection")

    retries = Retries(tries=99, sleep=sleep, draw=lambda: 1.0, clock=lambda: now[0])
    with pytest.raises(ModelError):
        with_retries(one_try, 10.0, retries)
    # 0 s: try, 3.5: try, 7.5: try until 10.5, and no time is left for the wait.
    assert left == [10.0, 6.5, 2.5]


def test_what_is_final_is_not_tried_again() -> None:
    tries: list[float] = []

    def one_try(left_s: float) -> None:
        tries.append(left_s)
        raise TryError(ModelError("model_refused", where="m", found="no", allowed="yes", remedy="ask"))

    with pytest.raises(ModelError):
        with_retries(one_try, 10.0, Retries(sleep=lambda _: None))
    assert len(tries) == 1


def test_bounds_are_left_out_of_a_schema_and_names_are_not() -> None:
    schema = {
        "type": "object",
        "properties": {
            "minimum": {"type": "integer", "minimum": 0, "maximum": 9},
            "words": {"type": "array", "maxItems": 5, "items": {"type": "string", "maxLength": 3}},
        },
        "required": ["minimum", "words"],
    }
    assert without_bounds(schema) == {
        "type": "object",
        "properties": {
            "minimum": {"type": "integer"},
            "words": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["minimum", "words"],
    }


def test_every_code_is_told_in_the_docs_and_no_other() -> None:
    root = Path(__file__).resolve().parents[2]
    rooms = (root / "src" / "vivavoce" / "models").glob("*.py")
    raised = {code for room in rooms for code in re.findall(r'"(model_[a-z_]+)"', room.read_text(encoding="utf-8"))}
    raised -= {"model_context_window_exceeded"}  # Anthropic's word for why an answer ended
    page = (root / "docs" / "models.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `(model_[a-z_]+)` \|", page, re.MULTILINE)
    assert raised == set(told)
    assert raised == set(re.findall(r"`(model_[a-z_]+)`", ModelError.__doc__ or ""))


@pytest.mark.parametrize(("extra", "said"), [("judge", True), ("anthropic", False), ("google", False)])
def test_a_missing_package_names_an_extra_that_has_it(extra: str, said: bool) -> None:
    """`all` leaves the two native providers out (pyproject.toml)."""
    assert ("vivavoce[all]" in need(extra, "package").remedy) is said


def test_an_account_without_credit_is_named_by_whatever_status() -> None:
    """Anthropic sends it as 400, OpenAI as 429, others as 402."""
    said = "Your credit balance is too low to access the API."
    assert {of_status("m", status, {}, said).error.code for status in (400, 402, 429)} == {"model_rate_limited"}
    assert of_status("m", 400, {}, "no such field").error.code == "model_server_error"
