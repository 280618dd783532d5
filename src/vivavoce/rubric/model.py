"""What a loaded rubric edition is. Numbers are `parameter` leaves, so that traces cite their rubric row.

A module names, for each marker and grade band, a rule with the components or caps it works on; `scoring.rules`
has one function a rule name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from vivavoce.trace import Node

Provenance = Literal["published", "inferred", "chosen"]
Kind = Literal["open", "closed"]
FadeMethod = Literal["phrase", "whole"]
FindingKind = Literal["held_back", "done_well"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of the edition with where it comes from."""

    value: Any
    provenance: str
    note: str


@dataclass(frozen=True, slots=True)
class GradeBand:
    """A grade band and the school grades in it."""

    id: str
    title: str
    grades: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Marker:
    """One of the five markers: what it judges, and its route (`module`: each module says)."""

    id: str
    title: str
    short_title: str
    judges: str
    route: str


@dataclass(frozen=True, slots=True)
class Tier:
    """A row of the tier table; `interpolate_to` is the upper edge that the arithmetic uses."""

    id: str
    label: str
    quality_low: Node
    quality_high: Node
    interpolate_to: Node
    score_low: Node
    score_high: Node


@dataclass(frozen=True, slots=True)
class Component:
    """A sub-marker: the rule that makes its quality, the input it needs, its weight, its parameters in rule order."""

    id: str
    title: str
    rule: str
    needs: str
    unit: str
    weight: Node
    parameters: tuple[Node, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Cut:
    """The hesitation cut: max_cut * min(1, rate / rate_at_max), off for short speech."""

    needs: str
    max_cut: Node
    rate_at_max: Node
    source: str


@dataclass(frozen=True, slots=True)
class MarkerRule:
    """How a marker of a module is scored in a grade band.

    `rule` names a function of `scoring.rules`. `components` weigh into a quality. `cut`, `short_under_s` and
    `short_drops` (the components dropped under that much speech) belong to Speaking Rate. `parameters` are caps,
    weights and thresholds by name; `named_caps` are those that a judge may fire.
    """

    rule: str
    route: str
    components: tuple[Component, ...] = ()
    cut: Cut | None = None
    short_under_s: Node | None = None
    short_drops: tuple[str, ...] = ()
    parameters: Mapping[str, Node] | None = None
    named_caps: Mapping[str, Node] | None = None


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a count table: tier id, lowest and highest count (None: no highest)."""

    tier: str
    lowest: int
    highest: int | None


@dataclass(frozen=True, slots=True)
class LevelTable:
    """Levels by count, best first; `ambiguous` counts are claimed by two levels and the better one counts (A11)."""

    levels: tuple[Level, ...]
    ambiguous: tuple[int, ...]
    source: str


@dataclass(frozen=True, slots=True)
class FluencyTables:
    """What a fluency judge is held to in one module and grade band: sub-weights and level tables."""

    weights: Mapping[str, Node]
    false_starts: LevelTable
    fillers: LevelTable


@dataclass(frozen=True, slots=True)
class Anchored:
    """One judged part: what is asked, what counts, examples of it, a description a tier; `source` is their path."""

    lead: str
    what_counts: tuple[str, ...]
    examples: tuple[str, ...]
    anchors: Mapping[str, str]
    source: str


@dataclass(frozen=True, slots=True)
class Judging:
    """What a judge is told beside the guide's tables, and how it is asked.

    `attempts` replies at most for one judgement; `spread_limit` points between samples before a person settles it.
    `parts` by name (pronunciation, fluency, checklist, story, band_anchors); `examples` by module, then tier.
    """

    attempts: int
    spread_limit: Node
    samples_highest: int
    texts: Mapping[str, str]
    parts: Mapping[str, Anchored]
    examples: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A point of the way from the experts' scale to a marker's: `experts` (0 to 10) is worth `score` (0 to 95)."""

    id: str
    experts: Node
    score: Node


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound of English: its name in the pronouncing dictionary, its sign in IPA, and a spelling that has it."""

    name: str
    ipa: str
    example: str


@dataclass(frozen=True, slots=True)
class LocalRules:
    """How the local judge's estimates become markers, when they count, and what is told of words and sounds.

    `not_scored`, `needs_person`, `told`: codes of the listener's doubts, by what follows from them.
    """

    pronunciation: tuple[Anchor, ...]
    fluency: tuple[Anchor, ...]
    widest_interval: Node
    not_scored: tuple[str, ...]
    needs_person: tuple[str, ...]
    told: tuple[str, ...]
    findings_at_most: int
    unclear_words_at_most: int
    word_accuracy_at_most: Node
    word_read_at_most: Node
    sound_score_at_most: Node
    sound_words_at_least: int
    sounds: Mapping[str, Sound]


@dataclass(frozen=True, slots=True)
class FindingWording:
    """What a finding says (`about`) and its built-in sentences, by setting and grade band."""

    name: str
    kind: FindingKind
    about: str
    sentences: Mapping[str, Mapping[str, tuple[str, str]]]
    source: str

    def built_in(self, setting: str, grade_band: str) -> tuple[str, str]:
        """Return the two sentences for a setting (`open`, `closed`, `twister`) and a grade band.

        A setting without a wording of its own takes that of `any` module; the twister takes that of readings.
        """
        for name in (setting, "any", "closed" if setting == "twister" else "any"):
            if name in self.sentences:
                return self.sentences[name][grade_band]
        raise KeyError(f"{self.source} is not worded for {setting}")


@dataclass(frozen=True, slots=True)
class Wording:
    """The tone of each grade band, and the wording of each finding by marker and name."""

    tones: Mapping[str, str]
    findings: Mapping[str, Mapping[str, FindingWording]]


@dataclass(frozen=True, slots=True)
class Module:
    """One of the eight modules."""

    id: str
    chapter: int
    title: str
    kind: Kind
    description: str
    facts: tuple[str, ...]
    weights: Mapping[str, Node]
    notes: Mapping[str, str]
    fade_method: FadeMethod
    texts: Mapping[str, str]
    repetitions: int
    rules: Mapping[str, Mapping[str, MarkerRule]]
    fluency: Mapping[str, FluencyTables]


@dataclass(frozen=True, slots=True)
class Rubric:
    """A loaded edition. `entries` holds every value by its path, with provenance; `digest` is over all of the data."""

    id: str
    title: str
    version: str
    values_as_of: str
    digest: str
    grade_bands: Mapping[str, GradeBand]
    markers: Mapping[str, Marker]
    tiers: tuple[Tier, ...]
    ceiling: Node
    judged_lowest: Node
    judged_highest: Node
    fluency_window_s: Node
    modules: Mapping[str, Module]
    judging: Judging
    local: LocalRules
    changes: tuple[Mapping[str, Any], ...]
    conflicts: tuple[Mapping[str, Any], ...]
    choices: tuple[Mapping[str, Any], ...]
    wording: Wording
    entries: Mapping[str, Entry]

    def lookup(self, path: str) -> Entry:
        """Return the value at a rubric path with its provenance. Raises KeyError where the edition has none."""
        return self.entries[path]

    def tier_of_score(self, score: int) -> Tier:
        """Return the tier whose score range holds a whole score of 0-95."""
        return next(tier for tier in self.tiers if score >= tier.score_low.value)
