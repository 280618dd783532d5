"""What feedback is made of: a finding a marker, and the sentences that tell it, as a report holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from vivavoce.notice import Notice

Kind = Literal["held_back", "done_well", "none"]
BUILT_IN = "built_in"
NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Finding:
    """The one thing to tell about a marker.

    `name` is stable within the marker and `kind` says how it counts. `source` is the place that it rests on: names of
    trace nodes from the marker's root, joined by `/`, or a path in the judgement that begins with `judged/`. A marker
    without a score has kind `none`, its state as its name, and `reason` says why there is nothing to tell.
    """

    marker: str
    name: str
    kind: Kind
    source: str = ""
    reason: str = ""

    @property
    def id(self) -> str:
        """The finding's stable id over all markers."""
        return f"{self.marker}.{self.name}"


@dataclass(frozen=True, slots=True)
class Told:
    """A finding with its two sentences and who worded them: `built_in`, a model's spec, or `nobody`."""

    finding: Finding
    sentences: tuple[str, ...]
    by: str

    def as_dict(self) -> dict[str, Any]:
        """Return the object that a report holds for the marker (schema: `feedback_or_null`)."""
        told = self.finding.kind != "none"
        return {
            "finding": self.finding.id if told else None,
            "kind": self.finding.kind,
            "sentences": list(self.sentences),
            "by": self.by,
            "source": self.finding.source,
            "reason": self.finding.reason,
        }


@dataclass(frozen=True, slots=True)
class Feedback:
    """What is told about each marker, every raw reply of the model in order, and what was noticed on the way."""

    markers: Mapping[str, Told]
    replies: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    notices: Sequence[Notice] = field(default_factory=tuple)

    def replies_dict(self) -> list[dict[str, Any]]:
        """Return the raw replies as a report keeps them (schema: `feedback_replies`)."""
        return [dict(reply) for reply in self.replies]
