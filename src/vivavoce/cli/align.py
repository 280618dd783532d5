"""`vivavoce align --jsonl`: readings and their texts in, counts and labels out, one a line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any

from vivavoce.cli import exits, files
from vivavoce.errors import InputError
from vivavoce.rubric.model import Rubric
from vivavoce.strict import choice, parse_json
from vivavoce.transcript.lines import align_request


def _answer(rubric: Rubric, line: bytes, number: int) -> str:
    def repetitions(module: str | None) -> int:
        if module is None:
            return 1
        readings = [known.id for known in rubric.modules.values() if known.kind == "closed"]
        return rubric.modules[choice(module, "/module", readings)].repetitions

    try:
        answer: Mapping[str, Any] = align_request(parse_json(line, ""), repetitions)
    except InputError as error:
        fields = error.as_dict()
        fields["where"] = f"line {number} {fields['where']}".strip()
        return json.dumps({"error": fields})
    return json.dumps(answer)


def run(arguments: argparse.Namespace) -> int:
    """Answer every line that is not blank. A refused line is answered by its error; the exit code stays 0."""
    rubric = files.rubric_of(arguments.rubric)
    for number, line in enumerate(files.lines(arguments.file), 1):
        if not line.strip():
            continue
        sys.stdout.write(_answer(rubric, line, number) + "\n")
    sys.stdout.flush()
    return exits.DONE
