"""What goes over the wire to a server that speaks the OpenAI protocol, and what its answer is read as."""

from __future__ import annotations

import asyncio
import base64
import io
import re
import wave
from decimal import Decimal
from pathlib import Path

import pytest

from models_server import Server, completion, send, wav
from vivavoce.models import ChatRequest, Retries, open_model
from vivavoce.models.openai_chat import OpenAIModel
from vivavoce.models.spec import parse_spec

SCHEMA = {
    "type": "object",
    "properties": {"score": {"type": "integer"}},
    "required": ["score"],
    "additionalProperties": False,
}


def request(**more: object) -> ChatRequest:
    return ChatRequest(**{"system": "You judge.", "user": "Words: a b c", "schema": SCHEMA, "timeout_s": 10.0, **more})


def test_the_question_as_sent(server: Server) -> None:
    server.steps = [send(body=completion())]
    model = open_model(f"openai:tiny:1b@{server.url}/v1")
    model.ask(request(schema_name="fluency", seed=11, max_output_tokens=321))
    (got,) = server.got
    assert got.path == "/v1/chat/completions"
    assert got.body == {
        "model": "tiny:1b",
        "messages": [
            {"role": "system", "content": "You judge."},
            {"role": "user", "content": "Words: a b c"},
        ],
        "temperature": 0.0,
        "seed": 11,
        "max_tokens": 321,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "fluency", "strict": True, "schema": SCHEMA},
        },
    }


def test_nothing_is_sent_that_was_not_asked_for(server: Server) -> None:
    server.steps = [send(body=completion())]
    open_model("openai:m", base_url=server.url + "/v1/").ask(request(schema=None, system=""))
    assert set(server.got[0].body) == {"model", "messages", "temperature", "max_tokens"}
    assert server.got[0].body["messages"] == [{"role": "user", "content": "Words: a b c"}]
    assert server.got[0].path == "/v1/chat/completions"


def test_sound_goes_as_a_wave_file_of_16_khz_mono(server: Server) -> None:
    server.steps = [send(body=completion())]
    open_model(f"openai:m@{server.url}", hears=True).ask(request(audio_wav=wav(frames=800)))
    text, sound = server.got[0].body["messages"][1]["content"]
    assert text == {"type": "text", "text": "Words: a b c"}
    assert sound["type"] == "input_audio"
    assert sound["input_audio"]["format"] == "wav"
    data = base64.b64decode(sound["input_audio"]["data"], validate=True)
    assert (data[:4], data[8:12]) == (b"RIFF", b"WAVE")
    with wave.open(io.BytesIO(data)) as read:
        assert (read.getframerate(), read.getnchannels(), read.getsampwidth(), read.getcomptype()) == (
            16_000,
            1,
            2,
            "NONE",
        )
        assert read.getnframes() == 800


@pytest.mark.parametrize(
    "sound",
    [wav(rate=44_100), wav(channels=2), wav(width=1), b"ID3 an mp3", b""],
    ids=["44.1 kHz", "stereo", "8 bit", "mp3", "empty"],
)
def test_other_sound_is_not_sent(server: Server, sound: bytes) -> None:
    with pytest.raises(ValueError, match="audio_wav"):
        open_model(f"openai:m@{server.url}", hears=True).ask(request(audio_wav=sound))
    assert server.got == []


def test_a_model_that_does_not_hear_gets_no_sound(server: Server) -> None:
    with pytest.raises(ValueError, match="no sound"):
        open_model(f"openai:m@{server.url}").ask(request(audio_wav=wav()))
    assert server.got == []


def test_the_answer_as_read(server: Server) -> None:
    server.steps = [send(body=completion('{"score": 7}'))]
    prices = {"m": {"input": Decimal("2.50"), "output": Decimal("10")}}
    reply = open_model(f"openai:m@{server.url}", prices=prices).ask(request())
    assert (reply.text, reply.model, reply.finish) == ('{"score": 7}', "served-1", "stop")
    assert (reply.input_tokens, reply.output_tokens) == (1200, 34)
    # By hand: 1200 * 2.50 / 1e6 + 34 * 10 / 1e6 = 0.003 + 0.00034.
    assert reply.cost == Decimal("0.00334")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", reply.at)
    assert 0 < reply.seconds < 10


