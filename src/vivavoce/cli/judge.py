"""`vivavoce judge` and `vivavoce prompt`: a person's judgement, and what a model would be asked."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from typing import Any

from vivavoce.cli import exits, files
from vivavoce.cli.judges import LOCAL
from vivavoce.cli.score import task_of
from vivavoce.judging.judge import Brief
from vivavoce.judging.material import Material
from vivavoce.judging.people import sheet
from vivavoce.judging.prompt import render
from vivavoce.report.text import card_text
from vivavoce.rescore import brief_of, enter_score, enter_sheet
from vivavoce.rubric.model import Rubric
from vivavoce.strict import refuse
from vivavoce.tasks import check_task


def judge(arguments: argparse.Namespace) -> int:
    """Enter a person's judgement into a report, print the sheet that asks for one, or what a judge is."""
    if arguments.about is not None:
        return _about(arguments.about)
    for name, given in (("REPORT", arguments.report), ("--marker", arguments.marker)):
        if given is None:
            raise refuse("judgement_form", name, "nothing", "REPORT and --marker, or --about JUDGE", "see --help")
    rubric = files.rubric_of(arguments.rubric)
    report = files.read_report(arguments.report)
    if arguments.sheet:
        made = sheet(brief_of(report, rubric, arguments.marker, arguments.report.name))
        sys.stdout.write(json.dumps(made, ensure_ascii=False, indent=1) + "\n")
        return exits.DONE
    if (arguments.score is None) == (arguments.values is None):
        found = "neither" if arguments.score is None else "both"
        raise refuse("judgement_form", "--score, --values", found, "--score N, or --values FILE with a filled sheet")
    if not arguments.by.strip():
        raise refuse("judge_unnamed", "--by", "no name", "the name of who judges", "say who: --by NAME")
    out = arguments.out or arguments.report
    outputs = (out, arguments.html_file, arguments.pdf_file)
    files.check_outputs(outputs, (arguments.values, arguments.report if arguments.out else None))
    files.check_pdf(arguments.pdf_file)
    known: dict[str, Any] = {"by": arguments.by.strip(), "why": arguments.reason.strip(), "at": _now()}
    if arguments.score is not None:
        made = enter_score(report, rubric, arguments.marker, arguments.score, **known)
    else:
        made = enter_sheet(report, rubric, arguments.marker, files.read_text(arguments.values), **known)
    card = card_text(files.plain(made), colour=False, depth=0, ascii=arguments.ascii).rstrip()
    files.write_report(made, out, arguments.html_file, arguments.pdf_file)
    sys.stdout.write(card + "\n")
    return exits.DONE


def _about(judge: str) -> int:
    if judge != LOCAL:
        raise refuse(
            "judge_unknown", "--about", f'"{judge}"', f"{LOCAL}: other judges are described by who offers them"
        )
    from vivavoce.listening import about

    sys.stdout.write(about().rstrip() + "\n")
    return exits.DONE


def _brief(arguments: argparse.Namespace, rubric: Rubric) -> Brief:
    """What the prompt is about: a saved report's submission, or a task that nobody has done yet."""
    if arguments.report is not None:
        return brief_of(files.read_report(arguments.report), rubric, arguments.marker, arguments.report.name)
    task = task_of(arguments)
    module, band = check_task(task, rubric)
    if arguments.marker not in rubric.markers:
        raise refuse("marker_unknown", "--marker", f'"{arguments.marker}"', ", ".join(rubric.markers))
    return Brief(rubric, module, band, arguments.marker, Material(task))


def prompt(arguments: argparse.Namespace) -> int:
    """Print what a model would be asked; nothing is called."""
    rubric = files.rubric_of(arguments.rubric)
    brief = _brief(arguments, rubric)
    hears = arguments.hears if arguments.hears is not None else arguments.marker == "pronunciation"
    made = render(rubric, brief.module, brief.grade_band, brief.marker, brief.material, hears=hears)
    if arguments.json:
        shown = {
            "marker": made.marker,
            "system": made.system,
            "user": made.user,
            "schema": made.schema,
            "prompt_digest": made.digest,
            "rubric": {"id": rubric.id, "digest": rubric.digest},
        }
        sys.stdout.write(json.dumps(shown, ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write(f"{made.system}\n\n{made.user}\n")
    return exits.DONE


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
