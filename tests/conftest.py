"""Where the shared recordings are, how property tests run, and a server for each test that asks a model."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from models_server import Server, forget_environment, serving

# Timings are benchmarks, never tests; CI repeats the same examples, so that it fails for a change and not by chance.
settings.register_profile("vivavoce", deadline=None, derandomize=os.environ.get("CI") == "true")
settings.load_profile("vivavoce")

ROOT = Path(__file__).resolve().parents[1]


def _shared() -> Path | None:
    """The folder of shared material: VIVAVOCE_SHARED, or `shared` beside the checkout."""
    candidates = [Path(os.environ["VIVAVOCE_SHARED"])] if "VIVAVOCE_SHARED" in os.environ else []
    candidates.append(ROOT.parent / "shared")
    return next((path for path in candidates if path.is_dir()), None)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real recordings; the test is skipped where it is absent."""
    folder = _shared()
    if folder is None or not (folder / "data").is_dir():
        pytest.skip("the shared recordings are not here (set VIVAVOCE_SHARED to their folder)")
    return folder / "data"


@pytest.fixture(scope="session")
def guides() -> Path:
    """The folder of the two guides; the test is skipped where it is absent."""
    folder = _shared()
    if folder is None or not (folder / "spec").is_dir():
        pytest.skip("the guides are not here (set VIVAVOCE_SHARED to the folder that holds spec)")
    return folder / "spec"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A scripted server on a real socket, and no key or proxy of this machine's."""
    forget_environment(monkeypatch)
    with serving() as script:
        yield script
