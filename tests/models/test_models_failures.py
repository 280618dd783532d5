"""Every way in which a server can fail, on a real socket: the code it comes out as, and how often it was asked."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from models_server import (
    Server,
    completion,
    cut_at_once,
    cut_body,
    drip_body,
    drip_headers,
    endless,
    send,
    serving,
    slow,
)
from vivavoce.errors import ModelError
from vivavoce.models import ChatModel, ChatRequest, Retries, open_model

ASK = ChatRequest(system="s", user="u", schema={"type": "object"}, timeout_s=10.0)
PRICES = {"m": {"input": Decimal(1), "output": Decimal(2)}}


def patient(waits: list[float], **more: object) -> Retries:
    """Real tries, noted waits, the largest draw."""
    return Retries(**{"sleep": waits.append, "draw": lambda: 1.0, **more})


def model_at(server: Server, waits: list[float] | None = None, **more: object) -> ChatModel:
    retries = patient([] if waits is None else waits, **more)
    return open_model(f"openai:m@{server.url}/v1", prices=PRICES, retries=retries)


def error(status: int, message: str = "no", **headers: str) -> Callable[..., None]:
    return send(status, {"error": {"message": message}}, {name.replace("_", "-"): v for name, v in headers.items()})


ONE = 1
ALL = 4  # the tries of `Retries()`
FAILURES = {
    "bad key": (error(401, "wrong key"), "model_key_refused", ONE),
    "key not allowed": (error(403, "not for you"), "model_key_refused", ONE),
    "no such model": (error(404, "no model m"), "model_unknown", ONE),
    "redirect": (send(307, b"", {"Location": "http://127.0.0.1:9/"}), "model_no_server", ONE),
    "no credit": (error(429, "insufficient_quota: you exceeded your quota"), "model_rate_limited", ONE),
    "filtered and forbidden": (error(403, "content_filter triggered"), "model_refused", ONE),
    "payment": (error(402, "pay"), "model_rate_limited", ONE),
    "rate limit": (error(429, "slow down"), "model_rate_limited", ALL),
    "server error": (error(500, "oops"), "model_server_error", ALL),
    "bad gateway in html": (send(502, b"<html>bad</html>", {"Content-Type": "text/html"}), "model_server_error", ALL),
    "overloaded": (error(529, "overloaded"), "model_server_error", ALL),
    "too long": (error(400, "context_length_exceeded: too many tokens"), "model_server_error", ONE),
    "too large": (error(413, "too large"), "model_server_error", ONE),
    "filtered question": (error(400, "content_filter triggered"), "model_refused", ONE),
    "cut at once": (cut_at_once, "model_no_server", ALL),
    "cut body": (cut_body, "model_no_server", ALL),
    "not http": (lambda handler, done: handler.wfile.write(b"SSH-2.0-x\r\n"), "model_no_server", ALL),
    "content filter": (send(body=completion("", "content_filter")), "model_refused", ONE),
    "refusal": (send(body=completion(None, "stop", refusal="I cannot")), "model_refused", ONE),
    "length": (send(body=completion('{"sco', "length")), "model_cut_off", ONE),
    "length with nothing": (send(body=completion("", "length")), "model_cut_off", ONE),
    "no choices": (send(body={**completion(), "choices": []}), "model_reply_unusable", ONE),
    "null choices": (send(body={**completion(), "choices": None}), "model_reply_unusable", ONE),
    "choices of numbers": (send(body={**completion(), "choices": [3]}), "model_reply_unusable", ONE),
    "no content": (send(body=completion(None)), "model_reply_unusable", ONE),
    "blank content": (send(body=completion(" \n")), "model_reply_unusable", ONE),
    "no message": (send(body={"choices": [{"finish_reason": "stop"}]}), "model_reply_unusable", ONE),
    "another object": (send(body={"ok": True}), "model_reply_unusable", ONE),
    "a list": (send(body=[1, 2]), "model_reply_unusable", ONE),
    "not json": (send(body=b"{not json"), "model_reply_unusable", ONE),
    "not utf-8": (send(body=b'{"choices": "\xff\xfe"}'), "model_reply_unusable", ONE),
    "deep json": (send(body=b"[" * 100_000), "model_reply_unusable", ONE),
    "empty body": (send(body=b""), "model_reply_unusable", ONE),
    "html page": (send(body=b"<html>hello</html>", headers={"Content-Type": "text/html"}), "model_reply_unusable", ONE),
    "endless body": (endless, "model_reply_unusable", ONE),
    "bad gzip": (send(body=b"plain", headers={"Content-Encoding": "gzip"}), "model_reply_unusable", ONE),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_has_its_code(server: Server, name: str) -> None:
    step, code, times = FAILURES[name]
    server.steps = [step] * times
    waits: list[float] = []
    with pytest.raises(ModelError) as caught:
        model_at(server, waits).ask(ASK)
    found = caught.value
    assert (found.code, len(server.got), len(waits)) == (code, times, times - 1)
    assert found.where == f"openai:m@{server.url}/v1"
    assert all(found.as_dict().values())
    assert len(found.found) < 500
    assert "\n" not in str(found)
    # Nothing of the SDK hangs on to the error: its requests hold the key.
    assert found.__cause__ is None
    assert found.__context__ is None


@pytest.mark.parametrize("packed", [False, True])
def test_an_endless_answer_is_not_read_on(server: Server, packed: bool) -> None:
    """64 KB blocks of blanks, 64 times the limit in all; packed ones count as they come, for they grow when opened."""
    written: list[int] = []

    def step(handler, done) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n")
        handler.wfile.write(b"Content-Encoding: gzip\r\n\r\n" if packed else b"\r\n")
        packer = zlib.compressobj(0, wbits=31)
        for _ in range(4_000):
            block = b" " * 65_536
            handler.wfile.write(packer.compress(block) if packed else block)
            written.append(len(block))

    server.steps = [step]
    with pytest.raises(ModelError) as caught:
        model_at(server).ask(ASK)
    assert f"more than {64_000 if packed else 4_000_000:,} bytes" in caught.value.found
    # What the sockets of both sides hold comes on top.
    assert sum(written) < 20_000_000


def test_json_of_the_wrong_type_label_is_read_all_the_same(server: Server) -> None:
    """Some servers label their JSON as text; the body decides."""
    server.steps = [send(body=completion(), headers={"Content-Type": "text/plain"})]
    assert model_at(server).ask(ASK).text == '{"score": 7}'


@pytest.mark.parametrize("first", [error(500), error(503), error(429), cut_body, cut_at_once])
def test_a_passing_failure_is_asked_again(server: Server, first: Callable[..., None]) -> None:
    server.steps = [first, send(body=completion())]
    waits: list[float] = []
    assert model_at(server, waits).ask(ASK).text == '{"score": 7}'
    # The largest draw of the first wait, and nothing else asked for.
    assert waits == [0.5]
    assert server.got[0].raw == server.got[1].raw


def test_what_was_said_and_paid_stays_with_the_error(server: Server) -> None:
    server.steps = [send(body=completion('{"sco', "length"))]
    with pytest.raises(ModelError) as caught:
        model_at(server).ask(ASK)
    found = caught.value.at("card.json")
    assert (found.raw, found.input_tokens, found.output_tokens) == ('{"sco', 1200, 34)
    # By hand: 1200 * 1 / 1e6 + 34 * 2 / 1e6.
    assert found.cost == Decimal("0.001268")
    assert found.where.startswith("card.json openai:m@")


def test_a_refusal_is_kept(server: Server) -> None:
    server.steps = [send(body=completion(None, "stop", refusal="I cannot do that."))]
    with pytest.raises(ModelError) as caught:
        model_at(server).ask(ASK)
    assert caught.value.raw == "I cannot do that."


def test_a_server_that_never_takes_the_schema_is_asked_once_more_only(server: Server) -> None:
    server.steps = [error(400, "something is wrong"), error(400, "something is wrong")]
    model = model_at(server)
    with pytest.raises(ModelError) as caught:
        model.ask(ASK)
    assert caught.value.code == "model_server_error"
    assert ["response_format" in got.body for got in server.got] == [True, False]
    # It proved nothing about the schema: the next question has it again.
    server.steps = [send(body=completion())]
    model.ask(ASK)
    assert "response_format" in server.got[2].body


@pytest.mark.parametrize("step", [slow, drip_body, drip_headers])
def test_no_server_outlives_the_deadline(server: Server, step: Callable[..., None]) -> None:
    server.steps = [step]
    started = time.monotonic()
    with pytest.raises(ModelError) as caught:
        model_at(server).ask(replace(ASK, timeout_s=0.4))
    assert caught.value.code == "model_timeout"
    assert "0.4 s" in caught.value.found
    assert caught.value.__context__ is None
    # The deadline and the second that a cancelled call may take, with room for a busy machine.
    assert 0.4 <= time.monotonic() - started < 5
    assert len(server.got) == 1


def test_nobody_listens() -> None:
    with serving() as gone:
        url = gone.url
    waits: list[float] = []
    model = open_model(f"openai:m@{url}", retries=patient(waits))
    with pytest.raises(ModelError) as caught:
        model.ask(ASK)
    assert caught.value.code == "model_no_server"
    # Full jitter at the largest draw: 0.5 * 2^(n-1).
    assert waits == [0.5, 1.0, 2.0]
    assert "asked 4 times" in caught.value.found


def test_a_redirect_is_not_followed(server: Server) -> None:
    """The key would go along to wherever it points."""
    with serving() as other:
        other.steps = [send(body=completion())]
        server.steps = [send(307, b"", {"Location": f"{other.url}/v1/chat/completions"})]
        with pytest.raises(ModelError):
            model_at(server).ask(ASK)
        assert other.got == []


def test_retry_after_in_seconds_is_waited_out(server: Server) -> None:
    server.steps = [error(429, "slow", retry_after="7"), send(body=completion())]
    waits: list[float] = []
    model_at(server, waits).ask(replace(ASK, timeout_s=60.0))
    # Seven seconds as told, and the drawn half second.
    assert waits == [7.5]


def test_retry_after_as_a_date_counts_from_the_servers_own_clock(server: Server) -> None:
    def step(handler, done) -> None:
        handler.wfile.write(
            b"HTTP/1.1 503 Busy\r\nDate: Mon, 30 Nov 2026 12:00:00 GMT\r\n"
            b"Retry-After: Mon, 30 Nov 2026 12:00:09 GMT\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )

    server.steps = [step, send(body=completion())]
    waits: list[float] = []
    model_at(server, waits).ask(replace(ASK, timeout_s=60.0))
    assert waits == [9.5]


@pytest.mark.parametrize(("after", "timeout_s"), [("61", 600.0), ("30", 10.0)], ids=["past the cap", "past the time"])
def test_a_wait_that_is_too_long_is_not_begun(server: Server, after: str, timeout_s: float) -> None:
    server.steps = [error(429, "slow", retry_after=after)]
    waits: list[float] = []
    with pytest.raises(ModelError) as caught:
        model_at(server, waits).ask(replace(ASK, timeout_s=timeout_s))
    assert caught.value.code == "model_rate_limited"
    assert f"asks to wait {after} s" in caught.value.found
    assert (waits, len(server.got)) == ([], 1)
