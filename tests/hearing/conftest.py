"""What the hearing tests share: words in short form, and each real recording heard once, without the network."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from vivavoce.timeline import Transcript


def _refuse(*_: object) -> NoReturn:
    raise AssertionError("the recogniser asked for the network")


@pytest.fixture(scope="session")
def hear(shared_data: Path) -> Callable[[str], Transcript]:
    """Hear a file of `2_audio`, kept over the tests; every attempt to reach the network is an error."""
    from vivavoce.audio.waveform import decode
    from vivavoce.transcript.recognizer import transcribe
    from vivavoce.transcript.weights import find_weights

    kept: dict[str, Transcript] = {}

    def once(name: str) -> Transcript:
        if name not in kept:
            samples = decode(shared_data / "2_audio" / name).samples
            # Only while it hears: other tests of this session have servers of their own.
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(socket.socket, "connect", _refuse)
                patch.setattr(socket, "getaddrinfo", _refuse)
                patch.delenv("VIVAVOCE_WEIGHTS", raising=False)
                kept[name] = transcribe(samples, weights=find_weights())
        return kept[name]

    return once
