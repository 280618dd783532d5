"""`vivavoce score` and `vivavoce demo`: the main job."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import vivavoce
from vivavoce.cli import exits, files
from vivavoce.cli.judges import listener, local_panel, panel_of, words_by
from vivavoce.cli.progress import Bar
from vivavoce.errors import RequestError
from vivavoce.pipeline import hear, score_recording
from vivavoce.report.text import card_text
from vivavoce.rubric.model import Rubric
from vivavoce.strict import refuse
from vivavoce.submission import Judgement, Task, task_from_json
from vivavoce.tasks import check_task

DEMO = Path(vivavoce.__file__).resolve().parent / "demo"


def task_of(arguments: argparse.Namespace) -> Task:
    """Return the task that --task and the flags describe; a flag wins over the file."""
    if arguments.task is not None:
        task = task_from_json(files.read_json(arguments.task), f"{arguments.task.name} ")
    elif arguments.module is None or arguments.grade is None:
        missing = "--module" if arguments.module is None else "--grade"
        raise RequestError(
            "task_missing",
            where=missing,
            found="nothing",
            allowed="--task FILE, or --module and --grade",
            remedy="say what the student was asked to do",
        )
    else:
        task = Task(arguments.module, arguments.grade)
    changes: dict[str, Any] = {}
    if arguments.module is not None:
        changes["module"] = arguments.module
    if arguments.grade is not None:
        changes["grade"] = arguments.grade
    if arguments.reference is not None:
        changes["reference"] = files.read_text(arguments.reference)
    return replace(task, **changes)


def _short_form(text: str, rubric: Rubric, module: str) -> tuple[str, Mapping[str, Any]]:
    """Read MARKER=SCORE, which is enough for a marker that is judged by one number."""
    marker, equals, number = text.partition("=")
    if not equals or marker not in rubric.markers:
        raise refuse(
            "judgement_form", "--judgement", f'"{text}"', "MARKER=SCORE with one of " + ", ".join(rubric.markers)
        )
    if not number.strip().lstrip("-").isdecimal():
        raise refuse("value_type", f"--judgement {marker}", f'"{number}"', "a whole number from 0 to 100")
    rule = next(iter(rubric.modules[module].rules[marker].values())).rule
    if marker == "task_adherence" and rule in ("checklist_with_guardrails", "checklist_with_order_rules"):
        raise refuse(
            "judgement_incomplete",
            "--judgement task_adherence",
            "a number alone",
            f"what {module} asks of a judge beside the score",
            f"give it in a file: --judgement @FILE.json (its shape: vivavoce example {module}, inputs.task_adherence)",
        )
    return marker, {"story" if rule == "keywords_and_story" else "score": int(number)}


def judgements_of(arguments: argparse.Namespace, rubric: Rubric, module: str) -> list[Judgement]:
    """Return the judgements given by hand, each marker at most once."""
    given: list[tuple[str, Mapping[str, Any]]] = []
    for text in arguments.judgement:
        if text.startswith("@"):
            path = Path(text[1:])
            data = files.read_json(path)
            if not isinstance(data, dict):
                raise refuse("request_shape", path.name, "no object", "an object from marker to its judgement")
            unknown = [name for name in data if name not in rubric.markers]
            if unknown:
                raise refuse("key_unknown", f"{path.name} /{unknown[0]}", unknown[0], ", ".join(rubric.markers))
            given.extend(data.items())
        else:
            given.append(_short_form(text, rubric, module))
    markers = [marker for marker, _ in given]
    repeated = [marker for marker in markers if markers.count(marker) > 1]
    if repeated:
        raise refuse("judgement_repeated", f"--judgement {repeated[0]}", "two judgements", "one judgement a marker")
    return [Judgement(marker, values, "person", arguments.by) for marker, values in given]


def _show(report: dict[str, Any], *, ascii_only: bool, brief: bool) -> int:
    colour = sys.stdout.isatty() and not ascii_only
    depth = 0 if brief else None
    sys.stdout.write(card_text(report, colour=colour, depth=depth, ascii=ascii_only).rstrip() + "\n")
    nothing = all(marker["score"] is None for marker in report["markers"].values())
    return exits.NOT_SCORED if nothing and report["state"] == "not_scored" else exits.DONE


def score(arguments: argparse.Namespace) -> int:
    """Score a recording: card on the terminal, report and page as files."""
    rubric = files.rubric_of(arguments.rubric)
    task = task_of(arguments)
    module, _ = check_task(task, rubric)
    judgements = judgements_of(arguments, rubric, module.id)
    panel, told_by = panel_of(arguments, rubric, module), words_by(arguments)
    inputs = (arguments.audio, arguments.transcript, arguments.reference, arguments.task)
    files.check_outputs((arguments.json_file, arguments.html_file, arguments.pdf_file), inputs)
    files.check_pdf(arguments.pdf_file)
    heard = hear(
        arguments.audio, transcript=arguments.transcript, weights=arguments.weights, on_progress=Bar("hearing")
    )
    listen = listener(arguments.weights)
    report = score_recording(rubric, task, heard, judgements, arguments.audio.name, panel, told_by, listen)
    files.write_report(report, arguments.json_file, arguments.html_file, arguments.pdf_file)
    return _show(report, ascii_only=arguments.ascii, brief=arguments.brief)


def demo(arguments: argparse.Namespace) -> int:
    """Score the bundled recording; the card goes to the folder that --out names."""
    rubric = files.rubric_of(None)
    task = task_from_json(files.read_json(DEMO / "task.json"), "task.json ")
    audio = DEMO / "sonnet_001.mp3"
    outputs = [arguments.out / "report.json", arguments.out / "card.html"]
    outputs += [arguments.out / "card.pdf"] if files.makes_pdf() else []
    files.check_outputs(outputs, ())
    sys.stderr.write("hearing the bundled recording with the built-in recogniser (about 20 s)\n")
    heard = hear(audio, on_progress=Bar("hearing"))
    report = score_recording(rubric, task, heard, (), audio.name, local_panel(), listen=listener())
    files.write_report(report, *outputs)
    return _show(report, ascii_only=False, brief=False)
