"""What a schema cannot say of a reply: quotes stand in the transcript, numbers agree with their own parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vivavoce.rubric.model import LevelTable, Module, Rubric
from vivavoce.scoring.fluency import check_levels, count_per_window, level_of
from vivavoce.strict import refuse, shown
from vivavoce.submission import Task
from vivavoce.trace import Node, leaf

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a reply is held against: rubric, module, grade band, task, the words heard, and the response time (M4)."""

    rubric: Rubric
    module: Module
    grade_band: str
    task: Task
    words: tuple[str, ...]
    response_s: Node | None


def spoken(text: str) -> list[str]:
    """Return the words of a text as quotes are compared: letters and digits, without case and punctuation."""
    plain = unicodedata.normalize("NFKC", text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").casefold()
    return _WORD.findall(plain)


def stands_in(words: Sequence[str], quote: str) -> bool:
    """Say whether the words of a quote stand in the transcript side by side, and are at least one."""
    wanted, said = spoken(quote), [key for word in words for key in spoken(word)]
    return bool(wanted) and any(said[at : at + len(wanted)] == wanted for at in range(len(said) - len(wanted) + 1))


def _quote(value: str, where: str, facts: Facts, *, needed: bool) -> None:
    if (needed or value.strip()) and not stands_in(facts.words, value):
        allowed = "words of the student side by side, as they stand in the transcript"
        raise refuse("words_not_said", where, shown(value), allowed + ("" if needed else ", or an empty text"))


def unclear_words_said(reply: Mapping[str, Any], facts: Facts) -> None:
    """Refuse an unclear word that is not in the transcript."""
    for index, row in enumerate(reply["unclear_words"]):
        _quote(row["word"], f"/unclear_words/{index}/word", facts, needed=True)


def excellent_names_no_word(reply: Mapping[str, Any], facts: Facts) -> None:
    """Refuse Excellent beside a word that was hard to understand (judging.pronunciation.anchors)."""
    if reply["unclear_words"] and _tier(facts, reply["score"]) == "excellent":
        found = f"{reply['score']}, excellent, with {len(reply['unclear_words'])} words that were hard to understand"
        allowed = "a score under the tier excellent, or no such word, by judging.pronunciation.anchors"
        raise refuse("score_contradicts_words", "/score", found, allowed)


PRONUNCIATION = (unclear_words_said, excellent_names_no_word)


def _level_follows(name: str, counted: str, table: LevelTable, reply: Mapping[str, Any], facts: Facts) -> None:
    count = leaf("judged", counted, reply["counts"][counted], unit="count")
    known = facts.response_s or leaf("measured", "response_s", 0, unit="s")
    rate = int(count_per_window(facts.rubric, count, known).value)
    level, _ = level_of(table, rate)
    if reply["levels"][name] != level:
        found = f"{reply['levels'][name]} with {counted} {count.value}, {rate} per 30 seconds"
        raise refuse("level_contradicts_count", f"/levels/{name}", found, f"{level}, by {table.source}")


def levels_follow_counts(reply: Mapping[str, Any], facts: Facts) -> None:
    """Refuse a level of smoothness or filler control that is not the one of its own count in the guide's table."""
    tables = facts.module.fluency[facts.grade_band]
    _level_follows("smoothness", "false_starts", tables.false_starts, reply, facts)
    _level_follows("filler_control", "disruptive_fillers", tables.fillers, reply, facts)


def recovery_is_free(reply: Mapping[str, Any], facts: Facts) -> None:  # noqa: ARG001
    """Refuse a recovery under Excellent where nothing was counted to recover from (published)."""
    if not any(reply["counts"].values()) and reply["levels"]["recovery"] != "excellent":
        found = f"{reply['levels']['recovery']} with nothing to recover from"
        raise refuse("recovery_without_stumble", "/levels/recovery", found, "excellent, by fluency.recovery_text")


def score_fits_levels(reply: Mapping[str, Any], facts: Facts) -> None:
    """Refuse a score outside the interval that its own levels allow (A14)."""
    check_levels(facts.rubric, facts.module, facts.grade_band, reply["score"], reply["levels"], "/score")


FLUENCY = (levels_follow_counts, recovery_is_free, score_fits_levels)


def _tier(facts: Facts, score: int) -> str:
    return facts.rubric.tier_of_score(min(score, int(facts.rubric.ceiling.value))).id


def _tier_allows(tier: str, done: int, of: int) -> str:
    """Return what the anchors allow instead where a tier contradicts how much was done, or "" (judging.texts.done)."""
    if not done:
        return "" if tier == "poor" else "the tier poor: nothing was done"
    least = {"excellent": of, "good": of - 1, "adequate": (of + 1) // 2}.get(tier, 0)
    if done < least:
        return f"a tier under {tier}, which goes with {least} of {of} at least"
    if tier == "poor" and 2 * done > of:
        return f"a tier over poor, which goes with {of // 2} of {of} at most"
    return ""


def checklist_holds(reply: Mapping[str, Any], facts: Facts) -> None:
    """Refuse a covered point without the student's words, and a score whose tier contradicts the points."""
    rows = reply.get("checklist", [])
    for row in rows:
        _quote(row["words"], f"/checklist/{row['id']}/words", facts, needed=row["covered"])
    covered, tier = sum(row["covered"] for row in rows), _tier(facts, reply["score"])
    allowed = _tier_allows(tier, covered, len(rows)) if rows else ""
    if allowed:
        found = f"{reply['score']}, {tier}, with {covered} of {len(rows)} points covered"
        raise refuse("score_contradicts_checklist", "/score", found, f"{allowed}, by judging.checklist.anchors")


def guardrails_hold(reply: Mapping[str, Any], facts: Facts) -> None:
    """Refuse a guardrail or a specific detail without the student's words, and both of two that exclude each other."""
    detail = reply["specific_detail"]
    _quote(detail["words"], "/specific_detail/words", facts, needed=detail["found"])
    for row in reply["guardrails"]:
        _quote(row["words"], f"/guardrails/{row['id']}/words", facts, needed=row["fired"])
        if row["id"] == "substance" and row["fired"] and detail["found"]:
            allowed = "no specific detail where Substance fires: it says that there is none"
            raise refuse("parts_contradict", "/guardrails/substance/fired", "true with a specific detail", allowed)


def order_rules_hold(reply: Mapping[str, Any], facts: Facts) -> None:
    """Refuse a broken order rule without the student's words, or one that the task does not have."""
    has_ending = any(item.end_with for item in facts.task.checklist)
    for row in reply["order_rules"]:
        _quote(row["words"], f"/order_rules/{row['id']}/words", facts, needed=row["broken"])
        if row["id"] == "end_with_last" and row["broken"] and not has_ending:
            allowed = "false: no point of this task is marked to come last"
            raise refuse("parts_contradict", "/order_rules/end_with_last/broken", "true", allowed)


def anchor_holds(reply: Mapping[str, Any], facts: Facts) -> None:
    """Refuse an answered question without the student's words, and a score or an anchor that its parts contradict."""
    rows = reply.get("questions", [])
    for row in rows:
        _quote(row["words"], f"/questions/{row['id']}/words", facts, needed=row["answered"])
    tier = _tier(facts, reply["score"])
    if tier != reply["anchor"]:
        found = f"{reply['score']}, {tier}, with the anchor {reply['anchor']}"
        raise refuse("score_contradicts_anchor", "/score", found, "a score inside the range of its own anchor")
    answered = sum(row["answered"] for row in rows)
    allowed = _tier_allows(tier, answered, len(rows)) if rows else ""
    if allowed:
        found = f"{tier} with {answered} of {len(rows)} questions answered"
        raise refuse("anchor_contradicts_answers", "/anchor", found, f"{allowed}, by judging.band_anchors.anchors")
