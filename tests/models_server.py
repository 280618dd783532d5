"""A scripted HTTP server on a real socket of this machine: each request gets the next step, and is kept."""

from __future__ import annotations

import contextlib
import io
import json
import threading
import wave
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

_VARIABLES = [
    *("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"),
    *("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "GEMINI_API_KEY", "GOOGLE_API_KEY"),
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"),
]


def forget_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every key, address and proxy of this machine's away until the test ends."""
    for name in _VARIABLES:
        monkeypatch.delenv(name, raising=False)


@dataclass
class Got:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        return json.loads(self.raw)


@dataclass
class Server:
    """The server's address, its script and what it got."""

    url: str = ""
    steps: list[Callable[[BaseHTTPRequestHandler, threading.Event], None]] = field(default_factory=list)
    got: list[Got] = field(default_factory=list)
    done: threading.Event = field(default_factory=threading.Event)


def send(status: int = 200, body: object = b"", headers: dict[str, str] | None = None):
    """A step that answers at once; objects go as JSON, bytes as they are."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    fields = {"Content-Type": "application/json", **(headers or {})}

    def step(handler: BaseHTTPRequestHandler, done: threading.Event) -> None:
        handler.send_response(status)
        for name, value in fields.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return step


def slow(handler: BaseHTTPRequestHandler, done: threading.Event) -> None:
    """Takes the request and says nothing."""
    done.wait(20)


def drip_body(handler: BaseHTTPRequestHandler, done: threading.Event) -> None:
    """Answers one byte every 50 ms: no single read is slow."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not done.wait(0.05):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def drip_headers(handler: BaseHTTPRequestHandler, done: threading.Event) -> None:
    """The same before the headers have ended."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not done.wait(0.05):
        handler.wfile.write(b"x")
        handler.wfile.flush()


def cut_body(handler: BaseHTTPRequestHandler, done: threading.Event) -> None:
    """Promises more than it sends."""
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"choi')


def cut_at_once(handler: BaseHTTPRequestHandler, done: threading.Event) -> None:
    """Closes the connection without a word."""


def endless(handler: BaseHTTPRequestHandler, done: threading.Event) -> None:
    """Sends without end, as fast as it is read."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
    block = b" " * 65_536
    for _ in range(4_000):
        handler.wfile.write(block)


class _Handler(BaseHTTPRequestHandler):
    script: Server

    def do_POST(self) -> None:
        self.close_connection = True
        raw = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.script.got.append(Got(self.path, {k.lower(): v for k, v in self.headers.items()}, raw))
        step = self.script.steps.pop(0)
        # The client hangs up on many of these; that is what is tested.
        with contextlib.suppress(ConnectionError):
            step(self, self.script.done)

    def log_message(self, *args: object) -> None:
        pass


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    """Serve on a free port of 127.0.0.1 until the test ends."""
    script = Server()
    handler = type("Handler", (_Handler,), {"script": script})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        http.daemon_threads = True
        script.url = f"http://127.0.0.1:{http.server_address[1]}"
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield script
        finally:
            script.done.set()
            http.shutdown()
            thread.join(5)


def completion(text: object = '{"score": 7}', finish: str | None = "stop", **more: object) -> dict[str, Any]:
    """The body of a chat completion."""
    message = {"role": "assistant", "content": text, **{k: more.pop(k) for k in list(more) if k == "refusal"}}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    usage = {"prompt_tokens": 1200, "completion_tokens": 34, "total_tokens": 1234}
    return {"id": "c1", "object": "chat.completion", "model": "served-1", "choices": [choice], "usage": usage, **more}


def wav(rate: int = 16_000, channels: int = 1, width: int = 2, frames: int = 1600) -> bytes:
    """A short wave file of silence."""
    held = io.BytesIO()
    with wave.open(held, "wb") as sound:
        sound.setframerate(rate)
        sound.setnchannels(channels)
        sound.setsampwidth(width)
        sound.writeframes(bytes(frames * channels * width))
    return held.getvalue()
