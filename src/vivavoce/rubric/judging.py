"""Read what a judge is told: judging.toml. The guide's own tables and notes stand in the other files."""

from __future__ import annotations

from collections.abc import Mapping

from vivavoce.rubric.model import Anchored, Judging
from vivavoce.rubric.reader import Reader
from vivavoce.rubric.shared import TIERS

TEXTS = (
    "role",
    "data",
    "one_marker",
    "scores",
    "fairness",
    "done",
    "quoting",
    "reason",
    "reply",
    "no_audio",
    "hears_audio",
    "not_verbatim",
    "verbatim",
)
ANCHORED = {
    "pronunciation": "anchors",
    "fluency": "recovery_anchors",
    "checklist": "anchors",
    "story": "anchors",
    "band_anchors": "anchors",
}


def _tier_texts(reader: Reader, tiers: tuple[str, ...]) -> dict[str, str]:
    found = {tier: reader.text(tier) for tier in tiers}
    reader.close()
    return found


def _anchored(reader: Reader, key: str) -> tuple[Anchored, dict[str, Mapping[str, str]]]:
    """Return one judged part and, of the shared anchors, an example answer a tier for each module."""
    lead, counts = reader.text("lead"), reader.list_of("what_counts", str)
    shown = reader.list_of("examples", str) if key != "anchors" or reader.path == "judging.pronunciation" else ()
    anchors_at = reader.table(key)
    anchors = {tier: anchors_at.text(tier) for tier in TIERS}
    anchors_at.close()
    examples: dict[str, Mapping[str, str]] = {}
    if reader.path == "judging.band_anchors":
        table = reader.table("examples")
        for module in ("rapid_fire_qa", "silly_topics_debate"):
            own = table.table(module)
            examples[module] = {"question": own.text("question")} | {tier: own.text(tier) for tier in TIERS}
            own.close()
        table.close()
    reader.close()
    return Anchored(lead, counts, shown, anchors, anchors_at.path), examples


def read_judging(reader: Reader) -> Judging:
    """Read judging.toml. Raises RubricError with the key."""
    asking = reader.table("asking")
    attempts = asking.whole("attempts")
    spread = asking.number("spread_limit", high=95, whole=True)
    samples = asking.whole("samples_highest")
    asking.close()
    table = reader.table("texts")
    texts = {name: table.text(name) for name in TEXTS}
    table.close()
    parts: dict[str, Anchored] = {}
    examples: dict[str, Mapping[str, str]] = {}
    for name, key in ANCHORED.items():
        parts[name], found = _anchored(reader.table(name), key)
        examples |= found
    open_tasks = reader.table("examples")
    for module in ("audio_postcard", "short_informative_presentation", "story_building"):
        examples[module] = _tier_texts(open_tasks.table(module), ("excellent", "adequate"))
    open_tasks.close()
    reader.close()
    return Judging(attempts, spread, samples, texts, parts, examples)