def test_what_the_server_does_not_tell_is_none(server: Server) -> None:
    body = completion()
    del body["usage"], body["model"]
    body["choices"][0]["finish_reason"] = None
    server.steps = [send(body=body)]
    reply = open_model(f"openai:m@{server.url}", prices={"m": {"input": Decimal(1), "output": Decimal(1)}}).ask(
        request()
    )
    assert (reply.input_tokens, reply.output_tokens, reply.cost) == (None, None, None)
    assert (reply.model, reply.finish) == ("m", "not told")


def test_no_price_no_cost(server: Server) -> None:
    server.steps = [send(body=completion()), send(body=completion())]
    assert open_model(f"openai:m@{server.url}").ask(request()).cost is None
    other = {"other": {"input": Decimal(1), "output": Decimal(1)}}
    assert open_model(f"openai:m@{server.url}", prices=other).ask(request()).cost is None


def test_a_text_in_parts_is_joined(server: Server) -> None:
    server.steps = [send(body=completion([{"type": "text", "text": '{"score"'}, {"type": "text", "text": ": 1}"}]))]
    assert open_model(f"openai:m@{server.url}").ask(request()).text == '{"score": 1}'


def test_it_works_inside_a_running_loop(server: Server) -> None:
    server.steps = [send(body=completion())]
    model = open_model(f"openai:m@{server.url}")

    async def page() -> str:
        return model.ask(request()).text

    assert asyncio.run(page()) == '{"score": 7}'


def test_a_key_file_goes_in_the_header_and_nowhere_else(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("sk-abcdefghijklmnop0123456789\nsecond line\n")
    path.chmod(0o600)
    server.steps = [send(body=completion())]
    open_model(f"openai:m@{server.url}", key_file=path).ask(request())
    (got,) = server.got
    assert got.headers["authorization"] == "Bearer sk-abcdefghijklmnop0123456789"
    assert b"sk-abc" not in got.raw
    assert "sk-abc" not in got.path
    assert [name for name, value in got.headers.items() if "sk-abc" in value] == ["authorization"]


def test_the_environment_says_nothing_to_a_server_of_this_machine(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No key, no organisation, no proxy, no other address."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-environment-0123")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    server.steps = [send(body=completion())]
    open_model(f"openai:m@{server.url}").ask(request())
    (got,) = server.got
    assert "authorization" not in got.headers
    assert not {name for name in got.headers if name.startswith("openai-")}
    assert "secret" not in str(got.headers)


@pytest.mark.parametrize(
    "message",
    [
        "This response_format type is unavailable now",
        "failed to parse grammar",
        "Invalid schema for response_format 'reply'",
    ],
)
def test_a_server_that_cannot_constrain_is_asked_without(server: Server, message: str) -> None:
    server.steps = [
        send(400, {"error": {"message": message}}),
        send(body=completion()),
        send(body=completion()),
    ]
    model = open_model(f"openai:m@{server.url}")
    assert model.ask(request()).text == '{"score": 7}'
    model.ask(request())
    assert ["response_format" in got.body for got in server.got] == [True, False, False]
    assert model.left_out == {"schema"}


def test_a_refused_temperature_is_left_out_and_the_schema_kept(server: Server) -> None:
    refusal = {"error": {"message": "Unsupported value: 'temperature' does not support 0", "param": "temperature"}}
    server.steps = [send(400, refusal), send(body=completion())]
    model = open_model(f"openai:m@{server.url}")
    model.ask(request())
    assert model.left_out == {"temperature"}
    assert "temperature" not in server.got[1].body
    assert "response_format" in server.got[1].body


def test_the_limit_of_tokens_is_said_the_other_way_but_never_left_out(server: Server) -> None:
    refusal = {"error": {"message": "'max_tokens' is not supported with this model.", "param": "max_tokens"}}
    server.steps = [send(400, refusal), send(body=completion())]
    open_model(f"openai:m@{server.url}").ask(request(max_output_tokens=77))
    assert server.got[1].body["max_completion_tokens"] == 77
    assert "max_tokens" not in server.got[1].body


def test_openai_itself_is_told_to_keep_nothing() -> None:
    """Not sent anywhere: the fields as they would go to the provider's own address."""
    asked = {"hears": False, "prices": None, "retries": Retries()}
    fields = OpenAIModel(parse_spec("openai:m"), None, **asked).body(request(), frozenset())
    assert fields["store"] is False
    assert (fields["max_completion_tokens"], "max_tokens" in fields) == (2000, False)
