"""`vivavoce`: parse the arguments, run one command, show errors as every surface does."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from vivavoce import __version__
from vivavoce.cli import exits, ielts_flags, judges
from vivavoce.errors import RequestError, VivavoceError

Command = Callable[[argparse.Namespace], int]

EPILOG = """exit codes: 0 done (lab and align answer a bad line by its error); 1 a reply was rejected
(ielts check); 2 the input or the call was wrong; 3 nothing could be scored (a named state);
4 something must be installed first; 130 interrupted"""


class Parser(argparse.ArgumentParser):
    """A parser whose complaints have the shape of every other error."""

    def error(self, message: str) -> NoReturn:
        """Raise the complaint. Subparsers are of this class as well."""
        raise RequestError(
            "usage",
            where=self.prog,
            found=message,
            allowed=self.format_usage().removeprefix("usage: ").strip(),
            remedy=f"see {self.prog} --help",
        )


def _add_rubric(parser: Parser) -> None:
    parser.add_argument("--rubric", metavar="DIR", type=Path, help="folder of an edition (default: the published one)")


def _add_audio(parser: Parser) -> None:
    parser.add_argument("audio", type=Path, help="the recording, in any common audio or video format")


def _add_task(parser: Parser, why: str) -> None:
    parser.add_argument("--module", help=f"module id, such as paragraph_reading (vivavoce rubric lists them); {why}")
    parser.add_argument("--reference", metavar="FILE", type=Path, help="the text that was read (UTF-8)")
    parser.add_argument("--transcript", metavar="FILE", type=Path, help="words with times; without it, they are heard")
    parser.add_argument("--weights", metavar="DIR", type=Path, help="folder of recogniser weights (CTranslate2)")


def _lab(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser("lab", help="score measurements: JSON Lines in, JSON Lines with traces out")
    parser.add_argument("file", nargs="?", type=Path, help="requests, one a line (default: standard input)")
    _add_rubric(parser)
    parser.set_defaults(run="lab")


def _align(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser("align", help="align readings with their texts: JSON Lines in and out")
    parser.add_argument("file", nargs="?", type=Path, help="requests, one a line (default: standard input)")
    parser.add_argument("--jsonl", action="store_true", help="read and write JSON Lines (the only form so far)")
    _add_rubric(parser)
    parser.set_defaults(run="align")


def _transcribe(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser("transcribe", help="hear the words of a recording, with their times")
    _add_audio(parser)
    parser.add_argument("--weights", metavar="DIR", type=Path, help="folder of recogniser weights (CTranslate2)")
    parser.set_defaults(run="transcribe")


def _align_audio(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser(
        "align-audio", help="find when the words of a text are said: a transcript with times"
    )
    _add_audio(parser)
    parser.add_argument("--text", metavar="FILE", type=Path, required=True, help="what is said in it (UTF-8)")
    parser.set_defaults(run="align-audio")


def _measure(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser("measure", help="measure pace, pauses and loudness; JSON out")
    _add_audio(parser)
    _add_task(parser, "not needed: it says how fade is measured and how often a text is read")
    _add_rubric(parser)
    parser.set_defaults(run="measure")


def _score(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser("score", help="score a recording and show the card with its arithmetic")
    _add_audio(parser)
    _add_task(parser, "needed here or in --task")
    parser.add_argument("--grade", type=int, help="school grade, 3 to 10")
    parser.add_argument("--task", metavar="FILE", type=Path, help="task.json: module, grade, reference and the rest")
    parser.add_argument(
        "--judgement",
        metavar="MARKER=SCORE",
        action="append",
        default=[],
        help="a person's judgement, such as pronunciation=84; a file of judgements: @FILE.json",
    )
    parser.add_argument("--by", default="", metavar="NAME", help="who gave the judgements")
    parser.add_argument("--json", metavar="FILE", type=Path, dest="json_file", help="write the whole report")
    parser.add_argument("--html", metavar="FILE", type=Path, dest="html_file", help="write the card as one page")
    parser.add_argument("--pdf", metavar="FILE", type=Path, dest="pdf_file", help="write the card as a PDF file")
    parser.add_argument("--brief", action="store_true", help="the card without its arithmetic")
    parser.add_argument("--ascii", action="store_true", help="plain characters only")
    judges.add_arguments(parser)
    _add_rubric(parser)
    parser.set_defaults(run="score")


def _judge(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser("judge", help="enter a person's judgement into a report, or print its sheet")
    parser.add_argument("report", nargs="?", type=Path, help="a report that `vivavoce score --json` wrote")
    parser.add_argument("--marker", help="marker id, such as pronunciation")
    parser.add_argument("--about", metavar="JUDGE", help="print what a judge is and how far to trust it: local")
    parser.add_argument("--score", type=int, metavar="N", help="the marker's official score, 0 to 100 (95 at most)")
    parser.add_argument("--values", metavar="FILE", type=Path, help="a filled sheet; code applies caps and blends")
    parser.add_argument("--sheet", action="store_true", help="print the sheet to fill, and change nothing")
    parser.add_argument("--by", default="", metavar="NAME", help="who judges")
    parser.add_argument("--reason", default="", metavar="TEXT", help="why; needed where a score is replaced")
    parser.add_argument("--out", metavar="FILE", type=Path, help="write the report there (default: in place)")
    parser.add_argument("--html", metavar="FILE", type=Path, dest="html_file", help="write the card as one page, too")
    parser.add_argument("--pdf", metavar="FILE", type=Path, dest="pdf_file", help="write the card as a PDF file, too")
    parser.add_argument("--ascii", action="store_true", help="plain characters only")
    _add_rubric(parser)
    parser.set_defaults(run="judge")


def _prompt(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser("prompt", help="print what a model would be asked; nothing is called")
    parser.add_argument("report", nargs="?", type=Path, help="a report (default: the task, without a submission)")
    parser.add_argument("--marker", required=True, help="marker id, such as fluency")
    parser.add_argument("--module", help="module id, such as audio_postcard")
    parser.add_argument("--grade", type=int, help="school grade, 3 to 10")
    parser.add_argument("--reference", metavar="FILE", type=Path, help="the text that is read (UTF-8)")
    parser.add_argument("--task", metavar="FILE", type=Path, help="task.json: module, grade and the rest")
    parser.add_argument(
        "--hears",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="as for a model that hears the recording (default: for pronunciation only)",
    )
    parser.add_argument("--json", action="store_true", help="system, user, schema and digest as one JSON object")
    _add_rubric(parser)
    parser.set_defaults(run="prompt")


def _rubric(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser("rubric", help="show the edition, a value by its path, or check an edition")
    parser.add_argument("path", nargs="?", help="a rubric path, or the beginning of one, as traces cite it")
    parser.add_argument("--check", action="store_true", help="only load and check the edition")
    _add_rubric(parser)
    parser.set_defaults(run="rubric")


def _others(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser("schema", help="print a JSON schema")
    parser.add_argument("name", help="report, task or lab-request")
    parser.set_defaults(run="schema")
    parser = subparsers.add_parser("example", help="print a worked example's request, or a module's task")
    parser.add_argument("module", nargs="?", help="module id (default: all requests, one a line)")
    parser.set_defaults(run="example")
    parser = subparsers.add_parser("demo", help="score the bundled recording and write its card")
    parser.add_argument(
        "--out", type=Path, default=Path("out"), metavar="DIR", help="where the card goes (default: out)"
    )
    parser.set_defaults(run="demo")


def _serve(subparsers: argparse._SubParsersAction[Parser]) -> None:
    parser = subparsers.add_parser("serve", help="the pages: record, cards, Score Lab, rubric guide; this machine only")
    parser.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1 (default: 8000)")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where recordings and reports are kept")
    parser.add_argument("--open", action="store_true", help="open the browser")
    parser.set_defaults(run="serve")


def build_parser() -> Parser:
    """Return the parser of all commands."""
    parser = Parser(
        prog="vivavoce",
        description="Score recorded speech and show the arithmetic.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"vivavoce {__version__}")
    parser.add_argument("--json-errors", action="store_true", help="print errors as one JSON object")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    own = (_score, _judge, _prompt, _measure, _transcribe, _align_audio, _align, _lab, _rubric, _others, _serve)
    for add in (*own, ielts_flags.add):
        add(subparsers)
    return parser


def command(name: str) -> Command:
    """Return the function that runs a command; its module is imported only now."""
    if name == "lab":
        from vivavoce.cli.lab import run as lab

        return lab
    if name == "align":
        from vivavoce.cli.align import run as align

        return align
    if name == "align-audio":
        from vivavoce.cli.align_audio import run as align_audio

        return align_audio
    if name in ("transcribe", "measure"):
        from vivavoce.cli.recordings import measure, transcribe

        return transcribe if name == "transcribe" else measure
    if name in ("score", "demo"):
        from vivavoce.cli.score import demo, score

        return score if name == "score" else demo
    if name == "serve":
        from vivavoce.cli.serve import run as serve

        return serve
    if name == "ielts":
        from vivavoce.cli.ielts import run as ielts

        return ielts
    if name in ("judge", "prompt"):
        from vivavoce.cli.judge import judge, prompt

        return judge if name == "judge" else prompt
    from vivavoce.cli.reference import example, rubric, schema

    return {"rubric": rubric, "schema": schema, "example": example}[name]


def show_error(error: VivavoceError, *, as_json: bool) -> None:
    """Print an error on standard error: the five fields, for people or as JSON."""
    if as_json:
        sys.stderr.write(json.dumps({"error": error.as_dict()}, ensure_ascii=False) + "\n")
        return
    sys.stderr.write(
        f"vivavoce: {error.code} at {error.where}\n"
        f"  found    {error.found}\n  allowed  {error.allowed}\n  to do    {error.remedy}\n"
    )


def _unwritten(found: str, remedy: str) -> RequestError:
    return RequestError(
        "output_unwritable", where="standard output", found=found, allowed="a place that takes text", remedy=remedy
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json-errors" in words
    # A closed standard stream is None: what would be written there goes nowhere.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    try:
        arguments = build_parser().parse_args(words)
        code = command(arguments.run)(arguments)
        sys.stdout.flush()
    except VivavoceError as error:
        show_error(error, as_json=as_json)
        return exits.of(error)
    except UnicodeEncodeError as error:
        sign = ascii(error.object[error.start])
        wrong = _unwritten(
            f"a terminal that cannot show {sign}", "set PYTHONIOENCODING=utf-8, or give --ascii to score"
        )
        show_error(wrong, as_json=as_json)
        return exits.WRONG
    except BrokenPipeError:
        # The reader has gone; what is still buffered must not be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.DONE
    except OSError as error:
        show_error(_unwritten(error.strerror or str(error), "make room, or name another place"), as_json=as_json)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.WRONG
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    return code


if __name__ == "__main__":
    sys.exit(main())
