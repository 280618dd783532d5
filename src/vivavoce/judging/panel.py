"""Ask, for every marker that needs a listener, the judge that was named for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vivavoce.judging.attacks import find_attacks, notice
from vivavoce.judging.judge import Brief, Judge, Verdict
from vivavoce.judging.material import Material
from vivavoce.notice import Notice
from vivavoce.rubric.model import Module, Rubric
from vivavoce.scoring.model import Outcome


@dataclass(frozen=True, slots=True)
class Panel:
    """Judges by marker; a marker without one waits for a judgement."""

    judges: Mapping[str, Judge]

    def markers(self, module: Module, grade_band: str, given: Iterable[str]) -> list[str]:
        """Return the markers to be asked for: judged in this module, with a judge, not judged by hand."""
        taken = set(given)
        return [
            marker
            for marker, rules in module.rules.items()
            if rules[grade_band].route != "code" and marker in self.judges and marker not in taken
        ]

    def ask(
        self, rubric: Rubric, module: Module, grade_band: str, material: Material, given: Iterable[str] = ()
    ) -> dict[str, Verdict]:
        """Return the verdicts by marker, asked one after the other."""
        return {
            marker: self.judges[marker].judge(Brief(rubric, module, grade_band, marker, material))
            for marker in self.markers(module, grade_band, given)
        }


def outcomes(module: Module, grade_band: str, verdicts: Mapping[str, Verdict]) -> dict[str, Outcome]:
    """Return the named state of each marker whose judge gave no judgement."""
    return {
        marker: Outcome(verdict.state, module.rules[marker][grade_band].route, reason=verdict.reason)
        for marker, verdict in verdicts.items()
        if verdict.values is None
    }


def addressed(material: Material) -> Notice | None:
    """Return the notice that somebody speaks to the grader in the transcript or the task's texts, or None."""
    task = material.task
    texts = [" ".join(word.text for word in material.words), task.prompt or "", task.reference or ""]
    texts += [*task.keywords, *task.questions, *(item.text for item in task.checklist)]
    return notice([attack for text in texts for attack in find_attacks(text)])
