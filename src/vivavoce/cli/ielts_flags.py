"""The flags of `vivavoce ielts` and its subcommands; nothing heavy is imported for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vivavoce.cli import judges


def add(subparsers: Any) -> None:
    """Add `ielts` and its subcommands."""
    parser = subparsers.add_parser("ielts", help="IELTS Speaking by contract V33: prompt, check, score, schema")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, dest="ielts")
    made = {
        "prompt": "print what a model is asked about an interview",
        "check": "check raw replies strictly: one JSON line a file",
        "score": "score an interview and show the candidate's report",
        "test": "put the scored parts of a whole test together",
        "schema": "print the contract as a JSON schema",
    }
    for name, text in made.items():
        own = commands.add_parser(name, help=text)
        if name != "test":
            own.add_argument("--part", type=int, default=1, metavar="N", help="part of the test, 1 to 3 (default: 1)")
        if name in ("check", "test"):
            own.add_argument("files", nargs="+", type=Path, metavar="FILE")
        elif name != "schema":
            own.add_argument("file", type=Path, help='{"topic", "answers": [{"question", "answer"}]}')
            own.add_argument("--weights", metavar="DIR", type=Path, help="folder of recogniser weights (CTranslate2)")
        if name == "schema":
            own.add_argument("--full", action="store_true", help="every sequence of results spelled out")
        if name == "score":
            judges.add_arguments(own, feedback=False)
        if name in ("score", "test"):
            own.add_argument("--json", metavar="FILE", type=Path, dest="json_file", help="write the whole document")
            own.add_argument("--html", metavar="FILE", type=Path, dest="html_file", help="write the report as one page")
            own.add_argument("--ascii", action="store_true", help="plain characters only")
    parser.set_defaults(run="ielts")
