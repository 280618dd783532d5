"""One marker to be explained: its trace, score and judgement, and the rules that they were made by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vivavoce.feedback.losses import path_to
from vivavoce.feedback.model import Finding, Kind
from vivavoce.rubric.model import Module, Rubric
from vivavoce.trace import Node


@dataclass(frozen=True, slots=True)
class Case:
    """One marker to be explained."""

    rubric: Rubric
    module: Module
    marker: str
    trace: Node
    score: int
    judged: Mapping[str, Any]

    @property
    def strong(self) -> bool:
        """Whether the score lies in the rubric's best tier."""
        return self.rubric.tier_of_score(self.score).id == self.rubric.tiers[0].id

    def found(self, name: str, source: str) -> Finding:
        """Return the finding with the kind that the score asks for."""
        kind: Kind = "done_well" if self.strong else "held_back"
        return Finding(self.marker, name, kind, source)

    def at(self, node: str) -> str:
        """Return the trace path of the node of that name."""
        return path_to(self.trace, node)
