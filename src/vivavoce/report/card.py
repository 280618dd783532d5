"""Build the report: one JSON document that holds all that the text and the page show.

The text and the page are made from this document alone, so a saved report can be shown again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from vivavoce import __version__
from vivavoce.arithmetic import to_json
from vivavoce.measurement import Measurement
from vivavoce.measures.disfluency.find import Disfluency
from vivavoce.measures.pauses import HESITATION_MS, PAUSE_MS
from vivavoce.notice import Notice
from vivavoce.rubric.model import MarkerRule, Rubric
from vivavoce.scoring.model import Outcome, Scored
from vivavoce.submission import Task
from vivavoce.timeline import Pause, Transcript
from vivavoce.trace import Node

SCHEMA = "vivavoce-report-3"


@dataclass(frozen=True, slots=True)
class Parts:
    """All that a report is made from.

    `recording`: file name, sha256, duration_s, container, codec, sample_rate, channels. `alignment`: counts and labels
    as `vivavoce align` gives them. `judged` by marker: who judged, what was received and what was accepted.
    `needs_person` by marker: why a person should settle it. `feedback` by marker, and a model's raw replies on it.
    `picture`: `columns` of {start_s, end_s, low, high, level_db}, peak normalised.
    """

    rubric: Rubric
    scored: Scored
    task: Task
    recording: Mapping[str, Any] | None = None
    transcript: Transcript | None = None
    measurements: Mapping[str, Measurement] = field(default_factory=dict)
    pauses: Sequence[Pause] = ()
    disfluencies: Sequence[Disfluency] = ()
    fade_method: str = ""
    boundaries: str = ""
    alignment: Mapping[str, Any] | None = None
    judged: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    needs_person: Mapping[str, Notice] = field(default_factory=dict)
    feedback: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    feedback_replies: Sequence[Mapping[str, Any]] = ()
    warnings: Sequence[Notice] = ()
    picture: Mapping[str, Any] | None = None


def trace_dict(node: Node) -> dict[str, Any]:
    """Return a trace as the JSON object that every surface shows."""
    result: dict[str, Any] = json.loads(to_json(node))
    return result


def seconds(milliseconds: int) -> float:
    """Return whole milliseconds as seconds."""
    return milliseconds / 1000


def outcome_fields(outcome: Outcome, rubric: Rubric) -> dict[str, Any]:
    """Return an outcome as reports show it: score, state, tier, trace, reason."""
    quality = outcome.quality
    tier = rubric.tier_of_score(outcome.score) if outcome.score is not None else None
    return {
        "score": outcome.score,
        "state": outcome.state,
        "route": outcome.route,
        "quality": None if quality is None else quality.numerator / quality.denominator,
        "tier": None if tier is None else {"id": tier.id, "label": tier.label},
        "trace": None if outcome.trace is None else trace_dict(outcome.trace),
        "reason": None if outcome.reason is None else outcome.reason.as_dict(),
    }


def _components(rule: MarkerRule) -> list[dict[str, Any]]:
    """What a marker is made of, for reading: id, title, weight, rule and the measurement that it needs."""
    return [
        {"id": part.id, "title": part.title, "needs": part.needs, "unit": part.unit, "weight": part.weight.number}
        for part in rule.components
    ]


def _marker(parts: Parts, name: str, outcome: Outcome) -> dict[str, Any]:
    marker = parts.rubric.markers[name]
    module = parts.rubric.modules[parts.scored.module]
    judgement, needed = parts.judged.get(name), parts.needs_person.get(name)
    return {
        "title": marker.title,
        "short_title": marker.short_title,
        "judges": marker.judges,
        "weight": module.weights[name].number,
        **outcome_fields(outcome, parts.rubric),
        "components": _components(module.rules[name][parts.scored.grade_band]),
        "judgement": None if judgement is None else dict(judgement),
        "needs_person": None if needed is None else needed.as_dict(),
        "machine": None,
        "history": [],
        "feedback": dict(parts.feedback[name]) if name in parts.feedback else None,
    }


def _words(transcript: Transcript) -> list[dict[str, Any]]:
    return [
        {
            "text": word.text,
            "start_s": seconds(word.start_ms),
            "end_s": seconds(word.end_ms),
            "confidence": word.confidence,
        }
        for word in transcript.words
    ]


def _transcript(transcript: Transcript | None) -> dict[str, Any] | None:
    if transcript is None:
        return None
    return {
        "recognizer": transcript.recognizer,
        "verbatim": transcript.verbatim,
        "language": transcript.language,
        "words": _words(transcript),
    }


def _disfluency(event: Disfluency) -> dict[str, Any]:
    return {
        "kind": event.kind,
        "start_s": seconds(event.start_ms),
        "end_s": seconds(event.end_ms),
        "words": list(event.words),
        "editing": list(event.editing),
        "repaired": list(event.repaired),
        "recovery_s": None if event.recovery_ms is None else seconds(event.recovery_ms),
    }


def measurement_values(measurements: Mapping[str, Measurement]) -> dict[str, Any]:
    """Return name -> number as `vivavoce measure` prints them; null where it could not be measured."""
    return {name: measurement.number for name, measurement in measurements.items()}


def build(parts: Parts) -> dict[str, Any]:
    """Return the report as a JSON document (schema: `vivavoce schema report`)."""
    rubric, scored = parts.rubric, parts.scored
    module = rubric.modules[scored.module]
    overall = outcome_fields(scored.overall, rubric)
    return {
        "schema": SCHEMA,
        "vivavoce": __version__,
        "rubric": {
            "id": rubric.id,
            "title": rubric.title,
            "version": rubric.version,
            "values_as_of": rubric.values_as_of,
            "digest": rubric.digest,
        },
        "module": {"id": module.id, "title": module.title, "kind": module.kind},
        "grade": parts.task.grade,
        "grade_band": {"id": scored.grade_band, "title": rubric.grade_bands[scored.grade_band].title},
        "state": scored.overall.state,
        "overall": overall,
        "markers": {name: _marker(parts, name, outcome) for name, outcome in scored.markers.items()},
        "tiers": [
            {"id": t.id, "label": t.label, "score_low": t.score_low.number, "score_high": t.score_high.number}
            for t in rubric.tiers
        ],
        "task": asdict(parts.task),
        "recording": None if parts.recording is None else dict(parts.recording),
        "transcript": _transcript(parts.transcript),
        "measurements": {
            name: {"value": m.number, "unit": m.unit, "source": m.source, "note": m.note}
            for name, m in parts.measurements.items()
        },
        "pauses": [{"start_s": seconds(p.start_ms), "end_s": seconds(p.end_ms), "kind": p.kind} for p in parts.pauses],
        "pause_limits": {"pause_from_s": seconds(PAUSE_MS), "hesitation_from_s": seconds(HESITATION_MS)},
        "disfluencies": [_disfluency(event) for event in parts.disfluencies],
        "fade_method": parts.fade_method,
        "phrase_boundaries": parts.boundaries,
        "alignment": None if parts.alignment is None else dict(parts.alignment),
        "feedback_replies": [dict(reply) for reply in parts.feedback_replies],
        "warnings": [notice.as_dict() for notice in parts.warnings],
        "picture": None if parts.picture is None else dict(parts.picture),
    }
