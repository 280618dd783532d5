"""The closed contract of each judged marker: what a reply must be, built from the rubric; rejected, never repaired.

One JSON root, no key more or less, whole numbers, fixed ids, quotes that stand in the transcript, and no part that
contradicts another. Caps, blends and the ceiling are not here: code applies them to what is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vivavoce.errors import RequestError
from vivavoce.judging import checks
from vivavoce.judging.checks import Facts
from vivavoce.judging.shape import Flag, Many, Pick, Record, Rows, Schema, Shape, Text, Whole
from vivavoce.rubric.model import Module, Rubric
from vivavoce.strict import parse_json, refuse
from vivavoce.submission import Task

Check = Callable[[Mapping[str, Any], Facts], None]

MAX_REPLY_BYTES = 200_000
REASON = Text(1000, 1, "one or two plain sentences for the teacher, without numbers")
QUOTE = Text(400, 0, "the student's own words, as they stand in the transcript; empty where nothing is asked for")
ASK_AFRESH = "the judge is asked afresh; when no reply fits, a person judges"


@dataclass(frozen=True, slots=True)
class Contract:
    """What a reply on one marker of one task must be.

    `shape` closes it; `checks` refuse parts that contradict each other or the transcript; `score_key` names the number.
    """

    marker: str
    rule: str
    shape: Record
    checks: tuple[Check, ...]
    score_key: str = "score"

    def schema(self) -> Schema:
        """Return the JSON schema for constrained decoding; the reading holds what it cannot say."""
        return self.shape.schema()

    def read(self, raw: str | bytes, facts: Facts) -> dict[str, Any]:
        """Return what a raw reply says, or refuse it.

        Parameters: `raw` as received; `facts` of the submission that it is held against.
        Returns: the accepted values; keyed rows become lists in the order of their ids.
        Raises: RequestError with the rule broken, the JSON pointer, what was found and what is allowed.
        """
        try:
            size = len(raw.encode("utf-8", "surrogatepass") if isinstance(raw, str) else raw)
            if size > MAX_REPLY_BYTES:
                raise refuse("reply_too_long", "", f"{size} bytes", f"at most {MAX_REPLY_BYTES} bytes")
            return self.read_values(parse_json(raw, ""), facts)
        except RequestError as error:
            error.where = error.where or "/"
            error.remedy = ASK_AFRESH
            raise

    def read_values(self, data: Any, facts: Facts) -> dict[str, Any]:
        """Return what parsed values say, under the same rules: people's sheets come this way."""
        accepted = self.shape.read(data, "")
        for check in self.checks:
            check(accepted, facts)
        return accepted

    def scoring_values(self, accepted: Mapping[str, Any]) -> dict[str, Any]:
        """Return what scoring takes of an accepted reply: the shape of `vivavoce lab` and `--judgement @FILE`."""
        values: dict[str, Any] = {self.score_key: accepted[self.score_key]}
        if self.rule == "checklist_with_guardrails":
            values["specific_detail"] = accepted["specific_detail"]["found"]
            values["guardrails"] = [row["id"] for row in accepted["guardrails"] if row["fired"]]
        if self.rule == "checklist_with_order_rules":
            values["broken_order_rules"] = [row["id"] for row in accepted["order_rules"] if row["broken"]]
        if self.marker == "fluency":
            values["levels"] = dict(accepted["levels"])
        return values


def contract_of(rubric: Rubric, module: Module, grade_band: str, marker: str, task: Task) -> Contract:
    """Return the contract of a marker that is judged.

    Raises RequestError `marker_is_measured` for one that code measures in this module.
    """
    rule = module.rules[marker][grade_band]
    if rule.route == "code":
        judged = [name for name, rules in module.rules.items() if rules[grade_band].route != "code"]
        raise refuse("marker_is_measured", "marker", marker, ", ".join(judged), "ask for a marker that is judged")
    score = Whole(int(rubric.judged_lowest.value), int(rubric.judged_highest.value), "the score of this marker")
    tiers = tuple(tier.id for tier in rubric.tiers)
    if marker == "pronunciation":
        return Contract(marker, rule.rule, Record(_pronunciation() | _ending(score)), checks.PRONUNCIATION)
    if marker == "fluency":
        return Contract(marker, rule.rule, Record(_fluency(module, tiers) | _ending(score)), checks.FLUENCY)
    return _adherence(rule.rule, tuple(rule.named_caps or ()), tiers, task, score)


def _ending(score: Whole, key: str = "score") -> dict[str, Shape]:
    return {key: score, "reason": REASON}


def _pronunciation() -> dict[str, Shape]:
    word = Record({"word": Text(80, 1, "as it stands in the transcript"), "why": Text(200, 1)})
    return {"unclear_words": Many(word, 5)}


def _fluency(module: Module, tiers: tuple[str, ...]) -> dict[str, Shape]:
    count = Whole(0, 10_000, "over the whole recording")
    weights = next(iter(module.fluency.values())).weights
    return {
        "counts": Record({"false_starts": count, "disruptive_fillers": count}),
        "levels": Record({name: Pick(tiers) for name in weights}),
    }


def _checklist(task: Task) -> dict[str, Shape]:
    if not task.checklist:
        return {}
    ids = tuple(f"point_{number}" for number in range(1, len(task.checklist) + 1))
    return {"checklist": Rows(ids, Record({"covered": Flag(), "words": QUOTE}))}


def _questions(task: Task) -> dict[str, Shape]:
    if not task.questions:
        return {}
    ids = tuple(f"question_{number}" for number in range(1, len(task.questions) + 1))
    return {"questions": Rows(ids, Record({"answered": Flag(), "words": QUOTE}))}


def _adherence(rule: str, rules: Sequence[str], tiers: tuple[str, ...], task: Task, score: Whole) -> Contract:
    fields: dict[str, Shape]
    made: tuple[Check, ...]
    if rule == "keywords_and_story":
        return Contract("task_adherence", rule, Record(_ending(score, "story")), (), "story")
    if rule == "checklist_with_guardrails":
        fields = _checklist(task) | {
            "specific_detail": Record({"found": Flag(), "words": QUOTE}),
            "guardrails": Rows(tuple(rules), Record({"fired": Flag(), "words": QUOTE})),
        }
        made = (checks.checklist_holds, checks.guardrails_hold)
    elif rule == "checklist_with_order_rules":
        broken = Record({"broken": Flag(), "words": QUOTE})
        fields = _checklist(task) | {"order_rules": Rows(tuple(rules), broken)}
        made = (checks.checklist_holds, checks.order_rules_hold)
    else:
        fields = _questions(task) | {"anchor": Pick(tiers, "the tier whose description fits best")}
        made = (checks.anchor_holds,)
    return Contract("task_adherence", rule, Record(fields | _ending(score)), made)
