"""Anthropic's and Google's own APIs, over a real socket: what is sent, what is read, and how they fail."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from models_server import Server, cut_at_once, cut_body, drip_body, drip_headers, endless, send, slow, wav
from vivavoce.errors import ModelError
from vivavoce.models import ChatModel, ChatRequest, Retries, open_model

SCHEMA = {
    "type": "object",
    "properties": {"score": {"type": "integer", "minimum": 0, "maximum": 100}},
    "required": ["score"],
    "additionalProperties": False,
}
ASK = ChatRequest(
    system="You judge.", user="Words: a b c", schema=SCHEMA, seed=5, max_output_tokens=321, timeout_s=10.0
)


def message(text: str | None = '{"score": 7}', stop: str = "end_turn") -> dict[str, Any]:
    """The body of a message of Anthropic's; a thought comes before the text."""
    blocks = [{"type": "thinking", "thinking": "hm", "signature": "x"}]
    blocks += [] if text is None else [{"type": "text", "text": text}]
    usage = {"input_tokens": 1200, "output_tokens": 34}
    return {"id": "m1", "type": "message", "model": "claude-1", "content": blocks, "stop_reason": stop, "usage": usage}


def content(text: str | None = '{"score": 7}', finish: str = "STOP") -> dict[str, Any]:
    """The body of a generated content of Google's; a thought comes before the text."""
    pieces: list[dict[str, Any]] = [{"text": "hm", "thought": True}]
    pieces += [] if text is None else [{"text": text}]
    usage = {"promptTokenCount": 1200, "candidatesTokenCount": 30, "thoughtsTokenCount": 4}
    candidate = {"content": {"role": "model", "parts": pieces}, "finishReason": finish}
    return {"candidates": [candidate], "modelVersion": "gemini-1", "usageMetadata": usage}


BODY = {"anthropic": message, "google": content}


def model_at(server: Server, provider: str, waits: list[float] | None = None) -> ChatModel:
    held: list[float] = [] if waits is None else waits
    prices = {"m": {"input": Decimal(1), "output": Decimal(2)}}
    return open_model(f"{provider}:m@{server.url}", prices=prices, retries=Retries(sleep=held.append, draw=lambda: 1.0))


def test_anthropic_is_sent_what_it_takes(server: Server) -> None:
    """No temperature and no seed (its API refuses them), and a schema without bounds on numbers."""
    server.steps = [send(body=message())]
    model_at(server, "anthropic").ask(ASK)
    (got,) = server.got
    assert got.path == "/v1/messages"
    assert got.headers["anthropic-version"]
    schema = {**SCHEMA, "properties": {"score": {"type": "integer"}}}
    assert got.body == {
        "model": "m",
        "max_tokens": 321,
        "system": "You judge.",
        "messages": [{"role": "user", "content": "Words: a b c"}],
        "output_config": {"format": {"type": "json_schema", "schema": schema}},
    }


def test_google_is_sent_the_sound_and_the_whole_schema(server: Server) -> None:
    server.steps = [send(body=content())]
    sound = wav(frames=400)
    model_at(server, "google").ask(replace(ASK, audio_wav=sound))
    (got,) = server.got
    assert got.path.endswith("/models/m:generateContent")
    assert got.body["systemInstruction"]["parts"] == [{"text": "You judge."}]
    (turn,) = got.body["contents"]
    assert turn["role"] == "user"
    text, data = turn["parts"]
    assert text == {"text": "Words: a b c"}
    # Both spellings are Google's: its JSON is that of protocol buffers.
    assert {data["inlineData"].get(name) for name in ("mimeType", "mime_type")} == {"audio/wav", None}
    assert base64.urlsafe_b64decode(data["inlineData"]["data"]) == sound
    config = got.body["generationConfig"]
    assert config["responseJsonSchema"] == SCHEMA
    assert config["responseMimeType"] == "application/json"
    assert (config["temperature"], config["seed"], config["maxOutputTokens"]) == (0.0, 5, 321)


@pytest.mark.parametrize(("provider", "named"), [("anthropic", "claude-1"), ("google", "gemini-1")])
def test_the_answer_is_read_without_its_thoughts(server: Server, provider: str, named: str) -> None:
    server.steps = [send(body=BODY[provider]())]
    reply = model_at(server, provider).ask(ASK)
    assert (reply.text, reply.model) == ('{"score": 7}', named)
    assert (reply.input_tokens, reply.output_tokens) == (1200, 34)
    # By hand: 1200 * 1 / 1e6 + 34 * 2 / 1e6.
    assert reply.cost == Decimal("0.001268")


