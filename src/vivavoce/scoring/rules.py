"""Rule name -> function. A rubric's data names the rule; a further rubric family is data and one more rule."""

from __future__ import annotations

from collections.abc import Callable

from vivavoce.arithmetic import apply
from vivavoce.notice import Notice
from vivavoce.rubric.model import MarkerRule, Rubric
from vivavoce.scoring.model import MarkerEvidence, Outcome
from vivavoce.scoring.quality import tier_score, weigh, weighted_quality
from vivavoce.trace import Node

Rule = Callable[[str, MarkerRule, MarkerEvidence, Rubric], Outcome]


def _given(evidence: MarkerEvidence, name: str) -> Node:
    node = evidence.values.get(name)
    if node is None:
        raise KeyError(f"{name} was not given; requests are checked before they are scored")
    return node


def _scored(route: str, trace: Node, quality: Node | None = None) -> Outcome:
    return Outcome("scored", route, score=int(trace.value), quality=quality.value if quality else None, trace=trace)


def score_by_tiers(marker: str, rule: MarkerRule, evidence: MarkerEvidence, rubric: Rubric) -> Outcome:
    """Weigh the components into a quality, take its tier's score, then the hesitation cut where there is one.

    final = round_half_up(base * (1 - cut)) (A5); short speech drops components and switches the cut off (A6).
    """
    short = ""
    if rule.short_under_s is not None:
        speech, least = _given(evidence, "speech_seconds"), rule.short_under_s
        short = f"{speech.text} s of speech, under {least.text} s" if speech.value < least.value else ""
    weighed, dropped = weigh(rule, evidence.values, short=short)
    if not weighed:
        reason = Notice("nothing_measured", "; ".join(dropped), "record again: longer, closer to the microphone")
        return Outcome("not_scored", rule.route, reason=reason)
    quality = weighted_quality(weighed, dropped)
    if rule.cut is None:
        return _scored(rule.route, tier_score(rubric, quality, marker), quality)
    if short:
        return _scored(rule.route, tier_score(rubric, quality, marker, f"no hesitation cut: {short}"), quality)
    base = tier_score(rubric, quality, "base_score")
    hesitations = _given(evidence, rule.cut.needs)
    cut = apply("cut", "hesitation_cut", rule.cut.max_cut, hesitations, rule.cut.rate_at_max, source=rule.cut.source)
    trace = apply("after_cut", marker, base, cut, unit="score", source=rule.cut.source)
    return _scored(rule.route, trace, quality)


def score_alignment(marker: str, rule: MarkerRule, evidence: MarkerEvidence, rubric: Rubric) -> Outcome:
    """Task adherence of a reading, from the counts of its alignment.

    completion = (reference_words - trailing_omissions) / reference_words;
    accuracy = matched / (reference_words + insertions). Source: the rubric's adherence.formulas.
    """
    reference = _given(evidence, "reference_words")
    reached = apply("difference", "words_reached", reference, _given(evidence, "trailing_omissions"), unit="words")
    spoken = apply("sum", "reference_and_insertions", reference, _given(evidence, "insertions"), unit="words")
    values: dict[str, Node | None] = {
        "completion": apply("ratio", "completion", reached, reference, source="adherence.formulas"),
        "accuracy": apply("ratio", "accuracy", _given(evidence, "matched"), spoken, source="adherence.formulas"),
    }
    return score_by_tiers(marker, rule, MarkerEvidence(values), rubric)


def _capped(marker: str, rule: MarkerRule, score: Node, caps: list[tuple[str, Node]], rubric: Rubric) -> Outcome:
    """Return min(score, caps, ceiling); the note says which of them lowered the score."""
    limits = [*caps, ("the ceiling", rubric.ceiling)]
    lowest = min(limit.value for _, limit in limits)
    note = ""
    if lowest < score.value:
        note = "lowered by " + ", ".join(name for name, limit in limits if limit.value == lowest)
    trace = apply(
        "minimum", marker, score, *[limit for _, limit in limits], unit="score", source="edition.scale.text", note=note
    )
    return _scored(rule.route, trace)


def score_judged(marker: str, rule: MarkerRule, evidence: MarkerEvidence, rubric: Rubric) -> Outcome:
    """A judge's whole number of 0-100, held to the ceiling (A9: 96-100 become 95 and the trace says so)."""
    return _capped(marker, rule, _given(evidence, "score"), [], rubric)


def score_with_caps(marker: str, rule: MarkerRule, evidence: MarkerEvidence, rubric: Rubric) -> Outcome:
    """A judged score under the caps that fired and, where asked for, the cap of an answer without detail (A10)."""
    caps = [(name, cap) for name, cap in (rule.named_caps or {}).items() if name in evidence.fired]
    missing = (rule.parameters or {}).get("no_specific_detail_cap")
    if missing is not None and not _given(evidence, "specific_detail").value:
        caps.append(("no specific detail", missing))
    return _capped(marker, rule, _given(evidence, "score"), caps, rubric)


def score_story(marker: str, rule: MarkerRule, evidence: MarkerEvidence, rubric: Rubric) -> Outcome:
    """Keyword coverage by code, the story by a judge, blended; a weak story caps the blend.

    coverage = round(present / required * 100); blended = round(coverage * 0.50 + story * 0.50);
    if story <= 25 then min(blended, 30). Source: the rubric's modules.story_building.adherence.
    """
    given = rule.parameters or {}
    story = _given(evidence, "story")
    source = "modules.story_building.adherence.formulas"
    coverage = apply(
        "percentage",
        "coverage",
        _given(evidence, "keywords_present"),
        _given(evidence, "keywords_required"),
        given["percent"],
        unit="score",
        source=source,
    )
    blended = apply(
        "weighted_score",
        "blended",
        coverage,
        given["coverage_weight"],
        story,
        given["story_weight"],
        unit="score",
        source=source,
    )
    threshold, cap = given["weak_story_at_most"], given["weak_story_cap"]
    final = apply(
        "cap_when",
        "after_story_cap",
        blended,
        story,
        threshold,
        cap,
        unit="score",
        source=source,
        note=f"the story is at or under {threshold.text}: capped at {cap.text}"
        if story.value <= threshold.value
        else "",
    )
    return _capped(marker, rule, final, [], rubric)


RULES: dict[str, Rule] = {
    "tiers": score_by_tiers,
    "alignment": score_alignment,
    "judged": score_judged,
    "band_anchors": score_judged,
    "checklist_with_guardrails": score_with_caps,
    "checklist_with_order_rules": score_with_caps,
    "keywords_and_story": score_story,
}
