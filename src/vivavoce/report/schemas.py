"""The JSON schemas (2020-12) of what Vivavoce reads and writes, kept as package data."""

from __future__ import annotations

from pathlib import Path

from vivavoce.errors import RequestError

FOLDER = Path(__file__).resolve().parent.parent / "schemas"
ENDING = ".schema.json"


def names() -> tuple[str, ...]:
    """Return the names of the schemas there are, sorted."""
    return tuple(sorted(path.name.removesuffix(ENDING) for path in FOLDER.glob(f"*{ENDING}")))


def schema(name: str) -> str:
    """Return a schema as JSON text.

    Parameters: `name` one of `names()`. Raises RequestError (`schema_unknown`), which lists them.
    """
    known = names()
    if name not in known:
        raise RequestError(
            "schema_unknown",
            where="schema",
            found=f'"{name}"',
            allowed=", ".join(known),
            remedy="name one of these",
        )
    return (FOLDER / f"{name}{ENDING}").read_text(encoding="utf-8")
