"""Score one submission: five markers by their rules, then the overall."""

from __future__ import annotations

from collections.abc import Mapping

from vivavoce.arithmetic import apply
from vivavoce.notice import Notice
from vivavoce.rubric.model import Module, Rubric
from vivavoce.scoring.model import MarkerEvidence, Outcome, Scored, State
from vivavoce.scoring.rules import RULES

NO_SPEECH = Notice(
    "no_speech",
    "no speech in the recording",
    "record again: check that the microphone is on and close, and that the student speaks",
)


def waiting(module: Module, marker: str, grade_band: str) -> Outcome:
    """Return the outcome of a marker that nobody has judged or measured yet."""
    route = module.rules[marker][grade_band].route
    remedy = {
        "code": "give the measurements of this marker",
        "blend": "give the keyword counts and a judgement of the story",
    }.get(route, "ask a judge, or give a judgement by hand")
    return Outcome("pending", route, reason=Notice("waiting", f"nothing was given for {marker}", remedy))


def overall(module: Module, markers: Mapping[str, Outcome]) -> Outcome:
    """Return the overall: round(sum of marker score * module weight); all five markers are needed (A12)."""
    operands = []
    for name, outcome in markers.items():
        if outcome.trace is None:
            state: State = "not_scored" if any(m.state == "not_scored" for m in markers.values()) else "pending"
            names = [n for n, m in markers.items() if m.state == state]
            reason = Notice(
                "markers_missing",
                f"{state.replace('_', ' ')}: {', '.join(names)}",
                "the overall needs all five markers; nothing is averaged around a missing one",
            )
            return Outcome(state, "code", reason=reason)
        operands += [outcome.trace, module.weights[name]]
    trace = apply("weighted_score", "overall", *operands, unit="score", source="edition.rounding.overall")
    return Outcome("scored", "code", score=int(trace.value), trace=trace)


def not_scored(rubric: Rubric, module_id: str, grade_band: str, reason: Notice) -> Scored:
    """Return the result of a submission that cannot be scored at all, such as one without speech (A8)."""
    module = rubric.modules[module_id]
    markers = {
        name: Outcome("not_scored", module.rules[name][grade_band].route, reason=reason) for name in rubric.markers
    }
    return Scored(
        module_id, grade_band, rubric.id, rubric.digest, markers, Outcome("not_scored", "code", reason=reason)
    )


def score(
    rubric: Rubric,
    module_id: str,
    grade_band: str,
    evidence: Mapping[str, MarkerEvidence | None],
    waits: Mapping[str, Outcome] | None = None,
) -> Scored:
    """Score a submission.

    Parameters: `evidence` by marker id (absent or None: pending); `waits` names a better reason for a marker that has
    no evidence. Returns: every marker's outcome and the overall.
    """
    module = rubric.modules[module_id]
    markers: dict[str, Outcome] = {}
    for name in rubric.markers:
        known = evidence.get(name)
        if known is None:
            markers[name] = (waits or {}).get(name) or waiting(module, name, grade_band)
        else:
            rule = module.rules[name][grade_band]
            markers[name] = RULES[rule.rule](name, rule, known, rubric)
    return Scored(module_id, grade_band, rubric.id, rubric.digest, markers, overall(module, markers))
