"""What goes into scoring (named leaves) and what comes out (a state, a score and its trace)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from vivavoce.notice import Notice
from vivavoce.trace import Exact, Node

State = Literal["scored", "pending", "not_scored"]


@dataclass(frozen=True, slots=True)
class MarkerEvidence:
    """What is known for one marker: leaves by input name (None: could not be measured) and the caps that fired."""

    values: Mapping[str, Node | None] = field(default_factory=dict)
    fired: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A marker or the overall: `score` 0-95 with its `trace`, or a named state with its reason.

    `quality` is the weighted quality (0-1) of a marker scored through the tier table.
    """

    state: State
    route: str
    score: int | None = None
    quality: Exact | None = None
    trace: Node | None = None
    reason: Notice | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """All five markers and the overall of one submission."""

    module: str
    grade_band: str
    rubric_id: str
    rubric_digest: str
    markers: Mapping[str, Outcome]
    overall: Outcome
