"""From what was measured and judged to the named leaves that scoring takes."""

from __future__ import annotations

from collections.abc import Sequence

from vivavoce.measurement import Measurement
from vivavoce.measures.recording import Measured
from vivavoce.notice import Notice
from vivavoce.rubric.model import Module, Rubric
from vivavoce.scoring.inputs import read_judgement
from vivavoce.scoring.model import MarkerEvidence, Outcome
from vivavoce.submission import Judgement, Task
from vivavoce.timeline import Word
from vivavoce.trace import Node, leaf
from vivavoce.transcript.alignment import Alignment
from vivavoce.transcript.keywords import present

# What the local judge does not judge: somebody has to understand what is said.
UNHEARD = ("task_adherence",)
OWN_SERVER = (
    "; or ask a language model, on a server of your own where voices must not leave the house: "
    "--judge task_adherence=openai:MODEL@http://localhost:8080/v1"
)
ALIGNMENT_COUNTS = ("reference_words", "trailing_omissions", "matched", "insertions")


def measured_evidence(measured: Measured, module: Module, band: str) -> dict[str, MarkerEvidence | None]:
    """Turn measurements into the named leaves that scoring takes."""

    def node(measurement: Measurement | None, name: str) -> Node | None:
        found = None if measurement is None else measurement.node()
        return found and leaf("measured", name, found.value, unit=found.unit, source=found.source, note=found.note)

    def take(marker: str, extra: dict[str, str]) -> MarkerEvidence:
        rule = module.rules[marker][band]
        names = {part.needs: part.needs for part in rule.components} | extra
        return MarkerEvidence({name: node(measured.measurements.get(source), name) for name, source in names.items()})

    evidence: dict[str, MarkerEvidence | None] = {
        "speaking_rate": take(
            "speaking_rate",
            {"speech_seconds": "speech_s", "hesitations_per_minute": "hesitations_per_minute"},
        ),
        "volume_control": take("volume_control", {}),
    }
    if measured.alignment is not None:
        counts, notes = measured.alignment.counts(), {"matched": _backed(measured.alignment)}
        evidence["task_adherence"] = MarkerEvidence(
            {
                name: leaf("measured", name, counts[name], unit="words", source="L1-L5", note=notes.get(name, ""))
                for name in ALIGNMENT_COUNTS
            }
        )
    return evidence


def _backed(alignment: Alignment) -> str:
    """Say how many words count as read by the acoustics alone."""
    count = sum(label.counted == "matched" != label.by_recogniser for label in alignment.labels)
    return f"{count} of them by their sounds, against the recogniser" if count else ""


def _keyword_values(task: Task, words: Sequence[Word]) -> dict[str, Node | None]:
    found = present(task.keywords, [word.text for word in words])
    missing = [keyword for keyword, there in zip(task.keywords, found, strict=True) if not there]
    note = "not said: " + ", ".join(missing) if missing else ""
    return {
        "keywords_required": leaf("given", "keywords_required", len(task.keywords), unit="words", source="task"),
        "keywords_present": leaf("measured", "keywords_present", sum(found), unit="words", source="M9", note=note),
    }


def judged_evidence(
    rubric: Rubric, module: Module, band: str, task: Task, words: Sequence[Word], judgements: Sequence[Judgement]
) -> dict[str, MarkerEvidence | None]:
    """Turn judgements into evidence; of a story the keywords are counted here, in the `words` heard (M9).

    Raises RequestError where a judgement does not fit its module.
    """
    evidence: dict[str, MarkerEvidence | None] = {}
    for judgement in judgements:
        source = f"{judgement.judge}: {judgement.by}" if judgement.by else judgement.judge
        where = f"judgement/{judgement.marker}"
        read = read_judgement(rubric, module, band, judgement.marker, judgement.values, where, source)
        if judgement.steps is not None:
            read = MarkerEvidence({**read.values, "score": judgement.steps}, read.fired)
        if module.rules[judgement.marker][band].route == "blend":
            read = MarkerEvidence({**read.values, **_keyword_values(task, words)}, read.fired)
        evidence[judgement.marker] = read
    return evidence


def waits(module: Module, band: str) -> dict[str, Outcome]:
    """Say of each marker that needs a listener what it waits for."""
    outcomes = {}
    for marker, rules in module.rules.items():
        route = rules[band].route
        if route != "code":
            reason = Notice(
                "judgement_missing",
                f"{marker} needs a listener and nobody has judged it yet",
                f"listen and give a judgement: --judgement {marker}=SCORE" + (OWN_SERVER if marker in UNHEARD else ""),
            )
            outcomes[marker] = Outcome("pending", route, reason=reason)
    return outcomes
