"""`vivavoce rubric`, `schema` and `example`: show what the package knows, without hearing anything."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from vivavoce.cli import exits, files
from vivavoce.errors import RequestError
from vivavoce.report.schemas import schema as schema_text
from vivavoce.rubric.load import published
from vivavoce.rubric.model import Rubric
from vivavoce.worked import example_of, examples


def _shown(value: Any) -> str:
    """Texts and lists as JSON, numbers in the digits of the edition."""
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, str | list) else str(value)


def _summary(rubric: Rubric) -> None:
    out = sys.stdout.write
    out(f"{rubric.title}, edition {rubric.id}, values as of {rubric.values_as_of}\ndigest {rubric.digest}\n\n")
    for module in rubric.modules.values():
        weights = ", ".join(f"{name} {weight.number:.2f}" for name, weight in module.weights.items())
        out(f"{module.id:32}{module.kind:8}{weights}\n")
    out("\nA path, or its beginning, shows values with their provenance: vivavoce rubric speaking_rate.open\n")


def rubric(arguments: argparse.Namespace) -> int:
    """Show the edition, or every value under a path with where it comes from."""
    edition = files.rubric_of(arguments.rubric)
    if arguments.check:
        sys.stdout.write(f"{edition.id}: sound; {len(edition.entries)} values; digest {edition.digest}\n")
        return exits.DONE
    if arguments.path is None:
        _summary(edition)
        return exits.DONE
    prefix = arguments.path.rstrip(".")
    found = {path: entry for path, entry in edition.entries.items() if path == prefix or path.startswith(prefix + ".")}
    if not found:
        tops = sorted({path.partition(".")[0] for path in edition.entries})
        raise RequestError(
            "rubric_path_unknown",
            where=prefix,
            found="no value under this path",
            allowed="a path that begins with " + ", ".join(tops),
            remedy="copy the path from a trace's source",
        )
    for path, entry in found.items():
        note = f"  ({entry.note})" if entry.note else ""
        sys.stdout.write(f"{path} = {_shown(entry.value)}  [{entry.provenance}]{note}\n")
    return exits.DONE


def schema(arguments: argparse.Namespace) -> int:
    """Print a JSON schema."""
    sys.stdout.write(schema_text(arguments.name).rstrip() + "\n")
    return exits.DONE


def example(arguments: argparse.Namespace) -> int:
    """Print the worked example of a module, or the requests of all, one a line, ready for `vivavoce lab`."""
    if arguments.module is None:
        for worked in examples(published()):
            sys.stdout.write(json.dumps(worked["request"], ensure_ascii=False) + "\n")
        return exits.DONE
    sys.stdout.write(json.dumps(example_of(published(), arguments.module), ensure_ascii=False, indent=2) + "\n")
    return exits.DONE
