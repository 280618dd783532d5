"""What the recorder's tests share: a site whose scoring a test holds in its hand, sending by hand, sound by hand."""

from __future__ import annotations

import http.client
import json
import threading
import uuid
import wave
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from web_tools import Site, running

from vivavoce.audio.waveform import decode
from vivavoce.store.folder import FolderStore
from vivavoce.store.model import Attempt
from vivavoce.store.worker import Tell, Worker
from vivavoce.web.serving import built_in_tasks

ROOT = Path(__file__).resolve().parents[2]
SONNET = ROOT / "src" / "vivavoce" / "demo" / "sonnet_001.mp3"
BOUNDARY = "----test-boundary"


class Scoring:
    """Stands in for the engine: waits until it is let go, then makes no report worth the name."""

    def __init__(self) -> None:
        self.go = threading.Event()

    def __call__(self, attempt: Attempt, tell: Tell) -> dict[str, Any]:
        while not self.go.wait(0.02):
            tell("Hearing the words", 0.3)
        return {}


@contextmanager
def held_site(folder: Path) -> Iterator[tuple[Site, Scoring]]:
    """A site on which nothing is scored until the test lets it."""
    store = FolderStore(folder, built_in_tasks())
    scoring = Scoring()
    with running(folder, (store, Worker(store, scoring))) as site:
        yield site, scoring


def form(parts: dict[str, str], file: bytes | None, name: str = "a.mp3", field: str = "recording") -> bytes:
    """A multipart form by hand."""
    made = b""
    for key, value in parts.items():
        made += f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
    if file is not None:
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
        made += head.encode() + b"Content-Type: application/octet-stream\r\n\r\n" + file + b"\r\n"
    return made + f"--{BOUNDARY}--\r\n".encode()


def ask(
    site: Site, method: str, path: str, body: Any = None, *, accept: str = "application/json", kind: str = ""
) -> tuple[int, Any, dict[str, str]]:
    """Status, body (JSON parsed) and headers of a request."""
    headers = {"Accept": accept} | ({"Content-Type": kind} if kind else {})
    with closing(http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=60)) as connection:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        told = dict(answer.getheaders())
        is_json = told.get("content-type", "").startswith("application/json")
        return answer.status, json.loads(text) if is_json else text, told


def send(site: Site, file: bytes | None, *, name: str = "a.mp3", accept: str = "application/json", **parts: str) -> Any:
    """Send a recording as the form does; status, body, headers."""
    fields = {"key": uuid.uuid4().hex, "task": "sonnet"} | parts
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    return ask(site, "POST", "/attempts", form(fields, file, name), accept=accept, kind=kind)


def sine(rms: float, rate: int, seconds: float, hertz: float = 440.0) -> bytes:
    """A sine of known RMS in 16-bit units."""
    times = np.arange(int(rate * seconds)) / rate
    return bytes((rms * np.sqrt(2) * np.sin(2 * np.pi * hertz * times)).round().astype("<i2").tobytes())


def spoken(seconds: float, start: float = 0.0) -> np.ndarray[Any, np.dtype[np.int16]]:
    """The beginning of the bundled reading, 16-bit at 16 kHz."""
    samples = decode(SONNET).samples[int(16000 * start) : int(16000 * (start + seconds))]
    return np.clip(np.round(samples * 32768), -32768, 32767).astype("<i2")


def wav(path: Path, samples: np.ndarray[Any, np.dtype[np.int16]]) -> Path:
    """Write 16 kHz mono WAV."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16000)
        file.writeframes(samples.tobytes())
    return path
