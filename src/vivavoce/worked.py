"""The worked examples, one a module: a request, the result derived by hand, and how it was derived."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vivavoce.rubric.model import Rubric
from vivavoce.strict import choice

FOLDER = Path(__file__).resolve().parent / "examples"


def example_of(rubric: Rubric, module: str) -> dict[str, Any]:
    """Return the worked example of a module: origin, request, derivation, expected. Raises RequestError."""
    name = choice(module, "module", rubric.modules)
    result: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return result


def examples(rubric: Rubric) -> Iterator[dict[str, Any]]:
    """Yield the worked example of every module, in the order of the guide."""
    for module in rubric.modules:
        yield example_of(rubric, module)
