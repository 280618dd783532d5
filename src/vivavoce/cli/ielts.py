"""`vivavoce ielts`: the prompt, the strict check of replies, scoring, and the schema of the contract."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vivavoce.cli import exits, files, judges
from vivavoce.cli.progress import Bar
from vivavoce.errors import InputError, ModelError
from vivavoce.interview import Interview, interview_from_json
from vivavoce.judging.interview.contract import MAX_REPLY_BYTES, read_reply
from vivavoce.judging.interview.prompt import render
from vivavoce.judging.interview.schema import schema_of
from vivavoce.report.interview.document import part_document
from vivavoce.rubric.graduated import PARTS, Graduated, part
from vivavoce.scoring.graduated import band_of
from vivavoce.strict import refuse

if TYPE_CHECKING:
    from vivavoce.judging.interview.ask import InterviewJudge

SAMPLES_HIGHEST = 15


def _edition(number: int) -> Graduated:
    if number not in PARTS:
        raise refuse("part_unknown", "--part", str(number), ", ".join(map(str, PARTS)), "name a part of the test")
    return part(number)


def _interview(path: Path, edition: Graduated) -> Interview:
    return interview_from_json(files.read_json(path), f"{path.name} ", edition.answers_highest)


def prompt(arguments: argparse.Namespace) -> int:
    """Print the prompt for an interview; nothing is called, but recordings are heard."""
    edition = _edition(arguments.part)
    interview = _interview(arguments.file, edition)
    if any(exchange.answer is None for exchange in interview.exchanges):
        interview = _heard(arguments, interview).interview
    sys.stdout.write(render(edition, interview) + "\n")
    return exits.DONE


def _heard(arguments: argparse.Namespace, interview: Interview) -> Any:
    from vivavoce.conversation import hear_interview

    return hear_interview(
        interview,
        arguments.file.resolve().parent,
        weights=arguments.weights,
        progress=lambda number: Bar(f"hearing answer {number}"),
    )


def schema(arguments: argparse.Namespace) -> int:
    """Print the contract's JSON schema."""
    sys.stdout.write(json.dumps(schema_of(_edition(arguments.part), full=arguments.full), indent=1) + "\n")
    return exits.DONE


def check(arguments: argparse.Namespace) -> int:
    """Check raw replies: one JSON line a file, the accepted result or the error; 1 where any is rejected."""
    edition = _edition(arguments.part)
    rejected = False
    for path in arguments.files:
        line = _checked(edition, path)
        rejected |= not line["accepted"]
        sys.stdout.write(_json_line(line) + "\n")
    return exits.REJECTED if rejected else exits.DONE


def _json_line(value: dict[str, Any]) -> str:
    """Return one line of JSON, all escaped where the output takes no such character (a file name that is no UTF-8)."""
    line = json.dumps(value, ensure_ascii=False)
    try:
        line.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return line


def _checked(edition: Graduated, path: Path) -> dict[str, Any]:
    try:
        reply = read_reply(edition, _raw(path))
    except InputError as error:
        return {"file": str(path), "accepted": False, "error": error.as_dict()}
    bands = [
        band_of(criterion, list(results), band, f"reply {path.name}")
        for criterion, (results, band) in zip(edition.criteria, reply.criteria, strict=True)
    ]
    document = part_document(edition, bands)
    return {
        "file": str(path),
        "accepted": True,
        "bands": {row["name"]: row["band"] for row in document["criteria"]},
        "non_monotone": [
            {"criterion": row["name"], "check": name} for row in document["criteria"] for name in row["non_monotone"]
        ],
        **document,
    }


def _raw(path: Path) -> bytes:
    """The bytes of a reply; of a longer one than is read at all, one byte more than that."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_REPLY_BYTES + 1)
    except OSError as error:
        raise files.unreadable(path, error) from error


def score(arguments: argparse.Namespace) -> int:
    """Score an interview: the candidate's report on the terminal, as JSON, as a page."""
    from vivavoce.conversation import score_interview

    edition = _edition(arguments.part)
    interview = _interview(arguments.file, edition)
    judges.check_numbers(arguments, SAMPLES_HIGHEST)
    files.check_outputs((arguments.json_file, arguments.html_file), (arguments.file,))
    judge = _judge(arguments)
    return _told(arguments, score_interview(edition, _heard(arguments, interview), judge))


def test(arguments: argparse.Namespace) -> int:
    """Put the scored parts of a whole test together and show the candidate's report."""
    from vivavoce.report.interview.whole_test import whole_document

    files.check_outputs((arguments.json_file, arguments.html_file), tuple(arguments.files))
    parts = [files.read_report(path) for path in arguments.files]
    return _told(arguments, whole_document(parts, [path.name for path in arguments.files]))


def _told(arguments: argparse.Namespace, document: dict[str, Any]) -> int:
    """Write and print a document; the exit code says whether it is scored."""
    if arguments.json_file is not None:
        files.write_text(arguments.json_file, json.dumps(document, ensure_ascii=False, indent=1, default=float) + "\n")
    if arguments.html_file is not None:
        from vivavoce.report.interview.page import interview_html

        files.write_text(arguments.html_file, interview_html(files.plain(document)))
    for path in (arguments.json_file, arguments.html_file):
        if path is not None:
            sys.stderr.write(f"wrote {path}\n")
    from vivavoce.report.interview.text import interview_text

    colour = sys.stdout.isatty() and not arguments.ascii
    sys.stdout.write(interview_text(files.plain(document), colour=colour, ascii=arguments.ascii).rstrip() + "\n")
    return exits.NOT_SCORED if document["state"] == "not_scored" else exits.DONE


def _recorded(path: Path) -> InterviewJudge:
    from vivavoce.judging.interview.ask import recorded_from_json
    from vivavoce.report.saved import first_fault

    data = files.read_report(path)
    fault = first_fault(data, "interview") if isinstance(data, dict) else None
    if fault is not None:
        raise refuse("request_shape", f"{path.name} {fault[0]}", fault[1], fault[2])
    return recorded_from_json(data, f"recorded:{path.name}", f"{path.name} ")


def _judge(arguments: argparse.Namespace) -> InterviewJudge | None:
    from vivavoce.judging.cache import Cache, default_folder
    from vivavoce.judging.interview import ask
    from vivavoce.judging.sampling import failure
    from vivavoce.models.spec import PROVIDERS

    if len(arguments.judge) > 1:
        raise refuse("judge_repeated", "--judge", ", ".join(arguments.judge), "one judge")
    spec = arguments.judge[0] if arguments.judge else "none"
    if spec == "none":
        return None
    provider, colon, rest = spec.partition(":")
    if provider == "recorded" and colon:
        return _recorded(Path(rest))
    if provider not in PROVIDERS or not rest:
        raise refuse("judge_unknown", "--judge", f'"{spec}"', judges.KINDS)
    try:
        model = judges.opened(spec, arguments)
    except ModelError as error:
        if error.code != "model_no_key":
            raise
        return ask.AbsentInterviewJudge(spec, failure(error))
    return ask.ModelInterviewJudge(
        model,
        samples=arguments.samples,
        cache=None if arguments.no_cache else Cache(arguments.cache or default_folder()),
        fresh=arguments.fresh,
        timeout_s=arguments.judge_timeout,
        max_output_tokens=arguments.judge_tokens,
        on_ask=judges.say,
    )


COMMANDS = {"prompt": prompt, "schema": schema, "check": check, "score": score, "test": test}


def run(arguments: argparse.Namespace) -> int:
    """Run the subcommand."""
    return COMMANDS[arguments.ielts](arguments)
