"""Where keys come from, where they go, and that nothing else ever shows one."""

from __future__ import annotations

import copy
import logging
import os
import pickle
import traceback
from pathlib import Path

import pytest

from models_server import Server, completion, send
from vivavoce.errors import ModelError
from vivavoce.models import ChatRequest, Retries, open_model
from vivavoce.models.keys import Secret

KEY = "sk-Zq7xW2mN9vB4kL6pT8rY3uD5"
ASK = ChatRequest(system="s", user="u", schema={"type": "object"}, timeout_s=10.0)


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "provider.key"
    path.write_text(KEY + "\n")
    path.chmod(0o600)
    return path


PROVIDERS = ["openai", "anthropic", "google"]
ECHOES = {
    "as it is": KEY,
    "in quotes": f"Bearer '{KEY}'.",
    "cut short": f"{KEY[:12]}...{KEY[-9:]}",
    "twice joined": KEY + KEY,
}


STATUSES = [302, 400, 401, 403, 404, 429, 500]


@pytest.mark.parametrize(
    ("provider", "status", "echo"),
    [
        *(("openai", status, echo) for status in STATUSES for echo in ECHOES),
        *((provider, status, "as it is") for provider in ("anthropic", "google") for status in STATUSES),
    ],
)
def test_no_error_shows_a_key_that_the_server_echoes(
    server: Server, key_file: Path, caplog: pytest.LogCaptureFixture, provider: str, status: int, echo: str
) -> None:
    caplog.set_level(logging.DEBUG)
    body = {"error": {"message": f"no: {ECHOES[echo]}", "code": ECHOES[echo], "status": ECHOES[echo]}}
    server.steps = [send(status, body, {"X-Echo": KEY, "Location": f"/{KEY}"})] * 4
    model = open_model(f"{provider}:m@{server.url}", key_file=key_file, retries=Retries(sleep=lambda _: None))
    with pytest.raises(ModelError) as caught:
        model.ask(ASK)
    assert server.got, "the question was sent, with the key"
    shown = [
        str(caught.value),
        repr(caught.value),
        str(caught.value.as_dict()),
        caught.value.raw,
        "".join(traceback.format_exception(caught.value)),
        repr(model),
        str(vars(model)),
        model.spec,
        *(record.getMessage() for record in caplog.records),
        *(str(record.args) for record in caplog.records),
    ]
    for text in shown:
        for start in range(len(KEY) - 7):
            assert KEY[start : start + 8] not in text


@pytest.mark.parametrize("provider", PROVIDERS)
def test_the_key_is_in_one_header_and_not_in_the_body(server: Server, key_file: Path, provider: str) -> None:
    server.steps = [send(401, {"error": {"message": "no"}})]
    with pytest.raises(ModelError) as caught:
        open_model(f"{provider}:m@{server.url}", key_file=key_file).ask(ASK)
    assert caught.value.code == "model_key_refused"
    (got,) = server.got
    assert KEY.encode() not in got.raw
    assert KEY not in got.path
    assert len([name for name, value in got.headers.items() if KEY in value]) == 1


def test_no_reply_shows_a_key_that_the_server_echoes(server: Server, key_file: Path) -> None:
    server.steps = [send(body={**completion(f"your key is {KEY}", f"stop {KEY}"), "model": KEY})]
    reply = open_model(f"openai:m@{server.url}", key_file=key_file).ask(ASK)
    assert "your key is [key]" in reply.text
    assert KEY not in repr(reply)


def test_a_placeholder_for_a_key_may_be_said(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "k"
    path.write_text("local")
    path.chmod(0o600)
    server.steps = [send(body=completion("the local library")), send(404, {"error": {"message": "no local"}})]
    model = open_model(f"openai:m@{server.url}", key_file=path)
    assert model.ask(ASK).text == "the local library"
    with pytest.raises(ModelError) as caught:
        model.ask(ASK)
    assert "local" not in caught.value.found


def test_a_key_is_neither_shown_nor_copied() -> None:
    key = Secret(KEY)
    assert KEY not in repr(key)
    assert KEY not in f"{key}"
    with pytest.raises(TypeError):
        pickle.dumps(key)
    with pytest.raises(TypeError):
        copy.copy(key)


def test_only_the_key_is_struck() -> None:
    assert Secret("abcdefghij").struck_from("x abcdefghij y abcdefgh z abcdefg") == "x [key] y [key] z abcdefg"
    assert Secret("short").struck_from("a short one") == "a [key] one"


@pytest.mark.parametrize(
    ("provider", "variable"),
    [
        ("openai", "OPENAI_API_KEY"),
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("google", "GEMINI_API_KEY"),
        ("google", "GOOGLE_API_KEY"),
    ],
)
def test_the_providers_own_address_needs_a_key(provider: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError) as caught:
        open_model(f"{provider}:m")
    assert caught.value.code == "model_no_key"
    assert variable in caught.value.allowed
    monkeypatch.setenv(variable, "  ")
    with pytest.raises(ModelError):
        open_model(f"{provider}:m")
    monkeypatch.setenv(variable, KEY)
    assert open_model(f"{provider}:m").spec == f"{provider}:m"


def test_the_environments_key_goes_nowhere_unencrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server in the local network over http is asked without it; a key file is the user's own word."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert vars(open_model("openai:m@http://10.0.0.7:8000/v1"))["_key"] is None
    assert vars(open_model("openai:m@http://localhost:8000/v1"))["_key"] is None
    assert vars(open_model("openai:m@https://models.example/v1"))["_key"].reveal() == KEY


def test_another_host_over_https_needs_a_key() -> None:
    with pytest.raises(ModelError) as caught:
        open_model("openai:m@https://models.example/v1")
    assert caught.value.code == "model_no_key"


@pytest.mark.skipif(os.name != "posix", reason="files have no such modes here")
def test_a_key_file_for_everyone_is_refused(key_file: Path) -> None:
    key_file.chmod(0o644)
    with pytest.raises(ModelError) as caught:
        open_model("openai:m", key_file=key_file)
    assert caught.value.code == "model_no_key"
    assert "chmod 600" in caught.value.remedy
    key_file.chmod(0o640)
    assert open_model("openai:m", key_file=key_file)


@pytest.mark.parametrize(
    "content",
    [b"", b"\n" + KEY.encode(), b"two words " + KEY.encode(), KEY.encode() + "ü".encode(), b"\xff\xfe\x00", b"a\x00b"],
    ids=["empty", "first line empty", "a note", "not ascii", "not text", "control"],
)
def test_a_key_file_that_holds_no_key(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "k"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(ModelError) as caught:
        open_model("openai:m", key_file=path)
    assert caught.value.code == "model_no_key"
    assert KEY not in str(caught.value)


def test_a_key_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        open_model("openai:m", key_file=tmp_path / "none")
    assert caught.value.code == "model_no_key"
    assert str(tmp_path) not in str(caught.value)
