"""Attempts for the tests of cards: reports with real scores over sounds of the same length."""

from __future__ import annotations

import copy
import math
import secrets
import struct
import sys
import time
import wave
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from vivavoce.store.folder import FolderStore
from vivavoce.store.model import Attempt

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "report"))
from report_samples import SAMPLES

RATE = 8000


def sound(path: Path, seconds: float) -> Path:
    """A quiet tone of that length as a WAV file."""
    one_second = struct.pack(f"<{RATE}h", *(int(3000 * math.sin(at * 0.3)) for at in range(RATE)))
    data = one_second * (math.ceil(seconds) + 1)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(data[: 2 * round(seconds * RATE)])
    return path


def sample(name: str) -> dict[str, Any]:
    """A sample report, of a WAV file."""
    report = copy.deepcopy(SAMPLES[name]())
    if report["recording"]:
        report["recording"]["container"] = "wav"
    return report


def put(
    store: FolderStore,
    report: Mapping[str, Any] | None,
    *,
    task: str = "lighthouse",
    by: str = "",
    settings: Mapping[str, Any] | None = None,
) -> Attempt:
    """Keep an attempt with its report, or without one."""
    seconds = report["recording"]["duration_s"] if report and report["recording"] else 2.0
    path = sound(store.folder / f"{secrets.token_hex(4)}.wav", seconds)
    made = store.add(secrets.token_hex(8), task, path, file_name="reading.wav", made_by=by, settings=settings)
    if report is not None:
        store.keep_report(made.id, report)
    return store.attempt(made.id)


def shown(value: float, point: str = ".") -> str:
    """A number as the pages must show it: its own digits, six places at most, a sign where some were cut."""
    exact = Decimal(str(value))
    cut = exact.quantize(Decimal("0.000001"))
    digits = f"{cut:f}"
    digits = (digits.rstrip("0").rstrip(".") if "." in digits else digits).replace(".", point)
    return digits if cut == exact else f"≈ {digits}"


def until(page: Any, condition: str, seconds: float = 15) -> None:
    """Wait until an expression holds on the page; Playwright's own way needs `eval`, which the pages refuse."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(15)
