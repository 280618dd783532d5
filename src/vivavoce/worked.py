"""The worked examples, one a module: a request, the result derived by hand, and how it was derived."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vivavoce.rubric.model import Rubric
from vivavoce.strict import choice, parse_json

FOLDER = Path(__file__).resolve().parent / "examples"


def example_of(rubric: Rubric, module: str) -> dict[str, Any]:
    """Return the worked example of a module: origin, request, derivation, expected. Raises RequestError."""
    name = choice(module, "module", rubric.modules)
    path = FOLDER / f"{name}.json"
    result: dict[str, Any] = parse_json(path.read_bytes(), path.name)
    return result


def examples(rubric: Rubric) -> Iterator[dict[str, Any]]:
    """Yield the worked example of every module, in the order of the guide."""
    for module in rubric.modules:
        yield example_of(rubric, module)