def test_anthropics_models_get_no_sound(server: Server) -> None:
    with pytest.raises(ValueError, match="no sound"):
        model_at(server, "anthropic").ask(replace(ASK, audio_wav=wav()))
    assert server.got == []


@pytest.mark.parametrize(("provider", "field"), [("anthropic", "output_config"), ("google", "responseJsonSchema")])
def test_a_refused_schema_is_left_out(server: Server, provider: str, field: str) -> None:
    server.steps = [
        send(400, {"error": {"message": "schema not supported", "status": "INVALID_ARGUMENT"}}),
        send(body=BODY[provider]()),
        send(body=BODY[provider]()),
    ]
    model = model_at(server, provider)
    assert model.ask(ASK).text == '{"score": 7}'
    model.ask(ASK)
    assert [field.encode() in got.raw for got in server.got] == [True, False, False]
    assert "schema" in model.left_out


def failed(status: int, words: str) -> Callable[..., None]:
    return send(status, {"type": "error", "error": {"message": words, "type": words, "status": words, "code": status}})


FAILURES = [
    ("anthropic", failed(401, "authentication_error"), "model_key_refused", 1),
    ("anthropic", failed(404, "not_found_error"), "model_unknown", 1),
    ("anthropic", failed(429, "rate_limit_error"), "model_rate_limited", 4),
    ("anthropic", failed(529, "overloaded_error"), "model_server_error", 4),
    ("anthropic", failed(413, "request_too_large"), "model_server_error", 1),
    ("anthropic", send(body=message("I will not", "refusal")), "model_refused", 1),
    ("anthropic", send(body=message('{"sc', "max_tokens")), "model_cut_off", 1),
    ("anthropic", send(body=message(None, "max_tokens")), "model_cut_off", 1),
    ("anthropic", send(body=message(None)), "model_reply_unusable", 1),
    ("google", failed(403, "PERMISSION_DENIED"), "model_key_refused", 1),
    ("google", failed(404, "NOT_FOUND"), "model_unknown", 1),
    ("google", failed(429, "RESOURCE_EXHAUSTED"), "model_rate_limited", 4),
    ("google", failed(503, "UNAVAILABLE"), "model_server_error", 4),
    ("google", send(400, {"error": {"message": "API key not valid", "status": "INVALID"}}), "model_key_refused", 1),
    ("google", send(body={"promptFeedback": {"blockReason": "SAFETY"}}), "model_refused", 1),
    ("google", send(body=content(None, "SAFETY")), "model_refused", 1),
    ("google", send(body=content('{"sc', "MAX_TOKENS")), "model_cut_off", 1),
    ("google", send(body=content(None)), "model_reply_unusable", 1),
    ("google", send(body={"candidates": []}), "model_reply_unusable", 1),
    *(
        (provider, step, code, times)
        for provider in ("anthropic", "google")
        for step, code, times in (
            (send(502, b"<html>bad</html>", {"Content-Type": "text/html"}), "model_server_error", 4),
            (send(302, b"", {"Location": "http://127.0.0.1:9/"}), "model_no_server", 1),
            (cut_at_once, "model_no_server", 4),
            (cut_body, "model_no_server", 4),
            (endless, "model_reply_unusable", 1),
            (send(body=b"{not json"), "model_reply_unusable", 1),
            (send(body=b"<html>hello</html>", headers={"Content-Type": "text/html"}), "model_reply_unusable", 1),
            (send(body=b""), "model_reply_unusable", 1),
            (send(body=[1]), "model_reply_unusable", 1),
            (send(body={"content": 3, "candidates": 3}), "model_reply_unusable", 1),
        )
    ),
]


@pytest.mark.parametrize(("provider", "step", "code", "times"), FAILURES)
def test_a_failure_has_its_code(
    server: Server, provider: str, step: Callable[..., None], code: str, times: int
) -> None:
    server.steps = [step] * times
    waits: list[float] = []
    with pytest.raises(ModelError) as caught:
        model_at(server, provider, waits).ask(ASK)
    assert (caught.value.code, len(server.got), len(waits)) == (code, times, times - 1)
    assert all(caught.value.as_dict().values())
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@pytest.mark.parametrize("provider", ["anthropic", "google"])
@pytest.mark.parametrize("step", [slow, drip_body, drip_headers])
def test_no_server_outlives_the_deadline(server: Server, provider: str, step: Callable[..., None]) -> None:
    server.steps = [step]
    model = model_at(server, provider)
    started = time.monotonic()
    with pytest.raises(ModelError) as caught:
        model.ask(replace(ASK, timeout_s=0.6))
    assert caught.value.code == "model_timeout"
    assert 0.6 <= time.monotonic() - started < 5
