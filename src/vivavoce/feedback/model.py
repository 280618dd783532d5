"""What feedback is made of: a finding a marker, the sentences that tell it, and the shape of both in a report."""

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
        """Return the object that a report holds for the marker (its shape: `MARKER_SCHEMA`)."""
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
        """Return the raw replies as a report keeps them (shape: `REPLY_SCHEMA`)."""
        return [dict(reply) for reply in self.replies]


# Fragments for the report's schema: the key `feedback` of a marker, and one raw reply.
MARKER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["finding", "kind", "sentences", "by", "source", "reason"],
    "properties": {
        "finding": {"type": ["string", "null"], "pattern": "^[a-z_]+\\.[a-z_]+$"},
        "kind": {"enum": ["held_back", "done_well", "none"]},
        "sentences": {"type": "array", "maxItems": 2, "items": {"type": "string", "minLength": 1}},
        "by": {"type": "string", "minLength": 1},
        "source": {"type": "string"},
        "reason": {"type": "string"},
    },
}
REPLY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["model", "at", "seconds", "input_tokens", "output_tokens", "cost", "finish", "text", "refused"],
    "properties": {
        "model": {"type": "string"},
        "at": {"type": ["string", "null"]},
        "seconds": {"type": ["number", "null"], "minimum": 0},
        "input_tokens": {"type": ["integer", "null"]},
        "output_tokens": {"type": ["integer", "null"]},
        "cost": {"type": ["string", "null"]},
        "finish": {"type": "string"},
        "text": {"type": "string"},
        "refused": {"type": "array", "items": {"type": "string"}},
    },
}
