"""`vivavoce transcribe` and `vivavoce measure`."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from vivavoce.cli import exits, files
from vivavoce.cli.progress import Bar
from vivavoce.measures.disfluency.counts import FLUENCY, NOTHING_TO_RECOVER
from vivavoce.measures.hearing import hearing_notices
from vivavoce.measures.recording import Measured, Reading
from vivavoce.measures.recording import measure as measure_words
from vivavoce.notice import Notice
from vivavoce.pipeline import Heard, hear, why_not_scored
from vivavoce.rubric.model import Module
from vivavoce.strict import refuse
from vivavoce.timeline import Transcript

SHOWN = (
    "response_s",
    "speaking_s",
    "speech_s",
    "word_count",
    "words_per_minute",
    "pace_variation",
    "choppy_breaks_per_minute",
    "hesitations_per_minute",
)
DISRUPTIONS = (
    "filled_pauses",
    "fillers",
    "false_starts",
    "repetitions",
    "cut_offs",
    *FLUENCY,
)
LEVELS = ("level_db", "consistency_db", "fade_db")


def transcribe(arguments: argparse.Namespace) -> int:
    """Print the words that the built-in recogniser hears, as a transcript file."""
    heard = hear(arguments.audio, weights=arguments.weights, on_progress=Bar("hearing"))
    sys.stdout.write(transcript_json(heard.transcript))
    warn(*heard.waveform.warnings, *heard.transcript.warnings)
    return exits.DONE


def transcript_json(transcript: Transcript) -> str:
    """Return a transcript as our own transcript file."""
    words = [
        {"text": w.text, "start": w.start_ms / 1000, "end": w.end_ms / 1000}
        | ({} if w.confidence is None else {"confidence": round(w.confidence, 4)})
        for w in transcript.words
    ]
    made = {
        "words": words,
        "verbatim": transcript.verbatim,
        "language": transcript.language,
        "recognizer": transcript.recognizer,
    }
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def warn(*notices: Notice) -> None:
    """Say on standard error what was noticed."""
    for notice in notices:
        said = "; ".join(filter(None, (notice.found, notice.remedy)))
        sys.stderr.write(f"vivavoce: {notice.code}: {said}\n")


def _module(arguments: argparse.Namespace) -> Module | None:
    rubric = files.rubric_of(arguments.rubric)
    if arguments.module is None:
        return None
    if arguments.module not in rubric.modules:
        raise refuse("module_unknown", "--module", f'"{arguments.module}"', ", ".join(rubric.modules))
    module = rubric.modules[arguments.module]
    if module.kind == "open" and arguments.reference is not None:
        raise refuse("reference_unexpected", "--reference", "a text", f"{module.id} has none", "leave it out")
    return module


def measures_json(heard: Heard, measured: Measured, reading: Reading | None = None) -> dict[str, Any]:
    """Return what `vivavoce measure` prints; null where something could not be measured."""
    values = {name: measurement.number for name, measurement in measured.measurements.items()}
    rises = values.get("pace_rises")
    speech = measured.has_speech and measured.measurements["word_count"].value
    reason = why_not_scored(heard, measured, reading)
    noticed = hearing_notices(measured.notices, heard.transcript, reading)
    notices = [*heard.waveform.warnings, *noticed, *([] if reason is None or reason in noticed else [reason])]
    unmeasured = [
        Notice(f"{m.name}_unmeasured", m.note, "see the note")
        for m in measured.measurements.values()
        if speech and m.value is None and m.note != NOTHING_TO_RECOVER
    ]
    return {
        "duration_s": heard.waveform.duration_ms / 1000,
        **{name: values.get(name) for name in SHOWN},
        "pauses": [
            {"start": pause.start_ms / 1000, "end": pause.end_ms / 1000, "kind": pause.kind}
            for pause in measured.pauses
        ],
        **{name: values.get(name) for name in DISRUPTIONS},
        "disfluencies": [
            {
                "kind": event.kind,
                "start": event.start_ms / 1000,
                "end": event.end_ms / 1000,
                "words": list(event.words),
                "editing": list(event.editing),
                "repaired": list(event.repaired),
                "recovery_s": None if event.recovery_ms is None else event.recovery_ms / 1000,
            }
            for event in measured.disfluencies
        ],
        **{name: values.get(name) for name in LEVELS},
        "fade_method": measured.fade_method,
        "pace_rises": None if rises is None else bool(rises),
        "phrase_boundaries": measured.boundaries,
        "recognizer": heard.transcript.recognizer,
        "verbatim": heard.transcript.verbatim,
        "warnings": [notice.as_dict() for notice in (*notices, *unmeasured)],
    }


def measure(arguments: argparse.Namespace) -> int:
    """Print the measurements of a recording as JSON."""
    module = _module(arguments)
    reading = None
    if arguments.reference is not None:
        reading = Reading(files.read_text(arguments.reference), module.repetitions if module else 1)
    heard = hear(
        arguments.audio, transcript=arguments.transcript, weights=arguments.weights, on_progress=Bar("hearing")
    )
    fade_method = module.fade_method if module else "phrase"
    measured = measure_words(heard.waveform, heard.transcript, reading, fade_method, heard.forced)
    sys.stdout.write(json.dumps(measures_json(heard, measured, reading), ensure_ascii=False, indent=1) + "\n")
    return exits.DONE
