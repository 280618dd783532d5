"""What a listener made of each recording of speechocean762, kept and read again, for bench/speechocean762.py."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from so762_corpus import SCALES

from vivavoce.errors import InputError


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the listener made of an utterance: by scale value, low and high; or why there is nothing (`error`).

    `words`: text, probability that it was read correctly, accuracy 0 to 10 (both None where it was not found).
    `load_s`: what loading the models took, on a worker's first recording. `most_mb`: memory so far, resident.
    """

    id: str
    estimates: Mapping[str, tuple[float, float | None, float | None]]
    doubts: tuple[str, ...] = ()
    words: tuple[tuple[str, float | None, float | None], ...] = ()
    listener: str = ""
    text: str = ""
    seconds: float | None = None
    cpu_s: Mapping[str, float] = field(default_factory=dict)
    wall_s: Mapping[str, float] = field(default_factory=dict)
    load_s: float | None = None
    most_mb: float | None = None
    error: str | None = None


def sound(value: float, low: float | None, high: float | None) -> tuple[float, float | None, float | None]:
    """Return an estimate that is one: finite, and its interval, which may lie beside it, the right way up.

    Raises ValueError.
    """
    ends = [end for end in (low, high) if end is not None]
    if not all(map(math.isfinite, [value, *ends])) or ends != sorted(ends):
        raise ValueError(f"no estimate: {value}, from {low} to {high}")
    return value, low, high


def as_line(prediction: Prediction) -> str:
    """Return a prediction as a line of JSON."""
    return json.dumps(asdict(prediction), ensure_ascii=False)


def read_predictions(path: Path) -> list[Prediction]:
    """Return saved predictions: lines that `--predictions` wrote, or an object {scale: {id: value}} made elsewhere.

    In the latter a value may also be [value, low, high]. Raises InputError `predictions_unreadable`.
    """
    try:
        text = path.read_text(encoding="utf-8")
        rows = [json.loads(line) for line in text.splitlines() if line.strip()] if '"id"' in text else json.loads(text)
        return _by_scale(rows) if isinstance(rows, dict) else [_row(row) for row in rows]
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(
            "predictions_unreadable",
            where=str(path),
            found=f"{type(error).__name__}: {error}",
            allowed="lines written by --predictions, or an object {scale: {id: value}}",
            remedy="write the file again",
        ) from error


def _row(row: Mapping[str, Any]) -> Prediction:
    estimates = {scale: _estimate(value) for scale, value in row["estimates"].items()}
    words = tuple((text, right, accuracy) for text, right, accuracy in row["words"])
    return Prediction(**{**row, "estimates": estimates, "doubts": tuple(row["doubts"]), "words": words})


def _by_scale(table: Mapping[str, Mapping[str, Any]]) -> list[Prediction]:
    unknown = sorted(set(table) - set(SCALES))
    if unknown:
        raise ValueError(f"unknown scales {', '.join(unknown)}")
    ids = sorted({key for values in table.values() for key in values})
    return [
        Prediction(key, {scale: _estimate(values[key]) for scale, values in table.items() if key in values})
        for key in ids
    ]


def _estimate(value: Any) -> tuple[float, float | None, float | None]:
    value, low, high = value if isinstance(value, list) else (value, None, None)
    return sound(float(value), low if low is None else float(low), high if high is None else float(high))
