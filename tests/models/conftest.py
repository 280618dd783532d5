"""No key or proxy of this machine's in any test of models."""

from __future__ import annotations

import pytest

from models_server import forget_environment


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_environment(monkeypatch)
